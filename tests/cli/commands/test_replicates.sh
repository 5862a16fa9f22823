#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# How many replicates are drawn, what is said of them, and the errors that they leave.
. tests/support.sh
cd "$work" || exit 1
# Under these seeds a thousand replicates leave one verdict open.
run() { "$fplab" eval -c "$newswire" -a simhash -a minhash:seed=1,name=minhash -a pinyin -a jaccard -a cosine --hash-seeds 1 --compare recall@6 --no-plots --seed 1 "$@"; }

# ---- None unless a method draws them ----

run --out spread >out || complain "default"
grep -q replicates out && complain "replicates of a method that draws none: $(grep replicates out)"
awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    FILENAME ~ /intervals/ && ($at["low_monte_carlo"] != "NA" || $at["high_monte_carlo"] != "NA") { exit 1 }' spread/intervals.tsv || complain "Monte Carlo errors without replicates"

# ---- As many as settle the verdicts, or as many as are asked for ----

run --interval percentile --out drawn >out || complain "percentile"
grep -qE ' (2000|4000|8000|16000) replicates, seed 1[;.]' out || complain "replicates are not drawn on: $(grep replicates out)"
run --interval percentile --replicates 1000 --out fixed >fixed.txt || complain "--replicates"
grep -q ' 1000 replicates, seed 1; of the verdicts on differences 1 could turn with more' fixed.txt || complain "what is not settled is not told: $(grep replicates fixed.txt)"
grep -q '"most_replicates":16000' drawn/run.json && ! grep -q most_replicates fixed/run.json || complain "run.json on replicates"
run --interval percentile --out again >/dev/null && cmp drawn/differences.tsv again/differences.tsv && cmp drawn/intervals.tsv again/intervals.tsv || complain "other figures of the same seed"

# Errors shrink with the root of the replicates, and p is an error or a few away from what more of them give.
python3 - <<'PYTHON' || complain "Monte Carlo errors"
import csv
read = lambda name: list(csv.DictReader(open(name, encoding='utf-8'), delimiter='\t'))
few, many = read('fixed/differences.tsv'), read('drawn/differences.tsv')
shrunk = []
for a, b in zip(few, many):
    errors = [float(r['p_monte_carlo']) for r in (a, b)]
    if not errors[0] or not errors[1]: continue
    assert abs(float(a['p']) - float(b['p'])) < 4 * (errors[0] ** 2 + errors[1] ** 2) ** 0.5, (a, b)
    shrunk.append(errors[0] / errors[1])
    for limit in ('low', 'high'):
        pair = [float(r[limit + '_monte_carlo']) for r in (a, b)]
        assert abs(float(a[limit]) - float(b[limit])) < 4 * (pair[0] ** 2 + pair[1] ** 2) ** 0.5, (a, b, limit)
        assert pair[1] < pair[0]
assert shrunk and all(1.3 < s for s in shrunk), shrunk
rows = [r for r in read('fixed/intervals.tsv') if r['method'] == 'percentile']
assert rows and all(float(r['low_monte_carlo']) >= 0 and float(r['high_monte_carlo']) >= 0 for r in rows)
PYTHON
exit $bad
