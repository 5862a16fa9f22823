#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
# Which fingerprints of at most 64 stored bits come close to what they estimate? Average precision of arms under several hash seeds, beside the exact similarity. Prints the tables
# of docs/eight-bytes.md, which tells what was found.
#
#     tests/deep/laws/eight_bytes.py [SEEDS] [known|shipped|natural|draws|grid|minhash|bound]
#
# known: nine sets, of which the first edition of newswire-zh (tests/data) is one and those of ../shared/data are the others; shipped: corpora/data; natural: what `make corpora`
# makes (CORPORA, or build/corpora/natural); draws: single draws of the hyperplanes on the nine, of which users get number 0; grid: 176 arms on the nine, without errors; minhash: what the values of a query's slots tell beyond their b bits; bound: the nine
# sets with distances of 64 bits that are drawn anew for every pair at its exact angle, so that no pair suffers from a hash that others suffer from (`fplab eval --bytes 8`).
#
# Figures of one set are means over the seeds with their standard error. A mean over sets has two: over seeds, for these sets; and, of differences, which are paired by set and seed,
# over sets (the seeds are in it), for other sets like them.
import csv, itertools, math, os, subprocess, sys, tempfile
from collections import defaultdict

fplab = os.environ.get("FPLAB", "build/bin/fplab")
seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
part = sys.argv[2] if len(sys.argv) > 2 else "known"

def inside(place): return sorted(f"{place}/{d}" for d in os.listdir(place) if os.path.isfile(f"{place}/{d}/docs.jsonl")) if os.path.isdir(place) else []
SETS = {"known": lambda: ["tests/data/newswire-zh"] + inside("../shared/data"), "shipped": lambda: inside("corpora/data"),
        "natural": lambda: inside(os.environ.get("CORPORA", "build/corpora/natural"))}
SETS["grid"] = SETS["bound"] = SETS["draws"] = SETS["known"]
if part == "minhash":
    # Two sets of one size with Jaccard coefficient J, by drawn slots: what a real query's slots are worth beside b bits against b bits (algorithms/minhash.c), as a factor of the number
    # of slots. Bounds, by Fisher's information on c = |A and B| / |A|, of one direction: the smallest value of the query's slots; the two and the eight smallest; the two where the size
    # of the stored set is unknown. The last column is the estimator itself, both directions averaged: slots_saved() of minhash.c.
    import numpy
    draw, L = numpy.random.default_rng(1), 50
    def sets(J, b, slots):
        """The eight smallest values and b bits of each, of A and of B, in units of 1/size."""
        c = 2 * J / (1 + J)
        a, inside = numpy.cumsum(draw.exponential(size=(slots, L)), 1), draw.random((slots, L)) < c
        alone = numpy.cumsum(draw.exponential(size=(slots, 8)), 1) / (1 - c)
        bits, others = draw.integers(0, 2 ** b, size=(slots, L)), draw.integers(0, 2 ** b, size=(slots, 8))
        all_b, bits_b = numpy.concatenate([numpy.where(inside, a, 1e9), alone], 1), numpy.concatenate([bits, others], 1)
        order = numpy.argsort(all_b, axis=1)[:, :8]
        return (a[:, :8], bits[:, :8]), (numpy.take_along_axis(all_b, order, 1), numpy.take_along_axis(bits_b, order, 1))
    def shares(e, c, r, K):
        w = c * (1 - c) ** numpy.arange(K) * numpy.exp(-r * e[:, :K])
        return w, w * (1 / c - numpy.arange(K) / (1 - c)), -w * e[:, :K]
    def cells(bits, K, b, w, m):
        return (w * (bits[:, :K] == m)).sum(1) + (1 - w.sum(1)) / 2 ** b, lambda d: (d * (bits[:, :K] == m)).sum(1) - d.sum(1) / 2 ** b
    def information(e, bits, J, K, b):
        c = 2 * J / (1 + J)
        w, by_c, by_r = shares(e, c, 1 - c, K)
        total = numpy.zeros((2, 2))
        for m in range(2 ** b):
            f, part = cells(bits, K, b, w, m)
            slopes = part(by_c), part(by_r)
            total += [[(x * y / f).mean() for x in slopes] for y in slopes]
        return total
    def estimator(J, b, A, B):
        c, rho, h, sum_of = 2 * J / (1 + J), 2.0 ** (1 - b), 1e-3, 0
        for (e, bits), (_, other) in ((A, B), (B, A)):
            w, by_c, by_r = shares(e, 0.5, 0.5, 2)
            def score(m):
                f, part = cells(bits, 2, b, w, m)
                return part(by_c - rho * by_r) / f
            same, far = bits[:, 0] == bits[:, 1], 1 << 62  # a pattern that neither has
            rest = score(far)
            gain = score(bits[:, :1]) - rest, numpy.where(same, 0, score(bits[:, 1:2]) - rest)
            def expected(c):
                w = shares(e, c, 1 - c, 2)[0]
                by_chance = (1 - w.sum(1)) / 2 ** b
                return gain[0] * (w[:, 0] + same * w[:, 1] + by_chance) + gain[1] * (w[:, 1] + by_chance)
            of = lambda J: 2 * J / (1 + J)
            slope = (expected(of(J + h)).mean() - expected(of(J - h)).mean()) / 2 / h
            sum_of = sum_of + (gain[0] * (other[:, 0] == bits[:, 0]) + gain[1] * (other[:, 0] == bits[:, 1]) - expected(c)) / slope / 2
        return sum_of.var()
    print("b\tJaccard\tbound: smallest\ttwo\teight\ttwo, size unknown\tquery=real")
    for b, J in itertools.product((1, 2, 3, 4, 6, 12), (0.002, 0.25, 0.5, 0.75, 0.98)):
        (A, B), c, q, row = sets(J, b, 100000 * seeds), 2 * J / (1 + J), 1 - 2.0 ** -b, []
        p = J * q + 2.0 ** -b
        plain = p * (1 - p) / q ** 2
        for K in (1, 2, 8, 2):
            known = information(*A, J, K, b) if b <= 6 else None
            if known is None: row.append("")
            elif len(row) < 3: row.append(f"{plain * (known[0, 0] - 2 * known[0, 1] + known[1, 1]) / (2 / (2 - c) ** 2) ** 2:.3f}")
            else:
                slope = numpy.array([1 / (2 - c), -c / (2 - c) ** 2])
                row.append(f"{plain / (slope @ numpy.linalg.solve(known, slope)):.3f}")
        print(f"{b}\t{J:.3f}\t" + "\t".join(row) + f"\t{plain / estimator(J, b, A, B):.3f}", flush=True)
    sys.exit()
