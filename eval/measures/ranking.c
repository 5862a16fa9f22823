/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sorting once, and counting in weighted bins. */
#include "eval/measures/ranking.h"

#include <gsl/gsl_sort.h>
#include <math.h>

/* ---- Making ---- */

static fp_status make_reach(fp_ranking *ranking, const double *thresholds, fp_arena *arena, fp_error *error) {
    size_t *reach = fp_arena_raw(arena, ranking->threshold_count, sizeof *reach), bin = 0;
    if (!reach) return fp_no_memory(error);
    for (size_t t = 0; t < ranking->threshold_count; t++) {
        if (t && !(thresholds[t - 1] < thresholds[t])) return fp_fail(error, FP_ERROR_RANGE, "thresholds must ascend");
        while (bin < ranking->bin_count && ranking->distance[bin] <= thresholds[t]) bin++;
        reach[t] = bin;
    }
    ranking->reach = reach;
    return FP_OK;
}

fp_status fp_ranking_make(const double *distances, const fp_pair *pairs, size_t count, const double *thresholds,
                          size_t threshold_count, fp_arena *arena, fp_ranking *ranking, fp_error *error) {
    *ranking = (fp_ranking){.pair_count = count, .threshold_count = threshold_count};
    if (count > INT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "%zu pairs are more than can be ranked", count);
    fp_arena *scratch = fp_arena_new_like(arena);
    size_t *order = scratch ? fp_arena_raw(scratch, count, sizeof *order) : NULL;
    uint32_t *slot = fp_arena_raw(arena, count, sizeof *slot);
    double *distance = fp_arena_raw(arena, count, sizeof *distance);
    if (!order || !slot || !distance) {
        fp_arena_free(scratch);
        return fp_no_memory(error);
    }
    gsl_sort_index(order, distances, 1, count);
    for (size_t i = 0; i < count; i++) {
        size_t pair = order[i];
        if (i == 0 || distances[pair] != distance[ranking->bin_count - 1])
            distance[ranking->bin_count++] = distances[pair];
        slot[pair] = (uint32_t)(2 * (ranking->bin_count - 1) + (pairs[pair].label != 0));
    }
    fp_arena_free(scratch);
    ranking->slot = slot;
    ranking->distance = distance;
    return make_reach(ranking, thresholds, arena, error);
}

/* ---- Passing ---- */

void fp_ranking_fill(const fp_ranking *ranking, const uint32_t *weight, uint64_t *cells) {
    const uint32_t *slot = ranking->slot;
    for (size_t i = 0; i < ranking->pair_count; i++) cells[slot[i]] += weight ? weight[i] : 1;
}

/* Every bin is written as a step, and the next written over it unless it holds positives: a branch would be as good as
 * random. */
static void pass_bins(fp_ranked *of, size_t from, size_t to, fp_ranked_step *steps) {
    uint64_t tp = of->positives, fp = of->negatives;
    size_t count = of->step_count;
    for (size_t bin = from; bin < to; bin++) {
        fp += of->cells[2 * bin];
        tp += of->cells[2 * bin + 1];
        steps[count] = (fp_ranked_step){bin, tp, fp};
        count += of->cells[2 * bin + 1] != 0;
    }
    of->positives = tp;
    of->negatives = fp;
    of->step_count = count;
}

fp_ranked fp_ranked_of(size_t bin_count, const double *distance, const uint64_t *cells, fp_ranked_step *steps) {
    fp_ranked of = {.bin_count = bin_count, .distance = distance, .cells = cells, .steps = steps};
    pass_bins(&of, 0, bin_count, steps);
    return of;
}

fp_ranked fp_ranking_count(const fp_ranking *ranking, const uint64_t *cells, fp_ranked_step *steps, fp_called *called) {
    fp_ranked of = {.bin_count = ranking->bin_count, .distance = ranking->distance, .cells = cells, .steps = steps};
    size_t bin = 0;
    for (size_t t = 0; t < ranking->threshold_count; t++) {
        pass_bins(&of, bin, ranking->reach[t], steps);
        bin = ranking->reach[t];
        called[t] = (fp_called){of.positives, of.negatives};
    }
    pass_bins(&of, bin, ranking->bin_count, steps);
    return of;
}
