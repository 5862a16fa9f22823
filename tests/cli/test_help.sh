#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Help: --help has at most 24 lines before the options, --help-all has everything, both of at most 100 columns (examples may be
# longer); `fplab help COMMAND` is `fplab COMMAND --help`.
set -u
fplab=$(realpath "${FPLAB:-build/bin/fplab}")
export LC_ALL=C.UTF-8
bad=0
complain() { echo "FAIL: $*"; bad=1; }
commands=$("$fplab" --help | sed -n 's/^  \([a-z]\+\)  .*/\1/p')
[ "$(wc -w <<<"$commands")" -ge 24 ] || complain "the commands are not listed: $commands"
parts=$(for command in corpus; do "$fplab" "$command" --help | sed -n "/^Parts:$/,/^$/s/^  \([a-z]\+\)  .*/$command \1/p"; done)
while IFS= read -r command; do
    brief=$("$fplab" $command --help) all=$("$fplab" $command --help-all)
    long=$(printf '%s\n' "$brief" "$all" | grep -v '^  fplab ' | grep -E '^.{101}')
    [ -z "$long" ] || complain "$command: more than 100 columns: $long"
    lines=$(sed '/^Options:$/,$d; /^Parts:$/,/^$/d' <<<"$brief" | wc -l)
    [ "$lines" -le 24 ] || complain "$command --help has $lines lines before the options"
    grep -q "^All options and details: fplab $command --help-all$" <<<"$brief" || complain "$command --help does not name --help-all"
    sed -n '/^Options of every command:$/,$p' <<<"$all" | grep -qe '--help-all ' || complain "$command --help-all lacks the common options"
    [ "$("$fplab" help $command)" = "$brief" ] || complain "fplab help $command is not its --help"
done <<<"$commands
$parts"
[ "$("$fplab" -V)" = "$("$fplab" --version)" ] || complain "-V is not --version"
"$fplab" help evla 2>&1 | grep -q 'did you mean eval' || complain "help of an unknown command does not name the nearest"
# Names of earlier versions are taken, and not shown.
"$fplab" eval --help-all | grep -q -- --thresholds && complain "an old name is shown"
"$fplab" eval --thresholds x 2>&1 | grep -q 'no corpus given' || complain "an old name is not taken"
# In a Chinese locale every summary is Chinese, and the main commands lack nothing: no line of theirs is without a Han character but
# usages, examples and what a long line leaves to the next.
chinese() { LC_ALL= LC_MESSAGES= LANG=zh_CN.UTF-8 "$fplab" "$@"; }
[ "$(chinese --help | sed -n '/^  [a-z]/p' | grep -cvP '\p{Han}')" = 0 ] || complain "a summary is not Chinese"
for command in compare explain eval tune query report dedup cluster index import; do
    left=$(chinese help $command | sed '/^示例/,/^$/d' | grep -vP '\p{Han}' | grep -E '[a-z]+ [a-z]+ [a-z]+')
    [ -z "$left" ] || complain "help $command is not Chinese: $left"
done
exit $bad
