#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run.json and fplab rerun: a run is repeated from wherever it is asked for, and a figure that is another is named.
. tests/support.sh
corpus=$newswire
commit=$(sed -n 's/^#define FP_BUILD_COMMIT "\(.*\)"/\1/p' "${BUILD:-build}/facts.h")
cd "$work" || exit 1

# ---- What run.json says ----

[ "$("$fplab" --version)" = "fplab $(sed -n 's/^fplab \([0-9.]*\),.*/\1/p' <("$fplab" --help)) (commit $commit)" ] || complain "--version: $("$fplab" --version)"
mkdir texts && cp -r "$corpus" texts/set && chmod -R u+w texts
SOURCE_DATE_EPOCH=1700000000 "$fplab" eval -c texts/set --by length --lost --prevalence 0.01 --replicates 200 --out run --no-plots >/dev/null || complain "eval"
cat >check.py <<'P'
import datetime, hashlib, json, os, sys
run = json.load(open(sys.argv[1] + "/run.json", encoding="utf-8"))
assert run["date"] == datetime.datetime.utcfromtimestamp(1700000000).strftime("%Y-%m-%dT%H:%M:%SZ"), run["date"]
assert run["directory"] == os.path.realpath("."), run["directory"]
assert run["commit"] == sys.argv[2], run["commit"]
assert set(run["tables"]["sha256"]) >= {"jieba", "han", "pinyin", "normalise"}
assert run["tables"]["packages"] and all(run["tables"]["packages"].values()) or not os.path.exists("/usr/bin/dpkg-query")
listed = {entry["name"]: (entry["size"], entry["sha256"]) for entry in run["files"]}
there = {}
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        path = os.path.join(folder, name)
        content = open(path, "rb").read()
        there[os.path.relpath(path, sys.argv[1])] = (len(content), hashlib.sha256(content).hexdigest())
del there["run.json"]
assert there == listed, set(there) ^ set(listed)
assert [arm["name"] for arm in run["arms"]] == ["simhash", "minhash", "jaccard", "cosine", "pinyin"]
assert all(":" in arm["spec"] for arm in run["arms"])
P
/usr/bin/python3 -W ignore check.py run "$commit" || complain "run.json"

# ---- Repeated ----

