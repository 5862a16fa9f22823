#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fplab eval --hash-seeds, against runs of one seed each: strata are means over the seeds, at a threshold and as clusters they are of the first; what
# stays with the first says so.
. tests/support.sh
cd "$work" || exit 1
parts() { "$fplab" eval -c "$newswire" --no-plots --threshold 8..40 "$@" 2>err || { complain "eval $*: $(cat err)"; exit 1; }; }

parts -a simhash -a pinyin --hash-seeds 1..4 --by kind -o run >out
parts -a simhash -a pinyin --hash-seeds 1..4 --by lang -o whole >/dev/null
parts -a minhash --hash-seeds 1..4 --level cluster --empty zero -o clusters >/dev/null
for seed in 1 2 3 4; do
    parts -a simhash:seed=$seed,name=simhash -a pinyin --by kind -o seed$seed >/dev/null
    parts -a minhash:seed=$seed,name=minhash --level cluster --empty zero -o clusters$seed >/dev/null
done
python3 - <<'PYTHON' || complain "strata and clusters of several seeds"
import csv, math, statistics
SEEDS = 1, 2, 3, 4

def table(name):
    with open(name, encoding='utf-8') as file:
        return list(csv.DictReader(file, delimiter='\t'))

def number(text):
    return math.nan if text == 'NA' else float(text)

def check_means(name, of, key, columns):
    alone = [{tuple(row[k] for k in key): row for row in table(f'{of}{seed}/{name}')} for seed in SEEDS]
    rows = table(f'{"run" if of == "seed" else of}/{name}')
    assert rows
    for row in rows:
        for column in columns:
            own = [number(part[tuple(row[k] for k in key)][column]) for part in alone]
            own = [value for value in own if not math.isnan(value)]
            want = statistics.mean(own) if own else math.nan
            got = number(row[column])
            assert (math.isnan(got) and math.isnan(want)) or abs(got - want) < 1e-9, (name, row, column, want)

check_means('strata.tsv', 'seed', ('arm', 'stratum'), ('average_precision', 'best_f1'))
own = 'best_threshold', 'best_threshold_low', 'best_threshold_high', 'precision', 'recall', 'false_positive_rate', 'precision_low', 'recall_high'
for several, first in zip(table('run/strata.tsv'), table('seed1/strata.tsv')):
    assert [several[column] for column in own] == [first[column] for column in own], (several, first)
for of_several, of_first in (('run/strata-thresholds.tsv', 'seed1/strata-thresholds.tsv'), ('clusters/clusters.tsv', 'clusters1/clusters.tsv')):
    assert table(of_several) and table(of_several) == table(of_first), of_several

# A stratum that holds all pairs is the whole: the same limits, from both sources of chance.
for whole, summary in zip(table('whole/strata.tsv'), table('whole/summary.tsv')):
    for column in 'average_precision', 'average_precision_low', 'average_precision_high', 'best_f1', 'best_f1_low', 'best_f1_high', 'best_threshold':
        assert abs(number(whole[column]) - number(summary[column])) < 1e-9, (column, whole, summary)
for whole, result in zip(table('whole/strata-thresholds.tsv'), table('whole/results.tsv')):
    for column in 'tp', 'fp', 'precision', 'precision_low', 'precision_high', 'recall', 'recall_low', 'recall_high':
        assert whole[column] == result[column] or abs(number(whole[column]) - number(result[column])) < 1e-9, (column, whole, result)
# The best threshold, which is of the pairs as they are, lies where that of new documents falls.
for row in table('whole/strata.tsv'):
    assert number(row['best_threshold_low']) <= number(row['best_threshold']) <= number(row['best_threshold_high']), row
PYTHON
tr '\n' ' ' <out | grep -q 'The interval of a best threshold is that of bootstrap replicates of the pairs;' || complain "the threshold's interval: $(tail -4 out)"

# What is of one fingerprint says of which; with one seed there is nothing to say.
parts -a simhash -a minhash --lost --theory --costs --calibrate >several
parts -a simhash -a minhash --lost --theory --costs --calibrate -N 1 >one
[ "$(grep -c '(first hash seed)' several)" = 4 ] || complain "first seed: $(grep 'first hash' several)"
grep -q 'first hash seed' one && complain "one seed: $(grep 'first hash' one)"

# Tuning measures each arm under its own seed.
"$fplab" tune -c "$newswire" --grid 'simhash:features=words' >tuned 2>err || complain "tune: $(cat err)"
grep -q 'measured under one hash seed' tuned || complain "tune does not say of which seed: $(cat tuned)"
"$fplab" tune -c "$newswire" --grid jaccard >tuned 2>err || complain "tune: $(cat err)"
grep -q 'hash seed' tuned && complain "an arm without a hash: $(cat tuned)"
exit $bad
