# SPDX-License-Identifier: GPL-3.0-or-later
"""small_packages.py CORPUS OUT NAME NAME NAME: trees of packages as Debian's are, with pages whose lines are the Han characters of a corpus, forty
each; so it is known which lines two pages share. The three names are those of packages with licences."""
import gzip
import json
import os
import re
import sys

corpus, out, *names = sys.argv[1:]
with open(os.path.join(corpus, "docs.jsonl"), encoding="utf-8") as file:
    han = "".join("".join(re.findall("[\u4e00-\u9fff]", json.loads(line)["text"])) for line in file)
lines = [han[at : at + 40] for at in range(0, len(han) - 40, 40)]


def put(path, text):
    path = os.path.join(out, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def page(path, title, body):
    paragraphs = "".join("<p>%s</p>\n" % line for line in body)
    put(path, "<html><head><title>%s</title></head><body>\n%s</body></html>\n" % (title, paragraphs))


def guide(architecture, file, title, body):
    package = "installation-guide-" + architecture
    page("%s/usr/share/doc/%s/zh_CN/%s" % (package, package, file), title, body)


# One text of three architectures: one document, two copies left out.
for architecture in "amd64", "arm64", "i386":
    guide(architecture, "ch01s01.html", "1.1. 什么是 Debian？", lines[0:10])
# Numbered otherwise, a line of ten is another one: 10%.
guide("amd64", "ch02s02.html", "2.2. 需要固件的设备", lines[10:20])
guide("i386", "ch02s03.html", "2.3. 需要固件的设备", lines[10:19] + lines[20:21])
# At the place of another one; a line of thirty: 3.3%.
guide("i386", "ch02s02.html", "2.2. 安装介质", lines[30:60])
guide("amd64", "ch02s03.html", "2.3. 安装介质", lines[30:59] + lines[60:61])
# Called after the machine; five of ten: 50%.
guide("amd64", "ch05s01.html", "5.1. 在 64-bit PC 上引导安装程序", lines[70:80])
guide("arm64", "ch05s01.html", "5.1. 在 64-bit ARM 上引导安装程序", lines[70:75] + lines[80:85])
guide("amd64", "ch07s01.html", "7.1. 关键时刻", lines[85:87])  # 80 characters
guide("amd64", "apf.html", "附录 F. GNU", lines[90:93] + ["This page is in English for the most part and not yet translated. " * 4])

for language, name in ("zh-CN", "cn"), ("zh-TW", "tw"):
    place = "libreoffice-help-zh-%s/usr/share/libreoffice/help/%s/text/" % (name, language)
    shift = 0 if name == "cn" else 1  # a line of its own in each language
    for number, folder in enumerate(("scalc/01", "scalc/01", "swriter/01")):
        first = 100 + 10 * number
        page("%s%s/page%d.html" % (place, folder, number), "第%d页" % number,
             lines[first : first + 8] + [lines[first + 8 + shift], "A line in English, the same in both."])
    page(place + "scalc/02/untranslated.html", "English", ["Only a line in English."] * 9 + [lines[140]])
    page(place + "swriter/01/half.html", "第九页", lines[150 : 160 if name == "cn" else 153])
page("libreoffice-help-zh-cn/usr/share/libreoffice/help/zh-CN/text/scalc/01/alone.html", "独", lines[160:170])

# A manual page of three releases: the first two alike but for macros and fonts, the third with a line of twenty otherwise; another page that only one
# release has, a second name for it, one of a single line, and one mostly in English.
def manual(release, name, body):
    path = os.path.join(out, "manpages-zh-of-" + release, "usr/share/man/zh_TW/man1", name + ".1.gz")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with gzip.GzipFile(path, "wb", mtime=0) as file:
        file.write(('.\\" made\n.TH %s 1\n.SH NAME\n' % name + "\n".join(body) + "\n").encode())


for release, body in ("bullseye", lines[170:190]), ("bookworm", [".B " + lines[170], ".PP"] + lines[171:189] + ["\\fI%s\\fR" % lines[189]]), \
        ("trixie", lines[170:189] + lines[195:196]):
    manual(release, "one", body)
    manual(release, "short", lines[200:201])
for name, body in ("two", lines[210:220]), ("too", lines[210:220]), ("english", lines[220:223] + ["This page is not translated yet, for the most part. " * 9]):
    manual("bookworm", name, body)

GRANT = """ This %s is free software; you can redistribute it and/or modify it under
 the terms of the GNU General Public License as published by the Free
 Software Foundation; either version %d of the License, or any later version.
 .
 It comes without any warranty."""
DOUBTFUL = " Whoever has this text may do with it what pleases, in parts or as a whole, as long as this sentence stays with all copies of it."
POINTER = " On Debian systems, the complete text of the licence can be found in the file /usr/share/common-licenses/GPL-2, and in others."
HEAD = "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\n"
licences = [
    [("GPL-2+", GRANT % ("program", 2)), ("BSD-2-clause", DOUBTFUL), ("LGPL-2+", POINTER)],
    [("GPL-2.0+", GRANT % ("package", 2)), ("Expat", DOUBTFUL), ("other", GRANT % ("thing", 4))],
    [("GPL-3+", GRANT % ("program", 3)), ("gpl-2+", GRANT % ("program", 2))],
]
for name, paragraphs in zip(names, licences):
    put("%s/usr/share/doc/%s/copyright" % (name, name),
        HEAD + "\n".join("License: %s\n%s\n" % paragraph for paragraph in paragraphs))
