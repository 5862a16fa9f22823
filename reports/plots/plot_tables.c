/* SPDX-License-Identifier: GPL-3.0-or-later
 * The rows of every arm in the tables of an evaluation. */
#include "reports/plots/plot_tables.h"

#include <string.h>
#include <unistd.h>

#include "reports/analyses/analyses.h"

/* What is read of a table, in those of an evaluation beside corpus and arm, and whether every arm has a row: a curve
 * may be empty. */
static const struct {
    const char *name;
    bool complete;
    const char *columns[20];
} tables[FP_PLOT_TABLES] = {
    [FP_PLOT_RESULTS] = {"results",
                         true,
                         {"scale", "threshold", "tp", "fp", "fn", "tn", "precision", "precision_low", "precision_high",
                          "recall", "recall_low", "recall_high"}},
    [FP_PLOT_SUMMARY] = {"summary",
                         true,
                         {"scale", "pairs", "positives", "average_precision", "average_precision_low",
                          "average_precision_high", "roc_area", "roc_area_low", "roc_area_high", "best_f1",
                          "best_f1_low", "best_f1_high", "best_threshold", "bytes_per_document", "sketch_seconds"}},
    [FP_PLOT_CURVES] = {"curves", false, {"distance", "precision", "recall"}},
    [FP_PLOT_HISTOGRAMS] = {"histograms", true, {"scale", "low", "high", "positives", "negatives"}},
    [FP_PLOT_STRATA] = {"strata",
                        true,
                        {"by", "stratum", "scale", "pairs", "positives", "negatives", "best_threshold",
                         "best_threshold_low", "best_threshold_high", "best_f1", "best_f1_low", "best_f1_high",
                         "precision", "precision_low", "precision_high", "recall", "recall_low", "recall_high"}},
    [FP_PLOT_EDITS] = {"edits",
                       false,
                       {"scale", "length", "lengths", "share_low", "share_high", "pairs", "measured", "expected"}},
    [FP_PLOT_RANKS] = {"ranks",
                       false,
                       {"arm", "average_precision", "mean_rank", "corpora", "critical_difference", "friedman_p",
                        "iman_davenport_p"}},
    [FP_PLOT_PARETO] = {"pareto",
                        false,
                        {"corpus", "arm", "objective", "front", "recommended", "held_out", "held_out_low",
                         "held_out_high", "bytes_per_document", "microseconds_per_document"}},
    [FP_PLOT_BANDING] = {"banding", false, {"bands", "rows"}},
    [FP_PLOT_DESIGNS] = {"designs", false, {"design", "bytes", "nanoseconds", "front", "recommended"}},
    [FP_PLOT_BY_DAY] = {"by-day", false, {"day", "texts", "duplicates"}},
    [FP_PLOT_BY_SOURCE] = {"by-source", false, {"source", "texts", "duplicates", "from_others", "taken_up"}},
    [FP_PLOT_CLUSTER_SIZES] = {"cluster-sizes", false, {"texts", "clusters"}},
    [FP_PLOT_ROBUSTNESS] = {"robustness",
                            false,
                            {"arm", "kind", "rate", "f1", "f1_low", "f1_high", "recall_at_precision",
                             "recall_at_precision_low", "recall_at_precision_high"}},
};

/* The analyses' tables that something is drawn from, by their numbers. */
static const fp_analysis_table *of_analysis(int number) {
    int at = FP_PLOT_ANALYSES;
    for (const fp_analysis *const *it = fp_analyses; *it && number < FP_PLOT_ARM_TABLES; it++)
        for (const fp_analysis_table *table = (*it)->tables; table->name; table++) {
            bool drawn = false;
            for (const fp_column *column = table->columns; column->name; column++) drawn |= column->is & FP_DRAWN;
            if (drawn && at++ == number) return table;
        }
    return NULL;
}

const char *fp_plot_table_name(int table) {
    const fp_analysis_table *of = tables[table].name ? NULL : of_analysis(table);
    return of ? of->name : tables[table].name;
}

