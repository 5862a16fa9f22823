/* SPDX-License-Identifier: GPL-3.0-or-later
 * Resampling, intervals and differences: against definitions by brute force, closed forms, published examples and SciPy. */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <omp.h>

#include "eval/difference.h"
#include "eval/effective.h"
#include "tests/support.h"

static const double LIMITS[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
enum { LIMIT_COUNT = 10 };

static bool near(double a, double b, double within) { return fabs(a - b) <= within; }

/* ---- Made-up pairs ---- */

typedef struct set {
    size_t count, documents;
    fp_pair pairs[2000];
    uint32_t group[4000];
    double distance[2][2000]; /* two arms; the second is noisier */
} set;

typedef enum shape { APART, SHARED, GROUPED, STARS } shape;

static void make_pair(set *to, shape of, uint64_t seed, size_t i) {
    uint64_t random = fp_mix(i, seed);
    uint32_t a = (uint32_t)(2 * i), b = (uint32_t)(2 * i + 1);
    bool label = random % 10 < 3;
    if (of == STARS) {
        a = (uint32_t)(i / 9 * 10);
        b = (uint32_t)(a + 1 + i % 9);
    } else if (of != APART) {
        a = (uint32_t)(random >> 8) % (uint32_t)to->documents;
        b = label && of == GROUPED
                ? a / 3 * 3 + (a + 1) % 3
                : (a + 1 + (uint32_t)(random >> 40) % (uint32_t)(to->documents - 1)) % (uint32_t)to->documents;
    }
    to->pairs[i] = (fp_pair){a, b, label};
    for (size_t arm = 0; arm < 2; arm++) {
        uint64_t noise = fp_mix(i, seed + 1 + arm);
        double d = (label ? 2 : 7) + (double)(a % 7) / 2 + (double)(b % 5) + (double)(noise % (arm ? 13 : 9));
        to->distance[arm][i] = d;
    }
}

static void make_set(set *to, shape of, size_t count, size_t documents, uint64_t seed) {
    to->count = count;
    to->documents = of == APART ? 2 * count : of == STARS ? (count + 8) / 9 * 10 : documents;
    for (uint32_t i = 0; i < to->documents; i++)
        to->group[i] = i / 3;
    for (size_t i = 0; i < count; i++)
        make_pair(to, of, seed, i);
}

static void resample_set(const set *from, const uint32_t *group, fp_unit unit, fp_arena *arena, fp_resample *resample) {
    ASSERT_GOOD(fp_resample_make(from->pairs, from->count, group, from->documents, unit, arena, resample, &test_error));
}

static void run_set(const set *from, const fp_resample *resample, size_t replicates, fp_arena *arena,
                    fp_bootstrap *bootstrap) {
    const double *distances[2] = {from->distance[0], from->distance[1]};
    fp_bootstrap_options options = {
        .replicates = replicates, .seed = 7, .thresholds = LIMITS, .threshold_count = LIMIT_COUNT};
    ASSERT_GOOD(fp_bootstrap_run(resample, from->pairs, distances, 2, &options, NULL, arena, bootstrap, &test_error));
}

static const fp_figure FIGURES[] = {{FP_FIGURE_PRECISION, 7, 0},
                                    {FP_FIGURE_RECALL, 4, 0},
                                    {FP_FIGURE_F1, 7, 0},
                                    {FP_FIGURE_SPECIFICITY, 9, 0},
                                    {FP_FIGURE_NONE_PRECISION, 6, 0},
                                    {FP_FIGURE_NONE_F1, 6, 0},
                                    {FP_FIGURE_PRECISION_AT, 8, 0.1},
                                    {FP_FIGURE_AVERAGE_PRECISION, 0, 0},
                                    {FP_FIGURE_BEST_F1, 0, 0},
                                    {FP_FIGURE_ROC_AREA, 0, 0}};
enum { FIGURE_COUNT = sizeof FIGURES / sizeof *FIGURES };

/* ---- Resampling ---- */

static void units_follow_the_pairs(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    fp_resample resample;
    make_set(from, APART, 100, 0, 1);
    resample_set(from, NULL, FP_UNIT_AUTO, arena, &resample);
    assert_true(resample.unit == FP_UNIT_PAIR && resample.unit_count == 100 && !resample.crossing &&
                resample.shared_documents == 0);
    assert_non_null(strstr(fp_resample_describe(&resample, arena), "independent, and pairs are resampled"));
    make_set(from, STARS, 900, 0, 1);
    resample_set(from, NULL, FP_UNIT_AUTO, arena, &resample);
    assert_true(resample.unit == FP_UNIT_PART && resample.unit_count == 100 && resample.part_count == 100 &&
                !resample.crossing);
    assert_true(resample.busiest == 9 && resample.shared_documents == 100 && near(resample.effective_parts, 100, 1e-9));
    make_set(from, SHARED, 900, 150, 1);
    resample_set(from, NULL, FP_UNIT_AUTO, arena, &resample);
    assert_true(resample.unit == FP_UNIT_DOCUMENT && resample.crossing && resample.unit_count <= 150);
    assert_non_null(strstr(fp_resample_describe(&resample, arena), "not independent"));
    make_set(from, GROUPED, 900, 150, 1);
    resample_set(from, from->group, FP_UNIT_AUTO, arena, &resample);
    assert_true(resample.unit == FP_UNIT_GROUP && resample.crossing && resample.unit_count == 50);
    /* One group only is no group to draw. */
    memset(from->group, 0, sizeof from->group);
    resample_set(from, from->group, FP_UNIT_AUTO, arena, &resample);
    assert_true(resample.unit == FP_UNIT_DOCUMENT && !resample.grouped);
    resample_set(from, NULL, FP_UNIT_PAIR, arena, &resample);
    assert_non_null(strstr(fp_resample_describe(&resample, arena), "too narrow"));
    assert_int_equal(fp_resample_make(from->pairs, 0, NULL, 0, FP_UNIT_AUTO, arena, &resample, &test_error),
                     FP_ERROR_EMPTY);
    fp_arena_free(arena);
}

/* Pairs inside a group weigh its multiplicity, pairs across two groups the product. */
static void weights_are_products(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    make_set(from, GROUPED, 600, 120, 3);
    fp_resample resample;
    resample_set(from, from->group, FP_UNIT_AUTO, arena, &resample);
    uint32_t drawn[40], weight[600], of_group[40] = {0}, sum = 0;
    ASSERT_GOOD(fp_resample_draw(&resample, 5, 0, arena, drawn, &test_error));
    fp_resample_weigh(&resample, drawn, weight);
    for (size_t i = 0; i < resample.unit_count; i++)
        sum += drawn[i];
    assert_int_equal(sum, resample.unit_count);
    for (size_t i = 0; i < from->count; i++) {
        of_group[from->group[from->pairs[i].a]] = drawn[resample.first[i]];
        of_group[from->group[from->pairs[i].b]] = drawn[resample.second[i]];
    }
    for (size_t i = 0; i < from->count; i++) {
        uint32_t a = from->group[from->pairs[i].a], b = from->group[from->pairs[i].b];
        assert_int_equal(weight[i], a == b ? of_group[a] : of_group[a] * of_group[b]);
    }
    fp_arena_free(arena);
}

/* A weight of k is the pair k times: every figure equals that of the curve over repeated pairs. */
static void weights_repeat_pairs(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    make_set(from, SHARED, 500, 90, 11);
    fp_resample resample;
    fp_bootstrap bootstrap;
    resample_set(from, NULL, FP_UNIT_AUTO, arena, &resample);
    run_set(from, &resample, 5, arena, &bootstrap);
    for (size_t r = 0; r < 5; r++) {
        uint32_t drawn[90], weight[500];
        ASSERT_GOOD(fp_resample_draw(&resample, 7, r, arena, drawn, &test_error));
        fp_resample_weigh(&resample, drawn, weight);
        fp_histogram histogram = {0};
        for (size_t i = 0; i < from->count; i++)
            for (uint32_t k = 0; k < weight[i]; k++)
                ASSERT_GOOD(fp_histogram_add(&histogram, from->distance[1][i], from->pairs[i].label, &test_error));
        fp_histogram_finish(&histogram);
        fp_curve curve;
        ASSERT_GOOD(fp_curve_make(&histogram, arena, &curve, &test_error));
        assert_true(near(fp_bootstrap_value(&bootstrap, r, 1, (fp_figure){.kind = FP_FIGURE_AVERAGE_PRECISION}),
                         curve.average_precision, 1e-12));
        assert_true(
            near(fp_bootstrap_value(&bootstrap, r, 1, (fp_figure){.kind = FP_FIGURE_BEST_F1}), curve.best_f1, 1e-12));
        assert_true(
            near(fp_bootstrap_value(&bootstrap, r, 1, (fp_figure){.kind = FP_FIGURE_ROC_AREA}), curve.roc_area, 1e-12));
        for (size_t t = 0; t < LIMIT_COUNT; t++) {
            fp_confusion expected = fp_confusion_at(&histogram, LIMITS[t]),
                         found = fp_bootstrap_counts(&bootstrap, r, 1, t);
            assert_memory_equal(&expected, &found, sizeof expected);
        }
        fp_histogram_free(&histogram);
    }
    fp_arena_free(arena);
}

/* Replicates, and what is made of them, do not depend on the number of threads. */
static void threads_change_nothing(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    make_set(from, GROUPED, 700, 150, 2);
    fp_resample resample;
    resample_set(from, from->group, FP_UNIT_AUTO, arena, &resample);
    fp_estimate first[FIGURE_COUNT];
    int most = omp_get_max_threads();
    for (int threads = 1; threads <= 3; threads++) {
        fp_bootstrap bootstrap;
        omp_set_num_threads(threads);
        run_set(from, &resample, 100, arena, &bootstrap);
        for (size_t i = 0; i < FIGURE_COUNT; i++) {
            fp_estimate now;
            ASSERT_GOOD(
                fp_bootstrap_estimate(&bootstrap, 0, FIGURES[i], FP_METHOD_BCA, 0.9, scratch, &now, &test_error));
            if (threads == 1) first[i] = now;
            assert_memory_equal(&first[i].interval, &now.interval, sizeof now.interval);
        }
    }
    omp_set_num_threads(most);
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

/* ---- Variance ---- */

/* The derivative is what a small weight on top changes: each pair counts a million times, one of them once more. */
static void influence_is_the_derivative(void **state) {
    (void)state;
    enum { MANY = 1000000 };
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    make_set(from, SHARED, 200, 60, 4);
    fp_resample resample;
    fp_bootstrap bootstrap;
    resample_set(from, NULL, FP_UNIT_AUTO, arena, &resample);
    run_set(from, &resample, 1, arena, &bootstrap);
    fp_ranking ranking = bootstrap.rankings[0];
    uint64_t *cells = fp_arena_alloc(arena, 2 * ranking.bin_count, sizeof *cells);
    fp_tally tally;
    fp_called called[LIMIT_COUNT];
    fp_bootstrap more = bootstrap;
    more.tallies = &tally;
    more.called = called;
    more.arm_count = 1;
    double influence[200];
    for (size_t f = 0; f < FIGURE_COUNT; f++) {
        ASSERT_GOOD(fp_bootstrap_influence(&bootstrap, 0, FIGURES[f], scratch, influence, &test_error));
        double value = fp_bootstrap_value(&bootstrap, 1, 0, FIGURES[f]);
        for (size_t i = 0; i < 200; i += 3) {
            uint32_t weight[200];
            for (size_t j = 0; j < 200; j++)
                weight[j] = MANY + (i == j);
            memset(cells, 0, 2 * ranking.bin_count * sizeof *cells);
            fp_ranking_fill(&ranking, weight, cells);
            fp_ranking_tally(&ranking, cells, called, &tally);
            double change = (fp_bootstrap_value(&more, 0, 0, FIGURES[f]) - value) * MANY;
            assert_true(near(change, influence[i], 1e-5 + 1e-4 * fabs(influence[i])));
        }
    }
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

/* Σ e_p·e_q over all couples of pairs that share a unit, as Aronow, Samii and Assenova define it. */
static void variance_counts_couples_that_share(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    static const shape SHAPES[] = {SHARED, GROUPED, STARS, APART};
    for (size_t s = 0; s < 4; s++) {
        make_set(from, SHAPES[s], 900, 150, 5);
        fp_resample resample;
        resample_set(from, SHAPES[s] == GROUPED ? from->group : NULL, FP_UNIT_AUTO, arena, &resample);
        double value[900], robust = 0, total = 0;
        bool member[900];
        for (size_t i = 0; i < 900; i++) {
            value[i] = (double)(resample.first[i] % 5) + (double)(resample.second[i] % 5) - 4 +
                       0.1 * (double)(fp_mix(i, 1) % 11);
            member[i] = from->pairs[i].label;
            total += (resample.first[i] == resample.second[i] ? 1 : 2) * value[i];
        }
        double count = 0, agreeing = 0;
        for (size_t i = 0; i < 900; i++) {
            count += member[i];
            for (size_t j = 0; j < 900; j++) {
                bool share = resample.first[i] == resample.first[j] || resample.first[i] == resample.second[j] ||
                             resample.second[i] == resample.first[j] || resample.second[i] == resample.second[j];
                if (share) robust += value[i] * value[j];
                if (share) agreeing += member[i] && member[j];
            }
        }
        fp_spread spread;
        double trials;
        ASSERT_GOOD(fp_spread_of(&resample, value, arena, &spread, &test_error));
        ASSERT_GOOD(fp_spread_fewest_trials(&resample, member, arena, &trials, &test_error));
        assert_true(near(spread.variance, robust - total * total / (double)resample.unit_count, 1e-6 * robust));
        assert_true(near(trials, count * count / agreeing, 1e-9 * count));
        assert_true(resample.crossing ? spread.resampled > spread.variance : spread.resampled == spread.variance);
    }
    fp_arena_free(arena);
}

/* The variance that resampling is said to have is the one that replicates show: 4,000 of them know it to about 2.2%
 * (one standard error). */
static void replicates_have_the_stated_variance(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    static const shape SHAPES[] = {APART, SHARED, GROUPED, STARS};
    enum { REPLICATES = 4000 };
    for (size_t s = 0; s < 4; s++) {
        make_set(from, SHAPES[s], 1998, 900, 6);
        fp_resample resample;
        fp_bootstrap bootstrap;
        resample_set(from, SHAPES[s] == GROUPED ? from->group : NULL, FP_UNIT_AUTO, arena, &resample);
        run_set(from, &resample, REPLICATES, arena, &bootstrap);
        static const fp_figure SMOOTH[] = {
            {FP_FIGURE_RECALL, 4, 0}, {FP_FIGURE_PRECISION, 9, 0}, {FP_FIGURE_AVERAGE_PRECISION, 0, 0}};
        for (size_t f = 0; f < 3; f++) {
            double influence[1998], mean = 0, variance = 0;
            fp_spread spread;
            ASSERT_GOOD(fp_bootstrap_influence(&bootstrap, 0, SMOOTH[f], scratch, influence, &test_error));
            ASSERT_GOOD(fp_spread_of(&resample, influence, scratch, &spread, &test_error));
            for (size_t i = 0; i < REPLICATES; i++)
                mean += fp_bootstrap_value(&bootstrap, i, 0, SMOOTH[f]) / REPLICATES;
            for (size_t i = 0; i < REPLICATES; i++)
                variance += pow(fp_bootstrap_value(&bootstrap, i, 0, SMOOTH[f]) - mean, 2) / (REPLICATES - 1);
            assert_true(near(variance / spread.resampled, 1, 0.12));
        }
    }
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

/* ---- Intervals ---- */

/* numpy 1.24, scipy 1.10: x = (arange(1, 1000)/1000)**2; z0 = norm.ppf((sum(x < t) + sum(x == t)/2)/999); levels =
 * norm.cdf(z0 + (z0 + z)/(1 - a*(z0 + z))); quantile(x, levels), for t = 0.25, a = 0.03 at 95% and t = 0.2, a = -0.05
 * at 90%; and quantile(x, [.025, .975]). */
static void bca_equals_scipy(void **state) {
    (void)state;
    double x[999];
    for (size_t i = 0; i < 999; i++)
        x[i] = (double)((i + 1) * (i + 1)) / 1e6;
    fp_interval found = fp_bootstrap_bca(x, 999, 0.25, 0.03, 0.95);
    assert_true(near(found.low, 0.0010898, 5e-8) && near(found.high, 0.96115432, 5e-9));
    found = fp_bootstrap_bca(x, 999, 0.2, -0.05, 0.9);
    assert_true(near(found.low, 3.85090169e-04, 5e-13) && near(found.high, 8.06253027e-01, 5e-10));
    found = fp_bootstrap_percentile(x, 999, 0.95);
    assert_true(near(found.low, 6.7345e-04, 1e-12) && near(found.high, 0.94877345, 1e-12));
    assert_true(isnan(fp_bootstrap_percentile(x, 0, 0.95).low));
}

/* With positives alone, recall over resampled independent pairs is a binomial share: its quantiles are known. */
static void percentiles_of_a_share_are_binomial(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    make_set(from, APART, 400, 0, 9);
    for (size_t i = 0; i < 400; i++) {
        from->pairs[i].label = 1;
        from->distance[0][i] = from->distance[1][i] = i % 5 < 3 ? 1 : 9; /* 240 of 400 */
    }
    fp_resample resample;
    fp_bootstrap bootstrap;
    fp_estimate estimate;
    resample_set(from, NULL, FP_UNIT_AUTO, arena, &resample);
    run_set(from, &resample, 20000, arena, &bootstrap);
    ASSERT_GOOD(fp_bootstrap_estimate(&bootstrap, 0, (fp_figure){FP_FIGURE_RECALL, 2, 0}, FP_METHOD_PERCENTILE, 0.95,
                                      scratch, &estimate, &test_error));
    unsigned low = 0, high = 0;
    while (gsl_cdf_binomial_P(low, 0.6, 400) < 0.025)
        low++;
    while (gsl_cdf_binomial_P(high, 0.6, 400) < 0.975)
        high++;
    assert_true(near(estimate.interval.low, low / 400.0, 1.01 / 400) &&
                near(estimate.interval.high, high / 400.0, 1.01 / 400));
    assert_true(near(estimate.error, sqrt(0.6 * 0.4 / 400), 1e-12));
    /* Without negatives: no specificity, no ROC area, and precision is 1 with an interval of its own. */
    ASSERT_GOOD(fp_bootstrap_estimate(&bootstrap, 0, (fp_figure){FP_FIGURE_ROC_AREA, 0, 0}, FP_METHOD_BCA, 0.95,
                                      scratch, &estimate, &test_error));
    assert_true(isnan(estimate.value) && isnan(estimate.interval.low) && isnan(estimate.error) &&
                estimate.undefined == 20000);
    ASSERT_GOOD(fp_bootstrap_estimate(&bootstrap, 0, (fp_figure){FP_FIGURE_PRECISION, 2, 0}, FP_METHOD_BCA, 0.95,
                                      scratch, &estimate, &test_error));
    assert_true(estimate.value == 1 && estimate.interval.high == 1 &&
                estimate.interval.low == fp_wilson(240, 240, 0.95).low);
    assert_int_equal(estimate.method, FP_METHOD_WILSON);
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

/* For independent pairs the binomial methods are the plain ones. */
static void independent_pairs_get_plain_intervals(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    make_set(from, APART, 500, 0, 12);
    fp_resample resample;
    fp_bootstrap bootstrap;
    resample_set(from, NULL, FP_UNIT_AUTO, arena, &resample);
    run_set(from, &resample, 10, arena, &bootstrap);
    for (size_t t = 0; t < LIMIT_COUNT; t++) {
        fp_confusion c = fp_bootstrap_counts(&bootstrap, 10, 0, t);
        fp_interval expected[] = {fp_wilson(c.tp, c.tp + c.fp, 0.95), fp_wilson(c.tp, c.tp + c.fn, 0.95),
                                  fp_f1_interval(fp_wilson(c.tp, c.tp + c.fp + c.fn, 0.95))};
        for (size_t k = 0; k < 3; k++) {
            fp_estimate found;
            fp_figure figure = {(fp_figure_kind)(FP_FIGURE_PRECISION + k), t, 0};
            ASSERT_GOOD(
                fp_bootstrap_estimate(&bootstrap, 0, figure, FP_METHOD_WILSON, 0.95, scratch, &found, &test_error));
            if (c.tp + c.fp == 0 && k != 1) assert_true(isnan(found.interval.low));
            else
                assert_true(near(found.interval.low, expected[k].low, 1e-9) &&
                            near(found.interval.high, expected[k].high, 1e-9));
        }
        fp_estimate exact;
        fp_interval wanted = fp_clopper_pearson(c.tp, c.tp + c.fn, 0.95);
        ASSERT_GOOD(fp_bootstrap_estimate(&bootstrap, 0, (fp_figure){FP_FIGURE_RECALL, t, 0}, FP_METHOD_CLOPPER_PEARSON,
                                          0.95, scratch, &exact, &test_error));
        assert_true(near(exact.interval.low, wanted.low, 1e-9) && near(exact.interval.high, wanted.high, 1e-9));
    }
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

/* Newcombe, Statistics in Medicine 17, 1998, pages 857 and 873: the exact interval of 81/263, 15/148, 0/20 and 1/29,
 * and method 10 for 56/70 − 48/80, 9/10 − 3/10 and 10/10 − 0/10. Also counts for which GSL's own inverse of the beta
 * distribution gives up. */
static void effective_intervals_of_newcombe(void **state) {
    (void)state;
    static const double EXACT[][4] = {
        {81, 263, 0.2527, 0.3676}, {15, 148, 0.0578, 0.1617}, {0, 20, 0, 0.1684}, {1, 29, 0.0009, 0.1776}};
    for (size_t i = 0; i < 4; i++) {
        fp_interval found = fp_clopper_pearson_effective(EXACT[i][0] / EXACT[i][1], EXACT[i][1], 0.95);
        assert_true(near(found.low, EXACT[i][2], 6e-5) && near(found.high, EXACT[i][3], 6e-5));
    }
    static const double DIFFERENCE[][6] = {
        {56, 70, 48, 80, 0.0524, 0.3339}, {9, 10, 3, 10, 0.1705, 0.8090}, {10, 10, 0, 10, 0.6075, 1}};
    for (size_t i = 0; i < 3; i++) {
        const double *row = DIFFERENCE[i];
        double a = row[0] / row[1], b = row[2] / row[3];
        fp_interval found = fp_square_and_add(a, fp_wilson_effective(a, row[1], 0.95), b,
                                              fp_wilson_effective(b, row[3], 0.95));
        assert_true(near(found.low, row[4], 6e-5) && near(found.high, row[5], 6e-5));
    }
    for (double trials = 3; trials < 1e12; trials *= 7) {
        for (double share = 0; share <= 1; share += 0.0625) {
            fp_interval exact = fp_clopper_pearson_effective(share, trials, 0.95),
                        wilson = fp_wilson_effective(share, trials, 0.95);
            assert_true(exact.low <= share && share <= exact.high && exact.low >= 0 && exact.high <= 1);
            if (trials > 1e4)
                assert_true(near(exact.low, wilson.low, 3 / trials) && near(exact.high, wilson.high, 3 / trials));
        }
    }
}

/* A figure that is not defined in most replicates has no interval; one that is always right has one that is not a point. */
static void small_sets_say_what_they_can(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    make_set(from, APART, 5, 0, 1);
    for (size_t i = 0; i < 5; i++) {
        from->pairs[i].label = i == 0;
        from->distance[0][i] = i == 0 ? 1 : 20;
        from->distance[1][i] = 30;
    }
    fp_resample resample;
    fp_bootstrap bootstrap;
    fp_estimate estimate;
    resample_set(from, NULL, FP_UNIT_AUTO, arena, &resample);
    run_set(from, &resample, 500, arena, &bootstrap);
    ASSERT_GOOD(fp_bootstrap_estimate(&bootstrap, 1, (fp_figure){FP_FIGURE_PRECISION, 3, 0}, FP_METHOD_BCA, 0.95,
                                      scratch, &estimate, &test_error));
    assert_true(isnan(estimate.value) && isnan(estimate.interval.low) && estimate.undefined == 500);
    ASSERT_GOOD(fp_bootstrap_estimate(&bootstrap, 0, (fp_figure){FP_FIGURE_AVERAGE_PRECISION, 0, 0}, FP_METHOD_BCA,
                                      0.95, scratch, &estimate, &test_error));
    /* The one positive is missing from a replicate with probability 0.8⁵ = 0.33. */
    assert_true(estimate.undefined > 120 && estimate.undefined < 210);
    assert_true(estimate.value == 1 && near(estimate.interval.low, fp_wilson(1, 1, 0.95).low, 1e-12) &&
                estimate.interval.high == 1);
    fp_bootstrap_options none = {.replicates = 0};
    const double *distances[] = {from->distance[0]};
    assert_int_equal(
        fp_bootstrap_run(&resample, from->pairs, distances, 1, &none, NULL, arena, &bootstrap, &test_error),
        FP_ERROR_RANGE);
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

/* ---- Differences ---- */

/* Among independent positives the difference of two recalls has the variance (b + c − (b − c)²/n)/n² (Fleiss 1981,
 * section 8.2). */
static void paired_differences(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    make_set(from, APART, 300, 0, 13);
    for (size_t i = 0; i < 300; i++) { /* only the first right: 60, only the second: 30 */
        from->pairs[i].label = 1;
        from->distance[0][i] = i % 10 < 6 ? 1 : 9;
        from->distance[1][i] = i % 10 < 4 || i % 10 == 9 ? 1 : 9;
    }
    fp_resample resample;
    fp_bootstrap bootstrap;
    fp_difference found;
    fp_mcnemar test;
    resample_set(from, NULL, FP_UNIT_AUTO, arena, &resample);
    run_set(from, &resample, 4000, arena, &bootstrap);
    fp_figure recall = {FP_FIGURE_RECALL, 4, 0};
    ASSERT_GOOD(fp_difference_of(&bootstrap, (fp_side){0, recall}, (fp_side){1, recall}, FP_METHOD_PERCENTILE, 0.95,
                                 scratch, &found, &test_error));
    double error = sqrt(90 - 30.0 * 30 / 300) / 300;
    assert_true(near(found.value, 0.1, 1e-12) && near(found.error, error, 1e-12));
    assert_true(near(found.interval.low, 0.1 - 1.96 * error, 0.004) &&
                near(found.interval.high, 0.1 + 1.96 * error, 0.004));
    assert_true(near(found.p, 2 * gsl_cdf_ugaussian_Q(0.1 / error), 0.001));
    ASSERT_GOOD(fp_mcnemar_of(&bootstrap, 0, 4, 1, 4, scratch, &test, &test_error));
    assert_true(test.only_first == 60 && test.only_second == 30 &&
                near(test.p, 2 * gsl_cdf_binomial_P(30, 0.5, 90), 1e-12));
    assert_true(near(test.robust, 2 * gsl_cdf_ugaussian_Q(30 / sqrt(90 - 900.0 / 300)), 1e-12));
    ASSERT_GOOD(fp_difference_of(&bootstrap, (fp_side){0, recall}, (fp_side){0, recall}, FP_METHOD_BCA, 0.95, scratch,
                                 &found, &test_error));
    assert_true(found.value == 0 && found.p == 1);
    fp_figure precision = {FP_FIGURE_PRECISION, 4, 0};
    ASSERT_GOOD(fp_difference_of(&bootstrap, (fp_side){0, precision}, (fp_side){1, precision}, FP_METHOD_BCA, 0.95,
                                 scratch, &found, &test_error));
    assert_true(found.value == 0 && found.p == 1 && found.interval.low < 0 && found.interval.high > 0);
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

/* Fagerland, Lydersen, Laake, BMC Medical Research Methodology 13:91, 2013: airway hyper-responsiveness before and
 * after transplantation, 1 against 7 discordant children: exact p 0.0703. 6 against 16 by hand: 220112/2²². */
static void mcnemar_examples(void **state) {
    (void)state;
    assert_true(near(fp_mcnemar_exact(1, 7), 0.0703, 5e-5) && fp_mcnemar_exact(1, 7) == fp_mcnemar_exact(7, 1));
    assert_true(near(fp_mcnemar_exact(6, 16), 220112.0 / 4194304, 1e-12));
    assert_true(fp_mcnemar_exact(0, 0) == 1 && fp_mcnemar_exact(5, 5) == 1);
    assert_true(fp_mcnemar_exact(100000000, 100100000) < 1e-6 && fp_mcnemar_exact(100000000, 100000100) > 0.9);
}

/* The documentation of pingouin's `holm`, and of stdlib's `padjust`; NaN as in R's p.adjust. */
static void holm_examples(void **state) {
    (void)state;
    double p[6] = {.50, .003, .32, NAN, .054, .0003}, adjusted[6];
    static const double EXPECTED[6] = {0.64, 0.012, 0.64, NAN, 0.162, 0.0015};
    ASSERT_GOOD(fp_holm(p, 6, adjusted, &test_error));
    for (size_t i = 0; i < 6; i++)
        assert_true(i == 3 ? isnan(adjusted[i]) : near(adjusted[i], EXPECTED[i], 1e-12));
    double q[5] = {0.319, 0.201, 0.4, 0.374, 0.113};
    static const double SECOND[5] = {0.957, 0.804, 0.957, 0.957, 0.565};
    ASSERT_GOOD(fp_holm(q, 5, q, &test_error));
    for (size_t i = 0; i < 5; i++)
        assert_true(near(q[i], SECOND[i], 1e-12));
    ASSERT_GOOD(fp_holm(q, 0, q, &test_error));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_follow_the_pairs),
        cmocka_unit_test(weights_are_products),
        cmocka_unit_test(weights_repeat_pairs),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(influence_is_the_derivative),
        cmocka_unit_test(variance_counts_couples_that_share),
        cmocka_unit_test(replicates_have_the_stated_variance),
        cmocka_unit_test(bca_equals_scipy),
        cmocka_unit_test(percentiles_of_a_share_are_binomial),
        cmocka_unit_test(independent_pairs_get_plain_intervals),
        cmocka_unit_test(effective_intervals_of_newcombe),
        cmocka_unit_test(small_sets_say_what_they_can),
        cmocka_unit_test(paired_differences),
        cmocka_unit_test(mcnemar_examples),
        cmocka_unit_test(holm_examples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
