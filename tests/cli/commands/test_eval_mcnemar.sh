#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# McNemar's test in differences.tsv: thresholds from elsewhere, and where they come from; counted again from the distances.
. tests/support.sh
cd "$work" || exit 1
arms=(-a simhash -a minhash)
judged() { cut -f 12-20 "$1/differences.tsv"; }

# ---- Chosen on other units: the thresholds that are tabulated are no matter ----
for range in 1..10 0..64 30..31; do
    "$fplab" eval -c "$newswire" "${arms[@]}" --threshold $range --no-plots --out "r$range" >/dev/null 2>err || complain "eval --threshold $range: $(cat err)"
    [ "$(judged "r$range")" = "$(judged r1..10)" ] || complain "--threshold $range changes the test: $(judged "r$range"), $(judged r1..10)"
done
[ "$(judged r1..10 | head -1)" = "$(printf 'threshold_a\tthreshold_b\tchosen_a\tchosen_b\tonly_a\tonly_b\tmcnemar\tmcnemar_holm\tmcnemar_by')" ] || complain "columns: $(judged r1..10 | head -1)"
judged r1..10 | awk -F'\t' 'NR == 2 && $3 == "cross-fitted" && $4 == "cross-fitted" && $9 == "units" && $5 < $6 && $7 > 0 && $7 < 1 && $8 == $7 { found = 1 } END { exit !found }' ||
    complain "not cross-fitted: $(judged r1..10)"

# ---- Nor is the order of pairs and documents ----
mkdir turned && tac "$newswire/docs.jsonl" >turned/docs.jsonl && tac "$newswire/pairs.tsv" >turned/pairs.tsv
"$fplab" eval -c turned "${arms[@]}" --no-plots --out backwards >/dev/null 2>err || complain "eval of the corpus turned: $(cat err)"
[ "$(judged backwards | cut -f 1-6)" = "$(judged r1..10 | cut -f 1-6)" ] || complain "the order matters: $(judged backwards), $(judged r1..10)"

# ---- Stated: pairs that one arm alone judges rightly, counted here ----
for arm in simhash minhash; do "$fplab" distances -c "$newswire" -a $arm >$arm.tsv || complain "distances -a $arm"; done
for at in 10 18,44 17.5,44.25; do
    "$fplab" eval -c "$newswire" "${arms[@]}" --compare-at $at --no-plots --out stated >/dev/null 2>err || complain "--compare-at $at: $(cat err)"
    python3 - $at <<'PYTHON' || complain "--compare-at $at: $(judged stated)"
import csv, sys
at = [float(h) for h in sys.argv[1].split(',')] * 2
right = []
for arm, h in zip(('simhash', 'minhash'), at):
    rows = csv.DictReader(open(arm + '.tsv', encoding='utf-8'), delimiter='\t')
    right.append([(float(row['distance']) <= h) == (row['label'] == '1') for row in rows])
row = next(csv.DictReader(open('stated/differences.tsv', encoding='utf-8'), delimiter='\t'))
assert (int(row['only_a']), int(row['only_b'])) == (sum(a > b for a, b in zip(*right)), sum(b > a for a, b in zip(*right)))
assert (float(row['threshold_a']), float(row['threshold_b'])) == tuple(at[:2])
assert row['chosen_a'] == row['chosen_b'] == 'stated' and row['mcnemar_by'] == 'units'
PYTHON
done
refused 2 'one threshold for all arms or one for each: 3 are given for 2 arms' "$fplab" eval -c "$newswire" "${arms[@]}" --compare-at 1,2,3
for bad_list in 1,x -1 1,,2 ''; do refused 2 '--compare-at takes thresholds such as' "$fplab" eval -c "$newswire" "${arms[@]}" --compare-at="$bad_list"; done

# ---- Of several pairs of arms: corrected by Holm's rule, computed here again; one without a p does not count ----
"$fplab" eval -c "$newswire" "${arms[@]}" -a pinyin -a jaccard --no-plots --out four >/dev/null 2>err || complain "eval of four arms: $(cat err)"
python3 - <<'PYTHON' || complain "Holm: $(judged four)"
import csv
rows = list(csv.DictReader(open('four/differences.tsv', encoding='utf-8'), delimiter='\t'))
least = 0
ordered = sorted(rows, key=lambda row: float(row['mcnemar']))
for rank, row in enumerate(ordered):
    least = max(least, min(1, float(row['mcnemar']) * (len(rows) - rank)))
    assert abs(float(row['mcnemar_holm']) - least) < 1e-9, row
assert len(rows) == 6 and any(row['mcnemar_holm'] != row['mcnemar'] for row in rows)
PYTHON

# ---- Of a saved choice, unless it was made on these texts ----
"$fplab" tune -c "$newswire" --grid simhash --save choice.json >/dev/null 2>&1 || complain "tune --save"
"$fplab" eval -c "$newswire" -a minhash --choice choice.json --no-plots --out own >/dev/null 2>&1 || complain "eval --choice"
[ "$(judged own | sed 1d | cut -f 3,4)" = "$(printf 'cross-fitted\tcross-fitted')" ] || complain "a choice made on these texts: $(judged own)"
mkdir other
sed 's/"text": *"/&又/' "$newswire/docs.jsonl" >other/docs.jsonl && cp "$newswire/pairs.tsv" other || complain "another corpus"
"$fplab" eval -c other -a minhash --choice choice.json --no-plots --out elsewhere >/dev/null 2>&1 || complain "eval --choice on other texts"
[ "$(judged elsewhere | sed 1d | cut -f 3,4)" = "$(printf 'cross-fitted\tchoice')" ] || complain "a choice made elsewhere: $(judged elsewhere)"

# ---- Groups whose pairs are not listed ----
mkdir groups
for i in $(seq 0 719); do printf '{"id": "d%d", "text": "%d %d %d", "group": "g%d"}\n' "$i" $((i / 2)) $((i * 7919 % 997)) $((i * 31 % 89)) $((i / 2)); done >groups/docs.jsonl
"$fplab" eval -c groups "${arms[@]}" --compare-at 10 --no-plots --out counted >/dev/null 2>err || complain "eval of groups: $(cat err)"
grep -q "groups: --compare-at needs labelled pairs.*McNemar's test is NA" err || complain "groups: $(cat err)"
judged counted | sed 1d | tr '\t' '\n' | grep -qv '^NA$' && complain "groups: $(judged counted)"

# ---- Independent pairs: the exact test ----
mkdir apart
python3 - "$newswire" <<'PYTHON' || complain "independent pairs"
import json, sys
documents = [json.loads(line) for line in open(sys.argv[1] + '/docs.jsonl', encoding='utf-8')]
with open('apart/docs.jsonl', 'w', encoding='utf-8') as docs, open('apart/pairs.tsv', 'w', encoding='utf-8') as pairs:
    for k, (a, b) in enumerate(zip(documents[::2], documents[1::2])):
        for document in a, b: docs.write(json.dumps({'id': document['id'], 'text': document['text']}, ensure_ascii=False) + '\n')
        pairs.write('%s\t%s\t%d\n' % (a['id'], b['id'], a['id'].split('-')[:2] == b['id'].split('-')[:2]))
PYTHON
"$fplab" eval -c apart "${arms[@]}" --no-plots --out exact >/dev/null 2>err || complain "eval of independent pairs: $(cat err)"
[ "$(judged exact | sed 1d | cut -f 9)" = exact ] || complain "independent pairs: $(judged exact)"
exit $bad
