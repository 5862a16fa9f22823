/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables of a tuning. */
#include "reports/tables/tuning_tables.h"

#include <math.h>

#include "reports/tables/results.h"

/* ---- Cells ---- */

static const fp_tune_arm *result_at(const fp_tuning *tuning, size_t rank) {
    return tuning->tuned->results + tuning->tuned->order[rank];
}

static const char *objective_of(const fp_tuning *tuning, fp_arena *arena) {
    return fp_objective_name(&tuning->tuned->options->objective, arena);
}

/* ---- Tables for programs ---- */

fp_table *fp_tuning_leaderboard(const fp_tuning *tuning, fp_arena *arena) {
    const fp_tuned *tuned = tuning->tuned;
    const char *objective = objective_of(tuning, arena);
    fp_table *table = fp_table_for(FP_FILE_LEADERBOARD, arena);
    for (size_t i = 0; i < tuned->arm_count; i++) {
        const fp_tune_arm *result = result_at(tuning, i);
        const fp_arm *arm = tuned->arms[tuned->order[i]];
        FP_TABLE_TEXTS(table, tuning->corpus->name, fp_arm_name(arm), tuning->written[tuned->order[i]]);
        fp_table_put(table, (double)(i + 1));
        fp_table_text(table, fp_arm_layout(arm)->scale);
        fp_table_put(table, result->chosen.threshold);
        fp_table_text(table, objective);
        fp_table_put(table, result->chosen.score);
        FP_TABLE_FIGURE(table, result->held_out.objective);
        FP_TABLE_FIGURE(table, result->held_out.precision);
        FP_TABLE_FIGURE(table, result->held_out.recall);
        fp_table_put_figure(table, result->difference, result->difference_interval);
        fp_table_p(table, result->p);
        fp_table_p(table, result->p_adjusted);
        if (isnan(result->p_adjusted)) fp_table_undefined(table);
        else fp_table_text(table, result->apart ? "yes" : "no");
        fp_table_put(table, result->bytes);
        fp_table_equivalence(table, &result->equivalence);
        const fp_evidence *evidence = &result->promise.evidence; /* for the requested precision */
        bool none = result->chosen.arm == FP_TUNE_NONE || evidence->units == 0;
        FP_TABLE_PUT(table, result->monte_carlo.low, result->monte_carlo.high, result->p_error,
                     none ? NAN : (double)evidence->units, none ? NAN : (double)evidence->failing,
                     none ? NAN : evidence->trials);
    }
    return table;
}

fp_table *fp_tuning_pareto(const fp_tuning *tuning, fp_arena *arena) {
    const fp_tuned *tuned = tuning->tuned;
    const char *objective = objective_of(tuning, arena);
    fp_table *table = fp_table_for(FP_FILE_PARETO, arena);
    for (size_t i = 0; i < tuned->arm_count; i++) {
        const fp_tune_arm *result = result_at(tuning, i);
        FP_TABLE_TEXTS(table, tuning->corpus->name, fp_arm_name(tuned->arms[tuned->order[i]]),
                       tuning->written[tuned->order[i]], objective);
        FP_TABLE_FIGURE(table, result->held_out.objective);
        FP_TABLE_PUT(table, result->bytes, result->microseconds, result->microseconds_most, result->front,
                     tuned->order[i] == tuned->best.arm);
    }
    return table;
}

/* Adds a row for the pairs inside fold a (a = b), or across folds a and b. */
static void add_set(fp_table *table, const fp_tuning *tuning, size_t a, size_t b) {
    const fp_tuned *tuned = tuning->tuned;
    const fp_split *split = &tuned->split;
    const fp_fold *first = split->folds + a, *second = split->folds + b;
    size_t set = fp_fold_set(a, b);
    const fp_tune_choice *choice = tuned->outer + set;
    fp_table_text(table, tuning->corpus->name);
    FP_TABLE_PUT(table, (double)(a + 1), (double)(b + 1),
                 (double)(a == b ? first->units : first->units + second->units),
                 (double)(a == b ? first->documents : first->documents + second->documents),
                 a == b ? (double)first->positives : 0, (double)split->set_negatives[set]);
    if (choice->arm == FP_TUNE_NONE) fp_table_undefined(table);
    else fp_table_text(table, fp_arm_name(tuned->arms[choice->arm]));
    fp_called_pairs called = tuned->set_called[set];
    FP_TABLE_PUT(table, choice->threshold, choice->score, (double)called.tp, (double)called.fp, (double)called.fn,
                 fp_called_precision(called, split->weight), fp_called_recall(called));
}

