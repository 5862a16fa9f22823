#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The known answers of the minhash family, from definitions: permutations and minima in plain Python, with numbers of any size and math.log.
It shares nothing with the library but the statements in the comments of algorithms/*.c. Prints rows for tests/vectors; names an algorithm to see its rows alone.
Without a name it checks that tests/vectors holds every row."""
import math
import sys

M = (1 << 64) - 1


def mix(value, stream):
    """SplitMix64's finaliser, of value + (stream + 1)·golden ratio."""
    z = (value + (stream + 1) * 0x9E3779B97F4A7C15) & M
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & M
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & M
    return z ^ (z >> 31)


def salt(seed):
    return mix(seed, 0)


def products(elements, n):
    """Of each slot the smallest product of a mixed element with an odd factor, its upper half xored to the lower."""
    least = [min((mix(e, 0) * (mix(i, 1) | 1) & M for e in elements), default=None) for i in range(n)]
    return [M if v is None else v ^ v >> 32 for v in least]


def minhash(features, n, seed):
    return products([h ^ salt(seed) for h, _ in features], n)


def oneperm(features, n, seed):
    if not features:
        return [M] * n
    values = [mix(h ^ salt(seed), 0) for h, _ in features]
    own = [min((v for v in values if (v >> 32) * n >> 32 == i), default=None) for i in range(n)]
    signature = []
    for i in range(n):
        j, trial = i, 1
        while own[j] is None:
            j = (mix(mix(salt(seed), i), trial) >> 32) * n >> 32
            trial += 1
        signature.append(own[j])
    return signature


def cminhash(features, n, seed, universe):
    size = 1 << universe
    pi = lambda p: mix(mix(salt(seed), 1), p % size)
    sigma = [mix(h ^ salt(seed), 0) >> (64 - universe) for h, _ in features]
    return [min((pi(p + k) for p in sigma), default=M) for k in range(n)]


def superminhash(features, n, seed):
    """By whole permutations, without the early end."""
    best = [(n, M, M)] * n
    for h, _ in features:
        order = list(range(n))
        for j in range(n):
            k = j + ((mix(h ^ salt(seed), 2 * j + 1) >> 32) * (n - j) >> 32)
            order[j], order[k] = order[k], order[j]
            r = mix(h ^ salt(seed), 2 * j)
            best[order[j]] = min(best[order[j]], (j, r, r))
    return [b[2] for b in best]


def weightedminhash(features, n, seed):
    signature = []
    for i in range(n):
        best = (math.inf, None, None)
        for h, weight in features:
            first, second = mix(h ^ salt(seed), 2 * i), mix(h ^ salt(seed), 2 * i + 1)
            gamma = lambda x: -math.log(((x >> 41) + 0.5) / 2**23) - math.log(((x >> 9 & 0x7FFFFF) + 0.5) / 2**23)
            r, c, beta = gamma(first), gamma(second), ((first >> 32 & 0x1FF) << 9 | first & 0x1FF) / 2**18
            t = math.floor(math.log(weight) / r + beta)
            y = math.exp(r * (t - beta))
            best = min(best, (c / (y * math.exp(r)), t, first))
        signature.append(M if best[1] is None else mix(best[2], best[1] & M))
    return signature


def copies(features, n, seed):
    """Whole weights: minhash over a set in which a feature of weight w has w elements."""
    elements = [h ^ salt(seed) if k == 0 else mix(h ^ salt(seed), 2**32 + k) for h, w in features for k in range(w)]
    return products(elements, n)


def packed(signature, width=32, b=0):
    """The sketch as the program writes it."""
    if b == 0:
        return b"".join((v & ((1 << width) - 1)).to_bytes(width // 8, "little") for v in signature).hex()
    words = []
    for w in range(0, len(signature), 64):
        for p in range(b):
            words.append(sum((v >> p & 1) << i for i, v in enumerate(signature[w : w + 64])))
    if b == 1:
        return "%0*x" % ((len(signature) + 3) // 4, sum(word << 64 * i for i, word in enumerate(words)))
    return b"".join(word.to_bytes(8, "little") for word in words).hex()


def winnowing(features, window):
    """By the definition: every window, its rightmost minimum."""
    hashes = [h for h, _ in features]
    window = min(window, len(hashes))
    kept = set()
    for begin in range(len(hashes) - window + 1 if hashes else 0):
        part = hashes[begin : begin + window]
        kept.add(max(i for i, h in enumerate(part) if h == min(part)) + begin)
    return "-".join("%016x" % h for h in sorted({hashes[i] for i in kept}))


def fracminhash(features, scaled, seed, empty=True):
    hashes = sorted(mix(h ^ salt(seed), 0) for h, _ in features)
    kept = [h for h in hashes if h * scaled < 1 << 64] or (hashes[:1] if empty else [])
    return "%d:%s" % (len(features), "-".join("%016x" % h for h in kept))


def supershingles(features, groups, size, seed):
    slots, values = minhash(features, groups * size, seed), []
    for g in range(groups):
        value = M
        for i in range(size if features else 0):
            value = mix(value ^ slots[g * size + i], i)
        values.append(value)
    return values


def bottomk(features, k, seed):
    return "-".join("%016x" % h for h in sorted(mix(h ^ salt(seed), 0) for h, _ in features)[:k])


def first_points(features, n, seed, weighted):
    """Of each slot the first point of all features' Poisson processes, and its feature; every process runs far longer than it must."""
    best = [(math.inf, None)] * n
    for h, weight in features:
        time = 0.0
        for point in range(64 * n):
            time -= math.log(1 - ((mix(h ^ salt(seed), 2 * point) >> 12) + 0.5) / 2**52)
            slot = (mix(h ^ salt(seed), 2 * point + 1) >> 32) * n >> 32
            best[slot] = min(best[slot], (time / (weight if weighted else 1), h), key=lambda b: b[0])
    return best


def probminhash(features, n, seed):
    return [M if h is None else mix(h ^ salt(seed), i) for i, (_, h) in enumerate(first_points(features, n, seed, True))]


def setsketch(features, n, seed, base):
    times = [t for t, _ in first_points(features, n, seed, False)]
    kept = [max(1, math.floor(1 - math.log(t / (20 * n)) / math.log(base))) if features else 0 for t in times]
    return b"".join(k.to_bytes(2, "little") for k in kept + [0] * (-n % 4)).hex()


def imatch(features, slots, omit, low, high, seed):
    values = []
    for slot in range(slots):
        total = 0
        for h, weight in features:
            salted = h ^ salt(seed)
            if low <= weight <= high and (slot == 0 or (mix(salted, slot) >> 11) / 2**53 >= omit):
                total += mix(salted, 0) | 1
        values.append(mix(total & M, slot) if total & M else 0)
    return values


# Two sets that share half: term hashes with a pattern, so that only the mixing makes them random.
FIRST = [(0x1000 + 17 * i, 1 + i % 4) for i in range(12)]
SECOND = [(0x1000 + 17 * i, 1 + i % 3) for i in range(6, 18)]
ONE = [(0xDEADBEEF, 2.5)]
BEYOND = [(0x77, 0.001), (0xFFFFFFFFFFFFFFFF, 1e6), (0, 3.75)]
HEAVY = [(0x77, 1000), (0xFFFFFFFFFFFFFFFF, 300), (0, 1)]
RUN = [(h, 1) for h in (77, 74, 42, 17, 98, 50, 17, 98, 8, 88, 67, 39, 77, 74, 42, 17, 98)]
ALTERED = [(72 if h == 74 else h, 1) for h, _ in RUN]


def rows():
    for features in (FIRST, SECOND, ONE, [], BEYOND):
        yield "minhash:slots=6", features, packed(minhash(features, 6, 0))
        yield "minhash:slots=5,seed=42", features, packed(minhash(features, 5, 42) + [0])
        yield "minhash:slots=3,width=64", features, packed(minhash(features, 3, 0), 64)
        yield "minhash:slots=70,b=1", features, packed(minhash(features, 70, 0), b=1)
        yield "minhash:slots=66,b=3", features, packed(minhash(features, 66, 0), b=3)
        yield "oneperm:slots=8", features, packed(oneperm(features, 8, 0))
        yield "oneperm:slots=32,b=4,seed=3", features, packed(oneperm(features, 32, 3), b=4)
        yield "cminhash:slots=6", features, packed(cminhash(features, 6, 0, 20))
        yield "cminhash:slots=8,universe=4,seed=2", features, packed(cminhash(features, 8, 2, 4))
        yield "superminhash:slots=6", features, packed(superminhash(features, 6, 0))
        yield "superminhash:slots=64,b=2,seed=9", features, packed(superminhash(features, 64, 9), b=2)
        yield "weightedminhash:slots=6,weight=logtf", features, packed(weightedminhash(features, 6, 0))
        yield "weightedminhash:slots=3,width=64,seed=5,weight=logtf", features, packed(weightedminhash(features, 3, 5), 64)
        yield "fracminhash", features, fracminhash(features, 4, 0)
        yield "fracminhash:scaled=1", features, fracminhash(features, 1, 0)
        yield "fracminhash:scaled=1000,empty=none", features, fracminhash(features, 1000, 0, False)
        yield "fracminhash:scaled=1000,seed=8", features, fracminhash(features, 1000, 8)
        yield "supershingles:groups=3,size=2", features, packed(supershingles(features, 3, 2, 0), 64)
        yield "supershingles:width=32,seed=7", features, packed(supershingles(features, 6, 14, 7))
        yield "bottomk:k=4", features, bottomk(features, 4, 0)
        yield "bottomk:seed=5", features, bottomk(features, 64, 5)
        yield "probminhash:slots=6", features, packed(probminhash(features, 6, 0))
        yield "probminhash:slots=3,width=64,seed=4", features, packed(probminhash(features, 3, 4), 64)
        yield "setsketch:slots=6", features, setsketch(features, 6, 0, 1.001)
        yield "setsketch:slots=16,base=2,seed=3", features, setsketch(features, 16, 3, 2)
        yield "imatch:slots=4,low=1.5,high=12,weight=tf", features, packed(imatch(features, 4, 0.33, 1.5, 12, 0), 64)
        yield "imatch:slots=2,omit=0.5,low=0,high=3,width=32,seed=2,weight=tf", features, packed(imatch(features, 2, 0.5, 0, 3, 2))
    for features in (FIRST, SECOND, HEAVY, []):
        yield "weightedminhash:slots=6", features, packed(copies(features, 6, 0))
        yield "weightedminhash:slots=3,width=64,seed=5", features, packed(copies(features, 3, 5), 64)
        yield "weightedminhash:slots=70,b=1,weight=length", features, packed(copies(features, 70, 0), b=1)
    yield "winnowing", [], ""
    yield "winnowing", ONE, winnowing(ONE, 4)
    for window in (1, 2, 4, 5, 17, 18):
        yield "winnowing:window=%d" % window, RUN, winnowing(RUN, window)
    yield "winnowing:window=4", ALTERED, winnowing(ALTERED, 4)


def main():
    missing = 0
    for arm, features, text in rows():
        name = arm.split(":")[0]
        row = "\t".join(("sketch", arm, " ".join("0x%x:%r" % f for f in features), text))
        if len(sys.argv) > 1:
            if sys.argv[1] == name:
                print(row)
        elif row not in open("tests/vectors/%s.tsv" % name, encoding="utf-8").read().split("\n"):
            missing += 1
            print("tests/vectors/%s.tsv lacks: %s" % (name, row))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
