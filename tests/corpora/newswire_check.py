#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What newswire-zh promises in its datasheet, by means of its own.

    newswire_check.py labels CORPUS          documents, groups and pairs follow the stated rules; prints what does not
    newswire_check.py copies CORPUS MADE…    the copies of the stories are what `fplab corpus corrupt` made of them in the corpora MADE
    newswire_check.py kinds CORPUS           the table of kinds of the datasheet
    newswire_check.py views CORPUS DIR       a file of distances DIR/VIEW.tsv for each single class of evidence
    newswire_check.py table CORPUS DIR SUMMARY
                                             the table of the datasheet, from summary.tsv of a run of views (those of DIR) and arms; checks the
                                             views' average precision by the definition, and that none comes near an arm's"""
import collections
import functools
import hashlib
import heapq
import itertools
import json
import re
import statistics
import sys

VERSIONS = ["original", "reposted", "copied", "reprint", "abridged", "updated", "merged", "reworded", "retold"]
RETELLINGS = {"reworded", "retold"}  # in other words: they are paired with the original alone
LIKE_STORY = {"original", "reposted", "copied", "reprint", "updated"}  # the versions that a twin is paired with
COPIES = {("boilerplate+punctuation", 0.04): "reposted", ("homophone+delete+sentence_delete", 0.02): "copied"}  # kind and rate of fplab corpus corrupt
SAMPLED = {"same_subject": 500, "other_subject": 700}
ORIGINALS, SHORT, LONG = 120, 80, 2000  # at least so many, the shortest and the longest at least so far apart
TO_WEAKEST, TO_BEST = 0.1, 0.15  # how far every view stays below the weakest and below the best of the arms
BASIC_ARMS = ["simhash", "minhash", "jaccard", "cosine", "pinyin"]
SURNAMES = ("王李张刘陈杨赵黄周吴徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹"
            "孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤")


DICTIONARY = "/usr/lib/python3/dist-packages/jieba/dict.txt"


@functools.lru_cache(None)
def common_words():
    """Words of two characters that stand more than a hundred times in what jieba's dictionary was counted on."""
    with open(DICTIONARY, encoding="utf-8") as lines:
        rows = (line.split() for line in lines)
        return {row[0] for row in rows if len(row[0]) == 2 and int(row[1]) > 100}


def names(text):
    """A surname and the one or two Han characters behind it, but where it makes a common word with a neighbour (高速, 提高)."""
    found = re.finditer(f"[{SURNAMES}][一-鿿]{{1,2}}", text)
    return collections.Counter({name[0] for name in found if not {name[0][:2], text[max(name.start() - 1, 0):name.start() + 1]} & common_words()})


def sentence(text, which):
    found = [part for part in re.split(r"[。！？!?\n]", text) if part.strip()] or [""]
    return found[which] if which < len(found) else ""


def pieces(text, size):
    text = re.sub(r"\s+", "", text)
    return collections.Counter({text[i:i + size] for i in range(len(text) - size + 1)})


# Name, what it is, and what a text has of it, as a bag. Two texts are as alike as the bags: shared parts of all.
VIEWS = [
    ("digits", "numbers in digits", lambda text: collections.Counter(set(re.findall(r"\d+(?:[.,:]\d+)*", text)))),
    ("latin", "words in Latin letters", lambda text: collections.Counter(set(re.findall(r"[A-Za-z]+", text)))),
    ("punctuation", "punctuation marks", lambda text: collections.Counter(c for c in text if not c.isalnum() and not c.isspace())),
    ("names", "a surname and what follows it, but in common words", names),
    ("first", "pairs of characters of the title or first sentence", lambda text: pieces(sentence(text, 0), 2)),
    ("second", "pairs of characters of the sentence after it", lambda text: pieces(sentence(text, 1), 2)),
    ("last", "pairs of characters of the last sentence", lambda text: pieces(sentence(text, -1), 2)),
    ("length", "number of characters", lambda text: collections.Counter(characters=len(text))),
]


def read(corpus):
    with open(f"{corpus}/docs.jsonl", encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines]
    with open(f"{corpus}/pairs.tsv", encoding="utf-8") as lines:
        pairs = [tuple(line.rstrip("\n").split("\t")) for line in lines]
    return documents, pairs


