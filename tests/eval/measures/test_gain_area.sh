#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The area under the precision-recall-gain curve of real distances, against exact fractions from the definition.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fplab=${FPLAB:-build/bin/fplab} corpus=tests/data/newswire-zh
"$fplab" eval --corpus $corpus --arm simhash --arm jaccard --arm cosine --measure precision_recall_gain_area --no-plots --out "$work/run" >/dev/null 2>&1
for arm in simhash jaccard cosine; do
    "$fplab" distances --corpus $corpus --arm $arm 2>/dev/null | awk -F'\t' 'NR > 1 { print $5 "\t" $3 }' >"$work/distances"
    expected=$(python3 tests/eval/measures/gain_area.py "$work/distances")
    awk -F'\t' -v arm=$arm -v expected="$expected" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == "precision_recall_gain_area") column = i }
        $2 == arm { seen = 1; difference = $column - expected; if (difference < -2e-12 || difference > 2e-12) exit 2 }
        END { exit !seen }' "$work/run/summary.tsv" || { echo "$arm: not $expected"; cat "$work/run/summary.tsv"; exit 1; }
done
