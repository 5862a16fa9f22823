#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# robustness: its figures are those of the same copies counted by other means, the same on any number of threads; pictures are there; what
# cannot be is told in one line.
. tests/support.sh
command -v python3 >/dev/null || { echo "there is no python3"; exit 77; }
cd "$work" || exit 1
kinds=digits,homophone,truncate,words rates=0.02,0.1
run() { "$fplab" robustness --quiet --corpus "$newswire" --documents 60 -k $kinds -r $rates --replicates 200 "$@"; }

run -a exact -a simhash -a jaccard -a pinyin --hash-seeds 2 --out study >table || complain "status $?"
[ -s study/plots/study-robustness.png ] || complain "no picture"
head -c 4 study/plots/study-robustness.png | grep -q PNG || complain "the picture is none"
"$fplab" plot study --figure robustness --lang zh --out pictures >/dev/null || complain "it is not drawn again"
[ "$(wc -l <study/robustness.tsv)" = 33 ] || complain "rows of robustness.tsv"
[ "$(wc -l <study/robustness-parts.tsv)" = $((1 + 8 * (1 + 2 + 1 + 1))) ] || complain "rows of robustness-parts.tsv: $(wc -l <study/robustness-parts.tsv)"

OMP_NUM_THREADS=1 run -a exact -a simhash -a jaccard -a pinyin --hash-seeds 2 --no-plots --out again >/dev/null
OMP_NUM_THREADS=3 run -a exact -a simhash -a jaccard -a pinyin --hash-seeds 2 --no-plots --out threads >/dev/null
for table in robustness robustness-parts robustness-thresholds; do
    cmp again/$table.tsv study/$table.tsv || complain "$table.tsv is not the same again"
    cmp threads/$table.tsv study/$table.tsv || complain "$table.tsv depends on threads"
done

# Texts without Han characters: the kinds that change them are skipped and named, of several corpora too; alone they are refused.
mkdir latin && sed 's/[^ -~]//g' "$corpora/newswire-en/docs.jsonl" >latin/docs.jsonl
mixed() { "$fplab" robustness "$@" --documents 20 -r 0.1 --replicates 200 --hash-seeds 1 -a exact --no-plots; }
mixed -c latin -k homophone,digits,traditional --out latin-study >/dev/null 2>err || complain "Latin letters: $(cat err)"
grep -qx 'Skipped homophone, traditional: latin has no Han characters.' err || complain "skipped kinds are not named: $(cat err)"
grep -q '"kinds_skipped":"homophone, traditional"' latin-study/run.json || complain "run.json does not name skipped kinds"
mixed -c latin -k digits --out digits-study >/dev/null 2>&1
cmp -s digits-study/robustness.tsv latin-study/robustness.tsv || complain "skipped kinds change figures"
mixed -c "$newswire" -c latin -k homophone,digits --out both-study >/dev/null 2>err && grep -q '^Skipped homophone: a corpus has' err || complain "two corpora: $(cat err)"
[ "$(cut -f 2 both-study/robustness.tsv | sed 1d | sort -u)" = digits ] || complain "kinds of two corpora: $(cut -f 2 both-study/robustness.tsv)"
refused 1 'latin: homophone changes Han characters, and the corpus has none' mixed -c latin -k homophone,traditional

# The same copies as files, their distances as a list, thresholds and figures by hand.
mkdir part && head -160 "$newswire/docs.jsonl" >part/docs.jsonl
"$fplab" corpus corrupt --quiet -c part -k $kinds -r $rates --negatives 0 --out copies >/dev/null
"$fplab" robustness --quiet -c part --documents 1000 -k $kinds -r $rates -a exact -a jaccard --replicates 200 --no-plots --out whole >/dev/null
python3 - copies whole <<'E2' || complain "figures are not those of the copies"
import collections, csv, json, sys
copies, study = sys.argv[1:]
rows = list(csv.DictReader(open(study + "/robustness.tsv", encoding="utf-8"), delimiter="\t"))
value = {(r["arm"], r["kind"], r["rate"]): r for r in rows}
# What is exact knows a copy where nothing that it reads was changed: a digit always is read, a cut always shows.
unchanged, count = collections.Counter(), collections.Counter()
sites, changes = collections.Counter(), collections.Counter()
for line in open(copies + "/docs.jsonl", encoding="utf-8"):
    row = json.loads(line)
    if "of" not in row:
        continue
    cell = row["kind"], "%g" % row["rate"]
    count[cell] += 1
    unchanged[cell] += row["changes"] == 0
    sites[cell] += row["sites"]
    changes[cell] += row["changes"]
for (kind, rate), n in count.items():
    row = value["exact", kind, rate]
    assert int(row["positives"]) == n >= 100
    assert abs(float(row["measured"]) - changes[kind, rate] / sites[kind, rate]) < 1e-6, (kind, rate)
    if kind in ("digits", "truncate"):
        share = unchanged[kind, rate] / n
        assert abs(float(row["recall_at_precision"]) - share) < 1e-6, (kind, rate, row, share)
        assert abs(float(row["f1"]) - 2 * share / (1 + share)) < 1e-6, (kind, rate, row, share)
for row in rows:
    for name in ("f1", "recall_at_precision"):
        low, mid, high = (float(row[name + end]) for end in ("_low", "", "_high"))
        assert 0 <= low <= mid <= high <= 1, row
        assert low < high, row
print("recall of exact at", {k: round(unchanged[k] / count[k], 3) for k in count if k[0] == "digits"})
E2

# Two corpora: the mean of both, by their parts.
mkdir second && head -100 "$newswire/docs.jsonl" >second/docs.jsonl
run -c second -a simhash --no-plots --out two >/dev/null || complain "two corpora"
python3 - <<'E2' || complain "the value is not the mean of its parts"
import collections, csv
parts = collections.defaultdict(list)
for r in csv.DictReader(open("two/robustness-parts.tsv", encoding="utf-8"), delimiter="\t"):
    parts[r["kind"], r["rate"]].append(float(r["f1"]))
for r in csv.DictReader(open("two/robustness.tsv", encoding="utf-8"), delimiter="\t"):
    mine = parts[r["kind"], r["rate"]]
    assert len(mine) == 6 and abs(sum(mine) / 6 - float(r["f1"])) < 1e-5, r
    assert r["corpora"] == "2"
E2

mkdir few english
printf '{"id":"a","text":"一。"}\n{"id":"b","text":"二。"}\n{"id":"c","text":"三。"}\n' >few/docs.jsonl
for i in 1 2 3 4 5; do printf '{"id":"%d","text":"Text number %d of five."}\n' $i $i; done >english/docs.jsonl
refused 1 'groups of documents' "$fplab" robustness -c few -k digits -a exact
refused 1 'the corpus has none' "$fplab" robustness -c english -k homophone -a exact
exit $bad
