/* SPDX-License-Identifier: GPL-3.0-or-later
 * Figures of a whole run, each from one table: the data of their scripts. */
#include "reports/plots/plot_parts.h"

#include <inttypes.h>

#include "base/memory_stream.h"
#include "base/time_text.h"
#include "corpora/corruption/corruption.h"
#include "pairs/banding.h"

/* The table of a figure, and where gnuplot's data is written. */
typedef struct source {
    const fp_plot_context *of;
    fp_run_table table;
    fp_plot_whole *whole;
    FILE *stream;
    fp_arena *arena;
    fp_error *error;
} source;

/* ---- Cells ---- */

/* Error of a table without data. */
static fp_status nothing(const source *it, const char *why) {
    return FP_FAIL_AT(it->error, FP_ERROR_EMPTY, it->table.path, "%s", why);
}

/* Error of a row. */
static fp_status wrong(const source *it, size_t row, const char *why) {
    return fp_run_table_at(&it->table, row, fp_fail(it->error, FP_ERROR_SYNTAX, "%s", why), it->error);
}

/* A cell with a whole number ≥ 0. */
static fp_status read_count(const source *it, size_t row, const char *column, uint64_t *count) {
    enum { DIGITS = 19 };
    char text[DIGITS + 1], why[64];
    int64_t value = 0;
    fp_string field = fp_run_cell(&it->table, row, column);
    snprintf(text, sizeof text, "%.*s", (int)(field.length < DIGITS ? field.length : DIGITS), field.data);
    bool good = field.length > 0 && field.length <= DIGITS && fp_parse_integer(text, &value) && value >= 0;
    *count = (uint64_t)value;
    snprintf(why, sizeof why, "%s is not a count", text);
    return good ? FP_OK : wrong(it, row, why);
}

/* The numbers of texts and of duplicates, which must not be larger. */
static fp_status read_counts(const source *it, size_t row, uint64_t *texts, uint64_t *duplicates) {
    FP_TRY(read_count(it, row, "texts", texts));
    FP_TRY(read_count(it, row, "duplicates", duplicates));
    return *duplicates <= *texts ? FP_OK : wrong(it, row, "more duplicates than texts");
}

/* The cells 0, step, 2·step … of a column. */
static fp_string *cells_of(const source *it, const char *column, size_t step, size_t count) {
    fp_string *cells = fp_arena_alloc(it->arena, count + 1, sizeof *cells);
    for (size_t i = 0; i < count; i++) cells[i] = fp_run_cell(&it->table, i * step, column);
    return cells;
}

static void put_cells(const source *it, const char *name, const fp_string *cells, size_t count) {
    fp_plot_write_texts(it->stream, name, cells, count, sizeof *cells, it->arena);
}

static bool is_one(const source *it, size_t row, const char *column) {
    return fp_run_cell_is(&it->table, row, column, fp_string_of("1"));
}

/* "array NAME = [1, 0]" */
static void put_numbers(const source *it, const char *name, const uint64_t *numbers, size_t count) {
    fprintf(it->stream, "array %s = [", name);
    for (size_t i = 0; i < count; i++) fprintf(it->stream, "%s%" PRIu64, i ? ", " : "", numbers[i]);
    fprintf(it->stream, "]\n");
}

/* Whether the column is 1, for the listed rows; NULL: all. */
static void put_flags(const source *it, const char *name, const char *column, const uint64_t *rows, size_t count) {
    uint64_t *flags = fp_arena_alloc(it->arena, count, sizeof *flags);
    for (size_t i = 0; i < count; i++) flags[i] = is_one(it, rows ? rows[i] : i, column);
    put_numbers(it, name, flags, count);
}

/* For scripts that read the table itself. */
static void put_place(const source *it) {
    fprintf(it->stream, "directory = here.'..'\nstem = '%s'\n", it->whole->stem);
}

/* For figures without arms. */
static void put_no_arms(const source *it) { fprintf(it->stream, "arms = 1\narray label[1] = ['']\n"); }

/* A number of run.json; null gives 0. */
static fp_status defined(const source *it, const char *name, double *number) {
    const fp_json *value = fp_json_member(it->of->definitions, name);
    *number = 0;
    if (!value)
        return fp_fail(it->error, FP_ERROR_SYNTAX, "definitions lack %s, which the figure %s needs", name,
                       it->whole->figure->name);
    return value->type == FP_JSON_NULL ? FP_OK : fp_json_real(value, name, number, it->error);
}

