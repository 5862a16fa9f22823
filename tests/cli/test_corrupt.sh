#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# corpus corrupt: what it writes is a corpus that is as it says, the same bytes for the same seed whatever the order and the threads, and
# what cannot be is told in one line.
. tests/support.sh
command -v python3 >/dev/null || { echo "there is no python3"; exit 77; }
cd "$work" || exit 1
mkdir newswire && head -160 "$newswire/docs.jsonl" >newswire/docs.jsonl # with their groups
corrupt() { "$fplab" corpus corrupt --quiet --corpus "${corpus:-newswire}" "$@"; }

# ---- What is written ----

corrupt -k all,homophone+digits -r 0.2 --copies 2 --negatives 3 --edits --hard template --hard facts --hard nearest=jaccard:features=chars:2 \
    --out made >table || complain "status $?"
"$fplab" corpus check made >checked || complain "not a good corpus: $(cat checked)"
grep -q 'fits the files' checked || complain "the manifest does not fit"
[ "$(wc -l <table)" = 25 ] || complain "$(wc -l <table) lines of a table of 24 kinds"
python3 - <<'E2' || complain "the files are not as they say"
import collections, json
rows = [json.loads(line) for line in open("made/docs.jsonl", encoding="utf-8")]
docs = {r["id"]: r for r in rows}
assert len(docs) == len(rows)
copies = [r for r in rows if "of" in r and r["kind"] != "template"]
count = sum("of" not in r for r in rows)
assert len(copies) == count * 24 * 2, len(copies)
def steps(row):
    return row["steps"] if "steps" in row else [row]
sums = collections.Counter()
for row in copies:
    text = docs[row["of"]]["text"]
    assert row["group"] == docs[row["of"]]["group"]
    for step in steps(row):
        assert 0 <= step["changes"] <= step["sites"]
        assert step["measured"] is None if step["sites"] == 0 else abs(step["measured"] - step["changes"] / step["sites"]) < 1e-9
        # The edits, done by hand, make the copy.
        made, at = [], 0
        for place, before, after in step["edits"]:
            assert text[place:place + len(before)] == before, (row["id"], place, before)
            made += [text[at:place], after]
            at = place + len(before)
        text = "".join(made) + text[at:]
        sums[row["kind"], row["rate"], "changes"] += step["changes"]
        sums[row["kind"], row["rate"], "sites"] += step["sites"]
    assert text == row["text"], row["id"]
for line in open("table", encoding="utf-8").readlines()[1:]:
    kind, rate, _, changes, sites = line.split()
    assert sums[kind, float(rate), "changes"] == int(changes) and sums[kind, float(rate), "sites"] == int(sites), line
seen, kinds = set(), collections.Counter()
for line in open("made/pairs.tsv", encoding="utf-8"):
    a, b, label, kind = line.rstrip("\n").split("\t")
    assert (a, b) not in seen and (b, a) not in seen
    seen.add((a, b))
    kinds[kind.split(":")[0].split("@")[0]] += 1
    if label == "1":
        assert docs[b]["of"] == a and kind == "%s@%g" % (docs[b]["kind"], docs[b]["rate"])
    elif kind == "template":
        assert docs[b]["of"] == a and docs[b]["measured"] == 1
    else:
        assert docs[a]["group"] != docs[b]["group"]
assert kinds["homophone"] == kinds["delete"] == count * 2
assert 2.9 * len(copies) < kinds["random"] <= 3 * len(copies), kinds["random"]
assert kinds["template"] > 100 and kinds["nearest"] > 50 and kinds["facts"] > 5, kinds
print(dict(kinds.most_common(4)), "facts", kinds["facts"], "nearest", kinds["nearest"], "template", kinds["template"])
E2
grep -q '"command"\|"arguments"' made/run.json || complain "run.json has no command"
corrupt -k homophone,homophone+digits -r 0.1 --out small >/dev/null
"$fplab" eval --corpus small --arm jaccard --by kind --replicates 200 --no-plots 2>/dev/null | grep -q 'homophone+digits@0.1' || complain "kind and rate are no stratum"

# ---- The same bytes ----

