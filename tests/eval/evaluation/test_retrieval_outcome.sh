#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# eval --retrieval: the figures of labelled pairs and of groups, computed anew from the distances; and where it is refused.
check=$(realpath tests/eval/evaluation/retrieval_of_distances.py)
. tests/support.sh
cd "$work" || exit 1

# compare CORPUS
compare() {
    "$fplab" eval --corpus "$1" --hash-seeds 1 --arm simhash --arm cosine --retrieval --no-plots --out ranked >out || complain "$1: --retrieval"
    grep -q '^Retrieval: ' out || complain "$1: nothing is shown"
    for arm in simhash cosine; do "$fplab" distances --corpus "$1" --arm $arm >$arm.tsv || complain "$1: distances of $arm"; done
    python3 "$check" ranked/retrieval.tsv simhash=simhash.tsv cosine=cosine.tsv >said || complain "$1: $(cat said)"
}

compare "$newswire"

"$fplab" eval --corpus "$newswire" --arm oracle --retrieval --no-plots --out oracle >/dev/null || complain "the oracle"
awk -F'\t' 'NR > 1 && ($6 != 1 || $7 != 1 || $8 != 1) { exit 1 }' oracle/retrieval.tsv || complain "the oracle does not rank perfectly"

# groups NAME DOCUMENTS: in groups of three.
groups() {
    mkdir -p "$1"
    for ((i = 0; i < $2; i++)); do echo "{\"id\": \"d$i\", \"text\": \"第$((i / 3))号通知，第$i份\", \"group\": \"g$((i / 3))\"}"; done >"$1/docs.jsonl"
}

# Each of 30 documents in groups of three is a query for the 29 others, 2 of which are its duplicates.
groups few 30
"$fplab" eval --corpus few --arm oracle --retrieval --no-plots --out few-ranked >/dev/null || complain "groups"
[ "$(awk -F'\t' 'NR > 1 { print $3, $4, $5, $6 }' few-ranked/retrieval.tsv)" = "30 870 60 1" ] || complain "groups: $(cat few-ranked/retrieval.tsv)"
groups many 720
refused 1 '--retrieval needs labelled pairs' "$fplab" eval --corpus many --arm simhash --retrieval

exit $bad
