/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables of a tuning. */
#include "reports/tables/tuning/tuning_tables.h"

#include <math.h>

#include "reports/tables/results.h"

/* ---- Cells ---- */

static void add_share(fp_table *table, const fp_proportion *share) {
    fp_table_figure(table, share->value, share->interval, 3);
}

static void add_threshold(fp_table *table, double threshold) {
    if (isnan(threshold)) fp_table_real(table, threshold, 0);
    else fp_table_exact(table, threshold);
}

/* Of the calls that show the precision asked for. */
static void add_evidence(fp_table *table, const fp_tune_arm *result) {
    const fp_evidence *of = &result->promise.evidence;
    bool none = result->chosen.arm == FP_TUNE_NONE || of->units == 0;
    for (int i = 0; i < 3 && none; i++) fp_table_undefined(table);
    if (none) return;
    fp_table_count(table, of->units);
    fp_table_count(table, of->failing);
    fp_table_real(table, of->trials, 1);
}

static const fp_tune_arm *result_at(const fp_tuning *tuning, size_t rank) {
    return tuning->tuned->results + tuning->tuned->order[rank];
}

static const char *objective_of(const fp_tuning *tuning, fp_arena *arena) {
    return fp_objective_name(&tuning->tuned->options->objective, arena);
}

/* ---- For other programs ---- */

fp_table *fp_tuning_leaderboard(const fp_tuning *tuning, fp_arena *arena) {
    const fp_tuned *tuned = tuning->tuned;
    const char *objective = objective_of(tuning, arena);
    fp_table *table = fp_table_new(
        "corpus|arm|spec|>rank|scale|>threshold|objective|>chosen_score|>held_out|>held_out_low|>held_out_high|>precision|"
        ">precision_low|>precision_high|>recall|>recall_low|>recall_high|>difference|>difference_low|>difference_high|"
        ">p|>p_holm|told_apart|>bytes_per_document|" FP_EQUIVALENCE_COLUMNS
        "|>low_monte_carlo|>high_monte_carlo|>p_monte_carlo|>calling_units|>failing_units|>effective_units",
        arena);
    for (size_t i = 0; table && objective && i < tuned->arm_count; i++) {
        const fp_tune_arm *result = result_at(tuning, i);
        const fp_arm *arm = tuned->arms[tuned->order[i]];
        fp_table_text(table, tuning->corpus->name);
        fp_table_text(table, fp_arm_name(arm));
        fp_table_text(table, tuning->written[tuned->order[i]]);
        fp_table_count(table, i + 1);
        fp_table_text(table, fp_arm_layout(arm)->scale);
        add_threshold(table, result->chosen.threshold);
        fp_table_text(table, objective);
        fp_table_real(table, result->chosen.score, 3);
        add_share(table, &result->held_out.objective);
        add_share(table, &result->held_out.precision);
        add_share(table, &result->held_out.recall);
        fp_table_figure(table, result->difference, result->difference_interval, 3);
        fp_table_p(table, result->p);
        fp_table_p(table, result->p_adjusted);
        if (isnan(result->p_adjusted)) fp_table_undefined(table);
        else fp_table_text(table, result->apart ? "yes" : "no");
        fp_table_real(table, result->bytes, 1);
        fp_table_equivalence(table, &result->equivalence);
        fp_table_limits(table, result->monte_carlo, 4);
        fp_table_real(table, result->p_error, 4);
        add_evidence(table, result);
    }
    return objective ? table : NULL;
}

fp_table *fp_tuning_pareto(const fp_tuning *tuning, fp_arena *arena) {
    const fp_tuned *tuned = tuning->tuned;
    const char *objective = objective_of(tuning, arena);
    fp_table *table = fp_table_new(
        "corpus|arm|spec|objective|>held_out|>held_out_low|>held_out_high|>bytes_per_document|>microseconds_per_document|"
        ">microseconds_most|>front|>recommended",
        arena);
    for (size_t i = 0; table && objective && i < tuned->arm_count; i++) {
        const fp_tune_arm *result = result_at(tuning, i);
        fp_table_text(table, tuning->corpus->name);
        fp_table_text(table, fp_arm_name(tuned->arms[tuned->order[i]]));
        fp_table_text(table, tuning->written[tuned->order[i]]);
        fp_table_text(table, objective);
        add_share(table, &result->held_out.objective);
        fp_table_real(table, result->bytes, 1);
        fp_table_real(table, result->microseconds, 1);
        fp_table_real(table, result->microseconds_most, 1);
        fp_table_count(table, result->front);
        fp_table_count(table, tuned->order[i] == tuned->best.arm);
    }
    return objective ? table : NULL;
}

static void add_counts(fp_table *table, fp_called_pairs called, double weight) {
    fp_table_count(table, called.tp);
    fp_table_count(table, called.fp);
    fp_table_count(table, called.fn);
    fp_table_real(table, fp_called_precision(called, weight), 3);
    fp_table_real(table, fp_called_recall(called), 3);
}

