# SPDX-License-Identifier: GPL-3.0-or-later
# A measure as docs/evaluation-analyses.md says: one row in count_measures.c. It is listed, and gets its intervals, differences, tables, strata and definition; lower is
# better with it. So does the row that HACKING.md walks through, as it stands there.
asked+=(eval/measures/test_measures)

add_measure() {
awk '/All, in the order of tables/ { while ((getline line < "/dev/stdin") > 0) print line } { print }' eval/measures/count_measures.c >rows.c <<'C'
static double error_rate(fp_cells c, double parameter) {
    (void)parameter;
    return (c.fp + c.fn) / (c.tp + c.fp + c.fn + c.tn);
}

static const fp_measure_row error_rate_row = {
    .name = "error_rate",
    .label = "error rate",
    .label_zh = "错误率",
    .definition = "The error rate is the share of the pairs that are judged wrongly: (FP + FN)/(TP + FP + FN + TN).",
    .source = "an example that the tests build",
    .most = 1,
    .lower_is_better = true,
    .value = error_rate,
    .counted = FP_CELL_ALL,
};

C
sed -n '/^   ```c$/,/^   ```$/{ /```/!s/^   //p }' HACKING.md >walked.c
[ -s walked.c ] || { echo "HACKING.md walks through no row"; exit 1; }
awk '/All, in the order of tables/ { while ((getline line < "walked.c") > 0) print line } { print }' rows.c |
    sed 's/NULL,$/\&error_rate_row, \&critical_success_index_row, NULL,/' >eval/measures/count_measures.c
rm rows.c walked.c
}

ask_measure() {
    local run
    "$build/tests/eval/measures/test_measures" >out 2>&1 || { cat out; exit 1; }
    "$build/bin/fplab" measures --format tsv | grep -q '^error_rate@H		0 to 1	The error rate is'
    "$build/bin/fplab" measures error_rate --format tsv | grep -q '^better	lower$'
    run=("$build/bin/fplab" eval --corpus tests/data/newswire-zh --arm simhash --arm minhash --threshold 17..19 --hash-seeds 1 --no-plots)
    "${run[@]}" --measure error_rate --compare error_rate@18 --by kind --out "$work/out" >"$work/printed"
    grep -q '^error rate at threshold ' "$work/printed"
    # The value is that of the counts beside it, with an interval about it.
    awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { expected = ($at["fp"] + $at["fn"]) / ($at["tp"] + $at["fp"] + $at["fn"] + $at["tn"]); value = $at["error_rate"]
          if (value - expected > 1e-9 || expected - value > 1e-9 || !($at["error_rate_low"] < value && value < $at["error_rate_high"])) exit 1; rows++ }
        END { exit rows != 6 }' "$work/out/results.tsv"
    [ "$(awk -F'\t' '$3 == "error_rate" && $5 != "NA" && $6 != "NA" && $8 > 0' "$work/out/intervals.tsv" | wc -l)" = 6 ]
    head -1 "$work/out/strata.tsv" | grep -q 'note	error_rate	error_rate_low	error_rate_high$'
    "${run[@]}" --measure critical_success_index --compare critical_success_index@18 --format tsv >"$work/walked"
    awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { expected = $at["tp"] / ($at["tp"] + $at["fp"] + $at["fn"]); value = $at["critical_success_index"]
          if (value - expected > 1e-9 || expected - value > 1e-9 || !($at["critical_success_index_low"] < value && value < $at["critical_success_index_high"])) exit 1; rows++ }
        END { exit rows != 6 }' "$work/walked" || { echo "the walk-through's row:"; cat "$work/walked"; exit 1; }
    grep -q '"error_rate": *"The error rate is' "$work/out/run.json"
    # The smaller is better: of two arms, the one with fewer errors.
    "${run[@]}" --measure error_rate --format json | grep -q '"error_rate_low"'
    "$build/bin/fplab" eval --corpus tests/data/newswire-zh --arm simhash --arm minhash --threshold 30..30 --no-plots --compare error_rate@30 --out "$work/far" >"$work/printed"
    awk -F'\t' '$4 == "error_rate" { seen = 1; if ($11 != ($6 < 0 ? "A is better" : "B is better")) wrong = 1 } END { exit wrong || !seen }' "$work/far/differences.tsv"
    grep -q 'minhash < simhash by' "$work/printed"
}