/* ---- Data of each figure ---- */

/* The front of pareto.tsv, and the recommended arm. */
static fp_status write_pareto(source *it) {
    size_t count = 0;
    uint64_t *rows = fp_arena_alloc(it->arena, it->table.row_count + 1, sizeof *rows);
    fp_string *labels = fp_arena_alloc(it->arena, it->table.row_count + 1, sizeof *labels);
    for (size_t row = 0; row < it->table.row_count; row++) {
        if (!is_one(it, row, "front") && !is_one(it, row, "recommended")) continue;
        labels[count] = fp_run_cell(&it->table, row, "arm");
        rows[count++] = row;
    }
    if (count == 0) return nothing(it, "no arm is on the front: nothing was called a duplicate");
    fp_string corpus = fp_run_cell(&it->table, 0, "corpus"), objective = fp_run_cell(&it->table, 0, "objective");
    it->whole->stem = fp_plot_stem(corpus, it->arena);
    put_place(it);
    fprintf(it->stream, "corpus = %s\nobjective = %s\nconfidence = %g # of the intervals; 0: not known\narms = %zu\n",
            fp_plot_quote_field(corpus, it->arena), fp_plot_quote_field(objective, it->arena), it->of->confidence,
            count);
    put_cells(it, "label", labels, count);
    fprintf(it->stream, "# Their rows in pareto.tsv, counted from 0 after the header.\n");
    put_numbers(it, "arm_row[arms]", rows, count);
    put_flags(it, "is_recommended[arms]", "recommended", rows, count);
    fprintf(it->stream, "has_times = %d # 1: the table has microseconds_most\n",
            fp_run_table_column(&it->table, "microseconds_most") != SIZE_MAX);
    return FP_OK;
}

static fp_status write_ranks(source *it) {
    size_t count = it->table.row_count;
    if (count < 2) return nothing(it, "fewer than two arms");
    put_place(it);
    fprintf(it->stream, "arms = %zu\n", count);
    put_cells(it, "label", cells_of(it, "arm", 1, count), count);
    return FP_OK;
}

/* A column of counts ≥ 1. */
static fp_status read_banding(const source *it, const char *column, uint64_t *counts) {
    char why[64];
    snprintf(why, sizeof why, "%s is not a count", column);
    for (size_t row = 0; row < it->table.row_count; row++)
        if (read_count(it, row, column, counts + row) != FP_OK || counts[row] < 1 || counts[row] > INT32_MAX)
            return wrong(it, row, why);
    return FP_OK;
}

/* gnuplot computes the curves from the formula. */
static fp_status write_banding(source *it) {
    static const char *const COLUMNS[] = {"bands", "rows"};
    double slots, slot_bits, similarity, recall;
    uint64_t *counts[2];
    for (int i = 0; i < 2; i++) {
        counts[i] = fp_arena_alloc(it->arena, it->table.row_count + 1, sizeof *counts[i]);
        FP_TRY(read_banding(it, COLUMNS[i], counts[i]));
    }
    if (it->table.row_count == 0) return nothing(it, "no choice of bands and rows");
    FP_TRY(defined(it, "slots", &slots));
    FP_TRY(defined(it, "slot_bits", &slot_bits));
    FP_TRY(defined(it, "similarity", &similarity));
    FP_TRY(defined(it, "recall", &recall));
    if (!(slots >= 1 && slots <= INT32_MAX && slot_bits >= 0 && slot_bits <= 64))
        return fp_fail(it->error, FP_ERROR_RANGE, "definitions have no banding: %g slots of %g bits", slots, slot_bits);
    fprintf(it->stream, "stem = '%s'\n", it->whole->stem);
    put_no_arms(it);
    fprintf(it->stream,
            "target = %.17g # similarity\nrecall = %.17g # least, at the target; 0: none was asked for\n"
            "chance = %.17g # that slots of sets that share nothing agree\nslots = %u # at most\n",
            similarity, recall, fp_banding_slot(0, (unsigned)slot_bits), (unsigned)slots);
    for (int i = 0; i < 2; i++)
        put_numbers(it, fp_format(it->arena, "%s[%zu]", COLUMNS[i], it->table.row_count), counts[i],
                    it->table.row_count);
    return FP_OK;
}

