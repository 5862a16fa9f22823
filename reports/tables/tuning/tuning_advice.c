/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a tuning found, in sentences. */
#include <math.h>

#include "reports/tables/tuning/tuning_tables.h"

/* As many decimals as the threshold has: "7", "23.49". */
static const char *as_written(double threshold, fp_arena *arena) { return fp_format(arena, "%.15g", threshold); }

/* "0.94 (0.90–0.97)", "NA" */
static const char *readable(const fp_proportion *share, fp_arena *arena) {
    return fp_interval_text(share->value, share->interval.low, share->interval.high, 2, arena);
}

static const char *named(const fp_tuning *tuning, fp_tune_choice choice, fp_arena *arena) {
    const char *threshold = as_written(choice.threshold, arena);
    return threshold ? fp_format(arena, "%s at distance ≤ %s", tuning->written[choice.arm], threshold) : NULL;
}

/* A limit is rounded down: 0.9499 is not 0.95. */
static double rounded_down(double limit) { return floor(limit * 1000) / 1000; }

/* Nothing keeps to the precision on the pairs on which it would be chosen. */
static const char *no_advice(const fp_tuning *tuning, fp_arena *arena) {
    const fp_tuned *tuned = tuning->tuned;
    if (tuned->nearest.arm == FP_TUNE_NONE) return "No arm calls any pair a duplicate: there is nothing to recommend.";
    const char *nearest = named(tuning, tuned->nearest, arena);
    if (!nearest) return NULL;
    return fp_format(
        arena,
        "No arm and threshold reach a precision of %.6g by its lower limit: %s comes nearest, with %.3f. Ask for less, give more "
        "labelled pairs, or try other arms.",
        tuned->options->objective.min_precision, nearest, rounded_down(tuned->nearest_precision));
}

/* Something keeps to it there, and not on held-out groups. */
static const char *not_reached(const fp_tuning *tuning, fp_arena *arena) {
    const fp_tuned *tuned = tuning->tuned;
    double wanted = tuned->options->objective.min_precision;
    const char *best = named(tuning, tuned->best, arena), *precision = readable(&tuned->held_out.precision, arena),
               *recall = readable(&tuned->held_out.recall, arena);
    if (!best || !precision || !recall) return NULL;
    if (isnan(tuned->held_out.precision.value))
        return fp_format(
            arena,
            "A precision of %.6g is not reached: %s keeps to it on the pairs on which it was chosen, but without a fold nothing "
            "does, so that no pair is called on held-out groups. Ask for less, give more labelled pairs, or try "
            "other arms.",
            wanted, best);
    return fp_format(
        arena,
        "A precision of %.6g is not reached: %s keeps to it on the pairs on which it was chosen, but on held-out groups the "
        "lower limit of precision is %.3f: precision %s, recall %s. Give more labelled pairs, or try other arms.",
        wanted, best, rounded_down(tuned->held_out.precision.interval.low), precision, recall);
}

const char *fp_tuning_advice(const fp_tuning *tuning, fp_arena *arena) {
    const fp_tuned *tuned = tuning->tuned;
    double wanted = tuned->options->objective.min_precision;
    if (tuned->best.arm == FP_TUNE_NONE) return no_advice(tuning, arena);
    if (!tuned->reached) return not_reached(tuning, arena);
    const char *threshold = as_written(tuned->best.threshold, arena);
    const char *precision = readable(&tuned->held_out.precision, arena),
               *recall = readable(&tuned->held_out.recall, arena);
    const char *kept = isnan(wanted)
                           ? ""
                           : fp_format(arena, " The lower limit of precision, %.3f, is at least the %.6g asked for.",
                                       rounded_down(tuned->held_out.precision.interval.low), wanted);
    if (!threshold || !precision || !recall || !kept) return NULL;
    /* So it is where nothing can be told apart, above all where an arm reads nothing of the texts. */
    bool all = tuned->best.threshold >= fp_arm_layout(tuned->arms[tuned->best.arm])->maximum;
    return fp_format(
        arena, "Use %s and call pairs at distance ≤ %s duplicates%s: on held-out groups precision %s, recall %s.%s",
        tuning->written[tuned->best.arm], threshold, all ? ", which is every pair" : "", precision, recall, kept);
}

/* ---- Remarks ---- */

static const char *held_out_remark(const fp_tuning *tuning, const char *objective, fp_arena *arena) {
    const fp_tuned *tuned = tuning->tuned;
    size_t agreed = 0, without = 0, folds = tuned->split.fold_count;
    for (size_t o = 0; o < folds; o++) {
        agreed += tuned->outer[o].arm == tuned->best.arm && tuned->best.arm != FP_TUNE_NONE;
        without += tuned->outer[o].arm == FP_TUNE_NONE;
    }
    const char *figure = readable(&tuned->held_out.objective, arena);
    const char *missing =
        without ? fp_format(arena, " In %zu nothing keeps to the precision, and no pair is called.", without) : "";
    const char *same = tuned->best.arm == FP_TUNE_NONE ? "" : fp_format(arena, "; %zu of them chose this arm", agreed);
    if (!figure || !missing || !same) return NULL;
    if (!isnan(tuned->options->objective.min_precision)) objective = "Recall";
    return fp_format(arena, "%s on held-out groups is %s, arm and threshold chosen anew for each of %zu folds%s.%s",
                     objective, figure, folds, same, missing);
}

