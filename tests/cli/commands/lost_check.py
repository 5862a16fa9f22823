#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where recall is lost, once more and by other means: the classes of `fplab eval --lost` from the output of `fplab distances` (of each arm, and of the exact
measure beside it) and of `fplab fingerprint` (whose digits are cut into blocks and bands); and what the index brings of all labelled pairs by their similarity. Arguments: fplab, a corpus, a directory to work in."""
import collections
import itertools
import math
import subprocess
import sys

FPLAB, CORPUS, WORK = sys.argv[1:4]
THRESHOLDS = range(1, 41)

# Bits 63 … 0 as 16 hexadecimal digits: four blocks of 16 bits, or choices of 3 of 6 blocks of 11, 11, 11, 11, 10, 10 bits from the lowest up.
def hex_blocks(text):
    return [text[i:i + 4] for i in range(0, 16, 4)]


def six_blocks(text):
    value, blocks = int(text, 16), []
    for width in (11, 11, 11, 11, 10, 10):
        blocks.append(value & (1 << width) - 1)
        value >>= width
    return blocks


# 20 digits of four levels, three thermometer bits each: four blocks of 15 bits are five letters.
def letter_blocks(text):
    return [text[i:i + 5] for i in range(0, 20, 5)]


# 256 bits.
def wide_blocks(text):
    return [text[i:i + 16] for i in range(0, 64, 16)]


# 64 slots of 8 hexadecimal digits.
def bands(text, rows):
    return [text[i:i + 8 * rows] for i in range(0, 512 - 8 * rows + 1, 8 * rows)]


def from_angle(distance):
    return math.cos(math.pi * distance / 64)


def from_share(distance):
    return 1 - distance / 64


# Four levels are quarters of what frequencies differ by, of 20 letters.
def from_levels(distance):
    return 1 - distance / 80


# Arm, index, exact arm, keys of a fingerprint, how many must agree, what a distance of the sketch and of the exact measure stand for.
CASES = [
    ("simhash:features=chars:2,weight=logtf", "pigeonhole:blocks=4", "cosine:features=chars:2,weight=logtf", hex_blocks, 1, from_angle, from_angle),
    ("simhash:features=chars:2,weight=logtf", "pigeonhole:blocks=6,agree=3", "cosine:features=chars:2,weight=logtf", six_blocks, 3, from_angle, from_angle),
    ("hyperplane:features=words,weight=tf", "pigeonhole:blocks=4", "cosine:features=words,weight=tf", hex_blocks, 1, from_angle, from_angle),
    ("minhash:features=chars:3", "banding:bands=16,rows=4", "jaccard:features=chars:3", lambda text: bands(text, 4), 1, from_share, from_share),
    ("minhash:features=chars:3", "banding:bands=32,rows=2", "jaccard:features=chars:3", lambda text: bands(text, 2), 1, from_share, from_share),
    ("pinyin", "pigeonhole:blocks=4", "pinyin:levels=exact", letter_blocks, 1, from_levels, from_levels),
    ("nilsimsa", "pigeonhole:blocks=4", None, wide_blocks, 1, None, None),
]


def run(*arguments):
    return subprocess.run([FPLAB, *arguments], check=True, capture_output=True, text=True, encoding="utf-8").stdout


def rows(text):
    lines = text.rstrip("\n").split("\n")
    names = lines[0].split("\t")
    return [dict(zip(names, line.split("\t"))) for line in lines[1:]]


def distances(arm):
    return [(row["id_a"], row["id_b"], float(row["distance"]), row["label"] == "1") for row in rows(run("distances", "--corpus", CORPUS, "--arm", arm))]


def classes(case, h, near, exact, keys):
    _, _, _, _, agree, of_sketch, of_exact = case
    counts = collections.Counter()
    for i, (a, b, distance, _) in enumerate(near):
        brought = sum(x == y for x, y in zip(keys[a], keys[b])) >= agree
        within = exact and of_exact(exact[i][2]) >= of_sketch(h) - 1e-9
        if distance <= h and not brought:
            counts["lost_index"] += 1
        elif distance <= h:
            counts["found"] += 1
            counts["found_by_chance"] += bool(exact and not within)
        elif not exact:
            counts["lost_measure"] += 1
        else:
            counts["lost_sketch" if within else "lost_similarity"] += 1
    return counts


def candidates(case, keys):
    """Mean number of other documents with a key in common."""
    agree = case[4]
    documents = list(keys.values())
    found = sum(sum(x == y for x, y in zip(a, b)) >= agree for a in documents for b in documents)
    return found / len(documents) - 1


# Places of each block or band, beside the digits above.
WIDTHS = {hex_blocks: [16] * 4, six_blocks: [11, 11, 11, 11, 10, 10]}


def probability(case, similarity):
    """P[the keys of `agree` blocks or more, or of a band, are equal], over all sets of blocks that can be equal."""
    if case[5] is from_share:
        bands, of_band = (int(part.split("=")[1]) for part in case[1].split(":")[1].split(","))
        return 1 - (1 - similarity ** of_band) ** bands
    if case[5] is from_levels:
        same, widths = 1 - min(1, (1 - similarity) * 80 / 60), [15] * 4
    else:
        same, widths = 1 - math.acos(max(-1, min(1, similarity))) / math.pi, WIDTHS[case[3]]
    return sum(math.prod(same ** w if equal else 1 - same ** w for w, equal in zip(widths, chosen))
               for chosen in itertools.product((False, True), repeat=len(widths)) if sum(chosen) >= case[4])


def check_index(case, out, exact, keys):
    """index.tsv: all labelled pairs in tenths of their similarity, -1 to 1."""
    with open(out + "/index.tsv", encoding="utf-8") as stream:
        table = rows(stream.read())
    if not exact:
        assert not table, table
        return 0
    bins, ends = collections.defaultdict(list), collections.defaultdict(list)
    for a, b, distance, _ in exact:
        similarity = case[6](distance)
        brought = sum(x == y for x, y in zip(keys[a], keys[b])) >= case[4]
        tenth = math.floor((similarity + 1e-9) * 10) if similarity < 1 - 1e-9 else 9
        bins[tenth].append((similarity, brought, probability(case, similarity)))
        ends[tenth].append({a, b})
    assert len(table) == len(bins) and sum(int(row["pairs"]) for row in table) == len(exact), (case[0], table)
    for row in table:
        held = bins[round(float(row["low"]) * 10)]
        similarity, brought, expected = (sum(column) / len(held) for column in zip(*held))
        assert row["corpus"] == "newswire-zh" and row["arm"] == case[0] and row["index"] == case[1], row
        assert int(row["pairs"]) == len(held) and abs(float(row["high"]) - float(row["low"]) - 0.1) < 1e-9, (row, len(held))
        assert abs(float(row["similarity"]) - similarity) < 1e-6 and abs(float(row["brought"]) - brought) < 1e-9, (row, similarity, brought)
        assert abs(float(row["expected"]) - expected) < 1e-6, (row, expected)
        # Pairs that all share a document are no more than one unit, which has no interval.
        together = ends[round(float(row["low"]) * 10)]
        one = all(x & y for x in together for y in together)
        assert (row["brought_low"] == "NA") == (row["brought_high"] == "NA") == one, (row, together)
        assert one or float(row["brought_low"]) <= brought <= float(row["brought_high"]), row
    return len(table)


def check(case):
    arm, index, exact_arm, cut = case[:4]
    out = WORK + "/lost"
    run("eval", "--corpus", CORPUS, "--arm", arm, "--lost", "--index", index, "--out", out, "--no-plots", "--threshold", f"{THRESHOLDS[0]}..{THRESHOLDS[-1]}",
        "--replicates", "200")
    near, exact = distances(arm), distances(exact_arm) if exact_arm else None
    keys = {row["id"]: cut(row["fingerprint"]) for row in rows(run("fingerprint", "--corpus", CORPUS, "--arm", arm))}
    bins = check_index(case, out, exact, keys)
    near, exact = ([pair for pair in pairs if pair[3]] if pairs else None for pairs in (near, exact))
    with open(out + "/lost.tsv", encoding="utf-8") as stream:
        table = rows(stream.read())
    with open(out + "/lost-best.tsv", encoding="utf-8") as stream:
        table += rows(stream.read())
    assert len(table) == len(THRESHOLDS) + 1, len(table)
    seen, others = collections.Counter(), candidates(case, keys)
    for row in table:
        wanted = classes(case, float(row["threshold"]), near, exact, keys)
        total = 0
        for name in ("found", "lost_index", "lost_sketch", "lost_similarity", "lost_measure", "found_by_chance"):
            absent = (name == "lost_measure") == (exact is not None) and name not in ("found", "lost_index")
            if absent:
                assert row[name] == row[name + "_share"] == row[name + "_low"] == "NA", (arm, name, row)
                continue
            assert int(row[name]) == wanted[name], (arm, index, row["threshold"], name, row[name], wanted)
            share = float(row[name + "_share"])
            assert abs(share - wanted[name] / len(near)) < 1e-9 and float(row[name + "_low"]) <= share <= float(row[name + "_high"]), row
            seen[name] += wanted[name]
            total += wanted[name] if name != "found_by_chance" else 0
        assert total == int(row["positives"]) == len(near), row
        assert row["index"] == index and int(row["documents"]) == len(keys), row
        assert abs(float(row["candidates"]) - others) < 1e-6, (row["candidates"], others)
    return seen, bins


everything, tenths = collections.Counter(), 0
for one in CASES:
    classes_seen, bins_seen = check(one)
    everything += classes_seen
    tenths += bins_seen
assert tenths > 40, tenths
# All classes occur, so that none was checked in vain.
assert all(everything[name] > 20 for name in ("found", "lost_index", "lost_sketch", "lost_similarity", "lost_measure", "found_by_chance")), everything
print("note: classes of", len(CASES), "arms at", len(THRESHOLDS) + 1, "thresholds:", dict(everything), "and", tenths, "tenths of similarity")
