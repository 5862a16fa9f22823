# SPDX-License-Identifier: GPL-3.0-or-later
"""homophone_judge.py CORPUS [LUNA] - judges the homophones of a corrupted corpus (with --edits) by dictionaries that the program does
not read: Xinhua Zidian and Hanyu Pinyin Fayin Zidian (Unihan's kTGHZ2013, kXHC1983), the frequency dictionary of modern Chinese
(kHanyuPinlu) and Hanyu Da Zidian (kHanyuPinyin); with LUNA, Rime's luna_pinyin.dict.yaml instead. Prints the number of substitutions
that both characters are known of, and the share of them that have a toneless reading in common."""
import bz2
import collections
import json
import re
import sys
import unicodedata

readings = collections.defaultdict(set)


def toneless(syllable):
    plain = unicodedata.normalize("NFD", syllable).replace("u\u0308", "v")
    return "".join(c for c in plain if not unicodedata.combining(c)).lower()


def read_unihan():
    for line in bz2.open("/usr/share/unicode/Unihan_Readings.txt.bz2", "rt", encoding="utf-8"):
        if not line.startswith("U+"):
            continue
        code, field, value = line.rstrip("\n").split("\t")
        if field not in ("kTGHZ2013", "kXHC1983", "kHanyuPinlu", "kHanyuPinyin"):
            continue
        for part in value.split():
            for syllable in re.sub(r"\(\d+\)", "", part.split(":")[-1]).split(","):
                readings[chr(int(code[2:], 16))].add(toneless(syllable))


def read_luna(path):
    body = False
    for line in open(path, encoding="utf-8"):
        fields = line.rstrip("\n").split("\t")
        body = body or line.startswith("...")
        if body and len(fields) >= 2 and len(fields[0]) == 1 and not line.startswith("#"):
            readings[fields[0]].add(fields[1].replace("ü", "v"))


read_luna(sys.argv[2]) if len(sys.argv) > 2 else read_unihan()
judged = agreed = 0
for line in open(sys.argv[1] + "/docs.jsonl", encoding="utf-8"):
    for _, before, after in json.loads(line).get("edits", []):
        assert before != after and len(before) == len(after) == 1, (before, after)
        if not readings[before] or not readings[after]:
            continue
        judged += 1
        # lve and nve are written lue and nue by some.
        common = {r.replace("ve", "ue") for r in readings[before]} & {r.replace("ve", "ue") for r in readings[after]}
        agreed += bool(common)
print(judged, round(agreed / judged, 5) if judged else 0)
