# SPDX-License-Identifier: GPL-3.0-or-later
"""seeds_check.py: what `fplab eval --hash-seeds 1..4` wrote into run/, against runs of one seed each in seed1 … seed4
(arms that write their seed): what is at a threshold is of the first seed, figures over the range and differences are means, with their variances
between seeds and what the two sources add up to. Counts are those of the pairs as `fplab distances` lists them, in distances-ARM-SEED."""
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


# At a threshold: the rows of the first seed, to the last digit, with their intervals and bands.
OVER_RANGE = {'average_precision', 'roc_area', 'best_f1'}
first = SEEDS[0]
for name in 'results.tsv', 'intervals.tsv', 'curves.tsv', 'histograms.tsv':
    rows = [[row for row in table(place, name) if row.get('figure') not in OVER_RANGE] for place in ('run', f'seed{first}')]
    if not rows[0] or rows[0] != rows[1]:
        bad.append(f'{name} is not that of the first seed: {[pair for pair in zip(*rows) if pair[0] != pair[1]][:1]}')
assert len(table('run', 'results.tsv')) == 3 * 64
pairs = {arm: [(int(row['label']), float(row['distance'])) for row in table('.', f'distances-{arm}-{first}')] for arm in ('simhash', 'minhash')}
for row in table('run', 'results.tsv'):
    if row['arm'] == 'pinyin':
        continue
    cells = [(label, distance <= float(row['threshold'])) for label, distance in pairs[row['arm']]]
    for column, cell in {'tp': (1, True), 'fp': (0, True), 'fn': (1, False), 'tn': (0, False)}.items():
        if row[column] != str(cells.count(cell)):
            bad.append(f'{key(row)} {column}: {row[column]}, not the {cells.count(cell)} of the pairs')
# The answer is at the best threshold of the first seed.
best = {row['arm']: row['best_threshold'] for row in table('run', 'summary.tsv')}
at = {key(row): row for row in table('run', 'results.tsv')}
for row in table('run', 'answer.tsv'):
    same(f'{row["arm"]} threshold of the answer', number(row['threshold']), number(best[row['arm']]))
    for column in 'tp', 'fp', 'fn', 'tn', 'precision', 'precision_low', 'precision_high', 'recall', 'recall_low', 'recall_high', 'f1':
        if row[column] != at[row['arm'], '', row['threshold']][column]:
            bad.append(f'{row["arm"]} {column}: {row[column]} in answer.tsv, not in results.tsv')

# Over the range: means; the best threshold is of the first seed.
alone = {k: {row['arm']: row for row in table(f'seed{k}', 'summary.tsv')} for k in SEEDS}
for row in table('run', 'summary.tsv'):
    for column in sorted(OVER_RANGE):
        same(f'{row["arm"]} {column}', number(row[column]), mean([number(alone[k][row['arm']][column]) for k in SEEDS]))
    same(f'{row["arm"]} best_threshold', number(row['best_threshold']), number(alone[first][row['arm']]['best_threshold']))

# The variance between seeds, its share, and that both parts add up.
values = {k: {key(row): number(row['value']) for row in table(f'seed{k}', 'intervals.tsv')} for k in SEEDS}
told = {key(row): row for row in table('run', 'intervals.tsv')}
rows = [row for row in table('run', 'sources.tsv') if row['arm_b'] == 'NA']
assert sorted(key(row)[:2] for row in rows) == sorted((arm, figure) for arm in ('simhash', 'minhash') for figure in OVER_RANGE), rows
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
# Those of a figure at a threshold are means, too.
recall = {k: {row['arm']: number(row['recall']) for row in table(f'seed{k}', 'results.tsv') if row['threshold'] == '10'} for k in SEEDS}
for row in table('at10', 'differences.tsv'):
    assert (row['figure'], row['threshold']) == ('recall', '10'), row
    same(f'{row["arm_a"]} – {row["arm_b"]} at 10', number(row['difference']), mean([recall[k][row['arm_a']] - recall[k][row['arm_b']] for k in SEEDS]))

# What is recorded makes the same arms again.
run = json.load(open('run/run.json', encoding='utf-8'))
assert run['corpora'][0]['hash_seeds'] == 4
for arm in run['arms']:
    seeded = arm['name'] != 'pinyin'
    assert arm.get('seeds') == (SEEDS if seeded else None), arm
    assert 'seed=' not in arm['spec'].replace('hashseed=', '') and 'seed' not in arm['parameters'], arm
if bad:
    raise SystemExit('\n'.join(bad[:20]))
