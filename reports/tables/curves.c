/* SPDX-License-Identifier: GPL-3.0-or-later
 * Curves and histograms: means over the seeds of an arm's hash, distance by distance. */
#include <math.h>

#include "eval/evaluation/outcome.h"
#include "reports/tables/results.h"

/* ---- Curves ---- */

/* The curves of an arm, side by side; the counts of each are those of its last point so far. */
typedef struct walk {
    size_t seeds;
    const fp_curve **curves; /* [seeds] */
    size_t *next;            /* [seeds] */
    fp_confusion *counts;    /* [seeds] */
} walk;

static bool open_walk(const fp_outcome *outcome, size_t arm, fp_arena *arena, walk *on) {
    size_t seeds = fp_seeds_count(outcome, arm);
    *on = (walk){.seeds = seeds,
                 .curves = fp_arena_raw(arena, seeds, sizeof *on->curves),
                 .next = fp_arena_alloc(arena, seeds, sizeof *on->next),
                 .counts = fp_arena_raw(arena, seeds, sizeof *on->counts)};
    if (!on->curves || !on->next || !on->counts) return false;
    for (size_t k = 0; k < seeds; k++) {
        on->curves[k] = outcome->curves + fp_seeds_lane(outcome, arm, k);
        on->counts[k] = (fp_confusion){.fn = on->curves[k]->positives, .tn = on->curves[k]->negatives};
    }
    return true;
}

/* Moves to the next distance that any of them has; NaN behind the last. */
static double step(walk *on) {
    double distance = NAN;
    for (size_t k = 0; k < on->seeds; k++)
        if (on->next[k] < on->curves[k]->count) distance = fmin(distance, on->curves[k]->points[on->next[k]].distance);
    for (size_t k = 0; k < on->seeds; k++) {
        const fp_curve *curve = on->curves[k];
        if (on->next[k] < curve->count && curve->points[on->next[k]].distance == distance)
            on->counts[k] = curve->points[on->next[k]++].confusion;
    }
    return distance;
}

/* Over the seeds under which it is defined. */
static double mean_of(const walk *on, double (*measure)(fp_confusion c)) {
    double sum = 0;
    size_t defined = 0;
    for (size_t k = 0; k < on->seeds; k++) {
        double value = measure(on->counts[k]);
        if (isnan(value)) continue;
        sum += value;
        defined++;
    }
    return defined ? sum / (double)defined : NAN;
}

/* ---- Rows, and which of them a curve can do without ---- */

typedef struct curve_row {
    double distance, precision, recall, called; /* called: the share of the negatives */
} curve_row;

static double share_called(fp_confusion c) { return 1 - fp_specificity(c); }

/* What is kept of a long curve. */
typedef struct thinning {
    bool whole;
    double best; /* a distance that is asked for, beside all whole ones; NaN: none */
    curve_row kept, last;
    bool any; /* a row was there */
} thinning;

static bool differs(double a, double b) {
    return isnan(a) || isnan(b) ? isnan(a) != isnan(b) : fabs(a - b) >= FP_CURVE_CLOSENESS;
}

/* Whether this is the last row at or below a distance that is asked for, the next being at `next`. The best threshold
 * is asked for with 12 digits. */
static bool is_asked(const thinning *by, double distance, double next) {
    double best = by->best * (1 + 1e-11);
    return ceil(distance) < next || (distance <= best && best < next);
}

static bool is_kept(const thinning *by, double next) {
    const curve_row *row = &by->last, *kept = &by->kept;
    return by->whole || differs(row->precision, kept->precision) || differs(row->recall, kept->recall) ||
           differs(row->called, kept->called) || is_asked(by, row->distance, next);
}

static void add_row(const fp_outcome *outcome, size_t arm, const curve_row *row, fp_table *table) {
    fp_results_add_names(table, outcome, arm, false);
    fp_table_exact(table, row->distance);
    fp_table_real(table, row->precision, 4);
    fp_table_real(table, row->recall, 4);
}

/* The row that was last is added where it is kept; then `row` is the last. */
static void visit(const fp_outcome *outcome, size_t arm, thinning *by, const curve_row *row, fp_table *table) {
    if (by->any && is_kept(by, row->distance)) {
        add_row(outcome, arm, &by->last, table);
        by->kept = by->last;
    }
    if (!by->any) by->kept = (curve_row){NAN, NAN, -1, NAN}; /* the first row differs from it */
    by->any = true;
    by->last = *row;
}

