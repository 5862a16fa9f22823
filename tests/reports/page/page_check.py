# SPDX-License-Identifier: GPL-3.0-or-later
"""page_check.py PAGE RUN: whether a page is HTML whose elements close and whose ids are each there once and are found by what
refers to them; that it names no other file; that no element came of data; that what the script reads is results.tsv."""
import csv, html.parser, json, math, os, re, sys

text = open(sys.argv[1], encoding="utf-8").read()
run = sys.argv[2]
bad = 0


def complain(*words):
    global bad
    bad = 1
    print("FAIL:", *words)


VOID = {"meta", "link", "br", "hr", "img", "input", "wbr", "col"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.wanted, self.data, self.scripts = [], [], [], "", 0

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        if len(names) != len(set(names)):
            complain("an attribute stands twice:", tag, names)
        given = dict(attributes)
        self.scripts += tag == "script"
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            if name in ("aria-labelledby", "for"):
                self.wanted += value.split()
            if name in ("href", "xlink:href"):
                if value.startswith("#"):
                    self.wanted.append(value[1:])
                elif value != "data:,":
                    complain("a link to elsewhere:", value)
            if name in ("src", "srcset", "action", "data", "poster") or name.startswith("on"):
                complain("an attribute that asks for something or runs:", tag, name)
            self.wanted += re.findall(r"url\(#([^)]*)\)", value or "")
            if re.search(r"url\((?!#)", value or ""):
                complain("url():", value)
        if tag not in VOID:
            self.open.append((tag, given.get("id")))

    def handle_startendtag(self, tag, attributes):
        depth = len(self.open)
        self.handle_starttag(tag, attributes)
        del self.open[depth:]

    def handle_endtag(self, tag):
        if not self.open or self.open[-1][0] != tag:
            complain("</%s> closes %s at %s" % (tag, self.open[-1:], self.getpos()))
        else:
            self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == ("script", "data"):
            self.data += data


page = Page()
page.feed(text)
page.close()
if page.open:
    complain("not closed:", page.open[:5])
for name in {i for i in page.ids if page.ids.count(i) > 1}:
    complain("an id stands twice:", name)
for name in set(page.wanted) - set(page.ids):
    complain("an id that nothing has:", name)
if page.scripts != 2:
    complain(page.scripts, "scripts, not the data and the page's own")
if not text.startswith("<!DOCTYPE html>\n") or not text.endswith("</html>\n"):
    complain("no beginning or no end")
for address in set(re.findall(r"""(?:https?:)?//[a-z][^\s"'<)]*""", text)) - {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}:
    complain("an address:", address)
# UAX 9: what turns the direction of the text that follows; and what is no text.
if re.search("[\u202a-\u202e\u2066-\u2069\x00-\x08\x0b\x0c\x0e-\x1f]", text):
    complain("a control character")

# Every row of results.tsv, digit by digit; the histograms and the curves give the same counts where they count whole distances.
read = lambda name: list(csv.DictReader(open(os.path.join(run, name), encoding="utf-8", newline=""), delimiter="\t"))
value = lambda cell: None if cell == "NA" else float(cell)
COLUMNS = "threshold tp fp fn tn precision precision_low precision_high recall recall_low recall_high f1".split()
data = json.loads(page.data)
rows = read("results.tsv")
wanted = {}
for row in rows:
    wanted.setdefault((row["corpus"], row["arm"]), []).append([value(row[name]) for name in COLUMNS])
if [arm["results"] for arm in data["arms"]] != list(wanted.values()):
    complain("the embedded counts are not those of results.tsv")
compared = 0
for arm, own in zip(data["arms"], wanted.values()):
    whole = all(point[0] == int(point[0]) for point in arm["curve"]) and all(bar[1] - bar[0] == 1 for bar in arm["bars"])
    for row in own:
        tp, fp = row[1], row[2]
        if whole:
            got = (sum(bar[2] for bar in arm["bars"] if bar[0] <= row[0]), sum(bar[3] for bar in arm["bars"] if bar[0] <= row[0]))
        else:
            below = [point for point in arm["curve"] if point[0] <= row[0]]
            if not below or not below[-1][1]:
                continue
            recalled = below[-1][2] * arm["positives"]
            got = (recalled, recalled / below[-1][1] - recalled)
        compared += 1
        if not (math.isclose(got[0], tp, abs_tol=1e-6) and math.isclose(got[1], fp, abs_tol=1e-6)):
            complain("%s at %g: %s from the other tables, %s in results.tsv" % (arm["arm"], row[0], got, (tp, fp)))
# The best threshold of each arm, with its figures: answer.tsv, where the run has it; these are rows of results.tsv where the threshold is one of them.
if os.path.exists(os.path.join(run, "answer.tsv")):
    answers = {(row["corpus"], row["arm"]): [[value(row[name]) for name in COLUMNS]] for row in read("answer.tsv")}
    for arm, name in zip(data["arms"], wanted):
        if arm.get("answer") != answers.get(name, []):
            complain("the embedded answer is not that of answer.tsv:", name, arm.get("answer"), answers.get(name))
        for row in arm["answer"]:
            if row[0] in [own[0] for own in arm["results"]] and row not in arm["results"]:
                complain("answer.tsv says something else than results.tsv:", name, row)
elif any(arm.get("answer") for arm in data["arms"]):
    complain("an answer that the run has not")
# Pairs: by kind and length they add up to the same counts, and so do those that are listed, where all are.
for arm, own in zip(data["arms"], wanted.values()):
    corpus = data["corpora"][arm["of"]] if data["corpora"] else {}
    if "cells" not in arm:
        if corpus and "lack" not in corpus:
            complain("no pairs, and nothing that says so:", arm["arm"])
        continue
    for row in own:
        if row[0] != int(row[0]):
            continue
        got, listed = [0, 0], [0, 0]
        for _, _, counts in arm["cells"]:
            for point, negatives, positives in zip(*[iter(counts)] * 3):
                if arm["points"][point] <= row[0]:
                    got[0] += negatives
                    got[1] += positives
        for pair in corpus["pairs"]: # one distance an arm
            if len(pair) != 5 + sum(other["of"] == arm["of"] for other in data["arms"]):
                complain("distances of a pair:", pair)
            listed[pair[2]] += pair[5 + arm["lane"]] <= row[0]
        if [got[1], got[0]] != row[1:3]:
            complain("%s at %g: %s in the cells, %s in results.tsv" % (arm["arm"], row[0], got, row[1:3]))
        if len(corpus["pairs"]) == corpus["total"] and listed != got:
            complain("%s at %g: %s pairs listed, %s counted" % (arm["arm"], row[0], listed, got))
if not compared:
    complain("nothing was compared")
sys.exit(bad)
