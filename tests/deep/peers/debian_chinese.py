#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Chinese text from Debian's documentation packages, line by line.

    debian_chinese.py > lines.txt

reads what is installed of manpages-zh, fortunes-zh, debian-reference-zh-cn and libreoffice-help-zh-cn, strips markup,
and writes each different line that holds a Han character once. Other programs import `lines()`.
"""
import glob
import gzip
import html
import re
import sys

HAN = re.compile("[\u4e00-\u9fff]")


def man_page(path):
    with gzip.open(path, "rb") as packed:
        text = packed.read().decode("utf-8", "replace")
    text = re.sub(r"\\f(?:\[[^]]*\]|\(..|.)", "", text)  # fonts
    text = re.sub(r"^[.']\s*\\\".*$", "", text, flags=re.M)  # comments
    text = re.sub(r"^[.'][A-Za-z]+ ?", "", text, flags=re.M)  # requests
    text = re.sub(r"\\\((?:..)|\\[&,/|^~%]", "", text)
    return text.replace("\\-", "-").replace("\\ ", " ").replace('\\"', '"').replace("\\e", "\\")


def web_page(path):
    with open(path, encoding="utf-8", errors="replace") as page:
        text = page.read()
    text = re.sub(r"(?s)<(script|style)\b.*?</\1>", "", text)
    return html.unescape(re.sub(r"(?s)<[^>]*>", "", text))


def plain(path):
    with open(path, encoding="utf-8", errors="replace") as text:
        return re.sub(r"\x1b\[[0-9;]*m", "", text.read())


SOURCES = (
    ("manpages-zh", "/usr/share/man/zh_CN/man*/*.gz", man_page),
    ("manpages-zh (traditional)", "/usr/share/man/zh_TW/man*/*.gz", man_page),
    ("fortunes-zh", "/usr/share/games/fortunes/*.u8", plain),
    ("debian-reference-zh-cn", "/usr/share/debian-reference/*.zh-cn.html", web_page),
    ("libreoffice-help-zh-cn", "/usr/share/libreoffice/help/zh-CN/text/**/*.html", web_page),
)


def by_source():
    """(name, its different lines) of each source, in a fixed order."""
    for name, pattern, read in SOURCES:
        found = {}
        for path in sorted(glob.glob(pattern, recursive=True)):
            for line in read(path).split("\n"):
                line = line.strip(" ")
                if HAN.search(line):
                    found[line] = None
        yield name, list(found)


def lines(report=None):
    """The lines in a fixed order; report(name, count) is told what each source gave beyond those before it."""
    found = {}
    for name, some in by_source():
        before = len(found)
        found.update(dict.fromkeys(some))
        if report:
            report(name, len(found) - before)
    return list(found)


if __name__ == "__main__":
    for one in lines(lambda name, count: print(f"{name}: {count} lines", file=sys.stderr)):
        sys.stdout.buffer.write(one.encode("utf-8") + b"\n")
