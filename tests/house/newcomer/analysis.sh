# SPDX-License-Identifier: GPL-3.0-or-later
# An analysis as HACKING.md says: a file, its name in a list, the label of its new column, its line in docs/formats.md. It has an option, a table in a run and on
# the terminal, and a section of the page in two languages.
asked+=(reports/analyses/test_analyses)

add_analysis() {
cat >reports/analyses/called_analysis.c <<'C'
/* SPDX-License-Identifier: GPL-3.0-or-later
 * The share of all pairs that each threshold calls duplicates: --called. */
#include "reports/analyses/analyses.h"

static void add_rows(fp_table *table, const fp_found_arm *of) {
    const fp_inference_options *options = of->results->inference;
    for (size_t t = 0; t < options->threshold_count; t++) {
        fp_confusion counts = fp_confusion_at(&of->outcome->measurements[of->arm].histogram, options->thresholds[t]);
        double called = (double)counts.tp + (double)counts.fp, all = called + (double)counts.fn + (double)counts.tn;
        fp_results_add_names(table, of->outcome, of->arm, false);
        FP_TABLE_PUT(table, options->thresholds[t], called / all);
    }
}

static const char COLUMNS[] = "corpus|arm|>threshold;es|>called_share;s%3";

static void brief(fp_brief *to) {
    static const fp_schema SHOWN = {.name = "called", .columns = COLUMNS, .rows = add_rows};
    to->show(fp_results_rows(&SHOWN, to->results, to->found, to->arena));
}

const fp_analysis fp_analysis_called = {
    .name = "called",
    .example = "--called",
    .title = {"Pairs called duplicates", "判为重复的文本对"},
    .options = {{.name = "called", .help = "also the share of pairs that each threshold calls duplicates"}},
    .brief = brief,
    .tables = {{.name = "called", .columns = COLUMNS, .rows = add_rows, .every_arm = true, .by_threshold = true}}};
C
sed -i 's/^#define FP_ANALYSES(X) /&X(called) /' reports/analyses/analyses.h
sed -i 's/^COLUMN("found_share", /COLUMN("called_share", "called duplicates", "判为重复")\n&/' reports/page/page_words.def
echo '- `called.tsv`: *corpus*, *arm*, threshold, called_share' >>docs/formats.md
}

ask_analysis() {
    "$build/tests/reports/analyses/test_analyses" >out 2>&1 || { cat out; exit 1; }
    "$build/bin/fplab" eval tests/data/newswire-zh --arm simhash --called --out "$work/called" --report --lang zh --no-plots >"$work/printed" 2>&1 ||
        { cat "$work/printed"; exit 1; }
    grep -q '^corpus .* called share' "$work/printed" || grep -q 'called_share' "$work/printed" || { cat "$work/printed"; exit 1; }
    # The share is that of the counts at the same threshold.
    awk -F'\t' 'FNR == 1 { for (i = 1; i <= NF; i++) at[FILENAME, $i] = i; next }
        FNR == NR { share[$at[FILENAME, "threshold"]] = ($at[FILENAME, "tp"] + $at[FILENAME, "fp"]) / ($at[FILENAME, "tp"] + $at[FILENAME, "fp"] + $at[FILENAME, "fn"] + $at[FILENAME, "tn"]); next }
        { more = $at[FILENAME, "called_share"] - share[$at[FILENAME, "threshold"]]; if (more > 1e-9 || more < -1e-9) exit 1; rows++ }
        END { exit rows != 64 }' "$work/called/results.tsv" "$work/called/called.tsv"
    grep -q '判为重复的文本对' "$work/called/index.html"
}