static fp_status write_designs(source *it) {
    static const char *const NAMES[] = {"bits", "distance", "fingerprints", "most_bytes"};
    size_t count = it->table.row_count;
    if (count == 0) return nothing(it, "no design of an index");
    put_place(it);
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        double number;
        FP_TRY(defined(it, NAMES[i], &number));
        fprintf(it->stream, "%s = %.17g%s\n", NAMES[i], number, i == 3 ? " # 0: no limit" : "");
    }
    fprintf(it->stream, "arms = %zu\n", count);
    put_cells(it, "label", cells_of(it, "design", 1, count), count);
    put_flags(it, "on_front[arms]", "front", NULL, count);
    put_flags(it, "is_recommended[arms]", "recommended", NULL, count);
    return FP_OK;
}

/* The largest sources, which are the table's first rows. */
static fp_status write_by_source(source *it) {
    enum { MOST = 20, COUNTS = 4 };
    static const char *const NAMES[COUNTS] = {"from_others", "taken_up", "texts", "duplicates"};
    uint64_t counts[COUNTS][MOST] = {{0}}, texts = 0, of[COUNTS];
    size_t all = it->table.row_count, shown = all < MOST ? all : MOST, named = 0;
    for (size_t row = 0; row < all; row++) {
        FP_TRY(read_counts(it, row, of + 2, of + 3));
        for (int i = 0; i < 2; i++) FP_TRY(read_count(it, row, NAMES[i], of + i));
        for (int i = 0; i < COUNTS && row < MOST; i++) counts[i][row] = of[i];
        texts += of[2];
        named += fp_run_cell(&it->table, row, "source").length > 0;
    }
    if (named == 0) return nothing(it, "no text has a source");
    fprintf(it->stream, "stem = '%s'\n", it->whole->stem);
    put_no_arms(it);
    fprintf(it->stream, "sources = %zu\nsources_in_all = %zu\ntexts_in_all = %" PRIu64 ".\n", shown, all, texts);
    for (int i = 0; i < COUNTS; i++) fp_plot_write_counts(it->stream, NAMES[i], counts[i], shown);
    put_cells(it, "name", cells_of(it, "source", 1, shown), shown);
    return FP_OK;
}

/* Number of clusters of each size. The table may have thousands of rows. */
static fp_status write_sizes(source *it) {
    uint64_t most_texts = 0, most_clusters = 0, all_texts = 0, all_clusters = 0, texts, clusters;
    for (size_t row = 0; row < it->table.row_count; row++) {
        FP_TRY(read_count(it, row, "texts", &texts));
        FP_TRY(read_count(it, row, "clusters", &clusters));
        if (!texts || !clusters) return wrong(it, row, "a cluster has texts, and a size has clusters");
        if (texts > most_texts) most_texts = texts;
        if (clusters > most_clusters) most_clusters = clusters;
        all_texts += clusters * texts;
        all_clusters += clusters;
    }
    if (all_clusters == 0) return nothing(it, "there is no cluster");
    put_place(it);
    put_no_arms(it);
    fprintf(it->stream,
            "clusters_in_all = %" PRIu64 ".\ntexts_in_all = %" PRIu64 ".\nmost_texts = %" PRIu64
            ".\nmost_clusters = %" PRIu64 ".\n",
            all_clusters, all_texts, most_texts, most_clusters);
    return FP_OK;
}

/* ---- Robustness: rows sorted by arm, kind and rate ---- */

/* Number of values of a column, in steps of `step` rows, before the first one recurs. */
static size_t distinct(const source *it, const char *column, size_t step) {
    size_t count = 1;
    fp_string first = fp_run_cell(&it->table, 0, column);
    while (count * step < it->table.row_count && !fp_run_cell_is(&it->table, count * step, column, first)) count++;
    return count;
}

static bool is_as(const source *it, const char *column, size_t row, size_t other) {
    return fp_run_cell_is(&it->table, row, column, fp_run_cell(&it->table, other, column));
}

/* Labels for people; a mixture keeps its name. */
static void name_kinds(fp_string *kinds, fp_string *chinese, size_t count) {
    for (size_t k = 0; k < count; k++) {
        chinese[k] = kinds[k];
        for (size_t i = 0; fp_corruption_at(i); i++) {
            if (!fp_string_equal(chinese[k], fp_string_of(fp_corruption_at(i)->name))) continue;
            kinds[k] = fp_string_of(fp_corruption_at(i)->label);
            chinese[k] = fp_string_of(fp_corruption_at(i)->label_zh);
            break;
        }
    }
}

