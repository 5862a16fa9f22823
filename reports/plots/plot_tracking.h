/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plot_tracking.h - what `fplab track` and `fplab cluster` found, as pictures: texts and duplicates by time and by
 * source, and how many clusters there are of each size.
 */
#ifndef FP_PLOT_TRACKING_H
#define FP_PLOT_TRACKING_H

#include "reports/plots/gnuplot.h"

typedef struct fp_plot_bar {
    fp_string name; /* a span of time, or a source; "": texts without a source */
    uint64_t texts, duplicates;
    uint64_t from_others, taken_up; /* sources */
} fp_plot_bar;

/* Spans of time between the first text and the last, those without texts too. They are days, or as long as it takes for
 * their number to be at most FP_PLOT_MOST_SPANS where whole centuries can do that: a week begins on Monday. */
enum { FP_PLOT_MOST_SPANS = 120 };
typedef struct fp_plot_days {
    const char *unit; /* "day", "week", "month", "year", "decade", "century" */
    size_t count;
    const fp_plot_bar *spans; /* [count] */
    uint64_t timeless;        /* texts without a time */
} fp_plot_days;

/* Reads directory/days.tsv. Errors name file and line: FP_ERROR_IO, FP_ERROR_SYNTAX (a column is missing, or holds no
 * day or no count), FP_ERROR_EMPTY: no text has a time. */
fp_status fp_plot_days_read(const char *directory, fp_arena *arena, fp_plot_days *days, fp_error *error);
/* Writes draw->arms, what the script days.gp is told. */
fp_status fp_plot_days_save(const fp_gnuplot *draw, const fp_plot_days *days, fp_error *error);

/* The largest sources. */
enum { FP_PLOT_MOST_SOURCES = 20 };
typedef struct fp_plot_sources {
    size_t count, all; /* shown, and in the table */
    const fp_plot_bar *shown;
    uint64_t texts; /* of all */
} fp_plot_sources;

/* Reads directory/sources.tsv, as fp_plot_days_read. FP_ERROR_EMPTY: no text has a source. */
fp_status fp_plot_sources_read(const char *directory, fp_arena *arena, fp_plot_sources *sources, fp_error *error);
fp_status fp_plot_sources_save(const fp_gnuplot *draw, const fp_plot_sources *sources, fp_error *error);

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
