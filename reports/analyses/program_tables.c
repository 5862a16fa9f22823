/* SPDX-License-Identifier: GPL-3.0-or-later
 * Evaluation and tuning for programs (fplab/tables.h): settings are those of evaluate.h, tables stay in memory. */
#include "reports/analyses/evaluate.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "reports/tables/tuning_tables.h"

typedef struct kept_table {
    const char *name;
    const fp_table_column *columns;
    const fp_table_cell *cells;
    double **numbers; /* [column_count]; NULL: a column of texts */
    size_t column_count, rows;
} kept_table;

enum { MOST_TABLES = 64 };

struct fp_tables {
    jmp_buf no_memory; /* target of the allocators of report arenas, which never return NULL (results.h) */
    fp_arena *arena;   /* a report arena */
    size_t count, note_count, note_room;
    fp_arena *texts; /* of notes */
    const char **notes;
    bool note_failed;
    kept_table tables[MOST_TABLES];
};

static void *allocate(void *context, size_t size) {
    void *place = malloc(size);
    if (!place) longjmp(((fp_tables *)context)->no_memory, 1);
    return place;
}

static void *resize(void *context, void *place, size_t size) {
    void *larger = realloc(place, size);
    if (!larger) longjmp(((fp_tables *)context)->no_memory, 1);
    return larger;
}

static void release(void *context, void *place) {
    (void)context;
    free(place);
}

/* Runs `make` in one thread with to->arena. If an allocation there fails, returns FP_ERROR_MEMORY. */
static fp_status with_memory(fp_tables *to, fp_status (*make)(fp_tables *to, const void *of, fp_error *error),
                             const void *of, fp_error *error) {
    const fp_allocator jumping = {sizeof jumping, to, allocate, resize, release};
    if (setjmp(to->no_memory)) return fp_no_memory(error);
    if (!to->arena) FP_TRY(fp_arena_new_with(&jumping, &to->arena, error));
    return make(to, of, error);
}

static fp_tables *tables_new(fp_error *error) {
    fp_tables *made = calloc(1, sizeof *made);
    if (made) made->texts = fp_arena_new();
    if (made && made->texts) return made;
    free(made);
    return fp_no_memory(error), NULL;
}

void fp_tables_free(fp_tables *tables) {
    if (!tables) return;
    fp_arena_free(tables->arena);
    fp_arena_free(tables->texts);
    free(tables);
}

static fp_status keep_table(void *context, const char *name, const fp_table *table, fp_error *error) {
    fp_tables *to = context;
    kept_table *own = to->tables + to->count;
    if (to->count == MOST_TABLES) return fp_fail(error, FP_ERROR_RANGE, "more than %d tables", MOST_TABLES);
    *own = (kept_table){.name = name};
    own->column_count = fp_table_shape_of(table, &own->columns, &own->rows, &own->cells);
    own->numbers = fp_arena_alloc(to->arena, own->column_count, sizeof *own->numbers);
    for (size_t c = 0; c < own->column_count; c++) {
        if (!own->columns[c].right) continue;
        double *numbers = own->numbers[c] = fp_arena_raw(to->arena, own->rows, sizeof *numbers);
        for (size_t r = 0; r < own->rows && own->numbers[c]; r++) {
            const char *cell = own->cells[r * own->column_count + c].exact;
            if (fp_parse_real(cell, numbers + r)) continue;
            numbers[r] = NAN;
            if (strcmp(cell, "NA") != 0) own->numbers[c] = NULL; /* "20..24" */
        }
    }
    to->count++;
    return FP_OK;
}

/* Adds a line unless it is already there. */
static void keep(fp_tables *to, fp_string line) {
    for (size_t i = 0; i < to->note_count; i++)
        if (fp_string_equal(fp_string_of(to->notes[i]), line)) return;
    bool room = FP_ROOM(to->texts, to->notes, to->note_count, to->note_room, NULL) == FP_OK;
    const char *copy = room ? fp_string_copy(to->texts, line) : NULL;
    if (copy) to->notes[to->note_count++] = copy;
    else to->note_failed = true;
}