/* The pairs of one fold (a = b), or between two. */
static void add_set(fp_table *table, const fp_tuning *tuning, size_t a, size_t b) {
    const fp_tuned *tuned = tuning->tuned;
    const fp_split *split = &tuned->split;
    const fp_fold *first = split->folds + a, *second = split->folds + b;
    size_t set = fp_fold_set(a, b);
    const fp_tune_choice *choice = tuned->outer + set;
    fp_table_text(table, tuning->corpus->name);
    fp_table_count(table, a + 1);
    fp_table_count(table, b + 1);
    fp_table_count(table, a == b ? first->units : first->units + second->units);
    fp_table_count(table, a == b ? first->documents : first->documents + second->documents);
    fp_table_count(table, a == b ? first->positives : 0);
    fp_table_count(table, split->set_negatives[set]);
    if (choice->arm == FP_TUNE_NONE) fp_table_undefined(table);
    else fp_table_text(table, fp_arm_name(tuned->arms[choice->arm]));
    add_threshold(table, choice->threshold);
    fp_table_real(table, choice->score, 3);
    add_counts(table, tuned->set_called[set], split->weight);
}

fp_table *fp_tuning_folds(const fp_tuning *tuning, fp_arena *arena) {
    fp_table *table = fp_table_new("corpus|>fold|>other_fold|>units|>documents|>positives|>negatives|arm|>threshold|"
                                   ">chosen_score|>tp|>fp|>fn|>precision|>recall",
                                   arena);
    for (size_t b = 0; table && b < tuning->tuned->split.fold_count; b++)
        for (size_t a = 0; a <= b; a++) add_set(table, tuning, a, b);
    return table;
}

/* ---- For a person ---- */

/* "worse", "within ±0.02", "up to 0.09": beside the recommended arm. */
static const char *verdict_of(const fp_tune_arm *result, bool tie, fp_arena *arena) {
    const fp_equivalence *of = &result->equivalence;
    if (result->chosen.arm == FP_TUNE_NONE) return "not shown";
    if (isnan(result->p_adjusted)) return "NA";
    if (tie) return "equal";
    const char *which = result->difference < 0 ? "worse" : "better", *up_to = fp_up_to_text(of->farthest, arena);
    if (result->apart) return of->within ? fp_format(arena, "%s, by less than %g", which, of->margin) : which;
    if (of->within) return fp_format(arena, "within ±%g", of->margin);
    return up_to ? fp_format(arena, "up to %s", up_to) : NULL;
}

fp_table *fp_tuning_short_leaderboard(const fp_tuning *tuning, size_t most, fp_arena *arena) {
    const fp_tuned *tuned = tuning->tuned;
    const char *objective = objective_of(tuning, arena);
    bool recall = !isnan(tuned->options->objective.min_precision);
    const char *columns =
        objective ? fp_format(arena, "arm|scale|>threshold|>%s%sprecision|>recall|>difference|>p (Holm)|verdict",
                              recall ? "" : objective, recall ? "" : "|>")
                  : NULL;
    fp_table *table = columns ? fp_table_new(columns, arena) : NULL;
    for (size_t i = 0; table && i < tuned->arm_count && i < most; i++) {
        const fp_tune_arm *result = result_at(tuning, i);
        const fp_arm *arm = tuned->arms[tuned->order[i]];
        fp_table_text(table, fp_arm_name(arm));
        fp_table_text(table, fp_arm_layout(arm)->scale);
        add_threshold(table, result->chosen.threshold);
        if (!recall) fp_table_interval(table, result->held_out.objective.value, result->held_out.objective.interval, 2);
        fp_table_interval(table, result->held_out.precision.value, result->held_out.precision.interval, 2);
        fp_table_interval(table, result->held_out.recall.value, result->held_out.recall.interval, 2);
        bool best = tuned->order[i] == tuned->best.arm;
        bool tie =
            result->difference == 0 && result->difference_interval.low == 0 && result->difference_interval.high == 0;
        if (best) fp_table_text(table, "");
        else if (tie) fp_table_text(table, "equal");
        else fp_table_real(table, result->difference, 3);
        if (best) fp_table_text(table, "");
        else fp_table_p(table, result->p_adjusted);
        fp_table_text(table, best ? "recommended" : verdict_of(result, tie, arena));
    }
    return table;
}

fp_table *fp_tuning_front(const fp_tuning *tuning, fp_arena *arena) {
    const fp_tuned *tuned = tuning->tuned;
    const char *objective = objective_of(tuning, arena);
    const char *columns = objective ? fp_format(arena, "arm|>%s|>bytes|>microseconds", objective) : NULL;
    fp_table *table = columns ? fp_table_new(columns, arena) : NULL;
    for (size_t i = 0; table && i < tuned->arm_count; i++) {
        const fp_tune_arm *result = result_at(tuning, i);
        if (!result->front) continue;
        fp_table_text(table, fp_arm_name(tuned->arms[tuned->order[i]]));
        fp_table_interval(table, result->held_out.objective.value, result->held_out.objective.interval, 2);
        fp_table_real(table, result->bytes, 1);
        fp_table_real(table, result->microseconds, result->microseconds < 10 ? 2 : result->microseconds < 100 ? 1 : 0);
    }
    return table;
}