fp_table *fp_tuning_folds(const fp_tuning *tuning, fp_arena *arena) {
    fp_table *table = fp_table_for(FP_FILE_FOLDS, arena);
    for (size_t b = 0; b < tuning->tuned->split.fold_count; b++)
        for (size_t a = 0; a <= b; a++) add_set(table, tuning, a, b);
    return table;
}

/* ---- Readable tables ---- */

/* Comparison with the recommended arm: "worse", "within ±0.02", "up to 0.09". */
static const char *verdict_of(const fp_tune_arm *result, bool tie, fp_arena *arena) {
    const fp_equivalence *of = &result->equivalence;
    if (result->chosen.arm == FP_TUNE_NONE) return "not shown";
    if (isnan(result->p_adjusted)) return "NA";
    if (tie) return "equal";
    const char *which = result->difference < 0 ? "worse" : "better", *up_to = fp_up_to_text(of->farthest, arena);
    if (result->apart) return of->within ? fp_format(arena, "%s, by less than %g", which, of->margin) : which;
    if (of->within) return fp_format(arena, "within ±%g", of->margin);
    return fp_format(arena, "up to %s", up_to);
}

fp_table *fp_tuning_short_leaderboard(const fp_tuning *tuning, size_t most, fp_arena *arena) {
    const fp_tuned *tuned = tuning->tuned;
    const char *objective = objective_of(tuning, arena);
    bool recall = !isnan(tuned->options->objective.min_precision);
    const char *columns =
        fp_format(arena, "arm|scale|>threshold;e|>%s%sprecision;2|>recall;2|>difference;3|>p (Holm)|verdict",
                  recall ? "" : objective, recall ? "" : ";2|>");
    fp_table *table = fp_table_of(columns, arena);
    for (size_t i = 0; i < tuned->arm_count && i < most; i++) {
        const fp_tune_arm *result = result_at(tuning, i);
        const fp_arm *arm = tuned->arms[tuned->order[i]];
        FP_TABLE_TEXTS(table, fp_arm_name(arm), fp_arm_layout(arm)->scale);
        fp_table_put(table, result->chosen.threshold);
        if (!recall) FP_TABLE_FIGURE(table, result->held_out.objective);
        FP_TABLE_FIGURE(table, result->held_out.precision);
        FP_TABLE_FIGURE(table, result->held_out.recall);
        if (tuned->order[i] == tuned->best.arm) {
            FP_TABLE_TEXTS(table, "", "", "recommended");
            continue;
        }
        bool tie =
            result->difference == 0 && result->difference_interval.low == 0 && result->difference_interval.high == 0;
        if (tie) fp_table_text(table, "equal");
        else fp_table_put(table, result->difference);
        fp_table_p(table, result->p_adjusted);
        fp_table_text(table, verdict_of(result, tie, arena));
    }
    return table;
}

fp_table *fp_tuning_front(const fp_tuning *tuning, fp_arena *arena) {
    const fp_tuned *tuned = tuning->tuned;
    const char *objective = objective_of(tuning, arena);
    const char *columns = fp_format(arena, "arm|>%s;2|>bytes;1|>microseconds", objective);
    fp_table *table = fp_table_of(columns, arena);
    for (size_t i = 0; i < tuned->arm_count; i++) {
        const fp_tune_arm *result = result_at(tuning, i);
        if (!result->front) continue;
        fp_table_text(table, fp_arm_name(tuned->arms[tuned->order[i]]));
        FP_TABLE_FIGURE(table, result->held_out.objective);
        fp_table_put(table, result->bytes);
        fp_table_real(table, result->microseconds, result->microseconds < 10 ? 2 : result->microseconds < 100 ? 1 : 0);
    }
    return table;
}

