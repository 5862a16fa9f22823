#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/data/formats/keep.sh DIRECTORY: writes into the directory, which holds a corpus, a small one of each file that a version promises to read ever after
# (docs/formats.md), and what this version makes of them. Run at a release, once; what stands there is never written anew.
#
#     FPLAB=build/bin/fplab tests/data/formats/keep.sh tests/data/formats/0.2.0
set -eu
fplab=$(realpath "${FPLAB:-build/bin/fplab}")
kept=$(realpath "$1")
[ -e "$kept/corpus/docs.jsonl" ] || { echo "$kept holds no corpus" >&2; exit 1; }
[ ! -e "$kept/run" ] || { echo "$kept is kept already" >&2; exit 1; }
# A place that says nothing of who ran this: run.json holds it.
work=/var/tmp/fplab-formats
mkdir "$work"
trap 'rm -rf "$work"' EXIT
cp -r "$kept/corpus" "$work/corpus"
cd "$work"
arm=simhash:features=chars:2,weight=tfidf
"$fplab" eval --corpus corpus --arm $arm --arm jaccard:features=chars:2 --arm minhash:features=chars:2 --thresholds 1..24 --replicates 200 --no-plots --quiet --out run >/dev/null
"$fplab" fingerprint --corpus corpus --arm $arm --save-model learned.model >fingerprints.tsv
"$fplab" tune --corpus corpus --grid 'simhash:features=chars:2,weight=tf|logtf' --replicates 200 --quiet --save choice.json >/dev/null
"$fplab" corpus idf corpus --spec features=chars:2 --out terms.idf
"$fplab" judge sample --corpus corpus --arm simhash:features=chars:2 --distances 6..24 --quiet --out drawn.tsv >/dev/null
# The sheet as a person leaves it: a pair whose ids begin alike is a duplicate.
awk -F'\t' -v OFS='\t' '/^#/ { print; next } !column { for (i = 1; i <= NF; i++) { if ($i == "judgement") column = i; if ($i == "id_a") a = i; if ($i == "id_b") b = i }
    print; next } { $column = substr($a, 1, length($a) - 1) == substr($b, 1, length($b) - 1) ? "duplicate" : "not"; print }' drawn.tsv >sheet.tsv
"$fplab" judge estimate sheet.tsv --format tsv >estimate.tsv
"$fplab" index build bits.fp --arm $arm --model learned.model --threshold 24 --keep-texts --quiet corpus
"$fplab" index build slots.fp --arm minhash:features=chars:2 --threshold 40 --quiet corpus
"$fplab" index build granules.fp --arm winnowing --threshold 20 --keep-texts --quiet corpus
for name in bits slots; do
    "$fplab" query $name.fp --quiet --format tsv --from jsonl corpus/docs.jsonl >query-$name.tsv
done
"$fplab" query granules.fp --quiet --format tsv --sources --from jsonl corpus/docs.jsonl >query-granules.tsv
rm -f drawn.tsv
gzip -9n *.fp
cp -r run *.model *.json *.idf *.tsv *.gz "$kept"
