#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of retrieval from their published definitions, apart from the code under test.

    retrieval_figures.py make DIRECTORY     writes qrels.test, results.test and out.test.aq
    retrieval_figures.py check DIRECTORY    computes the figures of the first two anew and compares them with the third

Formats are those of TREC, the last one that of `trec_eval -q`. Definitions: Manning, Raghavan, Schütze, Introduction to Information Retrieval (2008), 8.4 (precision
at k, R-precision, average precision) and Voorhees, TREC-8 Question Answering Track Report (1999) (reciprocal rank); the order of a ranking, equal scores by name from
the last to the first, and the queries that count, those with results and with judgements, are those of trec_eval's README. Fractions are exact until they are printed.
"""
import sys
from fractions import Fraction

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)


def rows(path):
    with open(path, encoding="ascii") as lines:
        return [line.split() for line in lines if line.strip()]


def figures(ranking, relevant):
    hits = [item in relevant for item in ranking]
    found, precision_at_hits, first = 0, Fraction(0), Fraction(0)
    for rank, hit in enumerate(hits, 1):
        if hit:
            found += 1
            precision_at_hits += Fraction(found, rank)
            first = first or Fraction(1, rank)
    total = len(relevant)
    out = {"num_ret": len(ranking), "num_rel": total, "num_rel_ret": found}
    out["map"] = precision_at_hits / total if total else Fraction(0)
    out["Rprec"] = Fraction(sum(hits[:total]), total) if total else Fraction(0)
    out["recip_rank"] = first
    for k in CUTOFFS:
        out[f"P_{k}"] = Fraction(sum(hits[:k]), k)
    return out


def table(directory):
    runs, judged = {}, {}
    for query, _, item, _, score, _ in rows(f"{directory}/results.test"):
        runs.setdefault(query, []).append((Fraction(score), item))
    for query, _, item, level in rows(f"{directory}/qrels.test"):
        judged.setdefault(query, set())
        if int(level) > 0:
            judged[query].add(item)
    counted = sorted(set(runs) & set(judged))
    of = {q: figures([item for _, item in sorted(runs[q], reverse=True)], judged[q]) for q in counted}
    counts = ("num_ret", "num_rel", "num_rel_ret")
    of["all"] = {name: sum(of[q][name] for q in counted) / (1 if name in counts else len(counted)) for name in of[counted[0]]}
    lines = []
    for query in counted + ["all"]:
        for name, value in of[query].items():
            shown = f"{int(value)}" if name in counts else f"{float(value):.4f}"
            lines.append(f"{name:<22}\t{query}\t{shown}\n")
    return "".join(lines)


def make(directory):
    """Queries of all kinds: long and short, ties, judgements below zero and above one, nothing relevant, nothing found, judged by nobody, searched by nobody."""
    state = 20240229

    def draw(below):
        nonlocal state
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (state >> 33) % below

    with open(f"{directory}/results.test", "w", encoding="ascii") as results, open(f"{directory}/qrels.test", "w", encoding="ascii") as qrels:
        for query, (found, pool, share, scores) in enumerate([(150, 220, 20, 1000), (40, 60, 30, 12), (12, 30, 50, 3), (1, 9, 90, 2), (60, 80, 0, 50),
                                                              (25, 400, 2, 30), (8, 8, 100, 1)], 1):
            items = sorted(range(pool), key=lambda _: draw(2**30))
            for rank, item in enumerate(items[:found]):
                results.write(f"{query} Q0 D{item:03} {rank} {draw(scores) / 8} made\n")
            for item in range(pool):
                if draw(4):  # a quarter of the pool is judged by nobody
                    qrels.write(f"{query} 0 D{item:03} {1 + draw(3) if draw(100) < share else -draw(2)}\n")
        for item in range(5):
            results.write(f"8 Q0 D{item} 0 {item} made\n")
            qrels.write(f"9 0 D{item} 1\n")
    with open(f"{directory}/out.test.aq", "w", encoding="ascii") as out:
        out.write(table(directory))


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("make", "check"):
        sys.exit(__doc__)
    if sys.argv[1] == "make":
        make(sys.argv[2])
    else:
        ours = [row for row in rows(f"{sys.argv[2]}/out.test.aq")]
        names = {row[0] for row in (line.split() for line in table(sys.argv[2]).splitlines())}
        mine = [line.split() for line in table(sys.argv[2]).splitlines()]
        if sorted(row for row in ours if row[0] in names) != sorted(mine):
            for row in sorted(map(tuple, mine)):
                if list(row) not in ours:
                    print("not in the file:", *row)
            sys.exit(1)