/* ---- Results in sentences ---- */

/* With all decimals of the threshold: "7", "23.49". */
static const char *as_written(double threshold, fp_arena *arena) { return fp_format(arena, "%.15g", threshold); }

/* Whether a precision is requested. */
static bool is_precise(const fp_tuned *tuned) { return !isnan(tuned->options->objective.min_precision); }

/* ---- Advice ---- */

/* ", worth 20.3 independent ones", if dependence lowers their effective number by more than 5%. */
static const char *worth(const fp_evidence *of, fp_arena *arena) {
    return of->trials < 0.95 * (double)of->units ? fp_format(arena, ", worth %.1f independent ones", of->trials) : "";
}

/* The units of the nearest arm, and the precision that they show. */
static const char *nearest_text(const fp_tuning *tuning, fp_arena *arena) {
    const fp_tuned *tuned = tuning->tuned;
    if (tuned->nearest == FP_TUNE_NONE) return "here no threshold of any arm shows even 0.01";
    const fp_tune_promise *of = &tuned->results[tuned->nearest].promise;
    const char *threshold = as_written(of->threshold, arena), *each = worth(&of->evidence, arena);
    return fp_format(arena, "this corpus has %zu, of which %zu fail%s%s, with %s at distance ≤ %s, which shows %.2f",
                     of->evidence.units, of->evidence.failing, of->evidence.failing == 1 ? "s" : "", each,
                     tuning->written[tuned->nearest], threshold, of->precision);
}

static const char *no_advice(const fp_tuning *tuning, fp_arena *arena) {
    const fp_tuned *tuned = tuning->tuned;
    double wanted = tuned->options->objective.min_precision, alone = 1 - tuned->options->confidence;
    size_t arms = tuned->arm_count;
    if (isnan(wanted)) return "No arm calls any pair a duplicate: there is nothing to recommend.";
    const char *nearest = nearest_text(tuning, arena), *fewer = "";
    if (arms > 1)
        fewer = fp_format(arena, ", or compare fewer arms, chosen before you look: one arm needs %zu (%zu)",
                          fp_evidence_needed(wanted, alone, 0), fp_evidence_needed(wanted, alone, 1));
    return fp_format(
        arena,
        "No arm and threshold show a precision of %.6g. P = %.6g over %zu arm%s needs %zu units that call a "
        "pair with none failing (%zu with one failing); %s. Label more groups, ask for less%s.",
        wanted, wanted, arms, arms == 1 ? "" : "s", fp_evidence_needed(wanted, tuned->level, 0),
        fp_evidence_needed(wanted, tuned->level, 1), nearest, fewer);
}

/* "precision at least 0.9 with 95% confidence over 4 arms (0.968 measured; 58 units call a pair, and 1 of them fails)"
 */
static const char *promised(const fp_tuned *tuned, fp_arena *arena) {
    const fp_evidence *of = &tuned->results[tuned->best.arm].promise.evidence;
    const char *each = worth(of, arena);
    return fp_format(arena,
                     "precision at least %.6g with %g%% confidence over %zu arm%s (%.3f measured; %zu units call a "
                     "pair, and %zu of them fail%s%s)",
                     tuned->options->objective.min_precision, 100 * tuned->options->confidence, tuned->arm_count,
                     tuned->arm_count == 1 ? "" : "s", tuned->held_out.precision.value, of->units, of->failing,
                     of->failing == 1 ? "s" : "", each);
}

