/* SPDX-License-Identifier: GPL-3.0-or-later
 * The tables of an evaluation. */
#include "reports/tables/results.h"

#include <math.h>

#include "eval/statistics/measure_interval.h"

const char *fp_results_counted(fp_level level) { return level == FP_LEVEL_DOCUMENT ? "documents" : "pairs"; }

double fp_results_prevalence(const fp_outcome *outcome, size_t arm) {
    const fp_curve *curve = outcome->curves + arm;
    return (double)curve->positives / (double)(curve->positives + curve->negatives);
}

static const char *scale_of(const fp_measurement *measurement) { return measurement->arm->instance.layout.scale; }

void fp_results_add_names(fp_table *table, const fp_outcome *outcome, size_t arm, bool scale) {
    fp_table_text(table, outcome->corpus->name);
    fp_table_text(table, fp_results_name(outcome, arm));
    if (scale) fp_table_text(table, scale_of(outcome->measurements + arm));
}

void fp_results_add_counts(fp_table *table, fp_confusion counts) {
    fp_table_count(table, counts.tp);
    fp_table_count(table, counts.fp);
    fp_table_count(table, counts.fn);
    fp_table_count(table, counts.tn);
}

void fp_results_add_chosen(fp_table *table, const fp_chosen_arm *chosen, bool counts) {
    if (counts) fp_results_add_counts(table, chosen->counts);
    FP_TABLE_FIGURE(table, chosen->precision);
    FP_TABLE_FIGURE(table, chosen->recall);
    FP_TABLE_FIGURE(table, chosen->f1);
}

/* ---- Further measures ---- */

bool fp_further_is(const fp_measure *measure, fp_further_kind kind) {
    if (kind == FP_FURTHER_NONE || kind == FP_FURTHER_ALL) return kind == FP_FURTHER_ALL;
    return fp_measure_at_threshold(measure->row) == (kind == FP_FURTHER_AT_THRESHOLD);
}

/* All further measures have estimates. */
static const fp_estimate *find_further(const fp_inference *inference, const fp_measure *measure, size_t arm) {
    size_t position = 0;
    while (!fp_measure_same(&inference->measures[position].measure, measure)) position++;
    return fp_inference_at(inference, position, arm);
}

/* Values of one arm; measures at a threshold take position `threshold` in the list. */
static void add_further(fp_table *table, const fp_results *results, const fp_inference *inference, size_t arm,
                        fp_further_kind kind, size_t threshold) {
    for (size_t i = 0; i < results->inference->further_count; i++) {
        const fp_measure *measure = results->inference->further + i;
        if (fp_further_is(measure, kind)) FP_TABLE_FIGURE(table, find_further(inference, measure, arm)[threshold]);
    }
}

/* ---- At thresholds ---- */

static void add_estimates(fp_table *table, const fp_outcome *outcome, size_t arm, size_t threshold, double h) {
    const fp_inference *inference = outcome->inference;
    fp_results_add_counts(table, fp_confusion_at(&outcome->measurements[arm].histogram, h));
    FP_TABLE_FIGURE(table, fp_inference_of(inference, &fp_measure_precision, arm)[threshold]);
    FP_TABLE_FIGURE(table, fp_inference_of(inference, &fp_measure_recall, arm)[threshold]);
    fp_table_put(table, fp_inference_of(inference, &fp_measure_f1, arm)[threshold].value);
}

/* Bands of precision and recall at a threshold. */
static void add_bands(fp_table *table, const fp_inference *inference, size_t arm, size_t threshold) {
    static const fp_measure_row *const ROWS[] = {&fp_measure_precision, &fp_measure_recall};
    for (size_t i = 0; i < 2; i++) {
        const fp_interval *band = NULL;
        for (size_t k = 0; k < inference->measure_count; k++)
            if (inference->measures[k].measure.row == ROWS[i]) band = fp_inference_band(inference, k, arm);
        FP_TABLE_PUT(table, band ? band[threshold].low : NAN, band ? band[threshold].high : NAN);
    }
}

/* Whether the negatives of any corpus were sampled. */
static bool is_sampled(const fp_results *results) {
    bool sampled = false;
    for (size_t i = 0; i < results->count; i++) sampled |= results->outcomes[i].inference->drawn != NULL;
    return sampled;
}

