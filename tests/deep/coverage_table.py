#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sums up what coverage_real found.

    tests/deep/coverage_table.py summary STATE…        rows by world, units, arm and figure, as docs/coverage.tsv has them
    tests/deep/coverage_table.py check STATE           says which are out of bounds; status 1 when there are any
    tests/deep/coverage_table.py page OLD NEW [FILE]   the table of docs/evaluation.md between its marks: in FILE, or printed

Every state file is a row a figure and threshold with its key (the method or commit). Thresholds at which at least five errors and five
successes are expected are `asked`, the others `beyond`. Coverage of several thresholds is the smallest, the mean and the largest."""
import csv
import sys
from collections import defaultdict
from math import sqrt

COLUMNS = ('method', 'world', 'set', 'units', 'share_drawn', 'arm', 'figure', 'class', 'thresholds', 'repetitions', 'marked', 'coverage_least',
           'coverage_mean', 'coverage_most', 'monte_carlo_error', 'mean_width', 'median_width', 'spread', 'truth_least', 'truth_most',
           'rejected')
# What must hold: intervals of what is asked for cover 93% to 97%, all others 93% at least; equal arms are told apart in 4% to 6%, and any
# of them in 5% at most. Three Monte Carlo errors are allowed for.
ASKED, FEWEST, TYPE_ONE, FAMILY, ERRORS = (0.93, 0.97), 0.93, (0.04, 0.06), 0.05, 3
FEWEST_DEFINED = 100  # of the repetitions


def read(path):
    with open(path, encoding='utf-8') as file:
        return list(csv.DictReader(file, delimiter='\t'))


def share(row):
    return int(row['covered']) / int(row['defined']) if int(row['defined']) else float('nan')


def summed(rows):
    """One row a world, number of units, arm, figure and class."""
    parts = defaultdict(list)
    for row in rows:
        if int(row['defined']) >= min(FEWEST_DEFINED, int(row['repetitions'])):
            parts[tuple(row[name] for name in ('key', 'world', 'set', 'units', 'share', 'arm', 'figure', 'class', 'repetitions'))].append(row)
    for (key, world, name, units, drawn, arm, figure, kind, repetitions), part in parts.items():
        covered = [share(row) for row in part]
        mean = {column: sum(float(row[column]) for row in part) / len(part) for column in ('mean_width', 'median_width', 'spread')}
        truth = [float(row['truth']) for row in part]
        least, defined = min(covered), min(int(row['defined']) for row in part)
        yield dict(zip(COLUMNS, (
            key, world, name, units, drawn, arm, figure, kind, len(part), repetitions, sum(int(row['marked']) for row in part) // len(part),
            f'{least:.4f}', f'{sum(covered) / len(covered):.4f}', f'{max(covered):.4f}', f'{sqrt(max(least * (1 - least), 0) / defined):.4f}',
            *(f'{mean[column]:.4f}' for column in ('mean_width', 'median_width', 'spread')), f'{min(truth):.4f}', f'{max(truth):.4f}',
            f'{sum(int(row["rejected"]) / int(row["defined"]) for row in part) / len(part):.4f}')))


def write(rows, to):
    table = csv.DictWriter(to, COLUMNS, delimiter='\t', lineterminator='\n')
    table.writeheader()
    table.writerows(rows)


def outside(row):
    """Why a row of a state file is out of bounds, or None."""
    defined = int(row['defined'])
    if defined < min(FEWEST_DEFINED, int(row['repetitions'])):
        return None
    covered, rejected = share(row), int(row['rejected']) / defined

    def slack(bound):
        return ERRORS * sqrt(bound * (1 - bound) / defined)
    if row['class'] == 'family':
        return f'{rejected:.4f} tell some arms apart' if rejected > FAMILY + slack(FAMILY) else None
    if covered < FEWEST - slack(FEWEST):
        return f'covers {covered:.4f}'
    if row['class'] == 'asked' and covered > ASKED[1] + slack(ASKED[1]):
        return f'covers {covered:.4f}'
    if row['world'].endswith('-equal') and (rejected > TYPE_ONE[1] + slack(TYPE_ONE[1]) or
                                            row['class'] == 'asked' and rejected < TYPE_ONE[0] - slack(TYPE_ONE[0])):
        return f'{rejected:.4f} told apart'
    return None


def main(command, *paths):
    if command == 'summary':
        write([row for path in paths for row in summed(read(path))], sys.stdout)
        return 0
    bad = [(row, why) for path in paths for row in read(path) for why in [outside(row)] if why]
    for row, why in bad:
        print(f'{row["world"]}, {row["units"]} units, {row["arm"]}, {row["figure"]} {row["threshold"]} ({row["class"]}): {why}')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