uint64_t fp_plot_tables_of(const fp_figure *figure) {
    uint64_t found = 0;
    fp_string rest = fp_string_of(figure->tables), name;
    while (fp_next_field(&rest, ',', &name)) {
        if (name.length && *name.data == ' ') name.data++, name.length--;
        for (int table = 0; table < FP_PLOT_TABLES; table++) {
            const char *own = fp_plot_table_name(table);
            if (own && fp_string_equal(fp_string_of(own), name)) found |= UINT64_C(1) << table;
        }
    }
    return found;
}

/* A list that ends with NULL. NULL when there is no memory. */
static const char *const *columns_of(int table, fp_arena *arena) {
    enum { MOST = 64 };
    const fp_analysis_table *of = tables[table].name ? NULL : of_analysis(table);
    const char **names = of ? fp_arena_alloc(arena, MOST, sizeof *names) : NULL;
    size_t count = 0;
    if (!of) return tables[table].columns;
    for (const fp_column *column = of->columns; names && column->name; column++) {
        if (column->is & FP_DRAWN) names[count++] = fp_column_name(column, NULL, arena);
        if (column->is & FP_LIMITS_DRAWN) names[count++] = fp_column_name(column, "low", arena);
        if (column->is & FP_LIMITS_DRAWN) names[count++] = fp_column_name(column, "high", arena);
    }
    return names;
}

static bool is_complete(int table) {
    const fp_analysis_table *of = tables[table].name ? NULL : of_analysis(table);
    return of ? of->every_arm : tables[table].complete;
}

/* ---- One table ---- */

static const char *path_of(const char *directory, int table, fp_arena *arena) {
    const char *name = fp_plot_table_name(table);
    return name ? fp_format(arena, "%s/%s.tsv", directory, name) : NULL;
}

uint64_t fp_plot_tables_in(const char *directory, fp_arena *arena) {
    uint64_t found = 0;
    for (int table = 0; table < FP_PLOT_TABLES; table++) {
        const char *path = path_of(directory, table, arena);
        if (path && access(path, F_OK) == 0) found |= UINT64_C(1) << table;
    }
    return found;
}

/* Corpus and arm stand in front: the scripts count on it for their rows, and those of ranks.tsv on the arm. */
static fp_status check_front(const fp_run_table *read, int table, fp_error *error) {
    const char *start = table < FP_PLOT_ARM_TABLES ? "corpus\tarm\t" : table == FP_PLOT_RANKS ? "arm\t" : "";
    size_t length = strlen(start);
    if (read->header.length >= length && memcmp(read->header.data, start, length) == 0) return FP_OK;
    fp_fail(error, FP_ERROR_SYNTAX, "the header lacks %s in front", table == FP_PLOT_RANKS ? "arm" : "corpus and arm");
    return fp_at(error, FP_ERROR_SYNTAX, read->path, 1, SIZE_MAX);
}

fp_status fp_plot_table_read(const char *directory, int table, fp_arena *arena, fp_run_table *read, fp_error *error) {
    const char *path = path_of(directory, table, arena);
    const char *const *columns = columns_of(table, arena);
    if (!path || !columns) return fp_no_memory(error);
    if (access(path, F_OK) != 0) {
        fp_fail(error, FP_ERROR_IO, "missing, and a figure that was asked for is drawn from it");
        return fp_at(error, FP_ERROR_IO, path, SIZE_MAX, SIZE_MAX);
    }
    FP_TRY(fp_run_table_read(path, arena, read, error));
    FP_TRY(check_front(read, table, error));
    return fp_run_table_expect(read, columns, error);
}

fp_status fp_plot_table_count(const fp_run_table *table, size_t row, size_t column, uint64_t *count, fp_error *error) {
    enum { DIGITS = 19 };
    char text[DIGITS + 1];
    int64_t value = 0;
    fp_string field = fp_run_table_field(table, row, column);
    snprintf(text, sizeof text, "%.*s", (int)(field.length < DIGITS ? field.length : DIGITS), field.data);
    bool good = field.length > 0 && field.length <= DIGITS && fp_parse_integer(text, &value) && value >= 0;
    *count = (uint64_t)value;
    if (good) return FP_OK;
    fp_fail(error, FP_ERROR_SYNTAX, "%s is not a count", text);
    return fp_run_table_at(table, row, FP_ERROR_SYNTAX, error);
}

/* ---- Rows of arms ---- */

enum { CORPUS, ARM }; /* columns */

