# SPDX-License-Identifier: GPL-3.0-or-later
"""Licence paragraphs in the copyright files of packages, grouped by the name of the licence.

licences.py TREES PACKAGES OUT: reads TREES/PACKAGE/usr/share/doc/PACKAGE/copyright in the machine-readable format
(https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/)."""
import itertools
import os
import re
import sys

from labelled import Labelled, changed_share, kind_of_change, rank, read_packages

LEAST_CHARACTERS = 100     # of a text
MOST_PAIRS_OF_NAME = 150   # so that GPL-2+ does not dominate
MOST_PAIRS_OF_NAMES = 100  # of two confusable licences
OTHER_NEGATIVES = 1500

FIELD = re.compile(r"^License:[ \t]*(\S.*)\n((?:[ \t].*(?:\n|\Z))+)", re.MULTILINE)
# Texts that only refer to the licence's location.
POINTER = re.compile(r"(?:on debian|the (?:full|complete) text|see )", re.I)
# Names used for several licences.
VAGUE = re.compile(r"public|other|permissive|custom|unknown|misc|none|same|copyright|as-is| (?:or|and) |,|/", re.I)
# Different licences that share wording.
CONFUSABLE = {
    "other_version": ["gpl-2+ gpl-3+", "gpl-2 gpl-3", "gpl-2 gpl-3+", "gpl-1+ gpl-3+", "lgpl-2+ lgpl-3+", "lgpl-2.1+ lgpl-3+",
                      "mpl-1.1 mpl-2.0", "cc-by-sa-3.0 cc-by-sa-4.0"],
    "lesser": ["gpl-2+ lgpl-2+", "gpl-2+ lgpl-2.1+", "gpl-3+ lgpl-3+", "gpl-3+ lgpl-2.1+", "gpl-2 lgpl-2.1",
               "gpl-3 lgpl-3", "gpl-3+ agpl-3+"],
    "other_clauses": ["bsd-2-clause bsd-3-clause", "bsd-3-clause bsd-4-clause", "bsd-2-clause bsd-4-clause", "expat isc"],
}


def name_of(name):
    """The normalised name: packages write GPL-2+, GPL-2.0+ and gpl-2+ for one licence; SPDX calls Expat's MIT."""
    name = re.sub(r"^([al]?gpl-\d)\.0", r"\1", name.strip().lower())
    return {"mit": "expat", "bsd-2": "bsd-2-clause", "bsd-3": "bsd-3-clause", "bsd-4": "bsd-4-clause",
            "apache-2": "apache-2.0", "cc0": "cc0-1.0"}.get(name, name)


def unfold(body):
    """Joins the lines of each paragraph; a lone dot is an empty line."""
    paragraphs = re.split(r"\n[ \t]+\.[ \t]*(?=\n)", "\n" + body.rstrip())
    return "\n".join(" ".join(paragraph.split()) for paragraph in paragraphs if paragraph.strip())


def paragraphs_of(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    if not text.lower().startswith("format"):
        return
    for name, body in FIELD.findall(text):
        unfolded = unfold(body)
        if len(unfolded) >= LEAST_CHARACTERS and not VAGUE.search(name) and not POINTER.match(unfolded):
            yield name_of(name), unfolded


def read_texts(trees):
    """The distinct texts by name, each with the packages that have it; and the number of texts with two names."""
    names_of_text = {}
    for package in sorted(os.listdir(trees)):
        path = os.path.join(trees, package, "usr/share/doc", package, "copyright")
        for name, text in paragraphs_of(path) if os.path.isfile(path) else ():
            packages = names_of_text.setdefault(text, {}).setdefault(name, [])
            if package not in packages:
                packages.append(package)
    by_name = {}
    for text, names in names_of_text.items():
        if len(names) == 1:
            (name, packages), = names.items()
            by_name.setdefault(name, []).append((packages, text))
    return by_name, sum(len(names) > 1 for names in names_of_text.values())


def drawn(pairs, most):
    return sorted(pairs, key=lambda pair: rank(*pair))[:most]


def build(by_name):
    made, ids, words = Labelled(), {}, {}
    for name, texts in sorted(by_name.items()):
        known = [confusable.split() for kind in CONFUSABLE.values() for confusable in kind]
        if len(texts) < 2 and not any(name in pair for pair in known):
            continue
        for number, (packages, text) in enumerate(texts):
            document = "%s/%s" % (packages[0], name.replace(" ", "_")) + (".%d" % number if any(
                packages[0] == other[0] for other, _ in texts[:number]) else "")
            ids.setdefault(name, []).append(document)
            words[document] = text.split()
            made.add(document, text, name, lang="en", licence=name, packages=" ".join(packages))
    for name, documents in ids.items():
        apart = [pair for pair in itertools.combinations(documents, 2) if pair[0].split("/")[0] != pair[1].split("/")[0]]
        for first, second in drawn(apart, MOST_PAIRS_OF_NAME):
            made.pair(first, second, 1, kind_of_change(changed_share(words[first], words[second])))
    for kind, confusables in CONFUSABLE.items():
        for first, second in map(str.split, confusables):
            for pair in drawn(itertools.product(ids.get(first, ()), ids.get(second, ())), MOST_PAIRS_OF_NAMES):
                made.pair(*pair, 0, kind)
    add_others(made, ids)
    return made


def add_others(made, ids):
    """Adds negatives of different families; licences with the same first word may be equal and are left out."""
    names = sorted(ids)
    apart = ((a, b) for first, second in itertools.combinations(names, 2) if family(first) != family(second)
             for a, b in itertools.product(ids[first], ids[second]))
    for pair in drawn(apart, OTHER_NEGATIVES):
        made.pair(*pair, 0, "other_licence")


def family(name):
    word = re.match(r"[a-z]*", name).group()
    # The GNU licences quote each other; the short licences of universities have a common origin.
    for stock in ("gpl lgpl agpl gfdl fsf fsfap fsfullr fsful autoconf", "expat x isc bsd ntp hpnd mit zlib curl python"):
        if word in stock.split():
            return stock
    return word


def main(trees, packages, out):
    by_name, doubtful = read_texts(trees)
    build(by_name).write(out, {
        "name": "licences-en",
        "language": "en",
        "source": "copyright files of the packages below",
        "licence": "each text as its package says; texts of licences may be copied as they are",
        "description": "Paragraphs of licences, by the name that the package gives; a text that several packages have "
                       "stands once. Texts that stand under two names are left out: %d." % doubtful,
        "truth": "1: one name, two packages. Kinds: the share of characters in words that only one has, in percent. 0: "
                 "another version, the lesser licence or other clauses of the same wording, or a licence of another "
                 "family. Names are the packages' own, and they err.",
        "packages": read_packages(packages),
    })


if __name__ == "__main__":
    main(*sys.argv[1:])
