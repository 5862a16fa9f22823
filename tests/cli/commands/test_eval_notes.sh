#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What stands beside the tables of fplab eval: that the best F1 lies outside the thresholds, what is counted, p-values, ties.
. tests/support.sh
cd "$work" || exit 1


# ---- The best F1 outside the thresholds ----

# What distances say, counted here: the best F1 over the whole scale, and whether a whole threshold of the list has it too.
for arm in simhash cosine pinyin constant; do "$fplab" distances -c "$newswire" -a $arm >$arm.tsv || complain "distances -a $arm"; done
for range in 1..10 0..3 12..14 17..60; do
    "$fplab" eval -c "$newswire" -a simhash -a cosine -a pinyin -a constant -N 1 --threshold $range >out || complain "eval --threshold $range"
    python3 - $range <<'PYTHON' || complain "--threshold $range: $(grep -A5 'Best F1 outside' out)"
import csv, re, sys
first, last = map(int, sys.argv[1].split('..'))
pairs = {}
for arm in 'simhash', 'cosine', 'pinyin', 'constant':
    rows = csv.DictReader(open(arm + '.tsv', encoding='utf-8'), delimiter='\t')
    pairs[arm] = [(float(row['distance']), int(row['label'])) for row in rows]
def f1(rows, h):
    tp = sum(label for d, label in rows if d <= h)
    called = sum(d <= h for d, label in rows)
    return 2 * tp / (called + sum(label for d, label in rows)) if called else 0
expected = {}
for arm, rows in pairs.items():
    best = max((f1(rows, h), -h) for h in {d for d, label in rows})
    if not first <= -best[1] <= last and max(f1(rows, h) for h in range(first, last + 1)) < best[0] - 1e-12:
        expected[arm] = (best[0], -best[1])
text = open('out', encoding='utf-8').read()
found = re.search(r'^Best F1 outside (\d+)–(\d+); --threshold (\d+)\.\.(\d+) shows it:\n((?:  .*\n)*)', text, re.M)
assert bool(found) == bool(expected), expected
if found:
    assert (int(found[1]), int(found[2])) == (first, last)
    told = dict(re.match(r'  (.*): (0\.\d{3} at h = [\d.]+)$', line).groups() for line in found[5].splitlines())
    assert told.keys() == expected.keys(), (told, expected)
    for arm, (value, h) in expected.items():
        assert told[arm] in ('%.3f at h = %.0f' % (value, h), '%.3f at h = %.2f' % (value, h)), (told, expected)
        assert int(found[3]) <= h <= int(found[4])
    open('wider', 'w').write(f'{found[3]}..{found[4]}')
PYTHON
done
# The thresholds that it names show what it says; a best F1 between two whole thresholds is near enough to stay out.
"$fplab" eval -c "$newswire" -a simhash -a pinyin --threshold 1..10 >out && wider=$(grep -o '[0-9]*\.\.[0-9]*' out | head -1) || complain "no thresholds are named"
"$fplab" eval -c "$newswire" -a simhash -a pinyin --threshold "$wider" | grep -q 'Best F1 outside' && complain "--threshold $wider does not show it"
# By default no threshold is outside.
"$fplab" eval -c "$newswire" -a simhash -a pinyin | grep -q 'Best F1 outside' && complain "the whole scale lacks a best F1"
# Of several hash seeds the best threshold is that of the arm's own; that of exact similarities need not be whole: an arm is listed only where it lies outside.
arms='-a simhash -a jaccard:weight=tf'
"$fplab" eval -c "$newswire" $arms --threshold 1..2 --no-plots --out inside >/dev/null || complain "$arms"
cut -f 2,15 inside/summary.tsv | sed 1d >best
[ "$(grep simhash best)" = "$("$fplab" eval -c "$newswire" -a simhash -N 1 --no-plots --out own >/dev/null; cut -f 2,15 own/summary.tsv | sed 1d)" ] || complain "the best threshold is not that of the own seed: $(cat best)"
grep -q '\.' best || complain "best thresholds are whole: $(cat best)"
while read -r arm h; do
    for last in "${h%.*}" $((${h%.*} + 1)); do
        "$fplab" eval -c "$newswire" $arms --threshold 0..$last >out
        listed=$(sed -n '/^Best F1 outside/,/^$/p' out | grep -c "^  $arm: ")
        [ "$listed" = "$(awk "BEGIN { print ($h > $last) }")" ] || complain "$arm, best at $h, thresholds 0..$last: $(sed -n '/^Best F1 outside/,/^$/p' out)"
    done
done <best

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
