#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What newswire-zh promises in its datasheet, by means of its own.

    newswire_check.py labels CORPUS          documents, groups and pairs follow the stated rules; prints what does not
    newswire_check.py pairs CORPUS           writes pairs.tsv by the stated rules
    newswire_check.py copies CORPUS MADE…    reposted and copied texts are what `fplab corpus corrupt` made in the corpora MADE
    newswire_check.py kinds CORPUS           the table of kinds of the datasheet
    newswire_check.py balance CORPUS         its table of form; complains where positive and negative pairs differ in it
    newswire_check.py kept CORPUS FILE       distances: one less the share of the shorter text that the longer one has
    newswire_check.py shares STRATA          the table of average precision by kind, from strata.tsv of a run
    newswire_check.py views CORPUS DIR       a file of distances DIR/VIEW.tsv for each single class of evidence
    newswire_check.py table CORPUS DIR SUMMARY GIVEAWAYS
                                             its table of label leakage, from summary.tsv of a run of views (those of DIR) and arms and from the rows of
                                             `fplab corpus giveaways`; checks the views' average precision by the definition, and the limits
    newswire_check.py trees CORPUS           average precision of scikit-learn's boosted trees on the same form; exit 77 without python3-sklearn"""
import bisect
import collections
import functools
import hashlib
import itertools
import json
import math
import re
import statistics
import sys
import unicodedata

Bag = collections.Counter
VERSIONS = ["original", "reposted", "copied", "reprint", "abridged", "edited", "merged", "reworded", "retold"]
OTHERS = ["linked", "updated", "twin", "template"]
COPIES = {("boilerplate+punctuation", 0.08): "reposted", ("boilerplate+punctuation", 0.15): "reposted", ("boilerplate+punctuation", 0.3): "reposted",
          ("boilerplate+punctuation+homophone+delete", 0.05): "copied", ("boilerplate+punctuation+homophone+delete", 0.1): "copied"}  # kind and rate of fplab corpus corrupt
BANDS = [(0.7, "reworded-80"), (0.5, "reworded-60"), (0.3, "reworded-40"), (0, "reworded-20")]
HARD = {"merged", "retold", "twin", "template", "follow_up", "partial"} | {name for _, name in BANDS}
POSITIVE = ["reposted", "copied", "reprint", "abridged", *(name for _, name in BANDS), "retold", "merged"]
NEGATIVE = ["twin", "template", "follow_up", "partial", "same_subject", "other_subject"]
LIMITS = {"reworded-80": 70, "reworded-20": 300, "retold": 90, "merged": 140}  # positive pairs of a kind, where not all
RUN = 8  # characters
ORIGINALS, SHORT, LONG = 120, 80, 2000  # at least so many, the shortest and the longest at least so far apart
TO_WEAKEST, TO_BEST = 0.1, 0.15  # how far every view stays below the weakest and below the best of the arms
FORM_HARD, FORM_WHOLE = 0.1, 0.1  # form: at most so far above the share of positives in the hard part, at least so far below jaccard in all
APART = 0.15  # standard deviations between the means of positive and negative pairs, in every feature of form
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
    return Bag({name[0] for name in found if not {name[0][:2], text[max(name.start() - 1, 0):name.start() + 1]} & common_words()})


def sentence(text, which):
    found = [part for part in re.split(r"[。！？!?\n]", text) if part.strip()] or [""]
    return found[which] if which < len(found) else ""


def pieces(text, size):
    text = re.sub(r"\s+", "", text)
    return Bag({text[i:i + size] for i in range(len(text) - size + 1)})


def digits(text):
    return Bag(set(re.findall(r"\d+(?:[.,:]\d+)*", text)))


