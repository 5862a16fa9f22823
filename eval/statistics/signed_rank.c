/* SPDX-License-Identifier: GPL-3.0-or-later
 * Wilcoxon's signed-rank test with zeros and ties. */
#include "eval/statistics/signed_rank.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <math.h>

#include "eval/units/resample.h"

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

/* ---- The Bayesian signed-rank test by draws of Dirichlet weights ---- */

/* The differences of a test and the prior's 0, ascending. Sums with the difference at a place are above twice the
 * margin from place `above` on, and below minus that before place `below`. */
typedef struct sorted {
    size_t *order;         /* [size] of the weights */
    size_t *above, *below; /* [size] */
    size_t wins, losses;   /* draws */
} sorted;

typedef struct work {
    size_t size; /* count + 1 */
    size_t test_count;
    sorted *tests;  /* [test_count] */
    double *weight; /* [size] of one draw, the prior's last */
    double *before; /* [size + 1] sums of the weights in a test's order */
} work;

static fp_status sort_test(const double *difference, double margin, size_t size, fp_arena *scratch, sorted *test,
                           fp_error *error) {
    double *value = fp_arena_raw(scratch, size, sizeof *value);
    *test = (sorted){.order = fp_arena_raw(scratch, size, sizeof *test->order),
                     .above = fp_arena_raw(scratch, size, sizeof *test->above),
                     .below = fp_arena_raw(scratch, size, sizeof *test->below)};
    if (!value || !test->order || !test->above || !test->below) return fp_no_memory(error);
    for (size_t i = 0; i < size; i++) value[i] = i + 1 < size ? difference[i] : 0;
    gsl_sort_index(test->order, value, 1, size);
    for (size_t i = 0; i < size; i++) {
        double own = value[test->order[i]];
        test->above[i] = test->below[i] = 0;
        for (size_t j = 0; j < size; j++) {
            test->above[i] += own + value[test->order[j]] <= 2 * margin;
            test->below[i] += own + value[test->order[j]] < -2 * margin;
        }
    }
    return FP_OK;
}

static fp_status open_work(const double *difference, double margin, fp_arena *scratch, work *to, fp_error *error) {
    to->tests = fp_arena_alloc(scratch, to->test_count, sizeof *to->tests);
    to->weight = fp_arena_alloc(scratch, to->size, sizeof *to->weight);
    to->before = fp_arena_alloc(scratch, to->size + 1, sizeof *to->before);
    if (!to->tests || !to->weight || !to->before) return fp_no_memory(error);
    for (size_t t = 0; t < to->test_count; t++)
        FP_TRY(sort_test(difference + t * (to->size - 1), margin, to->size, scratch, to->tests + t, error));
    return FP_OK;
}

/* Gamma variables are Dirichlet weights but for their sum. */
static double draw_weights(const work *of, gsl_rng *generator) {
    double sum = 0;
    for (size_t i = 0; i < of->size; i++) {
        of->weight[i] =
            i + 1 < of->size ? gsl_ran_exponential(generator, 1) : gsl_ran_gamma(generator, FP_BAYES_PRIOR, 1);
        sum += of->weight[i];
    }
    return sum;
}

static void decide(const work *of, double sum, sorted *test) {
    double above = 0, below = 0;
    for (size_t i = 0; i < of->size; i++) of->before[i + 1] = of->before[i] + of->weight[test->order[i]];
    for (size_t i = 0; i < of->size; i++) {
        double own = of->weight[test->order[i]];
        above += own * (of->before[of->size] - of->before[test->above[i]]);
        below += own * of->before[test->below[i]];
    }
    double within = sum * sum - above - below;
    test->wins += above > within && above > below;
    test->losses += below > within && below > above;
}

/* Of a share of draws, half a draw away from 0 and 1 at least. */
static double monte_carlo_error(size_t hits, size_t draws) {
    double n = (double)draws, share = ((double)hits + 0.5) / (n + 1);
    return sqrt(share * (1 - share) / n);
}

fp_status fp_bayes_signed_ranks(const double *difference, size_t test_count, size_t count,
                                const fp_bayes_options *options, fp_arena *scratch, fp_posterior *posteriors,
                                fp_error *error) {
    work of = {.size = count + 1, .test_count = test_count};
    gsl_rng generator;
    FP_TRY(open_work(difference, options->margin, scratch, &of, error));
    FP_TRY(fp_generator_open(options->seed, 0, scratch, &generator, error));
    size_t draws = options->draws;
    for (size_t draw = 0; draw < draws; draw++) {
        double sum = draw_weights(&of, &generator);
        for (size_t t = 0; t < test_count; t++) decide(&of, sum, of.tests + t);
    }
    for (size_t t = 0; t < test_count; t++) {
        size_t wins = of.tests[t].wins, losses = of.tests[t].losses, rest = draws - wins - losses;
        posteriors[t] =
            (fp_posterior){(double)wins / (double)draws, (double)rest / (double)draws, (double)losses / (double)draws,
                           fmax(monte_carlo_error(rest, draws),
                                fmax(monte_carlo_error(wins, draws), monte_carlo_error(losses, draws)))};
    }
    return FP_OK;
}
