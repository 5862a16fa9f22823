#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""hash_seeds.py PROGRAM CORPUS [BLOCKS]: does a verdict depend on the seeds of the hash? simhash against minhash, by
average precision, over disjoint blocks of N seeds: how often one is called better, and how far the figures go. Status 1
where ten seeds, the default, do not give one verdict in nine blocks of ten."""
import csv
import os
import subprocess
import sys
import tempfile

program, corpus = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
blocks = int(sys.argv[3]) if len(sys.argv) > 3 else 20


def block(count, number):
    """The difference of both, the shares of the sources, and the verdict."""
    with tempfile.TemporaryDirectory() as place:
        done = subprocess.run([program, 'eval', '-c', corpus, '-a', 'simhash', '-a', 'minhash', '--no-plots', '--out',
                               os.path.join(place, 'run'), '--hash-seeds',
                               f'{count * number}..{count * number + count - 1}'], capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr)
        def rows(name):
            path = os.path.join(place, 'run', name)
            return list(csv.DictReader(open(path, encoding='utf-8'), delimiter='\t')) if os.path.exists(path) else []
        arms = {row['arm']: float(row['average_precision']) for row in rows('summary.tsv')}
        difference = rows('differences.tsv')[0]
        hashed = [row['hash'] for row in rows('sources.tsv') if row['arm_b'] == 'minhash']
        return arms, difference, float(hashed[0]) if hashed and hashed[0] != 'NA' else 0.0


print('seeds\tblocks\tsimhash_least\tsimhash_most\tdifference_least\tdifference_most\tmean_width\tsimhash_better\t'
      'minhash_better\tundecided\thash_share')
for count in 1, 3, 5, 10, 20:
    made = [block(count, number) for number in range(blocks)]
    simhash = [arms['simhash'] for arms, _, _ in made]
    differences = [float(row['difference']) for _, row, _ in made]
    widths = [float(row['high']) - float(row['low']) for _, row, _ in made]
    verdicts = [row['verdict'] for _, row, _ in made]
    called = verdicts.count('A is better'), verdicts.count('B is better')
    print(count, blocks, *(f'{x:.3f}' for x in (min(simhash), max(simhash), min(differences), max(differences),
                                               sum(widths) / blocks)),
          *called, blocks - sum(called),
          f'{sum(share for _, _, share in made) / blocks:.2f}', sep='\t', flush=True)
    if count == 10 and max(*called, blocks - sum(called)) < 0.9 * blocks:
        sys.exit('verdicts under ten seeds depend on which ten')