# Name, what it is, and what a text has of it, as a bag. Two texts are as alike as the bags: shared parts of all.
VIEWS = [
    ("digits", "numbers in digits", digits),
    ("latin", "words in Latin letters", lambda text: Bag(set(re.findall(r"[A-Za-z]+", text)))),
    ("punctuation", "punctuation marks", lambda text: Bag(c for c in text if not c.isalnum() and not c.isspace())),
    ("names", "a surname and what follows it, but in common words", names),
    ("first", "pairs of characters of the title or first sentence", lambda text: pieces(sentence(text, 0), 2)),
    ("second", "pairs of characters of the sentence after it", lambda text: pieces(sentence(text, 1), 2)),
    ("last", "pairs of characters of the last sentence", lambda text: pieces(sentence(text, -1), 2)),
    ("length", "number of characters", lambda text: Bag(characters=len(text))),
]


def read(corpus):
    with open(f"{corpus}/docs.jsonl", encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines]
    with open(f"{corpus}/pairs.tsv", encoding="utf-8") as lines:
        pairs = [tuple(line.rstrip("\n").split("\t")) for line in lines]
    return documents, pairs


def digest(*parts):
    return hashlib.sha256("\t".join(parts).encode()).hexdigest()


def alike(a, b):
    """−1 where neither has anything, −0.5 where one has nothing."""
    if not a or not b:
        return -1.0 if not a and not b else -0.5
    both = sum((a & b).values())
    return both / (sum(a.values()) + sum(b.values()) - both)


# Which pairs there are, and what they are.

def kept(a, b):
    """The share of the shorter text, without white space, in runs of RUN characters or more that the longer one has."""
    short, long = sorted((re.sub(r"\s+", "", text) for text in (a, b)), key=len)
    runs, marked = {long[i:i + RUN] for i in range(len(long) - RUN + 1)}, bytearray(len(short))
    for i in range(len(short) - RUN + 1):
        if short[i:i + RUN] in runs:
            marked[i:i + RUN] = b"\1" * RUN
    return sum(marked) / len(short)


def relation(a, b):
    """Label and kind of two documents, by the decision table; None where the set does not say."""
    if a["story"] != b["story"]:
        return "0", "same_subject" if a["subject"] == b["subject"] else "other_subject"
    if a["event"] != b["event"]:
        if a["event"] == b.get("also") or b["event"] == a.get("also"):
            return "0", "partial"
        if a.get("also") and a.get("also") == b.get("also"):
            return None  # both end with the same other report
        return "0", "twin" if re.search(r"\d", a["story"]) else "template"
    if a["state"] != b["state"]:
        return "0", "follow_up"
    copy = "copied" if "copied" in (a["version"], b["version"]) else "reposted"
    if a.get("of", a["id"]) == b.get("of", b["id"]):
        return "1", copy
    if "part" in a or "part" in b:
        return None if "part" in a and "part" in b else ("0", "partial")
    if "also" in a or "also" in b:
        return None if "also" in a and "also" in b else ("1", "merged")
    versions = [d.get("of_version", d["version"]) for d in (a, b)]
    versions = [version if version in VERSIONS else "original" for version in versions]
    last = max(versions, key=VERSIONS.index)
    if "abridged" in versions and not {"original", "reprint"} & set(versions):
        return None  # each may leave out what the other has
    if last in ("edited", "reworded"):
        share = kept(a["text"], b["text"])
        return "1", next(name for least, name in BANDS if share >= least)
    return "1", copy if last == "original" else last


FEATURES = ["characters of the shorter, logarithm", "ratio of characters", "ratio of sentences", "ratio of lines", "first 10 characters", "last 10 characters",
            "short lines and brackets", "punctuation marks"]


def form(text):
    plain = unicodedata.normalize("NFKC", text)
    visible = re.sub(r"\s+", "", plain)
    lines = [line.strip() for line in plain.split("\n") if line.strip()]
    inserts = re.findall(r"[(\[【〔]([^()\[\]【】〔〕\n]{1,20})[)\]】〕]", plain) + [line for line in lines[1:-1] if len(line) <= 20]
    return dict(characters=len(visible), sentences=len([part for part in re.split(r"[。!?\n]", plain) if part.strip()]), lines=len(lines),
                ends=[Bag(end[i:i + 2] for i in range(9)) for end in (visible[:10], visible[-10:])], inserts=Bag(inserts),
                marks=Bag(c for c in visible if not c.isalnum()))


