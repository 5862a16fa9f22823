#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# newswire-zh is what its datasheet says: labels and pairs by the stated rules, copies as the stated commands make them, and no single class of evidence (digits, Latin letters, punctuation, names, a
# sentence, the length) ranks its pairs nearly as well as any of the five arms on the whole text. Features, similarities, average precision and the sample are
# computed in Python; the first edition, whose digits give its labels away, shows that the test can tell. The datasheet's tables are renewed by
# UPDATE=1 tests/corpora/test_newswire.sh.
. tests/support.sh
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
check=$PWD/tests/corpora/newswire_check.py sheet=$corpora/newswire-zh/DATASHEET.md
[ -r /usr/lib/python3/dist-packages/jieba/dict.txt ] || { echo "skipped: jieba's dictionary is not where python3-jieba has it"; exit 77; }
cd "$work" || exit 1

# measured CORPUS: the arms and every view of a corpus into NAME/summary.tsv, and the table of them.
measured() {
    local arms=() view
    mkdir views && python3 "$check" views "$1" views || complain "no views"
    for view in views/*.tsv; do arms+=(--arm "scores:file=$view,name=$(basename "$view" .tsv)"); done
    for arm in simhash minhash jaccard cosine pinyin; do arms+=(--arm "$arm"); done
    "$fplab" eval --corpus "$1" "${arms[@]}" --no-plots --out run >/dev/null 2>err || complain "eval: $(cat err)"
    python3 "$check" table "$1" views run/summary.tsv >table 2>told
    local status=$?
    rm -rf views run
    return $status
}

"$fplab" corpus check "$corpora/newswire-zh" >facts 2>err || complain "corpus check: $(cat err)"
grep -q 'fits the files' facts || complain "the manifest: $(grep manifest facts)"
python3 "$check" labels "$corpora/newswire-zh" >wrong || complain "$(cat wrong)"
for change in boilerplate+punctuation:0.04 homophone+delete+sentence_delete:0.02; do
    "$fplab" corpus corrupt --corpus "$corpora/newswire-zh" --kind "${change%:*}" --rate "${change#*:}" --seed 2 --out "${change%:*}" >/dev/null 2>err || complain "corpus corrupt: $(cat err)"
done
python3 "$check" copies "$corpora/newswire-zh" boilerplate+punctuation homophone+delete+sentence_delete >wrong || complain "$(cat wrong)"
python3 "$check" kinds "$corpora/newswire-zh" >kinds || complain "a kind has both labels"
measured "$newswire" && complain "the digits of the first edition are not noticed"
grep -q '^a giveaway: digits has 0\.99' told || complain "the first edition: $(cat told)"
measured "$corpora/newswire-zh" || complain "$(cat told)"
# On the page, each table stands between <!-- NAME: begin --> and <!-- NAME: end -->.
mv table giveaways
for name in kinds giveaways; do
    if [ -n "${UPDATE-}" ]; then
        awk -v name=$name 'FNR == NR { table = table $0 "\n"; next } $2 == name ":" && $3 == "begin" { print; printf "\n%s\n", table; skip = 1 } $2 == name ":" && $3 == "end" { skip = 0 } !skip' $name "$sheet" >new && cat new >"$sheet"
    fi
    sed -n "/^<!-- $name: begin/,/^<!-- $name: end/p" "$sheet" | grep '^|' | cmp -s - $name || complain "the table of $name in DATASHEET.md is another: UPDATE=1 tests/corpora/test_newswire.sh writes it anew"
done
for fact in documents groups positive; do grep -q "\b$(awk -v fact=$fact '$1 == fact { print $2 }' facts) $fact" "$sheet" || complain "DATASHEET.md tells another number of $fact"; done
exit $bad
