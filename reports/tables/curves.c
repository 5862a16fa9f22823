/* SPDX-License-Identifier: GPL-3.0-or-later
 * Curves and histograms of each arm under its own hash seed, and the sources of variance. */
#include <math.h>

#include "reports/tables/results.h"

/* ---- Rows, and thinning of curves ---- */

typedef struct curve_row {
    double distance, precision, recall, called; /* called: share of the negatives */
} curve_row;

static bool differs(double a, double b) {
    return isnan(a) || isnan(b) ? isnan(a) != isnan(b) : fabs(a - b) >= FP_CURVE_CLOSENESS;
}

/* Whether the row at `distance` is the last at or below a wanted distance: all whole ones, and `best` unless NaN. The
 * next row is at `next`. summary.tsv has the best threshold with 12 digits. */
static bool is_asked(double best, double distance, double next) {
    best *= 1 + 1e-11;
    return ceil(distance) < next || (distance <= best && best < next);
}

static curve_row row_at(const fp_curve *curve, size_t i) {
    fp_confusion c = curve->points[i].confusion;
    return (curve_row){curve->points[i].distance, fp_precision(c), fp_recall(c), 1 - fp_specificity(c)};
}

/* All rows; of a long curve the first, the last, and those whose omission would change the figure. */
void fp_curve_rows(fp_table *table, const fp_found_arm *of) {
    const fp_curve *curve = of->outcome->curves + of->arm;
    bool whole = curve->count <= FP_CURVE_WHOLE || of->results->whole_curves;
    curve_row kept = {0};
    for (size_t i = 0; i < curve->count; i++) {
        curve_row row = row_at(curve, i);
        bool end = i == 0 || i + 1 == curve->count;
        if (!whole && !end && !differs(row.precision, kept.precision) && !differs(row.recall, kept.recall) &&
            !differs(row.called, kept.called) &&
            !is_asked(curve->best_threshold, row.distance, curve->points[i + 1].distance))
            continue;
        kept = row;
        fp_results_add_names(table, of->outcome, of->arm, false);
        FP_TABLE_PUT(table, row.distance, row.precision, row.recall);
    }
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

/* Whole distances up to 64 get a bin each. Larger and real scales share 64 equal bins, and the largest distance has its
 * own bin. */
void fp_histogram_rows(fp_table *table, const fp_found_arm *of) {
    const fp_measurement *measurement = of->outcome->measurements + of->arm;
    const fp_layout *layout = fp_arm_layout(measurement->arm);
    double width = fmax(1, layout->maximum / (MOST_BINS - 1));
    if (!layout->integral && layout->maximum < MOST_BINS - 1) width = layout->maximum / (MOST_BINS - 1);
    size_t bins = (size_t)floor(layout->maximum / width) + 1;
    uint64_t positives[MOST_BINS] = {0}, negatives[MOST_BINS] = {0};
    fill_bins(&measurement->histogram, width, bins, positives, negatives);
    for (size_t bin = 0; bin < bins; bin++) {
        fp_results_add_names(table, of->outcome, of->arm, true);
        FP_TABLE_PUT(table, (double)bin * width, (double)(bin + 1) * width, (double)positives[bin],
                     (double)negatives[bin]);
    }
}

/* ---- Shares of the sources of variance ---- */

bool fp_sources_any(const fp_results *results) {
    for (size_t i = 0; i < results->count; i++)
        if (results->outcomes[i].lane_count > results->outcomes[i].count) return true;
    return false;
}

static bool is_seeded(const fp_outcome *outcome, size_t arm) { return fp_seed_count(outcome->further, arm) > 1; }

/* A value with both parts of its variance. */
typedef struct figure {
    double value, error;
    fp_seed_spread seeds;
} figure;
#define FIGURE(of) ((figure){(of)->value, (of)->error, (of)->seeds}) /* of an estimate, or a difference */

static double hash_share(const figure *of) { return fp_seed_share(&of->seeds, of->error * of->error); }

/* ---- The file ---- */

/* A row of one arm, or of a difference if `other` is not NULL. */
static void add_source(fp_table *table, const fp_outcome *outcome, size_t arm, const char *other, const char *measure,
                       double threshold, figure shown) {
    fp_results_add_names(table, outcome, arm, false);
    if (other) fp_table_text(table, other);
    else fp_table_undefined(table);
    fp_table_text(table, measure);
    FP_TABLE_PUT(table, threshold, (double)shown.seeds.count, shown.value, shown.seeds.deviation, shown.error,
                 1 - hash_share(&shown), hash_share(&shown));
}

static void add_measure(fp_table *table, const fp_outcome *outcome, size_t position, fp_arena *arena) {
    const fp_inference *inference = outcome->inference;
    const fp_measure *measure = &inference->measures[position].measure;
    const char *name = fp_measure_name(measure, arena);
    for (size_t arm = 0; !fp_measure_at_threshold(measure->row) && arm < outcome->count; arm++)
        if (is_seeded(outcome, arm))
            add_source(table, outcome, arm, NULL, name, NAN, FIGURE(fp_inference_at(inference, position, arm)));
}

static bool is_between(const fp_outcome *outcome, const fp_comparison *pair) {
    return is_seeded(outcome, pair->first) || is_seeded(outcome, pair->second);
}

static void add_differences(fp_table *table, const fp_results *results, const fp_outcome *outcome, fp_arena *arena) {
    fp_measure compared = fp_inference_compared(results->inference);
    const char *name = fp_measure_name(&compared, arena);
    for (size_t c = 0; c < outcome->inference->comparison_count; c++) {
        const fp_comparison *pair = outcome->inference->comparisons + c;
        if (is_between(outcome, pair))
            add_source(table, outcome, pair->first, fp_results_name(outcome, pair->second), name,
                       fp_results_compared_at(results), FIGURE(&pair->difference));
    }
}

fp_table *fp_sources_table(const fp_results *results, fp_arena *arena) {
    fp_table *table = fp_table_for(FP_FILE_SOURCES, arena);
    for (size_t i = 0; i < results->count; i++) {
        const fp_outcome *outcome = results->outcomes + i;
        for (size_t k = 0; k < outcome->inference->measure_count; k++) add_measure(table, outcome, k, arena);
        add_differences(table, results, outcome, arena);
    }
    return table;
}

/* ---- Readable table ---- */

static void add_percent(fp_table *table, double share, fp_arena *arena) {
    if (isnan(share)) fp_table_undefined(table);
    else fp_table_text(table, fp_format(arena, "%.0f%%", 100 * share));
}

static void add_short(fp_table *table, const char *name, figure shown, fp_arena *arena) {
    fp_table_text(table, name);
    FP_TABLE_PUT(table, shown.value, shown.seeds.deviation, shown.error);
    add_percent(table, 1 - hash_share(&shown), arena);
    add_percent(table, hash_share(&shown), arena);
}

/* The estimate by which arms are compared; NULL: not among the measures, or of a measure at a threshold. */
static const fp_estimate *find_compared(const fp_results *results, const fp_outcome *outcome, size_t arm) {
    fp_measure compared = fp_inference_compared(results->inference);
    for (size_t k = 0; k < outcome->inference->measure_count && !fp_measure_at_threshold(compared.row); k++)
        if (fp_measure_same(&outcome->inference->measures[k].measure, &compared))
            return fp_inference_at(outcome->inference, k, arm);
    return NULL;
}

fp_table *fp_sources_short(const fp_results *results, const fp_outcome *outcome, fp_arena *arena) {
    fp_measure compared = fp_inference_compared(results->inference);
    const char *label = fp_measure_label(&compared, arena);
    const char *columns = fp_format(arena, "arm|>%s;3|>one seed ±;3|>standard error;3|>documents|>hash seed", label);
    fp_table *table = fp_table_of(columns, arena);
    for (size_t arm = 0; arm < outcome->count; arm++) {
        const fp_estimate *estimate = is_seeded(outcome, arm) ? find_compared(results, outcome, arm) : NULL;
        if (estimate) add_short(table, fp_results_name(outcome, arm), FIGURE(estimate), arena);
    }
    for (size_t c = 0; c < outcome->inference->comparison_count; c++) {
        const fp_comparison *pair = outcome->inference->comparisons + c;
        if (!is_between(outcome, pair)) continue;
        const char *name =
            fp_format(arena, "%s – %s", fp_results_name(outcome, pair->first), fp_results_name(outcome, pair->second));
        add_short(table, name, FIGURE(&pair->difference), arena);
    }
    return table;
}
