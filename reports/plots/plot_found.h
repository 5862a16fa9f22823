/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plot_found.h - what `fplab track` and `fplab cluster` found, as pictures: texts and duplicates by time and by
 * source, and how many clusters there are of each size.
 */
#ifndef FP_PLOT_FOUND_H
#define FP_PLOT_FOUND_H

#include "reports/plots/gnuplot.h"
#include "reports/runs/run_manifest.h"

typedef struct fp_plot_bar {
    fp_string name; /* a span of time, or a source; "": texts without a source */
    uint64_t texts, duplicates;
    uint64_t from_others, taken_up; /* sources */
} fp_plot_bar;

/* Reads the counts of a row; of sources also those `between` them. The name is left empty. FP_ERROR_SYNTAX with file
 * and line. */
fp_status fp_plot_bar_read(const fp_run_table *table, size_t row, bool between, fp_plot_bar *bar, fp_error *error);
/* Writes the arrays texts, duplicates and name of `count` > 0 bars. */
fp_status fp_plot_bars_write(FILE *stream, const fp_plot_bar *bars, size_t count, fp_arena *arena, fp_error *error);

/* Spans of time between the first text and the last, those without texts too. They are days, or as long as it takes for
 * their number to be at most FP_PLOT_MOST_SPANS where whole centuries can do that: a week begins on Monday. */
enum { FP_PLOT_MOST_SPANS = 120 };
typedef struct fp_plot_by_day {
    const char *unit; /* "day", "week", "month", "year", "decade", "century" */
    size_t count;
    const fp_plot_bar *spans; /* [count] */
    uint64_t timeless;        /* texts without a time */
} fp_plot_by_day;

/* Reads directory/by-day.tsv. Errors name file and line: FP_ERROR_IO, FP_ERROR_SYNTAX (a column is missing, or holds no
 * day or no count), FP_ERROR_EMPTY: no text has a time. */
fp_status fp_plot_by_day_read(const char *directory, fp_arena *arena, fp_plot_by_day *days, fp_error *error);
/* Writes draw->arms, what the script by_day.gp is told. */
fp_status fp_plot_by_day_save(const fp_gnuplot *draw, const fp_plot_by_day *days, fp_error *error);

/* The largest sources. */
enum { FP_PLOT_MOST_SOURCES = 20 };
typedef struct fp_plot_by_source {
    size_t count, all; /* shown, and in the table */
    const fp_plot_bar *shown;
    uint64_t texts; /* of all */
} fp_plot_by_source;

/* Reads directory/by-source.tsv, as fp_plot_by_day_read. FP_ERROR_EMPTY: no text has a source. */
fp_status fp_plot_by_source_read(const char *directory, fp_arena *arena, fp_plot_by_source *sources, fp_error *error);
fp_status fp_plot_by_source_save(const fp_gnuplot *draw, const fp_plot_by_source *sources, fp_error *error);

/* How many clusters there are of each size. */
typedef struct fp_plot_sizes {
    size_t count;
    const struct fp_plot_size { uint64_t texts, clusters; } * rows; /* [count] */
    uint64_t clusters, texts;
} fp_plot_sizes;

/* Reads directory/cluster-sizes.tsv. FP_ERROR_EMPTY: there is no cluster. */
fp_status fp_plot_sizes_read(const char *directory, fp_arena *arena, fp_plot_sizes *sizes, fp_error *error);
fp_status fp_plot_sizes_save(const fp_gnuplot *draw, const fp_plot_sizes *sizes, fp_error *error);

#endif
