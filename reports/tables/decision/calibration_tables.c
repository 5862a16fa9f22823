/* SPDX-License-Identifier: GPL-3.0-or-later
 * Probabilities of distances as tables. */
#include "reports/tables/decision/calibration_tables.h"

static const fp_arm *arm_of(const fp_calibration_outcome *of, size_t arm) { return of->outcome->measurements[arm].arm; }

/* ---- Files ---- */

static void add_calibrated(fp_table *table, const fp_calibrated *at) {
    fp_table_exact(table, at->distance);
    fp_table_figure(table, at->probability, at->interval, 4);
    if (!at->pool) {
        for (int i = 0; i < 4; i++) fp_table_undefined(table);
        return;
    }
    fp_table_exact(table, at->pool->from);
    fp_table_exact(table, at->pool->to);
    uint64_t duplicates = at->pool->positives / 2; /* without the half that guards */
    fp_table_count(table, duplicates + at->pool->negatives / 2);
    fp_table_count(table, duplicates);
}

fp_table *fp_calibration_table(const fp_calibration_outcome *outcomes, size_t count, fp_arena *arena) {
    fp_table *table = fp_table_new(
        "corpus|arm|scale|>prevalence|>distance|>probability|>probability_low|>probability_high|>pool_from|>pool_to|"
        ">pool_pairs|>pool_duplicates",
        arena);
    for (size_t i = 0; table && i < count; i++) {
        for (size_t arm = 0; arm < outcomes[i].outcome->count; arm++) {
            for (size_t row = 0; row < outcomes[i].arms[arm].count; row++) {
                fp_results_add_names(table, outcomes[i].outcome, arm, true);
                fp_table_exact(table, outcomes[i].prevalence);
                add_calibrated(table, outcomes[i].arms[arm].at + row);
            }
        }
    }
    return table;
}

static void add_bin(fp_table *table, const fp_reliability_bin *bin) {
    fp_table_count(table, bin->positives + bin->negatives);
    fp_table_count(table, bin->positives);
    fp_table_real(table, bin->predicted, 4);
    fp_table_figure(table, bin->observed, bin->interval, 4);
}

fp_table *fp_reliability_table(const fp_calibration_outcome *outcomes, size_t count, fp_arena *arena) {
    fp_table *table = fp_table_new(
        "corpus|arm|>prevalence|>bin|>pairs|>duplicates|>predicted|>observed|>observed_low|>observed_high", arena);
    for (size_t i = 0; table && i < count; i++) {
        for (size_t arm = 0; arm < outcomes[i].outcome->count; arm++) {
            const fp_reliability *of = &outcomes[i].arms[arm].reliability;
            for (size_t bin = 0; bin < of->bin_count; bin++) {
                fp_results_add_names(table, outcomes[i].outcome, arm, false);
                fp_table_exact(table, outcomes[i].prevalence);
                fp_table_count(table, bin + 1);
                add_bin(table, of->bins + bin);
            }
        }
    }
    return table;
}

fp_table *fp_calibration_scores(const fp_calibration_outcome *outcomes, size_t count, fp_arena *arena) {
    fp_table *table = fp_table_new(
        "corpus|arm|>prevalence|>brier|>miscalibration|>discrimination|>uncertainty|>calibration_error", arena);
    for (size_t i = 0; table && i < count; i++) {
        for (size_t arm = 0; arm < outcomes[i].outcome->count; arm++) {
            const fp_reliability *of = &outcomes[i].arms[arm].reliability;
            if (of->bin_count == 0) continue;
            fp_results_add_names(table, outcomes[i].outcome, arm, false);
            fp_table_real(table, outcomes[i].prevalence, 4);
            fp_table_real(table, of->brier, 5);
            fp_table_real(table, of->miscalibration, 5);
            fp_table_real(table, of->discrimination, 5);
            fp_table_real(table, of->uncertainty, 5);
            fp_table_real(table, of->calibration_error, 5);
        }
    }
    return table;
}

/* ---- For a person ---- */

static const fp_calibrated *find(const fp_calibration_arm *arm, double distance) {
    for (size_t i = 0; i < arm->count; i++)
        if (arm->at[i].distance == distance) return arm->at + i;
    return NULL;
}

static const char *text_of(const fp_calibrated *at, bool limits, fp_arena *arena) {
    if (!at) return limits ? "" : "NA";
    if (!limits) return fp_format(arena, "%s%.3g", at->pool ? "" : "~", at->probability);
    return fp_format(arena, "(%.2g–%.2g)", at->interval.low, at->interval.high);
}

fp_table *fp_calibration_short(const fp_results *results, const fp_calibration_outcome *of, fp_arena *arena) {
    const char *columns = "probability at distance|scale";
    for (int64_t h = results->first_threshold; columns && h <= results->last_threshold; h++)
        columns = fp_format(arena, "%s|>%lld", columns, (long long)h);
    fp_table *table = columns ? fp_table_new(columns, arena) : NULL;
    for (size_t row = 0; table && row < 2 * of->outcome->count; row++) {
        size_t arm = row / 2;
        bool limits = row % 2;
        fp_table_text(table, limits ? "" : fp_arm_name(arm_of(of, arm)));
        fp_table_text(table, limits ? "" : fp_arm_layout(arm_of(of, arm))->scale);
        for (int64_t h = results->first_threshold; h <= results->last_threshold; h++)
            fp_table_text(table, text_of(find(of->arms + arm, (double)h), limits, arena));
    }
    return table;
}

bool fp_calibration_interpolated(const fp_results *results, const fp_calibration_outcome *of) {
    for (size_t arm = 0; arm < of->outcome->count; arm++)
        for (int64_t h = results->first_threshold; h <= results->last_threshold; h++) {
            const fp_calibrated *at = find(of->arms + arm, (double)h);
            if (at && !at->pool) return true;
        }
    return false;
}
