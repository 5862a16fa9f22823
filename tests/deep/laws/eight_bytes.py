#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
# Which fingerprints of at most 64 bits come close to what they estimate? Average precision of a grid of arms, averaged over hash seeds, beside the exact similarity of the same
# features, on the first edition of newswire-zh and on the shared sets where they are. Prints one table; docs/eight-bytes.md tells what was found.
#
#     tests/deep/laws/eight_bytes.py [SEEDS]
import csv, itertools, os, subprocess, sys, tempfile
from collections import defaultdict

fplab = os.environ.get("FPLAB", "build/bin/fplab")
seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
corpora = ["tests/data/newswire-zh"] + sorted(f"../shared/data/{d}" for d in os.listdir("../shared/data")
                                                if os.path.isfile(f"../shared/data/{d}/pairs.tsv")) if os.path.isdir("../shared/data") else ["tests/data/newswire-zh"]

FEATURES = ["words", "words:2", "chars:2", "chars:3", "chars:4"]
WEIGHTS = ["binary", "logtf", "tf", "idf", "tfidf", "levels"]
def arms(seed):
    for f, w in itertools.product(FEATURES, WEIGHTS):
        for c in ("none", "mean", "median"): yield f"simhash:features={f},weight={w},center={c}", f"hashseed={seed}"
        for top in (32, 128): yield f"simhash:features={f},weight={w},center=mean,top={top}", f"hashseed={seed}"
    for f in FEATURES:
        for b, slots in ((1, 64), (2, 32), (4, 16), (8, 8)): yield f"minhash:slots={slots},b={b},features={f}", f"seed={seed}"
    for levels, n in itertools.product((8, 4, 2), ("quantile", "deviation")): yield f"pinyin:levels={levels},normalise={n}", None
def exact_arms():
    for f, w in itertools.product(FEATURES, WEIGHTS): yield f"cosine:features={f},weight={w}"
    for f in FEATURES: yield f"jaccard:features={f}"

def evaluate(specs):
    with tempfile.TemporaryDirectory() as out:
        command = [fplab, "eval", "--no-plots", "--format", "tsv", "--out", out]
        for c in corpora: command += ["--corpus", c]
        for name, spec in specs: command += ["--arm", spec + (":" if ":" not in spec else ",") + "name=" + name]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        for row in csv.DictReader(open(f"{out}/summary.tsv", encoding="utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE):
            yield row["arm"], row["corpus"], float(row["average_precision"])

scores = defaultdict(lambda: defaultdict(list))
def run(specs):
    specs = list(specs)
    names = {f"a{i}": spec for i, (spec, _) in enumerate(specs)}
    full = [(f"a{i}", spec + ("," + extra if extra else "")) for i, (spec, extra) in enumerate(specs)]
    for start in range(0, len(full), 24):
        for name, corpus, value in evaluate(full[start:start + 24]): scores[names[name]][corpus].append(value)
    print(f"{len(specs)} arms", file=sys.stderr, flush=True)

run((spec, None) for spec in exact_arms())
for seed in range(1, seeds + 1): run(arms(seed))
names = [os.path.basename(c) for c in corpora]
print("\t".join(["arm"] + names + ["mean"]))
rows = [(spec, [sum(v[c]) / len(v[c]) for c in names]) for spec, v in scores.items()]
for spec, values in sorted(rows, key=lambda r: -sum(r[1])): print("\t".join([spec] + [f"{v:.4f}" for v in values] + [f"{sum(values) / len(values):.4f}"]))