def features(a, b):
    """The form of two texts, in the order of FEATURES; similarities are Jaccard's of bags of two characters, of inserts, of marks."""
    ratio = [min(a[name], b[name]) / max(a[name], b[name]) for name in ("characters", "sentences", "lines")]
    return [math.log(min(a["characters"], b["characters"])), *ratio, alike(a["ends"][0], b["ends"][0]), alike(a["ends"][1], b["ends"][1]),
            alike(a["inserts"], b["inserts"]), alike(a["marks"], b["marks"])]


# Where features are cut, in the hard part and in the other.
CUTS = {True: [[math.log(150), math.log(250), math.log(320)], [0.4, 0.6, 0.8], [0.5, 0.75], [0.5, 0.8], [0.05, 0.3, 0.7], [0.05, 0.3, 0.7], [-0.7, -0.2, 0.1],
               [0.4, 0.6, 0.8]],
        False: [[math.log(150), math.log(270), math.log(500)], [0.5, 0.7, 0.85, 0.95], [0.5, 0.7, 0.9], [0.5, 0.7, 0.9], [0.05, 0.1, 0.2, 0.4], [0.05, 0.1, 0.2, 0.4],
                [-0.7, -0.2, 0.1, 0.5], [0.4, 0.5, 0.6, 0.7, 0.8, 0.9]]}


def cell(a, b, hard):
    return (hard, *(bisect.bisect_right(cuts, value) for cuts, value in zip(CUTS[hard], features(a, b))))


def chosen_pairs(documents):
    """Pairs by cells of equal form: in each as many positive as negative ones, those of the least digest. {(a, b): (label, kind)}, a before b in the
    file."""
    forms = {d["id"]: form(d["text"]) for d in documents}
    cells, limited = collections.defaultdict(lambda: {"0": [], "1": []}), collections.defaultdict(list)

    def add(a, b, label, kind):
        cells[cell(forms[a["id"]], forms[b["id"]], kind in HARD)][label].append((digest(a["id"], b["id"]), a["id"], b["id"], label, kind))

    for a, b in itertools.combinations(documents, 2):
        what = relation(a, b)
        if what and what[1] in LIMITS:
            limited[what[1]].append((digest("limit", a["id"], b["id"]), a, b, *what))
        elif what:
            add(a, b, *what)
    for kind, found in limited.items():
        for _, a, b, label, _ in sorted(found, key=lambda row: row[0])[:LIMITS[kind]]:
            add(a, b, label, kind)
    return {row[1:3]: row[3:] for both in cells.values() for rows in both.values() for row in sorted(rows)[:min(map(len, both.values()))]}


def write_pairs(corpus):
    documents, _ = read(corpus)
    chosen = chosen_pairs(documents)
    with open(f"{corpus}/pairs.tsv", "w", encoding="utf-8") as file:
        file.writelines("\t".join(pair + chosen[pair]) + "\n" for pair in sorted(chosen, key=lambda pair: digest(*pair)))


