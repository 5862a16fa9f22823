/* SPDX-License-Identifier: GPL-3.0-or-later
 * Finds the rows of every arm in the tables of an evaluation. */
#include "reports/plots/plot_parts.h"

#include <string.h>

uint64_t fp_plot_tables_of(const fp_figure *figure) {
    uint64_t found = 0;
    for (fp_string rest = fp_string_of(figure->tables), name; fp_next_field(&rest, ',', &name);)
        for (int table = 0; fp_schema_at(table); table++)
            if (fp_string_equal(fp_string_of(fp_schema_at(table)->name), fp_string_trim(name, " ")))
                found |= UINT64_C(1) << table;
    return found;
}

static bool is_drawn(const fp_schema *schema) {
    fp_column column;
    for (fp_string rest = fp_string_of(schema->columns); fp_column_next(&rest, &column);)
        if (column.is & FP_DRAWN) return true;
    return false;
}

/* ---- One table ---- */

uint64_t fp_plot_tables_in(const fp_plot_context *of) {
    uint64_t found = 0;
    for (int table = 0; fp_schema_at(table); table++)
        if (is_drawn(fp_schema_at(table)) && fp_run_has_table(of->run, of->directory, fp_schema_at(table)->name))
            found |= UINT64_C(1) << table;
    return found;
}

/* Tables that begin with corpus and arm, which locate the rows and are not columns for the scripts. */
static bool is_of_arms(int table) {
    const fp_schema *schema = fp_schema_at(table);
    return strncmp(schema->columns, "corpus|arm|", 11) == 0 && is_drawn(schema);
}

uint64_t fp_plot_tables_of_arms(void) {
    uint64_t found = 0;
    for (int table = 0; fp_schema_at(table); table++) found |= (uint64_t)is_of_arms(table) << table;
    return found;
}

/* The scripts rely on these first columns to locate rows. */
static fp_status check_front(const fp_run_table *read, int table, fp_error *error) {
    const char *start = is_of_arms(table) ? "corpus\tarm\t" : table == FP_FILE_RANKS ? "arm\t" : "";
    if (fp_string_begins(read->header, fp_string_of(start))) return FP_OK;
    fp_fail(error, FP_ERROR_SYNTAX, "the header lacks %s in front", table == FP_FILE_RANKS ? "arm" : "corpus and arm");
    return fp_at(error, FP_ERROR_SYNTAX, read->path, 1, SIZE_MAX);
}

/* Adds the path of the table to an error. */
static fp_status of_table(const fp_plot_context *of, int table, fp_status code, fp_error *error) {
    const char *path = fp_format(of->arena, "%s/%s.tsv", of->directory, fp_schema_at(table)->name);
    return fp_at(error, code, path, SIZE_MAX, SIZE_MAX);
}

fp_status fp_plot_table_read(const fp_plot_context *of, int table, fp_run_table *read, fp_error *error) {
    const char *name = fp_schema_at(table)->name;
    fp_column column;
    if (!fp_run_has_table(of->run, of->directory, name))
        return of_table(of, table, fp_fail(error, FP_ERROR_IO, "missing, and a requested figure needs it"), error);
    FP_TRY(fp_run_table_of(of->run, of->directory, name, of->arena, read, error));
    FP_TRY(check_front(read, table, error));
    for (fp_string rest = fp_string_of(fp_schema_at(table)->columns); fp_column_next(&rest, &column);) {
        if (column.is & FP_DRAWN) FP_TRY(fp_run_table_expect(read, column.name, error));
        if (column.is & FP_LIMITS_DRAWN) FP_TRY(fp_run_table_expect(read, column.low, error));
        if (column.is & FP_LIMITS_DRAWN) FP_TRY(fp_run_table_expect(read, column.high, error));
    }
    return FP_OK;
}

/* ---- Rows of arms ---- */

enum { CORPUS, ARM }; /* columns */

typedef struct reader {
    int table;
    fp_run_table read;
    size_t row;
    size_t current; /* arm of the previous row */
    fp_plot_arms *arms;
    fp_arena *arena;
    fp_error *error;
} reader;

static fp_status at_row(const reader *in, fp_status code) {
    return fp_run_table_at(&in->read, in->row, code, in->error);
}

static bool is_arm(const fp_plot_arm *arm, fp_string corpus, fp_string label) {
    return fp_string_equal(arm->label, label) && fp_string_equal(arm->corpus, corpus);
}

static fp_status add_arm(reader *in, fp_string corpus, fp_string label) {
    fp_plot_arms *arms = in->arms;
    FP_TRY(FP_ROOM(in->arena, arms->at, arms->count, arms->room, in->error));
    bool new_corpus = arms->count == 0 || !fp_string_equal(arms->at[arms->count - 1].corpus, corpus);
    for (size_t i = 0; new_corpus && i < arms->count; i++)
        if (fp_string_equal(arms->at[i].corpus, corpus))
            return at_row(in, fp_fail(in->error, FP_ERROR_DUPLICATE, "the rows of corpus %.*s are not together",
                                      (int)corpus.length, corpus.data));
    arms->at[arms->count++] = (fp_plot_arm){.corpus = corpus, .label = label};
    return FP_OK;
}

