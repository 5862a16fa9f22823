#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# fplab eval --theory and fplab plan --slots, from the outside. The corpus for the verdicts is made so that the law of SimHash must fail: every text
# repeats one word six times beside nine words of its own, so that the cosine of two texts is 36/45 and the law's distance 64·arccos(0.8)/π = 13.1; but a
# bit is decided by the common word unless eight or nine of the nine words stand against it, P = 10/512 on one side, so that the bits of two texts differ
# with 2·(10/512)·(1 − 10/512) = 0.038: 2.5 of 64. Hyperplanes have Gaussian coefficients, for which the law is exact.
set -eu
fplab=${FPLAB:-build/bin/fplab}
work=$(mktemp -d "${TMPDIR:-/tmp}/fplab-theory-XXXXXX")
trap 'rm -rf "$work"' EXIT
fail() { echo "$1"; exit 1; }

mkdir "$work/common"
awk 'BEGIN {
    for (d = 0; d < 30; d++) {
        text = "zzz zzz zzz zzz zzz zzz";
        for (w = 0; w < 9; w++) text = text " w" d "x" w;
        printf "{\"id\": \"d%d\", \"text\": \"%s\", \"lang\": \"en\"}\n", d, text;
    }
}' > "$work/common/docs.jsonl"
awk 'BEGIN { for (a = 0; a < 30; a++) for (b = a + 1; b < 30; b++) printf "d%d\td%d\t%d\n", a, b, (a + b) % 2 }' > "$work/common/pairs.tsv"

# ---- Verdicts ----

words=features=words,weight=tf
"$fplab" eval -N 1 --corpus "$work/common" --theory --out "$work/out" --no-plots --replicates 200 --threshold 0..20 \
    --arm "simhash:$words,name=signs" --arm "hyperplane:$words,name=planes" --arm "minhash:features=words,name=sets" --arm projection:name=real \
    --arm pinyin --arm random --arm "jaccard:features=words" > "$work/text"
awk -F'\t' '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["arm"] == "signs" { bad += !($at["fit"] == "no: distances too small" && $at["p"] < 0.001 && $at["shift"] < -9.5 && $at["shift"] > -11.5); seen++ }
    $at["arm"] == "planes" { bad += !($at["fit"] == "fits" && $at["places"] == 64 && $at["pairs"] == 435); seen++ }
    $at["arm"] == "sets" { bad += !($at["fit"] == "fits" && $at["measure"] == "Jaccard"); seen++ }
    $at["arm"] == "real" { bad += !($at["fit"] == "not tested" && $at["p"] == "NA" && $at["spread"] > 0.2 && $at["spread"] < 5); seen++ }
    END { exit bad || seen != 4 || NR != 5 }' "$work/out/theory-fit.tsv" || { cat "$work/out/theory-fit.tsv"; fail "verdicts"; }
grep -q '^Without theory, since the distance has no stated law: pinyin, jaccard:features=words$' "$work/text" || fail "arms without a law"
grep -q '^Without theory, since nothing measures exactly what it estimates: random$' "$work/text" || fail "arms without a counterpart"
grep -q 'signs .*no: distances too small' "$work/text" || fail "the verdict on the terminal"

# ---- Tables agree with results.tsv and with one another ----

awk -F'\t' '
    FNR == 1 { delete at; for (i = 1; i <= NF; i++) at[$i] = i; file++; next }
    file == 1 { for (name in at) result[$at["arm"], $at["threshold"], name] = $at[name]; next }
    file == 2 {
        rows++;
        key = $at["arm"] SUBSEP $at["threshold"];
        split("tp fp recall recall_low recall_high precision precision_low precision_high", column, " ");
        for (n in column) if (result[key, column[n]] != $at[column[n]]) { print FILENAME, $0; bad = 1 }
        expected[key, "tp"] = $at["tp_expected"]; expected[key, "fp"] = $at["fp_expected"];
        next
    }
    {   # distances: sums of steps are the counts at thresholds
        arm = $at["arm"]; h = $at["distance"];
        tp[arm] += $at["positives"]; fp[arm] += $at["negatives"]; tpe[arm] += $at["positives_expected"]; fpe[arm] += $at["negatives_expected"];
        if (h <= 20 && (tp[arm] != result[arm, h, "tp"] || fp[arm] != result[arm, h, "fp"])) { print "counts", $0; bad = 1 }
        d = tpe[arm] - expected[arm, h, "tp"]; e = fpe[arm] - expected[arm, h, "fp"];
        if (h <= 20 && (d * d > 1e-12 || e * e > 1e-12)) { print "expected", $0; bad = 1 }
        if (h == 64 && ((tpe[arm] - 225) ^ 2 > 1e-12 || tp[arm] != 225 || fp[arm] != 210)) { print "total", $0; bad = 1 }
    }
    END { exit bad || rows != 84 }' "$work/out/results.tsv" "$work/out/theory.tsv" "$work/out/theory-distances.tsv" || fail "tables disagree"