def check_labels(corpus):
    documents, pairs = read(corpus)
    wrong = []

    def must(what, told):
        if not what:
            wrong.append(told)

    by_id, groups = {d["id"]: d for d in documents}, collections.defaultdict(list)
    for d in documents:
        groups[d["group"]].append(d)
        must({"id", "text", "lang", "group", "story", "event", "state", "subject", "version"} <= d.keys()
             <= {"id", "text", "lang", "group", "story", "event", "state", "subject", "version", "genre", "title", "of", "of_version", "part", "also"}, f"members of {d['id']}")
        must(d["text"].strip() == d["text"] and all(c >= " " or c == "\n" for c in d["text"]), f"text of {d['id']}")
        must(d.get("title") is None or d["text"].startswith(d["title"] + "\n"), f"title of {d['id']}")
        must(d["version"] in VERSIONS + OTHERS and ("of" in d) == (d["version"] in COPIES.values()), f"version of {d['id']}")
        must("of" not in d or by_id[d["of"]]["version"] == d["of_version"], f"source of {d['id']}")
        must(d["id"].startswith(d["story"]), f"id of {d['id']}")
    must(len(by_id) == len(documents), "ids are not unique")
    must(len({d["text"] for d in documents}) == len(documents), "two documents have the same text")
    must([d["id"] for d in documents] == sorted(by_id, key=digest), "documents are not in the order of their digests")
    originals = [d for d in documents if d["version"] == "original"]
    must(len(originals) >= ORIGINALS, f"{len(originals)} originals")
    lengths = sorted(len(d["text"]) for d in originals)
    must(lengths[0] <= SHORT and lengths[-1] >= LONG, f"originals of {lengths[0]} to {lengths[-1]} characters")
    for name, group in groups.items():
        sources = {d.get("of", d["id"]) for d in group}
        must(len({(d["event"], d["state"]) for d in group}) == 1, f"events of {name}")
        must(len(sources) == 1 or not any("part" in d for d in group), f"{name} has a partial text")
    must([pair[:2] for pair in pairs] == sorted((pair[:2] for pair in pairs), key=lambda pair: digest(*pair)), "pairs are not in the order of their digests")
    for a, b, label, _ in pairs:
        must((by_id[a]["group"] == by_id[b]["group"]) == (label == "1"), f"{a} {b}: groups say otherwise")
    stated, expected = {pair[:2]: pair[2:] for pair in pairs}, chosen_pairs(documents)
    must(len(stated) == len(pairs), "a pair stands twice")
    for pair in sorted(stated.keys() | expected.keys()):
        must(stated.get(pair) == expected.get(pair), f"{' '.join(pair)}: {stated.get(pair)}, and by the rules {expected.get(pair)}")
    print("\n".join(wrong[:10]))
    return bool(wrong)


def check_copies(corpus, *made):
    documents, _ = read(corpus)
    told = {d["id"]: d["text"] for d in documents if "of" in d}
    again = {}
    for directory in made:
        with open(f"{directory}/docs.jsonl", encoding="utf-8") as lines:
            for d in map(json.loads, lines):
                if "of" in d:
                    again.setdefault((f"{d['of']}-{COPIES[d['kind'], d['rate']]}"), set()).add(d["text"].strip())
    wrong = sorted(name for name in told if told[name] not in again.get(name, ()))
    print("\n".join(f"{name} is not what the generator makes" for name in wrong[:10]))
    return bool(wrong) or not told


def print_kinds(corpus):
    documents, pairs = read(corpus)
    texts = {d["id"]: d["text"] for d in documents}
    triples, numbers = ({name: view(text) for name, text in texts.items()} for view in (lambda text: pieces(text, 3), digits))
    found = collections.defaultdict(list)
    for a, b, label, kind in pairs:
        found[kind, label].append((max(alike(triples[a], triples[b]), 0), (numbers[a] & numbers[b]).total(), kept(texts[a], texts[b])))
    print("| kind | label | relevance | pairs | median Jaccard of character triples | numbers in digits that both have, mean | share of the shorter text kept, mean |\n|---|---|---|---|---|---|---|")
    for kind in POSITIVE + NEGATIVE:
        label, relevance = ("1", 2) if kind in POSITIVE else ("0", int(kind in ("follow_up", "partial")))
        jaccard, shared, share = zip(*found.pop((kind, label)))
        print(f"| {kind} | {label} | {relevance} | {len(jaccard)} | {statistics.median(jaccard):.2f} | {statistics.mean(shared):.1f} | {statistics.mean(share):.2f} |")
    return bool(found)


