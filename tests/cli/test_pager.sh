#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A table that is longer or wider than the terminal goes to a pager, FPLAB_PAGER before PAGER before less; one that fits, and what goes to a pipe, does not. A pager that is left early, or is
# not there, is no error, and what is told on standard error is told when the pager has ended.
. tests/support.sh
unset FPLAB_PAGER PAGER LESS COLUMNS
cd "$work" || exit 1

# at ROWS COLUMNS SECONDS KEYS COMMAND…: on a pseudo-terminal of that size, where the keys are pressed once something is shown; what it shows. Status 124: it did not end.
at() { local rows=$1 columns=$2; shift 2; TERM=xterm python3 "$tests/terminal.py" "$columns" "$rows" "$@"; }
at 24 80 10 '' "$fplab" --version >out
[ $? = 77 ] && { echo "there are no pseudo-terminals"; exit 77; }

# A pager that says that it was there, and what it was given.
printf '#!/bin/sh\necho "paged: $1"\ncat >%s/given\n' "$work" >note && chmod +x note
rm -f given
"$fplab" measures >whole
lines=$(wc -l <whole)
[ "$lines" -gt 12 ] || complain "measures has $lines lines: too few to try"

FPLAB_PAGER="$work/note own" PAGER="$work/note common" at 12 300 20 '' "$fplab" measures >out || complain "a pager of its own: status $?"
grep -qx 'paged: own' out || complain "FPLAB_PAGER: $(cat out)"
cmp -s <(tr -s ' \n' '\n' <whole | sort) <(tr -s ' \n' '\n' <given | sort) || complain "the pager was given something else: $(diff whole given | head -n 5)"
PAGER="$work/note common" at 12 300 20 '' "$fplab" measures >out
grep -qx 'paged: common' out || complain "PAGER: $(cat out)"
rm -f given
none() { [ ! -e given ] || { complain "paged: $*"; rm -f given; }; }
FPLAB_PAGER="$work/note own" at 12 300 20 '' "$fplab" measures --no-pager >out || complain "--no-pager: status $?"
none --no-pager
[ "$(wc -l <out)" -ge 12 ] || complain "--no-pager shows no table"
FPLAB_PAGER="$work/note own" at 500 300 20 '' "$fplab" measures >out
none "a table that fits"
widest=$(python3 -c "print(max(map(len, open('whole', encoding='utf-8').read().split('\n'))))")
FPLAB_PAGER="$work/note own" at 500 "$widest" 20 '' "$fplab" measures >out
none "a table that just fits"
FPLAB_PAGER="$work/note own" at 500 $((widest - 1)) 20 '' "$fplab" measures >out
cmp -s whole given || complain "a table that is too wide is not paged"
rm -f given
FPLAB_PAGER="$work/note own" "$fplab" measures >out
none "a file"
cmp -s whole out || complain "another table in a file"
FPLAB_PAGER="$work/note own" at 12 300 20 '' sh -c "'$fplab' measures | cat" >out
none "a pipe"
FPLAB_PAGER="$work/note own" at 12 300 20 '' "$fplab" measures --format tsv >out
none "a table for programs"
for empty in '' cat; do
    FPLAB_PAGER=$empty PAGER="$work/note common" at 12 300 20 '' "$fplab" measures >out
    none "FPLAB_PAGER='$empty'"
done

# It is not there.
FPLAB_PAGER=no_such_pager at 12 300 20 '' "$fplab" measures >out || complain "no such pager: status $?"
[ "$(grep -cFxf whole out)" = "$lines" ] || complain "without a pager, lines are missing: $(wc -l <out)"
mkdir bin
ln -s "$(command -v cat)" "$(command -v sh)" bin/
at 12 300 20 '' env PATH="$work/bin" "$fplab" measures >out || complain "no less: status $?"
diff out whole >/dev/null || complain "no less: $(diff out whole | head -n 5)"

# It is left before it has read all, while more is written than a pipe holds.
python3 - <<'PYTHON'
import json
with open('many.jsonl', 'w', encoding='utf-8') as out:
    for i in range(20000): print(json.dumps({'id': str(i), 'text': f'第{i}篇'}, ensure_ascii=False), file=out)
