#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""retrieval.tsv anew from the distances of the pairs, by the figures of tests/eval/measures/retrieval_figures.py.

    retrieval_of_distances.py RETRIEVAL.tsv ARM=DISTANCES.tsv…    the second as `fplab distances --arm ARM` prints it
"""
import csv
import os
import sys
from fractions import Fraction

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "measures"))
from retrieval_figures import CUTOFFS, figures  # noqa: E402


def table(path):
    with open(path, encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def expected(path):
    ranked, relevant = {}, {}
    for row in table(path):
        for query, item in ((row["id_a"], row["id_b"]), (row["id_b"], row["id_a"])):
            ranked.setdefault(query, []).append((-Fraction(row["distance"]), item.encode()))
            if row["label"] != "0":
                relevant.setdefault(query, set()).add(item.encode())
    of = [figures([item for _, item in sorted(ranked[query], reverse=True)], relevant[query]) for query in relevant]
    total = {name: sum(one[name] for one in of) for name in of[0]}
    means = {"average_precision": "map", "r_precision": "Rprec", "reciprocal_rank": "recip_rank"}
    means |= {f"precision_{k}": f"P_{k}" for k in CUTOFFS}
    counts = {"queries": len(of), "retrieved": total["num_ret"], "relevant": total["num_rel"]}
    return counts, {name: total[of_trec] / len(of) for name, of_trec in means.items()}


bad = 0
rows = {row["arm"]: row for row in table(sys.argv[1])}
if len(rows) != len(sys.argv) - 2:
    sys.exit(f"{len(rows)} rows")
for argument in sys.argv[2:]:
    arm, path = argument.split("=", 1)
    counts, means = expected(path)
    for name, value in counts.items():
        if int(rows[arm][name]) != value:
            print(f"{arm}: {name} is {rows[arm][name]}, not {value}")
            bad = 1
    for name, value in means.items():
        if abs(Fraction(rows[arm][name]) - value) > Fraction(51, 1000000):
            print(f"{arm}: {name} is {rows[arm][name]}, not {float(value):.6f}")
            bad = 1
sys.exit(bad)
