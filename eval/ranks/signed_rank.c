/* SPDX-License-Identifier: GPL-3.0-or-later
 * Wilcoxon's signed-rank test with zeros and ties. */
#include "eval/ranks/signed_rank.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>

/* Twice the rank of each difference, so that mean ranks are whole; 0 for a difference that is 0. */
static fp_status rank(const double *difference, size_t count, fp_arena *scratch, uint32_t *doubled, fp_error *error) {
    double *size = fp_arena_raw(scratch, count, sizeof *size);
    size_t *order = fp_arena_raw(scratch, count, sizeof *order);
    if (!size || !order) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++) size[i] = rint(fabs(difference[i]) * 1e12);
    gsl_sort_index(order, size, 1, count);
    for (size_t start = 0, end = 0; start < count; start = end) {
        while (end < count && size[order[end]] == size[order[start]]) end++;
        for (size_t i = start; i < end; i++) doubled[order[i]] = size[order[i]] > 0 ? (uint32_t)(start + 1 + end) : 0;
    }
    return FP_OK;
}

/* P[sum of the ranks above 0 ≤ limit], all signs being as likely: the distribution of the sum, rank by rank. */
static fp_status below_exactly(const uint32_t *doubled, size_t count, size_t limit, fp_arena *scratch, double *below,
                               fp_error *error) {
    double *chance = fp_arena_alloc(scratch, limit + 1, sizeof *chance);
    if (!chance) return fp_no_memory(error);
    chance[0] = 1;
    for (size_t i = 0; i < count; i++) {
        if (!doubled[i]) continue;
        for (size_t sum = limit + 1; sum--;)
            chance[sum] = (chance[sum] + (sum >= doubled[i] ? chance[sum - doubled[i]] : 0)) / 2;
    }
    *below = 0;
    for (size_t sum = 0; sum <= limit; sum++) *below += chance[sum];
    return FP_OK;
}

fp_status fp_signed_rank_of(const double *difference, size_t count, fp_arena *scratch, fp_signed_rank *test,
                            fp_error *error) {
    uint32_t *doubled = fp_arena_raw(scratch, count, sizeof *doubled);
    if (!doubled) return fp_no_memory(error);
    FP_TRY(rank(difference, count, scratch, doubled, error));
    uint64_t above = 0, below = 0;
    double squares = 0, tail = 0;
    *test = (fp_signed_rank){.p = 1};
    for (size_t i = 0; i < count; i++) {
        test->zeros += !doubled[i];
        *(difference[i] > 0 ? &above : &below) += doubled[i];
        squares += (double)doubled[i] * doubled[i] / 4;
    }
    test->above = (double)above / 2;
    test->below = (double)below / 2;
    if (above + below == 0) return FP_OK;
    uint64_t fewer = above < below ? above : below;
    if (count <= FP_SIGNED_RANK_EXACT) FP_TRY(below_exactly(doubled, count, (size_t)fewer, scratch, &tail, error));
    else tail = gsl_cdf_ugaussian_Q(fabs(test->above - test->below) / sqrt(squares));
    test->p = fmin(1, 2 * tail);
    return FP_OK;
}

double fp_signed_rank_least(size_t count) { return count ? exp2(1 - (double)count) : 1; }
