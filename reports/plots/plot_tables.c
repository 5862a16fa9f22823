/* SPDX-License-Identifier: GPL-3.0-or-later
 * The rows of every arm in the tables of an evaluation. */
#include "reports/plots/plot_tables.h"

#include <string.h>

#include "reports/plots/plot_text.h"

const char *const fp_plot_table_names[FP_PLOT_TABLES] = {[FP_PLOT_RESULTS] = "results",
                                                         [FP_PLOT_SUMMARY] = "summary",
                                                         [FP_PLOT_CURVES] = "curves",
                                                         [FP_PLOT_HISTOGRAMS] = "histograms",
                                                         [FP_PLOT_STRATA] = "strata",
                                                         [FP_PLOT_EDITS] = "edits",
                                                         [FP_PLOT_PREVALENCE] = "prevalence",
                                                         [FP_PLOT_THEORY] = "theory",
                                                         [FP_PLOT_THEORY_BINS] = "theory-bins",
                                                         [FP_PLOT_THEORY_LAW] = "theory-law",
                                                         [FP_PLOT_LOST] = "lost",
                                                         [FP_PLOT_LOST_BEST] = "lost-best",
                                                         [FP_PLOT_INDEX] = "index",
                                                         [FP_PLOT_INDEX_CURVE] = "index-curve"};

/* What the scripts read of a table beside corpus and arm, and whether every arm has a row: a curve may be empty, and
 * some arms have no law. */
static const struct {
    bool complete;
    const char *columns[20];
} tables[FP_PLOT_TABLES] = {
    [FP_PLOT_RESULTS] = {true,
                         {"scale", "threshold", "tp", "fp", "fn", "tn", "precision", "precision_low", "precision_high",
                          "recall", "recall_low", "recall_high"}},
    [FP_PLOT_SUMMARY] = {true,
                         {"pairs", "positives", "average_precision", "average_precision_low", "average_precision_high",
                          "best_f1", "best_threshold"}},
    [FP_PLOT_CURVES] = {false, {"distance", "precision", "recall"}},
    [FP_PLOT_HISTOGRAMS] = {true, {"scale", "low", "high", "positives", "negatives"}},
    [FP_PLOT_STRATA] = {true,
                        {"by", "stratum", "scale", "pairs", "best_threshold", "best_threshold_low",
                         "best_threshold_high", "best_f1", "best_f1_low", "best_f1_high", "precision", "precision_low",
                         "precision_high", "recall", "recall_low", "recall_high"}},
    [FP_PLOT_EDITS] = {false,
                       {"scale", "length", "lengths", "pairs", "mean_share", "measured", "measured_low",
                        "measured_high", "expected"}},
    [FP_PLOT_PREVALENCE] = {true,
                            {"threshold", "best", "prevalence", "stated", "precision", "precision_low",
                             "precision_high"}},
    [FP_PLOT_THEORY] = {false,
                        {"scale", "threshold", "recall", "recall_low", "recall_high", "recall_expected", "precision",
                         "precision_low", "precision_high", "precision_expected"}},
    [FP_PLOT_THEORY_BINS] = {false,
                             {"scale", "measure", "low", "high", "similarity", "mean", "mean_expected", "variance"}},
    [FP_PLOT_THEORY_LAW] = {false, {"similarity", "mean", "deviation"}},
    [FP_PLOT_LOST] = {true,
                      {"scale", "index", "threshold", "positives", "found", "lost_index", "lost_sketch",
                       "lost_similarity", "lost_measure", "found_by_chance", "index_reach"}},
    [FP_PLOT_LOST_BEST] = {true,
                           {"scale", "index", "threshold", "positives", "found", "lost_index", "lost_sketch",
                            "lost_similarity", "lost_measure", "found_by_chance", "found_low", "found_high",
                            "candidates", "index_reach"}},
    [FP_PLOT_INDEX] = {false, {"low", "high", "similarity", "brought", "brought_low", "brought_high", "expected"}},
    [FP_PLOT_INDEX_CURVE] = {false, {"index", "measure", "similarity", "expected"}},
};