/* Finds the arm of a row, usually that of the previous row. results.tsv is read first and adds the arms. */
static fp_status find_arm(reader *in, fp_string corpus, fp_string label) {
    fp_plot_arms *arms = in->arms;
    if (in->current < arms->count && is_arm(arms->at + in->current, corpus, label)) return FP_OK;
    for (in->current = 0; in->current < arms->count; in->current++)
        if (is_arm(arms->at + in->current, corpus, label)) return FP_OK;
    if (in->table == FP_FILE_RESULTS) return add_arm(in, corpus, label);
    return at_row(in, fp_fail(in->error, FP_ERROR_UNKNOWN, "arm %.*s of corpus %.*s is not in results.tsv",
                              (int)label.length, label.data, (int)corpus.length, corpus.data));
}

static fp_status add_row(reader *in) {
    fp_string corpus = fp_run_table_cell(&in->read, in->row, CORPUS),
              label = fp_run_table_cell(&in->read, in->row, ARM);
    FP_TRY(find_arm(in, corpus, label));
    fp_plot_arm *arm = in->arms->at + in->current;
    if (arm->rows[in->table]++ == 0) arm->first[in->table] = in->row;
    if (arm->first[in->table] + arm->rows[in->table] - 1 == in->row) return FP_OK;
    return at_row(in, fp_fail(in->error, FP_ERROR_DUPLICATE, "the rows of arm %.*s of corpus %.*s are not together",
                              (int)label.length, label.data, (int)corpus.length, corpus.data));
}

static void take_strata(const reader *in) {
    fp_plot_arms *arms = in->arms;
    arms->strata = fp_arena_alloc(in->arena, in->read.row_count + 1, sizeof *arms->strata);
    for (size_t row = 0; row < in->read.row_count; row++) arms->strata[row] = fp_run_cell(&in->read, row, "stratum");
    if (in->read.row_count) arms->by = fp_run_cell(&in->read, 0, "by");
}

static fp_status check_complete(const reader *in) {
    for (size_t i = 0; fp_schema_at(in->table)->every_arm && i < in->arms->count; i++) {
        const fp_plot_arm *arm = in->arms->at + i;
        if (arm->rows[in->table]) continue;
        return FP_FAIL_AT(in->error, FP_ERROR_EMPTY, in->read.path, "no row for arm %.*s of corpus %.*s",
                          (int)arm->label.length, arm->label.data, (int)arm->corpus.length, arm->corpus.data);
    }
    return FP_OK;
}

fp_status fp_plot_tables_read(const fp_plot_context *of, uint64_t wanted, fp_plot_arms *arms, fp_error *error) {
    *arms = (fp_plot_arms){.tables = wanted | UINT64_C(1) << FP_FILE_RESULTS};
    for (int table = 0; fp_schema_at(table); table++) {
        if (!(arms->tables >> table & 1)) continue;
        reader in = {.table = table, .arms = arms, .arena = of->arena, .error = error};
        FP_TRY(fp_plot_table_read(of, table, &in.read, error));
        if (table == FP_FILE_SUMMARY) arms->times = fp_run_table_column(&in.read, "sketch_seconds_low") != SIZE_MAX;
        if (table == FP_FILE_SUMMARY) arms->bounds = fp_run_table_column(&in.read, "best_f1_bound") != SIZE_MAX;
        if (table == FP_FILE_RESULTS) arms->bands = fp_run_table_column(&in.read, "recall_band_high") != SIZE_MAX;
        if (table == FP_FILE_STRATA) take_strata(&in);
        for (; in.row < in.read.row_count; in.row++) FP_TRY(add_row(&in));
        FP_TRY(check_complete(&in));
    }
    if (arms->count) return FP_OK;
    return of_table(of, FP_FILE_RESULTS, fp_fail(error, FP_ERROR_EMPTY, "no arm was evaluated"), error);
}

/* ---- List of figures ---- */

static const fp_figure FIGURES[] = {
#define OF_ARMS(name, tables, summary) {#name, tables, summary},
#include "reports/plots/figures.def"
};
enum { FIGURE_COUNT = sizeof FIGURES / sizeof *FIGURES, MOST_FIGURES = 64 };

const fp_figure *fp_plot_figure_at(size_t at) {
    if (at < FIGURE_COUNT) return FIGURES + at;
    at -= FIGURE_COUNT;
    for (const fp_analysis *const *it = fp_analyses; *it; it++)
        for (size_t i = 0; i < FP_ANALYSIS_FIGURES && (*it)->figures[i].name; i++)
            if (at-- == 0) return (*it)->figures + i;
    return fp_plot_whole_at(at);
}

static bool same_name(const char *a, const char *b) {
    for (; *a && *b; a++, b++)
        if (*a != *b && !((*a == '-' || *a == '_') && (*b == '-' || *b == '_'))) return false;
    return *a == *b;
}

static void put_hyphens(char *text) {
    for (; (text = strchr(text, '_')); text++) *text = '-';
}

fp_status fp_plot_figure_find(const char *name, const fp_figure **figure, fp_error *error) {
    const char *names[MOST_FIGURES] = {NULL};
    char list[MOST_FIGURES * 16] = "", hint[48] = "";
    for (size_t i = 0, used = 0; (*figure = fp_plot_figure_at(i)); i++) {
        if (same_name((*figure)->name, name)) return FP_OK;
        names[i] = (*figure)->name;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", names[i]);
    }
    const char *nearest = fp_nearest(name, names);
    if (nearest) snprintf(hint, sizeof hint, " did you mean %s?", nearest);
    put_hyphens(list);
    put_hyphens(hint);
    return fp_fail(error, FP_ERROR_UNKNOWN, "there is no figure %s;%s there are: %s", name, hint, list);
}

const char *fp_plot_figure_name(const fp_figure *figure, fp_arena *arena) {
    char *name = fp_format(arena, "%s", figure->name);
    put_hyphens(name);
    return name;
}
