#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What newswire-en promises in its datasheet, by means of its own.

    newswire_en_check.py labels CORPUS         documents, groups and pairs follow the stated rules; prints what does not
    newswire_en_check.py manifest CORPUS       counts of MANIFEST.json and of the datasheet's tables of versions and of read pairs
    newswire_en_check.py copies CORPUS MADE    reposted texts are what `fplab corpus corrupt` made in MADE, copied ones what typing() makes
    newswire_en_check.py kinds CORPUS          the table of kinds of the datasheet
    newswire_en_check.py views CORPUS DIR      a file of distances DIR/VIEW.tsv for each single class of evidence
    newswire_en_check.py table CORPUS DIR SUMMARY
                                               the table of the datasheet, from summary.tsv of a run of the views and arms; checks the views'
                                               average precision by the definition, and that none comes near an arm's
    newswire_en_check.py grades STRATA         the table of arms by kind of duplicate, from strata.tsv of a run with --by kind
    newswire_en_check.py combined CORPUS       a boosted classifier on form, and on form, numbers and names; exit 77 without python3-sklearn
    newswire_en_check.py spoil CORPUS DIR      a copy of the corpus whose digits give its labels away
    newswire_en_check.py pairs CORPUS          writes pairs.tsv by the stated rule"""
import collections
import hashlib
import itertools
import json
import math
import re
import statistics
import sys

Bag = collections.Counter
BASE = {"original", "twin", "reposted", "copied", "reprint"}  # every positive pair has one of them
ORDER = ["original", "twin", "reposted", "copied", "reprint", "abridged", "twin_short", "updated", "merged", "twin_merged", "reworded", "twin_reworded", "retold"]
NEGATIVES = [("twin_merged", {"merged", "twin_merged"}), ("twin_reworded", {"reworded", "twin_reworded", "retold", "updated"}),
             ("twin_short", {"abridged", "twin_short"}), ("twin", BASE)]  # by the first set that has a version of the two
BANDS = [(0.7, "reworded-80"), (0.5, "reworded-60"), (0.3, "reworded-40"), (0, "reworded-20")]
HARD = {"updated", "merged", "reworded-40", "reworded-20", "retold"}
STORY_NEGATIVES = {name for name, _ in NEGATIVES} | {"template", "follow_up"}
KINDS = ["reposted", "copied", "reprint", "abridged", "updated", "merged", *(name for _, name in BANDS), "retold", "twin", "twin_short", "twin_reworded", "twin_merged",
         "template", "follow_up", "same_subject", "other_subject"]
LIMITS = {"abridged": 40, "reworded-20": 90, "retold": 30}  # positive pairs of a kind, where not all
KEPT, SECOND, FROM_STORY, TEMPLATES, POOL = 0.76, 4, 5, 16, 2000  # see chosen_pairs()
ARMS = ["simhash", "minhash", "jaccard", "cosine"]


def digest(*parts):
    return hashlib.sha256("\t".join(parts).encode()).hexdigest()


def sentences(text):
    """Titles and lines end sentences; so does a mark with a space and a capital letter, a digit or a quotation mark behind it."""
    return [part for part in re.split(r"\n|(?<=[.!?])[\"”’']?\s+(?=[A-Z\d\"“‘'])", text) if part.strip()]


def words(text):
    return re.findall(r"[^\W_]+", text.lower())


def words_of(which):
    def view(text):
        found = sentences(text)
        return Bag(set(words(found[which])) if which < len(found) else ())
    return view


def numbers(text):
    return Bag(set(re.findall(r"\d+(?:[.,:]\d+)*", text)))


def names(text):
    """Words with a capital letter that do not begin a sentence, title or quotation."""
    return Bag({name for sentence in sentences(text) for name in re.findall(r"(?<=[\w,;:’'.] )[A-Z][^\W\d_]+", sentence)})


def marks(text):
    return Bag(c for c in text if not c.isalnum() and not c.isspace())


def bigrams(text):
    return Bag(text[i:i + 2] for i in range(len(text) - 1))


# Name, what it is, and what a text has of it, as a bag. Two texts are as alike as the bags: shared parts of all.
VIEWS = [
    ("digits", "numbers in digits", numbers),
    ("punctuation", "punctuation marks", marks),
    ("names", "capitalised words within sentences", names),
    ("first", "words of the title or first sentence", words_of(0)),
    ("second", "words of the sentence after it", words_of(1)),
    ("last", "words of the last sentence", words_of(-1)),
    ("length", "number of characters", lambda text: Bag(characters=len(text))),
]


def alike(a, b):
    either = (a | b).total()
    return (a & b).total() / either if either else 0.0


def kept(original, text):
    """The share of the words of a text that stand in runs of three or more words of the original."""
    old, new = words(original), words(text)
    runs = set(zip(old, old[1:], old[2:]))
    found = {i + k for i in range(len(new) - 2) if tuple(new[i:i + 3]) in runs for k in range(3)}
    return round(len(found) / len(new), 2)


# Copies.

SEED = 1  # of typing(): the first with which no copy is its original again
NEAR = dict(a="sq", b="vn", c="xv", d="sf", e="wr", f="dg", g="fh", h="gj", i="uo", k="jl", l="k", m="n", n="bm", o="ip", p="o", r="et", s="ad", t="ry", u="yi", v="cb", w="qe", y="tu")
READ_AS = [(0.05, "rn", "m"), (0.05, "m", "rn"), (0.08, "l", "1"), (0.1, "1", "l"), (0.11, "0", "O"), (0.12, "cl", "d")]  # by OCR, with this probability and the next


def draws(seed):
    """Numbers in [0, 1) from SHA-256 of the seed and a count."""
    for count in itertools.count():
        block = hashlib.sha256(f"{seed}\t{count}".encode()).digest()
        yield from (int.from_bytes(block[i:i + 4], "big") / 2**32 for i in range(0, 32, 4))


def misread(word, x):
    for limit, was, read in READ_AS:
        if x < limit and was in word:
            return word.replace(was, read, 1)
    return word[:-1] + "." if x < 0.13 and word.endswith(",") else word


def mistype(word, x, draw):
    if len(word) < 5 or not word.isalpha() or not 0.018 <= x < 0.08:
        return [] if x < 0.012 else [word] * (2 if x < 0.018 else 1)  # words dropped and doubled
    k = 1 + int(next(draw) * (len(word) - 2))
    if x < 0.05:  # the key beside it
        keys = NEAR.get(word[k])
        return [word[:k] + keys[int(next(draw) * len(keys))] + word[k + 1:]] if keys else [word]
    return [word[:k] + (word[k + 1] + word[k] + word[k + 2:] if x < 0.07 else word[k + 1:])]


def typing(text, seed):
    """The text typed again by a person, or read by OCR from lines of 60 to 71 characters whose hyphens are lost."""
    draw = draws(seed)
    scanned, plain = next(draw) < 0.5, next(draw) < 0.6
    if plain:
        text = text.translate(str.maketrans("“”‘’—–", "\"\"''--"))
    width, lines = 60 + int(next(draw) * 12), []
    for line in text.split("\n"):
        column, out = 0, []
        for word in line.split(" "):
            x = next(draw)
            if not scanned:
                out += mistype(word, x, draw)
            elif 0.13 <= x < 0.16 and len(word) > 7 and word.isalpha() and column + len(word) > width:
                out.append(word[:len(word) // 2] + " " + word[len(word) // 2:])
            elif 0.16 <= x < 0.172 and out:
                out[-1] += word
            else:
                out.append(misread(word, x))
            column = (column + len(word) + 1) % width
        lines.append(" ".join(out))
    return "\n".join(lines)


# Pairs.

def read(corpus):
    with open(f"{corpus}/docs.jsonl", encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines]
    with open(f"{corpus}/pairs.tsv", encoding="utf-8") as lines:
        pairs = [tuple(line.rstrip("\n").split("\t")) for line in lines]
    return documents, pairs


def kind_of(a, b):
    """Label and kind of two documents, from their groups and versions."""
    versions = {a["version"], b["version"]}
    if a["group"] == b["group"]:
        later = max(a, b, key=lambda d: ORDER.index(d["version"]))
        if "kept" in later:
            return "1", next(name for limit, name in BANDS if later["kept"] >= limit)
        return "1", {"twin_short": "abridged", "twin_merged": "merged"}.get(later["version"], later["version"])
    if a["story"] == b["story"]:
        if "template" in versions or "follow_up" in versions and a["story"] in (a["group"], b["group"]):
            return "0", "template" if "template" in versions else "follow_up"
        return "0", next(name for name, of in NEGATIVES if versions & of)
    return "0", "same_subject" if a["subject"] == b["subject"] else "other_subject"


def measures(text):
    return dict(chars=len(text), sentences=len(sentences(text)), lines=text.count("\n") + 1, marks=marks(text), digits=sum(c.isdigit() for c in text), first=text[:10], last=text[-10:],
                start=Bag(text[:10].lower()), end=Bag(text[-10:].lower()), numbers=numbers(text), names=names(text), capitals=Bag(set(re.findall(r"\b[A-Z][^\W\d_]+", text))))


def form(a, b):
    """What two texts are matched by, each on a scale of its own. Roots, products and quotients alone: the same on every machine."""
    def two(x, y):
        return min(x, y), max(x, y, 1)
    (short, long), (few, many) = two(a["chars"], b["chars"]), two(a["lines"], b["lines"])
    ratio = [low / high for low, high in (two(a["sentences"], b["sentences"]), two(a["marks"].total(), b["marks"].total()))]
    quotes = two(a["marks"]['"'], b["marks"]['"'])
    last = max(0 if t["last"][-1].isalnum() else 1 if t["last"][-1] == "." else 2 for t in (a, b))
    return (0.4 * math.sqrt(short), 16 * short / long, 6 * few / many, few / 3, 3 * ratio[0], 3 * ratio[1], 5 * alike(a["marks"], b["marks"]), quotes[0] / 2, quotes[1] / 2,
            max(a["marks"][","], b["marks"][","]) / 8, 3 * alike(a["start"], b["start"]), 3 * alike(a["end"], b["end"]), 2 * (a["first"] == b["first"]), 2 * (a["last"] == b["last"]),
            0.7 * last, abs(a["digits"] - b["digits"]) / 20, 6 * alike(a["numbers"], b["numbers"]), (a["numbers"] & b["numbers"]).total() / 3, 6 * alike(a["capitals"], b["capitals"]),
            (a["capitals"] & b["capitals"]).total() / 6, 6 * alike(a["names"], b["names"]), (a["names"] & b["names"]).total() / 4)


def matched(wanted, pool, at):
    """For each wanted pair the nearest of the pool that none before it took, with the distance."""
    free, taken = dict.fromkeys(pool), []
    for pair in wanted:
        here = at(pair)
        away, nearest = min((round(sum(map(abs, map(float.__sub__, here, at(other)))), 6), other) for other in free)
        del free[nearest]
        taken.append((away, nearest))
    return taken


def chosen_pairs(documents):
    """All pairs that DATASHEET.md states, by its rules: {(a, b): (label, kind)}."""
    known = {d["id"]: measures(d["text"]) for d in documents}
    vectors = {}

    def at(pair):
        if pair not in vectors:
            vectors[pair] = tuple(map(float, form(known[pair[0]], known[pair[1]])))
        return vectors[pair]

    found, told = collections.defaultdict(list), {}
    for a, b in itertools.combinations(documents, 2):
        label, kind = kind_of(a, b)
        if label == "0" or BASE & {a["version"], b["version"]}:
            told[a["id"], b["id"]] = label, kind
            found[kind].append((digest(kind, a["id"], b["id"]), (a["id"], b["id"])))

    def least(kinds, limits):
        return [pair for _, pair in sorted(entry for kind in kinds for entry in sorted(found[kind])[:limits.get(kind)])]

    hard = least(HARD, LIMITS)
    easy = least([kind for kind in KINDS[:11] if kind not in HARD], LIMITS)
    story = least(STORY_NEGATIVES - {"template"}, {})
    distant = least(["same_subject", "other_subject"], {"same_subject": POOL, "other_subject": POOL})
    far = sorted((away, pair) for (away, _), pair in zip(matched(hard, story, at), hard))
    good = {pair for _, pair in far[:int(len(far) * KEPT)]}
    hard = [pair for pair in hard if pair in good]

    def twice(pairs):
        return pairs + pairs[:len(pairs) // SECOND]

    wanted = twice(easy)
    taken = [pair for _, pair in matched(twice(hard), story, at)]
    left = [pair for pair in story if told[pair][1] == "twin" and pair not in set(taken)]
    taken += [pair for _, pair in matched(wanted[::FROM_STORY][TEMPLATES:], left, at)] + least(["template"], {"template": TEMPLATES})
    taken += [pair for _, pair in matched([pair for i, pair in enumerate(wanted) if i % FROM_STORY], distant, at)]
    return {pair: told[pair] for pair in hard + easy + taken}


def write_pairs(corpus):
    with open(f"{corpus}/docs.jsonl", encoding="utf-8") as lines:
        chosen = chosen_pairs([json.loads(line) for line in lines])
    with open(f"{corpus}/pairs.tsv", "w", encoding="utf-8") as file:
        file.writelines("\t".join(pair + chosen[pair]) + "\n" for pair in sorted(chosen, key=lambda pair: digest(*pair)))


# Checks.

def check_labels(corpus):
    documents, pairs = read(corpus)
    wrong = []

    def must(what, told):
        if not what:
            wrong.append(told)

    stories, groups, ids = (collections.defaultdict(list) for _ in range(3))
    for d in documents:
        stories[d["story"]].append(d)
        groups[d["group"]].append(d)
        ids[d["id"]].append(d)
        must({"id", "text", "lang", "group", "story", "subject", "version"} <= d.keys() <= {"id", "text", "lang", "group", "story", "subject", "version", "title", "kept"}, f"members of {d['id']}")
        must(d["text"].strip() == d["text"] and all(c >= " " or c == "\n" for c in d["text"]), f"text of {d['id']}")
        must(d.get("title") is None or d["text"].startswith(d["title"] + "\n"), f"title of {d['id']}")
        must(d["id"].startswith(d["story"] + "-") and d["group"].startswith(d["story"]), f"id or group of {d['id']}")
        must(d["version"] in ORDER + ["template", "follow_up"] and d["id"][len(d["story"]) + 1:].startswith(d["version"]) or d["version"] == "template", f"version of {d['id']}")
    must(len(ids) == len(documents), "ids are not unique")
    must(len({d["text"] for d in documents}) == len(documents), "two documents have the same text")
    must([d["id"] for d in documents] == sorted(ids, key=digest), "documents are not in the order of the SHA-256 of their ids")
    for name, of in stories.items():
        versions = Bag(d["version"] for d in of)
        if "template" in versions:
            must(set(versions) == {"template"} and len(of) >= 4 and all(d["group"] == d["id"] for d in of), f"template {name}")
            continue
        must(versions["original"] == 1 and versions["twin"] >= 1 and len(of) >= 5, f"story {name}: {dict(versions)}")
        must(versions["reposted"] + versions["copied"] == 1, f"copies of {name}")
        must(len({d["subject"] for d in of}) == 1, f"subjects of {name}")
    for name, of in groups.items():
        heads = [d for d in of if d["version"] in ("original", "twin", "template", "follow_up")]
        must(len(heads) == 1, f"group {name} has {len(heads)} first texts")
        for d in of:
            must(("kept" in d) == (d["version"] in ("reworded", "twin_reworded")), f"kept of {d['id']}")
            must("kept" not in d or d["kept"] == kept(heads[0]["text"], d["text"]), f"kept of {d['id']}")
            must(d["version"].startswith("twin") == (heads[0]["version"] == "twin"), f"group of {d['id']}")
    must(sum("original" == d["version"] for d in documents) >= 44, "fewer stories")
    stated, expected = {(a, b): (label, kind) for a, b, label, kind in pairs}, chosen_pairs(documents)
    must(len(stated) == len(pairs), "a pair stands twice")
    must([pair[:2] for pair in pairs] == sorted(stated, key=lambda pair: digest(*pair)), "pairs are not in the order of their SHA-256")
    for pair in sorted(stated.keys() | expected.keys()):
        must(stated.get(pair) == expected.get(pair), f"{' '.join(pair)}: {stated.get(pair)}, and by the rules {expected.get(pair)}")
    print("\n".join(wrong[:10]))
    return bool(wrong)


def check_manifest(corpus):
    """The counts of MANIFEST.json, of versions, and of pairs whose labels a second reader checked."""
    documents, pairs = read(corpus)
    with open(f"{corpus}/MANIFEST.json", encoding="utf-8") as file:
        manifest = json.load(file)
    with open(f"{corpus}/DATASHEET.md", encoding="utf-8") as file:
        sheet = file.read()
    versions = Bag(d["version"] for d in documents)
    wrong = [f"MANIFEST.json tells other numbers of {name}" for name, counts in (("versions", versions), ("kinds", Bag(pair[3] for pair in pairs))) if manifest[name] != counts]
    wrong += [f"DATASHEET.md tells another number of {name}" for name, count in versions.items() if f"\n| {name} | {count} | " not in sheet]
    kinds = Bag(re.sub(r"-\d+$", "", pair[3]) for pair in pairs)
    for row, count in re.findall(r"(?m)^\| ([\w, ]+ and \w+) \| (\d+) \|", sheet):
        if sum(kinds[kind] for kind in re.split(r", | and ", row)) != int(count):
            wrong.append(f"DATASHEET.md tells another number of read pairs of {row}")
    print("\n".join(wrong))
    return bool(wrong)


def check_copies(corpus, made):
    documents, _ = read(corpus)
    originals = {d["story"]: d for d in documents if d["version"] == "original"}
    with open(f"{made}/docs.jsonl", encoding="utf-8") as lines:
        sites = {d["of"]: d["text"].strip() for d in map(json.loads, lines) if "of" in d}
    copies = [d for d in documents if d["version"] in ("reposted", "copied")]
    wrong = [d["id"] for d in copies if d["text"] != (sites[originals[d["story"]]["id"]] if d["version"] == "reposted" else typing(originals[d["story"]]["text"], f"{SEED}\t{originals[d['story']]['id']}"))]
    print("\n".join(f"{name} is not what the generator makes" for name in wrong[:10]))
    return bool(wrong) or not copies


def print_kinds(corpus):
    documents, pairs = read(corpus)
    pairs_of = {d["id"]: (bigrams(d["text"]), numbers(d["text"]), len(d["text"])) for d in documents}
    found = collections.defaultdict(list)
    for a, b, label, kind in pairs:
        (x, n, p), (y, m, q) = pairs_of[a], pairs_of[b]
        found[kind, label].append((alike(x, y), alike(n, m), min(p, q) / max(p, q)))
    print("| kind | label | pairs | Jaccard of character bigrams | of numbers in digits | shorter to longer text |\n|---|---|---|---|---|---|")
    for kind in KINDS:
        label = "1" if kind in KINDS[:11] else "0"
        columns = [statistics.mean(column) for column in zip(*found[kind, label])]
        print(f"| {kind} | {label} | {len(found.pop((kind, label)))} | " + " | ".join(f"{value:.2f}" for value in columns) + " |")
    return bool(found)


def average_precision(measured, labels):
    """The sum over thresholds of precision times the recall that is added; pairs of one distance are one step."""
    steps = collections.defaultdict(lambda: [0, 0])
    for distance, label in zip(measured, labels):
        steps[distance][label] += 1
    found = called = area = 0
    for distance in sorted(steps):
        wrong, right = steps[distance]
        found, called = found + right, called + right + wrong
        area += right * found / called
    return area / found


def write_views(corpus, directory):
    documents, pairs = read(corpus)
    for name, _, view in VIEWS:
        bags = {d["id"]: view(d["text"]) for d in documents}
        with open(f"{directory}/{name}.tsv", "w", encoding="utf-8") as file:
            file.writelines(f"{a}\t{b}\t{1 - alike(bags[a], bags[b]):.9f}\n" for a, b, *_ in pairs)


def print_table(corpus, directory, summary):
    _, pairs = read(corpus)
    labels = [pair[2] == "1" for pair in pairs]
    with open(summary, encoding="utf-8") as lines:
        header, *rows = [line.rstrip("\n").split("\t") for line in lines]
    told = {row[header.index("arm")]: [float(row[header.index("average_precision" + end)]) for end in ("", "_low", "_high")] for row in rows}
    wrong = []
    weakest, best = (choose(told[arm][0] for arm in ARMS) for choose in (min, max))
    for name, *_ in VIEWS:
        with open(f"{directory}/{name}.tsv", encoding="utf-8") as lines:
            measured = average_precision([float(line.split("\t")[2]) for line in lines], labels)
        if abs(measured - told[name][0]) > 1e-6:
            wrong.append(f"{name}: {told[name][0]}, and by the definition {measured}")
        if told[name][0] > min(weakest - 0.1, best - 0.15):
            wrong.append(f"a giveaway: {name} has {told[name][0]:.3f}, the weakest arm {weakest:.3f}, the best {best:.3f}")
    print("| what is compared | average precision | 95% interval |\n|---|---|---|")
    for name, title in [(name, title) for name, title, _ in VIEWS] + [(arm, f"`{arm}`, on the whole text") for arm in told if arm in ARMS]:
        print(f"| {title} | {told[name][0]:.3f} | {told[name][1]:.3f}–{told[name][2]:.3f} |")
    print(f"| nothing (the share of positives) | {sum(labels) / len(labels):.3f} | |")
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return bool(wrong)


def print_grades(strata, corpus):
    documents, pairs = read(corpus)
    texts = {d["id"]: d["text"] for d in documents}
    shares = [(kind, 1 - kept(*sorted((texts[a], texts[b]), key=len, reverse=True))) for a, b, _, kind in pairs]

    def ranked(kind):
        rows = [(share, of == kind) for (of, share), pair in zip(shares, pairs) if of == kind or pair[2] == "0"]
        return average_precision([row[0] for row in rows], [row[1] for row in rows])
    with open(strata, encoding="utf-8") as lines:
        header, *rows = [line.rstrip("\n").split("\t") for line in lines]
    rows = [dict(zip(header, row)) for row in rows]
    print("| kind | " + " | ".join(f"`{arm}`" for arm in ARMS) + " | share kept | chance |\n|---|" + "---|" * (len(ARMS) + 2))
    for kind in KINDS[:11]:
        told = {row["arm"]: row for row in rows if row["stratum"] == kind}
        positives, joined = int(told[ARMS[0]]["positives"]), int(told[ARMS[0]]["joined"])
        print(f"| {kind} | " + " | ".join(f"{float(told[arm]['average_precision']):.3f}" for arm in ARMS) + f" | {ranked(kind):.3f} | {positives / (positives + joined):.3f} |")


def print_combined(corpus):
    """Gradient boosting, 5 folds of whole stories. Form: lengths, counts, marks, first and last characters, of the shorter and of the longer text."""
    try:
        import numpy
        from sklearn.ensemble import GradientBoostingClassifier
    except ImportError:
        return 77
    documents, pairs = read(corpus)
    text, story = ({d["id"]: d[key] for d in documents} for key in ("text", "story"))
    known = {name: measures(t) for name, t in text.items()}

    def columns(a, b):
        a, b = known[a], known[b]
        values = []
        for x, y in [(a[key], b[key]) for key in ("chars", "sentences", "lines")] + [(a["marks"][c], b["marks"][c]) for c in ".,\"'-:;()?$£%—–’“”/&"] + [(a["marks"].total(), b["marks"].total())]:
            values += [min(x, y), max(x, y), min(x, y) / max(x, y, 1)]
        for key, end, place in (("start", "first", 0), ("end", "last", -1)):
            values += [alike(a[key], b[key]), a[end] == b[end], a[end][place] == b[end][place], *sorted(ord(t[end][place]) for t in (a, b))]
        values.append(alike(a["marks"], b["marks"]))
        shared = [value for key in ("numbers", "capitals") for value in (alike(a[key], b[key]), (a[key] & b[key]).total(), *sorted((a[key].total(), b[key].total())))]
        return values, values + shared

    labels = numpy.array([int(pair[2]) for pair in pairs])
    hard = numpy.array([pair[3] in HARD | STORY_NEGATIVES for pair in pairs])
    fold = numpy.array([int(digest("fold", min(story[a], story[b]))[:8], 16) % 5 for a, b, *_ in pairs])

    def boosted(rows, among):
        scores = numpy.zeros(len(labels))
        for k in range(5):
            seen, asked = among & (fold != k), among & (fold == k)
            scores[asked] = GradientBoostingClassifier(random_state=0).fit(rows[seen], labels[seen]).predict_proba(rows[asked])[:, 1]
        return average_precision(-scores[among], labels[among])

    plain, named = (numpy.array(rows, dtype=float) for rows in zip(*(columns(a, b) for a, b, *_ in pairs)))
    grams = {name: bigrams(t) for name, t in text.items()}
    far = numpy.array([-alike(grams[a], grams[b]) for a, b, *_ in pairs])
    all_pairs = numpy.ones(len(labels), bool)
    whole = [boosted(plain, all_pairs), boosted(named, all_pairs), average_precision(far, labels), labels.mean()]
    part = [boosted(plain, hard), boosted(named, hard), average_precision(far[hard], labels[hard]), labels[hard].mean()]
    print("| what is compared | all pairs | hard part |\n|---|---|---|")
    for title, *values in zip(["form alone, boosted", "form, numbers and capitalised words, boosted", "Jaccard of character bigrams", "nothing (the share of positives)"], whole, part):
        print(f"| {title} | {values[0]:.3f} | {values[1]:.3f} |")
    wrong = [told for told, holds in [
        (f"form alone has {part[0]:.3f} on the hard part, where {part[3]:.3f} are positive", part[0] <= part[3] + 0.1),
        (f"form alone has {whole[0]:.3f}, bigrams {whole[2]:.3f}", whole[0] <= whole[2] - 0.1),
        (f"form, numbers and names have {whole[1]:.3f}, bigrams {whole[2]:.3f}", whole[1] < whole[2])] if not holds]
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return bool(wrong)


def give_away(corpus, directory):
    """The corpus with the number of its event in place of every text's numbers: a set that digits decide."""
    documents, pairs = read(corpus)
    events = {event: str(number) for number, event in enumerate(sorted({d["group"] for d in documents}), 1)}
    with open(f"{directory}/docs.jsonl", "w", encoding="utf-8") as file:
        file.writelines(json.dumps(d | {"text": re.sub(r"\d+(?:[.,:]\d+)*", events[d["group"]], d["text"]) + "\n" + events[d["group"]]}) + "\n" for d in documents)
    with open(f"{directory}/pairs.tsv", "w", encoding="utf-8") as file:
        file.writelines("\t".join(pair) + "\n" for pair in pairs)


COMMANDS = {"labels": check_labels, "manifest": check_manifest, "copies": check_copies, "kinds": print_kinds, "views": write_views, "table": print_table,
            "grades": print_grades, "combined": print_combined, "spoil": give_away, "pairs": write_pairs}

if __name__ == "__main__":
    sys.exit(COMMANDS[sys.argv[1]](*sys.argv[2:]))