typedef struct reader {
    int table;
    const char *path;
    size_t line;
    size_t current; /* the arm of the row before */
    fp_plot_arms *arms;
    fp_arena *arena;
    fp_error *error;
} reader;

/* ---- Rows ---- */

static fp_status at_line(const reader *in, fp_status code) {
    return fp_at(in->error, code, in->path, in->line, SIZE_MAX);
}

static bool same_arm(const fp_plot_arm *arm, fp_string corpus, fp_string label) {
    return fp_string_equal(arm->label, label) && fp_string_equal(arm->corpus, corpus);
}

static fp_status add_arm(reader *in, fp_string corpus, fp_string label) {
    fp_plot_arms *arms = in->arms;
    if (arms->count == arms->capacity) {
        size_t capacity = arms->capacity ? arms->capacity * 2 : 16;
        fp_plot_arm *larger = fp_arena_raw(in->arena, capacity, sizeof *larger);
        if (!larger) return fp_no_memory(in->error);
        if (arms->count) memcpy(larger, arms->at, arms->count * sizeof *larger);
        arms->at = larger;
        arms->capacity = capacity;
    }
    bool new_corpus = arms->count == 0 || !fp_string_equal(arms->at[arms->count - 1].corpus, corpus);
    for (size_t i = 0; new_corpus && i < arms->count; i++) {
        if (!fp_string_equal(arms->at[i].corpus, corpus)) continue;
        fp_fail(in->error, FP_ERROR_DUPLICATE, "the rows of corpus %.*s do not stand together", (int)corpus.length,
                corpus.data);
        return at_line(in, FP_ERROR_DUPLICATE);
    }
    arms->at[arms->count++] = (fp_plot_arm){.corpus = corpus, .label = label};
    return FP_OK;
}

/* The arm of a row, most often that of the row before. results.tsv comes first and makes the arms. */
static fp_status find_arm(reader *in, fp_string corpus, fp_string label) {
    fp_plot_arms *arms = in->arms;
    if (in->current < arms->count && same_arm(arms->at + in->current, corpus, label)) return FP_OK;
    for (in->current = 0; in->current < arms->count; in->current++)
        if (same_arm(arms->at + in->current, corpus, label)) return FP_OK;
    if (in->table == FP_PLOT_RESULTS) return add_arm(in, corpus, label);
    fp_fail(in->error, FP_ERROR_UNKNOWN, "arm %.*s of corpus %.*s is not in results.tsv", (int)label.length, label.data,
            (int)corpus.length, corpus.data);
    return at_line(in, FP_ERROR_UNKNOWN);
}

/* gnuplot takes a field that begins with a quotation mark to the next one, over tabs; so do R and pandas. */
static bool readable(fp_string field) {
    return field.length == 0 || field.data[0] != '"' || memchr(field.data + 1, '"', field.length - 1);
}

static fp_status add_row(reader *in, fp_string row) {
    fp_string corpus, label;
    if (!fp_next_field(&row, '\t', &corpus) || !fp_next_field(&row, '\t', &label) || !row.data) {
        fp_fail(in->error, FP_ERROR_SYNTAX, "a row of fewer than three fields");
        return at_line(in, FP_ERROR_SYNTAX);
    }
    if (!readable(corpus) || !readable(label)) {
        fp_fail(in->error, FP_ERROR_SYNTAX,
                "the name of a corpus or an arm begins with a quotation mark and has no second one");
        return at_line(in, FP_ERROR_SYNTAX);
    }
    FP_TRY(find_arm(in, corpus, label));
    fp_plot_arm *arm = in->arms->at + in->current;
    size_t number = in->line - 2;
    if (arm->rows[in->table]++ == 0) arm->first[in->table] = number;
    if (arm->first[in->table] + arm->rows[in->table] - 1 == number) return FP_OK;
    fp_fail(in->error, FP_ERROR_DUPLICATE, "the rows of arm %.*s of corpus %.*s do not stand together",
            (int)label.length, label.data, (int)corpus.length, corpus.data);
    return at_line(in, FP_ERROR_DUPLICATE);
}

