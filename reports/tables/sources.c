/* SPDX-License-Identifier: GPL-3.0-or-later
 * Shares of the sources of chance. */
#include "reports/tables/results.h"

#include <math.h>

#include "eval/evaluation/outcome.h"

bool fp_sources_any(const fp_results *results) {
    for (size_t i = 0; i < results->count; i++)
        if (results->outcomes[i].lane_count > results->outcomes[i].count) return true;
    return false;
}

static const char *name_of(const fp_outcome *outcome, size_t arm) {
    return fp_arm_name(outcome->measurements[arm].arm);
}

static bool is_seeded(const fp_outcome *outcome, size_t arm) { return fp_seeds_count(outcome, arm) > 1; }

/* A figure with both parts of its variance. */
typedef struct figure {
    double value, error;
    fp_seed_spread seeds;
} figure;

static figure figure_of(const fp_estimate *estimate) {
    return (figure){estimate->value, estimate->error, estimate->seeds};
}

static figure figure_between(const fp_difference *difference) {
    return (figure){difference->value, difference->error, difference->seeds};
}

static double hash_share(const figure *of) { return fp_seed_share(&of->seeds, of->error * of->error); }

/* ---- The file ---- */

typedef struct row {
    const fp_outcome *outcome;
    const char *arm, *other; /* NULL: of one arm */
    const char *measure;
    double threshold;
} row;

static void add_row(fp_table *table, row of, figure told) {
    fp_table_text(table, of.outcome->corpus->name);
    fp_table_text(table, of.arm);
    if (of.other) fp_table_text(table, of.other);
    else fp_table_undefined(table);
    fp_table_text(table, of.measure);
    fp_table_real(table, of.threshold, 0);
    fp_table_count(table, told.seeds.count);
    fp_table_real(table, told.value, 3);
    fp_table_real(table, told.seeds.deviation, 3);
    fp_table_real(table, told.error, 3);
    fp_table_real(table, 1 - hash_share(&told), 3);
    fp_table_real(table, hash_share(&told), 3);
}

static bool add_measure(fp_table *table, const fp_results *results, const fp_outcome *outcome, size_t position,
                        fp_arena *arena) {
    const fp_inference *inference = outcome->inference;
    const fp_measure *measure = &inference->measures[position].measure;
    const char *name = fp_measure_name(measure, arena);
    bool at_threshold = fp_measure_at_threshold(measure->row);
    for (size_t arm = 0; name && arm < outcome->count; arm++) {
        const fp_estimate *estimates = fp_inference_at(inference, position, arm);
        for (size_t t = 0; is_seeded(outcome, arm) && t < (at_threshold ? inference->threshold_count : 1); t++) {
            double h = at_threshold ? (double)(results->first_threshold + (int64_t)t) : NAN;
            add_row(table, (row){outcome, name_of(outcome, arm), NULL, name, h}, figure_of(estimates + t));
        }
    }
    return name != NULL;
}

static double compared_threshold(const fp_results *results) {
    fp_measure compared = fp_inference_compared(results->inference);
    return fp_measure_at_threshold(compared.row) ? results->inference->thresholds[compared.threshold] : NAN;
}

static bool is_between(const fp_outcome *outcome, const fp_comparison *pair) {
    return is_seeded(outcome, pair->first) || is_seeded(outcome, pair->second);
}

static bool add_differences(fp_table *table, const fp_results *results, const fp_outcome *outcome, fp_arena *arena) {
    fp_measure compared = fp_inference_compared(results->inference);
    const char *name = fp_measure_name(&compared, arena);
    for (size_t c = 0; name && c < outcome->inference->comparison_count; c++) {
        const fp_comparison *pair = outcome->inference->comparisons + c;
        if (is_between(outcome, pair))
            add_row(table,
                    (row){outcome, name_of(outcome, pair->first), name_of(outcome, pair->second), name,
                          compared_threshold(results)},
                    figure_between(&pair->difference));
    }
    return name != NULL;
}

fp_table *fp_sources_table(const fp_results *results, fp_arena *arena) {
    fp_table *table = fp_table_new(
        "corpus|arm|arm_b|figure|>threshold|>seeds|>value|>seed_deviation|>standard_error|>documents|>hash", arena);
    for (size_t i = 0; table && i < results->count; i++) {
        const fp_outcome *outcome = results->outcomes + i;
        for (size_t k = 0; k < outcome->inference->measure_count; k++)
            if (!add_measure(table, results, outcome, k, arena)) return NULL;
        if (!add_differences(table, results, outcome, arena)) return NULL;
    }
    return table;
}

/* ---- For a person ---- */

static void add_percent(fp_table *table, double share, fp_arena *arena) {
    if (isnan(share)) fp_table_undefined(table);
    else fp_table_text(table, fp_format(arena, "%.0f%%", 100 * share));
}

static void add_short(fp_table *table, const char *name, figure told, fp_arena *arena) {
    fp_table_text(table, name);
    fp_table_real(table, told.value, 3);
    fp_table_real(table, told.seeds.deviation, 3);
    fp_table_real(table, told.error, 3);
    add_percent(table, 1 - hash_share(&told), arena);
    add_percent(table, hash_share(&told), arena);
}

/* The estimate that arms are compared by; NULL where it is not among the measures. */
static const fp_estimate *find_compared(const fp_results *results, const fp_outcome *outcome, size_t arm) {
    fp_measure compared = fp_inference_compared(results->inference);
    for (size_t k = 0; k < outcome->inference->measure_count; k++)
        if (fp_measure_same(&outcome->inference->measures[k].measure, &compared))
            return fp_inference_at(outcome->inference, k, arm) +
                   (fp_measure_at_threshold(compared.row) ? compared.threshold : 0);
    return NULL;
}

fp_table *fp_sources_short(const fp_results *results, const fp_outcome *outcome, fp_arena *arena) {
    fp_measure compared = fp_inference_compared(results->inference);
    const char *label = fp_measure_label(&compared, arena);
    const char *columns =
        label ? fp_format(arena, "arm|>%s|>one draw ±|>standard error|>documents|>hash draw", label) : NULL;
    fp_table *table = columns ? fp_table_new(columns, arena) : NULL;
    for (size_t arm = 0; table && arm < outcome->count; arm++) {
        const fp_estimate *estimate = is_seeded(outcome, arm) ? find_compared(results, outcome, arm) : NULL;
        if (estimate) add_short(table, name_of(outcome, arm), figure_of(estimate), arena);
    }
    for (size_t c = 0; table && c < outcome->inference->comparison_count; c++) {
        const fp_comparison *pair = outcome->inference->comparisons + c;
        if (!is_between(outcome, pair)) continue;
        const char *name = fp_format(arena, "%s – %s", name_of(outcome, pair->first), name_of(outcome, pair->second));
        if (!name) return NULL;
        add_short(table, name, figure_between(&pair->difference), arena);
    }
    return table;
}
