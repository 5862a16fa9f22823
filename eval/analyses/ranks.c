/* SPDX-License-Identifier: GPL-3.0-or-later
 * Average ranks over corpora, and the tests of Friedman, Iman and Davenport, and Nemenyi. */
#include "eval/analyses/ranks.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_randist.h>
#include <math.h>

#include "base/scope.h"
#include "eval/evaluation/outcome.h"
#include "eval/statistics/proportion_interval.h"
#include "eval/statistics/bootstrap.h"
#include "eval/statistics/difference.h"

/* ---- The range of normal variables ---- */

typedef struct range {
    double width, others;
} range;

/* The smallest of them lies at z − width or above, and all others between it and z, the largest. */
static double largest_at(double z, void *context) {
    const range *it = context;
    return gsl_ran_ugaussian_pdf(z) * pow(gsl_cdf_ugaussian_P(z) - gsl_cdf_ugaussian_P(z - it->width), it->others);
}

/* P(range ≤ width). Beyond 9 a standard normal density is below 1e-18, and 21 points on a panel of a half are exact to
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

/* The distribution function rises, and is 1 at 40 as doubles go. */
double fp_nemenyi_quantile(size_t count, double alpha) {
    quantile wanted = {count, 1 - alpha};
    return fp_bisect(below_quantile, &wanted, 0, 40) / sqrt(2);
}

/* ---- Ranks ---- */

/* Corpora without a NaN, moved together. */
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

/* One more than the arms that are better, and half the others that are equal. */
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

/* By insertion, so that equal arms keep their order. */
static void sort_arms(const fp_rank_arm *arms, size_t count, size_t *order) {
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        for (; at && arms[order[at - 1]].rank > arms[i].rank; at--) order[at] = order[at - 1];
        order[at] = i;
    }
}

/* ---- Tests ---- */

/* Σ(t³ − t) of a corpus: each arm of t equal ones adds t² − 1. */
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
    bool perfect = rest <= 1e-12 * n * (k - 1); /* every corpus orders the arms alike */
    ranks->f = perfect ? INFINITY : (n - 1) * ranks->chi_square / rest;
    ranks->f_p = perfect ? 0 : gsl_cdf_fdist_Q(ranks->f, k - 1, (k - 1) * (n - 1));
    ranks->critical_difference = fp_nemenyi_quantile(ranks->arm_count, FP_RANKS_ALPHA) * sqrt(k * (k + 1) / (6 * n));
}

static void find_cliques(fp_ranks *ranks, fp_clique *cliques) {
    size_t reached = 0; /* the last arm of the clique before */
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

/* Where no corpus differs from another by more than rounding they are as many trials. */
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

/* ---- All ---- */

fp_status fp_ranks_make(const double *values, size_t corpus_count, size_t arm_count, double confidence, fp_arena *arena,
                        fp_ranks *ranks, fp_error *error) {
    *ranks = (fp_ranks){.arm_count = arm_count};
    if (arm_count < 2) return fp_fail(error, FP_ERROR_EMPTY, "ranks need two arms or more");
    if (corpus_count > SIZE_MAX / arm_count) return fp_no_memory(error);
    double *kept = fp_arena_alloc(arena, corpus_count * arm_count, sizeof *kept);
    fp_rank_arm *arms = fp_arena_alloc(arena, arm_count, sizeof *arms);
    size_t *order = fp_arena_alloc(arena, arm_count, sizeof *order);
    fp_clique *cliques = fp_arena_alloc(arena, arm_count, sizeof *cliques);
    if (!kept || !arms || !order || !cliques) return fp_no_memory(error);
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
    double *p = fp_arena_raw(scratch, to->count, sizeof *p);
    fp_posterior *posteriors = fp_arena_raw(scratch, to->count, sizeof *posteriors);
    if (!p || !posteriors) return fp_no_memory(error);
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
    if (pairs->count > SIZE_MAX / ranks->corpus_count) return fp_no_memory(error);
    fp_rank_pair *list = fp_arena_alloc(arena, pairs->count, sizeof *list);
    FP_SCRATCH(scratch, arena, error);
    double *differences = fp_arena_raw(scratch, pairs->count * ranks->corpus_count, sizeof *differences);
    pairs->pairs = list;
    if (!list || !differences) return fp_no_memory(error);
    list_pairs(ranks, list, differences);
    return test_pairs(differences, ranks->corpus_count, scratch, pairs, list, error);
}

/* ---- Ranks of arms over corpora ---- */

static double average_precision(const fp_outcome *outcome, size_t arm) {
    return fp_seeds_curve_mean(outcome, arm, offsetof(fp_curve, average_precision));
}

static bool is_defined(const fp_outcome *outcome) {
    for (size_t arm = 0; arm < outcome->count; arm++)
        if (isnan(average_precision(outcome, arm))) return false;
    return true;
}

bool fp_ranks_outcome_can(const fp_outcome *outcomes, size_t count) {
    size_t defined = 0;
    for (size_t i = 0; i < count; i++) {
        if (outcomes[i].count < 2 || outcomes[i].count != outcomes[0].count) return false;
        defined += is_defined(outcomes + i);
    }
    return defined >= 2;
}

fp_status fp_ranks_outcome_make(const fp_outcome *outcomes, size_t count, double confidence, fp_arena *arena,
                                fp_ranks *ranks, fp_error *error) {
    size_t arms = outcomes[0].count;
    if (arms && count > SIZE_MAX / arms) return fp_no_memory(error);
    double *values = fp_arena_alloc(arena, count * arms, sizeof *values);
    if (!values) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++)
        for (size_t arm = 0; arm < arms; arm++) values[i * arms + arm] = average_precision(outcomes + i, arm);
    return fp_ranks_make(values, count, arms, confidence, arena, ranks, error);
}