static void keep_note(void *context, const char *line) { keep(context, fp_string_of(line)); }

/* Adds each non-empty line. */
static void keep_lines(fp_tables *to, const char *text) {
    for (fp_string rest = fp_string_of(text), line; fp_next_line(&rest, &line);)
        if (line.length) keep(to, line);
}

static void note_cautions(void *context, const fp_outcome *outcome, fp_arm *const *arms) {
    for (size_t i = 0; i < outcome->count; i++) {
        char line[640];
        const char *caution = fp_arm_caution(arms[i]);
        size_t empty = outcome->measurements[i].empty_count;
        snprintf(line, sizeof line, "%s: arm %s: %s", outcome->corpus->name, fp_arm_name(arms[i]),
                 caution ? caution : "");
        if (caution) keep_note(context, line);
        snprintf(line, sizeof line,
                 "%s: arm %s: %zu of %zu texts have an empty sketch: they count as farthest from all",
                 outcome->corpus->name, fp_arm_name(arms[i]), empty, outcome->corpus->document_count);
        if (empty) keep_note(context, line);
    }
}

/* ---- Settings ---- */

typedef enum setting_kind { SET_TEXT, SET_LIST, SET_INT, SET_LONG, SET_FLAG } setting_kind;

/* Where a setting is stored. */
typedef struct setting_row {
    const char *name;
    setting_kind kind;
    size_t offset;
} setting_row;

#define EVAL(name, kind, member) \
    { name, kind, offsetof(fp_eval_request, member) }
static const setting_row EVAL_SETTINGS[] = {EVAL("threshold", SET_TEXT, thresholds),
                                            EVAL("thresholds", SET_TEXT, thresholds),
                                            EVAL("by", SET_TEXT, by),
                                            EVAL("buckets", SET_TEXT, buckets),
                                            EVAL("level", SET_TEXT, level),
                                            EVAL("empty", SET_TEXT, empty),
                                            EVAL("interval", SET_TEXT, interval),
                                            EVAL("compare", SET_TEXT, compare),
                                            EVAL("compare-at", SET_TEXT, compare_at),
                                            EVAL("equivalence", SET_TEXT, equivalence),
                                            EVAL("detect", SET_TEXT, detect),
                                            EVAL("hash-seeds", SET_TEXT, hash_seeds),
                                            EVAL("negatives", SET_TEXT, negatives),
                                            EVAL("measure", SET_LIST, measures),
                                            EVAL("replicates", SET_INT, replicates),
                                            EVAL("seed", SET_LONG, seed),
                                            EVAL("whole-curves", SET_FLAG, results.whole_curves),
                                            {0}};

/* The settings of fp_tune_grid. */
typedef struct tune_asked {
    fp_tune_request request;
    const char *save;
} tune_asked;
#define TUNE(name, kind, member) \
    { name, kind, offsetof(tune_asked, member) }
static const setting_row TUNE_SETTINGS[] = {TUNE("beta", SET_TEXT, request.beta),
                                            TUNE("min-precision", SET_TEXT, request.precision),
                                            TUNE("equivalence", SET_TEXT, request.equivalence),
                                            TUNE("folds", SET_INT, request.folds),
                                            TUNE("replicates", SET_INT, request.replicates),
                                            TUNE("negatives", SET_INT, request.negatives),
                                            TUNE("seed", SET_LONG, request.seed),
                                            TUNE("save", SET_TEXT, save),
                                            {0}};

/* Appends a value to a list. */
static fp_status append(const char ***list, const char *value, fp_arena *arena, fp_error *error) {
    size_t count = 0;
    while (*list && (*list)[count]) count++;
    const char **larger = FP_NEED(fp_arena_alloc(arena, count + 2, sizeof *larger), error);
    if (count) memcpy(larger, *list, count * sizeof *larger);
    larger[count] = value;
    *list = larger;
    return FP_OK;
}