def print_balance(corpus):
    documents, pairs = read(corpus)
    forms = {d["id"]: form(d["text"]) for d in documents}
    rows = [(kind in HARD, label, features(forms[a], forms[b])) for a, b, label, kind in pairs]
    wrong = []
    print("| | hard: positive | negative | apart | other: positive | negative | apart |\n|---|---|---|---|---|---|---|")
    for i, name in enumerate(FEATURES):
        line = f"| {name} |"
        for hard in (True, False):
            of = {label: [values[i] for part, which, values in rows if part == hard and which == label] for label in "10"}
            deviation = statistics.pstdev(of["1"] + of["0"])
            apart = abs(statistics.mean(of["1"]) - statistics.mean(of["0"])) / deviation
            line += f" {statistics.mean(of['1']):.2f} | {statistics.mean(of['0']):.2f} | {apart:.2f} |"
            if apart > APART:
                wrong.append(f"{name}: {apart:.2f} standard deviations apart")
        print(line)
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return bool(wrong)


def distances(view, documents, pairs):
    bags = {document["id"]: view(document["text"]) for document in documents}
    for a, b, *_ in pairs:
        either = (bags[a] | bags[b]).total()
        yield round(1 - (bags[a] & bags[b]).total() / either, 9) if either else 1.0


def average_precision(measured, labels):
    """The sum over thresholds of precision times the recall that is added; pairs of one distance are one step."""
    steps = collections.defaultdict(lambda: [0, 0])
    for distance, label in zip(measured, labels):
        steps[distance][label == "1"] += 1
    found = called = area = 0
    for distance in sorted(steps):
        wrong, right = steps[distance]
        found, called = found + right, called + right + wrong
        area += right * found / called
    return area / found


def write_views(corpus, directory):
    documents, pairs = read(corpus)
    for name, _, view in VIEWS:
        with open(f"{directory}/{name}.tsv", "w", encoding="utf-8") as file:
            file.writelines(f"{a}\t{b}\t{distance:.9f}\n" for (a, b, *_), distance in zip(pairs, distances(view, documents, pairs)))


def write_kept(corpus, path):
    documents, pairs = read(corpus)
    texts = {d["id"]: d["text"] for d in documents}
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"{a}\t{b}\t{1 - kept(texts[a], texts[b]):.9f}\n" for a, b, *_ in pairs)


