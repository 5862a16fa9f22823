#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of docs/tune-promise.md, from what promise_worlds prints: promise_table.py WORLDS.tsv [HALVES.tsv]

Status 1 when the promise on labelled pairs is broken in more than 5% of the samples of a cell, and three standard errors.
"""
import csv
import math
import sys

PRECISIONS = ('0.8', '0.9', '0.95')
METHODS = ('point estimate', 'Clopper-Pearson of pairs', 'without clumps', 'promise')


NAMES = {'labelled sets': 'labelled sets', 'made': 'made up', 'later': 'made up later'}


def kind_of(row):
    kind = row['world'].partition(':')[0]
    return kind if kind in NAMES else 'labelled sets'


def share(row, name):
    return int(row[name]) / int(row['runs'])


def mean(values):
    values = [v for v in values if not math.isnan(v)]
    return sum(values) / len(values) if values else math.nan


def most(runs):
    return 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)


def worlds_table(rows):
    print('| worlds, cells | method | 0.8 | 0.9 | 0.95 |\n|---|---|---|---|---|')
    for design in ('pairs', 'all pairs'):
        for kind in ('labelled sets', 'made', 'later'):
            of = [r for r in rows if r['design'] == design and kind_of(r) == kind]
            if not of:
                continue
            cells = len({(r['world'], r['units'], r['arms']) for r in of})
            for method in METHODS:
                texts = []
                for p in PRECISIONS:
                    cell = [r for r in of if r['method'] == method and r['precision'] == p]
                    texts.append('%.1f (%.0f) / %.0f / %.2f' % (
                        100 * mean([share(r, 'broken') for r in cell]), 100 * max(share(r, 'broken') for r in cell),
                        100 * mean([share(r, 'recommended') for r in cell]), mean([float(r['recall']) for r in cell])))
                print('| %s, %s, %d | %s | %s |' % (design, NAMES[kind], cells, method, ' | '.join(texts)))


def broken_table(rows):
    bad = [r for r in rows if r['method'] == 'promise' and share(r, 'broken') > most(int(r['runs']))]
    print('\n| world | pairs | units | arms | P | recommended % | broken % | without clumps, broken % |\n|---|---|---|---|---|---|---|---|')
    for r in bad:
        key = [r[k] for k in ('world', 'design', 'units', 'arms', 'precision')]
        bare = next(b for b in rows if b['method'] == 'without clumps' and [b[k] for k in ('world', 'design', 'units', 'arms', 'precision')] == key)
        print('| %s | %.0f | %.0f | %.0f |' % (' | '.join(key), 100 * share(r, 'recommended'), 100 * share(r, 'broken'), 100 * share(bare, 'broken')))
    return [r for r in bad if r['design'] == 'pairs']


def halves_table(rows):
    print('\n| pairs | P | halves | refused % | needlessly % | recommended % | below P % | clearly % |\n|---|---|---|---|---|---|---|---|')
    for design in ('pairs', 'all pairs'):
        for p in PRECISIONS:
            of = [r for r in rows if r['design'] == design and r['precision'] == p]
            runs = sum(int(r['runs']) for r in of)
            shares = [100 * sum(int(r[k]) for r in of) / runs for k in ('refused', 'needless', 'recommended', 'below', 'broken')]
            print('| %s | %s | %d | %s |' % (design, p, runs, ' | '.join('%.1f' % s for s in shares)))


def main():
    tables = [list(csv.DictReader(open(path, encoding='utf-8'), delimiter='\t')) for path in sys.argv[1:]]
    worlds_table(tables[0])
    bad = broken_table(tables[0])
    if len(tables) > 1:
        halves_table(tables[1])
    return 1 if bad else 0


sys.exit(main())