typedef struct reader {
    int table;
    fp_run_table read;
    size_t row;
    size_t current; /* the arm of the row before */
    fp_plot_arms *arms;
    fp_arena *arena;
    fp_error *error;
} reader;

static fp_status at_row(const reader *in, fp_status code) {
    return fp_run_table_at(&in->read, in->row, code, in->error);
}

static bool same_arm(const fp_plot_arm *arm, fp_string corpus, fp_string label) {
    return fp_string_equal(arm->label_field, label) && fp_string_equal(arm->corpus_field, corpus);
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
    bool new_corpus = arms->count == 0 || !fp_string_equal(arms->at[arms->count - 1].corpus_field, corpus);
    for (size_t i = 0; new_corpus && i < arms->count; i++) {
        if (!fp_string_equal(arms->at[i].corpus_field, corpus)) continue;
        fp_fail(in->error, FP_ERROR_DUPLICATE, "the rows of corpus %.*s do not stand together", (int)corpus.length,
                corpus.data);
        return at_row(in, FP_ERROR_DUPLICATE);
    }
    fp_plot_arm arm = {.corpus = fp_run_table_cell(&in->read, in->row, CORPUS, in->arena),
                       .label = fp_run_table_cell(&in->read, in->row, ARM, in->arena),
                       .corpus_field = corpus,
                       .label_field = label};
    if (!arm.corpus.data || !arm.label.data) return fp_no_memory(in->error);
    arms->at[arms->count++] = arm;
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
    return at_row(in, FP_ERROR_UNKNOWN);
}

static fp_status add_row(reader *in) {
    fp_string corpus = fp_run_table_field(&in->read, in->row, CORPUS),
              label = fp_run_table_field(&in->read, in->row, ARM);
    FP_TRY(find_arm(in, corpus, label));
    fp_plot_arm *arm = in->arms->at + in->current;
    if (arm->rows[in->table]++ == 0) arm->first[in->table] = in->row;
    if (arm->first[in->table] + arm->rows[in->table] - 1 == in->row) return FP_OK;
    fp_fail(in->error, FP_ERROR_DUPLICATE, "the rows of arm %.*s of corpus %.*s do not stand together",
            (int)label.length, label.data, (int)corpus.length, corpus.data);
    return at_row(in, FP_ERROR_DUPLICATE);
}

static fp_status take_strata(const reader *in) {
    fp_plot_arms *arms = in->arms;
    size_t stratum = fp_run_table_column(&in->read, "stratum"), by = fp_run_table_column(&in->read, "by");
    arms->strata = fp_arena_alloc(in->arena, in->read.row_count + 1, sizeof *arms->strata);
    if (!arms->strata) return fp_no_memory(in->error);
    for (size_t row = 0; row < in->read.row_count; row++) {
        arms->strata[row] = fp_run_table_cell(&in->read, row, stratum, in->arena);
        if (row == 0) arms->by = fp_run_table_cell(&in->read, row, by, in->arena);
        if (!arms->strata[row].data || !arms->by.data) return fp_no_memory(in->error);
    }
    return FP_OK;
}

static fp_status check_complete(const reader *in) {
    for (size_t i = 0; is_complete(in->table) && i < in->arms->count; i++) {
        const fp_plot_arm *arm = in->arms->at + i;
        if (arm->rows[in->table]) continue;
        fp_fail(in->error, FP_ERROR_EMPTY, "no row for arm %.*s of corpus %.*s", (int)arm->label.length,
                arm->label.data, (int)arm->corpus.length, arm->corpus.data);
        return fp_at(in->error, FP_ERROR_EMPTY, in->read.path, SIZE_MAX, SIZE_MAX);
    }
    return FP_OK;
}