def print_shares(strata):
    rows = {(row["stratum"], row["arm"]): row for row in table_of(strata)}
    arms, bands = BASIC_ARMS + ["kept"], [name for _, name in BANDS]
    print("| kind | " + " | ".join(arms) + " | chance |\n|---" + "|---" * (len(arms) + 1) + "|")
    for kind in ["reposted", "reprint", *bands, "retold", "merged"]:
        pairs, joined = (int(rows[kind, "kept"][name]) for name in ("pairs", "joined"))
        print(f"| {kind} | " + " | ".join(f"{float(rows[kind, arm]['average_precision']):.3f}" for arm in arms) + f" | {pairs / (pairs + joined):.3f} |")
    # Every arm finds more where most of the text is left than where half of it is, and less again below.
    found = {arm: [float(rows[band, arm]["average_precision"]) for band in (bands[0], bands[2], bands[3])] for arm in arms}
    wrong = [arm for arm in arms if found[arm] != sorted(found[arm], reverse=True)]
    print(" ".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return bool(wrong)


def table_of(path):
    with open(path, encoding="utf-8") as lines:
        header, *rows = [line.rstrip("\n").split("\t") for line in lines]
    return [dict(zip(header, row)) for row in rows]


def print_table(corpus, directory, summary, giveaways):
    _, pairs = read(corpus)
    labels = [pair[2] for pair in pairs]
    told = {row["arm"]: [float(row["average_precision" + end]) for end in ("", "_low", "_high")] for row in table_of(summary)}
    combined = {row["evidence"]: [float(row[column]) for column in ("average_precision", "low", "high")] for row in table_of(giveaways) if row["class"] == "combined"}
    wrong = []
    weakest, best = (choose(told[arm][0] for arm in BASIC_ARMS) for choose in (min, max))
    for name, *_ in VIEWS:
        with open(f"{directory}/{name}.tsv", encoding="utf-8") as lines:
            measured = average_precision([float(line.split("\t")[2]) for line in lines], labels)
        if abs(measured - told[name][0]) > 1e-6:
            wrong.append(f"{name}: {told[name][0]}, and by the definition {measured}")
        if told[name][0] > min(weakest - TO_WEAKEST, best - TO_BEST):
            wrong.append(f"a giveaway: {name} has {told[name][0]:.3f}, the weakest arm {weakest:.3f}, the best {best:.3f}")
    bigrams = told["bigrams"][0]
    if not combined or combined["combined (form)"][0] > bigrams - FORM_WHOLE:
        wrong.append(f"form has {combined}, bigrams {bigrams:.3f}")
    if not combined or combined["combined (form, digits, names)"][0] >= bigrams:
        wrong.append(f"form, digits and names have {combined}, bigrams {bigrams:.3f}")
    print("| what is compared | average precision | 95% interval |\n|---|---|---|")
    lines = [(title, told[name]) for name, title, _ in VIEWS] + list(combined.items()) + [(f"`{arm}`, on the whole text", told[arm]) for arm in told if arm in BASIC_ARMS]
    for title, (value, low, high) in lines + [("Jaccard of pairs of characters", told["bigrams"])]:
        print(f"| {title} | {value:.3f} | {low:.3f}–{high:.3f} |")
    print(f"| nothing (the share of positives) | {labels.count('1') / len(labels):.3f} | |")
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return bool(wrong)


def print_trees(corpus):
    """Five folds of stories; a pair of two stories is in the fold of its first, and trees learn from pairs without that fold."""
    try:
        from sklearn.ensemble import HistGradientBoostingClassifier
    except ImportError:
        return 77
    documents, pairs = read(corpus)
    of = {d["id"]: d for d in documents}
    forms = {name: form(d["text"]) for name, d in of.items()}
    facts = {name: [digits(d["text"]), names(d["text"]), VIEWS[1][2](d["text"])] for name, d in of.items()}
    stories = sorted({d["story"] for d in documents}, key=digest)
    fold = {name: stories.index(d["story"]) % 5 for name, d in of.items()}
    triples = {name: Bag(d["text"][i:i + 2] for i in range(len(d["text"]) - 1)) for name, d in of.items()}
    for hard in (True, False):
        some = [pair for pair in pairs if pair[3] in HARD or not hard]
        labels = [pair[2] for pair in some]
        rows = [features(forms[a], forms[b]) for a, b, *_ in some]
        more = [row + [alike(x, y) for x, y in zip(facts[a], facts[b])] for row, (a, b, *_) in zip(rows, some)]
        line = f"{'hard part' if hard else 'all pairs'}\t{labels.count('1') / len(labels):.3f}"
        for inputs in (rows, more):
            scores = [0.0] * len(some)
            for k in range(5):
                out = [i for i, pair in enumerate(some) if fold[pair[0]] == k]
                learned = [i for i, pair in enumerate(some) if k not in (fold[pair[0]], fold[pair[1]])]
                trees = HistGradientBoostingClassifier(max_iter=100, max_leaf_nodes=8, random_state=0).fit([inputs[i] for i in learned], [labels[i] for i in learned])
                for i, p in zip(out, trees.predict_proba([inputs[i] for i in out])[:, 1]):
                    scores[i] = p
            line += f"\t{average_precision([-p for p in scores], labels):.3f}"
        print(line + f"\t{average_precision([-alike(triples[a], triples[b]) for a, b, *_ in some], labels):.3f}")
    return 0


if __name__ == "__main__":
    sys.exit({"labels": check_labels, "pairs": write_pairs, "copies": check_copies, "kinds": print_kinds, "balance": print_balance, "views": write_views,
              "kept": write_kept, "shares": print_shares, "table": print_table, "trees": print_trees}[sys.argv[1]](*sys.argv[2:]))
