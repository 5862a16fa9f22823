#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sums up what coverage_real found.

    tests/deep/intervals/coverage_table.py keep old=STATE new=STATE   the rows of docs/coverage.tsv: a row a world, number of units, arm, figure and class
    tests/deep/intervals/coverage_table.py renew TABLE STATE          the rows of TABLE, with those of STATE for all rows of its sets
    tests/deep/intervals/coverage_table.py summary STATE              the same of one state file
    tests/deep/intervals/coverage_table.py check STATE                says which are out of bounds; status 1 when there are any
    tests/deep/intervals/coverage_table.py page TABLE PAGE            writes the tables of docs/evaluation-coverage.md between its marks
    tests/deep/intervals/coverage_table.py same TABLE PAGE            whether they are those of docs/coverage.tsv; status 1 when they are not

Every state file is a row a figure and threshold with its key (the commit and a checksum). Thresholds at which at least five errors and five
successes are expected are `asked`, the others `beyond`. Coverage of several thresholds is the smallest, the mean and the largest."""
import csv
import sys
from collections import defaultdict
from math import sqrt

COLUMNS = ('method', 'key', 'world', 'set', 'units', 'share_drawn', 'arm', 'figure', 'class', 'thresholds', 'repetitions', 'marked', 'marked_coverage', 'coverage_least',
           'coverage_mean', 'coverage_most', 'monte_carlo_error', 'mean_width', 'median_width', 'spread', 'truth_least', 'truth_most',
           'rejected')
# What must hold: intervals of what is asked for cover 93% to 97%, all others 93% at least; equal arms are told apart in 4% to 6%, and any
# of them in 5% at most. Three Monte Carlo errors are allowed for.
ASKED, FEWEST, TYPE_ONE, FAMILY, ERRORS = (0.93, 0.97), 0.93, (0.04, 0.06), 0.05, 3
FEWEST_DEFINED = 100  # of the repetitions


def read(path):
    with open(path, encoding='utf-8') as file:
        return list(csv.DictReader(file, delimiter='\t'))


def last(rows):
    """Of each cell, the rows of the key that came last."""
    key = {(row['world'], row['units']): row['key'] for row in rows}
    return [row for row in rows if key[row['world'], row['units']] == row['key']]


def share(row):
    return int(row['covered']) / int(row['defined']) if int(row['defined']) else float('nan')


def number(row, column):
    return int(row.get(column) or 0)


def enough(row):
    return number(row, 'defined') >= min(FEWEST_DEFINED, number(row, 'repetitions'))


def mean(rows, value):
    return sum(value(row) for row in rows) / len(rows)


def numbers(part):
    """What is said of the thresholds of one row: coverage of what is not marked, widths of all."""
    printed = [row for row in part if number(row, 'defined') + number(row, 'marked') >= min(FEWEST_DEFINED, number(row, 'repetitions'))]
    shown, marked = [row for row in printed if enough(row)], sum(number(row, 'marked') for row in printed)
    found = dict.fromkeys(COLUMNS[COLUMNS.index('marked'):], 'NA') | {'thresholds': len(printed)}
    values = {}
    if printed:
        values = {'marked': mean(printed, lambda row: number(row, 'marked') / (number(row, 'marked') + number(row, 'defined'))),
                  'truth_least': min(float(row['truth']) for row in printed), 'truth_most': max(float(row['truth']) for row in printed)}
        values |= {column: mean(printed, lambda row: float(row[column])) for column in ('mean_width', 'median_width', 'spread')}
    if marked:
        values['marked_coverage'] = sum(number(row, 'marked_covered') for row in printed) / marked
    if shown:
        covered = [share(row) for row in shown]
        least, defined = min(covered), min(number(row, 'defined') for row in shown)
        values |= {'coverage_least': least, 'coverage_most': max(covered), 'coverage_mean': sum(covered) / len(covered),
                   'monte_carlo_error': sqrt(max(least * (1 - least), 0) / defined),
                   'rejected': mean(shown, lambda row: number(row, 'rejected') / number(row, 'defined'))}
    return found | {column: f'{value:.4f}' for column, value in values.items()}


def summed(rows, method='now'):
    """One row a world, number of units, arm, figure and class."""
    parts = defaultdict(list)
    for row in rows:
        parts[tuple(row[name] for name in ('key', 'world', 'set', 'units', 'share', 'arm', 'figure', 'class', 'repetitions'))].append(row)
    for (key, world, name, units, drawn, arm, figure, kind, repetitions), part in parts.items():
        yield {'method': method, 'key': key, 'world': world, 'set': name, 'units': units, 'share_drawn': drawn, 'arm': arm, 'figure': figure,
               'class': kind, 'repetitions': repetitions, **numbers(part)}


def write(rows, to):
    table = csv.DictWriter(to, COLUMNS, delimiter='\t', lineterminator='\n')
    table.writeheader()
    table.writerows(rows)


def outside(row):
    """Why a row of a state file is out of bounds, or None."""
    defined = int(row['defined'])
    if not enough(row):
        return None
    covered, rejected = share(row), int(row['rejected']) / defined

    def slack(bound):
        return ERRORS * sqrt(bound * (1 - bound) / defined)
    if row['class'] == 'family':
        return f'{rejected:.4f} tell some arms apart' if rejected > FAMILY + slack(FAMILY) else None
    if row['figure'] != 'mcnemar' and covered < FEWEST - slack(FEWEST):
        return f'covers {covered:.4f}'
    if row['figure'] != 'mcnemar' and row['class'] == 'asked' and covered > ASKED[1] + slack(ASKED[1]):
        return f'covers {covered:.4f}'
    if row['world'].endswith('-equal') and (rejected > TYPE_ONE[1] + slack(TYPE_ONE[1]) or
                                            row['class'] == 'asked' and rejected < TYPE_ONE[0] - slack(TYPE_ONE[0])):
        return f'{rejected:.4f} told apart'
    return None


# ---- The page ----

# In the order of the table.
WORLDS = {
    'poems': 'poems in two editions, all pairs',
    'poems-exact': 'the same, Jaccard and cosine',
    'poems-ties': 'the same, few distinct distances',
    'poems-many': 'the same, more than 707 documents',
    'poems-listed': 'the same, labelled pairs, one in ten a duplicate',
    'licences': 'licences, all pairs',
    'licences-many': 'the same, more than 707 documents',
    'licences-listed': 'the same, labelled pairs, groups unknown',
    'laws': 'revisions of laws, all pairs',
    'laws-listed': 'the same, labelled pairs, one in twenty a duplicate',
    'scripts': 'poems in two scripts, all pairs',
    'typos-listed': 'typos and corrections, labelled pairs, groups unknown',
    'word-order': 'pairs that differ in word order',
    'events-half': 'news of one event, half of the pairs',
    'events-tenth': 'the same, one pair in ten',
    'events-10-positives': 'the same, 10 pairs in 1,000',
    'events-thousandth': 'the same, one pair in 1,000',
    'newswire': 'newswire-zh, all pairs',
    'made-boilerplate': '*made up:* a tenth of the groups share most of their text',
    'made-zipf': '*made up:* sizes of groups after Zipf, all pairs',
    'made-zipf-listed': '*made up:* the same, labelled pairs, groups unknown',
    'made-families': '*made up:* families of two, all pairs',
    'made-families-listed': '*made up:* the same, labelled pairs, one in a hundred a duplicate',
    'laws-documents': 'revisions of laws: documents',
    'made-zipf-documents': '*made up:* sizes of groups after Zipf: documents',
    'licences-clusters': 'licences: clusters',
    'typos-clusters': 'typos and corrections: clusters',
    'poems-clusters': 'poems in two editions: clusters',
    'newswire-seeds': 'newswire-zh, another draw of hash functions',
    'licences-seeds': 'licences, another draw of hash functions',
    'newswire-seeds-equal': 'newswire-zh, other hash functions',
    'licences-seeds-equal': 'licences, other hash functions',
    'poems-differ': 'poems in two editions',
    'licences-differ': 'licences',
    'typos-differ': 'typos and corrections',
    'word-order-differ': 'pairs that differ in word order',
    'poems-equal': 'poems in two editions',
    'licences-equal': 'licences',
    'typos-equal': 'typos and corrections',
    'word-order-equal': 'pairs that differ in word order',
}
FIGURES = {'precision': 'precision', 'recall': 'recall', 'f1': 'F1', 'average_precision': 'average precision', 'roc_area': 'ROC area',
           'best_f1': 'best F1'}
AGREEMENTS = {'adjusted_rand': 'adjusted Rand', 'bcubed_precision': 'B-cubed precision', 'bcubed_recall': 'B-cubed recall',
              'cluster_pair_precision': 'pairwise precision', 'cluster_pair_recall': 'pairwise recall', 'cluster_pair_f1': 'pairwise F1'}


def percent(value):
    return f'{100 * value:.0f}' if value < 0.995 or value >= 1 else '99'


def spread_of(rows):
    """The smallest and the largest coverage, in percent."""
    if not rows:
        return '–'
    rows = [row for row in rows if row['coverage_least'] != 'NA']
    if not rows:
        return 'marked'
    least = percent(min(float(row['coverage_least']) for row in rows))
    most = percent(max(float(row['coverage_most']) for row in rows))
    return least if least == most else f'{least}–{most}'


def cell_of(rows, kind):
    """Coverage of the rows of one figure and class."""
    rows = [row for row in rows if row['class'] == kind]
    marked = max((float(row['marked']) for row in rows if row['marked'] != 'NA'), default=0)
    return spread_of(rows) + (f' ({percent(marked)}% marked)' if marked >= 0.005 else '')


def cells(rows):
    found = defaultdict(list)
    for row in rows:
        found[row['world'], int(row['units'])].append(row)
    unknown = {world for world, _ in found} - set(WORLDS)
    if unknown:
        sys.exit(f'worlds without a description: {", ".join(sorted(unknown))}')
    order = list(WORLDS)
    return sorted(found.items(), key=lambda item: (order.index(item[0][0]), item[0][1]))


def table(head, body):
    return ['| ' + ' | '.join(line) + ' |' for line in [head, ['---'] * len(head), *body]]


def intervals(rows, kind, figures):
    body = []
    for (world, units), part in cells(rows):
        if world.endswith(('-differ', '-equal')):
            continue
        row = [cell_of([one for one in part if one['figure'] == figure], kind) for figure in figures]
        if set(row) != {'–'}:
            body.append([WORLDS[world], f'{units:,}', *row])
    return table(['texts', 'units', *figures.values()], body)


def rate(rows):
    rows = [row for row in rows if row['rejected'] != 'NA']
    if not rows:
        return '–'
    least, most = (f'{100 * how(float(row["rejected"]) for row in rows):.1f}' for how in (min, max))
    return least if least == most else f'{least}–{most}'


def differences(rows):
    body = []
    for (world, units), part in cells(rows):
        if not world.endswith(('-differ', '-equal')):
            continue
        for figure in ('f1', 'average_precision', 'roc_area', 'best_f1', 'mcnemar'):
            of = [row for row in part if row['figure'] == figure]
            if not of:
                continue
            single, family = [row for row in of if row['class'] != 'family'], [row for row in of if row['class'] == 'family']
            errors = [rate(found) if world.endswith('-equal') else '–' for found in (single, family)]
            body.append([WORLDS[world] + (', equal arms' if world.endswith('-equal') else ''), f'{units:,}', FIGURES.get(figure, "McNemar's test"), '–' if figure == 'mcnemar' else spread_of(single), *errors])
    return table(['texts', 'units', 'difference in', 'covered', 'found different', 'any of six'], body)


def page_of(rows):
    rows = [row for row in rows if row['method'] == 'new']
    keys = sorted({row['key'] for row in rows})
    repetitions = sorted({int(row['repetitions']) for row in rows})
    note = [f'Percent of {"–".join(f"{count:,}" for count in repetitions)} repetitions in which the 95% interval contained the true value: the smallest '
            f'and the largest over arms and thresholds (commit, checksum: {", ".join(keys)}).']
    return '\n'.join([*note, '', 'Where at least five errors and five successes are expected:', '', *intervals(rows, 'asked', FIGURES), '',
                      'Elsewhere; here intervals may be longer than necessary:', '', *intervals(rows, 'beyond', FIGURES), '',
                      'Clusters, where at least five are found as they are and five are not:', '', *intervals(rows, 'asked', AGREEMENTS), '',
                      'Differences: percent of repetitions in which the interval contained the true difference; in which arms that are equal were found different; '
                      'and in which any of the six differences of four equal arms was:', '', *differences(rows)])


BEGIN, END = '<!-- coverage.tsv: begin -->', '<!-- coverage.tsv: end -->'


def with_tables(rows, page):
    before, rest = page.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    return f'{before}{BEGIN}\n{page_of(rows)}\n{END}{after}'


# ---- All ----

def main(command, *paths):
    if command in ('summary', 'keep'):
        parts = [path.split('=', 1) if '=' in path else ('now', path) for path in paths]
        write([row for method, path in parts for row in summed(last(read(path)), method)], sys.stdout)
        return 0
    if command == 'renew':
        table, new = read(paths[0]), list(summed(last(read(paths[1])), 'new'))
        sets = {row['set'] for row in new}
        write([row for row in table if row['set'] not in sets] + new, sys.stdout)
        return 0
    if command in ('page', 'same'):
        with open(paths[1], encoding='utf-8') as file:
            page = file.read()
        made = with_tables(read(paths[0]), page)
        if command == 'same':
            return made != page
        with open(paths[1], 'w', encoding='utf-8') as file:
            file.write(made)
        return 0
    bad = [(row, why) for path in paths for row in last(read(path)) for why in [outside(row)] if why]
    for row, why in bad:
        print(f'{row["world"]}, {row["units"]} units, {row["arm"]}, {row["figure"]} {row["threshold"]} ({row["class"]}): {why}')
    rows = [row for path in paths for row in last(read(path)) if enough(row)]
    short = sum(share(row) < FEWEST for row, _ in bad if row['class'] != 'family')
    print(f'{len(bad)} of {len(rows)} figures are out of bounds, {short} of them cover too little')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
