/* SPDX-License-Identifier: GPL-3.0-or-later
 * Average ranks over corpora, and the tests of Friedman, Iman and Davenport, and Nemenyi. */
#include "eval/analyses/ranks.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <math.h>

#include "eval/evaluation/outcome.h"
#include "eval/statistics/bootstrap.h"
#include "eval/statistics/difference.h"
#include "eval/statistics/proportion_interval.h"
#include "eval/units/resample.h"

/* ---- The range of normal variables ---- */

typedef struct range {
    double width, others;
} range;

/* The smallest variable lies at z − width or above; all others lie between it and z, the largest. */
static double largest_at(double z, void *context) {
    const range *it = context;
    return gsl_ran_ugaussian_pdf(z) * pow(gsl_cdf_ugaussian_P(z) - gsl_cdf_ugaussian_P(z - it->width), it->others);
}

/* P(range ≤ width). Beyond 9 a standard normal density is below 1e-18; 21 points per panel of 0.5 are exact up to
 * rounding. */
static double range_below(double width, size_t count) {
    enum { REACH = 9, PANELS = 4 * REACH };
    range it = {width, (double)count - 1};
    gsl_function function = {largest_at, &it};
    double sum = 0;
    for (int panel = 0; panel < PANELS; panel++) {
        double part, error, magnitude, deviation;
        double low = -REACH + 0.5 * panel;
        gsl_integration_qk21(&function, low, low + 0.5, &part, &error, &magnitude, &deviation);
        sum += part;
    }
    return (double)count * sum;
}

typedef struct quantile {
    size_t count;
    double level;
} quantile;

static bool below_quantile(void *context, double width) {
    const quantile *of = context;
    return range_below(width, of->count) < of->level;
}

/* The distribution function increases, and is 1 at 40 in double precision. */
double fp_nemenyi_quantile(size_t count, double alpha) {
    quantile wanted = {count, 1 - alpha};
    return fp_bisect(below_quantile, &wanted, 0, 40) / sqrt(2);
}

/* ---- Ranks ---- */

/* Copies the corpora without NaN, contiguously. */
static size_t keep_defined(const double *values, size_t corpus_count, size_t arm_count, double *kept) {
    size_t used = 0;
    for (size_t corpus = 0; corpus < corpus_count; corpus++) {
        bool defined = true;
        for (size_t arm = 0; arm < arm_count; arm++) {
            kept[used * arm_count + arm] = values[corpus * arm_count + arm];
            defined = defined && !isnan(kept[used * arm_count + arm]);
        }
        used += defined;
    }
    return used;
}

/* One plus the number of better arms, plus half the number of other equal arms. */
static double rank_of(const double *row, size_t arm_count, size_t arm) {
    size_t better = 0, equal = 0;
    for (size_t i = 0; i < arm_count; i++) {
        better += row[i] > row[arm];
        equal += row[i] == row[arm];
    }
    return (double)better + ((double)equal + 1) / 2;
}

static void measure_arms(const double *values, const fp_ranks *ranks, fp_rank_arm *arms) {
    for (size_t arm = 0; arm < ranks->arm_count; arm++) {
        double sum = 0, rank = 0;
        for (size_t corpus = 0; corpus < ranks->corpus_count; corpus++) {
            const double *row = values + corpus * ranks->arm_count;
            sum += row[arm];
            rank += rank_of(row, ranks->arm_count, arm);
        }
        arms[arm].mean = sum / (double)ranks->corpus_count;
        arms[arm].rank = rank / (double)ranks->corpus_count;
    }
}

/* Insertion sort, so that equal arms keep their order. */
static void sort_arms(const fp_rank_arm *arms, size_t count, size_t *order) {
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        for (; at && arms[order[at - 1]].rank > arms[i].rank; at--) order[at] = order[at - 1];
        order[at] = i;
    }
}

/* ---- Tests ---- */

/* Σ(t³ − t) of a corpus: each of t equal arms contributes t² − 1. */
static double ties_of(const double *row, size_t arm_count) {
    double sum = 0;
    for (size_t i = 0; i < arm_count; i++) {
        double equal = 0;
        for (size_t j = 0; j < arm_count; j++) equal += row[j] == row[i];
        sum += equal * equal - 1;
    }
    return sum;
}

