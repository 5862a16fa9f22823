#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# newswire-en is what its datasheet says: labels and pairs by the stated rules, copies as the stated commands make them, and no single class of evidence (digits,
# punctuation, names, a sentence, the length) ranks its pairs nearly as well as an arm on the whole text. Features, similarities, average precision and the
# sample are computed in Python; a copy of the set whose digits are the events' numbers shows that the test can tell. The datasheet's tables are renewed by
# UPDATE=1 tests/corpora/test_newswire_en.sh.
. tests/support.sh
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1
check=$PWD/tests/corpora/newswire_en_check.py set=$corpora/newswire-en sheet=$corpora/newswire-en/DATASHEET.md
cd "$work" || exit 1

# measured CORPUS: the table of every view of a corpus and the arms; fails where a view comes near an arm.
measured() {
    local arms=() view status
    mkdir views && python3 "$check" views "$1" views || complain "no views"
    for view in views/*.tsv; do arms+=(--arm "scores:file=$view,name=$(basename "$view" .tsv)"); done
    for arm in simhash minhash jaccard cosine; do arms+=(--arm "$arm"); done
    "$fplab" eval --corpus "$1" "${arms[@]}" --no-plots --out run >/dev/null 2>err || complain "eval: $(cat err)"
    python3 "$check" table "$1" views run/summary.tsv >giveaways 2>told
    status=$?
    rm -rf views run
    return $status
}

"$fplab" corpus check "$set" >facts 2>err || complain "corpus check: $(cat err)"
grep -q 'fits the files' facts || complain "the manifest: $(grep manifest facts)"
python3 "$check" labels "$set" >wrong || complain "$(cat wrong)"
for change in boilerplate+punctuation:0.1 transpose+sentence_delete:0.02; do
    "$fplab" corpus corrupt --corpus "$set" --kind "${change%:*}" --rate "${change#*:}" --seed 2 --out "${change%:*}" >/dev/null 2>err || complain "corpus corrupt: $(cat err)"
done
python3 "$check" copies "$set" boilerplate+punctuation transpose+sentence_delete >wrong || complain "$(cat wrong)"
python3 "$check" kinds "$set" >kinds || complain "a kind has both labels"
mkdir spoilt && python3 "$check" spoil "$set" spoilt || complain "no spoilt copy"
measured spoilt && complain "digits that decide are not noticed"
grep -q '^a giveaway: digits has 1\.000' told || complain "the spoilt copy: $(cat told)"
measured "$set" || complain "$(cat told)"
# Neither do the program's own classes of evidence, which are others; Latin words are nine tenths of the text, and count as the text itself.
"$fplab" corpus giveaways "$set" --arm simhash --arm minhash --arm jaccard --arm cosine --format tsv >classes 2>err || complain "corpus giveaways: $(cat err)"
awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
             $at["class"] == "arm" { if (!weakest || $at["average_precision"] < weakest) weakest = $at["average_precision"]; next }
             $at["share"] < 0.75 && $at["average_precision"] > most { most = $at["average_precision"]; name = $at["evidence"] }
             END { if (!weakest || !most || most + 0.04 > weakest) print name ": " most ", and the weakest arm " weakest }' classes >near
[ -s near ] && complain "$(cat near)"
for name in kinds giveaways; do # on the page, each table stands between <!-- NAME: begin --> and <!-- NAME: end -->
    if [ -n "${UPDATE-}" ]; then
        awk -v name=$name 'FNR == NR { table = table $0 "\n"; next } $2 == name ":" && $3 == "begin" { print; printf "\n%s\n", table; skip = 1 } $2 == name ":" && $3 == "end" { skip = 0 } !skip' $name "$sheet" >new && cat new >"$sheet"
    fi
    sed -n "/^<!-- $name: begin/,/^<!-- $name: end/p" "$sheet" | grep '^|' | cmp -s - $name || complain "the table of $name in DATASHEET.md is another: UPDATE=1 tests/corpora/test_newswire_en.sh writes it anew"
done
for fact in documents groups positive; do grep -q "\b$(awk -v fact=$fact '$1 == fact { print $2 }' facts) $fact" "$sheet" || complain "DATASHEET.md tells another number of $fact"; done
exit $bad
