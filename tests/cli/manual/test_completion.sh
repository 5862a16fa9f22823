#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Completion: bash's function in a bash, fish's in a fish, zsh's in a zsh at a terminal of its own. What is offered is what the program knows.
. tests/support.sh
cd "$work" || exit 1
for shell in bash zsh fish; do
    "$fplab" --completion $shell >"$shell" || complain "--completion $shell"
    command -v $shell >/dev/null || { echo "skipped: completion of $shell: it is not installed"; continue; }
    $shell -n "$shell" >err 2>&1 || complain "$shell does not read its completion: $(head -3 err)"
done

mkdir -p texts/inner 'my words' && touch 'new file.jsonl' terms.idf
commands=$("$fplab" --help | sed -n 's/^  \([a-z]\+\)  .*/\1/p')
algorithms=$("$fplab" algorithms --format tsv | tail -n +2 | cut -f 1)
measures=$("$fplab" measures --format tsv | tail -n +2 | cut -f 1 | sed 's/[@:].*//' | sort -u)
formats='table tsv csv json jsonl markdown latex'
# offered WORD…: what bash offers for the last word, cut as readline cuts.
offered() {
    # shellcheck disable=SC2016
    FPLAB=$fplab bash --norc -c 'fplab() { "$FPLAB" "$@"; }; . ./bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _fplab; [ ${#COMPREPLY[@]} = 0 ] || printf "%s\n" "${COMPREPLY[@]}"' bash "$@" 2>&1
}
# is WANTED WORD…: exactly those words, in any order.
is() {
    local want=$1; shift
    [ "$(offered "$@" | sort)" = "$(tr ' ' '\n' <<<"$want" | sed '/^$/d' | sort)" ] || complain "after $*: $(offered "$@" | tr '\n' ' ')"
}
is "$(tr '\n' ' ' <<<"$commands")--help --version" fplab ''
is 'compare corpus' fplab co
is 'build add delete stats check merge' fplab index ''
is 'sample' fplab judge sam
is 'estimate' fplab judge est
parts=$("$fplab" corpus --help | sed -n '/^Parts:/,/^$/s/^  \([a-z]\+\)  .*/\1/p')
is "$(tr '\n' ' ' <<<"$parts")" fplab corpus ''
[ "$(wc -w <<<"$parts")" -ge 3 ] || complain "parts of corpus: $parts"
is 'corrupt' fplab corpus cor
is '--rate' fplab corpus corrupt --ra
is '' fplab corpus check --ra
is "$formats" fplab corpus check --format ''
is 'texts' fplab corpus corrupt --corpus t
is "$formats" fplab eval --format ''
is "$formats" fplab eval -f ''
is "$formats" fplab compare 甲 乙 --format =
is 'markdown' fplab eval --format = m
is 'png svg pdf tikz' fplab plot run --plot-format ''
is 'html markdown latex csv json latex-table' fplab report run --format ''
is "$algorithms" fplab eval --arm ''
is "$algorithms" fplab dedup -a ''
is 'jaccard' fplab algorithms ja
is "$(sort -u <<<"$measures")" fplab measures ''
is 'first longest newest best:' fplab dedup --keep ''
is 'en zh both' fplab plan --lang ''
is '' fplab eval --seed ''
is '' fplab eval --arm simhash : b
is 'terms.idf texts' fplab eval --corpus t
is 'texts/inner' fplab eval -o texts/
is 'terms.idf texts' fplab compare ter te
[ "$(offered fplab compare n)" = 'new file.jsonl' ] || complain "files: $(offered fplab compare n)"
while read -r command; do
    # shellcheck disable=SC2086
    want=$("$fplab" $command --help-all | sed -n 's/^  \(-[a-zA-Z], \|    \)\(--[a-z-]*\).*/\2/p' | sort)
    # shellcheck disable=SC2086
    [ "$(offered fplab $command -- | sort)" = "$want" ] || complain "options of $command: $(offered fplab $command --)"
done < <(printf '%s\n' $commands; sed 's/^/corpus /' <<<"$parts")

# Words of one option alone stand in its help.
command -v python3 >/dev/null || { echo "skipped: words against help: python3 is not installed"; exit $bad; }
# shellcheck disable=SC2046,SC2086
python3 - "$fplab" $commands $(sed 's/^/corpus-/' <<<"$parts") <<'PYTHON' || bad=1
import re, subprocess, sys
fplab, seen, bad = sys.argv[1], 0, False
ask = lambda *words: subprocess.run([fplab, *words], capture_output=True, text=True).stdout
for command in [name.split('-') for name in sys.argv[2:]]:
    rows = re.findall(r'^  (?:-\w, |    )--([a-z-]+)=\S+(.*?)(?=\n  \S|\n   ? ?(?:-|   --)|\n\n)', ask(*command, '--help-all'), re.S | re.M)
    for option, row in rows:
        words = [line.split('\t')[0] for line in ask('--complete', *command, '--' + option, '').splitlines()]
        if not words or words[0].startswith(':') or option in ('arm', 'near', 'grid', 'measure', 'compare'): continue
        seen += 1
        for word in words:
            if word.rstrip(':') not in re.split(r'[\s,;:()\[\]]+', row): print('FAIL:', command, option, word, 'is not in:', row); bad = True