fp_status fp_plot_tables_read(const char *directory, uint64_t wanted, fp_arena *arena, fp_plot_arms *arms,
                              fp_error *error) {
    *arms = (fp_plot_arms){.tables = wanted | UINT64_C(1) << FP_PLOT_RESULTS};
    for (int table = 0; table < FP_PLOT_ARM_TABLES; table++) {
        if (!(arms->tables >> table & 1)) continue;
        reader in = {.table = table, .arms = arms, .arena = arena, .error = error};
        FP_TRY(fp_plot_table_read(directory, table, arena, &in.read, error));
        if (table == FP_PLOT_SUMMARY) arms->times = fp_run_table_column(&in.read, "sketch_seconds_low") != SIZE_MAX;
        if (table == FP_PLOT_RESULTS) arms->bands = fp_run_table_column(&in.read, "recall_band_high") != SIZE_MAX;
        if (table == FP_PLOT_STRATA) FP_TRY(take_strata(&in));
        for (; in.row < in.read.row_count; in.row++) FP_TRY(add_row(&in));
        FP_TRY(check_complete(&in));
    }
    if (arms->count) return FP_OK;
    fp_fail(error, FP_ERROR_EMPTY, "no arm was evaluated");
    return fp_at(error, FP_ERROR_EMPTY, path_of(directory, FP_PLOT_RESULTS, arena), SIZE_MAX, SIZE_MAX);
}

/* ---- The table of figures ---- */

static const fp_figure FIRST[] = {{"thresholds", "results, summary, curves", "precision and recall at each threshold"},
                                  {"precision_recall", "summary, curves",
                                   "precision against recall, with marks at thresholds"},
                                  {"roc", "summary, curves", "recall against false positives, a panel an arm"},
                                  {"f1", "summary, curves", "F1 at each threshold"},
                                  {"quality", "summary", "best F1 against bytes and time, with the front"},
                                  {"histograms", "histograms", "distances of positive and negative pairs"},
                                  {"lengths", "strata", "best threshold by length (eval --by length)"},
                                  {"strata", "strata", "best threshold by any other field (eval --by FIELD)"},
                                  {"edits", "edits", "distance against the share of edits (eval --by length)"}},
                       LAST[] = {
                           {"ranks", "ranks", "mean ranks of the arms over corpora (eval with two corpora or more)"},
                           {"pareto", "pareto", "quality against bytes and time (tune)"},
                           {"banding", "banding", "the curve of a banding (plan)"},
                           {"designs", "designs", "cost of a query against memory, for designs of an index (plan)"},
                           {"by_day", "by-day", "new texts and duplicates by day (track)"},
                           {"by_source", "by-source", "new texts and duplicates of the largest sources (track)"},
                           {"sizes", "cluster-sizes", "how many clusters there are of each size (cluster)"},
                           {"robustness", "robustness",
                            "F1 and recall of each arm under each kind of corruption (robustness)"}};
enum { FIRST_COUNT = sizeof FIRST / sizeof *FIRST, LAST_COUNT = sizeof LAST / sizeof *LAST, MOST_FIGURES = 64 };

const fp_figure *fp_plot_figure_at(size_t at) {
    if (at < FIRST_COUNT) return FIRST + at;
    at -= FIRST_COUNT;
    for (const fp_analysis *const *it = fp_analyses; *it; it++)
        for (size_t i = 0; i < FP_ANALYSIS_FIGURES && (*it)->figures[i].name; i++)
            if (at-- == 0) return (*it)->figures + i;
    return at < LAST_COUNT ? LAST + at : NULL;
}

static bool same_name(const char *a, const char *b) {
    for (; *a && *b; a++, b++)
        if (*a != *b && !((*a == '-' || *a == '_') && (*b == '-' || *b == '_'))) return false;
    return *a == *b;
}

fp_status fp_plot_figure_find(const char *name, const fp_figure **figure, fp_error *error) {
    const char *names[MOST_FIGURES] = {NULL};
    for (size_t i = 0; (*figure = fp_plot_figure_at(i)); i++) {
        if (same_name((*figure)->name, name)) return FP_OK;
        names[i] = (*figure)->name;
    }
    const char *nearest = fp_nearest(name, names);
    if (!nearest) return fp_fail(error, FP_ERROR_UNKNOWN, "there is no figure %s", name);
    char shown[32];
    snprintf(shown, sizeof shown, "%s", nearest);
    for (char *at = shown; *at; at++)
        if (*at == '_') *at = '-';
    return fp_fail(error, FP_ERROR_UNKNOWN, "there is no figure %s; did you mean %s?", name, shown);
}

const char *fp_plot_figure_name(const fp_figure *figure, fp_arena *arena) {
    char *name = fp_format(arena, "%s", figure->name);
    for (char *at = name; at && *at; at++)
        if (*at == '_') *at = '-';
    return name;
}
