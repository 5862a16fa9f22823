#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the tables of docs/pinyin.md and writes them between the page's marks.

    docs/pinyin.py             all tables; FPLAB is the program, NATURAL the sets of `make corpora`, SHARED labelled sets not shipped
    docs/pinyin.py --check     only the rows of the shipped set; status 1 if the page differs

The corrupted copies are of newswire-zh's stories and of every 75th text of Sohu's event pairs."""
import json
import math
import os
import subprocess
import sys
import tempfile

FPLAB = os.environ.get("FPLAB", "build/bin/fplab")
NATURAL = os.environ.get("NATURAL", "build/corpora/natural")
SHARED = os.environ.get("SHARED", "../shared/data")
PAGE = "docs/pinyin.md"
NEWSWIRE = "corpora/data/newswire-zh"
SETS = {NEWSWIRE: "newswire-zh", f"{NATURAL}/installation-guide-zh": "installation guide", f"{NATURAL}/libreoffice-help-zh": "LibreOffice help",
        f"{NATURAL}/manual-pages-zh": "manual pages", f"{SHARED}/zhTW_sighan_typos": "typos", f"{SHARED}/zhTW_quantangshi_two_editions": "poems, two editions",
        f"{SHARED}/zh_cross_script_poems": "poems, two scripts", f"{SHARED}/zh_prc_law_revisions": "revised laws", f"{SHARED}/zh_sohu_event": "news of one event",
        f"{SHARED}/zh_pawsx": "word order"}
LEVELS, GRANULES = ["2", "4", "8", "10", "exact"], [0, 100, 50, 20]
COUNTS = {"initials": "pinyin", "finals": "pinyin:count=finals", "tones": "pinyin:count=tones", "initials+finals": "pinyin:count=initials+finals",
          "the same, 2 levels": "pinyin:count=initials+finals,levels=2", "syllables": "pinyin:count=syllables", "exact initials": "pinyin:levels=exact"}
BYTES = ["5 bytes", "9", "2", "14", "7", "102", "80"]
MAIN = "pinyin:levels=8"
PEERS = {"simhash, words": "simhash", "simhash, bigrams": "simhash:features=chars:2", "minhash, bigrams": "minhash:features=chars:2,slots=64,b=1",
         "Jaccard of bigrams": "jaccard:features=chars:2"}
KINDS = [("traditional", 1), ("homophone", 0.5), ("homophone+insert+delete", 0.2), ("homophone+insert+delete", 0.4), ("lookalike", 0.5), ("substitute", 0.3),
         ("transpose", 0.3), ("truncate", 0.5), ("boilerplate", 0.5), ("splice", 0.5)]


def fplab(*arguments):
    done = subprocess.run([FPLAB, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"fplab {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


def evaluate(corpus, arms):
    """For each arm the average precision with its interval and standard error; for each pair of arms the difference."""
    said = json.loads(fplab("eval", "-c", corpus, *(part for arm in arms for part in ("-a", arm)), "--threshold", "1", "--quiet", "--format", "json"))
    found = {row["arm"]: (row["value"], row["low"], row["high"], row["standard_error"]) for row in said["intervals"] if row["figure"] == "average_precision"}
    bytes_of = {row["arm"]: row["bytes_per_document"] for row in said["summary"]}
    differences = {}
    for row in said["differences"]:
        if row["figure"] != "average_precision":
            continue
        of = (row["difference"], row["low"], row["high"], row["standard_error"], row["p_holm"])
        differences[row["arm_a"], row["arm_b"]] = of
        differences[row["arm_b"], row["arm_a"]] = (-of[0], -of[2], -of[1], of[3], of[4])
    return found, differences, bytes_of


def interval(of):
    return f"{of[0]:.3f} [{of[1]:.3f}, {of[2]:.3f}]"


def difference(of):
    shown = f"{of[0]:+.3f} [{of[1]:+.3f}, {of[2]:+.3f}]".replace("-", "−")
    return f"**{shown}**" if of[4] < 0.05 else shown


def table(head, rows):
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows])


def mean_of(values):
    """The mean, and the half-width of its 95% interval over the texts of the sets, which are independent and fixed."""
    return sum(value for value, _ in values) / len(values), 1.96 * math.sqrt(sum(error**2 for _, error in values)) / len(values)


def grid(sets):
    default = "pinyin:levels=4,granule=0"
    arms = {(level, granule): f"pinyin:levels={level},granule={granule}" for level in LEVELS for granule in GRANULES}
    measured = [evaluate(corpus, list(arms.values())) for corpus in sets]
    rows = []
    for level in LEVELS:
        row = [level]
        for granule in GRANULES:
            arm = arms[level, granule]
            mean, _ = mean_of([(found[arm][0], 0) for found, _, _ in measured])
            row.append(f"{mean:.3f}")
            if arm != default:
                by, half = mean_of([(differences[arm, default][0], differences[arm, default][3]) for _, differences, _ in measured])
                row[-1] += f" ({by:+.3f} ± {half:.3f})".replace("-", "−")
        rows.append(row)
    return table(["levels", *(f"granules of {granule}" if granule else "whole text" for granule in GRANULES)], rows)


def counted_row(corpus, name, differences=None):
    found, between, bytes_of = evaluate(corpus, list(COUNTS.values()))
    assert [f"{round(bytes_of[arm])}" for arm in COUNTS.values()] == [said.split()[0] for said in BYTES], bytes_of
    if differences is not None:
        differences.append([between[arm, "pinyin"][::3] if arm != "pinyin" else (0, 0) for arm in COUNTS.values()])
    return [name, *(interval(found[arm]) for arm in COUNTS.values())]


def counts(sets):
    differences = []
    rows = [["bytes", *BYTES], *(counted_row(path, name, differences) for path, name in sets.items())]
    means = [mean_of(column) for column in zip(*differences)]
    return table(["set", *COUNTS], [*rows, ["mean difference to initials", "–", *(f"{by:+.3f} ± {half:.3f}".replace("-", "−") for by, half in means[1:])]])


def peers_row(corpus, name, text=""):
    arms = [arm + (text and ("," if ":" in arm else ":") + text) for arm in [MAIN, *PEERS.values()]]
    found, differences, _ = evaluate(corpus, arms)
    return [name, f"{found[arms[0]][0]:.3f}", *(difference(differences[arms[0], arm]) for arm in arms[1:])]


def stories(work):
    os.makedirs(f"{work}/stories")
    with open(f"{NEWSWIRE}/docs.jsonl", encoding="utf-8") as read, open(f"{work}/stories/docs.jsonl", "w", encoding="utf-8") as write:
        write.writelines(line for line in read if '"version": "original"' in line)
    return f"{work}/stories"


def headlines(work):
    os.makedirs(f"{work}/headlines")
    with open(f"{SHARED}/zh_sohu_event/docs.jsonl", encoding="utf-8") as read, open(f"{work}/headlines/docs.jsonl", "w", encoding="utf-8") as write:
        write.writelines(line for number, line in enumerate(read) if number % 75 == 0)
    return f"{work}/headlines"


def corrupted_row(base, kind, rate, work, short):
    fplab("corpus", "corrupt", "-c", base, "-k", kind, "-r", str(rate), "--negatives", "20", "-o", f"{work}/copies", "--force")
    text = "han=keep" if kind == "traditional" else ""
    return peers_row(f"{work}/copies", f"{kind} {rate:g}{text and f', `{text}`'}{short}", text)


def check():
    """Compares the rows of the shipped set with the page."""
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    with tempfile.TemporaryDirectory() as work:
        rows = [counted_row(NEWSWIRE, "newswire-zh"), peers_row(NEWSWIRE, "newswire-zh"), corrupted_row(stories(work), *KINDS[1], work, "")]
    lost = [line for line in ("| " + " | ".join(row) + " |" for row in rows) if line not in page]
    for line in lost:
        print(f"{PAGE} lacks: {line}")
    return bool(lost)


def main():
    if sys.argv[1:] == ["--check"]:
        return check()
    sets = {path: name for path, name in SETS.items() if os.path.exists(f"{path}/docs.jsonl")}
    for path in SETS.keys() - sets.keys():
        sys.exit(f"{path} is missing: `make corpora` builds the sets of NATURAL; SHARED is the directory of the others")
    tables = {"grid": grid(sets)}
    tables["counts"] = counts(sets)
    scripts = f"{SHARED}/zh_cross_script_poems"
    tables["peers"] = table(["set", "pinyin", *PEERS], [peers_row(path, name) for path, name in sets.items()] +
                            [peers_row(scripts, "poems, two scripts, `han=keep`", "han=keep")])
    with tempfile.TemporaryDirectory() as work:
        long, short = stories(work), headlines(work)
        tables["kinds"] = table(["change, rate", "pinyin", *PEERS], [corrupted_row(base, kind, rate, work, said) for kind, rate in KINDS
                                                                     for base, said in ((long, ""), (short, ", short"))])
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    for name, text in tables.items():
        begin, end = f"<!-- pinyin.py: {name} -->\n", f"<!-- pinyin.py: end of {name} -->"
        before, rest = page.split(begin)
        page = before + begin + text + "\n" + end + rest.split(end)[1]
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
