/* SPDX-License-Identifier: GPL-3.0-or-later
 * The S-curve of banding, and the choice of bands and rows. With u = x^r the area under 1 − P is an
 * incomplete beta function, without numerical integration: ∫ (1 − x^r)^b dx = (1/r) ∫ (1 − u)^b u^(1/r − 1) du.
 */
#include "pairs/banding.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdlib.h>

/* ---- One curve ---- */

double fp_banding_probability(fp_banding banding, double similarity) {
    return -expm1(banding.bands * log1p(-pow(similarity, banding.rows)));
}

double fp_banding_threshold(fp_banding banding) { return pow(1.0 / banding.bands, 1.0 / banding.rows); }

double fp_banding_similarity(fp_banding banding, double probability) {
    return pow(-expm1(log1p(-probability) / banding.bands), 1.0 / banding.rows);
}

double fp_banding_slot(double jaccard, unsigned slot_bits) {
    return slot_bits ? jaccard + (1 - jaccard) * ldexp(1, -(int)slot_bits) : jaccard;
}

double fp_blocks_probability(unsigned bits, unsigned blocks, double differs) {
    double log_none = 0;
    for (unsigned i = 0; i < blocks; i++) {
        unsigned width = bits / blocks + (i < bits % blocks);
        log_none += log1p(-pow(1 - differs, width));
    }
    return -expm1(log_none);
}

/* P[a binomial number of n trials is at least `least`]. */
static double at_least(unsigned least, double p, unsigned n) {
    if (least == 0) return 1;
    return least > n ? 0 : gsl_cdf_binomial_Q(least - 1, p, n);
}

double fp_blocks_agreeing(unsigned bits, unsigned blocks, unsigned agree, double differs) {
    if (agree == 1) return fp_blocks_probability(bits, blocks, differs);
    unsigned wider = bits % blocks, width = bits / blocks;
    double p_wider = pow(1 - differs, width + 1), p = pow(1 - differs, width), sum = 0;
    for (unsigned i = 0; i <= wider; i++)
        sum += gsl_ran_binomial_pdf(i, p_wider, wider) * at_least(agree > i ? agree - i : 0, p, blocks - wider);
    return fmin(1, sum);
}

/* ∫ (1 − x^r)^b dx from x to 1. */
static double area_above(fp_banding banding, double x) {
    double a = 1.0 / banding.rows, b = banding.bands + 1.0;
    return exp(gsl_sf_lnbeta(a, b)) / banding.rows * gsl_cdf_beta_Q(pow(x, banding.rows), a, b);
}

/* ---- A goal ---- */

fp_status fp_banding_check(const fp_banding_goal *goal, fp_error *error) {
    if (goal->slots < 1 || goal->slots > FP_BANDING_SLOTS)
        return fp_fail(error, FP_ERROR_RANGE, "slots takes 1 to %d, not %u", FP_BANDING_SLOTS, goal->slots);
    if (goal->slot_bits > 64)
        return fp_fail(error, FP_ERROR_RANGE, "bits of a slot takes 0 to 64, not %u", goal->slot_bits);
    if (!(goal->similarity > 0 && goal->similarity < 1))
        return fp_fail(error, FP_ERROR_RANGE, "the target similarity must be above 0 and below 1, not %g",
                       goal->similarity);
    if (!(goal->recall >= 0 && goal->recall < 1))
        return fp_fail(error, FP_ERROR_RANGE,
                       "recall must be above 0 and below 1, or 0 for a choice by weights, not %g", goal->recall);
    double positives = goal->false_positives, negatives = goal->false_negatives;
    bool weights = positives >= 0 && negatives >= 0 && isfinite(positives + negatives) && positives + negatives > 0;
    if (goal->recall == 0 && !weights) return fp_fail(error, FP_ERROR_RANGE, "weights are not negative and not both 0");
    return FP_OK;
}

/* Slots of w kept bits agree with s = c + (1 − c)J, c = 2^−w (0 if all bits are kept): areas over J are areas over s ≥
 * c, divided by 1 − c. */
