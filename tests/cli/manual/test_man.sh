#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The pages of the manual: groff has nothing to warn of, they say the words of --help, Chinese too, and `make man` writes one for each command.
. tests/support.sh
command -v groff >/dev/null || { echo "groff is not installed"; exit 77; }
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
command -v mandoc >/dev/null || echo "skipped: mandoc's view of the pages: it is not installed"
make --no-print-directory BUILD="${BUILD:-build}" man >"$work/log" 2>&1 || complain "make man: $(cat "$work/log")"
pages=$(realpath "${BUILD:-build}")/man
cd "$work" || exit 1
commands=$("$fplab" --help | sed -n 's/^  \([a-z]\+\)  .*/\1/p')
# Parts of commands: "corpus check".
parts=$(for command in $commands; do "$fplab" "$command" --help | sed -n "/^Parts:/,/^$/s/^  \([a-z]\+\)  .*/$command \1/p"; done)
[ "$(grep -c '^corpus ' <<<"$parts")" -ge 3 ] || complain "the parts of corpus: $parts"
while read -r command; do
    page=fplab${command:+-${command// /-}}.1
    if [ -n "$command" ]; then "$fplab" --man "$command"; else "$fplab" --man; fi >"$page" || complain "--man $command"
    cmp -s "$page" "$pages/$page" || complain "make man wrote another $page"
    LC_ALL=C.UTF-8 groff -k -ww -Tutf8 -P-c -P-b -P-o -P-u -man "$page" >shown 2>warnings || complain "groff fails: $page"
    [ -s warnings ] && complain "groff warns: $page: $(head -3 warnings)"
    if command -v mandoc >/dev/null; then
        # A page that is generated has no date.
        mandoc -Tlint -W warning "$page" | grep -v 'missing date' >warnings && complain "mandoc warns: $(head -3 warnings)"
    fi
    [ -n "$command" ] || continue
    # shellcheck disable=SC2086
    "$fplab" $command --help-all >help
    mv shown "shown.$page" && mv help "help.$page" && printf '%s\t%s\n' "$page" "$command" >>made
done < <(printf '\n%s\n' "$(tr ' ' '\n' <<<"$commands")" "$parts")
python3 - <<'PYTHON' || bad=1
import re, sys
plain = lambda text: ''.join(text.split())
bad = False
for page, command in (line.rstrip('\n').split('\t') for line in open('made')):
    shown, help = open('shown.' + page).read(), open('help.' + page).read()
    # Options and prose without their folds, examples line by line, to be copied.
    parts = re.split(r'\n(?:Usage: .*|Options:|Parts:|Options of every command:|Examples:)\n', help)
    prose, examples = parts[0].split('\n', 1)[1], parts[-1].strip('\n').split('\n')
    if plain(prose) not in plain(shown): print('FAIL: the page of', command, 'lacks the prose'); bad = True
    for part in parts[1:3]:
        for row in re.split(r'\n(?=  -|      --)', '\n' + part.rstrip('\n'))[1:]:
            if plain(row) not in plain(shown): print('FAIL: the page of', command, 'lacks', row); bad = True
    lines = [line.strip() for line in shown.split('\n')]
    for line in examples:
        if line.strip() not in lines: print('FAIL: the page of', command, 'lacks the example', line); bad = True
sys.exit(bad)
PYTHON
[ "$(ls "$pages" | wc -l)" = "$(($(wc -w <<<"$commands") + $(wc -l <<<"$parts") + 1))" ] || complain "pages: $(ls "$pages")"
grep -q 我是中国人 fplab-explain.1 || complain "no Chinese in the page of explain"
cmp -s <("$fplab" --man corpus-check) <("$fplab" --man 'corpus check') || complain "--man corpus-check is another page"
exit $bad
