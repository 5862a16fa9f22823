# SPDX-License-Identifier: GPL-3.0-or-later
"""LibreOffice's help: a page in simplified Chinese with mainland terms, and in traditional Chinese with Taiwan's.

libreoffice_help.py PAGES PACKAGES OUT: PAGES is a corpus whose ids are zh-CN/PATH.html and zh-TW/PATH.html."""
import sys

from labelled import Labelled, han_count, rank, read_documents, read_packages

LANGUAGES = {"zh-CN": "zh-Hans", "zh-TW": "zh-Hant"}
LEAST_HAN = 100          # characters of the translated part
MOST_RATIO = 1.5         # of the two lengths: above it, one language has a part that the other lacks
NEGATIVES_OF_PAGE = 2  # of each kind


def translated(text):
    """Keeps lines whose letters are mostly Han: untranslated lines are in English and equal in both languages."""
    return "\n".join(line for line in text.split("\n") if 2 * han_count(line) > sum(map(str.isalpha, line)))


def both(documents):
    """Pages that exist in both languages, as (path, {language: (title, text)}). If one text has several paths, only
    the first."""
    pages, seen, made = {}, set(), []
    for document in documents:
        language, path = document["id"].split("/", 1)
        pages.setdefault(path, {})[language] = (document.get("title", ""), translated(document["text"]))
    for path, page in sorted(pages.items()):
        lengths = sorted(han_count(page[language][1]) if language in page else 0 for language in LANGUAGES)
        if lengths[0] < LEAST_HAN or lengths[1] > MOST_RATIO * lengths[0]:
            continue
        if any(page[language][1] in seen for language in LANGUAGES):
            continue
        seen.update(page[language][1] for language in LANGUAGES)
        made.append((path, page))
    return made


def unlike(page, other):
    """Whether two pages can be negatives: pages of the same title are similar pages of two programs of the suite."""
    return all(page[language][0] != other[language][0] for language in LANGUAGES)


def build(documents):
    made, pages = Labelled(), both(documents)
    for path, page in pages:
        for language, name in LANGUAGES.items():
            made.add("%s/%s" % (language, path), page[language][1], path, lang=name, title=page[language][0],
                     module=path.split("/")[0])
        made.pair("zh-CN/" + path, "zh-TW/" + path, 1, "two_scripts")
    for path, page in pages:
        folder = path.rsplit("/", 1)[0]
        others = sorted((rank(path, other_path), other_path, other_path.rsplit("/", 1)[0] == folder)
                        for other_path, other in pages if other_path != path and unlike(page, other))
        for near, kind in (True, "same_folder"), (False, "other_folder"):
            for _, other, _ in [item for item in others if item[2] == near][:NEGATIVES_OF_PAGE]:
                made.pair("zh-CN/" + path, "zh-TW/" + other, 0, kind)
    return made


def main(pages, packages, out):
    build(read_documents(pages)).write(out, {
        "name": "libreoffice-help-zh",
        "language": "zh",
        "source": "the help of LibreOffice in Chinese, by the packages below",
        "licence": "MPL-2.0",
        "description": "Pages of the help in simplified characters with the mainland's vocabulary and in traditional "
                       "ones with Taiwan's. Lines that are not translated are left out, and pages of which fewer than "
                       "%d Han characters stay in a language, or %g times as many in one as in the other."
                       % (LEAST_HAN, MOST_RATIO),
        "truth": "Every pair is a page of zh-CN and one of zh-TW. 1: the same page. 0: another one, of the same "
                 "folder or of another, with another title.",
        "packages": read_packages(packages),
    })


if __name__ == "__main__":
    main(*sys.argv[1:])