/* The next best arm and the difference from it; NULL: none. */
static const char *runner_up(const fp_tuning *tuning, const char *objective, fp_arena *arena) {
    const fp_tuned *tuned = tuning->tuned;
    size_t at = 0;
    while (at < tuned->arm_count && tuned->order[at] == tuned->best.arm) at++;
    if (at == tuned->arm_count || tuned->results[tuned->order[at]].chosen.arm == FP_TUNE_NONE) return NULL;
    const fp_tune_arm *of = tuned->results + tuned->order[at];
    const fp_equivalence *equivalence = &of->equivalence;
    const char *name = tuning->written[tuned->order[at]],
               *rule = fp_rule_text(tuned->arms[tuned->order[at]], of->chosen.threshold, arena);
    if (isnan(of->p_adjusted)) return fp_format(arena, "%s, %s", name, rule);
    const char *p = fp_p_text(of->p_adjusted, arena), *up_to = fp_up_to_text(equivalence->farthest, arena);
    if (of->apart)
        return fp_format(arena, "%s, %s: %s in %s by %.3f, %s", name, rule, of->difference < 0 ? "worse" : "better",
                         objective, fabs(of->difference), p);
    if (equivalence->within)
        return fp_format(arena, "%s, %s: %s within ±%g", name, rule, objective, equivalence->margin);
    return fp_format(arena, "%s, %s: no significant difference in %s; it could be up to %s", name, rule, objective,
                     up_to);
}

static const char *measured(const fp_tuning *tuning, const char *objective, fp_arena *arena) {
    const fp_tuned *tuned = tuning->tuned;
    const char *held_out =
        fp_format(arena, "on held-out groups (nested cross-validation, %zu folds)", tuned->split.fold_count);
    if (is_precise(tuned)) return "on all pairs, each by a model that has not seen its texts";
    if (isnan(tuned->optimism)) return held_out;
    return fp_format(arena, "%s; in-sample, as fplab eval does, the best choice shows %s %.3f, %.3f %s", held_out,
                     objective, tuned->naive_values.objective.value, fabs(tuned->optimism),
                     tuned->optimism < 0 ? "less" : "more");
}

const char *fp_tuning_advice(const fp_tuning *tuning, fp_arena *arena) {
    const fp_tuned *tuned = tuning->tuned;
    if (tuned->best.arm == FP_TUNE_NONE) return fp_format(arena, "%s\n", no_advice(tuning, arena));
    const fp_split *split = &tuned->split;
    const char *objective = objective_of(tuning, arena);
    const fp_tune_arm *best = tuned->results + tuned->best.arm;
    fp_card card = {.name = tuning->written[tuned->best.arm],
                    .arm = tuned->arms[tuned->best.arm],
                    .counted = "pairs",
                    .threshold = tuned->best.threshold,
                    .precision = tuned->held_out.precision.value,
                    .recall = tuned->held_out.recall.value,
                    .precision_interval = tuned->held_out.precision.interval,
                    .recall_interval = tuned->held_out.recall.interval,
                    .promised = is_precise(tuned) ? promised(tuned, arena) : NULL,
                    .measured = measured(tuning, objective, arena),
                    .runner_up = runner_up(tuning, objective, arena),
                    .duplicates = (double)split->positives / (double)(split->positives + split->negatives),
                    .bytes = best->bytes,
                    .per_second = 1e6 / best->microseconds};
    return fp_format(arena, "%s, the answer, with %g%% intervals\n%s", tuning->corpus->name,
                     100 * tuned->options->confidence, fp_card_text(&card, arena));
}

/* ---- Remarks ---- */

static const char *held_out_remark(const fp_tuning *tuning, const char *objective, fp_arena *arena) {
    const fp_tuned *tuned = tuning->tuned;
    if (is_precise(tuned))
        return "Precision and recall are those of all pairs, each measured by a model that has not seen its texts.";
    size_t agreed = 0, sets = 0;
    for (size_t s = 0; s < tuned->set_count; s++) {
        fp_called_pairs called = tuned->set_called[s];
        if (called.tp + called.fn + tuned->split.set_negatives[s] == 0) continue;
        agreed += tuned->outer[s].arm == tuned->best.arm && tuned->best.arm != FP_TUNE_NONE;
        sets++;
    }
    const char *figure =
        fp_interval_text(tuned->held_out.objective.value, tuned->held_out.objective.interval, 2, arena);
    return fp_format(
        arena,
        "%s on held-out groups is %s, arm and threshold chosen anew without the one or two folds of a pair; "
        "%zu of %zu such choices took this arm.",
        objective, figure, agreed, sets);
}

