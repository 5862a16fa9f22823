#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""faiss_blocks.py FINGERPRINTS QUERIES SCANS: Faiss over the random fingerprints and queries of bench_blocks.c, one thread.

A line for each: NAME, nanoseconds a query, found. Of IndexBinaryMultiHash the designs that find everything within three bits: h hashes
of b bits, of which f are flipped, with h·(f + 1) > 3. The Debian package is built for any x86-64 processor."""
import sys
import time

import faiss
import numpy

BITS, DISTANCE = 64, 3
count, query_count, scans = map(int, sys.argv[1:4])


def mix(value, stream):
    """fp_mix of base/base.h."""
    z = value + numpy.uint64((stream + 1) * 0x9E3779B97F4A7C15 % 2**64)
    z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
    return z ^ (z >> numpy.uint64(31))


def measure(name, index, queries):
    best, found = None, 0
    for _ in range(3):
        start = time.perf_counter()
        limits = index.range_search(queries, DISTANCE + 1)[0]  # less than the radius
        seconds = time.perf_counter() - start
        best, found = seconds if best is None else min(best, seconds), limits[-1]
    print(f"{name}\t{best / len(queries) * 1e9:.1f}\t{found}", flush=True)


faiss.omp_set_num_threads(1)
fingerprints = mix(numpy.arange(count, dtype=numpy.uint64), 1)
numbers = numpy.arange(query_count, dtype=numpy.uint64)
queries = fingerprints[mix(numbers, 4) % numpy.uint64(count)]
for k in range(DISTANCE):
    changed = numpy.uint64(1) << mix(numbers, k + 5) % numpy.uint64(BITS)
    queries = numpy.where(numbers % numpy.uint64(4) > numpy.uint64(k), queries ^ changed, queries)
fingerprints, queries = (a.view(numpy.uint8).reshape(-1, BITS // 8) for a in (fingerprints, queries))
for hashes, bits, flips in [(4, 16, 0), (3, 21, 1)] if count > 2e6 else [(4, 16, 0), (3, 21, 1), (2, 32, 1)]:
    index = faiss.IndexBinaryMultiHash(BITS, hashes, bits)
    index.nflip = flips
    index.add(fingerprints)
    measure(f"IndexBinaryMultiHash nhash={hashes} b={bits} nflip={flips}", index, queries)
    del index
flat = faiss.IndexBinaryFlat(BITS)
flat.add(fingerprints)
measure("IndexBinaryFlat", flat, queries[:scans])