corpora = SETS[part]()
names = [os.path.basename(c) for c in corpora]
LABELS = {"en_clough_stevenson": "clough", "en_scancode_licenses": "scancode", "zhTW_quantangshi_two_editions": "quantangshi", "zhTW_sighan_typos": "sighan",
          "zh_cross_script_poems": "cross", "zh_pawsx": "pawsx", "zh_prc_law_revisions": "prc", "zh_sohu_event": "sohu"}
def label(name): return LABELS.get(name, name)
if not corpora: sys.exit("eight_bytes.py: no sets; ../shared/data, or `make corpora`")

if part == "bound":
    print("| similarity |  | " + " | ".join(map(label, names)) + " | mean |\n" + "| --- " * (len(names) + 3) + "|")
    for weight in ("logtf", "damped"):
        rows = defaultdict(list)
        for c in corpora:
            with tempfile.TemporaryDirectory() as out:
                subprocess.run([fplab, "eval", c, "-a", f"simhash:weight={weight},name=bits", "-a", f"simhash:weight={weight},query=real,name=real", "--bytes", "8",
                                "--hash-seeds", "1", "--no-plots", "--out", out], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                for row in csv.DictReader(open(f"{out}/bytes.tsv", encoding="utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE):
                    if row["arm"] == "bits": rows["exact"].append((float(row["exact"]), 0))
                    rows[{"bits": "64 bits", "real": "64 bits, real query"}[row["arm"]]].append((float(row["bound"]), float(row["bound_error"])))
        for name, values in rows.items():
            cell = (lambda v, e, d: f"{v:.3f} ± {e:.{d}f}") if name != "exact" else (lambda v, e, d: f"{v:.3f}")
            total = sum(v for v, _ in values) / len(values), math.sqrt(sum(e * e for _, e in values)) / len(values)
            print(f"| `cosine:features=words,weight={weight}` | {name} | " + " | ".join(cell(v, e, 3) for v, e in values) + " | " + cell(*total, 4) + " |")
    sys.exit()

DEFAULT, REAL = "simhash", "simhash:query=real"
EXACT = ["cosine:features=words,weight=logtf", "cosine:features=words,weight=damped", "cosine:features=words,weight=damped,idf=builtin", "cosine:features=words,weight=bm25"]
ARMS = [DEFAULT, "simhash:center=median", "simhash:weight=damped", "simhash:weight=damped,idf=builtin", "simhash:weight=damped,center=median", "simhash:weight=bm25",
        "simhash:weight=levels,center=median", "minhash:slots=64,b=1,features=words", "minhash:slots=64,b=1,features=words,query=real", REAL, "simhash:query=real,center=median", "simhash:query=real,weight=damped",
        "simhash:query=real,weight=damped,idf=builtin", "simhash:query=real,weight=damped,center=median", "simhash:query=real,weight=bm25",
        "hyperplane:features=words,weight=logtf,query=real", "hyperplane:features=words,weight=damped,query=real", "simhash:bits=128", "simhash:bits=128,query=real"]
# On the nine known sets these as well.
MORE = ["simhash:features=chars:2,weight=tf", "simhash:weight=tf", "simhash:weight=idf,center=median", "simhash:weight=levels", "simhash:weight=levels,center=mean",
        "simhash:center=mean,top=128", "simhash:weight=levels,center=mean,top=128", "simhash:weight=tfidf,center=mean,top=128", "simhash:weight=binary,center=mean,top=128",
        "simhash:weight=levels,center=mean,top=32", "simhash:features=words:2,center=mean", "simhash:features=chars:3,weight=binary,center=median",
        "simhash:features=chars:3,center=mean", "minhash:slots=32,b=2,features=words", "minhash:slots=16,b=4,features=words", "minhash:slots=16,b=4,features=words,query=real", "minhash:slots=8,b=8,features=words",
        "pinyin:levels=8", "pinyin:levels=4", "pinyin:levels=2", "pinyin:levels=8,normalise=deviation"]
if part == "known": ARMS = ARMS[:9] + MORE + ARMS[9:]

FEATURES = ["words", "words:2", "chars:2", "chars:3", "chars:4"]
WEIGHTS = ["binary", "logtf", "tf", "idf", "tfidf", "levels"]
def grid():
    for f, w in itertools.product(FEATURES, WEIGHTS):
        for c in ("none", "mean", "median"): yield f"simhash:features={f},weight={w},center={c}"
        for top in (32, 128): yield f"simhash:features={f},weight={w},center=mean,top={top}"
    for f in FEATURES:
        for b, slots in ((1, 64), (2, 32), (4, 16), (8, 8)): yield f"minhash:slots={slots},b={b},features={f}"
    for levels, n in itertools.product((8, 4, 2), ("quantile", "deviation")): yield f"pinyin:levels={levels},normalise={n}"
def grid_exact():
    for f, w in itertools.product(FEATURES, WEIGHTS): yield f"cosine:features={f},weight={w}"
    for f in FEATURES: yield f"jaccard:features={f}"

def drawn(spec, seed):
    """The arm under a seed of the term hash, for which eval averages over ten draws of the hyperplanes; of minhash and of `draws` one draw; None where nothing is drawn."""
    if spec.startswith(("cosine", "jaccard", "pinyin")): return None
    return spec + (":" if ":" not in spec else ",") + ("seed" if spec.startswith("minhash") or part == "draws" else "hashseed") + f"={seed}"

def evaluate(specs):
    with tempfile.TemporaryDirectory() as out:
        command = [fplab, "eval", "--no-plots", "--format", "tsv", "--out", out]
        for c in corpora: command += ["--corpus", c]
        for name, spec in specs: command += ["--arm", spec + (":" if ":" not in spec else ",") + "name=" + name]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for row in csv.DictReader(open(f"{out}/summary.tsv", encoding="utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE):
            yield row["arm"], row["corpus"], float(row["average_precision"])

scores = defaultdict(lambda: defaultdict(dict))  # arm, set, seed
def run(specs, seed):
    specs = [(spec, drawn(spec, seed) or spec) for spec in specs if drawn(spec, seed) or seed is None or spec not in scores]
    for start in range(0, len(specs), 6): # more at once are compared pair by pair, which takes longer than they do
        some = specs[start:start + 6]
        for name, corpus, value in evaluate([(f"a{i}", full) for i, (_, full) in enumerate(some)]): scores[some[int(name[1:])][0]][corpus][seed if drawn(some[int(name[1:])][0], 1) else None] = value
    print(f"seed {seed}: {len(specs)} arms", file=sys.stderr, flush=True)

def mean(values): return sum(values) / len(values)
def variance(values): return sum((v - mean(values)) ** 2 for v in values) / (len(values) - 1) if len(values) > 1 else 0
def paired(a, b, corpus):
    """Differences by seed; what has no seed is paired with every one."""
    left, right = scores[a][corpus], scores[b][corpus]
    return [left.get(s, left.get(None)) - right.get(s, right.get(None)) for s in range(1, seeds + 1)]
def of_seeds(values_by_set): return math.sqrt(sum(variance(v) / len(v) for v in values_by_set)) / len(values_by_set)
def row(*cells): print("| " + " | ".join(cells) + " |")
def head(*cells): row(*cells), row(*["---"] * len(cells))

if part == "grid":
    run(grid_exact(), None)
    for seed in range(1, seeds + 1): run(list(grid()), seed)
    print("\t".join(["arm"] + names + ["mean"]))
    rows = [(spec, [mean(list(v[c].values())) for c in names]) for spec, v in scores.items()]
    for spec, values in sorted(rows, key=lambda r: -sum(r[1])): print("\t".join([spec] + [f"{v:.4f}" for v in values] + [f"{mean(values):.4f}"]))
    sys.exit()

def values(spec, c): return [v for s, v in scores[spec][c].items() if s != 0]
def short(spec): return f"`{spec}`"

if part == "draws":
    for seed in range(0, seeds + 1): run([DEFAULT, REAL], seed)
    print(f"The default hash seed, seed=0, beside {seeds} others\n")
    head("set", *[f"{short(a)}: {what}" for a in (DEFAULT, REAL) for what in ("seed=0", "mean of the others", "standard deviation")])
    for c in names:
        row(label(c), *[f"{v:.3f}" for a in (DEFAULT, REAL) for v in (scores[a][c][0], mean(values(a, c)), math.sqrt(variance(values(a, c))))])
    sys.exit()

run(EXACT, None)
for seed in range(1, seeds + 1): run(ARMS, seed)

print(f"Average precision, mean over {seeds} hash seeds ± its standard error\n")
head("arm", *map(label, names), "mean")
for spec in EXACT + ARMS: # what has no seed has no error
    each = [values(spec, c) for c in names]
    cell = (lambda v: f"{mean(v):.3f}") if len(each[0]) == 1 else (lambda v: f"{mean(v):.3f} ± {math.sqrt(variance(v) / len(v)):.3f}")
    total = f"{mean([mean(v) for v in each]):.3f}" + (f" ± {of_seeds(each):.4f}" if len(each[0]) > 1 else "")
    row(short(spec), *map(cell, each), total)

print("\nDifferences, paired by set and seed\n")
head("arm", "less", "mean", "± over seeds, these sets", "± over sets", "sets where it is above 0")
PAIRS = [(a, DEFAULT) for a in ARMS[1:]] + [(a, "simhash:bits=128") for a in (REAL, "simhash:query=real,weight=damped")] + [(a, REAL) for a in ARMS if "query=real" in a and a != REAL] + [(a, a.replace(",query=real", "")) for a in ARMS if a.startswith("minhash") and "query=real" in a]
for a, b in PAIRS:
    each = [paired(a, b, c) for c in names]
    sets = [mean(v) for v in each]
    row(short(a), short(b), f"{mean(sets):+.4f}", f"{of_seeds(each):.4f}", f"{math.sqrt(variance(sets) / len(sets)):.4f}", f"{sum(v > 0 for v in sets)} of {len(sets)}")

CANDIDATES = {"symmetric": [a for a in ARMS if "query=real" not in a and "bits=128" not in a], "query=real": [a for a in ARMS if "query=real" in a and "bits=128" not in a]}
for kind, candidates in CANDIDATES.items():
    if len(names) < 3: break
    print(f"\nChosen on the other sets, measured on the one left out: {kind}\n")
    head("set left out", "arm chosen", "its average precision", "default", "difference")
    gains, own = [], []
    for c in names:
        best = max(candidates, key=lambda a: mean([mean(values(a, o)) for o in names if o != c]))
        gains.append(mean(paired(best, DEFAULT, c))), own.append(mean(values(best, c)))
        row(label(c), short(best), f"{own[-1]:.3f}", f"{mean(values(DEFAULT, c)):.3f}", f"{gains[-1]:+.3f}")
    row("mean", "", f"{mean(own):.3f}", f"{mean([mean(values(DEFAULT, c)) for c in names]):.3f}", f"{mean(gains):+.4f} ± {math.sqrt(variance(gains) / len(gains)):.4f}")
