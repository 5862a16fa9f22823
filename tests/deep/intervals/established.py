#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Average precision beside the logit interval of Boyd, Eng and Page (2013), in the worlds of single labelled pairs.

    coverage_real --figure average_precision --dump DUMP --state STATE …; established.py STATE DUMP

Theirs takes the n duplicates as trials: logit(θ) ± 1.96/√(nθ(1 − θ)) (ECML PKDD 2013, LNCS 8190, section 3.3). Of n only the mean over samples
is known here. A line for each world, units and arm: coverage of the lab's interval and of theirs in %, and the ratio of mean lengths."""
import collections
import csv
import math
import sys

SHARES = {'word-order': 0.42, 'events-half': 0.5, 'events-tenth': 0.1, 'events-10-positives': 0.01, 'events-thousandth': 0.001}


def logit_interval(theta, n):
    if not 0 < theta < 1:
        return theta, theta
    middle, half = math.log(theta / (1 - theta)), 1.959964 / math.sqrt(n * theta * (1 - theta))
    return 1 / (1 + math.exp(half - middle)), 1 / (1 + math.exp(-half - middle))


with open(sys.argv[1], encoding='utf-8') as file:
    truth = {(row['world'], row['units'], row['arm']): float(row['truth']) for row in csv.DictReader(file, delimiter='\t')
             if row['figure'] == 'average_precision'}
found = collections.defaultdict(list)
with open(sys.argv[2], encoding='utf-8') as file:
    for row in csv.reader(file, delimiter='\t'):
        if row[3] == 'average_precision' and row[0] in SHARES:
            found[tuple(row[:3])].append([float(cell) for cell in row[6:9]])
print('world\tunits\tarm\tlab\tboyd\tlength')
for key, rows in found.items():
    lab = theirs = length = other = 0
    for value, low, high in rows:
        least, most = logit_interval(value, SHARES[key[0]] * int(key[1]))
        lab += low - 1e-9 <= truth[key] <= high + 1e-9
        theirs += least - 1e-9 <= truth[key] <= most + 1e-9
        length += high - low
        other += most - least
    print(*key, f'{100 * lab / len(rows):.1f}', f'{100 * theirs / len(rows):.1f}', f'{length / other:.2f}', sep='\t')