sys.exit(bad or seen < 20)
PYTHON

# As it is typed: readline calls the function, with the words cut its own way.
cat >typed.py <<'PYTHON'
import os, pty, select, sys, time
try:
    pid, master = pty.fork()
except OSError:
    sys.exit(77)
if pid == 0:
    os.environ.update(TERM='dumb', PS1='> ', INPUTRC='/dev/null')
    os.execvp('bash', ['bash', '--norc', '--noprofile', '-i'])
def until(word):
    data, end = '', time.time() + 60
    while word not in data and time.time() < end:
        if select.select([master], [], [], 0.2)[0]: data += os.read(master, 65536).decode(errors='replace')
    return data
os.write(master, b"bind 'set bell-style none' 'set enable-bracketed-paste off'; bind 'set enable-bracketed-paste off'; . ./bash; echo re''ady\n")
assert 'ready' in until('ready')
os.write(master, b'fplab() { if [ "$1" = --complete ]; then "$FPLAB" "$@"; else printf "<%s>" "$@"; echo; fi; }\n')
os.write(master, b'fplab dist\t--for\tmark\t--corpus my\t\n')
told = until('my words/>')
print(told)
sys.exit('<distances><--format><markdown><--corpus><my words/>' not in told.replace('\r', ''))
PYTHON
FPLAB=$fplab python3 typed.py >told 2>&1
case $? in 0) ;; 77) echo "skipped: typing: there are no pseudo-terminals" ;; *) complain "typed: $(cat told)" ;; esac

mkdir -p bin && ln -s "$fplab" bin/fplab
if command -v fish >/dev/null; then
    typed() { PATH=$work/bin:$PATH HOME=$work fish --no-config -c "source ./fish; complete -C '$1'" 2>&1 | cut -f 1; }
    [ "$(typed 'fplab ' | sort)" = "$(printf '%s\n' --help --version "$commands" | sort)" ] || complain "fish: commands: $(typed 'fplab ')"
    [ "$(typed 'fplab eval --format ' | sort)" = "$(tr ' ' '\n' <<<"$formats" | sort)" ] || complain "fish: formats: $(typed 'fplab eval --format ')"
    [ "$(typed 'fplab index del')" = delete ] || complain "fish: index: $(typed 'fplab index del')"
    [ "$(typed 'fplab corpus ' | grep -v / | sort)" = "$(sort <<<"$parts")" ] || complain "fish: corpus: $(typed 'fplab corpus ')"
    [ "$(typed 'fplab corpus corrupt --ra')" = --rate ] || complain "fish: options of corpus corrupt: $(typed 'fplab corpus corrupt --ra')"
    [ -z "$(typed 'fplab corpus idf --ra')" ] || complain "fish: options of corpus idf: $(typed 'fplab corpus idf --ra')"
    [ "$(typed 'fplab dedup --keep lo')" = longest ] || complain "fish: keep"
    [ "$(typed 'fplab eval --format=m')" = --format=markdown ] || complain "fish: a value behind =: $(typed 'fplab eval --format=m')"
    [ -z "$(typed 'fplab eval --seed ')" ] || complain "fish: a number: $(typed 'fplab eval --seed ')"
    [ "$(typed 'fplab eval --out=te')" = --out=texts/ ] || complain "fish: a directory behind =: $(typed 'fplab eval --out=te')"
    [ "$(typed 'fplab eval --corpus te' | sort | tr '\n' ' ')" = 'terms.idf texts/ ' ] || complain "fish: files: $(typed 'fplab eval --corpus te')"
fi

if command -v zsh >/dev/null; then
    mkdir functions && cp zsh functions/_fplab
    cat >typed.zsh <<'ZSH'
zmodload zsh/zpty && zpty shell "PATH=$PWD/bin:$PATH TERM=dumb zsh -f -i" || exit 1
# Reads until the word stands on the line, or for ten seconds.
expect() { seen=; for ((i = 0; i < 200; i++)); do zpty -rt shell some && seen+=$some; [[ $seen == *$1* ]] && return; sleep 0.05; done; return 1 }
zpty -w shell "cd ${(q)PWD}; fpath=($PWD/functions \$fpath); autoload -Uz compinit; compinit -u -D; print RE''ADY"
expect READY || { print "FAIL: zsh does not begin: $seen"; exit 1 }
while read -r line want; do
    zpty -w -n shell "fplab ${line//_/ }"$'\t'
    expect "fplab ${line//_/ }$want" || { print "FAIL: zsh after $line: $seen"; exit 1 }
    zpty -w -n shell $'\x15'
done <<'LINES'
corpus_cor rupt
eval_--format=m arkdown
eval_--format_m arkdown
eval_--see d
eval_--out=te xts/
compare_ter ms.idf
dedup_--keep_bes t:
LINES
ZSH
    timeout 120 zsh -f typed.zsh || bad=1
fi
exit $bad
