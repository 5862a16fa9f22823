#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A saved choice stands wherever an arm does, as --choice FILE and as @FILE, with its threshold where one has a meaning; a corpus without
# labels, or one that is named twice, is told.
. tests/support.sh
cd "$work" || exit 1
# Without the spaces that its path may hold, since commands below are cut at theirs.
ln -s "$newswire" newswire-zh && newswire=$work/newswire-zh
# same WHAT: the two ways of naming the choice, and the arm written out, print the same.
same() { cmp -s "$2" "$3" || complain "$1: $(diff "$2" "$3" | head -n 4)"; }

"$fplab" tune --corpus "$newswire" --grid 'simhash:bits=64|128,features=chars:2' --replicates 200 --save choice.json >/dev/null 2>err || complain "tune: $(cat err)"
read -r arm threshold < <(python3 -c 'import json; c = json.load(open("choice.json")); print(c["arm"], c["threshold"])')
a=我喜欢看电视，不喜欢看电影。 b=我不喜欢看电视，也不喜欢看电影。

for run in "fingerprint --text $a" "fingerprint --corpus $newswire" "features --text $a"; do
    how=--arm; [ "${run%% *}" = features ] && how=
    # shellcheck disable=SC2086
    "$fplab" $run --choice choice.json >one 2>err || complain "$run --choice: $(cat err)"
    [ -z "$how" ] && "$fplab" $run --spec features=chars:2,weight=logtf >two
    # shellcheck disable=SC2086
    [ -n "$how" ] && { "$fplab" $run --arm @choice.json >two; "$fplab" $run --arm "$arm" >three; same "$run --arm" two three; }
    same "$run --choice" one two
done

"$fplab" distances --corpus "$newswire" --choice choice.json >called 2>err || complain "distances: $(cat err)"
"$fplab" distances --corpus "$newswire" --arm "$arm" >plain
cut -f1-5 called | cmp -s - plain || complain "distances of a choice are not those of its arm"
awk -F'\t' -v h="$threshold" 'NR == 1 { exit $6 != "called" } $6 != ($5 <= h) { exit 1 }' called || complain "called is not distance <= $threshold"
awk -F'\t' -v h="$threshold" 'NR > 1 && $6 != ($5 <= h) { exit 1 }' called || complain "called is not distance <= $threshold"

"$fplab" compare --choice choice.json --arm jaccard --text $a $b --format json >one 2>err || complain "compare: $(cat err)"
"$fplab" compare --arm jaccard --arm @choice.json --text $a $b --format json >two
same "compare" one two
python3 - "$threshold" <<'PYTHON' || complain "compare: threshold and verdict"
import json, sys
rows = {row['arm']: row for row in json.load(open('one'))}
assert rows['jaccard']['threshold'] is None and rows['jaccard']['called'] is None
mine = next(row for name, row in rows.items() if name != 'jaccard')
assert mine['threshold'] == float(sys.argv[1]) and mine['called'] == ('duplicate' if mine['distance'] <= mine['threshold'] else 'not'), mine
PYTHON
# Beside either a model is read.
for how in --choice=choice.json --arm=@choice.json; do
    "$fplab" dedup $how --model nowhere.model "$newswire" >out 2>err
    [ $? = 1 ] && grep -qxF 'fplab: nowhere.model: cannot open: No such file or directory' err && [ ! -s out ] || complain "dedup $how --model: $(cat err)"
done
"$fplab" explain @choice.json --pair --text $a $a 2>err | grep -q "threshold $threshold: duplicate" || complain "explain: $(cat err)"
"$fplab" judge sample --corpus "$newswire" --choice choice.json --per-distance 2 --format tsv --out sheet.tsv 2>/dev/null | tail -n 1 | cut -f1 | grep -qx "$threshold" ||
    complain "judge sample does not reach the threshold"
"$fplab" eval --corpus "$newswire" --choice choice.json --replicates 200 --format tsv 2>/dev/null >one
"$fplab" eval --corpus "$newswire" --arm @choice.json --replicates 200 --format tsv 2>/dev/null >two
same "eval" one two
head -n 2 one | tail -n 1 | cut -f4 | grep -qx "$threshold" || complain "eval does not take the threshold: $(cat one)"

