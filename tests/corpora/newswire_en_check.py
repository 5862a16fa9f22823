#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""newswire_check.py with what is different in newswire-en. The commands are the same, and

    newswire_en_check.py spoil CORPUS DIR    a copy of the corpus whose digits give its labels away

Sentences are looked at by their words, and words in Latin letters are
the text itself. The pinyin fingerprint does not read English."""
import collections
import json
import re
import sys

import newswire_check

COPIES = {("boilerplate+punctuation", 0.1): "reposted", ("transpose+sentence_delete", 0.02): "copied"}


def sentences(text):
    """Titles and lines end sentences; so does a mark with a space and a capital letter, a digit or a quotation mark behind it."""
    return [part for part in re.split(r"\n|(?<=[.!?])[\"”’']?\s+(?=[A-Z\d\"“‘'])", text) if part.strip()]


def words_of(which):
    def view(text):
        found = sentences(text)
        return collections.Counter(set(re.findall(r"[^\W_]+", found[which].lower())) if which < len(found) else ())
    return view


def names(text):
    """Words with a capital letter that do not begin a sentence, title or quotation."""
    return collections.Counter({name for sentence in sentences(text) for name in re.findall(r"(?<=[\w,;:’'.] )[A-Z][^\W\d_]+", sentence)})


DIFFERENT = {
    "names": ("capitalised words within sentences", names),
    "first": ("words of the title or first sentence", words_of(0)),
    "second": ("words of the sentence after it", words_of(1)),
    "last": ("words of the last sentence", words_of(-1)),
}
newswire_check.COPIES = COPIES
newswire_check.SAMPLED = {"same_subject": 150, "other_subject": 250}
newswire_check.ORIGINALS, newswire_check.SHORT, newswire_check.LONG = 40, 200, 4000
newswire_check.TO_WEAKEST, newswire_check.TO_BEST = 0.1, 0.15
newswire_check.BASIC_ARMS = ["simhash", "minhash", "jaccard", "cosine"]
newswire_check.VIEWS = [(name, *DIFFERENT.get(name, (title, view))) for name, title, view in newswire_check.VIEWS if name != "latin"]


def give_away(corpus, directory):
    """The corpus with the number of its event in place of every text's numbers: a set that digits decide."""
    documents, pairs = newswire_check.read(corpus)
    events = {event: str(number) for number, event in enumerate(sorted({d["group"] for d in documents}), 1)}
    with open(f"{directory}/docs.jsonl", "w", encoding="utf-8") as file:
        file.writelines(json.dumps(d | {"text": re.sub(r"\d+(?:[.,:]\d+)*", events[d["group"]], d["text"]) + "\n" + events[d["group"]]}) + "\n" for d in documents)
    with open(f"{directory}/pairs.tsv", "w", encoding="utf-8") as file:
        file.writelines("\t".join(pair) + "\n" for pair in pairs)


COMMANDS = {
    "labels": newswire_check.check_labels,
    "copies": newswire_check.check_copies,
    "kinds": newswire_check.print_kinds,
    "views": newswire_check.write_views,
    "table": newswire_check.print_table,
    "spoil": give_away,
}

if __name__ == "__main__":
    sys.exit(COMMANDS[sys.argv[1]](*sys.argv[2:]))