/* Where a precision is asked for, it is what the naive choice may show too much of. */
static const char *naive_precision(const fp_tuning *tuning, const char *threshold, fp_arena *arena) {
    const fp_tuned *tuned = tuning->tuned;
    double shown = tuned->naive_values.precision.value, less = shown - tuned->held_out.precision.value;
    const char *what = isnan(less) ? "nothing is called on held-out groups to compare with"
                       : less > 0  ? fp_format(arena, "%.3f too much", less)
                                   : "no more than what was held out";
    if (!what) return NULL;
    return fp_format(
        arena,
        "The naive choice, best on all pairs and judged on the same (%s at ≤ %s), shows recall %.3f with precision %.3f: %s.\n",
        fp_arm_name(tuned->arms[tuned->naive.arm]), threshold, tuned->naive_values.recall.value, shown, what);
}

static const char *optimism_remark(const fp_tuning *tuning, const char *objective, fp_arena *arena) {
    const fp_tuned *tuned = tuning->tuned;
    if (tuned->naive.arm == FP_TUNE_NONE) return "";
    const char *threshold = as_written(tuned->naive.threshold, arena);
    if (!threshold) return NULL;
    const char *what =
        tuned->optimism > 0 ? fp_format(arena, "%.3f too much", tuned->optimism) : "no more than what was held out";
    if (!what) return NULL;
    if (!isnan(tuned->options->objective.min_precision)) return naive_precision(tuning, threshold, arena);
    return fp_format(
        arena, "The naive choice, best on all pairs and judged on the same (%s at ≤ %s), shows %s %.3f: %s.\n",
        fp_arm_name(tuned->arms[tuned->naive.arm]), threshold, objective, tuned->naive_values.objective.value, what);
}

static const char *left_out_remark(const fp_tuning *tuning, fp_arena *arena) {
    const fp_split *split = &tuning->tuned->split;
    unsigned long long negatives = split->negatives, dropped = split->dropped, sampled = split->sampled_out;
    double share = (double)split->positives / (double)(split->positives + split->negatives);
    if (dropped + sampled == 0) return "";
    const char *also = sampled ? fp_format(arena, ", and %llu more are left to chance (--negatives)", sampled) : "";
    if (!also) return NULL;
    return fp_format(
        arena,
        "Of %llu negative pairs %llu lie across folds and are left out%s. Those that stay between units dealt apart weigh %.4g each,\n"
        "so that precision refers to the share of positives in the whole set, %.3g%%.\n",
        negatives, dropped, also, split->weight, 100 * share);
}

static const char *apart_remark(const fp_tuning *tuning, fp_arena *arena) {
    const fp_tuned *tuned = tuning->tuned;
    size_t open = 0, within = 0;
    if (tuned->best.arm == FP_TUNE_NONE || isnan(tuned->results[tuned->best.arm].held_out.precision.value)) return "";
    for (size_t i = 0; i < tuned->arm_count; i++) {
        bool shown = i == tuned->best.arm || tuned->results[i].apart;
        *(tuned->results[i].equivalence.within ? &within : &open) += !shown;
    }
    if (tuned->arm_count == 1) return "";
    const char *drawn = fp_format(arena, "paired bootstrap over units, %zu replicates%s; Holm's correction",
                                  tuned->replicates, tuned->unsettled ? ", and more could turn a verdict" : "");
    if (!drawn) return NULL;
    if (open + within == 0) return fp_format(arena, "It differs from every other arm (%s).\n", drawn);
    return fp_format(arena,
                     "Of the other %zu arms %zu are not shown to differ from it (%s):\n"
                     "%zu within ±%g (%g%% interval); \"up to\" is how far an arm could be from it, either way.\n",
                     tuned->arm_count - 1, open + within, drawn, within, fp_tune_margin(tuned->options),
                     100 * fp_equivalence_confidence(tuned->options->confidence));
}

/* Of the draw of the hash. */
static const char *seed_remark(const fp_tuned *tuned) {
    for (size_t i = 0; i < tuned->arm_count; i++)
        if (tuned->arms[i]->seed)
            return " Each arm is measured under one hash seed, its own, which the choice keeps: what another draw would "
                   "change is in no interval.";
    return "";
}

const char *fp_tuning_remarks(const fp_tuning *tuning, fp_arena *arena) {
    const char *objective = fp_objective_name(&tuning->tuned->options->objective, arena);
    if (!objective) return NULL;
    const char *held_out = held_out_remark(tuning, objective, arena),
               *optimism = optimism_remark(tuning, objective, arena);
    const char *left_out = left_out_remark(tuning, arena), *apart = apart_remark(tuning, arena);
    const char *resampled = fp_resample_describe(&tuning->tuned->resample, arena);
    if (!held_out || !optimism || !left_out || !apart || !resampled) return NULL;
    return fp_format(arena, "%s\n%s%s%s%s%s\n", held_out, optimism, apart, left_out, resampled,
                     seed_remark(tuning->tuned));
}
