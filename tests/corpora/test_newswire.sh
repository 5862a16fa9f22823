#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# newswire-zh is what its datasheet says: labels and pairs by the stated rules, and no single class of evidence (digits, Latin letters, punctuation, names, a
# sentence, the length) ranks its pairs nearly as well as any of the five arms on the whole text. Features, similarities, average precision and the sample are
# computed in Python; the first edition, whose digits give its labels away, shows that the test can tell. The datasheet's table is renewed by
# UPDATE=1 tests/corpora/test_newswire.sh.
. tests/support.sh
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
check=$PWD/tests/corpora/newswire_check.py sheet=$corpora/newswire-zh/DATASHEET.md
cd "$work" || exit 1

# measured CORPUS: the arms and every view of a corpus into NAME/summary.tsv, and the table of them.
measured() {
    local arms=() view
    mkdir views && python3 "$check" views "$1" views || complain "no views"
    for view in views/*.tsv; do arms+=(--arm "scores:file=$view,name=$(basename "$view" .tsv)"); done
    for arm in simhash minhash jaccard cosine pinyin; do arms+=(--arm "$arm"); done
    "$fplab" eval --corpus "$1" "${arms[@]}" --no-plots --out run >/dev/null 2>err || complain "eval: $(cat err)"
    python3 "$check" table "$1" run/summary.tsv >table 2>told
    local status=$?
    rm -rf views run
    return $status
}

"$fplab" corpus check "$corpora/newswire-zh" >facts 2>err || complain "corpus check: $(cat err)"
grep -q 'fits the files' facts || complain "the manifest: $(grep manifest facts)"
python3 "$check" labels "$corpora/newswire-zh" >wrong || complain "$(cat wrong)"
measured "$newswire" && complain "the digits of the first edition are not noticed"
grep -q '^a giveaway: digits has 0\.99' told || complain "the first edition: $(cat told)"
measured "$corpora/newswire-zh" || complain "$(cat told)"
if [ -n "${UPDATE-}" ]; then
    awk 'FNR == NR { table = table $0 "\n"; next } /^<!-- giveaways: begin/ { print; printf "\n%s\n", table; skip = 1 } /^<!-- giveaways: end/ { skip = 0 } !skip' table "$sheet" >new && cat new >"$sheet"
fi
sed -n '/^<!-- giveaways: begin/,/^<!-- giveaways: end/p' "$sheet" | grep '^|' | cmp -s - table || complain "the table of DATASHEET.md is another: UPDATE=1 tests/corpora/test_newswire.sh writes it anew"
for fact in documents groups; do grep -q "$(awk -v fact=$fact '$1 == fact { print $2 }' facts) $fact" "$sheet" || complain "DATASHEET.md tells another number of $fact"; done
exit $bad
