#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# eval on groups of more documents than are written out as pairs: every figure and every difference has its interval, the
# same for every range of thresholds and any number of threads, also where groups are sampled.
made=$(realpath bench/made_corpus.py)
. tests/support.sh
cd "$work" || exit 1

# run NAME CORPUS OPTIONS…
run() {
    local name=$1 corpus=$2; shift 2
    "$fplab" eval --corpus "$corpus" --arm simhash --arm jaccard --no-plots --out "$name" "$@" >"$name.txt" 2>err ||
        complain "$name: $(cat err)"
}

# rows FILE FIGURES [THRESHOLD]: of intervals.tsv, without the bands, which depend on the range.
rows() {
    awk -F'\t' -v of="$2" -v want="${3:-}" '$3 ~ "^(" of ")$" && (want == "" || $4 == want)' "$1" | cut -f 1-9
}

# complete FILE COLUMNS…: no value of these columns is missing.
complete() {
    local file=$1; shift
    for column in "$@"; do
        awk -F'\t' -v name="$column" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; if (!at) exit 1 }
            $at == "NA" || $at == "" { exit 1 }' "$file" || complain "$file: $column is missing somewhere"
    done
}

for documents in 900 4300; do
    "$made" $documents c$documents >/dev/null || complain "no corpus of $documents documents"
    few=(c$documents --threshold 5..12 --measure matthews_correlation --measure precision_recall_gain_area --prevalence 0.001)
    OMP_NUM_THREADS=3 run few$documents "${few[@]}"
    OMP_NUM_THREADS=1 run many$documents c$documents --threshold 0..20
    complete few$documents/intervals.tsv low high standard_error
    complete few$documents/differences.tsv difference low high p p_holm
    complete few$documents/prevalence.tsv precision_low precision_high
    for threshold in '' 5 8 12; do
        figures='precision|recall|f1|specificity'
        [ "$threshold" ] || figures='average_precision|roc_area|best_f1'
        diff <(rows few$documents/intervals.tsv "$figures" $threshold) <(rows many$documents/intervals.tsv "$figures" $threshold) >diff ||
            complain "$documents: another range, other intervals at ${threshold:-none}: $(cat diff)"
        [ -n "$(rows few$documents/intervals.tsv "$figures" $threshold)" ] || complain "$documents: nothing at ${threshold:-none}"
    done
    cmp -s few$documents/differences.tsv many$documents/differences.tsv || complain "$documents: the number of threads matters"
    grep -q "^All pairs of $documents documents are counted" few$documents.txt || complain "$documents: not said"
done
# Of all tables, where the smaller ones are made.
OMP_NUM_THREADS=1 run alone c900 "${few[@]:1}"
for table in intervals differences prevalence; do
    cmp -s alone/$table.tsv few900/$table.tsv || complain "the number of threads matters: $table.tsv"
done
grep -q 'a sample of' few900.txt && complain "900 documents are sampled"
grep -q 'a sample of' few4300.txt || complain "4300 documents are not said to be sampled"
exit $bad