static void test_ranks(fp_ranks *ranks) {
    double k = (double)ranks->arm_count, n = (double)ranks->corpus_count, spread = 0, ties = 0;
    for (size_t corpus = 0; corpus < ranks->corpus_count; corpus++)
        ties += ties_of(ranks->values + corpus * ranks->arm_count, ranks->arm_count);
    ranks->ties = 1 - ties / (n * k * (k * k - 1));
    for (size_t arm = 0; arm < ranks->arm_count; arm++) {
        double away = ranks->arms[arm].rank - (k + 1) / 2;
        spread += away * away;
    }
    /* Σ (R − (k + 1)/2)² is Demšar's Σ R² − k(k + 1)²/4 without its cancellation. */
    bool alike = spread == 0 || ranks->ties <= 0;
    ranks->chi_square = alike ? 0 : fmin(12 * n / (k * (k + 1)) * spread / ranks->ties, n * (k - 1));
    ranks->chi_square_p = gsl_cdf_chisq_Q(ranks->chi_square, k - 1);
    double rest = n * (k - 1) - ranks->chi_square;
    bool perfect = rest <= 1e-12 * n * (k - 1); /* all corpora order the arms in the same way */
    ranks->f = perfect ? INFINITY : (n - 1) * ranks->chi_square / rest;
    ranks->f_p = perfect ? 0 : gsl_cdf_fdist_Q(ranks->f, k - 1, (k - 1) * (n - 1));
    ranks->critical_difference = fp_nemenyi_quantile(ranks->arm_count, FP_RANKS_ALPHA) * sqrt(k * (k + 1) / (6 * n));
}

static void find_cliques(fp_ranks *ranks, fp_clique *cliques) {
    size_t reached = 0; /* last arm of the previous clique */
    for (size_t first = 0; first + 1 < ranks->arm_count; first++) {
        size_t last = first;
        double start = ranks->arms[ranks->order[first]].rank;
        while (last + 1 < ranks->arm_count &&
               ranks->arms[ranks->order[last + 1]].rank - start < ranks->critical_difference)
            last++;
        if (last == first || last <= reached) continue;
        cliques[ranks->clique_count++] = (fp_clique){first, last};
        reached = last;
    }
    ranks->cliques = cliques;
}

/* ---- Intervals ---- */

/* If all corpora have the same value up to rounding, the number of trials is the number of corpora. */
static fp_interval interval_of(const double *values, const fp_ranks *ranks, size_t arm, double confidence) {
    double n = (double)ranks->corpus_count, mean = ranks->arms[arm].mean, squares = 0;
    for (size_t corpus = 0; corpus < ranks->corpus_count; corpus++) {
        double away = values[corpus * ranks->arm_count + arm] - mean;
        squares += away * away;
    }
    double variance = squares / (n - 1) / n, wider = fp_by_student(n - 1, confidence), share = fmin(1, fmax(0, mean));
    double trials = squares > 1e-20 ? share * (1 - share) / (variance * wider * wider) : n;
    return fp_binomial_interval(share, trials, confidence, false);
}

/* ---- Ranks and tests ---- */

fp_status fp_ranks_make(const double *values, size_t corpus_count, size_t arm_count, double confidence, fp_arena *arena,
                        fp_ranks *ranks, fp_error *error) {
    *ranks = (fp_ranks){.arm_count = arm_count};
    if (arm_count < 2) return fp_fail(error, FP_ERROR_EMPTY, "ranks need two arms or more");
    double *kept = FP_NEED(fp_arena_alloc(arena, corpus_count, arm_count * sizeof *kept), error);
    fp_rank_arm *arms = FP_NEED(fp_arena_alloc(arena, arm_count, sizeof *arms), error);
    size_t *order = FP_NEED(fp_arena_alloc(arena, arm_count, sizeof *order), error);
    fp_clique *cliques = FP_NEED(fp_arena_alloc(arena, arm_count, sizeof *cliques), error);
    ranks->corpus_count = keep_defined(values, corpus_count, arm_count, kept);
    ranks->left_out = corpus_count - ranks->corpus_count;
    if (ranks->corpus_count < 2)
        return fp_fail(error, FP_ERROR_EMPTY, "ranks need two corpora or more where every arm has a value");
    ranks->values = kept;
    measure_arms(kept, ranks, arms);
    sort_arms(arms, arm_count, order);
    ranks->arms = arms;
    ranks->order = order;
    test_ranks(ranks);
    find_cliques(ranks, cliques);
    for (size_t arm = 0; arm < arm_count; arm++) arms[arm].interval = interval_of(kept, ranks, arm, confidence);
    return FP_OK;
}

