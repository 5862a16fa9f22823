#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The area under the precision-recall-gain curve from its definition (Flach, Kull, NIPS 2015), in exact fractions: points
of precision gain over recall gain, the crossing of recall gain 0 interpolated in counts, and trapezoids.

gain_area.py DISTANCES.tsv prints the area of the columns distance and label; without an argument, the cases of
test_measures.c."""
import sys
from collections import defaultdict
from fractions import Fraction as F


def area(bins):
    """bins: [(negatives, positives)] by ascending distance."""
    n, p = sum(b[0] for b in bins), sum(b[1] for b in bins)
    if not n or not p:
        return None
    pi = F(p, n + p)
    points, tp, fp = [(F(0), F(0))], F(0), F(0)
    for negatives, positives in bins:
        tp, fp = tp + positives, fp + negatives
        points.append((tp, fp))
    crossing = pi * p  # recall = pi
    for (t0, f0), (t1, f1) in zip(points, points[1:]):
        if t0 < crossing < t1:
            points.insert(points.index((t1, f1)), (crossing, f0 + (f1 - f0) * (crossing - t0) / (t1 - t0)))
            break
    curve = []
    for t, f in points:
        if t < crossing:
            continue
        precision, recall = t / (t + f), t / p
        curve.append(((recall - pi) / ((1 - pi) * recall), (precision - pi) / ((1 - pi) * precision)))
    return sum((x1 - x0) * (y0 + y1) / 2 for (x0, y0), (x1, y1) in zip(curve, curve[1:]))


CASES = [[(0, 3), (5, 0)], [(5, 0), (0, 3)], [(4, 2)], [(1, 2), (2, 1), (0, 1), (5, 1)], [(0, 1), (1, 0), (0, 2), (3, 0), (0, 1), (7, 1)],
         [(2, 0), (0, 4), (3, 1)], [(0, 4)], [(9, 1), (9, 1), (9, 1)], [(1, 1), (0, 5), (100, 3)]]

if len(sys.argv) > 1:
    bars = defaultdict(lambda: [0, 0])
    for line in open(sys.argv[1]):
        distance, label = line.split()
        bars[float(distance)][int(label)] += 1
    print('%.12f' % float(area([tuple(bars[d]) for d in sorted(bars)])))
else:
    for case in CASES:
        found = area(case)
        cells = ', '.join('%d, %d' % b for b in case)
        print('{%d, {%s}, %s},' % (len(case), cells, 'NAN' if found is None else '%d.0 / %d' % (found.numerator, found.denominator)))
