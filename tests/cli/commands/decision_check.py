#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""decision_check.py FPLAB CORPUS DIRECTORY: the tables of `eval --gain --costs --calibrate --prevalence 0.02` against the
distances that `fplab distances` prints, in exact fractions: every threshold is tried for every ratio, gains come from their
definition, probabilities from the max-min formula of isotonic regression with half a pair more at either end."""
import csv, subprocess, sys
from collections import defaultdict
from fractions import Fraction as F

fplab, corpus, directory = sys.argv[1:4]
ARMS = ['simhash', 'minhash', 'cosine']
PI = F(1, 50)
bad = 0
interpolated = []


def complain(*what):
    global bad
    bad = 1
    print('FAIL:', *what)


def rows(name, arm):
    with open(f'{directory}/{name}.tsv', encoding='utf-8', newline='') as file:
        return [row for row in csv.DictReader(file, delimiter='\t') if row['arm'] == arm]


def near(text, value, within=1e-9):
    return abs(float(text) - float(value)) <= within


def bars_of(arm):
    out = subprocess.run([fplab, 'distances', '--corpus', corpus, '--arm', arm], capture_output=True, text=True, check=True).stdout
    bars = defaultdict(lambda: [0, 0])
    for line in out.splitlines()[1:]:
        fields = line.split('\t')
        bars[float(fields[4])][int(fields[2])] += 1
    return [(distance, *bars[distance]) for distance in sorted(bars)]


def check_costs(arm, bars):
    n, p = sum(b[1] for b in bars), sum(b[2] for b in bars)
    points, tp, fp = [(-1, 0, 0)], 0, 0
    for distance, negatives, positives in bars:
        tp, fp = tp + positives, fp + negatives
        points.append((distance, tp, fp))
    # The cost times the denominator of pc, p and n: a whole number, of which thousands are compared in no time.
    whole = lambda point, pc: pc.numerator * n * (p - point[1]) + (pc.denominator - pc.numerator) * p * point[2]
    cost = lambda point, pc: F(whole(point, pc), pc.denominator * p * n)
    found = rows('costs', arm)
    ratios = [F(1, 20), F(1, 10), F(1, 5), F(1, 3), F(1, 2), 1, 2, 5, 10, 20, 30]
    if len(found) != len(ratios):
        complain(arm, len(found), 'ratios')
    for row, ratio in zip(found, ratios):
        pc = PI * ratio / (PI * ratio + 1 - PI)
        best = min(points, key=lambda point: (whole(point, pc), point[0]))
        if float(row['threshold']) != best[0] or (int(row['tp']), int(row['fp'])) != best[1:] or not near(row['cost'], cost(best, pc)):
            complain(arm, ratio, row, best)
        if not (near(row['ratio'], ratio) and near(row['pc'], pc) and near(row['call_nothing'], pc) and near(row['cut'], 1 / (1 + F(ratio)))):
            complain(arm, ratio, row)
        low, high, h = (float(row[k]) for k in ('threshold_low', 'threshold_high', 'threshold'))
        if not (low <= h <= high and float(row['cost_low']) <= float(row['cost']) <= float(row['cost_high'])):
            complain(arm, ratio, 'limits', row)
        for side, inside in (('nearer', lambda x: x < h), ('farther', lambda x: x > h)):
            if row[side] != 'NA':
                point = next(q for q in points if q[0] == float(row[side]))
                if not inside(point[0]) or not near(row[side + '_cost'], cost(point, pc)) or cost(point, pc) < cost(best, pc):
                    complain(arm, ratio, side, row)
    corners = rows('cost-curve', arm)
    for step in range(41):
        pc = F(step, 40)
        least = cost(min(points, key=lambda point: whole(point, pc)), pc)
        at = [c for c in corners if float(c['pc_from']) - 1e-12 <= pc <= float(c['pc_to']) + 1e-12]
        if not at or any(not near(cost((0, int(c['tp']), int(c['fp'])), pc), least) for c in at):
            complain(arm, 'envelope at', pc)


def check_gain(arm, bars):
    n, p = sum(b[1] for b in bars), sum(b[2] for b in bars)
    pi, tp, fp, found = F(p, p + n), 0, 0, {row['distance']: row for row in rows('gain', arm)}
    gain = lambda x: (x - pi) / ((1 - pi) * x)
    for distance, negatives, positives in bars:
        tp, fp = tp + positives, fp + negatives
        row = found.pop('%.17g' % distance, None) or found.pop('%.15g' % distance, None)
        if F(tp, p) < pi:
            if row:
                complain(arm, 'a recall gain below 0', row)
            continue
        if not row or not near(row['precision_gain'], gain(F(tp, tp + fp))) or not near(row['recall_gain'], gain(F(tp, p))):
            complain(arm, 'gain at', distance, row)
    if list(found) not in (['NA'], []) or ('NA' in found and float(found['NA']['recall_gain']) != 0):
        complain(arm, 'gains of no distance', found)


def check_calibration(arm, bars):
    # Twice the pairs, so that half a pair is a whole number.
    negatives, positives = [2 * b[1] for b in bars], [2 * b[2] for b in bars]
    negatives[0] += 1
    positives[-1] += 1
    own = F(sum(positives), sum(positives) + sum(negatives))

    def isotonic(i):
        p_before, n_before, least = sum(positives[:i]), sum(negatives[:i]), (2, 1)
        for a in range(i + 1):
            p, n, most = p_before, n_before, (-1, 1)
            for b in range(i, len(bars)):
                p, n = p + positives[b], n + negatives[b]
                if p * most[1] > most[0] * (p + n):
                    most = p, p + n
            if most[0] * least[1] < least[0] * most[1]:
                least = most
            p_before, n_before = p_before - positives[a], n_before - negatives[a]
        return F(*least)

    found = rows('calibration', arm)
    for row in found[:: max(1, len(found) // 12)]:
        # Between two distances that pairs have, linear.
        h = F(row['distance'])
        i = max([k for k, b in enumerate(bars) if F(b[0]) <= h], default=0)
        share = isotonic(i)
        if F(bars[i][0]) < h and i + 1 < len(bars):
            share += (h - F(bars[i][0])) / (F(bars[i + 1][0]) - F(bars[i][0])) * (isotonic(i + 1) - share)
        odds = share / (1 - share) * PI / (1 - PI) * (1 - own) / own
        if not near(row['probability'], odds / (1 + odds)):
            complain(arm, row, float(odds / (1 + odds)))
    last = 1
    for row in found:
        low, p, high = (float(row[k]) for k in ('probability_low', 'probability', 'probability_high'))
        if not 0 <= low <= p <= high <= 1 or p > last:
            complain(arm, row)
        # A pool is named where it holds the distance, and nowhere else.
        if (row['pool_from'] == 'NA') != (row['pool_pairs'] == 'NA') or \
                (row['pool_from'] != 'NA' and not float(row['pool_from']) <= float(row['distance']) <= float(row['pool_to'])):
            complain(arm, row)
        interpolated.append(row['pool_from'] == 'NA')
        last = p
    bins = rows('reliability', arm)
    if sum(int(b['pairs']) for b in bins) != sum(b[1] + b[2] for b in bars) or sum(int(b['duplicates']) for b in bins) != sum(b[2] for b in bars):
        complain(arm, 'bins lose pairs', bins)
    n, p = sum(b[1] for b in bars), sum(b[2] for b in bars)
    for b in bins:
        duplicates = int(b['duplicates'])
        odds = (PI * F(duplicates, p), (1 - PI) * F(int(b['pairs']) - duplicates, n))
        if not near(b['observed'], odds[0] / sum(odds)) or not float(b['observed_low']) <= float(b['observed']) <= float(b['observed_high']):
            complain(arm, b)
    score, = rows('calibration-scores', arm)
    brier, off, told, unsure, rest = (float(score[k]) for k in ('brier', 'miscalibration', 'discrimination', 'uncertainty', 'calibration_error'))
    if not (near(unsure, PI * (1 - PI)) and abs(brier - (off - told + unsure)) < 1e-9 and off >= -1e-12 and told >= -1e-12 and 0 <= rest <= 1):
        complain(arm, score)


arms = [part for arm in ARMS for part in ('--arm', arm)]
subprocess.run([fplab, 'eval', '--corpus', corpus, *arms, '--gain', '--costs', '--ratio', '1/3', '--ratio', '30', '--ratio', '5', '--calibrate',
                '--prevalence', '0.02', '--threshold', '0..30', '--no-plots', '--out', directory], check=True, capture_output=True)
for arm in ARMS:
    bars = bars_of(arm)
    check_costs(arm, bars)
    check_gain(arm, bars)
    check_calibration(arm, bars)
if len(set(interpolated)) != 2:
    complain("distances with pairs, and distances without", set(interpolated))
sys.exit(bad)
