#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# 95% intervals of judged samples contain the truth in 94 to 99 of 100 draws, over 1,000 draws from each of four corpora, and
# relative recall is off by less than the quotient that it is made of; the same over all pairs of the first edition of newswire-zh and of the
# shared sets that have groups, where they are.
set -eu
fplab=${FPLAB:-build/bin/fplab}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Pairs and duplicates at each distance up to 20.
count() { # SET ARM
    "$fplab" eval --corpus "$work/sets/$1" --arm "$2" --hash-seeds 1 --threshold 0..20 --no-plots --out "$work/run" >/dev/null 2>&1
    awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
                { tp = $column["tp"]; fp = $column["fp"]; print $column["threshold"], tp + fp - before, tp - found
                  before = tp + fp; found = tp }' "$work/run/results.tsv" >"$work/$1-$2"
}

for set in tests/data/newswire-zh ../shared/data/*; do
    grep -q '"group"' "$set/docs.jsonl" 2>/dev/null || continue
    mkdir -p "$work/sets/$(basename "$set")"
    ln -s "$(realpath "$set/docs.jsonl")" "$work/sets/$(basename "$set")/docs.jsonl"
done
for set in "$work"/sets/*/; do
    for arm in simhash minhash; do count "$(basename "$set")" $arm; done
done
rm -r "$work/sets" "$work/run"
cd "$work"
exec "$OLDPWD/${BUILD:-build}/tests/deep/intervals/judged_coverage" 1000 *
