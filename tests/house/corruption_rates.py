#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""corruption_rates.py DOCUMENTS < TABLE: the table of docs/corruption.md, of what `fplab corpus corrupt --format tsv` says it did to so many documents; fails
where a kind did not do what it was asked for. Binomial bounds are summed here."""
import csv
import math
import sys

AMOUNTS = {"boilerplate", "truncate", "splice"}  # the rate's share of each text, rounded: at most half a character off for each
OUTSIDE = 0.005  # on each side
ERROR = 1e-5  # a kind is wrong where its own count, or one farther off, is as rare as that


def binomial(n, p):
    """The probabilities of 0 to n, as far as they matter, and the first of them."""
    width = int(12 * math.sqrt(n * p * (1 - p))) + 20
    first, last = max(0, int(n * p) - width), min(n, int(n * p) + width)
    logs = [math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) + k * math.log(p) + (n - k) * math.log(1 - p) for k in range(first, last + 1)]
    return first, [math.exp(value) for value in logs]


def bounds(n, p):
    """The least and the most changes but for OUTSIDE of the probability on each side."""
    first, mass = binomial(n, p)
    low, high, below, above = first, first + len(mass) - 1, 0.0, 0.0
    while below + mass[low - first] <= OUTSIDE:
        below, low = below + mass[low - first], low + 1
    while above + mass[high - first] <= OUTSIDE:
        above, high = above + mass[high - first], high - 1
    return low, high


def is_likely(n, k, p):
    first, mass = binomial(n, p)
    return 0 <= k - first < len(mass) and min(sum(mass[:k - first + 1]), sum(mass[k - first:])) > ERROR


documents, wrong = int(sys.argv[1]), 0
print("| kind | places | changed | rate | bounds |\n|---|---:|---:|---:|---|")
for row in csv.DictReader(sys.stdin, delimiter="\t"):
    n, k, p = int(row["sites"]), int(row["changes"]), float(row["rate"])
    if row["kind"] in AMOUNTS:
        low, high = math.ceil(n * p - documents / 2), math.floor(n * p + documents / 2)
        good, word = low <= k <= high, "rounding"
    else:
        low, high = bounds(n, p)
        good, word = is_likely(n, k, p), "" if low <= k <= high else "outside"
    wrong += not good
    print("| %s | %d | %d | %.4f | %.4f–%.4f%s |" % (row["kind"], n, k, k / n, low / n, high / n, word and ", " + word))
sys.exit(wrong > 0)
