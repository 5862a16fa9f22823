#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --quiet leaves out notes, closing sentences and progress, and keeps errors and what makes a figure doubtful; --verbose tells more, on standard error alone. Neither
# changes what is printed or the exit status.
. tests/support.sh
cd "$work" || exit 1
printf '%s\n' 甲乙丙丁戊己庚辛 甲乙丙丁戊己庚辛 别的什么东西都没有 >lines.txt
printf '%s\n' '{"id":"1","text":"甲乙丙丁戊己"}' 'no JSON' '{"id":"2","text":"甲乙丙丁戊己"}' '{"id":"3","text":"abc"}' >bad.jsonl
printf '%s\n' '甲乙丙丁戊己庚辛' >asked.txt
printf '%s\n' 甲乙 abc >latin.txt
"$fplab" index build notes.fp -a simhash -d 3 lines.txt >/dev/null 2>&1 || complain "index build"

# kept WORDS COMMAND…: --quiet leaves lines with the words alone (none: nothing); standard output and status stay.
kept() {
    local words=$1; shift
    "$@" >out 2>err; local status=$?
    "$@" --quiet >quiet.out 2>quiet.err; [ $? = $status ] || complain "another status: $* --quiet"
    cmp -s out quiet.out || complain "--quiet prints something else: $*"
    [ -s err ] || complain "nothing to leave out: $*"
    if [ -z "$words" ]; then [ -s quiet.err ] && complain "not quiet: $*: $(cat quiet.err)"
    elif grep -vq -- "$words" quiet.err || ! grep -q -- "$words" quiet.err; then complain "--quiet, $*: $(cat quiet.err)"; fi
    # louder than before, and no word of what was said is lost
    "$@" --verbose >loud.out 2>loud.err; [ $? = $status ] || complain "another status: $* --verbose"
    cmp -s out loud.out || complain "--verbose prints something else: $*"
    grep -q '^fplab: [1-9][0-9]* threads\?, kernels for ' loud.err && grep -q '^fplab: in all: [0-9.]* s, [0-9]* MB at most$' loud.err ||
        complain "--verbose, $*: $(cat loud.err)"
    grep -Fqxvf loud.err err && complain "--verbose leaves out: $*: $(grep -Fxvf loud.err err)"
}
kept '' "$fplab" dedup -a simhash -d 3 lines.txt
kept '' "$fplab" cluster -a simhash -d 3 lines.txt
kept '' "$fplab" query notes.fp asked.txt
kept 'no features for' "$fplab" query notes.fp --text ''
kept '' "$fplab" index check notes.fp
kept 'left out: bad.jsonl:2' "$fplab" dedup -a simhash -d 3 --skip-bad bad.jsonl
kept 'no features for pinyin\|and counts as farthest' "$fplab" dedup -a pinyin -d 1 latin.txt
kept 'and counts as farthest' "$fplab" compare -a pinyin --text abc 甲乙
kept 'No such file' "$fplab" compare asked.txt nothing.txt
"$fplab" eval -c "$newswire" -a simhash --replicates 200 --verbose 2>err >/dev/null || complain "eval --verbose"
grep -q 'newswire-zh: 168 documents, 918 labelled pairs$' err && grep -q '^fplab: distances: [0-9.]* s$' err || complain "eval --verbose: $(cat err)"
[ "$(wc -l <err)" -le 20 ] || complain "--verbose is no few lines: $(cat err)"
"$fplab" compare asked.txt lines.txt --verbose 2>err >/dev/null
grep -q '^fplab: asked.txt: 25 bytes, utf-8$' err || complain "compare --verbose: $(cat err)"
refused 2 'either --quiet or --verbose, not both' "$fplab" measures --quiet --verbose
exit $bad
