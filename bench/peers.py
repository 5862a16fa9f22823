#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""peers.py: runs the work of the stages of bench/stages on the same data with other programs, on one thread; bench/bench.py calls it.

    peer NAME [ARGUMENT]    prints processor seconds per unit of the stage's work, a tab, the peer; or "missing", a tab, the missing package

Debian has no packages of datasketch and simhash: their algorithms are implemented here in numpy as fast as numpy allows, many shingles at a
time; the originals hash one shingle at a time."""
import ctypes
import json
import os
import sys
import time
import unicodedata

for threads in ('OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS'):
    os.environ[threads] = '1'

import numpy  # noqa: E402

TEXTS = 'tests/data/newswire-zh/docs.jsonl'
LEAST_SECONDS = 0.03
FEATURES, SLOTS, FINGERPRINTS, SETS, DRAWN, TERMS, INDEXED, QUERIES = 300, 64, 16000, 4000, 330, 20000, 1000000, 20000


def mix(value, stream):
    """fp_mix of base/base.h."""
    z = value + numpy.uint64((stream + 1) * 0x9E3779B97F4A7C15 % 2**64)
    z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
    return z ^ (z >> numpy.uint64(31))


def count(number):
    return numpy.arange(number, dtype=numpy.uint64)


def texts():
    with open(TEXTS, encoding='utf-8') as file:
        found = [json.loads(line)['text'] for line in file]
    return found, sum(len(text.encode()) for text in found)


# Each function takes the argument of the row of stages.def and returns the peer's name and a function that does the work and returns its units.

def normalise():
    opencc = ctypes.CDLL('libopencc.so.1.1')
    opencc.opencc_open.restype = opencc.opencc_convert_utf8.restype = ctypes.c_void_p
    opencc.opencc_convert_utf8.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
    opencc.opencc_convert_utf8_free.argtypes = [ctypes.c_void_p]
    table = opencc.opencc_open(b't2s.json')
    found, size = texts()

    def work():
        for text in found:
            data = unicodedata.normalize('NFKC', text).casefold().encode()
            opencc.opencc_convert_utf8_free(opencc.opencc_convert_utf8(table, data, len(data)))
        return size
    return "Python's NFKC + OpenCC", work


def segment():
    import jieba
    import logging
    jieba.setLogLevel(logging.CRITICAL)
    jieba.initialize()
    found, size = texts()

    def work():
        for text in found:
            jieba.lcut(text)
        return size
    return 'jieba', work


def shingles(text):
    """64-bit hashes of all 3-grams of a text."""
    code = numpy.frombuffer(unicodedata.normalize('NFKC', text).casefold().encode('utf-32-le'), dtype=numpy.uint32).astype(numpy.uint64)
    return mix(code[:-2] * numpy.uint64(1 << 42) ^ code[1:-1] * numpy.uint64(1 << 21) ^ code[2:], 1)


def simhash():
    found, size = texts()

    def work():
        for text in found:
            bits = numpy.unpackbits(shingles(text).view(numpy.uint8)).reshape(-1, 64)
            numpy.packbits(2 * bits.sum(axis=0) > len(bits))
        return size
    return 'simhash in numpy', work


def minhash(slots):
    slots = int(slots)
    prime, most = numpy.uint64((1 << 61) - 1), numpy.uint64((1 << 32) - 1)
    a, b = mix(count(slots), 3) % prime, mix(count(slots), 4) % prime
    found, size = texts()

    def work():
        for text in found:
            hashes = numpy.unique(shingles(text) & most)
            numpy.bitwise_and((hashes[:, None] * a + b) % prime, most).min(axis=0)
        return size
    return 'datasketch in numpy', work


def features():
    hashes = mix(count(FEATURES), 1)
    return hashes, (1 + hashes % numpy.uint64(4)).astype(numpy.float64)


def weighted(real=None):
    """Consistent weighted sampling as in datasketch, with the random numbers of all terms precomputed."""
    draw = numpy.random.RandomState(1)
    r, c = (draw.gamma(2, 1, (TERMS, SLOTS)).astype(numpy.float32) for _ in range(2))
    log_c, beta = numpy.log(c), draw.uniform(0, 1, (TERMS, SLOTS)).astype(numpy.float32)
    hashes, weight = features()
    place = (hashes % numpy.uint64(TERMS)).astype(numpy.int64)
    log_weight = numpy.log(1 + numpy.log(weight) if real else weight).astype(numpy.float32)[:, None]

    def work():
        for _ in range(50):
            scale, shift = r[place], beta[place]
            log_y = (numpy.floor(log_weight / scale + shift) - shift) * scale
            numpy.argmin(log_c[place] - log_y - scale, axis=0)
        return 50
    return 'datasketch in numpy', work


def hyperplane():
    hashes, weight = features()
    place, ready = (hashes % numpy.uint64(TERMS)).astype(numpy.int64), numpy.random.RandomState(1).standard_normal((TERMS, SLOTS))

    def work():
        for _ in range(50):
            numpy.packbits(weight @ ready[place] > 0)
        return 50
    return 'numpy, Gaussians ready', work


def pair():
    a, b = (set(mix(count(FEATURES) + numpy.uint64(later), 1).tolist()) for later in (0, 100))

    def work():
        for _ in range(50):
            both = len(a & b)
            both / (len(a) + len(b) - both)
        return 50
    return "Python's sets", work


def fingerprints(number, bits):
    return mix(count(number * bits // 64), 1).view(numpy.uint8).reshape(number, bits // 8)


def faiss_list(bits):
    """Faiss compares every query with every fingerprint; units are these pairs, as for the pairs of one set."""
    import faiss
    faiss.omp_set_num_threads(1)
    bits = int(bits)
    index, all_ = faiss.IndexBinaryFlat(bits), fingerprints(FINGERPRINTS, bits)
    index.add(all_)

    def work():
        index.range_search(all_[:1000], 10 + 1)  # less than the radius
        return 1000 * FINGERPRINTS
    return 'Faiss', work


def faiss_real():
    """Faiss's fast scan: four signs are one of 16 centroids, so that product codes equal fingerprints and its byte tables hold the query's sums."""
    import faiss
    faiss.omp_set_num_threads(1)
    signs = 2 * numpy.unpackbits(fingerprints(FINGERPRINTS, 64), axis=1, bitorder='little').astype(numpy.float32) - 1
    index = faiss.IndexPQFastScan(64, 16, 4, faiss.METRIC_INNER_PRODUCT)
    index.train(signs)
    index.add(signs)
    queries = (signs[:1000] * (mix(count(64000), 10) % numpy.uint64(1 << 24)).astype(numpy.float32).reshape(1000, 64))

    def work():
        index.search(queries, 1)
        return 1000 * FINGERPRINTS
    return 'Faiss', work


def faiss_look_up():
    import faiss
    faiss.omp_set_num_threads(1)
    stored, numbers = mix(count(INDEXED), 1), count(QUERIES)
    queries = stored[mix(numbers, 4) % numpy.uint64(INDEXED)]
    for k in range(3):
        changed = numpy.uint64(1) << mix(numbers, k + 5) % numpy.uint64(64)
        queries = numpy.where(numbers % numpy.uint64(4) > numpy.uint64(k), queries ^ changed, queries)
    stored, queries = (a.view(numpy.uint8).reshape(-1, 8) for a in (stored, queries))
    index = faiss.IndexBinaryMultiHash(64, 4, 16)
    index.nflip = 0
    index.add(stored)

    def work():
        index.range_search(queries, 3 + 1)
        return QUERIES
    return 'Faiss', work


def slots():
    number = (mix(count(8192 * SLOTS), 9) % numpy.uint64(97)).astype(numpy.uint32).reshape(8192, SLOTS)

    def work():
        for row in range(4):
            numpy.bincount((number != number[row]).sum(axis=1), minlength=SLOTS + 1)
        return 4 * 8192
    return 'numpy', work


def sets(cosine=None):
    """A histogram of X · Xᵀ of documents and terms, a thousand rows at a time; computes every pair twice."""
    import scipy.sparse
    u = (mix(count(SETS * DRAWN), 9) >> numpy.uint64(11)).astype(numpy.float64) * 2.0**-53
    rows, terms = numpy.arange(SETS).repeat(DRAWN), (u * u * u * TERMS).astype(numpy.int64)
    matrix = scipy.sparse.csr_matrix((numpy.ones(len(rows)), (rows, terms)), shape=(SETS, TERMS))
    if cosine:
        matrix = scipy.sparse.diags(1 / numpy.sqrt(matrix.multiply(matrix).sum(axis=1).A1)) @ matrix
    else:
        matrix.data[:] = 1
    matrix = matrix.tocsr()
    turned, sizes = matrix.T.tocsr(), matrix.sum(axis=1).A1

    def work():
        for first in range(0, SETS, 1000):
            found = (matrix[first:first + 1000] @ turned).tocoo()
            if cosine:
                distance = numpy.arccos(numpy.clip(found.data, 0, 1)) * (64 / numpy.pi)
            else:
                distance = 64 * (1 - found.data / (sizes[first + found.row] + sizes[found.col] - found.data))
            numpy.histogram(distance, 64, (0, 64))
        return SETS * (SETS - 1) / 2
    return 'scipy', work


def read_json():
    size = os.path.getsize(TEXTS)

    def work():
        with open(TEXTS, encoding='utf-8') as file:
            for line in file:
                json.loads(line)
        return size
    return "Python's json", work


PEERS = {work.__name__: work for work in (normalise, segment, simhash, minhash, weighted, hyperplane, pair, faiss_list, faiss_real, faiss_look_up, slots, sets,
                                          read_json)}


def measure(work):
    units, start, took = 0, time.process_time(), 0
    while took < LEAST_SECONDS:
        units += work()
        took = time.process_time() - start
    return took / units


def main():
    opened = {}
    for line in sys.stdin:
        asked = line.removeprefix('peer ').strip()
        try:
            if asked not in opened:
                name, *arguments = asked.split()
                opened[asked] = PEERS[name](*arguments)
            peer, work = opened[asked]
            print(f'{measure(work):.9g}\t{peer}', flush=True)
        except (ImportError, OSError) as missing:
            print(f'missing\t{missing}', flush=True)


if __name__ == '__main__':
    main()
