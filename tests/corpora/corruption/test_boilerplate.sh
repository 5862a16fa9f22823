#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Boilerplate keeps words whole: what is added are lines of text/data/boilerplate.txt or some words of one, each on a line of its own, and exactly as many
# characters as the rate says. The list is read and cut in Python.
. tests/support.sh
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
for set in "$newswire" "$corpora/newswire-en"; do
    "$fplab" corpus corrupt --quiet --corpus "$set" --kind boilerplate --rate 0.01,0.04,0.1,0.3,1 --negatives 0 --out "$work/made" >/dev/null 2>"$work/err" || complain "corrupt: $(cat "$work/err")"
    python3 - "$work/made/docs.jsonl" text/data/boilerplate.txt <<'PYTHON' || complain "$(basename "$set"): words are cut"
import json, re, sys
offered = {}
with open(sys.argv[2], encoding="utf-8") as lines:
    for place, language, text in (line.rstrip("\n").split("\t") for line in lines if not line.startswith("#")):
        # The places at which the text may be cut: its ends, white space, and marks, which are no part of it.
        words = re.split(r"(?<=\s)|(?=\s)|/", text)
        offered.setdefault((place, language), []).append(words)

def is_whole(line, place, language):
    """Some words of one line, one after the other."""
    for words in offered[place, language]:
        for begin in range(len(words)):
            made = ""
            for word in words[begin:]:
                made += word
                if made == line:
                    return line == line.strip()
                if not line.startswith(made):
                    break
    return line == ""

bad = copies = 0
stories = {}
with open(sys.argv[1], encoding="utf-8") as lines:
    for document in map(json.loads, lines):
        text = document["text"]
        if "of" not in document:
            stories[document["id"]] = text
            continue
        story, copies = stories[document["of"]], copies + 1
        at = text.find(story)
        before, after = text[:at], text[at + len(story):]
        right = at >= 0 and (not before or before.endswith("\n")) and (not after or after.startswith("\n"))
        right = right and len(before) + len(after) == document["changes"] and (abs(len(before) - len(after)) <= 1 or document["changes"] < 4 and not (before and after))
        right = right and all(is_whole(line, "before", document["lang"][:2]) for line in before[:-1].split("\n"))
        right = right and all(is_whole(line, "after", document["lang"][:2]) for line in after[1:].split("\n"))
        if not right:
            bad += 1
            if bad < 4:
                print(document["id"], repr(before[-60:]), repr(text[at:at + 10]), repr(after[:60]))
print(copies, "copies,", bad, "with words cut")
sys.exit(bad > 0 or copies < 500)
PYTHON
    rm -r "$work/made"
done
exit $bad