# All pairs have a cosine of 0.8 and a Jaccard similarity of 1/19.
awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["arm"] == "planes" { planes++; c = $at["similarity"] - 0.8; m = $at["mean_expected"] - 64 * atan2(0.6, 0.8) / atan2(0, -1); bad += c * c > 1e-12 || m * m > 1e-9 || $at["pairs"] != 435 }
    $at["arm"] == "sets" { sets++; c = $at["similarity"] - 1 / 19; bad += c * c > 1e-12 }
    END { exit bad || planes != 1 || sets != 1 }' "$work/out/theory-bins.tsv" || fail "bins"

# ---- Same figures for any number of threads ----

for threads in 1 3; do
    OMP_NUM_THREADS=$threads "$fplab" eval --corpus tests/data/newswire-zh --theory --out "$work/threads$threads" --no-plots --replicates 200 \
        --arm simhash --arm minhash > "$work/print$threads"
done
for file in theory theory-distances theory-bins theory-law theory-fit; do
    cmp "$work/threads1/$file.tsv" "$work/threads3/$file.tsv" || fail "$file depends on threads"
done

# ---- What is refused ----

if "$fplab" eval --corpus "$work/common" --theory --level document > /dev/null 2> "$work/error"; then fail "--level document"; else [ $? = 2 ] || fail "exit status"; fi
grep -q 'about pairs' "$work/error" || fail "why --level is refused"
mkdir "$work/groups"
sed 's/"id": "d\([0-9]*\)\([0-9]\)"/&, "group": "g\2"/' "$work/common/docs.jsonl" > "$work/groups/docs.jsonl"
"$fplab" eval --corpus "$work/groups" --theory --arm simhash --out "$work/groups-out" --no-plots > "$work/text"
# All pairs of so few documents are listed.
pairs=$(awk -F'\t' 'NR == 2 { print $6 }' "$work/groups-out/theory-fit.tsv")
documents=$(wc -l < "$work/groups/docs.jsonl")
[ "$pairs" = $((documents * (documents - 1) / 2)) ] || fail "pairs of groups: $pairs"

# ---- plan ----

"$fplab" plan --slots 128 --similarity 0.5 --format tsv | awk -F'\t' 'NR == 2 { exit !($1 == 25 && $2 == 5 && $3 == 125) }' || fail "plan --slots"
"$fplab" plan --slots 128 --similarity 0.8 --recall 0.95 | grep -q '^13 bands of 7 rows: 91 of 128 slots' || fail "plan --recall"
"$fplab" plan --slots 128 --similarity 0.8 --weights 2:8 --format tsv | awk -F'\t' 'NR == 2 { exit !($1 == 12 && $2 == 10) }' || fail "plan --weights"
# (20, 5) at 0.5 is the book's 0.470.
"$fplab" plan --slots 100 --similarity 0.5 --recall 0.46 --format tsv | awk -F'\t' '$2 == 5 { found = $1 == 20 && $4 > 0.4695 && $4 < 0.4705 } END { exit !found }' || fail "plan: the book's curve"
# 1 − (1 − (1 − arccos(0.9)/π)^16)^4.
"$fplab" plan --bits 64 --blocks 4 --distance 3 --similarity 0.9 --format tsv | awk -F'\t' '$5 == "target" { found = $3 > 0.2952 && $3 < 0.2953 } END { exit !found }' || fail "plan --similarity of bits"
"$fplab" plan --blocks 4 --format tsv | awk -F'\t' 'NR == 5 { exit !($1 == "candidates" && $2 == 65536) }' || fail "plan as it was"
for wrong in "--slots 0 --similarity 0.5" "--slots 128" "--slots 128 --similarity 1" "--slots 128 --similarity 0.5 --recall 0.9 --weights 1:1" "--recall 0.9" \
    "--slots 128 --similarity 0.5 --weights 1" "--similarity 2"; do
    # shellcheck disable=SC2086
    if "$fplab" plan $wrong > /dev/null 2>&1; then fail "plan $wrong"; else [ $? = 2 ] || fail "plan $wrong: exit status"; fi
done
if "$fplab" plan --slots 4 --similarity 0.2 --recall 0.9 > /dev/null 2> "$work/error"; then fail "out of reach"; fi
grep -q '0.5904' "$work/error" || fail "what is in reach"