def distances(view, documents, pairs):
    bags = {document["id"]: view(document["text"]) for document in documents}
    for a, b, *_ in pairs:
        either = (bags[a] | bags[b]).total()
        yield round(1 - (bags[a] & bags[b]).total() / either, 9) if either else 1.0


def average_precision(measured, pairs):
    """The sum over thresholds of precision times the recall that is added; pairs of one distance are one step."""
    steps = collections.defaultdict(lambda: [0, 0])
    for distance, pair in zip(measured, pairs):
        steps[distance][pair[2] == "1"] += 1
    found = called = area = 0
    for distance in sorted(steps):
        wrong, right = steps[distance]
        found, called = found + right, called + right + wrong
        area += right * found / called
    return area / found


def expected_pairs(documents):
    """All pairs that DATASHEET.md states, by its rules: {(a, b): (label, kind)}."""
    story = {d["id"]: d.get("twin_of", d["group"]) for d in documents}
    expected, left = {}, collections.defaultdict(list)
    for a, b in itertools.combinations(documents, 2):
        pair = a["id"], b["id"]
        if a["group"] == b["group"]:
            if not RETELLINGS & {a["version"], b["version"]} or "original" in (a["version"], b["version"]):
                expected[pair] = "1", max(a["version"], b["version"], key=VERSIONS.index)
        elif story[pair[0]] == story[pair[1]]:
            if LIKE_STORY & {a["version"], b["version"]}:  # the other one is the twin
                expected[pair] = "0", "twin"
        elif a["subject"] == b["subject"] and a["version"] == b["version"] == "template":
            expected[pair] = "0", "template"
        else:
            kind = "same_subject" if a["subject"] == b["subject"] else "other_subject"
            left[kind].append((hashlib.sha256("\t".join((kind,) + pair).encode()).hexdigest(), pair))
    for kind, number in SAMPLED.items():
        expected.update({pair: ("0", kind) for _, pair in heapq.nsmallest(number, left[kind])})
    return expected


def check_labels(corpus):
    documents, pairs = read(corpus)
    wrong = []

    def must(what, told):
        if not what:
            wrong.append(told)

    groups = collections.defaultdict(list)
    for d in documents:
        groups[d["group"]].append(d)
        must({"id", "text", "lang", "group", "subject", "version"} <= d.keys() <= {"id", "text", "lang", "group", "subject", "version", "genre", "title", "twin_of"}, f"members of {d['id']}")
        must(d["text"].strip() == d["text"] and all(c >= " " or c == "\n" for c in d["text"]), f"text of {d['id']}")
        must(d.get("title") is None or d["text"].startswith(d["title"] + "\n"), f"title of {d['id']}")
        must(("twin_of" in d) == (d["version"] == "twin"), f"twin_of of {d['id']}")
        must(d["id"].startswith(d["group"]), f"id of {d['id']}")
    must(len({d["id"] for d in documents}) == len(documents), "ids are not unique")
    must(len({d["text"] for d in documents}) == len(documents), "two documents have the same text")
    originals = [d for d in documents if d["version"] == "original"]
    must(len(originals) >= ORIGINALS, f"{len(originals)} originals")
    lengths = sorted(len(d["text"]) for d in originals)
    must(lengths[0] <= SHORT and lengths[-1] >= LONG, f"originals of {lengths[0]} to {lengths[-1]} characters")
    for name, group in groups.items():
        kinds = [d["version"] for d in group]
        if kinds in (["twin"], ["template"]):
            must(kinds == ["template"] or groups[group[0]["twin_of"]][0]["version"] == "original", f"twin {name} is of no story")
        else:
            must(kinds[0] == "original" and len(kinds) >= 3 and set(kinds[1:]) <= set(VERSIONS[1:]), f"versions of {name}: {kinds}")
            must(len({d["subject"] for d in group}) == 1, f"subjects of {name}")
    stated, expected = {(a, b): (label, kind) for a, b, label, kind in pairs}, expected_pairs(documents)
    must(len(stated) == len(pairs), "a pair stands twice")
    for pair in sorted(stated.keys() | expected.keys()):
        must(stated.get(pair) == expected.get(pair), f"{' '.join(pair)}: {stated.get(pair)}, and by the rules {expected.get(pair)}")
    print("\n".join(wrong[:10]))
    return bool(wrong)


