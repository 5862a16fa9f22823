# SPDX-License-Identifier: GPL-3.0-or-later
# curves_check.py WHOLE THIN: which rows a thinned curves.tsv keeps, by what run.json says of them, from the whole table.
import csv
import json
import math
import sys

WHOLE, CLOSENESS = 1000, 0.0005


def read(run, name):
    with open(f'{run}/{name}.tsv', encoding='utf-8', newline='') as file:
        return list(csv.DictReader(file, delimiter='\t', quoting=csv.QUOTE_NONE))


def number(text):
    return math.nan if text == 'NA' else float(text)


def differs(a, b):
    return math.isnan(a) != math.isnan(b) or abs(a - b) >= CLOSENESS


whole_run, thin_run = sys.argv[1:]
summary = read(thin_run, 'summary')
whole, thin = read(whole_run, 'curves'), read(thin_run, 'curves')
shorter = 0
for arm in summary:
    own, kept = ([row for row in rows if row['arm'] == arm['arm']] for rows in (whole, thin))
    if len(own) <= WHOLE:
        assert own == kept, arm['arm']
        continue
    assert len(kept) < len(own), arm['arm']
    shorter += 1
    assert kept[0] == own[0] and kept[-1] == own[-1]
    place = {row['distance']: i for i, row in enumerate(own)}
    assert all(own[place[row['distance']]] == row for row in kept)
    # What is asked for has the same last row as in the whole table.
    distances, left = [float(row['distance']) for row in own], [float(row['distance']) for row in kept]
    last = lambda among, at: max((d for d in among if d <= at), default=None)
    best = float(arm['best_threshold'])
    for at in [*range(math.ceil(distances[-1]) + 1), best * (1 + 1e-11)]:
        assert last(distances, at) == last(left, at), (arm['arm'], at)
    # What is left out is near the kept row before it; what is kept and not asked for is not.
    asked = {last(distances, at) for at in range(math.ceil(distances[-1]) + 1)} | {last(distances, best * (1 + 1e-11)), distances[0], distances[-1]}
    positives, pairs = float(arm['positives']), float(arm['pairs'])
    figures = lambda row: (number(row['precision']), number(row['recall']))
    remembered, left = None, set(left)
    for row in own:
        if float(row['distance']) in left:
            needed = remembered is None or any(differs(a, b) for a, b in zip(figures(row), figures(remembered)))
            precision, recall = figures(row)
            # The share of negatives called follows from both, but where nothing right is called; a hair for its rounding.
            called = lambda p, r: r * positives * (1 / p - 1) / (pairs - positives) if p > 0 else math.nan
            needed = needed or not abs(called(precision, recall) - called(*figures(remembered))) < CLOSENESS - 1e-9
            assert needed or float(row['distance']) in asked or arm['arm'] == 'seeds', (arm['arm'], row)
            remembered = row
        else:
            assert not any(differs(a, b) for a, b in zip(figures(row), figures(remembered))), (arm['arm'], row)
assert shorter >= 2, shorter
with open(f'{thin_run}/run.json', encoding='utf-8') as file:
    assert '0.0005' in json.load(file)['definitions']['curves']
with open(f'{whole_run}/run.json', encoding='utf-8') as file:
    assert json.load(file)['definitions']['curves'] == 'a row for every distance'
