#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The programs of examples/, built with the public headers alone against the shared library, and what they print: that of `fplab` itself.
. tests/support.sh
examples=$PWD/examples include=$PWD/include library=$(realpath "${BUILD:-build}")/lib
cd "$work"

# built NAME: as a stranger would, and every warning an error.
built() {
    # shellcheck disable=SC2086
    ${CC:-gcc} -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -I"$include" -o "$1" "$examples/$1.c" ${SANITIZE:-} \
        -L"$library" -lfplab -Wl,-rpath,"$library" 2>err || complain "$1 does not compile: $(head -5 err)"
}

# ---- evaluate_scores: a fingerprint's distances by way of a file ----
built evaluate_scores
[ "$(wc -l <"$examples/evaluate_scores.c")" -lt 60 ] || complain "the evaluation takes $(wc -l <"$examples/evaluate_scores.c") lines"
# expected DIRECTORY: what it is to print, from the tables of `fplab eval`.
expected() {
    awk -F'\t' 'function three(x) { return x == "NA" ? "nan" : sprintf("%.3f", x) }
        FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        FILENAME ~ /results/ { print $at["threshold"] "\t" three($at["precision"]) "\t" three($at["precision_low"]) "\t" three($at["precision_high"]) \
            "\t" three($at["recall"]) "\t" three($at["recall_low"]) "\t" three($at["recall_high"]) }
        FILENAME ~ /summary/ { print "average precision " three($at["average_precision"]) " (" three($at["average_precision_low"]) " to " three($at["average_precision_high"]) ")" }
        BEGIN { print "threshold\tprecision\tlow\thigh\trecall\tlow\thigh" }' "$1/results.tsv" "$1/summary.tsv"
}
for arm in simhash cosine:weight=idf pinyin; do
    "$fplab" eval -N 1 -c "$newswire" -a "$arm" --threshold 1..10 --no-plots --out run >/dev/null || complain "eval $arm"
    "$fplab" distances -c "$newswire" -a "$arm" --format tsv | tail -n +2 | cut -f 1,2,5 >mine.tsv
    [ "$(wc -l <mine.tsv)" = 918 ] || complain "distances of $arm: $(wc -l <mine.tsv)"
    expected run >want
    ./evaluate_scores "$newswire" mine.tsv >got 2>err || complain "evaluate_scores, $arm: $(cat err)"
    cmp -s want got || complain "$arm is evaluated otherwise: $(diff want got | head -6)"
    # Neither the order of rows nor that of the ids says anything, and a file may be packed.
    awk -F'\t' '{ print NR % 2 ? $2 "\t" $1 "\t" $3 : $0 }' mine.tsv | sort -t "$(printf '\t')" -k 3 | gzip >other.tsv.gz
    ./evaluate_scores "$newswire" other.tsv.gz | cmp -s want || complain "$arm in another order"
done

# Bad rows, each with its line.
head -917 mine.tsv >short.tsv
refused 1 "short.tsv: 1 of 918 labelled pairs have no distance; the first is $(tail -1 mine.tsv | cut -f 1,2 | tr '\t' ' ')" ./evaluate_scores "$newswire" short.tsv
last=$(tail -1 mine.tsv | cut -f 1,2)
while IFS='|' read -r row words; do
    { cat short.tsv; printf '%b\n' "${row//LAST/$last}"; } >bad.tsv
    refused 1 "bad.tsv:918: $words" ./evaluate_scores "$newswire" bad.tsv
done <<'ROWS'
LAST\tnan|the distance "nan" is not a finite number
LAST\tinf|the distance "inf" is not a finite number
LAST\t-1|the distance -1 is negative
LAST\t|the distance "" is not a finite number
LAST|expected id_a, id_b and distance, separated by tabs
LAST\t1\tmore|expected id_a, id_b and distance, separated by tabs
nobody\ttransport-01-original\t3|a score names the unknown id nobody
transport-01-original\ttransport-01-original\t3|a document is paired with itself
transport-01-reprint\ttransport-01-original\t3|the pair has a distance in line 1
ROWS
refused 1 "none.tsv: cannot open: No such file or directory" ./evaluate_scores "$newswire" none.tsv
: >empty.tsv
refused 1 "empty.tsv: the file has no distances" ./evaluate_scores "$newswire" empty.tsv

# An allocation that fails, every second in turn, is told by the library, and nothing else comes of it.
shim=$(realpath "$library/../tests/base")/fail_allocation.so
if [ -n "${SANITIZE:-}" ] || [ ! -f "$shim" ]; then
    echo "failed allocations are left out: a sanitizer has some of its own, or the tests are not built"
else
    cp "$shim" shim.so # LD_PRELOAD cuts a path at its spaces
    export OMP_NUM_THREADS=1
    FAIL_TELL=told LD_PRELOAD=./shim.so ./evaluate_scores "$newswire" mine.tsv >want
    [ "$(grep -c libfplab told)" -ge 50 ] || complain "only $(grep -c libfplab told) allocations were seen"
    for ((at = 1; at <= $(wc -l <told); at += 2)); do
        FAIL_AT=$at LD_PRELOAD=./shim.so ./evaluate_scores "$newswire" mine.tsv >got 2>err
        case $? in
        0) cmp -s want got || complain "without allocation $at something else is printed" ;;
        1) [ "$(tail -1 err)" = 'out of memory' ] && [ ! -s got ] || complain "without allocation $at: $(cat err)" ;;
        *) complain "without allocation $at: $(cat err)" ;;
        esac
    done
    unset OMP_NUM_THREADS
fi

# ---- evaluate_arms ----
built evaluate_arms
"$fplab" eval -c "$newswire" -a simhash -a minhash -a jaccard --no-plots --out run >/dev/null || complain "eval of three arms"
awk -F'\t' 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    FILENAME ~ /summary/ { printf "%s\t%.3f\t%.3f\t%.3f\t%.3f\t%g\n", $at["arm"], $at["average_precision"], $at["average_precision_low"], $at["average_precision_high"], $at["best_f1"], $at["best_threshold"] }
    FILENAME ~ /differences/ { printf "%s - %s\t%.3f\t%.3f\t%.3f\n", $at["arm_a"], $at["arm_b"], $at["difference"], $at["low"], $at["high"] }' run/summary.tsv run/differences.tsv >want
./evaluate_arms "$newswire" simhash minhash jaccard >out 2>err || complain "evaluate_arms: $(cat err)"
{ sed -n 2,4p out | cut -f 1-6; sed -n 6,8p out | cut -f 1-4; } >got
cmp -s want got || complain "arms are evaluated otherwise: $(diff want got | head -6)"
grep -q '^differences: done$' err || complain "progress is not told: $(cat err)"
refused 1 'did you mean simhash?' ./evaluate_arms "$newswire" simhahs
exit $bad
