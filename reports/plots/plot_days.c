/* SPDX-License-Identifier: GPL-3.0-or-later
 * by-day.tsv in spans of time that a picture has room for. */
#include "reports/plots/plot_whole.h"

#include <inttypes.h>
#include <string.h>

#include "base/time_text.h"
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

static fp_status read_date(const fp_plot_telling *it, size_t row, fp_string field, date *day) {
    int64_t time;
    char text[16], why[80];
    fp_status status = field.length == 10 ? fp_time_parse(field, &time, it->error) : FP_ERROR_SYNTAX;
    snprintf(text, sizeof text, "%.*s", field.length == 10 ? 10 : 0, field.data);
    snprintf(why, sizeof why, "%.*s is no day", (int)(field.length < 64 ? field.length : 64), field.data);
    if (status != FP_OK || sscanf(text, "%4d-%2d-", &day->year, &day->month) != 2) return fp_plot_wrong(it, row, why);
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

/* ---- Spans ---- */

typedef struct day_row {
    date day;
    uint64_t texts, duplicates;
} day_row;

static fp_status read_rows(const fp_plot_telling *it, day_row *rows, size_t *count, uint64_t *timeless) {
    size_t day = fp_run_table_column(&it->table, "day");
    for (size_t row = 0; row < it->table.row_count; row++) {
        day_row *to = rows + *count;
        FP_TRY(fp_plot_counts(it, row, &to->texts, &to->duplicates));
        fp_string field = fp_run_table_field(&it->table, row, day);
        if (field.length == 0) {
            *timeless += to->texts;
            continue;
        }
        FP_TRY(read_date(it, row, field, &to->day));
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

static void tell_spans(const fp_plot_telling *it, const day_row *rows, size_t count, uint64_t timeless) {
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
    fprintf(it->stream,
            "stem = '%s'\narms = 1\narray label[1] = ['']\nunit = '%s'\ntimeless = %" PRIu64
            ". # texts without a time\nspans = %zu\n",
            it->whole->stem, UNIT_NAMES[of], timeless, spans);
    fp_plot_write_counts(it->stream, "texts", texts, spans, sizeof *texts);
    fp_plot_write_counts(it->stream, "duplicates", duplicates, spans, sizeof *duplicates);
    fp_plot_write_texts(it->stream, "name", names, spans, sizeof *names, it->arena);
}

fp_status fp_plot_tell_days(fp_plot_telling *it) {
    size_t count = 0;
    uint64_t timeless = 0;
    day_row *rows = fp_arena_alloc(it->arena, it->table.row_count + 1, sizeof *rows);
    FP_TRY(read_rows(it, rows, &count, &timeless));
    if (count == 0) return fp_plot_nothing(it, "no text has a time");
    tell_spans(it, rows, count, timeless);
    return FP_OK;
}