/* ---- Tables ---- */

static fp_status check_header(const reader *in, fp_string header) {
    static const char start[] = "corpus\tarm\t";
    const char *missing = header.length < sizeof start - 1 || memcmp(header.data, start, sizeof start - 1) != 0
                              ? "corpus and arm in front"
                              : NULL;
    if (!missing) missing = fp_plot_lacks(header, tables[in->table].columns);
    if (!missing) return FP_OK;
    fp_fail(in->error, FP_ERROR_SYNTAX, "the header lacks %s", missing);
    return at_line(in, FP_ERROR_SYNTAX);
}

static size_t column_of(fp_string header, const char *name) {
    size_t at = 0;
    for (fp_string field; fp_next_field(&header, '\t', &field); at++)
        if (fp_string_equal(field, fp_string_of(name))) return at;
    return 0; /* check_header has seen it */
}

static fp_status read_strata(reader *in, fp_string rest) {
    fp_string line = {"", 0};
    fp_plot_arms *arms = in->arms;
    arms->strata = fp_arena_alloc(in->arena, fp_plot_lines(rest), sizeof *arms->strata);
    if (!arms->strata) return fp_no_memory(in->error);
    fp_next_line(&rest, &line);
    size_t stratum = column_of(line, "stratum"), by = column_of(line, "by");
    for (size_t row = 0; fp_next_line(&rest, &line); row++) {
        arms->strata[row] = fp_plot_field(line, stratum);
        if (row == 0) arms->by = fp_plot_field(line, by);
    }
    return FP_OK;
}

static fp_status read_table(reader *in) {
    fp_string rest, line = {"", 0};
    FP_TRY(fp_read_file(in->path, in->arena, &rest, in->error));
    fp_string whole = rest;
    fp_next_line(&rest, &line);
    in->line = 1;
    FP_TRY(check_header(in, line));
    if (in->table == FP_PLOT_STRATA) FP_TRY(read_strata(in, whole));
    while (fp_next_line(&rest, &line)) {
        in->line++;
        FP_TRY(add_row(in, line));
    }
    return FP_OK;
}

static fp_status check_complete(const reader *in) {
    for (size_t i = 0; tables[in->table].complete && i < in->arms->count; i++) {
        const fp_plot_arm *arm = in->arms->at + i;
        if (arm->rows[in->table]) continue;
        fp_fail(in->error, FP_ERROR_EMPTY, "no row for arm %.*s of corpus %.*s", (int)arm->label.length,
                arm->label.data, (int)arm->corpus.length, arm->corpus.data);
        return fp_at(in->error, FP_ERROR_EMPTY, in->path, SIZE_MAX, SIZE_MAX);
    }
    return FP_OK;
}

fp_status fp_plot_tables_read(const char *directory, unsigned wanted, fp_arena *arena, fp_plot_arms *arms,
                              fp_error *error) {
    *arms = (fp_plot_arms){.tables = wanted | 1u << FP_PLOT_RESULTS};
    for (int table = 0; table < FP_PLOT_TABLES; table++) {
        if (!(arms->tables >> table & 1)) continue;
        const char *path = fp_format(arena, "%s/%s.tsv", directory, fp_plot_table_names[table]);
        if (!path) return fp_no_memory(error);
        reader in = {.table = table, .path = path, .arms = arms, .arena = arena, .error = error};
        FP_TRY(read_table(&in));
        FP_TRY(check_complete(&in));
    }
    if (arms->count) return FP_OK;
    fp_fail(error, FP_ERROR_EMPTY, "no arm was evaluated");
    return fp_at(error, FP_ERROR_EMPTY, fp_format(arena, "%s/results.tsv", directory), SIZE_MAX, SIZE_MAX);
}
