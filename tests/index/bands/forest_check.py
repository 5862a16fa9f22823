#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Candidates of an LSH forest by the algorithm of Bawa, Condie and Ganesan (WWW 2005, section 4.2), with prefix trees as nested
dictionaries, against those that were found. The file has lines of numbers: `trees T`, `sketch SLOT…` for each document in turn, and
`query WANTED SLOT…` followed by `found DOCUMENT…`."""
import sys


def grow(labels):
    root = {}
    for document, label in enumerate(labels):
        node = root
        for slot in label:
            node.setdefault("documents", set()).add(document)
            node = node.setdefault(slot, {})
        node.setdefault("documents", set()).add(document)
    return root


def descend(root, label):
    path = [root]
    for slot in label:
        if slot not in path[-1]:
            break
        path.append(path[-1][slot])
    return path


def main():
    sketches, trees, roots, queries = [], 0, None, 0
    for line in open(sys.argv[1]):
        word, *numbers = line.split()
        numbers = [int(number) for number in numbers]
        if word == "trees":
            trees = numbers[0]
        elif word == "sketch":
            sketches.append(numbers)
        elif word == "query":
            depth = len(sketches[0]) // trees
            cut = lambda sketch: [sketch[t * depth:(t + 1) * depth] for t in range(trees)]
            roots = roots or [grow([cut(sketch)[t] for sketch in sketches]) for t in range(trees)]
            paths = [descend(root, label) for root, label in zip(roots, cut(numbers[1:]))]
            candidates, level = set(), depth
            while level > 0 and len(candidates) < numbers[0]:
                for path in paths:
                    if len(path) > level:
                        candidates |= path[level]["documents"]
                level -= 1
            queries += 1
        elif word == "found":
            if set(numbers) != candidates or len(numbers) != len(candidates):
                sys.exit(f"query {queries}: found {sorted(numbers)}, and there are {sorted(candidates)}")
    if queries < 10:
        sys.exit(f"only {queries} queries")
    print(queries)


main()