/* The choice by measured precision without a limit; the card has other naive choices. */
static const char *naive_remark(const fp_tuning *tuning, fp_arena *arena) {
    const fp_tuned *tuned = tuning->tuned;
    const fp_tune_proportions *naive = &tuned->naive_values;
    if (tuned->naive.arm == FP_TUNE_NONE || !is_precise(tuned)) return "";
    return fp_format(arena,
                     "By figures alone, without a limit, %s at ≤ %s would be chosen: recall %.3f, precision %.3f, "
                     "not guaranteed.\n",
                     fp_arm_name(tuned->arms[tuned->naive.arm]), as_written(tuned->naive.threshold, arena),
                     naive->recall.value, naive->precision.value);
}

static const char *sample_remark(const fp_tuning *tuning, fp_arena *arena) {
    const fp_split *split = &tuning->tuned->split;
    unsigned long long kept = split->pair_count - split->positives, negatives = split->negatives;
    if (kept == negatives) return "";
    return fp_format(arena,
                     "Of %llu negative pairs a random sample of %llu is measured (--negatives); each weighs %.4g.\n",
                     negatives, kept, split->weight);
}

static const char *apart_remark(const fp_tuning *tuning, fp_arena *arena) {
    const fp_tuned *tuned = tuning->tuned;
    size_t open = 0, within = 0, others = 0;
    if (tuned->best.arm == FP_TUNE_NONE || isnan(tuned->results[tuned->best.arm].held_out.precision.value)) return "";
    for (size_t i = 0; i < tuned->arm_count; i++) {
        if (i == tuned->best.arm || tuned->results[i].chosen.arm == FP_TUNE_NONE) continue;
        others++;
        *(tuned->results[i].equivalence.within ? &within : &open) += !tuned->results[i].apart;
    }
    if (others == 0) return "";
    const char *drawn = fp_format(arena, "paired bootstrap over units, %zu replicates%s; Holm's correction",
                                  tuned->replicates, tuned->unsettled ? ", and more could turn a verdict" : "");
    if (open + within == 0)
        return fp_format(arena, "It differs significantly from %s%zu other arm%s (%s).\n",
                         others == 1 ? "the " : "each of the ", others, others == 1 ? "" : "s", drawn);
    return fp_format(arena,
                     "Of %zu other arm%s %zu %s no significant difference from it (%s):\n"
                     "%zu within ±%g (%g%% interval); \"up to\" is how far an arm could be from it, either way.\n",
                     others, others == 1 ? "" : "s", open + within, open + within == 1 ? "has" : "have", drawn, within,
                     fp_tune_margin(tuned->options), 100 * fp_equivalence_confidence(tuned->options->confidence));
}

/* A note on the hash seed. */
static const char *seed_remark(const fp_tuned *tuned) {
    for (size_t i = 0; i < tuned->arm_count; i++)
        if (tuned->arms[i]->seed)
            return " Each arm is measured under one hash seed, its own, which the choice keeps: what another would "
                   "change is in no interval.";
    return "";
}

const char *fp_tuning_remarks(const fp_tuning *tuning, fp_arena *arena) {
    const char *objective = fp_objective_name(&tuning->tuned->options->objective, arena);
    const char *held_out = held_out_remark(tuning, objective, arena), *naive = naive_remark(tuning, arena);
    const char *sample = sample_remark(tuning, arena), *apart = apart_remark(tuning, arena);
    const char *resampled = fp_resample_describe(&tuning->tuned->resample, arena);
    return fp_format(arena, "%s\n%s%s%s%s%s\n", held_out, naive, apart, sample, resampled, seed_remark(tuning->tuned));
}