/* ---- Signed-rank tests of every two arms over corpora ---- */

static void list_pairs(const fp_ranks *ranks, fp_rank_pair *pairs, double *differences) {
    for (size_t i = 0; i + 1 < ranks->arm_count; i++) {
        for (size_t j = i + 1; j < ranks->arm_count; j++, pairs++) {
            *pairs = (fp_rank_pair){.first = ranks->order[i], .second = ranks->order[j]};
            for (size_t corpus = 0; corpus < ranks->corpus_count; corpus++) {
                const double *row = ranks->values + corpus * ranks->arm_count;
                pairs->mean += *differences++ = row[pairs->first] - row[pairs->second];
            }
            pairs->mean /= (double)ranks->corpus_count;
        }
    }
}

static fp_status test_pairs(const double *differences, size_t corpora, fp_arena *scratch, fp_rank_pairs *to,
                            fp_rank_pair *pairs, fp_error *error) {
    double *p = FP_NEED(fp_arena_raw(scratch, to->count, sizeof *p), error);
    fp_posterior *posteriors = FP_NEED(fp_arena_raw(scratch, to->count, sizeof *posteriors), error);
    for (size_t i = 0; i < to->count; i++) {
        FP_TRY(fp_signed_rank_of(differences + i * corpora, corpora, scratch, &pairs[i].test, error));
        p[i] = pairs[i].test.p;
    }
    FP_TRY(fp_holm(p, to->count, scratch, p, error));
    FP_TRY(fp_bayes_signed_ranks(differences, to->count, corpora, &to->bayes, scratch, posteriors, error));
    for (size_t i = 0; i < to->count; i++) {
        pairs[i].adjusted = p[i];
        pairs[i].posterior = posteriors[i];
    }
    return FP_OK;
}

fp_status fp_rank_pairs_make(const fp_ranks *ranks, const fp_bayes_options *bayes, fp_arena *arena,
                             fp_rank_pairs *pairs, fp_error *error) {
    *pairs = (fp_rank_pairs){.count = ranks->arm_count * (ranks->arm_count - 1) / 2, .bayes = *bayes};
    fp_rank_pair *list = FP_NEED(fp_arena_alloc(arena, pairs->count, sizeof *list), error);
    FP_SCRATCH(scratch, arena, error);
    double *differences =
        FP_NEED(fp_arena_raw(scratch, pairs->count, ranks->corpus_count * sizeof *differences), error);
    pairs->pairs = list;
    list_pairs(ranks, list, differences);
    return test_pairs(differences, ranks->corpus_count, scratch, pairs, list, error);
}

/* ---- Ranks of arms over corpora ---- */

static double average_precision(const fp_outcome *outcome, size_t arm) {
    return fp_seeds_curve_mean(outcome, arm, offsetof(fp_curve, average_precision));
}

bool fp_ranks_outcome_can(const fp_outcome *outcomes, size_t count) {
    size_t defined = 0;
    for (size_t i = 0; i < count; i++) {
        bool all = true;
        if (outcomes[i].count < 2 || outcomes[i].count != outcomes[0].count) return false;
        for (size_t arm = 0; arm < outcomes[i].count; arm++) all &= !isnan(average_precision(outcomes + i, arm));
        defined += all;
    }
    return defined >= 2;
}

