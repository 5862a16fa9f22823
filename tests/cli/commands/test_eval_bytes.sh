#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# eval --bytes: sizes are those of arms that are written out, the ceiling is the exact arm's figure, and the bound is the expectation that
# Python computes exactly: the distance of each pair is binomial at its exact similarity, independent of the others; of query=real that of
# signs of normal sums, drawn anew for each pair.
. tests/support.sh
cat >"$work/check.py" <<'P'
import csv, json, math, os, random, subprocess, sys
fplab, source = sys.argv[1:]
rows = lambda text: list(csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
def run(*words): return subprocess.run([fplab, *words], check=True, capture_output=True, text=True).stdout
def near(what, a, b, off):
    if not abs(a - b) <= off: print(f"{what}: {a} and {b}"); bad.append(what)
bad = []

# A small set: 14 duplicates, 14 others, spread over the list.
pairs = [line.split("\t")[:3] for line in open(source + "/pairs.tsv", encoding="utf-8")]
chosen = [[p for p in pairs if p[2] == label] for label in "10"]
chosen = [group[i * len(group) // 14] for group in chosen for i in range(14)]
ids = {p[k] for p in chosen for k in (0, 1)}
os.mkdir("set")
with open("set/docs.jsonl", "w", encoding="utf-8") as out:
    for line in open(source + "/docs.jsonl", encoding="utf-8"):
        if json.loads(line)["id"] in ids: out.write(json.dumps({k: v for k, v in json.loads(line).items() if k in ("id", "text")}) + "\n")
with open("set/pairs.tsv", "w", encoding="utf-8") as out:
    out.write("".join("\t".join(p) + "\n" for p in chosen))

MIN = "minhash:features=words,slots=32,b=2"
ARMS = {"sim": "simhash", "real": "simhash:query=real", "min": MIN, "pinyin": "pinyin"}
arms = [word for name, spec in ARMS.items() for word in ("-a", spec + (":" if ":" not in spec else ",") + "name=" + name)]
subprocess.run([fplab, "eval", "set", *arms, "--bytes", "4..16", "--out", "run", "--plot-format", "svg"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
found = {(r["arm"], float(r["bytes"])): r for r in rows(open("run/bytes.tsv", encoding="utf-8").read())}
if sorted(found) != sorted([(a, float(b)) for a in ("sim", "real", "min") for b in (4, 8, 16)] + [("pinyin", 5.0)]): bad.append(f"sizes: {sorted(found)}")
if [found["min", b]["parameters"] for b in (4, 8, 16)] != ["slots=16", "slots=32", "slots=64"]: bad.append("slots")
if found["pinyin", 5]["parameters"] != "NA" or found["pinyin", 5]["bound"] != "NA": bad.append("pinyin")
value = lambda arm, size, column: float(found[arm, size][column])

# The same figures as arms of that size have, and as the exact arm has.
written = ["simhash:bits=32", "simhash:bits=128", "minhash:features=words,slots=16,b=2", "cosine:features=words,weight=logtf", "jaccard:features=words"]
subprocess.run([fplab, "eval", "set", *[w for a in written for w in ("-a", a)], "--out", "plain", "--no-plots"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
plain = {r["arm"]: r for r in rows(open("plain/summary.tsv", encoding="utf-8").read())}
for at, spec in zip((("sim", 4), ("sim", 16), ("min", 4)), written):
    for column in ("average_precision", "average_precision_low", "average_precision_high"): near(f"{spec} {column}", value(*at, column), float(plain[spec][column]), 1e-11)
    near(f"bound of {spec}", value(*at, "bound"), float(plain[spec]["average_precision_bound"]), 1e-11)
for arm, spec in (("sim", written[3]), ("real", written[3]), ("min", written[4])):
    exact = float(plain[spec]["average_precision"])
    near(f"ceiling of {arm}", value(arm, 8, "exact"), exact, 1e-11)
    near(f"gap of {arm}", value(arm, 8, "gap"), exact - value(arm, 8, "average_precision"), 1e-11)

# What is needed: from which size on all are near.
for r in rows(open("run/bytes-needed.tsv", encoding="utf-8").read()):
    number = lambda row, column: float(row[column].replace("NA", "nan"))
    for column, gap in (("bytes_needed", lambda row: number(row, "gap")), ("bytes_sure", lambda row: number(row, "gap_high")), ("bound_bytes", lambda row: number(row, "exact") - number(row, "bound"))):
        sizes = [b for (arm, b) in sorted(found) if arm == r["arm"]]
        near_from = [b for i, b in enumerate(sizes) if all(gap(found[r["arm"], c]) <= 0.01 for c in sizes[i:])]
        if r[column] != (f"{near_from[0]:g}" if near_from else "NA"): bad.append(f"{r['arm']} {column}: {r[column]}")

# The bound. Average precision is the mean over duplicates of TP/(TP + FP) at their own distance; TP and FP are sums of independent Bernoulli variables.
def count_law(shares):
    law = [1.0]
    for p in shares: law = [(law[k] * (1 - p) if k < len(law) else 0) + (law[k - 1] * p if k else 0) for k in range(len(law) + 1)]
    return law
def expected(places, differs, labels):
    pmf = [[math.comb(places, h) * p ** h * (1 - p) ** (places - h) for h in range(places + 1)] for p in differs]
    cdf = [[math.fsum(one[:h + 1]) for h in range(places + 1)] for one in pmf]
    duplicates, total = [i for i, l in enumerate(labels) if l], 0
    for h in range(places + 1):
        wrong = count_law([cdf[i][h] for i, l in enumerate(labels) if not l])
        for i in duplicates:
            if pmf[i][h] < 1e-13: continue
            right = count_law([cdf[j][h] for j in duplicates if j != i])
            total += pmf[i][h] * sum(a * b * (1 + t) / (1 + t + f) for t, a in enumerate(right) for f, b in enumerate(wrong))
    return total / len(duplicates)
def exact(spec):
    listed = rows(run("distances", "set", "--arm", spec))
    return [int(r["label"]) for r in listed], [float(r["distance"]) / 64 for r in listed]
labels, angles = exact(written[3])
for size in (4, 8, 16): near(f"bound of bits, {size} bytes", value("sim", size, "bound"), expected(8 * size, angles, labels), 4 * value("sim", size, "bound_error"))
labels, unlike = exact(written[4])
for size in (4, 8): near(f"bound of slots, {size} bytes", value("min", size, "bound"), expected(4 * size, [u * 0.75 for u in unlike], labels), 4 * value("min", size, "bound_error"))
if not all(0 < value(arm, 8, "bound_error") < 0.005 for arm in ("sim", "real", "min")): bad.append("errors of the bounds")

# Signs of sums, drawn: the share of the size of a query's sums that differs, both directions together.
def average_precision(distance, labels):
    return sum(sum(l for d, l in zip(distance, labels) if d <= own) / sum(d <= own for d in distance) for own, l in zip(distance, labels) if l) / sum(labels)
draw, drawn = random.Random(5), []
for _ in range(150):
    distance = []
    for angle in angles:
        c, s = math.cos(math.pi * angle), math.sin(math.pi * angle)
        both = [(x, c * x + s * draw.gauss(0, 1)) for x in (draw.gauss(0, 1) for _ in range(64))]
        distance.append(sum(sum(abs(p[k]) for p in both if (p[0] > 0) != (p[1] > 0)) / sum(abs(p[k]) for p in both) for k in (0, 1)))
    drawn.append(average_precision(distance, labels))
mean = sum(drawn) / len(drawn)
error = math.sqrt(sum((v - mean) ** 2 for v in drawn)) / len(drawn)
near("bound of a real query", value("real", 8, "bound"), mean, 4 * math.hypot(error, value("real", 8, "bound_error")) + 0.003) # the law is approximate
print(*bad, sep="\n", end="\n" if bad else "")
sys.exit(bool(bad))
P
cd "$work" || exit 1
/usr/bin/python3 check.py "$fplab" "$newswire" || complain "figures"
grep -q 'independent bits' run/plots/set-bytes.svg && grep -q 'independent bits' run/plots/set-quality.svg || complain "the bound is not in the pictures"

# For any number of threads.
for threads in 1 3; do
    OMP_NUM_THREADS=$threads "$fplab" eval set -a hyperplane -a supershingles --bytes 8,16 --out "by$threads" --no-plots >"said$threads" 2>/dev/null || complain "$threads threads"
done
cmp by1/bytes.tsv by3/bytes.tsv && cmp by1/bytes-needed.tsv by3/bytes-needed.tsv || complain "threads change figures"
"$fplab" eval set -a simhash -a pinyin --bytes 4..1024 >out 2>err || complain "$(cat err)"
grep -q '^simhash: no 32 bytes: bits=256 is out of bounds: bits takes 4 to 128 bits$' out || complain "what simhash cannot have: $(cat out)"
grep -q '^pinyin: no parameter scales its bytes; 5 bytes' out || complain "pinyin"

for wrong in 0 0..8 8..4 a 8,4 8,,9 '' 4.5 8.. -3 100000 4..200000; do refused 2 "--bytes takes A..B with 1 ≤ A ≤ B" "$fplab" eval set --bytes "$wrong"; done
refused 2 "no power of two lies in it; --bytes 5 measures" "$fplab" eval set --bytes 5..7
refused 2 "ask for others, such as its own 8, or leave the arm out" "$fplab" eval set -a simhash --bytes 128..256
refused 2 "4 bytes is not a whole number of slots" "$fplab" eval set -a minhash:b=3 --bytes 4
refused 2 "does not go with --level document" "$fplab" eval set --bytes 4..8 --level document
exit $bad