static fp_status set(void *place, setting_kind kind, const fp_setting *of, fp_arena *arena, fp_error *error) {
    int64_t number;
    if (kind == SET_FLAG && of->value) return fp_fail(error, FP_ERROR_RANGE, "--%s takes no value", of->name);
    if (kind == SET_FLAG) return *(bool *)place = true, FP_OK;
    if (!of->value) return fp_fail(error, FP_ERROR_RANGE, "--%s takes a value", of->name);
    if (kind == SET_LIST) return append(place, of->value, arena, error);
    if (kind == SET_TEXT) return *(const char **)place = of->value, FP_OK;
    if (!fp_parse_integer(of->value, &number) || (kind == SET_INT && (number < INT_MIN + 1 || number > INT_MAX)))
        return fp_fail(error, FP_ERROR_RANGE, "--%s takes a whole number, not %s", of->name, of->value);
    if (kind == SET_INT) *(int *)place = (int)number;
    else *(long long *)place = number;
    return FP_OK;
}

/* Where option k of an analysis is stored. */
static void *place_of_option(const fp_analysis_option *option, fp_analysis_values *given, size_t k,
                             setting_kind *kind) {
    switch (option->takes) {
    case FP_TAKES_ONE: *kind = SET_TEXT; return given->text + k;
    case FP_TAKES_SEVERAL: *kind = SET_LIST; return given->list + k;
    default: *kind = SET_FLAG; return given->flag + k;
    }
}

/* Where a setting is stored, of the rows or of an analysis; NULL: there is none of this name. `given` may be NULL. */
static void *place_of(const setting_row *rows, void *into, fp_analysis_values *given, const char *name,
                      setting_kind *kind) {
    for (; rows->name; rows++) {
        *kind = rows->kind;
        if (strcmp(rows->name, name) == 0) return (char *)into + rows->offset;
    }
    for (size_t i = 0; given && fp_analyses[i]; i++)
        for (size_t k = 0; k < FP_ANALYSIS_OPTIONS && fp_analyses[i]->options[k].name; k++) {
            const fp_analysis_option *option = fp_analyses[i]->options + k;
            if (strcmp(option->name, name) == 0) return place_of_option(option, given + i, k, kind);
        }
    return NULL;
}

static fp_status take_settings(const setting_row *rows, void *into, fp_analysis_values *given,
                               const fp_setting *settings, size_t count, fp_arena *arena, fp_error *error) {
    for (size_t i = 0; i < count; i++) {
        setting_kind kind;
        void *place = place_of(rows, into, given, settings[i].name, &kind);
        if (!place) return fp_fail(error, FP_ERROR_UNKNOWN, "--%s is no setting here", settings[i].name);
        FP_TRY(set(place, kind, settings + i, arena, error));
    }
    return FP_OK;
}

/* ---- Evaluating ---- */

static fp_status parse_arms(const char *const *specs, size_t count, const fp_extensions *extensions, fp_arena *arena,
                            fp_arm ***arms, fp_error *error) {
    *arms = FP_NEED(fp_arena_alloc(arena, count, sizeof **arms), error);
    if (count == 0) return fp_fail(error, FP_ERROR_EMPTY, "no arm is named");
    for (size_t i = 0; i < count; i++) {
        fp_error why = {0};
        fp_status status = fp_arm_parse(specs[i], extensions, arena, *arms + i, &why);
        if (status != FP_OK && !why.file[0]) return fp_fail(error, status, "arm \"%s\": %s", specs[i], why.message);
        if (status != FP_OK && error) *error = why;
        if (status != FP_OK) return status;
        for (size_t k = 0; k < i; k++)
            if (strcmp((*arms)[k]->name, (*arms)[i]->name) == 0)
                return fp_fail(error, FP_ERROR_DUPLICATE, "two arms are called \"%s\"; name them with name=…",
                               specs[i]);
    }
    return FP_OK;
}

typedef struct evaluating {
    const fp_corpus *const *corpora;
    size_t corpus_count, arm_count, setting_count;
    const char *const *arms;
    const fp_extensions *extensions;
    const fp_setting *settings;
    const fp_progress *progress;
} evaluating;