fp_status fp_ranks_outcome_make(const fp_outcome *outcomes, size_t count, double confidence, fp_arena *arena,
                                fp_ranks *ranks, fp_error *error) {
    size_t arms = outcomes[0].count;
    double *values = FP_NEED(fp_arena_alloc(arena, count, arms * sizeof *values), error);
    for (size_t i = 0; i < count; i++)
        for (size_t arm = 0; arm < arms; arm++) values[i * arms + arm] = average_precision(outcomes + i, arm);
    return fp_ranks_make(values, count, arms, confidence, arena, ranks, error);
}

/* ---- Wilcoxon's signed-rank test with zeros and ties ---- */

/* Twice the rank of each difference, so that mean ranks are integers; 0 for a difference of 0. */
static fp_status rank(const double *difference, size_t count, fp_arena *scratch, uint32_t *doubled, fp_error *error) {
    double *size = FP_NEED(fp_arena_raw(scratch, count, sizeof *size), error);
    size_t *order = FP_NEED(fp_arena_raw(scratch, count, sizeof *order), error);
    for (size_t i = 0; i < count; i++) size[i] = rint(fabs(difference[i]) * 1e12);
    gsl_sort_index(order, size, 1, count);
    for (size_t start = 0, end = 0; start < count; start = end) {
        while (end < count && size[order[end]] == size[order[start]]) end++;
        for (size_t i = start; i < end; i++) doubled[order[i]] = size[order[i]] > 0 ? (uint32_t)(start + 1 + end) : 0;
    }
    return FP_OK;
}

/* P[sum of the ranks above 0 ≤ limit] when all signs are equally likely: the distribution of the sum, built rank by
 * rank. */
static fp_status below_exactly(const uint32_t *doubled, size_t count, size_t limit, fp_arena *scratch, double *below,
                               fp_error *error) {
    double *chance = FP_NEED(fp_arena_alloc(scratch, limit + 1, sizeof *chance), error);
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
    uint32_t *doubled = FP_NEED(fp_arena_raw(scratch, count, sizeof *doubled), error);
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

/* ---- The Bayesian signed-rank test with sampled Dirichlet weights ---- */

/* The differences of a test and the prior's 0, ascending. Each difference has two bounds: its sum with a difference at
 * place `above` or later is above twice the margin; with one before place `below`, the sum is below minus twice the
 * margin. */
typedef struct sorted {
    size_t *order;         /* [size] of the weights */
    size_t *above, *below; /* [size] */
    size_t wins, losses;   /* samples */
} sorted;

typedef struct work {
    size_t size; /* count + 1 */
    size_t test_count;
    sorted *tests;  /* [test_count] */
    double *weight; /* [size] of one sample; the prior's weight is last */
    double *before; /* [size + 1] cumulative sums of the weights in a test's order */
} work;

static fp_status sort_test(const double *difference, double margin, size_t size, fp_arena *scratch, sorted *test,
                           fp_error *error) {
    double *value = FP_NEED(fp_arena_raw(scratch, size, sizeof *value), error);
    *test = (sorted){.order = FP_NEED(fp_arena_raw(scratch, size, sizeof *test->order), error),
                     .above = FP_NEED(fp_arena_raw(scratch, size, sizeof *test->above), error),
                     .below = FP_NEED(fp_arena_raw(scratch, size, sizeof *test->below), error)};
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
    to->tests = FP_NEED(fp_arena_alloc(scratch, to->test_count, sizeof *to->tests), error);
    to->weight = FP_NEED(fp_arena_alloc(scratch, to->size, sizeof *to->weight), error);
    to->before = FP_NEED(fp_arena_alloc(scratch, to->size + 1, sizeof *to->before), error);
    for (size_t t = 0; t < to->test_count; t++)
        FP_TRY(sort_test(difference + t * (to->size - 1), margin, to->size, scratch, to->tests + t, error));
    return FP_OK;
}

/* Gamma variables; divided by their sum they are Dirichlet weights. */
static double sample_weights(const work *of, gsl_rng *generator) {
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

/* Standard error of a share of samples; the share is kept at least half a sample away from 0 and 1. */
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
        double sum = sample_weights(&of, &generator);
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