(cd / && "$fplab" rerun "$work/run") >out 2>err || complain "rerun: $(cat out err)"
[ "$(tail -n 1 out)" = "The figures are the same, timings apart." ] && [ ! -s err ] || complain "rerun: $(cat out err)"
for table in run/*.tsv; do grep -q "^$(basename "$table") .* the same$" out || complain "rerun does not compare $table"; done
grep -q '^summary.tsv *[0-9]* *20 *0 ' out || complain "timings of five arms are left out: $(grep summary out)"
"$fplab" rerun run/run.json --out again --format tsv >out || complain "rerun --out"
[ -s again/plots/set-thresholds.png ] && complain "pictures, which the run went without"
# timeless TABLE: without its columns of times.
timeless() { awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) timed[i] = $i ~ /second/ } { for (i = 1; i <= NF; i++) if (!timed[i]) printf "%s\t", $i; print "" }' "$1"; }
for table in run/*.tsv; do cmp <(timeless "$table") <(timeless "again/$(basename "$table")") || complain "rerun --out: $table"; done
mkdir -p elsewhere/temporary && (cd elsewhere && TMPDIR=temporary "$fplab" rerun ../run >/dev/null) || complain "rerun with TMPDIR"
rmdir elsewhere/temporary elsewhere || complain "a directory is left in TMPDIR"
"$fplab" tune -c texts/set -g 'simhash:bits=64|128' -g minhash --folds 3 --replicates 200 --out tuned --plot-format svg >/dev/null || complain "tune"
"$fplab" rerun tuned >out || complain "rerun of tune: $(cat out)"
grep -q '^pareto.tsv .* 9 *0 *the same$' out || complain "rerun of tune: $(cat out)"
"$fplab" plan --slots 64 --similarity 0.8 --out planned >/dev/null && "$fplab" rerun planned --out replanned >out || complain "rerun of plan: $(cat out)"
[ -s replanned/plots/plan-banding.png ] || complain "rerun --out draws"

# The arms are those of the run, not the defaults of the day: here simhash had 32 bits.
cp -r run other && sed -i 's/"spec":"simhash:bits=64,/"spec":"simhash:bits=32,/' other/run.json
"$fplab" rerun other >out && complain "another arm has the same figures"
grep -q '^results.tsv .* row 1, scale: bits of 64, now bits of 32$' out || complain "another arm: $(cat out)"

# ---- Refused ----

refused() {
    pattern=$1
    shift
    "$@" >out 2>err && complain "not refused: $*"
    [ "$(wc -l <err)" = 1 ] && grep -q -e "$pattern" err || complain "$*: $(cat err)"
}
# A mixture of two runs.
"$fplab" eval -c texts/set -a minhash --no-plots --out second >/dev/null
cp -r run mixed && cp second/results.tsv mixed/
refused '^fplab: .*/mixed: not the files of one run: results.tsv is not the one that run.json names' "$fplab" rerun mixed
cp -r run cut && rm cut/lost.tsv
refused 'not the files of one run: lost.tsv' "$fplab" rerun cut
cp run/run.json . # a run that is not there is not the one in this directory
refused '^fplab: nowhere/run.json: .*No such file' "$fplab" rerun nowhere
rm run.json
mkdir empty && echo '{"program": "fplab", "command": ["eval"], "directory": "/"}' >empty/run.json
refused 'run.json does not name its files' "$fplab" rerun empty
refused 'no run given' "$fplab" rerun
# Files that arms read, each checked once: stop words, user dictionary, packed frequencies.
printf '的\n了\n' >stop.txt && printf '临江大桥 100 n\n' >dict.txt && printf 'documents\t100\n大桥\t3\n通车\t20\n' | gzip >idf.gz
"$fplab" eval -c texts/set -a simhash:stop=stop.txt,userdict=dict.txt,weight=idf,idf=idf.gz -a cosine:stop=stop.txt --replicates 200 --no-plots --out files >/dev/null || complain "files"
/usr/bin/python3 - <<'P' || complain "inputs: $(cat files/run.json)"
import gzip, hashlib, json
sums = {entry["path"]: entry["sha256"] for entry in json.load(open("files/run.json"))["inputs"]}
files = {"stop.txt": open("stop.txt", "rb"), "dict.txt": open("dict.txt", "rb"), "idf.gz": gzip.open("idf.gz")}
assert sums == {name: hashlib.sha256(file.read()).hexdigest() for name, file in files.items()}, sums
P
"$fplab" rerun files >out 2>err && [ ! -s err ] || complain "rerun with files: $(cat out err)"
echo 在 >>stop.txt
refused '^fplab: stop.txt, which an arm reads, has changed since the run$' "$fplab" rerun files
rm stop.txt
refused "^fplab: stop.txt, which an arm reads, is not there any more, seen from $(realpath .)$" "$fplab" rerun files

# Pictures are not compared; that they are others is told.
"$fplab" eval -c texts/set -a simhash --replicates 200 --plot-format svg --out drawn >/dev/null || complain "drawn"
rm drawn/plots/set-thresholds.svg && echo >>drawn/plots/thresholds.gp
"$fplab" rerun drawn >out 2>err || complain "rerun of changed pictures: $(cat out err)"
grep -q '/drawn: changed since the run, or missing: plots/set-thresholds.svg, plots/thresholds.gp$' err && [ "$(wc -l <err)" = 1 ] || complain "changed pictures: $(cat err)"

# A corpus in another place, under another name, and the directory of the run gone: it is the same.
mkdir there && (cd there && "$fplab" eval -c ../texts/set -a simhash --replicates 200 --no-plots --out ../far >/dev/null) && rmdir there && cp -r texts/set texts/moved || complain "far"
refused 'cannot be entered' "$fplab" rerun far
"$fplab" rerun far --corpus set=texts/moved --out near >out 2>err && grep -q 'figures are the same' out || complain "--corpus: $(cat out err)"
"$fplab" rerun near >out 2>err || complain "rerun of a run whose corpus was named: $(cat out err)"
refused 'takes NAME=DIR, with the name of a corpus of the run, not sets=texts/moved' "$fplab" rerun far --corpus sets=texts/moved
refused 'texts/nowhere: No such file' "$fplab" rerun far --corpus set=texts/nowhere
"$fplab" tune -c texts/set -g simhash --folds 3 --replicates 200 --no-plots --out tuned2 >/dev/null && "$fplab" rerun tuned2 -c set=texts/moved >out || complain "rerun of tune, --corpus: $(cat out)"

# A corpus that changed, or went.
echo '{"id": "one more", "text": "一篇新的文章"}' >>texts/set/docs.jsonl
refused 'the corpus texts/set has changed since the run: its documents are not as in run.json' "$fplab" rerun run
mv texts/set texts/gone
refused "the corpus set is not at texts/set any more, seen from $(realpath .)" "$fplab" rerun run
exit $bad