static fp_status write_robustness(source *it) {
    size_t count = it->table.row_count;
    if (count == 0) return nothing(it, "there is no row");
    size_t rates = distinct(it, "rate", 1), kinds = distinct(it, "kind", rates), arms = count / (rates * kinds);
    if (arms * kinds * rates != count) return wrong(it, count - 1, "not every arm has every kind at every rate");
    for (size_t row = 0; row < count; row++)
        if (!is_as(it, "arm", row, row - row % (rates * kinds)) ||
            !is_as(it, "kind", row, row / rates % kinds * rates) || !is_as(it, "rate", row, row % rates))
            return wrong(it, row, "not every arm has every kind at every rate, in one order");
    fp_string *plain = cells_of(it, "kind", rates, kinds), *chinese = cells_of(it, "kind", rates, kinds);
    name_kinds(plain, chinese, kinds);
    put_place(it);
    put_no_arms(it);
    fprintf(it->stream, "schemes = %zu\nkinds = %zu\nrates = %zu\n", arms, kinds, rates);
    put_cells(it, "scheme", cells_of(it, "arm", rates * kinds, arms), arms);
    put_cells(it, "kind", plain, kinds);
    put_cells(it, "kind_zh", chinese, kinds);
    put_cells(it, "rate", cells_of(it, "rate", 1, rates), rates);
    return FP_OK;
}

/* ---- Calendar of texts by day ---- */

typedef enum unit { DAY, WEEK, MONTH, YEAR, DECADE, CENTURY, UNITS } unit;
static const char *const UNIT_NAMES[UNITS] = {"day", "week", "month", "year", "decade", "century"};

enum { DAY_MILLISECONDS = 86400000, THURSDAY = 3 /* 1970-01-01, three days after a Monday */ };

