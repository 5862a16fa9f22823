/* SPDX-License-Identifier: GPL-3.0-or-later
 * The pool-adjacent-violators algorithm, and calibration by it. */
#include "eval/analyses/isotonic.h"

#include <gsl/gsl_sort.h>
#include <math.h>

/* Whether the first share is larger. No division, so that equal shares are equal. */
static bool falls(const fp_pool *first, const fp_pool *second) {
    return (double)first->positives * (double)second->negatives > (double)second->positives * (double)first->negatives;
}

static void join(fp_pool *into, const fp_pool *next) {
    into->to = next->to;
    into->positives += next->positives;
    into->negatives += next->negatives;
}

/* Appends a distance and pools again. */
static size_t append(fp_pool *pools, size_t made, fp_pool next) {
    pools[made++] = next;
    while (made > 1 && !falls(pools + made - 2, pools + made - 1)) {
        join(pools + made - 2, pools + made - 1);
        made--;
    }
    return made;
}

size_t fp_pools_make(const fp_bar *bars, size_t count, fp_pool *pools) {
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        fp_pool next = {bars[i].distance, bars[i].distance, bars[i].positives, bars[i].negatives};
        if (next.positives + next.negatives) made = append(pools, made, next);
    }
    return made;
}

/* A pair added at either end can only merge the pool at that end with its neighbours: no leading part of a pool has a
 * larger share than the rest, and a non-duplicate in front does not raise any leading share. */
size_t fp_pools_guarded(const fp_bar *bars, size_t count, fp_pool *pools) {
    size_t plain = fp_pools_make(bars, count, pools), made = 0;
    for (size_t i = 0; i < plain; i++) {
        fp_pool next = pools[i];
        next.negatives = 2 * next.negatives + (i == 0);
        next.positives = 2 * next.positives + (i + 1 == plain);
        made = append(pools, made, next);
    }
    return made;
}

double fp_pool_share(const fp_pool *pool) {
    return (double)pool->positives / (double)(pool->positives + pool->negatives);
}

double fp_pools_share(const fp_pool *pools, size_t count) {
    fp_pool all = {0};
    for (size_t i = 0; i < count; i++) join(&all, pools + i);
    return fp_pool_share(&all);
}

/* The last pool that begins at or before a distance, or the first. */
static size_t find_pool(const fp_pool *pools, size_t count, double distance) {
    size_t after = FP_FIRST(i, count, pools[i].from > distance);
    return after ? after - 1 : 0;
}

const fp_pool *fp_pool_at(const fp_pool *pools, size_t count, double distance) {
    const fp_pool *found = pools + find_pool(pools, count, distance);
    return count && found->from <= distance && distance <= found->to ? found : NULL;
}

double fp_pools_share_at(const fp_pool *pools, size_t count, double distance) {
    if (!count) return NAN;
    const fp_pool *nearer = pools + find_pool(pools, count, distance), *farther = nearer + 1;
    if (distance <= nearer->to || farther == pools + count) return fp_pool_share(nearer);
    double part = (distance - nearer->to) / (farther->from - nearer->to);
    return fp_pool_share(nearer) + part * (fp_pool_share(farther) - fp_pool_share(nearer));
}

double fp_share_restated(double share, double own, double stated) {
    double of_positives = share * stated * (1 - own), of_negatives = (1 - share) * own * (1 - stated);
    return of_positives / (of_positives + of_negatives);
}

/* ---- Scores of forecasts ---- */

/* The weight of a pair of each class. */
typedef struct weights {
    double positive, negative;
    double own, prevalence; /* share of duplicates in the set, and in the population */
} weights;

static weights weigh(const fp_forecasts *forecasts, double prevalence) {
    double positives = 0, negatives = 0;
    for (size_t i = 0; i < forecasts->count; i++) {
        positives += (double)forecasts->each[i].positives;
        negatives += (double)forecasts->each[i].negatives;
    }
    return (weights){prevalence / positives, (1 - prevalence) / negatives, positives / (positives + negatives),
                     prevalence};
}

static double score(const fp_forecasts *forecasts, const weights *by) {
    double sum = 0;
    for (size_t i = 0; i < forecasts->count; i++) {
        const fp_forecast *of = forecasts->each + i;
        double p = of->probability;
        sum += by->positive * (double)of->positives * (1 - p) * (1 - p) + by->negative * (double)of->negatives * p * p;
    }
    return sum;
}

/* The score of the pooled shares as forecasts. */
static fp_status score_pooled(const fp_forecasts *forecasts, const weights *by, fp_arena *scratch, double *sum,
                              fp_error *error) {
    size_t count = forecasts->count;
    fp_bar *bars = FP_NEED(fp_arena_raw(scratch, count, sizeof *bars), error);
    fp_pool *pools = FP_NEED(fp_arena_raw(scratch, count, sizeof *pools), error);
    for (size_t i = 0; i < count; i++) {
        const fp_forecast *of = forecasts->each + count - 1 - i;
        bars[i] = (fp_bar){-of->probability, of->positives, of->negatives};
    }
    size_t pooled = fp_pools_make(bars, count, pools);
    *sum = 0;
    for (size_t i = 0; i < pooled; i++) {
        double positives = by->positive * (double)pools[i].positives,
               negatives = by->negative * (double)pools[i].negatives;
        *sum += positives * negatives / (positives + negatives); /* weight·share·(1 − share) */
    }
    return FP_OK;
}