# What eval says of a choice: the pairs as they are called, and the figures and intervals of that threshold where it is one of those of all arms; of listed pairs, and
# of groups of which all pairs are counted.
python3 -c 'import json; c = json.load(open("choice.json")); c["threshold"] = 10; json.dump(c, open("ten.json", "w"))'
mkdir groups
for i in $(seq 1 720); do printf '{"id":"d%d","text":"第%d号新闻 今天天气 %d","group":"%d"}\n' "$i" $((i / 2)) "$i" $((i / 2)); done >groups/docs.jsonl
for corpus in "$newswire" groups; do
    "$fplab" eval --corpus "$corpus" --arm @ten.json --hash-seeds 1 --replicates 200 --no-plots --out "run-$(basename "$corpus")" >/dev/null 2>err || complain "eval: $(cat err)"
done
"$fplab" distances --corpus "$newswire" --choice ten.json >ten 2>/dev/null
python3 - <<'PYTHON' || complain "a choice's row is not that of its threshold"
import csv
def table(path): return list(csv.DictReader(open(path, encoding='utf-8'), delimiter='\t'))
for corpus in 'newswire-zh', 'groups':
    chosen, = table(f'run-{corpus}/choices.tsv')
    counted = next(row for row in table(f'run-{corpus}/results.tsv') if row['threshold'] == '10')
    assert all(chosen[cell] == counted[cell] for cell in ('tp', 'fp', 'fn', 'tn')), (chosen, counted)
    assert int(chosen['tp']) > 0 and int(chosen['fn']) > 0, chosen
    for figure in 'precision', 'recall', 'f1':
        row = next(row for row in table(f'run-{corpus}/intervals.tsv') if row['threshold'] == '10' and row['figure'] == figure)
        assert [chosen[figure + end] for end in ('', '_low', '_high')] == [row[column] for column in ('value', 'low', 'high')], (chosen, row)
listed, (chosen,) = table('ten'), table('run-newswire-zh/choices.tsv')
for cell, label, called in ('tp', '1', True), ('fp', '0', True), ('fn', '1', False), ('tn', '0', False):
    assert int(chosen[cell]) == sum(row['label'] == label and (float(row['distance']) <= 10) == called for row in listed), (cell, chosen)
PYTHON

# What is wrong in the file is a failure, and the file is named; the command line has no mistake.
damaged() { # SED-SCRIPT MESSAGE
    sed "$1" choice.json >damaged.json
    cmp -s choice.json damaged.json && complain "$1 damages nothing"
    refused 1 "damaged.json: $2" "$fplab" compare --choice damaged.json --text a b
    refused 1 "damaged.json: $2" "$fplab" compare --arm @damaged.json --text a b
    refused 1 "damaged.json: $2" "$fplab" dedup --choice damaged.json missing.jsonl
    refused 1 "damaged.json: $2" "$fplab" eval --corpus "$newswire" --choice damaged.json
}
damaged 's/"arm":"[a-z]*:/"arm":"simash:/' 'unknown algorithm'
damaged 's/"threshold":[0-9.]*/"threshold":1e6/' 'the threshold 1e+06 is above the largest distance of the arm'
damaged 's/,han=simplified/,hen=simplified/' ''
damaged 's/,features=[a-z]*/,features=w[rds/' ''
refused 1 'missing.json: cannot open' "$fplab" fingerprint --choice missing.json
refused 1 'missing.json: cannot open' "$fplab" compare --arm @missing.json --text a b
echo nonsense >not-json
"$fplab" fingerprint --arm @not-json >out 2>err && complain "status 0: not JSON"
grep -q '^fplab: not-json:' err || complain "not JSON: $(cat err)"

# No labels: the way to some.
mkdir unlabelled
printf '{"id":"a","text":"今天天气很好"}\n{"id":"b","text":"今天天气真好"}\n' >unlabelled/docs.jsonl
for run in 'eval' 'tune' 'distances --arm simhash'; do
    # shellcheck disable=SC2086
    refused 2 'fplab judge sample --corpus unlabelled --arm simhash --out sheet.tsv' "$fplab" $run --corpus unlabelled
done
refused 2 "the corpus $newswire is named twice" "$fplab" eval --corpus "$newswire" --corpus "$newswire"
exit $bad
