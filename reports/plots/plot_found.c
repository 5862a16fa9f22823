/* SPDX-License-Identifier: GPL-3.0-or-later
 * by-day.tsv in spans of time that a picture has room for. */
#include "reports/plots/plot_found.h"

#include <inttypes.h>
#include <string.h>

#include "base/time_text.h"
#include "reports/plots/plot_tables.h"
#include "reports/plots/plot_script.h"

/* ---- The calendar ---- */

typedef enum unit { DAY, WEEK, MONTH, YEAR, DECADE, CENTURY, UNITS } unit;
static const char *const UNIT_NAMES[UNITS] = {"day", "week", "month", "year", "decade", "century"};

enum { DAY_MILLISECONDS = 86400000, THURSDAY = 3 /* 1970-01-01 was one, three days after a Monday */ };

static int64_t floor_of(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/* A day as the table has it. */
typedef struct date {
    int64_t number; /* days since 1970-01-01 */
    int year, month;
} date;

static fp_status read_date(const fp_run_table *table, size_t row, fp_string field, date *day, fp_error *error) {
    int64_t time;
    char text[16];
    fp_status status = field.length == 10 ? fp_time_parse(field, &time, error) : FP_ERROR_SYNTAX;
    snprintf(text, sizeof text, "%.*s", field.length == 10 ? 10 : 0, field.data);
    if (status != FP_OK || sscanf(text, "%4d-%2d-", &day->year, &day->month) != 2) {
        fp_fail(error, FP_ERROR_SYNTAX, "%.*s is no day", (int)(field.length < 64 ? field.length : 64), field.data);
        return fp_run_table_at(table, row, FP_ERROR_SYNTAX, error);
    }
    day->number = floor_of(time, DAY_MILLISECONDS);
    return FP_OK;
}

/* The number of the span that a day is in. */
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

/* ---- Reading ---- */

typedef struct day_row {
    date day;
    fp_plot_bar bar; /* without its name */
} day_row;

static fp_status read_rows(const fp_run_table *table, day_row *rows, size_t *count, uint64_t *timeless,
                           fp_error *error) {
    size_t day = fp_run_table_column(table, "day");
    for (size_t row = 0; row < table->row_count; row++) {
        day_row *to = rows + *count;
        FP_TRY(fp_plot_bar_read(table, row, false, &to->bar, error));
        fp_string field = fp_run_table_field(table, row, day);
        if (field.length == 0) {
            *timeless += to->bar.texts;
            continue;
        }
        FP_TRY(read_date(table, row, field, &to->day, error));
        ++*count;
    }
    return FP_OK;
}

/* The first and the last row, whatever the order of the table. */
static void find_ends(const day_row *rows, size_t count, const date **first, const date **last) {
    *first = *last = &rows->day;
    for (size_t i = 1; i < count; i++) {
        if (rows[i].day.number < (*first)->number) *first = &rows[i].day;
        if (rows[i].day.number > (*last)->number) *last = &rows[i].day;
    }
}

static fp_status add_up(const day_row *rows, size_t count, fp_arena *arena, fp_plot_by_day *days, fp_error *error) {
    const date *first, *last;
    unit of = DAY;
    find_ends(rows, count, &first, &last);
    while (of < CENTURY && span_of(last, of) - span_of(first, of) >= FP_PLOT_MOST_SPANS) of++;
    int64_t begin = span_of(first, of);
    days->unit = UNIT_NAMES[of];
    days->count = (size_t)(span_of(last, of) - begin + 1);
    fp_plot_bar *spans = fp_arena_alloc(arena, days->count, sizeof *spans);
    if (!spans) return fp_no_memory(error);
    for (size_t i = 0; i < days->count; i++) {
        const char *name = name_span(begin + (int64_t)i, of, arena);
        if (!name) return fp_no_memory(error);
        spans[i].name = fp_string_of(name);
    }
    for (size_t i = 0; i < count; i++) {
        fp_plot_bar *to = spans + (span_of(&rows[i].day, of) - begin);
        to->texts += rows[i].bar.texts;
        to->duplicates += rows[i].bar.duplicates;
    }
    days->spans = spans;
    return FP_OK;
}

fp_status fp_plot_by_day_read(const char *directory, fp_arena *arena, fp_plot_by_day *days, fp_error *error) {
    fp_run_table table;
    size_t count = 0;
    *days = (fp_plot_by_day){0};
    FP_TRY(fp_plot_table_read(directory, FP_PLOT_BY_DAY, arena, &table, error));
    day_row *rows = fp_arena_alloc(arena, table.row_count + 1, sizeof *rows);
    if (!rows) return fp_no_memory(error);
    FP_TRY(read_rows(&table, rows, &count, &days->timeless, error));
    if (count) return add_up(rows, count, arena, days, error);
    fp_fail(error, FP_ERROR_EMPTY, "no text has a time");
    return fp_at(error, FP_ERROR_EMPTY, table.path, SIZE_MAX, SIZE_MAX);
}

/* ---- Writing ---- */

static fp_status write_by_day(FILE *stream, const fp_gnuplot *draw, const void *of, fp_error *error) {
    const fp_plot_by_day *days = of;
    fprintf(stream,
            "stem = '%s'\narms = 1\narray label[1] = ['']\nunit = '%s'\ntimeless = %" PRIu64
            ". # texts without a time\nspans = %zu\n",
            draw->stem, days->unit, days->timeless, days->count);
    return fp_plot_bars_write(stream, days->spans, days->count, draw->arena, error);
}

fp_status fp_plot_by_day_save(const fp_gnuplot *draw, const fp_plot_by_day *days, fp_error *error) {
    return fp_gnuplot_describe(draw, "by_day", write_by_day, days, error);
}

/* ---- The largest sources of by-source.tsv ---- */

/* The table has the largest first. */
fp_status fp_plot_by_source_read(const char *directory, fp_arena *arena, fp_plot_by_source *sources, fp_error *error) {
    fp_run_table table;
    *sources = (fp_plot_by_source){0};
    FP_TRY(fp_plot_table_read(directory, FP_PLOT_BY_SOURCE, arena, &table, error));
    size_t named = 0, name = fp_run_table_column(&table, "source");
    fp_plot_bar *shown = fp_arena_alloc(arena, FP_PLOT_MOST_SOURCES, sizeof *shown);
    if (!shown) return fp_no_memory(error);
    for (size_t row = 0; row < table.row_count; row++) {
        fp_plot_bar bar;
        FP_TRY(fp_plot_bar_read(&table, row, true, &bar, error));
        sources->texts += bar.texts;
        named += fp_run_table_field(&table, row, name).length > 0;
        if (sources->count == FP_PLOT_MOST_SOURCES) continue;
        bar.name = fp_run_table_cell(&table, row, name, arena);
        if (!bar.name.data) return fp_no_memory(error);
        shown[sources->count++] = bar;
    }
    sources->all = table.row_count;
    sources->shown = shown;
    if (named) return FP_OK;
    sources->count = 0;
    fp_fail(error, FP_ERROR_EMPTY, "no text has a source");
    return fp_at(error, FP_ERROR_EMPTY, table.path, SIZE_MAX, SIZE_MAX);
}

static fp_status write_by_source(FILE *stream, const fp_gnuplot *draw, const void *of, fp_error *error) {
    const fp_plot_by_source *sources = of;
    fprintf(stream,
            "stem = '%s'\narms = 1\narray label[1] = ['']\nsources = %zu\nsources_in_all = %zu\ntexts_in_all = %" PRIu64
            ".\n",
            draw->stem, sources->count, sources->all, sources->texts);
    fp_plot_write_counts(stream, "from_others", &sources->shown->from_others, sources->count, sizeof *sources->shown);
    fp_plot_write_counts(stream, "taken_up", &sources->shown->taken_up, sources->count, sizeof *sources->shown);
    return fp_plot_bars_write(stream, sources->shown, sources->count, draw->arena, error);
}

fp_status fp_plot_by_source_save(const fp_gnuplot *draw, const fp_plot_by_source *sources, fp_error *error) {
    return fp_gnuplot_describe(draw, "by_source", write_by_source, sources, error);
}

/* ---- How many clusters there are of each size ---- */

fp_status fp_plot_sizes_read(const char *directory, fp_arena *arena, fp_plot_sizes *sizes, fp_error *error) {
    fp_run_table table;
    *sizes = (fp_plot_sizes){0};
    FP_TRY(fp_plot_table_read(directory, FP_PLOT_CLUSTER_SIZES, arena, &table, error));
    size_t texts = fp_run_table_column(&table, "texts"), clusters = fp_run_table_column(&table, "clusters");
    struct fp_plot_size *rows = fp_arena_alloc(arena, table.row_count + 1, sizeof *rows);
    if (!rows) return fp_no_memory(error);
    for (size_t row = 0; row < table.row_count; row++) {
        FP_TRY(fp_plot_table_count(&table, row, texts, &rows[row].texts, error));
        FP_TRY(fp_plot_table_count(&table, row, clusters, &rows[row].clusters, error));
        if (rows[row].texts == 0 || rows[row].clusters == 0) {
            fp_fail(error, FP_ERROR_SYNTAX, "a cluster has texts, and a size has clusters");
            return fp_run_table_at(&table, row, FP_ERROR_SYNTAX, error);
        }
        sizes->clusters += rows[row].clusters;
        sizes->texts += rows[row].clusters * rows[row].texts;
    }
    sizes->count = table.row_count;
    sizes->rows = rows;
    if (sizes->count) return FP_OK;
    fp_fail(error, FP_ERROR_EMPTY, "there is no cluster");
    return fp_at(error, FP_ERROR_EMPTY, table.path, SIZE_MAX, SIZE_MAX);
}

/* The script reads the table itself, which may have thousands of rows. */
static fp_status write_sizes(FILE *stream, const fp_gnuplot *draw, const void *of, fp_error *error) {
    const fp_plot_sizes *sizes = of;
    uint64_t most_texts = 0, most_clusters = 0;
    (void)error;
    for (size_t i = 0; i < sizes->count; i++) {
        if (sizes->rows[i].texts > most_texts) most_texts = sizes->rows[i].texts;
        if (sizes->rows[i].clusters > most_clusters) most_clusters = sizes->rows[i].clusters;
    }
    fprintf(stream,
            "directory = here.'..'\nstem = '%s'\narms = 1\narray label[1] = ['']\nclusters_in_all = %" PRIu64
            ".\ntexts_in_all = %" PRIu64 ".\nmost_texts = %" PRIu64 ".\nmost_clusters = %" PRIu64 ".\n",
            draw->stem, sizes->clusters, sizes->texts, most_texts, most_clusters);
    return FP_OK;
}

fp_status fp_plot_sizes_save(const fp_gnuplot *draw, const fp_plot_sizes *sizes, fp_error *error) {
    return fp_gnuplot_describe(draw, "sizes", write_sizes, sizes, error);
}

/* ---- Bars of texts and duplicates, as a table of tracking has them and as gnuplot is told of them ---- */

fp_status fp_plot_bar_read(const fp_run_table *table, size_t row, bool between, fp_plot_bar *bar, fp_error *error) {
    *bar = (fp_plot_bar){0};
    const struct {
        const char *name;
        uint64_t *count;
    } counts[] = {{"texts", &bar->texts},
                  {"duplicates", &bar->duplicates},
                  {"from_others", &bar->from_others},
                  {"taken_up", &bar->taken_up}};
    for (size_t i = 0; i < (between ? 4 : 2); i++)
        FP_TRY(fp_plot_table_count(table, row, fp_run_table_column(table, counts[i].name), counts[i].count, error));
    if (bar->duplicates <= bar->texts) return FP_OK;
    fp_fail(error, FP_ERROR_SYNTAX, "more duplicates than texts");
    return fp_run_table_at(table, row, FP_ERROR_SYNTAX, error);
}

fp_status fp_plot_bars_write(FILE *stream, const fp_plot_bar *bars, size_t count, fp_arena *arena, fp_error *error) {
    fp_plot_write_counts(stream, "texts", &bars->texts, count, sizeof *bars);
    fp_plot_write_counts(stream, "duplicates", &bars->duplicates, count, sizeof *bars);
    return fp_plot_write_texts(stream, "name", &bars->name, count, sizeof *bars, arena, error);
}