python3 - <<'E2'
import random
lines = open("newswire/docs.jsonl", encoding="utf-8").readlines()[:60]
random.Random(3).shuffle(lines)
import os
os.mkdir("shuffled")
open("shuffled/docs.jsonl", "w", encoding="utf-8").writelines(lines)
E2
mkdir plain && head -60 newswire/docs.jsonl >plain/docs.jsonl
for from in plain shuffled; do
    corpus=$from OMP_NUM_THREADS=3 corrupt -k all -r 0.1 --seed 5 --hard facts --out "of-$from" >/dev/null
    LC_ALL=C sort "of-$from/docs.jsonl" >"$from.docs"
    # Which of two documents is named first follows the corpus.
    awk -F'\t' -v OFS='\t' '$4 == "facts" && $2 < $1 { t = $1; $1 = $2; $2 = t } { print }' "of-$from/pairs.tsv" | LC_ALL=C sort >"$from.pairs"
done
cmp plain.docs shuffled.docs || complain "the order of documents changes copies"
cmp <(grep -v facts plain.pairs) <(grep -v facts shuffled.pairs) || complain "the order of documents changes pairs"
corpus=plain OMP_NUM_THREADS=1 corrupt -k all -r 0.1 --seed 5 --hard facts --out again >/dev/null
for file in docs.jsonl pairs.tsv MANIFEST.json; do cmp "again/$file" "of-plain/$file" || complain "one thread makes another $file"; done
corpus=plain corrupt -k all -r 0.1 --seed 6 --hard facts --out other >/dev/null
cmp -s other/docs.jsonl of-plain/docs.jsonl && complain "another seed makes the same copies"
# A kind alone is as it is among all.
corpus=plain corrupt -k noise -r 0.1 --seed 5 --out alone >/dev/null
cmp <(grep '~noise@0.1"' alone/docs.jsonl) <(grep '~noise@0.1"' of-plain/docs.jsonl) || complain "a kind depends on the others"

# ---- Synonyms of one's own ----

mkdir two && printf '{"id":"a","text":"甲说乙。"}\n{"id":"b","text":"另一篇。"}\n' >two/docs.jsonl
printf '# mine\nAa01A01= 甲 丙\nAa01A02# 乙 丁\n' >words.txt
corpus=two corrupt -k synonym -r 1 --synonyms words.txt --out mine >/dev/null && grep -q '丙说乙' mine/docs.jsonl || complain "the user's synonyms are not taken"

# ---- What cannot be ----

mkdir empty english none && : >empty/docs.jsonl
printf '{"id":"a","text":"no Chinese here"}\n{"id":"b","text":"nor here"}\n' >english/docs.jsonl
printf '{"id":"a","text":"只有一篇。"}\n' >none/docs.jsonl
cp -r small kept
refused 1 'no document' "$fplab" corpus corrupt -c empty -k digits -r 0.1 -o kept
refused 1 'the corpus has none' "$fplab" corpus corrupt -c english -k homophone -r 0.1 -o kept
refused 1 'the corpus has no other' "$fplab" corpus corrupt -c none -k splice -r 0.1 -o kept
refused 1 'such a copy already' "$fplab" corpus corrupt -c small -k homophone -r 0.1 -o kept
refused 1 'no line with two words' "$fplab" corpus corrupt -c two -k synonym -r 1 --synonyms /dev/null -o kept
refused 1 'nothing.txt' "$fplab" corpus corrupt -c two -k synonym -r 1 --synonyms nothing.txt -o kept
diff -r small kept || complain "a refusal changed what was there"

# A place that no document has is told, and the copies are there.
corpus=english corrupt -k digits -r 0.5 --out nodigits >/dev/null 2>err || complain "status $?"
grep -q 'no document has a place for it' err || complain "not told: $(cat err)"

# ---- The disk is full ----

if [ "$(id -u)" = 0 ] && mkdir full && mount -t tmpfs -o size=2m none full 2>/dev/null; then
    cp -r small full/out
    refused 1 'space' "$fplab" corpus corrupt -c newswire -k all -r 0.1,0.2 -o full/out
    diff -r small full/out || complain "a full disk changed what was there"
    [ "$(ls -A full)" = out ] || complain "left behind: $(ls -A full)"
    umount full
else
    echo "skipped: a full disk: no file system can be mounted here"
fi
exit $bad
