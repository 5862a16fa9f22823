# SPDX-License-Identifier: GPL-3.0-or-later
"""Debian's installation guide in Chinese: versions of a page in the packages of several architectures.

installation_guide.py PAGES PACKAGES OUT: PAGES is a corpus whose ids are ARCHITECTURE/FILE.html."""
import itertools
import re
import sys

from labelled import Labelled, changed_share, han_count, kind_of_change, rank, read_documents, read_packages

LEAST_HAN = 100        # characters: tables of contents have fewer
NEGATIVES_OF_PAGE = 3  # of each kind

NUMBER = re.compile(r"^(?:[0-9A-Z]+(?:\.[0-9]+)+\.|第 [0-9]+ 章|附录 [A-Z]\.)\s*")
ARCHITECTURE = re.compile(r"在 .+ 上")


def page_of(document):
    """The identity of a page: chapter and title without section number, which differs by architecture, and without the
    architecture's name: "booting on 64-bit PC" equals "booting on S/390"."""
    file = document["id"].split("/")[1]
    chapter = re.match(r"(?:[a-z]{2}[0-9]{2}|ap[a-z]|[a-z]+)", file).group()
    return chapter, ARCHITECTURE.sub("", NUMBER.sub("", document.get("title", file)))


def distinct(documents):
    """The distinct texts of each page, each named after the first architecture that has it."""
    pages = {}
    for document in documents:
        han = han_count(document["text"])
        if han < LEAST_HAN or 2 * han < sum(map(str.isalpha, document["text"])):
            continue
        versions = pages.setdefault(page_of(document), {})
        versions.setdefault(document["text"], []).append(document["id"])
    return pages


def build(documents):
    made, texts, identical = Labelled(), [], 0
    for (chapter, title), versions in distinct(documents).items():
        group = "%s:%s" % (chapter, title.replace("\t", " "))
        for text, ids in versions.items():
            identical += len(ids) - 1
            made.add(ids[0], text, group, lang="zh-Hans", title=title, chapter=chapter,
                     architectures=" ".join(name.split("/")[0] for name in ids))
            texts.append((ids[0], group, chapter))
        for (text, ids), (other, other_ids) in itertools.combinations(versions.items(), 2):
            share = changed_share(text.split("\n"), other.split("\n"))
            made.pair(ids[0], other_ids[0], 1, kind_of_change(share))
    for name, group, chapter in texts:
        others = sorted((rank(name, other), other, other_chapter == chapter)
                        for other, other_group, other_chapter in texts if other_group != group)
        for near, kind in (True, "same_chapter"), (False, "other_chapter"):
            for _, other, _ in [item for item in others if item[2] == near][:NEGATIVES_OF_PAGE]:
                made.pair(name, other, 0, kind)
    return made, identical


def main(pages, packages, out):
    made, identical = build(read_documents(pages))
    made.write(out, {
        "name": "installation-guide-zh",
        "language": "zh-Hans",
        "source": "the Debian installation guide in Chinese, by the packages below",
        "licence": "GPL-2.0-or-later",
        "description": "Pages of the guide as each architecture has them; a text that several have stands once (%d "
                       "copies left out), and pages of fewer than %d Han characters, or mostly in English, are left out." % (identical, LEAST_HAN),
        "truth": "1: the same page of two architectures, chapter and title alike but for number and machine. Kinds: "
                 "the share of characters in lines that only one has, in percent; same_chapter, other_chapter (0).",
        "packages": read_packages(packages),
    })


if __name__ == "__main__":
    main(*sys.argv[1:])