/* Lets `work` fill tables; none on an error. */
static fp_status fill(const evaluating *of,
                      fp_status (*work)(const evaluating *of, fp_tables *made, fp_arena *arena, fp_error *error),
                      fp_tables **tables, fp_error *error) {
    fp_arena *arena = fp_arena_new();
    fp_tables *made = tables_new(error);
    fp_status status = arena && made ? work(of, made, arena, error) : fp_no_memory(error);
    if (status == FP_OK && made->note_failed) status = fp_no_memory(error);
    if (status != FP_OK) fp_tables_free(made);
    fp_arena_free(arena);
    *tables = status == FP_OK ? made : NULL;
    return status;
}

static fp_status measure(const evaluating *of, fp_eval_request *request, fp_arena *arena, fp_error *error) {
    fp_arm **arms;
    FP_TRY(take_settings(EVAL_SETTINGS, request, request->given, of->settings, of->setting_count, arena, error));
    FP_TRY(fp_eval_read(request, arena, error));
    FP_TRY(parse_arms(of->arms, of->arm_count, of->extensions, arena, &arms, error));
    FP_TRY(fp_eval_settle(request, arms, of->arm_count, of->corpus_count, arena, error));
    for (size_t i = 0; i < of->corpus_count; i++) {
        /* Arms are fitted to one corpus, so parse them anew. */
        if (i) FP_TRY(parse_arms(of->arms, of->arm_count, of->extensions, arena, &arms, error));
        if (!fp_corpus_has_texts(of->corpora[i]))
            return fp_fail(error, FP_ERROR_EMPTY, "%s has only pairs, no texts", of->corpora[i]->name);
        FP_TRY(fp_eval_corpus(request, of->corpora[i], arms, of->arm_count, of->progress, arena, error));
    }
    return fp_eval_end(request, arena, error);
}

static fp_status make_eval_tables(fp_tables *to, const void *of, fp_error *error) {
    return fp_eval_tables(of, keep_table, to, to->arena, error);
}

static fp_status evaluate(const evaluating *of, fp_tables *made, fp_arena *arena, fp_error *error) {
    fp_eval_request *request = FP_NEED(fp_arena_alloc(arena, 1, sizeof *request), error);
    *request = (fp_eval_request)FP_EVAL_REQUEST;
    request->every_table = true;
    request->note = keep_note;
    request->measured = note_cautions;
    request->context = made;
    fp_status status = measure(of, request, arena, error);
    if (status == FP_OK) status = with_memory(made, make_eval_tables, request, error);
    fp_findings_free(&request->findings);
    return status;
}

fp_status fp_evaluate(const fp_corpus *const *corpora, size_t corpus_count, const char *const *arms, size_t arm_count,
                      const fp_extensions *extensions, const fp_setting *settings, size_t setting_count,
                      fp_tables **tables, const fp_progress *progress, fp_error *error) {
    const evaluating of = {corpora, corpus_count, arm_count, setting_count, arms, extensions, settings, progress};
    *tables = NULL;
    if (!corpus_count) return fp_fail(error, FP_ERROR_EMPTY, "no corpus is given");
    return fill(&of, evaluate, tables, error);
}

/* ---- Tuning ---- */

static fp_status make_tune_tables(fp_tables *to, const void *of, fp_error *error) {
    const fp_tuning *tuning = of;
    keep_lines(to, fp_tuning_advice(tuning, to->arena));
    keep_lines(to, fp_tuning_remarks(tuning, to->arena));
    FP_TRY(keep_table(to, "leaderboard", fp_tuning_leaderboard(tuning, to->arena), error));
    FP_TRY(keep_table(to, "pareto", fp_tuning_pareto(tuning, to->arena), error));
    return keep_table(to, "folds", fp_tuning_folds(tuning, to->arena), error);
}

static fp_status save_choice(const fp_tuned *tuned, const fp_corpus *corpus, const char *path, fp_arena *arena,
                             fp_error *error) {
    fp_choice choice;
    if (!path || tuned->best.arm == FP_TUNE_NONE) return FP_OK;
    FP_TRY(fp_choice_of(tuned, corpus, arena, &choice, error));
    return fp_choice_save(&choice, path, error);
}

