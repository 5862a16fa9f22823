/* SPDX-License-Identifier: GPL-3.0-or-later
 * Laws beside measurements: tables. */
#include "reports/tables/theory_tables.h"

#include <math.h>

#include "eval/outcome/seeds.h"

/* ---- Rows, arm by arm ---- */

typedef void (*add_arm)(fp_table *table, const fp_results *results, const fp_theory_outcome *of, size_t arm);

static fp_table *for_all(const char *columns, const fp_results *results, const fp_theory_outcome *theories,
                         fp_arena *arena, add_arm add) {
    fp_table *table = fp_table_new(columns, arena);
    for (size_t i = 0; table && i < results->count; i++)
        for (size_t arm = 0; arm < theories[i].outcome->count; arm++)
            if (theories[i].arms[arm].lack == FP_THEORY_COMPLETE) add(table, results, theories + i, arm);
    return table;
}

static const fp_arm *arm_of(const fp_theory_outcome *of, size_t arm) { return of->outcome->measurements[arm].arm; }

static void add_reals(fp_table *table, const double *value, size_t count) {
    for (size_t i = 0; i < count; i++) fp_table_real(table, value[i], 3);
}

static void add_threshold_rows(fp_table *table, const fp_results *results, const fp_theory_outcome *of, size_t arm) {
    const fp_theory *theory = &of->arms[arm].theory;
    const fp_inference *inference = of->outcome->inference;
    for (int64_t h = results->first_threshold; h <= results->last_threshold; h++) {
        size_t t = (size_t)(h - results->first_threshold);
        fp_estimate recall = fp_inference_of(inference, &fp_measure_recall, arm)[t],
                    precision = fp_inference_of(inference, &fp_measure_precision, arm)[t];
        fp_theory_counts counts = fp_theory_counts_at(theory, (double)h);
        fp_results_add_names(table, of->outcome, arm, true);
        fp_table_count(table, (uint64_t)h);
        add_reals(table,
                  (double[]){recall.value, recall.interval.low, recall.interval.high, fp_theory_recall(theory, counts)},
                  4);
        add_reals(
            table,
            (double[]){precision.value, precision.interval.low, precision.interval.high, fp_theory_precision(counts)},
            4);
        fp_cells mean = fp_seeds_counts(of->outcome, arm, (double)h);
        add_reals(table, (double[]){mean.tp, counts.tp_expected, mean.fp, counts.fp_expected}, 4);
    }
}

fp_table *fp_theory_thresholds(const fp_results *results, const fp_theory_outcome *theories, fp_arena *arena) {
    return for_all("corpus|arm|scale|>threshold|>recall|>recall_low|>recall_high|>recall_expected|"
                   ">precision|>precision_low|>precision_high|>precision_expected|>tp|>tp_expected|>fp|>fp_expected",
                   results, theories, arena, add_threshold_rows);
}

static void add_distance_rows(fp_table *table, const fp_results *results, const fp_theory_outcome *of, size_t arm) {
    (void)results;
    const fp_theory *theory = &of->arms[arm].theory;
    for (size_t h = 0; h < theory->step_count; h++) {
        const fp_theory_step *step = theory->steps + h;
        fp_results_add_names(table, of->outcome, arm, true);
        fp_table_count(table, h);
        add_reals(table,
                  (double[]){step->positives, step->positives_expected, step->negatives, step->negatives_expected}, 4);
    }
}

fp_table *fp_theory_distances(const fp_results *results, const fp_theory_outcome *theories, fp_arena *arena) {
    return for_all("corpus|arm|scale|>distance|>positives|>positives_expected|>negatives|>negatives_expected", results,
                   theories, arena, add_distance_rows);
}

static void add_bin_rows(fp_table *table, const fp_results *results, const fp_theory_outcome *of, size_t arm) {
    (void)results;
    const fp_theory *theory = &of->arms[arm].theory;
    for (size_t b = 0; b < theory->bin_count; b++) {
        const fp_theory_bin *bin = theory->bins + b;
        fp_results_add_names(table, of->outcome, arm, true);
        fp_table_text(table, fp_arm_measure(arm_of(of, arm)));
        add_reals(table, (double[]){bin->low, bin->high}, 2);
        fp_table_count(table, bin->pairs);
        fp_table_count(table, bin->positives);
        add_reals(
            table,
            (double[]){bin->similarity, bin->mean, bin->expected, bin->shift.interval.low, bin->shift.interval.high},
            5);
        add_reals(table, (double[]){bin->deviation, bin->expected_deviation, bin->variance, bin->variance_by_law}, 4);
        fp_table_real(table, bin->variance_by_law > 0 ? bin->variance / bin->variance_by_law : NAN, 3);
    }
}

fp_table *fp_theory_similarities(const fp_results *results, const fp_theory_outcome *theories, fp_arena *arena) {
    return for_all(
        "corpus|arm|scale|measure|>low|>high|>pairs|>positives|>similarity|>mean|>mean_expected|>shift_low|>shift_high|"
        ">deviation|>deviation_expected|>variance|>variance_expected|>spread",
        results, theories, arena, add_bin_rows);
}