PYTHON
for early in true 'head -n 1' 'sleep 0.2'; do
    FPLAB_PAGER=$early at 12 80 60 '' "$fplab" features many.jsonl --format table >out || complain "'$early' as a pager: status $? $(tail -n 2 out)"
    grep -q 'fplab:' out && complain "'$early' as a pager: $(grep fplab: out)"
done

# Standard error waits, width and colours stay.
FPLAB_PAGER='sleep 0.3; cat; echo END' at 12 60 20 '' "$fplab" measures --verbose >out || complain "measures --verbose: status $?"
tail -n 1 out | grep -q '^fplab: in all: ' && tail -n 2 out | grep -qx END || complain "the program does not wait: $(tail -n 2 out)"
for i in $(seq 60); do echo 甲乙丙丁戊己庚辛; done >lines.txt
FPLAB_PAGER='sleep 0.3; cat; echo END' at 12 60 20 '' "$fplab" dedup -a simhash -d 3 --dropped --format table lines.txt >out || complain "dedup: status $?"
tail -n 2 out | grep -q '^Of 60 texts 1 is kept' && tail -n 3 out | grep -qx END || complain "standard error is not behind: $(tail -n 2 out)"
FPLAB_PAGER=$work/note at 12 60 20 '' "$fplab" explain simhash --text 甲乙丙丁 >out
grep -q "$(printf '\033')\[31m-1" given || complain "no colours for a pager"
FPLAB_PAGER='cat; echo "$LESS"' at 12 60 20 '' "$fplab" measures >out && grep -qx SRX out || complain "less is not told to cut lines and to show colours: $(tail -n 1 out)"
LESS=R FPLAB_PAGER='cat; echo "$LESS"' at 12 60 20 '' "$fplab" measures >out && grep -qx R out || complain "LESS of the user: $(tail -n 1 out)"
FPLAB_PAGER='cat; exit 3' at 12 60 20 '' "$fplab" measures >out || complain "the pager's status is the program's: $?"

# What is one text is paged as one: of several tables the first stands in the pager, too, and all is there once; where all fits, and in a file, nothing is paged.
"$fplab" eval -c "$newswire" -a simhash -a jaccard --replicates 200 >whole 2>&1 || complain "eval: $(cat whole)"
timeless() { tr -s ' \n' '\n' <"$1" | grep -v '[0-9]' | sort; }
FPLAB_PAGER="$work/note own" at 25 300 30 '' "$fplab" eval -c "$newswire" -a simhash -a jaccard --replicates 200 --quiet >out || complain "eval on a terminal: status $?"
[ "$(head -n 1 given)" != "$(sed -n 2p given)" ] && [ "$(head -n 1 given)" = 'newswire-zh, the answer, with 95% intervals' ] && grep -q '^corpus ' given || complain "eval: the pager begins with $(head -n 3 given)"
[ "$(head -n 1 out)" = 'paged: own' ] || complain "eval: before the pager stands $(head -n 3 out)"
cmp -s <(timeless whole) <(timeless given) || complain "eval: the pager was given something else: $(diff <(timeless whole) <(timeless given) | head -n 5)"
rm -f given
FPLAB_PAGER="$work/note own" at 500 2000 30 '' "$fplab" eval -c "$newswire" -a simhash -a jaccard --replicates 200 --quiet >out
none "tables that fit"
cmp -s <(timeless whole) <(timeless out) || complain "eval, all on a screen: $(diff <(timeless whole) <(timeless out) | head -n 5)"
FPLAB_PAGER='exit 0' at 25 80 30 '' "$fplab" tune -c "$newswire" -g simhash --folds 3 --replicates 200 --quiet >out || complain "tune, a pager that is left: status $?"

if command -v less >/dev/null; then
    at 12 300 20 ' q' "$fplab" measures >out || complain "less, left: status $?"
    at 200 60 20 'q' "$fplab" measures >out || complain "less, wide: status $?"
    at 12 300 20 '\x03q' "$fplab" measures >out
    at 200 300 20 '' "$fplab" measures >out || complain "less where all fits: status $?"
else
    echo "note: no less: it was not tried"
fi
exit $bad
