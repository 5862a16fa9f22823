#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""pinyin_parts_check.py FPLAB: finals, tones, syllables, levels and the exact distance of the pinyin arm once more, from Unihan's kMandarin,
with the spelling rules of the Scheme for the Chinese Phonetic Alphabet (1958) and Python's normal distribution. It reads neither
text/data/pinyin_syllables.txt nor a table of the program."""
import bz2
import collections
import json
import math
import re
import statistics
import subprocess
import sys
import unicodedata

FPLAB = sys.argv[1]
MARKS = {"\u0304": 1, "\u0301": 2, "\u030c": 3, "\u0300": 4}
# y and w stand for i, u and ü where a syllable has no consonant.
BARE = {"i": "i", "a": "ia", "e": "ie", "ao": "iao", "ou": "iu", "an": "ian", "in": "in", "ang": "iang", "ing": "ing", "ong": "iong", "o": "o"}
ROUND = {"u": "u", "a": "ua", "o": "uo", "ai": "uai", "ei": "ui", "an": "uan", "en": "un", "ang": "uang", "eng": "ueng"}
RHO, QUARTILE = 0.005, statistics.NormalDist().inv_cdf(0.75)


def parse(marked):
    letters, tone = "", 5
    for c in unicodedata.normalize("NFD", marked):
        tone = MARKS.get(c, tone)
        letters = letters[:-1] + "v" if c == "\u0308" else letters + ("" if unicodedata.combining(c) else c)
    return letters, tone


def final_of(syllable):
    if syllable[0] == "y":
        return "v" + syllable[2:] if syllable[1] == "u" else BARE[syllable[1:]]
    if syllable[0] == "w":
        return ROUND[syllable[1:]]
    consonant, rest = re.match("(zh|ch|sh|[bpmfdtnlgkhjqxrzcs]?)(.*)", syllable).groups()
    return "v" + rest[1:] if consonant and consonant in "jqx" and rest[0] == "u" else rest


first, all_of = {}, collections.defaultdict(set)
for line in bz2.open("/usr/share/unicode/Unihan_Readings.txt.bz2", "rt", encoding="utf-8"):
    if not line.startswith("U+"):
        continue
    code, field, value = line.rstrip("\n").split("\t")
    character = chr(int(code[2:], 16))
    if field in ("kMandarin", "kHanyuPinlu", "kTGHZ2013"):
        all_of[character] |= {parse(s) for part in value.split() for s in re.sub(r"\(\d+\)", "", part.split(":")[-1]).split(",")}
    if field == "kMandarin":
        first[character] = parse(value.split()[0])


def explain(arm, text):
    said = json.loads(subprocess.run([FPLAB, "explain", arm, "--format", "json", "--text", text], check=True, capture_output=True, text=True).stdout)
    return [row for row in said[0]["rows"] if row["initial"] != "-"], said[1]["rows"]


def read(text):
    """Syllable and tone of each character: those of kMandarin where the initial is the same, else one that Unihan has with this initial."""
    made = []
    for row in explain("pinyin:count=syllables", text)[0]:
        got, expected = (row["syllable"], int(row["tone"])), first[row["character"]]
        if expected[0][0] == row["initial"]:
            assert got == expected, (row, expected)
            counts["kMandarin"] += 1
        else:
            assert got in all_of[row["character"]] and got[0][0] == row["initial"], (row, all_of[row["character"]])
            counts["other"] += 1
        made.append(got)
    return made


def check_symbols(text, made):
    """Counts, deviations, levels and positions of finals and tones."""
    counted = collections.Counter([final_of(syllable) for syllable, _ in made] + [str(tone) for _, tone in made])
    for levels in ("4", "exact"):
        for row in explain(f"pinyin:count=finals+tones,levels={levels}", text)[1]:
            name = str(row["symbol"])
            assert row["count"] == counted[name], (row, counted[name])
            r, m = row["reference"], len(made)
            assert abs(r - references[name]) < 0.006, (row, references[name])
            if r < 0.002:
                continue  # four digits of the reference are too few for what follows
            z = (row["count"] / m - r) / math.sqrt(r * (1 - r) * (1 / m + RHO))
            assert abs(z - row["deviation"]) < 0.05 + 0.02 * abs(z), (row, z)
            z = row["deviation"]
            if levels == "4" and min(abs(z - b) for b in (-QUARTILE, 0, QUARTILE)) > 0.001:
                assert row["level"] == (z > -QUARTILE) + (z > 0) + (z > QUARTILE), row
            if levels == "exact":
                assert abs(row["level"] - statistics.NormalDist().cdf(z)) < 0.001, row


def expected_references():
    """Frequencies of finals and tones: 3/4 jieba's words, 1/4 Rime's, which has no tones; character by character."""
    parts = []
    for path, at, separator in (("/usr/lib/python3/dist-packages/jieba/dict.txt", 1, " "), ("/usr/share/rime-data/pinyin_simp.dict.yaml", 2, "\t")):
        seen, total = collections.Counter(), 0
        for line in open(path, encoding="utf-8"):
            fields = line.rstrip("\n").split(separator)
            if len(fields) <= at or not re.fullmatch(r"[\d.]+", fields[at]):
                continue
            for syllable, tone in (first[c] for c in fields[0] if c in first):
                if syllable in ("n", "ng", "m", "hm", "hng"):
                    continue
                weight = float(fields[at])
                seen[final_of(syllable)] += weight
                seen[str(tone)] += weight
                total += weight
        parts.append({name: value / total for name, value in seen.items()})
    return collections.defaultdict(float, {name: 0.75 * parts[0].get(name, 0) + 0.25 * parts[1].get(name, 0) for name in parts[0]})


counts, references = collections.Counter(), expected_references()
texts = [json.loads(line)["text"] for line in open("corpora/data/newswire-zh/docs.jsonl", encoding="utf-8")][:20:2]
texts = ["银行行长在重庆长大。", "東風夜放花千樹，更吹落，星如雨。"] + texts
for one in texts:
    check_symbols(one, read(one))
# Homophones and the script change no final and no syllable; tones they may.
assert explain("pinyin:count=syllables", "公程发盏很快")[1] == explain("pinyin:count=syllables", "工程發展很快")[1]
# The exact distance: 4 Σ|u − u′|; the positions u are told with three digits.
for count, symbols in (("initials", 20), ("tones", 5), ("finals", 36)):
    arm = f"pinyin:count={count},levels=exact"
    for a, b in zip(texts, texts[1:]):
        row = json.loads(subprocess.run([FPLAB, "compare", "-a", arm, "--format", "json", "--text", a, b], check=True, capture_output=True, text=True).stdout)[0]
        known = 4 * sum(abs(x["level"] - y["level"]) for x, y in zip(explain(arm, a)[1], explain(arm, b)[1]))
        assert abs(row["distance"] - known) < 4 * symbols * 0.001 and abs(row["similarity"] - 1 + row["distance"] / (4 * symbols)) < 1e-6, (arm, row, known)
assert counts["other"] < 0.06 * counts["kMandarin"] and counts["kMandarin"] > 2000, counts
print("note: readings of", sum(counts.values()), "characters:", dict(counts))
