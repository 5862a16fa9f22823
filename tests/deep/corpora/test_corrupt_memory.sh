#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# corpus corrupt holds ids and pairs, not texts: 200 MB of them take at most 110 MiB more than 1 MB, for a kind that looks at a text alone and for one that takes
# from other documents, which are read for a part of the copies at a time. What was taken is the beginning of a document, in every part. Makes 1 GB of files.
. tests/support.sh
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
[ -z "${SANITIZE:-}" ] || { echo "a sanitizer takes memory of its own"; exit 77; }
[ "$(df -Pm "$work" | awk 'NR == 2 { print $4 }')" -gt 2000 ] || { echo "there is no room for 1 GB of files"; exit 77; }
python3 bench/made_corpus.py 115000 "$work/long" >/dev/null || { complain "no corpus"; exit 1; }
[ "$(stat -c %s "$work/long/docs.jsonl")" -ge 200000000 ] || complain "the corpus is of $(stat -c %s "$work/long/docs.jsonl") bytes alone"
mkdir "$work/short" && head -n 560 "$work/long/docs.jsonl" >"$work/short/docs.jsonl"
python3 - "$fplab" "$work" <<'PYTHON' || complain "memory grows with the texts, or texts are others"
import json, os, resource, shutil, subprocess, sys
program, work = sys.argv[1:]

def peak(corpus, kind):
    """MiB that a run takes, in a process of its own: what is told is the most of all children."""
    run = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL);"
           "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)")
    shutil.rmtree(f"{work}/made", ignore_errors=True)
    done = subprocess.run([sys.executable, "-c", run, program, "corpus", "corrupt", "--quiet", "--corpus", f"{work}/{corpus}", "--kind", kind, "--rate", "0.1",
                           "--out", f"{work}/made"], check=True, capture_output=True, text=True)
    return float(done.stdout)

bad = False
for kind in "digits", "splice":
    small, large = peak("short", kind), peak("long", kind)
    print(f"{kind}: {small:.0f} MiB for 1 MB of texts, {large:.0f} MiB for 200 MB")
    bad |= large > small + 110
starts, texts, copies = set(), {}, 0
with open(f"{work}/made/docs.jsonl", encoding="utf-8") as lines:
    for line in lines:
        document = json.loads(line)
        if "of" not in document:
            starts.add(document["text"][:12])
with open(f"{work}/made/docs.jsonl", encoding="utf-8") as lines:
    for line in lines:
        document = json.loads(line)
        if "of" in document and document["changes"] >= 12:
            copies += 1
            bad |= document["text"][-document["changes"]:][:12] not in starts
print(copies, "spliced copies")
sys.exit(bad or copies < 100000)
PYTHON
exit $bad