/* ---- Bins ---- */

/* The bin of each forecast; skips bins without forecasts. */
static fp_status deal(const fp_forecasts *forecasts, const weights *by, fp_arena *scratch, unsigned char **bin,
                      fp_reliability *to, fp_error *error) {
    *bin = FP_NEED(fp_arena_raw(scratch, forecasts->count, 1), error);
    double passed = 0, half = by->positive / by->prevalence / 2, other_half = by->negative / (1 - by->prevalence) / 2;
    int last = -1;
    to->bin_count = 0;
    for (size_t i = 0; i < forecasts->count; i++) {
        const fp_forecast *of = forecasts->each + i;
        double share = half * (double)of->positives + other_half * (double)of->negatives;
        int tenth = (int)((passed + share / 2) * FP_RELIABILITY_BINS);
        if (tenth >= FP_RELIABILITY_BINS) tenth = FP_RELIABILITY_BINS - 1;
        if (tenth > last) to->bins[to->bin_count++] = (fp_reliability_bin){0};
        last = tenth;
        passed += share;
        (*bin)[i] = (unsigned char)(to->bin_count - 1);
        fp_reliability_bin *in = to->bins + to->bin_count - 1;
        double weight = by->positive * (double)of->positives + by->negative * (double)of->negatives;
        in->positives += of->positives;
        in->negatives += of->negatives;
        in->weight += weight;
        in->predicted += weight * of->probability;
    }
    return FP_OK;
}

/* The interval of a bin's share of duplicates, and the variance of observed − predicted: the derivative by the weight
 * of a pair of the bin is that of a ratio. */
static fp_status measure(const fp_resample *resample, const fp_pair *pairs, const fp_forecasts *forecasts,
                         const unsigned char *bin, size_t number, const weights *by, double confidence,
                         fp_arena *scratch, fp_reliability_bin *of, fp_error *error) {
    size_t count = resample->pair_count;
    double *member = FP_NEED(fp_arena_alloc(scratch, count, sizeof *member), error),
           *influence = FP_NEED(fp_arena_alloc(scratch, count, sizeof *influence), error);
    bool *duplicate = FP_NEED(fp_arena_raw(scratch, count, sizeof *duplicate), error);
    fp_proportion share;
    fp_dyadic spread;
    double off = of->observed - of->predicted;
    for (size_t i = 0; i < count; i++) {
        duplicate[i] = pairs[i].label != 0;
        if (bin[forecasts->of[i]] != number) continue;
        double weight = duplicate[i] ? by->positive : by->negative;
        member[i] = 1;
        influence[i] =
            weight * ((double)duplicate[i] - forecasts->each[forecasts->of[i]].probability - off) / of->weight;
    }
    FP_TRY(fp_proportion_of(resample, member, duplicate, confidence, scratch, &share, error));
    FP_TRY(fp_dyadic_of(resample, influence, NULL, scratch, &spread, error));
    of->interval = (fp_interval){fp_share_restated(share.interval.low, by->own, by->prevalence),
                                 fp_share_restated(share.interval.high, by->own, by->prevalence)};
    of->variance = spread.variance;
    return FP_OK;
}

fp_status fp_reliability_of(const fp_resample *resample, const fp_pair *pairs, const fp_forecasts *forecasts,
                            double prevalence, double confidence, fp_arena *scratch, fp_reliability *reliability,
                            fp_error *error) {
    weights by = weigh(forecasts, prevalence);
    double pooled = 0, squares = 0;
    unsigned char *bin;
    FP_TRY(score_pooled(forecasts, &by, scratch, &pooled, error));
    reliability->brier = score(forecasts, &by);
    reliability->uncertainty = prevalence * (1 - prevalence);
    reliability->miscalibration = reliability->brier - pooled;
    reliability->discrimination = reliability->uncertainty - pooled;
    FP_TRY(deal(forecasts, &by, scratch, &bin, reliability, error));
    for (size_t b = 0; b < reliability->bin_count; b++) {
        fp_reliability_bin *of = reliability->bins + b;
        of->predicted /= of->weight;
        of->observed = by.positive * (double)of->positives / of->weight;
        FP_TRY(measure(resample, pairs, forecasts, bin, b, &by, confidence, scratch, of, error));
        double off = of->observed - of->predicted;
        squares += of->weight * (off * off - of->variance);
    }
    reliability->calibration_error = sqrt(fmax(0, squares));
    return FP_OK;
}

/* ---- Forecasts from other folds ---- */

/* Counts and forecasts for each couple of folds and each distance. */
typedef struct counted {
    const fp_ranking *ranking;
    size_t couples;      /* fp_fold_set of the folds */
    uint32_t *cells;     /* [couples][2·bin_count] negatives and positives */
    uint32_t *couple;    /* [pair_count] */
    double *probability; /* [couples][bin_count] */
    fp_bar *bars;        /* [bin_count] */
    fp_pool *pools;
} counted;

