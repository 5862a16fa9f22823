#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# newswire-zh is what its datasheet says: pairs, labels and kinds by the stated rules, copies as the stated commands make them, positive and negative pairs of the
# same form, and neither a single class of evidence nor boosted trees on form, digits and names rank its pairs as the arms do on the whole text. Features,
# similarities, average precision and the choice of pairs are computed in Python, and scikit-learn's trees are asked as well where they are installed; the
# first edition, whose digits give its labels away, and a set whose negative pairs are taken at random show that the test can tell. The datasheet's tables are
# renewed by UPDATE=1 tests/corpora/test_newswire.sh.
. tests/support.sh
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
check=$PWD/tests/corpora/newswire_check.py set=$corpora/newswire-zh sheet=$corpora/newswire-zh/DATASHEET.md
[ -r /usr/lib/python3/dist-packages/jieba/dict.txt ] || { echo "skipped: jieba's dictionary is not where python3-jieba has it"; exit 77; }
cd "$work" || exit 1

# measured CORPUS: the arms and every view of a corpus into NAME/summary.tsv, and the table of them.
measured() {
    local arms=() view
    mkdir views && python3 "$check" views "$1" views || complain "no views"
    for view in views/*.tsv; do arms+=(--arm "scores:file=$view,name=$(basename "$view" .tsv)"); done
    for arm in simhash minhash jaccard cosine pinyin jaccard:features=chars:2,name=bigrams; do arms+=(--arm "$arm"); done
    "$fplab" eval --corpus "$1" "${arms[@]}" --no-plots --out run >/dev/null 2>err || complain "eval: $(cat err)"
    "$fplab" corpus giveaways "$1" --arm jaccard --format tsv >given.tsv 2>err || complain "giveaways: $(cat err)"
    python3 "$check" table "$1" views run/summary.tsv given.tsv >table 2>told
    local status=$?
    rm -rf views run
    return $status
}

"$fplab" corpus check "$set" >facts 2>err || complain "corpus check: $(cat err)"
grep -q 'fits the files' facts || complain "the manifest: $(grep manifest facts)"
python3 "$check" labels "$set" >wrong || complain "$(cat wrong)"
made=()
for rate in boilerplate+punctuation:0.08 boilerplate+punctuation:0.15 boilerplate+punctuation:0.3 boilerplate+punctuation+homophone+delete:0.05 boilerplate+punctuation+homophone+delete:0.1; do
    "$fplab" corpus corrupt --corpus "$set" --kind "${rate%:*}" --rate "${rate#*:}" --seed 2 --negatives 0 --out "$rate" >/dev/null 2>err || complain "corpus corrupt: $(cat err)"
    made+=("$rate")
done
python3 "$check" copies "$set" "${made[@]}" >wrong || complain "$(cat wrong)"
python3 "$check" kinds "$set" >kinds || complain "a kind has both labels"
python3 "$check" balance "$set" >balance 2>wrong || complain "$(cat wrong)"
python3 "$check" kept "$set" kept.tsv || complain "no shares"
"$fplab" eval --corpus "$set" --arm simhash --arm minhash --arm jaccard --arm cosine --arm pinyin --arm scores:file=kept.tsv,name=kept --by kind --no-plots --replicates 200 --out kinds-run >/dev/null 2>err ||
    complain "eval --by kind: $(cat err)"
python3 "$check" shares kinds-run/strata.tsv >shares 2>wrong || complain "average precision does not fall with the share: $(cat wrong)"
measured "$newswire" && complain "the digits of the first edition are not noticed"
grep -q '^a giveaway: digits has 0\.99' told || complain "the first edition: $(cat told)"
measured "$set" || complain "$(cat told)"
# Trees of others: at most 0.1 above the share of positives on the hard part, 0.1 below pairs of characters on all; with digits and names below them.
for python in python3 /usr/bin/python3; do
    $python "$check" trees "$set" >trees 2>err && break
done
if [ -s trees ]; then
    awk -F'\t' '$1 == "hard part" { bad += $3 > $2 + 0.1 } $1 == "all pairs" { bad += $3 > $5 - 0.1 || $4 >= $5 } END { exit NR != 2 || bad }' trees || complain "trees: $(cat trees)"
fi
# Negative pairs at random, and form tells.
mkdir random && cp "$set/docs.jsonl" random/
python3 - "$set" <<'PYTHON' >random/pairs.tsv
import sys
rows = [line.rstrip("\n").split("\t") for line in open(sys.argv[1] + "/pairs.tsv", encoding="utf-8")]
positive = [row for row in rows if row[2] == "1"]
pairs = {(a, b): rest for a, b, *rest in positive}
for i, (a, *_) in enumerate(positive):
    c = positive[(i * 7 + 100) % len(positive)][1]
    if a[:9] != c[:9] and (c, a) not in pairs: pairs.setdefault((a, c), (0, "random"))
for pair, rest in pairs.items(): print(*pair, *rest, sep="\t")
PYTHON
python3 "$check" balance random >/dev/null 2>wrong && complain "random pairs pass for balanced ones"
"$fplab" corpus giveaways random --arm jaccard --format tsv 2>/dev/null | awk -F'\t' '$1 == "combined (form)" && $3 > 0.7 { found = 1 } END { exit !found }' || complain "form does not tell random pairs"
# On the page, each table stands between <!-- NAME: begin --> and <!-- NAME: end -->.
mv table giveaways
for name in kinds balance giveaways shares; do
    if [ -n "${UPDATE-}" ]; then
        awk -v name=$name 'FNR == NR { table = table $0 "\n"; next } $2 == name ":" && $3 == "begin" { print; printf "\n%s\n", table; skip = 1 } $2 == name ":" && $3 == "end" { skip = 0 } !skip' $name "$sheet" >new && cat new >"$sheet"
    fi
    sed -n "/^<!-- $name: begin/,/^<!-- $name: end/p" "$sheet" | grep '^|' | cmp -s - $name || complain "the table of $name in DATASHEET.md is another: UPDATE=1 tests/corpora/test_newswire.sh writes it anew"
done
for fact in documents groups positive; do grep -q "\b$(awk -v fact=$fact '$1 == fact { print $2 }' facts) $fact" "$sheet" || complain "DATASHEET.md tells another number of $fact"; done
exit $bad
