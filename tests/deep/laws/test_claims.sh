#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Figures of docs/evaluation-analyses.md that no other test prints: on real texts where they are (../shared/data, or $FPLAB_SETS), with ten seeds each.
#   tests/deep/laws/test_claims.sh [median|news|curve]…
set -eu
fplab=$(realpath "${FPLAB:-build/bin/fplab}")
sets=$(realpath -m "${FPLAB_SETS:-../shared/data}")
work=$(mktemp -d "${TMPDIR:-/tmp}/fplab-claims-XXXXXX")
trap 'rm -rf "$work"' EXIT
bad=0

# arms SPEC KEY: the arm with ten seeds.
arms() { for seed in 1 2 3 4 5 6 7 8 9 10; do printf ' --arm %s,%s=%s' "$1" "$2" "$seed"; done; }

# The median of n normal numbers has a deviation of √(π/2n) of theirs, and a number beside it falls on the other side than beside the true
# median with probability arctan(√(π/2n))/π.
median() { awk 'BEGIN { share = atan2(sqrt(3.141592653589793 / 128), 1) / 3.141592653589793
    printf "a median of 64 documents decides %.4f of the bits otherwise\n", share; exit share < 0.045 || share > 0.055 }'; }

# Distances of SimHash beside its law on pairs of news; hyperplanes on the same features.
news() {
    [ -d "$sets/zh_sohu_event" ] || { echo "skipped: news: $sets/zh_sohu_event is not here"; return 0; }
    # shellcheck disable=SC2046
    "$fplab" eval --corpus "$sets/zh_sohu_event" $(arms simhash:features=words hashseed) $(arms hyperplane:features=words seed) --theory --no-plots \
        --out "$work/news" --threshold 1..2 >/dev/null
    awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { arm = $at["arm"]; sub(/:.*/, "", arm); shift = $at["shift"]; runs[arm]++; rejected[arm] += $at["p"] < 0.05
          if (!(arm in least) || shift < least[arm]) least[arm] = shift
          if (!(arm in most) || shift > most[arm]) most[arm] = shift }
        END { for (name in runs) printf "%s: shifts from %.2f to %.2f bits, %d of %d rejected\n", name, least[name], most[name], rejected[name], runs[name]
              exit !(most["simhash"] < 0 && rejected["simhash"] > rejected["hyperplane"]) }' "$work/news/theory-fit.tsv"
}

# What an index is expected to bring, and the interval of what it brings, by tenths of similarity.
curve() {
    local set arm index
    for set in zh_sohu_event zhTW_quantangshi_two_editions; do
        [ -d "$sets/$set" ] || { echo "skipped: curve: $sets/$set is not here"; return 0; }
        for arm in hyperplane:features=words minhash:features=chars:3; do
            for index in pigeonhole:blocks=4 pigeonhole:blocks=6,agree=3 banding:bands=16,rows=4; do
                [ "${arm%%:*} ${index%%:*}" != "hyperplane banding" ] || continue
                # shellcheck disable=SC2046
                "$fplab" eval --corpus "$sets/$set" $(arms "$arm" seed) --lost --index "$index" --no-plots --out "$work/curve" --threshold 8..9 >/dev/null 2>"$work/err"
                cat "$work/curve/index.tsv" >>"$work/bins"
            done
        done
    done
    awk -F'\t' '$1 == "corpus" { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { expected = $at["expected"]
          if ($at["pairs"] * expected * (1 - expected) < 5) next
          bins++; missed += expected < $at["brought_low"] || expected > $at["brought_high"] }
        END { printf "the interval missed what was expected in %d of %d bins\n", missed, bins
              exit missed > 0.05 * bins + 3 * sqrt(0.0475 * bins) }' "$work/bins"
}

[ $# -gt 0 ] || set -- median news curve
for claim; do "$claim" || bad=1; done
exit $bad