def check_copies(corpus, *made):
    documents, _ = read(corpus)
    told = {(d["group"], d["version"]): d["text"] for d in documents if d["version"] in COPIES.values()}
    stories = {d["id"] for d in documents if d["version"] == "original"}
    again = {}
    for directory in made:
        with open(f"{directory}/docs.jsonl", encoding="utf-8") as lines:
            copies = [d for d in map(json.loads, lines) if d.get("of") in stories]
        again.update({(d["group"], COPIES[d["kind"], d["rate"]]): d["text"].strip() for d in copies})
    wrong = sorted(key for key in told.keys() | again.keys() if told.get(key) != again.get(key))
    print("\n".join(f"{'-'.join(key)} is not what the generator makes" for key in wrong[:10]))
    return bool(wrong) or len(told) != len(COPIES) * len(stories)


def print_kinds(corpus):
    documents, pairs = read(corpus)
    triples, digits = ({d["id"]: view(d["text"]) for d in documents} for view in (lambda text: pieces(text, 3), VIEWS[0][2]))
    found = collections.defaultdict(list)
    for a, b, label, kind in pairs:
        both = (triples[a] & triples[b]).total()
        alike = both / (triples[a].total() + triples[b].total() - both)
        found[kind, label].append((alike, (digits[a] & digits[b]).total()))
    print("| kind | label | pairs | median Jaccard of character triples | numbers in digits that both have, mean |\n|---|---|---|---|---|")
    for kind in VERSIONS[1:] + ["twin", "template", *SAMPLED]:
        label = "1" if kind in VERSIONS else "0"
        alike, shared = zip(*found.pop((kind, label)))
        print(f"| {kind} | {label} | {len(alike)} | {statistics.median(alike):.2f} | {statistics.mean(shared):.1f} |")
    return bool(found)


def write_views(corpus, directory):
    documents, pairs = read(corpus)
    for name, _, view in VIEWS:
        with open(f"{directory}/{name}.tsv", "w", encoding="utf-8") as file:
            file.writelines(f"{a}\t{b}\t{distance:.9f}\n" for (a, b, *_), distance in zip(pairs, distances(view, documents, pairs)))


def print_table(corpus, directory, summary):
    _, pairs = read(corpus)
    with open(summary, encoding="utf-8") as lines:
        header, *rows = [line.rstrip("\n").split("\t") for line in lines]
    told = {row[header.index("arm")]: [float(row[header.index("average_precision" + end)]) for end in ("", "_low", "_high")] for row in rows}
    wrong = []
    weakest, best = (choose(told[arm][0] for arm in BASIC_ARMS) for choose in (min, max))
    for name, *_ in VIEWS:
        with open(f"{directory}/{name}.tsv", encoding="utf-8") as lines:
            measured = average_precision([float(line.split("\t")[2]) for line in lines], pairs)
        if abs(measured - told[name][0]) > 1e-6:
            wrong.append(f"{name}: {told[name][0]}, and by the definition {measured}")
        if told[name][0] > min(weakest - TO_WEAKEST, best - TO_BEST):
            wrong.append(f"a giveaway: {name} has {told[name][0]:.3f}, the weakest arm {weakest:.3f}, the best {best:.3f}")
    share = sum(pair[2] == "1" for pair in pairs) / len(pairs)
    print("| what is compared | average precision | 95% interval |\n|---|---|---|")
    for name, title in [(name, title) for name, title, _ in VIEWS] + [(arm, f"`{arm}`, on the whole text") for arm in told if arm in BASIC_ARMS]:
        print(f"| {title} | {told[name][0]:.3f} | {told[name][1]:.3f}–{told[name][2]:.3f} |")
    print(f"| nothing (the share of positives) | {share:.3f} | |")
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit({"labels": check_labels, "copies": check_copies, "kinds": print_kinds, "views": write_views, "table": print_table}[sys.argv[1]](*sys.argv[2:]))
