# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a labelled corpus: docs.jsonl, pairs.tsv, MANIFEST.json. The same input gives the same bytes."""
import collections
import hashlib
import json
import os
import re

HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")


def han_count(text):
    return len(HAN.findall(text))


def rank(*names):
    """A hash for sampling: items of the smallest rank are sampled first, the same on every machine."""
    return hashlib.sha256("\t".join(names).encode()).digest()


def changed_share(parts, other_parts):
    """Share of the characters in parts (lines, words) that the other text does not have, 0 to 1."""
    ours, theirs = collections.Counter(parts), collections.Counter(other_parts)
    common = sum(len(part) * count for part, count in (ours & theirs).items())
    total = sum(len(part) * count for text in (ours, theirs) for part, count in text.items())
    return 1 - 2 * common / total if total else 0.0


def kind_of_change(share):
    """The bounds are round numbers, not results."""
    return "changed_under_5" if share < 0.05 else "changed_5_20" if share < 0.2 else "changed_over_20"


def read_documents(directory):
    """The documents written by `fplab import`."""
    with open(os.path.join(directory, "docs.jsonl"), encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def read_packages(path):
    """Reads lines of package and version, tab-separated."""
    with open(path, encoding="utf-8") as file:
        return dict(sorted(line.rstrip("\n").split("\t") for line in file))


class Labelled:
    """Documents and pairs; each pair once, with its ids in order."""

    def __init__(self):
        self.documents = []
        self.pairs = {}

    def add(self, name, text, group, **members):
        self.documents.append({"id": name, "text": text, "group": group, **members})

    def pair(self, first, second, label, kind):
        self.pairs.setdefault((min(first, second), max(first, second)), (label, kind))

    def write(self, directory, manifest):
        os.makedirs(directory, exist_ok=True)
        documents = sorted(self.documents, key=lambda document: document["id"])
        texts = {
            "docs.jsonl": "".join(json.dumps(document, ensure_ascii=False) + "\n" for document in documents),
            "pairs.tsv": "".join("%s\t%s\t%d\t%s\n" % (pair + self.pairs[pair]) for pair in sorted(self.pairs)),
        }
        if not self.pairs:  # groups are the ground truth
            del texts["pairs.tsv"]
        labels = collections.Counter(label for label, _ in self.pairs.values())
        kinds = collections.Counter(kind for _, kind in self.pairs.values())
        counts = {
            "documents": len(documents),
            "groups": len({document["group"] for document in documents}),
            **({"pairs": len(self.pairs), "positives": labels[1]} if self.pairs else {}),
        }
        manifest = {
            **manifest,
            "counts": counts,
            **({"kinds": dict(sorted(kinds.items()))} if self.pairs else {}),
            "sha256": {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()},
        }
        texts["MANIFEST.json"] = json.dumps(manifest, ensure_ascii=False, indent=2) + "\n"
        for name, text in texts.items():  # the manifest last: it marks a complete set
            with open(os.path.join(directory, name + ".part"), "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(os.path.join(directory, name + ".part"), os.path.join(directory, name))
        by_kind = ", ".join("%d %s" % (count, kind) for kind, count in sorted(kinds.items()))
        if not self.pairs:
            print("%s: %d documents in %d groups; all pairs count" % (manifest["name"], len(documents), counts["groups"]))
            return
        print("%s: %d documents, %d positive and %d negative pairs (%s)"
              % (manifest["name"], len(documents), labels[1], labels[0], by_kind))
