# SPDX-License-Identifier: GPL-3.0-or-later
"""Manual pages in traditional Chinese: versions of a page in several releases of Debian. Simplified pages hardly
ever change; each release converts them to traditional ones with other tables, so that words change, too.

manual_pages.py TREES PACKAGES OUT: TREES/RELEASE/usr/share/man/zh_TW/man1/ls.1.gz, and so on."""
import glob
import gzip
import itertools
import os
import re
import sys

from labelled import Labelled, changed_share, han_count, kind_of_change, rank, read_packages

LEAST_HAN = 100        # characters: stubs and untranslated pages have fewer
NEGATIVES_OF_TEXT = 3  # of each kind

SIGNS = {"\\-": "-", "\\ ": " ", "\\e": "\\", "\\\\": "\\", "\\(aq": "'", "\\(dq": '"', "\\(co": "©", "\\(bu": "•",
         "\\(em": "—", "\\(lq": "“", "\\(rq": "”", "\\&": "", "\\|": "", "\\^": "", "\\/": "", "\\,": "", "\\c": ""}
SIGN = re.compile(r"\\f(?:\[[^]]*\]|\(..|.)|\\s[-+]?\d|\\\*(?:\[[^]]*\]|\(..|.)|\\\(..|\\.")
UNSEEN = re.compile(r"[.'](?:TH|so|ds|de|nr|if|ie|el|ig|ad|hy|ft|in|ti|ta|sp|ne|nf|fi|na|nh|br|PD|PP|P|LP|RS|RE|UE|UR|rr|rm|ps|ll|\\\")?(?:\s.*)?$")


def text_of(roff):
    """Roughly the visible text: without requests (except arguments of heading and font macros) and macro definitions."""
    lines, defining = [], False
    for line in roff.split("\n"):
        if defining or re.match(r"[.']\s*(?:de|ig)\b", line):
            defining = not line.startswith("..")
            continue
        line = re.sub(r'\\["#].*', "", line)
        if line[:1] in (".", "'"):
            if UNSEEN.match(line):
                continue
            line = re.sub(r"^[.']\s*\S+\s*", "", line).replace('"', "")
        line = SIGN.sub(lambda sign: SIGNS.get(sign.group(), ""), line).strip()
        if line:
            lines.append(line)
    return "\n".join(lines)


def read_releases(packages):
    """Reads lines of PACKAGE/RELEASE and version, the oldest first."""
    with open(packages, encoding="utf-8") as file:
        return [line.split("\t")[0].split("/")[1] for line in file]


def read_pages(trees, releases):
    """The texts by page (man1/ls.1), each with its releases in order. A text of two pages belongs to the first page."""
    pages, owners = {}, {}
    for release in releases:
        for path in sorted(glob.glob(os.path.join(trees, release, "usr/share/man/zh_TW/man*/*.gz"))):
            if os.path.islink(path):
                continue
            with gzip.open(path, "rt", encoding="utf-8", errors="replace") as file:
                text = text_of(file.read())
            if han_count(text) < LEAST_HAN or 2 * han_count(text) < sum(map(str.isalpha, text)):
                continue
            page = "/".join(path.split("/")[-2:])[:-len(".gz")]
            if owners.setdefault(text, page) == page:
                pages.setdefault(page, {}).setdefault(text, []).append(release)
    return pages


def build(pages):
    made, used = Labelled(), set()
    texts = [(releases[0] + "/" + page, page, text, releases) for page, versions in pages.items() for text, releases in versions.items()]
    for page, versions in pages.items():
        for (text, releases), (other, other_releases) in itertools.combinations(versions.items(), 2):
            share = changed_share(text.split("\n"), other.split("\n"))
            made.pair(releases[0] + "/" + page, other_releases[0] + "/" + page, 1, kind_of_change(share))
    for name, page, _, _ in [text for text in texts if len(pages[text[1]]) > 1]:
        section = page.split("/")[0]
        others = sorted((rank(name, other), other, other_page.split("/")[0] == section)
                        for other, other_page, _, _ in texts if other_page != page)
        for near, kind in (True, "same_section"), (False, "other_section"):
            for _, other, _ in [item for item in others if item[2] == near][:NEGATIVES_OF_TEXT]:
                made.pair(name, other, 0, kind)
    for pair in made.pairs:
        used.update(pair)
    for name, page, text, releases in texts:
        if name in used:
            made.add(name, text, page, lang="zh-Hant", title=page.split("/")[1], section=page.split("/")[0], releases=" ".join(releases))
    return made


def main(trees, packages, out):
    pages = read_pages(trees, read_releases(packages))
    changed = sum(len(versions) > 1 for versions in pages.values())
    build(pages).write(out, {
        "name": "manual-pages-zh",
        "language": "zh-Hant",
        "source": "manual pages in traditional Chinese, by the package of several releases of Debian",
        "licence": "each page as the package's copyright file says",
        "description": "%d of %d pages differ between releases; these, and others that negative pairs name. A text that several releases "
                       "have stands once; stubs of fewer than %d Han characters, and pages mostly in English, are left out." % (changed, len(pages), LEAST_HAN),
        "truth": "1: one page of two releases. Kinds: the share of characters in lines that only one has, in percent; 0: another page, "
                 "same_section or other_section of the manual.",
        "packages": read_packages(packages),
    })


if __name__ == "__main__":
    main(*sys.argv[1:])