static int64_t floor_of(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/* A day of the table. */
typedef struct date {
    int64_t number; /* days since 1970-01-01 */
    int year, month;
} date;

static fp_status read_date(const source *it, size_t row, fp_string field, date *day) {
    int64_t time;
    char text[16], why[80];
    fp_status status = field.length == 10 ? fp_time_parse(field, &time, it->error) : FP_ERROR_SYNTAX;
    snprintf(text, sizeof text, "%.*s", field.length == 10 ? 10 : 0, field.data);
    snprintf(why, sizeof why, "%.*s is no day", (int)(field.length < 64 ? field.length : 64), field.data);
    if (status != FP_OK || sscanf(text, "%4d-%2d-", &day->year, &day->month) != 2) return wrong(it, row, why);
    day->number = floor_of(time, DAY_MILLISECONDS);
    return FP_OK;
}

/* The number of the span that contains the day. */
static int64_t span_of(const date *day, unit of) {
    switch (of) {
    case DAY: return day->number;
    case WEEK: return floor_of(day->number + THURSDAY, 7);
    case MONTH: return 12 * (int64_t)day->year + day->month - 1;
    case YEAR: return day->year;
    case DECADE: return day->year / 10;
    default: return day->year / 100;
    }
}

static const char *name_span(int64_t span, unit of, fp_arena *arena) {
    char text[FP_TIME_TEXT];
    switch (of) {
    case DAY: fp_time_write_day(span * DAY_MILLISECONDS, text); return fp_format(arena, "%s", text);
    case WEEK: fp_time_write_day((7 * span - THURSDAY) * DAY_MILLISECONDS, text); return fp_format(arena, "%s", text);
    case MONTH: return fp_format(arena, "%04d-%02d", (int)(span / 12), (int)(span % 12 + 1));
    case YEAR: return fp_format(arena, "%d", (int)span);
    case DECADE: return fp_format(arena, "%d0s", (int)span);
    default: return fp_format(arena, "%d00s", (int)span);
    }
}

/* ---- Time spans of texts by day ---- */

typedef struct day_row {
    date day;
    uint64_t texts, duplicates;
} day_row;

static fp_status read_rows(const source *it, day_row *rows, size_t *count, uint64_t *timeless) {
    for (size_t row = 0; row < it->table.row_count; row++) {
        day_row *to = rows + *count;
        FP_TRY(read_counts(it, row, &to->texts, &to->duplicates));
        fp_string field = fp_run_cell(&it->table, row, "day");
        if (field.length == 0) {
            *timeless += to->texts;
            continue;
        }
        FP_TRY(read_date(it, row, field, &to->day));
        ++*count;
    }
    return FP_OK;
}

/* The earliest and the latest day, for rows in any order. */
static void find_ends(const day_row *rows, size_t count, const date **first, const date **last) {
    *first = *last = &rows->day;
    for (size_t i = 1; i < count; i++) {
        if (rows[i].day.number < (*first)->number) *first = &rows[i].day;
        if (rows[i].day.number > (*last)->number) *last = &rows[i].day;
    }
}

static void write_spans(const source *it, const day_row *rows, size_t count, uint64_t timeless) {
    const date *first, *last;
    unit of = DAY;
    find_ends(rows, count, &first, &last);
    while (of < CENTURY && span_of(last, of) - span_of(first, of) >= FP_PLOT_MOST_SPANS) of++;
    int64_t begin = span_of(first, of);
    size_t spans = (size_t)(span_of(last, of) - begin + 1);
    uint64_t *texts = fp_arena_alloc(it->arena, spans, sizeof *texts),
             *duplicates = fp_arena_alloc(it->arena, spans, sizeof *duplicates);
    fp_string *names = fp_arena_alloc(it->arena, spans, sizeof *names);
    for (size_t i = 0; i < spans; i++) {
        const char *name = name_span(begin + (int64_t)i, of, it->arena);
        names[i] = fp_string_of(name);
    }
    for (size_t i = 0; i < count; i++) {
        size_t span = (size_t)(span_of(&rows[i].day, of) - begin);
        texts[span] += rows[i].texts;
        duplicates[span] += rows[i].duplicates;
    }
    fprintf(it->stream, "stem = '%s'\n", it->whole->stem);
    put_no_arms(it);
    fprintf(it->stream, "unit = '%s'\ntimeless = %" PRIu64 ". # texts without a time\nspans = %zu\n", UNIT_NAMES[of],
            timeless, spans);
    fp_plot_write_counts(it->stream, "texts", texts, spans);
    fp_plot_write_counts(it->stream, "duplicates", duplicates, spans);
    put_cells(it, "name", names, spans);
}

/* Time spans from the first text to the last, including empty ones. The unit is the shortest with at most
 * FP_PLOT_MOST_SPANS spans, or centuries if none is; weeks begin on Monday. */
static fp_status write_by_day(source *it) {
    size_t count = 0;
    uint64_t timeless = 0;
    day_row *rows = fp_arena_alloc(it->arena, it->table.row_count + 1, sizeof *rows);
    FP_TRY(read_rows(it, rows, &count, &timeless));
    if (count == 0) return nothing(it, "no text has a time");
    write_spans(it, rows, count, timeless);
    return FP_OK;
}

/* ---- All figures ---- */

static const struct {
    fp_figure figure;
    const char *stem, *data, *title;
    fp_status (*write)(source *it);
} FIGURES[] = {
#define OF_RUN(name, tables, summary, stem, data, title) {{#name, tables, summary}, stem, data, title, write_##name},
#include "reports/plots/figures.def"
};

const fp_figure *fp_plot_whole_at(size_t at) {
    return at < sizeof FIGURES / sizeof *FIGURES ? &FIGURES[at].figure : NULL;
}

fp_status fp_plot_whole_read(const fp_plot_context *of, const fp_figure *figure, fp_plot_whole *whole,
                             fp_error *error) {
    fp_memory_stream memory;
    source it = {.of = of, .whole = whole, .arena = of->arena, .error = error};
    size_t at = 0;
    while (&FIGURES[at].figure != figure) at++;
    *whole = (fp_plot_whole){.figure = figure, .stem = FIGURES[at].stem, .title = FIGURES[at].title};
    FP_TRY(fp_plot_table_read(of, __builtin_ctzll(fp_plot_tables_of(figure)), &it.table, error));
    FP_TRY(fp_memory_stream_open(&memory, error));
    it.stream = memory.stream;
    fp_status status = FIGURES[at].write(&it);
    if (status == FP_OK) whole->arms = fp_format(of->arena, "%s-%s.gp", whole->stem, FIGURES[at].data);
    if (status == FP_OK) status = fp_memory_stream_close(&memory, error);
    if (status == FP_OK) whole->data = fp_format(of->arena, "%s", memory.text);
    fp_memory_stream_discard(&memory);
    return status;
}
