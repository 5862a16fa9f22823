#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes docs/algorithms.md (or the given file): for every fingerprint its measure, bytes, speed, average precision on
the shipped sets and, if built, on those of `make corpora`, and its robustness. FPLAB is the program, NATURAL the
directory of those sets. The advice is written by hand; two commands, named on the page, measure every number."""
import json
import os
import subprocess
import sys

FPLAB = os.environ.get("FPLAB", "build/bin/fplab")
NATURAL = os.environ.get("NATURAL", "build/corpora/natural")
SHIPPED = ["corpora/data/newswire-zh", "corpora/data/newswire-en"]
NATURAL_SETS = ["installation-guide-zh", "libreoffice-help-zh", "licences-en", "manual-pages-zh"]
KINDS = ["substitute", "homophone", "transpose", "sentences", "boilerplate", "truncate"]
LEFT_OUT = ("scores", "vectors", "oracle", "constant", "random")

FAMILIES = {
    "baseline": "Equal texts only. What every other fingerprint must beat.",
    "signs": "A fixed number of bits, compared by Hamming distance: the smallest, and the fastest to search. They estimate the angle "
    "between bags of features. Choose `simhash` for 8 bytes a text and light edits; `hyperplane` where features are few and heavy, since its "
    "bits are independent of the term hash; `bitsample` for other lengths of one simhash; `projection` keeps real coordinates, for "
    "measurements rather than storage.",
    "minhash": "Slots that estimate a Jaccard coefficient: more bytes, and far better than signs on heavily "
    "rewritten texts. `minhash` is the default of `fplab dedup`; with `query=real` a query knows the values of its slots, and as many stored "
    "bytes are worth more. `oneperm`, `cminhash` and `superminhash` make the same slots with less work or "
    "less variance. `weightedminhash` counts repeats, `probminhash` shares of the text, so that a text and its double are equal. "
    "`setsketch` also estimates how many features a text has, and can be merged.",
    "groups": "All-or-nothing hashes: few numbers, exact look-ups, no near miss. `supershingles` for joins in a database where only "
    "close copies matter; `imatch` where the vocabulary decides and order does not.",
    "samples": "Sets of hashes whose size follows the text's. `bottomk` is an unbiased sample of fixed size; `fracminhash` compares texts of "
    "very different lengths; `winnowing` misses no common run of its length, for copied passages; `sentences` for copies that keep "
    "whole sentences.",
    "counts": "`pinyin` does not change with homophones, script or the choice among characters that sound alike; "
    "[pinyin.md](pinyin.md) measures when it wins. `nilsimsa` needs no segmentation and no parameters; it was made for mail.",
    "exact": "No fingerprint: the measures themselves, as ceilings. `levenshtein` and `substring` compare characters in order; they "
    "are slow, and say what a bag of features cannot.",
}


def fplab(*arguments):
    """The JSON output of a command."""
    run = subprocess.run([FPLAB, *arguments, "--format", "json"], capture_output=True, text=True)
    if run.returncode:
        sys.exit("%s: %s" % (" ".join(arguments), run.stderr))
    return json.loads(run.stdout)


def table(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head)] + ["| " + " | ".join(row) + " |" for row in rows])


def significant(value):
    return "%.2g M" % (value / 1e6) if value >= 1e6 else "%.0f k" % (value / 1e3) if value >= 1e4 else "%.1f k" % (value / 1e3)


def main():
    algorithms = [a for a in fplab("algorithms") if a["algorithm"] not in LEFT_OUT]
    names = [a["algorithm"] for a in algorithms]
    sets = SHIPPED + [os.path.join(NATURAL, s) for s in NATURAL_SETS if os.path.isdir(os.path.join(NATURAL, s))]
    summary, answer = {}, {}
    arms = [word for name in names for word in ("-a", name)]
    for path in sets:
        tables = fplab("eval", "--corpus", path, *arms, "--hash-seeds", "10", "--replicates", "200")
        for row in tables["summary"]:
            summary[path, row["arm"]] = row
    # Measures each arm's speed in a separate run: arms of one run share features.
    for name in names:
        answer[name] = fplab("eval", "--corpus", SHIPPED[0], "-a", name, "--hash-seeds", "1", "--replicates", "200")["answer"][0]
    survived = {}
    for row in fplab("robustness", "--corpus", SHIPPED[0], "--documents", "60", "--hash-seeds", "2", "--kind", ",".join(KINDS), "--rate", "0.1", *arms):
        survived[row["arm"], row["kind"]] = row["recall_at_precision"]

    def precision(path, name):
        row = summary[path, name]
        return "%.3f ± %.3f" % (row["average_precision"], (row["average_precision_high"] - row["average_precision_low"]) / 2)

    measured = [
        [
            "`%s`" % a["algorithm"],
            a["measure"] or "–",
            "%.0f" % summary[SHIPPED[0], a["algorithm"]]["bytes_per_document"],
            a["law"],
            significant(answer[a["algorithm"]]["documents_per_second"]),
        ]
        + [precision(path, a["algorithm"]) for path in sets]
        for a in algorithms
    ]
    withstood = [["`%s`" % name] + ["%.2f" % survived[name, kind] for kind in KINDS] for name in names]
    text = ["""<!-- SPDX-License-Identifier: GPL-3.0-or-later; written by docs/algorithms.py -->
# The fingerprints, side by side

Every algorithm with its default parameters. `fplab algorithms NAME` lists the parameters and the source, `fplab explain NAME` shows the steps
on a text. To compare them on your own texts: `fplab eval YOUR.csv -a NAME -a NAME`.

    fplab eval --corpus SET -a NAME … --hash-seeds 10 --replicates 200
    fplab robustness --corpus corpora/data/newswire-zh --documents 60 --hash-seeds 2 --kind %s --rate 0.1 -a NAME …

## Size, speed, average precision

Bytes and texts per second are those of newswire-zh on one machine of two cores, reading and segmenting included (a ratio of two of them means more
than either). *Law* says whether the distribution of the distance is known at a true similarity. Average precision is the mean over ten hash
seeds, with half the width of its 95%% interval; differences between arms are smaller than these intervals suggest, because arms are measured
on the same pairs (`fplab eval` reports them).
""" % ",".join(KINDS)]
    text.append(table(["fingerprint", "measure", "bytes", "law", "texts/s"] + [os.path.basename(path) for path in sets], measured))
    text.append("""
## What they withstand

Recall at precision 0.95 when a tenth of the text is changed, on newswire-zh ([robustness.md](robustness.md) has all kinds and rates, on four
sets, with intervals).
""")
    text.append(table(["fingerprint"] + KINDS, withstood))
    text.append("\n## When to choose which\n")
    for family in dict.fromkeys(a["family"] for a in algorithms):
        members = ", ".join("`%s`" % a["algorithm"] for a in algorithms if a["family"] == family)
        text.append("**%s** (%s). %s\n" % (family.capitalize(), members, FAMILIES[family]))
    text.append("## Sources\n")
    text.append("\n".join("- `%s`: %s" % (a["algorithm"], a["source"]) for a in algorithms))
    with open(sys.argv[1] if len(sys.argv) > 1 else "docs/algorithms.md", "w", encoding="utf-8") as page:
        page.write("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