static const char *columns_of(const fp_schema *of, const fp_results *results, fp_arena *arena) {
    const char *columns = of->columns;
    for (size_t i = 0; i < results->inference->further_count; i++) {
        const fp_measure *measure = results->inference->further + i;
        if (fp_further_is(measure, of->further))
            columns = fp_format(arena, "%s|>%s;l3", columns, fp_measure_name(measure, arena));
    }
    return of->weighted && is_sampled(results) ? fp_format(arena, "%s|>negative_weight;6", columns) : columns;
}

/* Adds the rows of every arm of every corpus. */
static fp_table *add_all(fp_table *table, fp_rows *rows, const fp_results *results, const void *const *found,
                         fp_arena *arena) {
    for (size_t i = 0; i < results->count; i++)
        for (size_t arm = 0; arm < results->outcomes[i].count; arm++)
            rows(table, &(fp_found_arm){results, results->outcomes + i, arm, found ? found[i] : NULL, arena});
    return table;
}

bool fp_results_is_shown(const fp_results *results, size_t position) {
    return !results->last_shown || results->inference->thresholds[position] <= (double)results->last_shown;
}

fp_table *fp_results_rows(const fp_schema *of, const fp_results *results, const void *const *found, fp_arena *arena) {
    return add_all(fp_table_of(columns_of(of, results, arena), arena), of->rows, results, found, arena);
}

void fp_thresholds_rows(fp_table *table, const fp_found_arm *of) {
    const fp_results *results = of->results;
    const fp_inference *inference = of->outcome->inference;
    bool sampled = is_sampled(results);
    for (size_t t = 0; t < results->inference->threshold_count; t++) {
        double h = results->inference->thresholds[t];
        fp_results_add_names(table, of->outcome, of->arm, true);
        fp_table_put(table, h);
        add_estimates(table, of->outcome, of->arm, t, h);
        add_bands(table, inference, of->arm, t);
        add_further(table, results, inference, of->arm, FP_FURTHER_AT_THRESHOLD, t);
        if (sampled) fp_table_put(table, fp_inference_weight(inference, of->arm));
    }
}

/* A figure over the whole range; without an interval if all pairs of groups are counted. */
static void add_whole(fp_table *table, const fp_outcome *outcome, size_t arm, size_t member,
                      const fp_measure_row *measure) {
    const fp_estimate *estimate = fp_inference_of(outcome->inference, measure, arm);
    fp_table_put_figure(table, fp_seeds_curve_mean(outcome, arm, member),
                        estimate ? estimate->interval : (fp_interval){NAN, NAN});
}

static int threshold_digits(const fp_outcome *outcome, size_t arm) {
    return fp_arm_layout(outcome->measurements[arm].arm)->integral ? 0 : 2;
}

/* `whole`: with the columns that no terminal shows. */
static void add_summary(fp_table *table, const fp_found_arm *of, bool whole) {
    const fp_outcome *outcome = of->outcome;
    const fp_measurement *measurement = outcome->measurements + of->arm;
    const fp_curve *curve = outcome->curves + of->arm;
    fp_results_add_names(table, outcome, of->arm, true);
    FP_TABLE_PUT(table, (double)(curve->positives + curve->negatives), (double)curve->positives);
    add_whole(table, outcome, of->arm, offsetof(fp_curve, average_precision), &fp_measure_average_precision);
    add_whole(table, outcome, of->arm, offsetof(fp_curve, roc_area), &fp_measure_roc_area);
    add_whole(table, outcome, of->arm, offsetof(fp_curve, best_f1), &fp_measure_best_f1);
    if (whole) fp_table_real(table, curve->best_threshold, threshold_digits(outcome, of->arm));
    fp_table_put(table, measurement->bytes_per_document);
    fp_table_put_figure(table, measurement->sketch_seconds,
                        fp_measurement_sketch_interval(measurement, of->results->confidence));
    fp_table_put(table, measurement->distance_seconds);
    if (!whole) return;
    const fp_bound *bound = outcome->bounds ? outcome->bounds + of->arm : NULL;
    FP_TABLE_PUT(table, bound ? bound->average_precision : NAN, bound ? bound->best_f1 : NAN);
    add_further(table, of->results, outcome->inference, of->arm, FP_FURTHER_OVER_RANGE, 0);
}

void fp_summary_rows(fp_table *table, const fp_found_arm *of) { add_summary(table, of, true); }

static void add_short(fp_table *table, const fp_found_arm *of) { add_summary(table, of, false); }