static void add_curve_rows(fp_table *table, const fp_results *results, const fp_theory_outcome *of, size_t arm) {
    (void)results;
    for (size_t i = 0; i < of->arms[arm].point_count; i++) {
        const fp_theory_point *point = of->arms[arm].points + i;
        fp_results_add_names(table, of->outcome, arm, false);
        add_reals(table, (double[]){point->similarity, point->mean, point->deviation}, 3);
    }
}

fp_table *fp_theory_curves(const fp_results *results, const fp_theory_outcome *theories, fp_arena *arena) {
    return for_all("corpus|arm|>similarity|>mean|>deviation", results, theories, arena, add_curve_rows);
}

/* ---- Verdicts ---- */

/* In words; the test that rejects more clearly gives the reason. */
static const char *verdict(const fp_theory *theory, double confidence) {
    const fp_fit *fit = &theory->fit;
    if (isnan(fit->p)) return "not tested";
    if (fit->p >= 1 - confidence) return "fits";
    if (!(fit->spread_p <= fit->shift.p))
        return fit->shift.value > 0 ? "no: distances too large" : "no: distances too small";
    return fit->spread > 1 ? "no: distances too scattered" : "no: distances too regular";
}

static void add_fit_rows(fp_table *table, const fp_results *results, const fp_theory_outcome *of, size_t arm) {
    const fp_theory_arm *from = of->arms + arm;
    const fp_fit *fit = &from->theory.fit;
    fp_results_add_names(table, of->outcome, arm, true);
    fp_table_text(table, fp_arm_measure(arm_of(of, arm)));
    fp_table_text(table, fp_arm_spec(from->counterpart));
    fp_table_count(table, from->theory.pair_count);
    fp_table_count(table, from->theory.place_count);
    add_reals(table, (double[]){from->theory.shift, fit->shift.interval.low, fit->shift.interval.high, fit->shift.p},
              4);
    add_reals(table,
              (double[]){from->theory.spread, fit->spread_by_law.low, fit->spread_by_law.high, fit->spread_p, fit->p},
              5);
    fp_table_text(table, verdict(&from->theory, results->confidence));
}

fp_table *fp_theory_fits(const fp_results *results, const fp_theory_outcome *theories, fp_arena *arena) {
    return for_all("corpus|arm|scale|measure|counterpart|>pairs|>places|>shift|>shift_low|>shift_high|>shift_p|"
                   ">spread|>spread_law_low|>spread_law_high|>spread_p|>p|fit",
                   results, theories, arena, add_fit_rows);
}

/* The threshold of the list at which measured and expected recall lie farthest apart. */
static double widest_gap(const fp_results *results, const fp_theory_outcome *of, size_t arm) {
    const fp_theory *theory = &of->arms[arm].theory;
    double widest = NAN;
    for (int64_t h = results->first_threshold; h <= results->last_threshold; h++) {
        fp_theory_counts counts = fp_theory_counts_at(theory, (double)h);
        double gap = counts.tp / theory->positives - fp_theory_recall(theory, counts);
        if (isnan(widest) || fabs(gap) > fabs(widest)) widest = gap;
    }
    return widest;
}

fp_table *fp_theory_short(const fp_results *results, const fp_theory_outcome *of, fp_arena *arena) {
    fp_table *table = fp_table_new("arm|measure|>recall off by|>shift|>spread|law's range|>p|fit", arena);
    for (size_t arm = 0; table && arm < of->outcome->count; arm++) {
        const fp_theory *theory = &of->arms[arm].theory;
        if (of->arms[arm].lack != FP_THEORY_COMPLETE) continue;
        fp_table_text(table, fp_arm_name(arm_of(of, arm)));
        fp_table_text(table, fp_arm_measure(arm_of(of, arm)));
        fp_table_real(table, widest_gap(results, of, arm), 3);
        fp_table_real(table, theory->shift, 2);
        fp_table_real(table, theory->spread, 2);
        fp_interval range = theory->fit.spread_by_law;
        const char *text = isnan(range.low) ? "NA" : fp_format(arena, "%.2f–%.2f", range.low, range.high);
        fp_table_text(table, text);
        fp_table_p(table, theory->fit.p);
        fp_table_text(table, verdict(theory, results->confidence));
    }
    return table;
}

const char *fp_theory_lacks(const fp_theory_outcome *of, fp_arena *arena) {
    static const char *const WHY[] = {[FP_THEORY_NO_LAW] = "the distance has no stated law",
                                      [FP_THEORY_NO_COUNTERPART] = "nothing measures exactly what it estimates",
                                      [FP_THEORY_GROUPS] =
                                          "the truth is groups; the law is set beside labelled pairs (pairs.tsv)"};
    const char *lines = "";
    for (size_t lack = FP_THEORY_NO_LAW; lack <= FP_THEORY_GROUPS && lines; lack++) {
        const char *names = "";
        for (size_t arm = 0; arm < of->outcome->count && names; arm++)
            if (of->arms[arm].lack == lack)
                names = fp_format(arena, "%s%s%s", names, *names ? ", " : "", fp_arm_name(arm_of(of, arm)));
        if (!names) return NULL;
        if (*names) lines = fp_format(arena, "%sWithout theory, since %s: %s\n", lines, WHY[lack], names);
    }
    return lines;
}
