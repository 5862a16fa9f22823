#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What is said of two arms that are not shown to differ, and of arms on several corpora, against plain Python.
fplab=$(realpath "${FPLAB:-build/bin/fplab}")
newswire=$(realpath tests/data/newswire-zh)
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
status=0
complain() { echo "$*"; status=1; }

# ---- One corpus ----

arms='--hash-seeds 1 -a simhash -a minhash -a jaccard -a cosine -a pinyin:levels=4 -a random'
"$fplab" eval -c "$newswire" $arms --no-plots --out narrow >narrow.txt || complain "eval"
"$fplab" eval -c "$newswire" $arms --equivalence 0.9 --detect 0.05 --no-plots --out wide >wide.txt || complain "eval --equivalence"
grep -q '"detect":0.05' wide/run.json && grep -q '"detect":0.02' narrow/run.json || complain "run.json does not name the difference to detect"
grep -q 'not told apart\|units to tell' narrow.txt wide.txt && complain "not told apart"
grep -q '"equivalence_margin":0.9' wide/run.json || complain "run.json does not name the margin"
python3 - <<'PYTHON' || complain "differences.tsv"
import csv, math
from statistics import NormalDist
z = NormalDist().inv_cdf
def number(text): return math.nan if text == 'NA' else float(text)
seen = set()
for run, margin, detect in (('narrow', 0.02, 0.02), ('wide', 0.9, 0.05)):
    rows = list(csv.DictReader(open(run + '/differences.tsv', encoding='utf-8'), delimiter='\t'))
    printed = open(run + '.txt', encoding='utf-8').read()
    for r in rows:
        low, high, value = (float(r[k]) for k in ('narrow_low', 'narrow_high', 'difference'))
        error, wide = float(r['standard_error']), (high - low) / 2 / z(0.95)
        assert float(r['margin']) == margin and float(r['low']) <= low <= value <= high <= float(r['high']), r
        farthest, differs = max(-low, high), float(r['p_holm']) < 0.05
        within = farthest < margin
        assert (r['within_margin'] == 'yes') == within, r
        names = '%s – %s' % (r['arm_a'], r['arm_b'])
        if differs:
            verdict = ('A' if value > 0 else 'B') + ' is better' + (', by less than %g' % margin if within else '')
            better, other = (r['arm_a'], r['arm_b']) if value > 0 else (r['arm_b'], r['arm_a'])
            line = [line for line in printed.split('\n') if line.startswith('  %s > %s by %.3f' % (better, other, abs(value)))]
            assert len(line) == 1 and ('they differ, but by less than %g' % margin in line[0]) == within, line
        elif within:
            verdict = 'within ±%g (90%% interval)' % margin
            assert [line for line in printed.split('\n') if verdict + ':' in line and names in line], names
        else:
            verdict = r['verdict']
            up_to = float(verdict.split('up to ')[1].split(' ')[0])
            assert verdict.startswith('could differ by up to ') and farthest <= up_to < farthest + 0.0101, r
            assert '%s could differ by up to %s' % (names, verdict.split('up to ')[1].split(' ')[0]) in printed, names
        assert r['verdict'] == verdict, r
        seen.add(verdict.split(' ')[0] + (' less' if differs and within else ''))
        # So many units N that a two-sided test at 5%/m finds the stated difference with a power of 80%, whatever was seen:
        # the standard error falls as 1/sqrt(N), what units being few add to it as 1/N.
        size, low, high = (number(r[k]) for k in ('sample_size', 'sample_size_low', 'sample_size_high'))
        assert float(r['detect']) == detect, r
        if differs:
            assert r['sample_size'] == r['sample_size_low'] == r['sample_size_high'] == 'NA' and 'sample size' not in line[0], r
            continue
        def power(n):
            few = float(r['units']) / n
            then = error * math.sqrt(few * (1 + ((wide / error) ** 2 - 1) * few))
            return NormalDist().cdf(detect / then - z(1 - 0.025 / len(rows)))
        assert power(size) >= 0.8 - 1e-9 and power(size - 1) < 0.8 and low < size < high, (r, power(size))
        shown = '%s could differ by up to ' % names
        assert within or [l for l in printed.split('\n') if shown in l and '; sample size needed: %.0f (%.0f–%.0f)' % (size, low, high) in l], names
assert {'could', 'within', 'A', 'A less'} <= seen, seen
PYTHON
for option in equivalence detect; do
    for value in 0 1 -0.1 x nan; do
        "$fplab" eval -c "$newswire" "--$option=$value" >out 2>err
        [ $? = 2 ] && grep -q 'above 0 and below 1' err || complain "--$option $value: $(cat err)"
    done
done

# ---- Several corpora: with five no p of Wilcoxon's is below 1/16, and three pairs make that 3/16 ----

for subject in economy science health transport culture; do
    mkdir -p $subject
    grep "\"id\": *\"$subject-" "$newswire/docs.jsonl" >$subject/docs.jsonl
    awk -F'\t' -v subject=$subject 'index($1, subject) == 1 && index($2, subject) == 1' "$newswire/pairs.tsv" >$subject/pairs.tsv
done
"$fplab" eval -c economy -c science -c health -c transport -c culture -a simhash -a cosine -a constant --no-plots --out sets >sets.txt || complain "five corpora"
grep -q 'With 5 corpora and 3 pairs of arms Wilcoxon.s p cannot be below 0.19' sets.txt || complain "the smallest p: $(cat sets.txt)"
python3 - <<'PYTHON' || complain "signed-ranks.tsv: $(cat sets/signed-ranks.tsv)"
import csv, itertools
read = lambda name: list(csv.DictReader(open('sets/' + name, encoding='utf-8'), delimiter='\t'))
precision = {}
for r in read('summary.tsv'): precision.setdefault(r['arm'], []).append(float(r['average_precision']))
order, p = [r['arm'] for r in read('ranks.tsv')], []
rows = read('signed-ranks.tsv')
assert [(r['arm_a'], r['arm_b']) for r in rows] == list(itertools.combinations(order, 2))
for r in rows:
    d = [a - b for a, b in zip(precision[r['arm_a']], precision[r['arm_b']])]
    assert abs(float(r['difference']) - sum(d) / 5) < 1e-9
    size = sorted(abs(x) for x in d)
    rank = [0 if abs(x) < 1e-12 else size.index(abs(x)) + 1 + (size.count(abs(x)) - 1) / 2 for x in d]
    above, below = sum(k for k, x in zip(rank, d) if x > 0), sum(k for k, x in zip(rank, d) if x < 0)
    assert (float(r['rank_sum_a']), float(r['rank_sum_b'])) == (above, below), r
    sums = [sum(s) for s in itertools.product(*((0, k) for k in rank if k))]
    p.append(min(1, 2 * sum(s <= min(above, below) for s in sums) / len(sums)))
    assert abs(float(r['wilcoxon_p']) - p[-1]) < 1e-12, (r, p[-1])
    shares = [float(r[k]) for k in ('a_better', 'within_margin', 'b_better')]
    assert abs(sum(shares) - 1) < 1e-9 and 0 < float(r['monte_carlo_error']) <= 0.5 / 50000 ** 0.5 * 1.001
    if r['arm_b'] == 'constant': assert shares[0] > 0.9, r
assert all(float(r['wilcoxon_p_holm']) >= float(r['wilcoxon_p']) for r in rows)
PYTHON
exit $status