fp_table *fp_results_summary_short(const fp_results *results, fp_arena *arena) {
    const char *columns = fp_format(arena,
                                    "corpus|arm|scale|>%s;e|>positives;e|>average precision;3|>ROC area;3|>best F1;3|"
                                    ">bytes each;1|>sketch s;3|>distance s;3",
                                    fp_results_counted(results->level));
    return add_all(fp_table_of(columns, arena), add_short, results, NULL, arena);
}

/* ---- Readable tables ---- */

/* The measure at the arm's best F1; NULL: not estimated, because that threshold is not listed. */
static const fp_estimate *at_best(const fp_results *results, const fp_chosen_arm *best, const fp_measure_row *measure,
                                  const fp_estimate *listed) {
    const fp_inference_options *options = results->inference;
    if (!best) return NULL;
    if (measure == &fp_measure_precision) return &best->precision;
    if (measure == &fp_measure_recall) return &best->recall;
    if (measure == &fp_measure_f1) return &best->f1;
    size_t at = fp_threshold_position(options->thresholds, options->threshold_count, best->threshold);
    return at < options->threshold_count ? listed + at : NULL;
}

static double row_of(const fp_estimate *estimate, size_t row) {
    return row == 0 ? estimate->value : row == 1 ? estimate->interval.low : estimate->interval.high;
}

/* One arm: the measure at the first `shown` thresholds and at its best, then the limits of its intervals. */
static void add_grid_rows(fp_table *table, const fp_results *results, const fp_outcome *outcome, size_t arm,
                          size_t position, size_t shown, const fp_chosen_arm *best) {
    static const char *const HEADS[] = {NULL, "  from", "  to"};
    const fp_inference *inference = outcome->inference;
    const fp_measurement *measurement = outcome->measurements + arm;
    const fp_estimate *estimates = fp_inference_at(inference, position, arm),
                      *there = at_best(results, best, inference->measures[position].measure.row, estimates);
    for (size_t row = 0; row < sizeof HEADS / sizeof *HEADS; row++) {
        fp_table_text(table, HEADS[row] ? HEADS[row] : fp_arm_name(measurement->arm));
        fp_table_text(table, HEADS[row] ? "" : scale_of(measurement));
        for (size_t t = 0; t < shown; t++) fp_table_real(table, row_of(estimates + t, row), 3);
        if (row == 0 && best) fp_table_real(table, best->threshold, threshold_digits(outcome, arm));
        else fp_table_text(table, row ? "" : "NA");
        if (there) fp_table_real(table, row_of(there, row), 3);
        else fp_table_text(table, "");
    }
}

fp_table *fp_results_grid(const fp_results *results, const fp_chosen_outcome *best, size_t position, fp_arena *arena) {
    const fp_outcome *outcome = best->outcome;
    const char *label = fp_measure_label(&outcome->inference->measures[position].measure, arena);
    const char *columns = fp_format(arena, "%s at threshold|scale", label);
    size_t shown = 0;
    while (shown < outcome->inference->threshold_count && fp_results_is_shown(results, shown)) shown++;
    for (size_t t = 0; t < shown; t++)
        columns = fp_format(arena, "%s|>%lld", columns, (long long)results->first_threshold + (long long)t);
    fp_table *table = fp_table_new(fp_format(arena, "%s|>best F1 at|>there", columns), arena);
    for (size_t arm = 0, k = 0; arm < outcome->count; arm++) {
        bool has_best = k < best->count && best->arms[k].arm == arm;
        add_grid_rows(table, results, outcome, arm, position, shown, has_best ? best->arms + k++ : NULL);
    }
    return table;
}

fp_table *fp_results_further(const fp_results *results, const fp_outcome *outcome, fp_arena *arena) {
    const fp_inference_options *options = results->inference;
    const char *columns = "arm";
    for (size_t i = 0; i < options->further_count; i++) {
        if (!fp_further_is(options->further + i, FP_FURTHER_OVER_RANGE)) continue;
        columns = fp_format(arena, "%s|>%s;3", columns, fp_measure_label(options->further + i, arena));
    }
    fp_table *table = fp_table_of(columns, arena);
    for (size_t arm = 0; arm < outcome->count; arm++) {
        fp_table_text(table, fp_results_name(outcome, arm));
        add_further(table, results, outcome->inference, arm, FP_FURTHER_OVER_RANGE, 0);
    }
    return table;
}
