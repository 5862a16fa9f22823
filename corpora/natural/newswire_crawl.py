# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulates a crawl: newswire-zh and Debian's Chinese texts as pages of sites, with the site's lines around them, exact
copies, reports made from templates and pages of one line. All pairs count; about one in a thousand is a duplicate.

newswire_crawl.py NEWS BOILERPLATE PACKAGES OUT CORPUS…: NEWS is newswire-zh, BOILERPLATE the table of site lines, CORPUS a set that was made here."""
import collections
import os
import sys

from labelled import Labelled, han_count, rank, read_documents, read_packages

SITES = 24
COPIED = 120       # news texts copied exactly by another site
SHORT = 300        # pages of one line
FORECASTS = 240    # reports made from one template
MOST_OF_GROUP = 6  # texts of one event and state in the crawl
SHARE = 1000       # minimum number of pairs per duplicate
TOWNS = "临泽 白石 柳河 东岬 平洲 沅口 双鹤 桃溪 清垣 岭门 澄浦 龙口".split()
SKIES = ["晴", "晴间多云", "多云", "多云转阴", "阴", "阴有小雨", "小雨", "中雨转小雨", "雷阵雨", "小雪"]
WINDS = ["东北风3级", "东北风3到4级", "北风4到5级", "偏南风2级", "东南风3级", "西北风5级"]


def number(most, *names):
    return int.from_bytes(rank(*names)[:6], "big") % most


def site_lines(path):
    with open(path, encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines if line[0] != "#"]
    return {place: [text.replace("/", "") for where, language, text in rows if (where, language) == (place, "zh")] for place in ("before", "after")}


def on_site(text, name, site, lines):
    """A page of a site: some lines are common to all its pages, others depend on the page."""
    before = [lines["before"][number(len(lines["before"]), "before", str(site), str(i))] for i in range(site % 3)]
    after = [lines["after"][number(len(lines["after"]), "after", str(site), str(i))] for i in range(1 + site % 4)]
    after.append(lines["after"][number(len(lines["after"]), "page", name)])
    return "\n".join([*dict.fromkeys(before), text, *dict.fromkeys(after)])


def forecast(i):
    def one(what, *of):
        return what[number(len(what), *of, str(i))]
    low = number(20, "low", str(i)) - 8
    return (f"{TOWNS[i % len(TOWNS)]}区气象台天气预报\n{1 + i // len(TOWNS) % 12}月{1 + number(28, 'day', str(i))}日16时发布：今天夜间，{one(SKIES, 'night')}，{one(WINDS, 'night')}，"
            f"最低气温{low}℃；明天白天，{one(SKIES, 'day')}，{one(WINDS, 'day')}，最高气温{low + 4 + number(8, 'high', str(i))}℃；明天夜间，{one(SKIES, 'next')}。"
            "预报员提醒：昼夜温差较大，请注意添衣；渔船出海注意收听海浪预报。天气咨询12121。")


def duplicates(groups):
    return sum(count * (count - 1) // 2 for count in collections.Counter(groups).values())


def build(news, others, lines):
    """Documents as (id, text, group, kind), without site lines."""
    pages = []
    met = collections.Counter()
    for document in sorted(news, key=lambda d: rank(d["id"])):
        met[document["group"]] += 1
        if met[document["group"]] <= MOST_OF_GROUP:
            pages.append((document["id"], document["text"], document["group"], document["version"]))
    pages += [(name + "~again", text, group, "exact") for name, text, group, _ in sorted(pages, key=lambda page: rank("again", page[0]))[:COPIED]]
    for corpus, documents in others:
        pages += [(f"{corpus}/{d['id']}", d["text"], f"{corpus}/{d['group']}", "debian") for d in documents]
        titles = sorted({line for d in documents for line in d["text"].split("\n")[:3] if han_count(line) >= 6 and len(line) <= 30}, key=lambda line: rank("short", line))
        pages += [(f"{corpus}/line-{i}", line, f"{corpus}/line-{i}", "short") for i, line in enumerate(titles[:SHORT // len(others)])]
    pages += [(f"forecast/{i}", text, f"forecast/{text}", "template") for i, text in enumerate(map(forecast, range(FORECASTS)))]
    # While there are too many duplicates: remove texts of the largest groups, except exact copies.
    while duplicates(page[2] for page in pages) * SHARE > len(pages) * (len(pages) - 1) // 2:
        count = collections.Counter(page[2] for page in pages)
        often = max(count.values())
        gone = min((page for page in pages if count[page[2]] == often and page[3] != "exact"), key=lambda page: rank("gone", page[0]))
        pages = [page for page in pages if page[0] not in (gone[0], gone[0] + "~again")]
    return pages


def main(news, boilerplate, packages, out, *corpora):
    others = [(os.path.basename(corpus), [d for d in read_documents(corpus) if d.get("lang", "zh-Hans") != "zh-Hant"]) for corpus in corpora]
    lines, made = site_lines(boilerplate), Labelled()
    pages = build(read_documents(news), others, lines)
    for name, text, group, kind in pages:
        site = number(SITES, "site", name)
        made.add(name, text if kind == "short" else on_site(text, name, site, lines), group, lang="zh-Hans", kind=kind, site=f"site-{site:02}")
    for i, (name, text, *_) in enumerate(pages):  # an exact copy also has the site lines
        if name.endswith("~again"):
            made.documents[i].update(text=next(d["text"] for d in made.documents if d["id"] == name[:-len("~again")]))
    positives, pairs = duplicates(page[2] for page in pages), len(pages) * (len(pages) - 1) // 2
    made.write(out, {
        "name": "newswire-crawl", "language": "zh-Hans", "source": "newswire-zh and Debian packages, put on invented sites", "packages": read_packages(packages),
        "licence": "GPL-3.0-or-later, and those of the packages",
        "description": f"Pages of {SITES} sites: news, Debian's texts, {FORECASTS} forecasts of one template, lines alone, exact copies. {positives} of {pairs} pairs are duplicates.",
        "truth": "group: texts of one event and state of newswire-zh with their exact copies; versions of one page of Debian's texts."})


if __name__ == "__main__":
    main(*sys.argv[1:])
