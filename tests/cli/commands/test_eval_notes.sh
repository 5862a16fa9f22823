#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What stands beside the tables of fplab eval: that the best F1 lies outside the thresholds, what is counted, p-values, ties.
. tests/support.sh
cd "$work" || exit 1

# ---- The best F1 in the tables by threshold, wherever it lies ----

# What distances say, counted here: the threshold of the best F1 over the whole scale, and precision and recall there.
for arm in simhash cosine pinyin constant; do "$fplab" distances -c "$newswire" -a $arm >$arm.tsv || complain "distances -a $arm"; done
for range in '' 1..10 0..3 12..14 17..60; do
    "$fplab" eval -c "$newswire" -a simhash -a cosine -a pinyin -a constant -N 1 ${range:+--threshold $range} >out || complain "eval --threshold $range"
    python3 - "$range" <<'PYTHON' || complain "--threshold $range: $(grep ' at threshold' -A 4 out)"
import csv, math, re, sys
first, last = map(int, (sys.argv[1] or '1..10').split('..'))
text = open('out', encoding='utf-8').read()
for arm in 'simhash', 'cosine', 'pinyin', 'constant':
    rows = [(float(r['distance']), int(r['label'])) for r in csv.DictReader(open(arm + '.tsv', encoding='utf-8'), delimiter='\t')]
    duplicates = sum(label for d, label in rows)
    def at(h):
        tp, called = sum(label for d, label in rows if d <= h), sum(d <= h for d, label in rows)
        return (2 * tp / (called + duplicates) if called else 0), tp / called if called else math.nan, tp / duplicates
    h = -max((at(h)[0], -h) for h in {d for d, label in rows})[1]
    rule = f'{h:.0f}' if arm != 'cosine' else f'{math.ceil(h * 100) / 100:.2f}'
    for measure, value in ('precision', at(float(rule))[1]), ('recall', at(float(rule))[2]):
        table = re.search(rf'^{measure} at threshold.*\n(?:.+\n)+', text, re.M)[0].splitlines()
        assert table[0].split()[4:] == [str(t) for t in range(first, last + 1)] + 'best F1 at there'.split(), table[0]
        found = next(line.split() for line in table if line.startswith(arm + ' '))
        assert found[-2:] == [rule, f'{value:.3f}'], (arm, measure, found, rule, value)
        assert at(float(rule))[0] >= max(at(t)[0] for t in range(first, last + 1)) - 1e-12, arm
PYTHON
done
# That of the answer, to the last digit.
"$fplab" eval -c "$newswire" -N 1 >out || complain "eval"
answer=$(sed -n 's/^  use  *//p' out) && [ "$(sed -n "s/^  precision *\(0\.[0-9]*\) .*/\1/p" out)" = "$(awk -v arm="$answer" '/^precision at threshold/ { on = 1 } on && $1 == arm { printf "%.2f", $NF; exit }' out)" ] ||
    complain "the answer and its table: $(head -n 8 out)"
# Of counted pairs only whole thresholds that are listed have estimates: the answer says so.
python3 - <<'PYTHON' >groups.jsonl
import json, random
random.seed(3)
for group in range(60):
    words = [chr(random.randrange(0x4e00, 0x9f00)) for _ in range(40)]
    for _ in range(14):
        for _ in range(3): words[random.randrange(40)] = chr(random.randrange(0x4e00, 0x9f00))
        print(json.dumps({'text': ''.join(words), 'group': str(group)}))
PYTHON
"$fplab" eval groups.jsonl -a minhash -N 1 --threshold 1..10 >out 2>err || complain "groups: $(cat err)"
grep -q 'the best F1 at a whole threshold from 1 to 10 on these pairs' out || complain "counted pairs: $(head -n 7 out)"
"$fplab" eval groups.jsonl -a minhash -N 1 >out 2>err && grep -q 'the threshold of the best F1 on these pairs' out || complain "counted pairs, the whole scale: $(head -n 7 out)"
# Of several hash seeds the best threshold is that of the arm's own.
"$fplab" eval -c "$newswire" -a simhash -a jaccard:weight=tf --threshold 1..2 --no-plots --out inside >/dev/null || complain "several seeds"
[ "$(cut -f 2,15 inside/summary.tsv | grep simhash)" = "$("$fplab" eval -c "$newswire" -a simhash -N 1 --no-plots --out own >/dev/null; cut -f 2,15 own/summary.tsv | sed 1d)" ] ||
    complain "the best threshold is not that of the own seed: $(cut -f 2,15 inside/summary.tsv)"

# ---- What is counted ----

"$fplab" eval -c "$newswire" -a simhash --level document --by lang --prevalence 0.01 --threshold 1..3 --no-plots --out documents >out 2>err || complain "--level document: $(cat err)"
for words in 'scale  *documents  *positives' 'documents are not independent' 'A document is called a duplicate when one of its labelled pairs' \
    'where a definition says pair, read document' 'share of duplicates among all documents' 'stratum  *documents  *positives' 'replicates of the documents; rates take'; do
    grep -q "$words" out || complain "--level document does not say \"$words\""
done
grep -qE 'A pair is called|[0-9] pairs are not independent|other pairs alone|in several pairs' out && complain "--level document speaks of pairs: $(grep -E 'pair' out)"
grep -q '"prediction":"a document is' documents/run.json || complain "run.json calls pairs duplicates at document level"
"$fplab" eval -c "$newswire" -a simhash --threshold 1..3 | grep -q 'A pair is called a duplicate' || complain "the level of pairs does not speak of pairs"

# ---- p-values and ties ----

"$fplab" eval -c "$newswire" -a simhash -a random -a simhash:name=again --threshold 1..3 --no-plots --out ties >out || complain "ties"
grep -qE '^  simhash > random by .* p (< 0\.0001|0\.[0-9]{4})$' out || complain "the difference that stands: $(cat out)"
grep -qx '  equal: simhash – again' out || complain "two equal arms: $(cat out)"
grep -q 'p 0\.0000' out && complain "p 0.0000"
awk -F'\t' '$2 == "simhash" && $3 == "again" && $11 == "equal" && $6 == 0 { found = 1 } $2 == "simhash" && $3 == "random" && $10 <= 0 { exit 1 } END { exit !found }' ties/differences.tsv ||
    complain "differences.tsv: $(cat ties/differences.tsv)"
"$fplab" tune -c "$newswire" -g 'cosine:features=words' -g random >out || complain "tune"
grep -qE ' 0\.0000 ' out && complain "tune prints p 0.0000"
# Both call every held-out pair: the oracle has seen none of them.
"$fplab" tune -c "$newswire" -g constant -g oracle >out || complain "tune"
grep -qE '^(constant|oracle) .* equal  *1\.0000  equal' out || complain "tune does not call equal arms equal: $(grep -E '^(constant|oracle)' out)"
exit $bad
