# SPDX-License-Identifier: GPL-3.0-or-later
"""seeds_check.py: what `fplab eval --hash-seeds 1..4` wrote into run/, against runs of one seed each in seed1 … seed4
(arms that write their seed): means, variances between seeds, and what the two sources add up to. Counts are those of the pairs as `fplab distances`
lists them, in distances-ARM-SEED."""
import csv
import json
import math
import statistics

SEEDS = [1, 2, 3, 4]
bad = []


def table(place, name):
    with open(f'{place}/{name}', encoding='utf-8') as file:
        return list(csv.DictReader(file, delimiter='\t'))


def number(text):
    return math.nan if text == 'NA' else float(text)


def same(what, got, expected, within=1e-9):
    if not (math.isnan(got) and math.isnan(expected)) and not abs(got - expected) <= within:
        bad.append(f'{what}: {got}, not {expected}')


def mean(values):
    defined = [x for x in values if not math.isnan(x)]
    return statistics.mean(defined) if defined else math.nan


def key(row):
    return row['arm'], row.get('figure', ''), row.get('threshold', '')


# Counts, figures, curves' ends.
alone = {k: {key(row): row for row in table(f'seed{k}', 'results.tsv')} for k in SEEDS}
for row in table('run', 'results.tsv'):
    for column in 'tp', 'fp', 'fn', 'tn', 'precision', 'recall', 'f1':
        same(f'{key(row)} {column}', number(row[column]), mean([number(alone[k][key(row)][column]) for k in SEEDS]))
pairs = {(arm, k): [(int(row['label']), float(row['distance'])) for row in table('.', f'distances-{arm}-{k}')]
         for arm in ('simhash', 'minhash') for k in SEEDS}
for row in table('run', 'results.tsv'):
    if row['arm'] == 'pinyin':
        continue
    cells = [(label, distance <= float(row['threshold'])) for k in SEEDS for label, distance in pairs[row['arm'], k]]
    for column, cell in {'tp': (1, True), 'fp': (0, True), 'fn': (1, False), 'tn': (0, False)}.items():
        same(f'{key(row)} {column} of the pairs', number(row[column]), cells.count(cell) / len(SEEDS))
alone = {k: {row['arm']: row for row in table(f'seed{k}', 'summary.tsv')} for k in SEEDS}
for row in table('run', 'summary.tsv'):
    for column in 'average_precision', 'roc_area', 'best_f1', 'best_threshold':
        same(f'{row["arm"]} {column}', number(row[column]), mean([number(alone[k][row['arm']][column]) for k in SEEDS]))

# The variance between seeds, its share, and that both parts add up.
values = {k: {key(row): number(row['value']) for row in table(f'seed{k}', 'intervals.tsv')} for k in SEEDS}
told = {key(row): row for row in table('run', 'intervals.tsv')}
rows = [row for row in table('run', 'sources.tsv') if row['arm_b'] == 'NA']
assert len(rows) == 2 * (4 * 10 + 3), len(rows)
for row in rows:
    own = [values[k][key(row)] for k in SEEDS if not math.isnan(values[k][key(row)])]
    deviation = statistics.stdev(own) if len(own) > 1 else 0
    error = number(row['standard_error'])
    if int(row['seeds']) != len(own):
        bad.append(f'{key(row)}: {row["seeds"]} seeds, not {len(own)}')
    same(f'{key(row)} value', number(row['value']), mean(own))
    same(f'{key(row)} deviation', number(row['seed_deviation']), deviation)
    same(f'{key(row)} error', number(told[key(row)]['standard_error']), error)
    if error > 0:
        share = deviation ** 2 / len(own) / error ** 2
        same(f'{key(row)} hash', number(row['hash']), share)
        same(f'{key(row)} documents', number(row['documents']), 1 - share)
        if share > 1 + 1e-9:
            bad.append(f'{key(row)}: the hash has more than all')

# Differences, seed by seed; the arm that has no hash is the same beside each.
aps = {k: {row['arm']: number(row['average_precision']) for row in table(f'seed{k}', 'summary.tsv')} for k in SEEDS}
differences = {(row['arm_a'], row['arm_b']): row for row in table('run', 'differences.tsv')}
between = [row for row in table('run', 'sources.tsv') if row['arm_b'] != 'NA']
assert sorted((row['arm'], row['arm_b']) for row in between) == [('minhash', 'pinyin'), ('simhash', 'minhash'),
                                                                 ('simhash', 'pinyin')], between
for row in between:
    pair = row['arm'], row['arm_b']
    own = [aps[k][pair[0]] - aps[k][pair[1]] for k in SEEDS]
    same(f'{pair}', number(differences[pair]['difference']), mean(own))
    same(f'{pair} deviation', number(row['seed_deviation']), statistics.stdev(own))
    same(f'{pair} hash', number(row['hash']), statistics.variance(own) / 4 / number(row['standard_error']) ** 2)

# What is recorded makes the same arms again.
run = json.load(open('run/run.json', encoding='utf-8'))
assert run['corpora'][0]['hash_seeds'] == 4
for arm in run['arms']:
    seeded = arm['name'] != 'pinyin'
    assert arm.get('seeds') == (SEEDS if seeded else None), arm
    assert 'seed=' not in arm['spec'].replace('hashseed=', '') and 'seed' not in arm['parameters'], arm
if bad:
    raise SystemExit('\n'.join(bad[:20]))
