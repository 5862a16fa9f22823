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
    fp_arena *scratch = fp_arena_new();
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

fp_ranked fp_ranking_count(const fp_ranking *ranking, const uint64_t *cells, fp_called *called) {
    fp_ranked of = {.bin_count = ranking->bin_count, .distance = ranking->distance, .cells = cells};
    size_t bin = 0;
    for (size_t t = 0; t <= ranking->threshold_count; t++) {
        size_t reach = t < ranking->threshold_count ? ranking->reach[t] : ranking->bin_count;
        for (; bin < reach; bin++) {
            of.negatives += cells[2 * bin];
            of.positives += cells[2 * bin + 1];
        }
        if (t < ranking->threshold_count) called[t] = (fp_called){of.positives, of.negatives};
    }
    return of;
}
