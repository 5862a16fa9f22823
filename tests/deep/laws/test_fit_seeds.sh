#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Real texts, other hash functions: over 100 seeds each, the fit of algorithms whose law is exact is rejected at 5% about five times. More than 11 would be
# seen less than once in 200 runs by chance (binomial distribution, 100 trials).
set -eu
fplab=${FPLAB:-build/bin/fplab}
work=$(mktemp -d "${TMPDIR:-/tmp}/fplab-seeds-XXXXXX")
trap 'rm -rf "$work"' EXIT
bad=0
for corpus in tests/data/newswire-zh ../shared/data/en_clough_stevenson ../shared/data/zh_cross_script_poems; do
    [ -d "$corpus" ] || continue
    for arm in hyperplane:features=words,weight=tf minhash:features=chars:3 minhash:b=1,slots=128,features=chars:3; do
        : > "$work/fit"
        for batch in 0 1 2 3 4 5 6 7 8 9; do
            arms=
            for seed in 0 1 2 3 4 5 6 7 8 9; do arms="$arms --arm $arm,seed=$((batch * 10 + seed + 1))"; done
            # shellcheck disable=SC2086
            "$fplab" eval --corpus "$corpus" --theory --out "$work/out" --no-plots --replicates 399 --threshold 1..2 $arms > /dev/null
            cat "$work/out/theory-fit.tsv" >> "$work/fit"
        done
        awk -F'\t' -v name="$(basename "$corpus") $arm" '
            $1 == "corpus" { for (i = 1; i <= NF; i++) at[$i] = i; next }
            { runs++; low += $at["p"] < 0.05; shift += $at["shift_p"] < 0.05; spread += $at["spread_p"] < 0.05 }
            END { printf "%-70s %d runs: rejected %d, by shift %d, by spread %d at 5%%\n", name, runs, low, shift, spread; exit runs != 100 || low > 11 }' \
            "$work/fit" || bad=1
    done
done
exit $bad