/* How many distances a curve has. */
static size_t count_rows(const fp_outcome *outcome, size_t arm, fp_arena *arena, bool *open) {
    walk on;
    size_t rows = 0;
    *open = open_walk(outcome, arm, arena, &on);
    while (*open && !isnan(step(&on))) rows++;
    return rows;
}

static bool add_curve(const fp_results *results, const fp_outcome *outcome, size_t arm, fp_arena *arena,
                      fp_table *table) {
    walk on;
    bool open;
    thinning by = {.whole = count_rows(outcome, arm, arena, &open) <= FP_CURVE_WHOLE || results->whole_curves,
                   .best = fp_seeds_curve_mean(outcome, arm, offsetof(fp_curve, best_threshold))};
    if (!open || !open_walk(outcome, arm, arena, &on)) return false;
    for (double distance; !isnan(distance = step(&on));) {
        curve_row row = {distance, mean_of(&on, fp_precision), mean_of(&on, fp_recall), mean_of(&on, share_called)};
        visit(outcome, arm, &by, &row, table);
    }
    if (by.any) add_row(outcome, arm, &by.last, table);
    return true;
}

const char *fp_results_curves_describe(const fp_results *results, fp_arena *arena) {
    if (results->whole_curves) return "a row for every distance";
    return fp_format(arena,
                     "a row for every distance; where these are more than %d, the first and the last, the last at or "
                     "below every whole distance and the threshold of the best F1, and every other whose precision, "
                     "recall or share of negatives called differs by %g or more from that of the row before it in the "
                     "table",
                     FP_CURVE_WHOLE, FP_CURVE_CLOSENESS);
}

fp_table *fp_results_curves(const fp_results *results, fp_arena *arena) {
    fp_table *table = fp_table_new("corpus|arm|>distance|>precision|>recall", arena);
    for (size_t i = 0; table && i < results->count; i++)
        for (size_t arm = 0; arm < results->outcomes[i].count; arm++)
            if (!add_curve(results, results->outcomes + i, arm, arena, table)) return NULL;
    return table;
}

/* ---- Histograms in at most 65 bins ---- */

enum { MOST_BINS = 65 };

static void fill_bins(const fp_histogram *histogram, double width, size_t bins, uint64_t *positives,
                      uint64_t *negatives) {
    for (size_t i = 0; i < histogram->count; i++) {
        const fp_bar *bar = histogram->bars + i;
        size_t bin = (size_t)floor(bar->distance / width);
        if (bin >= bins) bin = bins - 1;
        positives[bin] += bar->positives;
        negatives[bin] += bar->negatives;
    }
}

/* Sums over the seeds are whole, their means need not be. */
static void add_mean(fp_table *table, uint64_t sum, size_t seeds) {
    if (seeds == 1) fp_table_count(table, sum);
    else fp_table_real(table, (double)sum / (double)seeds, 1);
}

/* Whole distances up to 64 get a bin each; larger and real scales share 64 equal bins, and the largest distance one of
 * its own. */
static void add_histogram(const fp_outcome *outcome, size_t arm, fp_table *table) {
    const fp_layout *layout = fp_arm_layout(outcome->measurements[arm].arm);
    size_t seeds = fp_seeds_count(outcome, arm);
    double width = fmax(1, layout->maximum / (MOST_BINS - 1));
    if (!layout->integral && layout->maximum < MOST_BINS - 1) width = layout->maximum / (MOST_BINS - 1);
    size_t bins = (size_t)floor(layout->maximum / width) + 1;
    uint64_t positives[MOST_BINS] = {0}, negatives[MOST_BINS] = {0};
    for (size_t k = 0; k < seeds; k++)
        fill_bins(&outcome->measurements[fp_seeds_lane(outcome, arm, k)].histogram, width, bins, positives, negatives);
    for (size_t bin = 0; bin < bins; bin++) {
        fp_results_add_names(table, outcome, arm, true);
        fp_table_real(table, (double)bin * width, 2);
        fp_table_real(table, (double)(bin + 1) * width, 2);
        add_mean(table, positives[bin], seeds);
        add_mean(table, negatives[bin], seeds);
    }
}

fp_table *fp_results_histograms(const fp_results *results, fp_arena *arena) {
    fp_table *table = fp_table_new("corpus|arm|scale|>low|>high|>positives|>negatives", arena);
    for (size_t i = 0; table && i < results->count; i++)
        for (size_t arm = 0; arm < results->outcomes[i].count; arm++) add_histogram(results->outcomes + i, arm, table);
    return table;
}