static fp_status count_pairs(const fp_ranking *ranking, const fp_pair *pairs, const fp_split *split, fp_arena *scratch,
                             counted *of, fp_error *error) {
    size_t folds = split->fold_count, couples = folds * (folds + 1) / 2, bins = ranking->bin_count;
    *of = (counted){.ranking = ranking,
                    .couples = couples,
                    .cells = FP_NEED(fp_arena_alloc(scratch, couples * bins, 2 * sizeof *of->cells), error),
                    .couple = FP_NEED(fp_arena_raw(scratch, ranking->pair_count, sizeof *of->couple), error),
                    .probability = FP_NEED(fp_arena_raw(scratch, couples * bins, sizeof *of->probability), error),
                    .bars = FP_NEED(fp_arena_raw(scratch, bins, sizeof *of->bars), error),
                    .pools = FP_NEED(fp_arena_raw(scratch, bins, sizeof *of->pools), error)};
    for (size_t i = 0; i < ranking->pair_count; i++) {
        of->couple[i] = (uint32_t)fp_fold_set(split->fold[pairs[i].a], split->fold[pairs[i].b]);
        of->cells[of->couple[i] * 2 * bins + ranking->slot[i]]++;
    }
    return FP_OK;
}

/* The pools of all couples that share no fold with this one. */
static void forecast_couple(const counted *of, size_t couple, double prevalence) {
    size_t bins = of->ranking->bin_count;
    double positives = 0, negatives = 0;
    for (size_t b = 0; b < bins; b++) of->bars[b] = (fp_bar){of->ranking->distance[b], 0, 0};
    for (size_t other = 0; other < of->couples; other++) {
        if (fp_fold_sets_meet(couple, other)) continue;
        const uint32_t *cells = of->cells + other * 2 * bins;
        for (size_t b = 0; b < bins; b++) {
            of->bars[b].negatives += cells[2 * b];
            of->bars[b].positives += cells[2 * b + 1];
            negatives += cells[2 * b];
            positives += cells[2 * b + 1];
        }
    }
    bool both = positives > 0 && negatives > 0;
    size_t count = fp_pools_guarded(of->bars, bins, of->pools);
    double own = fp_pools_share(of->pools, count);
    for (size_t b = 0; b < bins; b++) {
        double share = fp_pools_share_at(of->pools, count, of->ranking->distance[b]);
        of->probability[couple * bins + b] = both ? fp_share_restated(share, own, prevalence) : prevalence;
    }
}

/* Forecasts of the couples and distances that have pairs, ascending; equal ones are merged. */
static fp_status merge(const counted *of, fp_arena *scratch, fp_arena *arena, fp_forecasts *forecasts,
                       fp_error *error) {
    size_t bins = of->ranking->bin_count, pairs = of->ranking->pair_count, places = of->couples * bins, count = 0;
    double *probability = FP_NEED(fp_arena_raw(scratch, pairs, sizeof *probability), error);
    size_t *used = FP_NEED(fp_arena_raw(scratch, pairs, sizeof *used), error),
           *order = FP_NEED(fp_arena_raw(scratch, pairs, sizeof *order), error);
    uint32_t *at = FP_NEED(fp_arena_raw(scratch, places, sizeof *at), error); /* forecast of each place */
    for (size_t place = 0; place < places; place++) {
        if (of->cells[2 * place] + of->cells[2 * place + 1] == 0) continue;
        probability[count] = of->probability[place];
        used[count++] = place;
    }
    gsl_sort_index(order, probability, 1, count);
    fp_forecast *each = FP_NEED(fp_arena_raw(arena, count, sizeof *each), error), *last = NULL;
    uint32_t *position = FP_NEED(fp_arena_raw(arena, pairs, sizeof *position), error);
    *forecasts = (fp_forecasts){0, each, position};
    for (size_t i = 0; i < count; i++) {
        size_t place = used[order[i]];
        if (!last || of->probability[place] > last->probability) {
            last = each + forecasts->count++;
            *last = (fp_forecast){of->probability[place], 0, 0};
        }
        last->negatives += of->cells[2 * place];
        last->positives += of->cells[2 * place + 1];
        at[place] = (uint32_t)(last - each);
    }
    for (size_t i = 0; i < pairs; i++) position[i] = at[of->couple[i] * bins + of->ranking->slot[i] / 2];
    return FP_OK;
}

fp_status fp_forecasts_make(const fp_ranking *ranking, const fp_pair *pairs, const fp_split *split, double prevalence,
                            fp_arena *arena, fp_forecasts *forecasts, fp_error *error) {
    FP_SCRATCH(scratch, arena, error);
    counted of;
    FP_TRY(count_pairs(ranking, pairs, split, scratch, &of, error));
    for (size_t couple = 0; couple < of.couples; couple++) forecast_couple(&of, couple, prevalence);
    return merge(&of, scratch, arena, forecasts, error);
}
