#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Drawn negatives (eval --negatives): how often intervals hold the figures of all pairs of one corpus, whether its counts are right on average, and how often
# intervals hold the truth of a population when both its groups and its pairs are drawn. 92% at least of each.
set -eu
build=${BUILD:-build}
sets=$(realpath -m "${FPLAB_SETS:-../shared/data}")
cache=$(realpath -m "${FPLAB_COVERAGE:-$build/coverage}")
draws=${DRAWS:-300}
mkdir -p "$cache"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

# whole NAME DOCUMENTS NEGATIVES: the groups alone are the truth.
whole() {
    mkdir -p "$work/$1"
    cp "$2" "$work/$1/docs.jsonl"
    echo "$1, $3 of its pairs that are no duplicates, $draws draws"
    "$build/tests/deep/intervals/coverage_drawn" "$work/$1" "$3" "$draws" || { echo "FAIL: $1"; bad=1; }
}
whole newswire-zh corpora/data/newswire-zh/docs.jsonl 5000
if [ -d "$sets" ]; then whole poems "$sets/zhTW_quantangshi_two_editions/docs.jsonl" 50000
else echo "skipped: labelled sets: $sets is not here"; fi

# Samples of 500 and 300 groups, half a million pairs: one in 250 is drawn, and one in 25. Figures for which five successes and five errors are expected.
for world in poems-many licences-many; do
    for negatives in 2000 20000; do
        echo "$world, $negatives of the pairs, $draws samples"
        "$build/tests/deep/intervals/coverage_real" --shared "$sets" --cache "$cache" --world "$world" --negatives "$negatives" --repetitions "$draws" --threshold 6 |
            awk -F'\t' 'NR > 1 && $9 == "asked" && $11 > 0 {
                    printf "%s\t%s\t%s\t%.3f\n", $6, $7, $8, $13 / $11
                    if ($13 < 0.92 * $11) { print "FAIL: less than 92%"; bad = 1 } }
                END { exit bad }' || bad=1
    done
done
exit $bad