static fp_status tune(const evaluating *of, fp_tables *made, fp_arena *arena, fp_error *error) {
    const fp_corpus *corpus = *of->corpora;
    tune_asked asked = {.request = FP_TUNE_REQUEST};
    fp_tune_options how;
    fp_grid grid;
    fp_tuned tuned;
    const char **specs = NULL;
    FP_TRY(take_settings(TUNE_SETTINGS, &asked, NULL, of->settings, of->setting_count, arena, error));
    FP_TRY(fp_tune_read(&asked.request, &how, error));
    for (size_t i = 0; i < of->arm_count; i++) FP_TRY(append(&specs, of->arms[i], arena, error));
    FP_TRY(fp_grid_expand(specs ? specs : fp_tune_usual_grid, of->extensions ? of->extensions->algorithms : NULL, arena,
                          &grid, error));
    if (corpus->truth == FP_TRUTH_NONE)
        return fp_fail(error, FP_ERROR_EMPTY, "%s has no labels, neither pairs nor groups", corpus->name);
    FP_TRY(fp_tune(corpus, grid.arms, grid.count, &how, of->progress, arena, &tuned, error));
    for (size_t i = 0; i < tuned.arm_count; i++)
        if (fp_arm_caution(tuned.arms[i])) keep_lines(made, fp_arm_caution(tuned.arms[i]));
    fp_tuning tuning = {corpus, &tuned, grid.written};
    FP_TRY(with_memory(made, make_tune_tables, &tuning, error));
    return save_choice(&tuned, corpus, asked.save, arena, error);
}

fp_status fp_tune_grid(const fp_corpus *corpus, const char *const *grid, size_t grid_count,
                       const fp_extensions *extensions, const fp_setting *settings, size_t setting_count,
                       fp_tables **tables, const fp_progress *progress, fp_error *error) {
    const evaluating of = {&corpus, 1, grid_count, setting_count, grid, extensions, settings, progress};
    return fill(&of, tune, tables, error);
}

/* ---- Reading ---- */

size_t fp_tables_count(const fp_tables *tables) { return tables->count; }
const char *fp_tables_name(const fp_tables *tables, size_t table) { return tables->tables[table].name; }
size_t fp_tables_rows(const fp_tables *tables, size_t table) { return tables->tables[table].rows; }
size_t fp_tables_columns(const fp_tables *tables, size_t table) { return tables->tables[table].column_count; }

size_t fp_tables_find(const fp_tables *tables, const char *name) {
    for (size_t i = 0; i < tables->count; i++)
        if (strcmp(tables->tables[i].name, name) == 0) return i;
    return SIZE_MAX;
}

const char *fp_tables_column(const fp_tables *tables, size_t table, size_t column) {
    return tables->tables[table].columns[column].name;
}

const double *fp_tables_numbers(const fp_tables *tables, size_t table, size_t column) {
    return tables->tables[table].numbers[column];
}

const char *fp_tables_text(const fp_tables *tables, size_t table, size_t column, size_t row) {
    const kept_table *of = tables->tables + table;
    return of->cells[row * of->column_count + column].exact;
}

const char *fp_tables_note(const fp_tables *tables, size_t note) {
    return note < tables->note_count ? tables->notes[note] : NULL;
}

const fp_parameter *fp_parameters_of(const fp_algorithm *algorithm, fp_parameter_group group) {
    static const fp_parameter NONE[] = {{0}};
    bool features = algorithm->needs & (FP_NEEDS_FEATURES | FP_NEEDS_SEQUENCE);
    if (group == FP_PARAMETERS_OF_ALGORITHM) return algorithm->parameters ? algorithm->parameters : NONE;
    if (group == FP_PARAMETERS_OF_FEATURES) return features ? fp_feature_parameters : NONE;
    return group == FP_PARAMETERS_OF_TEXT ? fp_text_parameters : NONE;
}
