# SPDX-License-Identifier: GPL-3.0-or-later
"""The pairs of a run by what `fplab distances` prints under the own seed of each arm, and its texts by docs.jsonl: what a page is held against."""
import csv, json, os, re, subprocess


class Truth:
    """The pairs of one corpus: ids, label, kind, characters of the shorter text; of every arm the distances under its own seed, the first."""

    def __init__(self, fplab, recorded, corpus):
        self.fplab = fplab
        path = os.path.join(recorded["directory"], corpus["path"])
        self.texts = {}
        for line in open(os.path.join(path, "docs.jsonl"), encoding="utf-8"):
            document = json.loads(line)
            self.texts[document["id"]] = document["text"]
        self.distances = []
        for arm in recorded["arms"]:
            own = self.measure(path, arm["spec"], (arm.get("seeds") or [None])[0])
            self.pairs = [row[:4] for row in own]
            self.distances.append([float(row[4]) for row in own])

    def measure(self, path, spec, seed):
        given = spec if seed is None else f"{spec}{',' if ':' in spec else ':'}seed={seed}"
        printed = subprocess.run([self.fplab, "distances", "-c", path, "-a", given], capture_output=True, check=True).stdout.decode()
        return list(csv.reader(printed.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))[1:]

    def length(self, pair):
        return min(len(self.texts[pair[0]]), len(self.texts[pair[1]]))

    def cell(self, arm, name, threshold, keep=lambda pair: True):
        """The pairs of a cell."""
        return {(pair[0], pair[1]) for pair, distance in zip(self.pairs, self.distances[arm])
                if (pair[2] == "1") == (name in ("tp", "fn")) and (distance <= threshold) == (name in ("tp", "fp")) and keep(pair)}


# Signs that the page shows by their number, U+202E, and the numbers, are not compared.
UNSEEN = re.compile("U\\+[0-9A-F]{4}|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def visible(text):
    return UNSEEN.sub("", text)
