#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""faiss_pairs.py FINGERPRINTS BITS DISTANCE: Faiss lists the pairs of the random fingerprints of bench_pairs.c within a distance, one thread.

Prints nanoseconds for each pair that it compares, the median of three: it knows no pairs of one set, and compares every one with all."""
import statistics
import sys
import time

import faiss
import numpy

count, bits, distance = map(int, sys.argv[1:4])


def mix(value, stream):
    """fp_mix of base/base.h."""
    z = value + numpy.uint64((stream + 1) * 0x9E3779B97F4A7C15 % 2**64)
    z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
    return z ^ (z >> numpy.uint64(31))


faiss.omp_set_num_threads(1)
fingerprints = mix(numpy.arange(count * bits // 64, dtype=numpy.uint64), 1).view(numpy.uint8).reshape(count, bits // 8)
index = faiss.IndexBinaryFlat(bits)
index.add(fingerprints)
seconds = []
for _ in range(3):
    start = time.process_time()
    index.range_search(fingerprints, distance + 1)  # less than the radius
    seconds.append(time.process_time() - start)
print(statistics.median(seconds) / count**2 * 1e9)
