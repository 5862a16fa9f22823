/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sorting once, and the pass over weighted bins. */
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

typedef struct pass {
    uint64_t tp, fp;
    uint64_t wins;              /* twice the number of (positive, negative) couples in the right order, ties once */
    double precision;           /* Σ positives of a bin × precision at the bin */
    uint64_t best_tp, best_sum; /* F1 = 2tp/(tp + fp + positives) is largest here */
    size_t best_bin;
} pass;

/* F1 can only rise where positives come in. Products of counts stay exact below 2⁶⁴: weights sum to about the number of
 * pairs. */
static inline void take_bin(pass *now, const uint64_t *cells, size_t bin, uint64_t positives) {
    uint64_t negative = cells[2 * bin], positive = cells[2 * bin + 1];
    now->wins += negative * (2 * now->tp + positive);
    now->tp += positive;
    now->fp += negative;
    if (positive == 0) return;
    now->precision += (double)(int64_t)positive * ((double)(int64_t)now->tp / (double)(int64_t)(now->tp + now->fp));
    uint64_t total = now->tp + now->fp + positives;
    if (now->tp * now->best_sum <= now->best_tp * total) return;
    now->best_tp = now->tp;
    now->best_sum = total;
    now->best_bin = bin;
}

void fp_ranking_tally(const fp_ranking *ranking, const uint64_t *cells, fp_called *called, fp_tally *tally) {
    uint64_t positives = 0, negatives = 0;
    for (size_t bin = 0; bin < ranking->bin_count; bin++) {
        negatives += cells[2 * bin];
        positives += cells[2 * bin + 1];
    }
    pass now = {.best_sum = 1};
    size_t bin = 0;
    for (size_t t = 0; t < ranking->threshold_count; t++) {
        for (; bin < ranking->reach[t]; bin++) take_bin(&now, cells, bin, positives);
        called[t] = (fp_called){now.tp, now.fp};
    }
    for (; bin < ranking->bin_count; bin++) take_bin(&now, cells, bin, positives);
    double p = (double)positives, n = (double)negatives;
    *tally = (fp_tally){.positives = positives,
                        .negatives = negatives,
                        .average_precision = positives ? now.precision / p : NAN,
                        .best_f1 = positives ? 2 * (double)now.best_tp / (double)now.best_sum : NAN,
                        .roc_area = positives && negatives ? (double)now.wins / (2 * p * n) : NAN,
                        .best_bin = now.best_bin};
}
