#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What Han folding gains on poems in two scripts: average precision of each arm with the characters kept and folded. Folding must not lose.
corpus=../shared/data/zh_cross_script_poems
[ -d "$corpus" ] || { echo "$corpus is not here"; exit 77; }
fplab=${FPLAB:-build/bin/fplab}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
arms=()
for arm in simhash:features=chars:2 minhash:features=chars:2 jaccard:features=chars:2 cosine:features=words pinyin; do
    case $arm in *:*) mark=, ;; *) mark=: ;; esac
    arms+=(--arm "$arm${mark}han=keep,name=${arm%%:*} keep" --arm "$arm${mark}han=simplified,name=${arm%%:*} simplified")
done
"$fplab" eval --corpus "$corpus" "${arms[@]}" --no-plots --out "$out" >/dev/null || exit 1
awk -F'\t' 'NR > 1 { split($2, part, " "); value[part[1], part[2]] = $6; if (!(part[1] in seen)) { seen[part[1]]; order[++n] = part[1] } }
    END { for (i = 1; i <= n; i++) { a = order[i]; gain = value[a, "simplified"] - value[a, "keep"];
              printf "note: %s: average precision %.4f kept, %.4f folded, gain %+.4f\n", a, value[a, "keep"], value[a, "simplified"], gain
              if (gain < -0.001) bad = 1 }
          exit bad }' "$out/summary.tsv"