fp_banding_choice fp_banding_rate(const fp_banding_goal *goal, fp_banding banding) {
    double least = fp_banding_slot(0, goal->slot_bits), target = fp_banding_slot(goal->similarity, goal->slot_bits);
    double above_least = area_above(banding, least), above_target = area_above(banding, target), width = 1 - least;
    fp_banding_choice choice = {.banding = banding, .found = fp_banding_probability(banding, target)};
    choice.false_positives = fmax(0, (target - least - (above_least - above_target)) / width);
    choice.false_negatives = above_target / width;
    choice.cost = goal->recall > 0
                      ? choice.false_positives
                      : goal->false_positives * choice.false_positives + goal->false_negatives * choice.false_negatives;
    return choice;
}

/* ---- List of choices ---- */

/* The fewest bands of `rows` rows that reach the recall; 0 if `most` bands do not. */
static unsigned fewest_bands(const fp_banding_goal *goal, unsigned rows, unsigned most) {
    double target = fp_banding_slot(goal->similarity, goal->slot_bits);
    double wanted = log1p(-goal->recall) / log1p(-pow(target, rows)); /* as a real number */
    if (!(wanted <= most + 1.0)) return 0;
    unsigned bands = wanted > 1 ? (unsigned)wanted : 1;
    while (bands > 1 && fp_banding_probability((fp_banding){bands - 1, rows}, target) >= goal->recall) bands--;
    while (bands <= most && fp_banding_probability((fp_banding){bands, rows}, target) < goal->recall) bands++;
    return bands <= most ? bands : 0;
}

static int by_cost(const void *left, const void *right) {
    const fp_banding_choice *a = left, *b = right;
    if (a->cost != b->cost) return a->cost < b->cost ? -1 : 1;
    unsigned slots_a = a->banding.bands * a->banding.rows, slots_b = b->banding.bands * b->banding.rows;
    if (slots_a != slots_b) return slots_a < slots_b ? -1 : 1;
    return FP_ORDER(a->banding.rows, b->banding.rows);
}

static size_t count_possible(const fp_banding_goal *goal) {
    size_t count = 0;
    for (unsigned rows = 1; rows <= goal->slots; rows++) count += goal->recall > 0 ? 1 : goal->slots / rows;
    return count;
}

fp_status fp_banding_list(const fp_banding_goal *goal, fp_arena *arena, fp_banding_choice **choices, size_t *count,
                          fp_error *error) {
    FP_TRY(fp_banding_check(goal, error));
    fp_banding_choice *list = FP_NEED(fp_arena_alloc(arena, count_possible(goal), sizeof *list), error);
    size_t used = 0;
    for (unsigned rows = 1; rows <= goal->slots; rows++) {
        unsigned most = goal->slots / rows, fewest = goal->recall > 0 ? fewest_bands(goal, rows, most) : 1;
        unsigned last = goal->recall > 0 ? fewest : most;
        for (unsigned bands = fewest; bands && bands <= last; bands++)
            list[used++] = fp_banding_rate(goal, (fp_banding){bands, rows});
    }
    qsort(list, used, sizeof *list, by_cost);
    *choices = list;
    *count = used;
    if (used) return FP_OK;
    double reached =
        fp_banding_probability((fp_banding){goal->slots, 1}, fp_banding_slot(goal->similarity, goal->slot_bits));
    return fp_fail(error, FP_ERROR_RANGE, "%u slots reach a recall of %g at similarity %g and no more, not %g",
                   goal->slots, reached, goal->similarity, goal->recall);
}

fp_status fp_banding_best(const fp_banding_goal *goal, const fp_arena *like, fp_banding *best, fp_error *error) {
    fp_banding_choice *choices;
    size_t count = 0;
    *best = (fp_banding){0};
    FP_TRY(fp_banding_check(goal, error));
    FP_SCRATCH(scratch, like, error);
    fp_status status = fp_banding_list(goal, scratch, &choices, &count, error);
    if (status == FP_OK) *best = choices->banding;
    return status == FP_ERROR_RANGE ? FP_OK : status;
}
