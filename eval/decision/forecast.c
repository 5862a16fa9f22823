/* SPDX-License-Identifier: GPL-3.0-or-later
 * Forecasts by other folds. */
#include "eval/decision/forecast.h"

#include <gsl/gsl_sort.h>

#include "eval/decision/isotonic.h"

/* ---- Couples of folds ---- */

/* Couples (f, g) with f ≤ g, row by row. */
static size_t couple_of(size_t folds, size_t f, size_t g) {
    size_t low = f < g ? f : g, high = f < g ? g : f;
    return low * (2 * folds - low + 1) / 2 + (high - low);
}

static bool disjoint(size_t folds, size_t one, size_t other) {
    for (size_t f = 0; f < folds; f++) {
        bool in_one = false, in_other = false;
        for (size_t g = 0; g < folds; g++) {
            in_one |= couple_of(folds, f, g) == one;
            in_other |= couple_of(folds, f, g) == other;
        }
        if (in_one && in_other) return false;
    }
    return true;
}

/* What was counted, and what is forecast, at each couple of folds and each distance. */
typedef struct counted {
    const fp_ranking *ranking;
    size_t folds, couples;
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
                    .folds = folds,
                    .couples = couples,
                    .cells = fp_arena_alloc(scratch, couples * bins, 2 * sizeof *of->cells),
                    .couple = fp_arena_raw(scratch, ranking->pair_count, sizeof *of->couple),
                    .probability = fp_arena_raw(scratch, couples * bins, sizeof *of->probability),
                    .bars = fp_arena_raw(scratch, bins, sizeof *of->bars),
                    .pools = fp_arena_raw(scratch, bins, sizeof *of->pools)};
    if (!of->cells || !of->couple || !of->probability || !of->bars || !of->pools) return fp_no_memory(error);
    for (size_t i = 0; i < ranking->pair_count; i++) {
        of->couple[i] = (uint32_t)couple_of(folds, split->fold[pairs[i].a], split->fold[pairs[i].b]);
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
        if (!disjoint(of->folds, couple, other)) continue;
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

/* ---- Equal forecasts together ---- */

typedef struct gathered {
    size_t count;
    double *probability; /* [count] of couples and distances that hold pairs */
    size_t *place;       /* [count] in the cells, by two */
    size_t *order;
} gathered;

static fp_status gather(const counted *of, fp_arena *scratch, gathered *to, fp_error *error) {
    size_t places = of->couples * of->ranking->bin_count, most = of->ranking->pair_count;
    *to = (gathered){0, fp_arena_raw(scratch, most, sizeof(double)), fp_arena_raw(scratch, most, sizeof(size_t)),
                     fp_arena_raw(scratch, most, sizeof(size_t))};
    if (!to->probability || !to->place || !to->order) return fp_no_memory(error);
    for (size_t place = 0; place < places; place++) {
        if (of->cells[2 * place] + of->cells[2 * place + 1] == 0) continue;
        to->probability[to->count] = of->probability[place];
        to->place[to->count++] = place;
    }
    gsl_sort_index(to->order, to->probability, 1, to->count);
    return FP_OK;
}

static fp_status join_equals(const counted *of, const gathered *from, fp_arena *scratch, fp_arena *arena,
                             fp_forecasts *forecasts, fp_error *error) {
    size_t bins = of->ranking->bin_count, pairs = of->ranking->pair_count;
    fp_forecast *each = fp_arena_raw(arena, from->count, sizeof *each);
    uint32_t *position = fp_arena_raw(arena, pairs, sizeof *position);
    uint32_t *at = fp_arena_raw(scratch, of->couples * bins, sizeof *at);
    if (!each || !position || !at) return fp_no_memory(error);
    *forecasts = (fp_forecasts){0, each, position};
    for (size_t i = 0; i < from->count; i++) {
        size_t one = from->order[i], place = from->place[one];
        double probability = from->probability[one];
        if (i == 0 || probability > each[forecasts->count - 1].probability)
            each[forecasts->count++] = (fp_forecast){probability, 0, 0};
        fp_forecast *last = each + forecasts->count - 1;
        last->negatives += of->cells[2 * place];
        last->positives += of->cells[2 * place + 1];
        at[place] = (uint32_t)(forecasts->count - 1);
    }
    for (size_t i = 0; i < pairs; i++) position[i] = at[of->couple[i] * bins + of->ranking->slot[i] / 2];
    return FP_OK;
}

static fp_status make(const fp_ranking *ranking, const fp_pair *pairs, const fp_split *split, double prevalence,
                      fp_arena *scratch, fp_arena *arena, fp_forecasts *forecasts, fp_error *error) {
    counted of;
    gathered all;
    FP_TRY(count_pairs(ranking, pairs, split, scratch, &of, error));
    for (size_t couple = 0; couple < of.couples; couple++) forecast_couple(&of, couple, prevalence);
    FP_TRY(gather(&of, scratch, &all, error));
    return join_equals(&of, &all, scratch, arena, forecasts, error);
}

fp_status fp_forecasts_make(const fp_ranking *ranking, const fp_pair *pairs, const fp_split *split, double prevalence,
                            fp_arena *arena, fp_forecasts *forecasts, fp_error *error) {
    fp_arena *scratch = fp_arena_new_like(arena);
    if (!scratch) return fp_no_memory(error);
    fp_status status = make(ranking, pairs, split, prevalence, scratch, arena, forecasts, error);
    fp_arena_free(scratch);
    return status;
}
