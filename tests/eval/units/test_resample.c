/* SPDX-License-Identifier: GPL-3.0-or-later
 * Resampling and variances: against definitions by brute force. */
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "eval/statistics/spread.h"
#include "eval/statistics/measure_interval.h"
#include "tests/support.h"

#include "tests/eval/made_pairs.h"

/* ---- Resampling ---- */

static void units_follow_the_pairs(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    fp_resample resample;
    make_set(from, APART, 100, 0, 1);
    resample_set(from, NULL, FP_SAMPLING_AUTO, arena, &resample);
    assert_true(resample.unit == FP_SAMPLING_PAIR && resample.unit_count == 100 && !resample.crossing &&
                resample.shared_documents == 0);
    assert_non_null(strstr(fp_resample_describe(&resample, arena), "they are independent, and each is a unit"));
    make_set(from, STARS, 900, 0, 1);
    resample_set(from, NULL, FP_SAMPLING_AUTO, arena, &resample);
    assert_true(resample.unit == FP_SAMPLING_PART && resample.unit_count == 100 && resample.part_count == 100 &&
                !resample.crossing);
    assert_true(resample.busiest == 9 && resample.shared_documents == 100 && near(resample.effective_parts, 100, 1e-9));
    make_set(from, SHARED, 900, 150, 1);
    resample_set(from, NULL, FP_SAMPLING_AUTO, arena, &resample);
    assert_true(resample.unit == FP_SAMPLING_DOCUMENT && resample.crossing && resample.unit_count <= 150);
    assert_non_null(strstr(fp_resample_describe(&resample, arena), "not independent"));
    make_set(from, GROUPED, 900, 150, 1);
    resample_set(from, from->group, FP_SAMPLING_AUTO, arena, &resample);
    assert_true(resample.unit == FP_SAMPLING_GROUP && resample.crossing && resample.unit_count == 50);
    /* One group only is no group to draw: what duplicates connect is. */
    memset(from->group, 0, sizeof from->group);
    resample_set(from, from->group, FP_SAMPLING_AUTO, arena, &resample);
    assert_true(resample.unit == FP_SAMPLING_COMPONENT && !resample.nodes.grouped && resample.nodes.refused == 150);
    resample_set(from, NULL, FP_SAMPLING_PAIR, arena, &resample);
    assert_non_null(strstr(fp_resample_describe(&resample, arena), "too narrow"));
    assert_int_equal(fp_resample_make(from->pairs, 0, NULL, 0, FP_SAMPLING_AUTO, arena, &resample, &test_error),
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
    resample_set(from, from->group, FP_SAMPLING_AUTO, arena, &resample);
    uint32_t drawn[40], weight[600], of_group[40] = {0}, sum = 0;
    ASSERT_GOOD(fp_resample_draw(&resample, 5, 0, arena, drawn, &test_error));
    fp_resample_weigh(&resample, drawn, weight);
    for (size_t i = 0; i < resample.unit_count; i++) sum += drawn[i];
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

/* A weight of k is the pair k times: every measure equals that of the curve over repeated pairs. */
static void weights_repeat_pairs(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    make_set(from, SHARED, 500, 90, 11);
    fp_resample resample;
    fp_bootstrap bootstrap;
    resample_set(from, NULL, FP_SAMPLING_AUTO, arena, &resample);
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
        assert_true(near(fp_bootstrap_value(&bootstrap, r, 1, (fp_measure){.row = &fp_measure_average_precision}),
                         curve.average_precision, 1e-12));
        assert_true(
            near(fp_bootstrap_value(&bootstrap, r, 1, (fp_measure){.row = &fp_measure_best_f1}), curve.best_f1, 1e-12));
        assert_true(near(fp_bootstrap_value(&bootstrap, r, 1, (fp_measure){.row = &fp_measure_roc_area}),
                         curve.roc_area, 1e-12));
        for (size_t t = 0; t < LIMIT_COUNT; t++) {
            fp_confusion expected = fp_confusion_at(&histogram, LIMITS[t]),
                         found = fp_bootstrap_counts(&bootstrap, r, 1, t);
            assert_memory_equal(&expected, &found, sizeof expected);
        }
        fp_histogram_free(&histogram);
    }
    fp_arena_free(arena);
}

/* One duplicate alone, and both with two others, give the same F1 of two thirds: the nearer threshold is the best. */
static void best_f1_takes_the_nearer_of_two(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    static const fp_pair PAIRS[] = {{0, 1, 1}, {2, 3, 1}, {4, 5, 0}, {6, 7, 0}};
    static const double DISTANCES[] = {1, 2, 2, 2}, LIMIT[] = {0, 1, 2};
    fp_ranking ranking;
    fp_called called[3];
    uint64_t cells[4] = {0};
    fp_ranked_step steps[2];
    ASSERT_GOOD(fp_ranking_make(DISTANCES, PAIRS, 4, LIMIT, 3, arena, &ranking, &test_error));
    fp_ranking_fill(&ranking, NULL, cells);
    fp_ranked ranked = fp_ranking_count(&ranking, cells, steps, called);
    assert_true(ranked.positives == 2 && ranked.negatives == 2);
    assert_true(fp_measure_best_f1.over_range(&ranked) == 2.0 / 3);
    assert_true(fp_measure_best_threshold.over_range(&ranked) == 1);
    assert_true(called[0].tp == 0 && called[1].tp == 1 && called[1].fp == 0 && called[2].tp == 2 && called[2].fp == 2);
    fp_arena_free(arena);
}

/* Replicates, and what is made of them, do not depend on the number of threads. */
static void threads_change_nothing(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    make_set(from, GROUPED, 700, 150, 2);
    fp_resample resample;
    resample_set(from, from->group, FP_SAMPLING_AUTO, arena, &resample);
    fp_estimate first[MEASURE_COUNT];
    for (int threads = 1; threads <= 3; threads++) {
        fp_bootstrap bootstrap;
        run_set_over(&(fp_progress){.threads = threads}, from, &resample, 100, arena, &bootstrap);
        for (size_t i = 0; i < MEASURE_COUNT; i++) {
            fp_estimate now;
            ASSERT_GOOD(
                fp_bootstrap_estimate(&bootstrap, 0, MEASURES[i], FP_METHOD_BCA, 0.9, scratch, &now, &test_error));
            if (threads == 1) first[i] = now;
            assert_memory_equal(&first[i].interval, &now.interval, sizeof now.interval);
        }
    }
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
    resample_set(from, NULL, FP_SAMPLING_AUTO, arena, &resample);
    run_set(from, &resample, 1, arena, &bootstrap);
    fp_ranking ranking = bootstrap.rankings[0];
    uint64_t *cells = fp_arena_alloc(arena, 2 * ranking.bin_count, sizeof *cells);
    fp_totals totals;
    fp_called called[LIMIT_COUNT];
    double values[RANKED_COUNT];
    fp_bootstrap more = bootstrap;
    more.totals = &totals;
    more.called = called;
    more.values = values;
    more.arm_count = 1;
    double influence[200];
    for (size_t f = 0; f < MEASURE_COUNT; f++) {
        influence_of(&bootstrap, 0, MEASURES[f], scratch, influence);
        double value = fp_bootstrap_value(&bootstrap, 1, 0, MEASURES[f]);
        for (size_t i = 0; i < 200; i += 3) {
            uint32_t weight[200];
            for (size_t j = 0; j < 200; j++) weight[j] = MANY + (i == j);
            memset(cells, 0, 2 * ranking.bin_count * sizeof *cells);
            fp_ranking_fill(&ranking, weight, cells);
            fp_ranked_step steps[200];
            fp_ranked ranked = fp_ranking_count(&ranking, cells, steps, called);
            totals = (fp_totals){ranked.positives, ranked.negatives};
            for (size_t k = 0; k < RANKED_COUNT; k++) values[k] = RANKED[k].row->over_range(&ranked);
            double change = (fp_bootstrap_value(&more, 0, 0, MEASURES[f]) - value) * MANY;
            assert_true(near(change, influence[i], 1e-5 + 1e-4 * fabs(influence[i])));
        }
    }
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

static bool touch(const fp_resample *of, size_t i, size_t j) {
    return of->first[i] == of->first[j] || of->first[i] == of->second[j] || of->second[i] == of->first[j] ||
           of->second[i] == of->second[j];
}

/* (U − 1)/U Σ_u (c_u/(1 − h_u))² − Σ_D e_D² over dyads across units, by a look at all pairs for each unit and for each
 * pair. */
static double without_each(const fp_resample *of, const double *value, const bool *counted, double count, double mean) {
    double units = (double)of->unit_count, squares = 0, across = 0;
    for (uint32_t u = 0; u < of->unit_count; u++) {
        double sum = 0, share = 0;
        for (size_t i = 0; i < of->pair_count; i++) {
            if (of->first[i] != u && of->second[i] != u) continue;
            sum += value[i];
            share += counted[i] / count;
        }
        squares += pow((sum - mean) / (1 - share), 2) * (units - 1) / units;
    }
    for (size_t i = 0; i < of->pair_count; i++)
        for (size_t j = 0; j < of->pair_count; j++)
            if (of->first[i] != of->second[i] && ((of->first[i] == of->first[j] && of->second[i] == of->second[j]) ||
                                                  (of->first[i] == of->second[j] && of->second[i] == of->first[j])))
                across += value[i] * value[j];
    return squares - across;
}

/* Σ e_p·e_q over all couples of pairs that share a unit, as Aronow, Samii and Assenova define it; and the jackknife's
 * where pairs are counted, which is larger here. */
static void variance_counts_couples_that_share(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    static const shape SHAPES[] = {SHARED, GROUPED, STARS, APART};
    for (size_t s = 0; s < 4; s++) {
        make_set(from, SHAPES[s], 900, 150, 5);
        fp_resample resample;
        resample_set(from, SHAPES[s] == GROUPED ? from->group : NULL, FP_SAMPLING_AUTO, arena, &resample);
        double value[900], robust = 0, total = 0;
        bool member[900];
        for (size_t i = 0; i < 900; i++) {
            value[i] = (double)(resample.first[i] % 5) + (double)(resample.second[i] % 5) - 4 +
                       0.1 * (double)(fp_mix(i, 1) % 11);
            member[i] = from->pairs[i].label;
            total += (resample.first[i] == resample.second[i] ? 1 : 2) * value[i];
        }
        double count = 0, squares = 0;
        for (size_t i = 0; i < 900; i++) {
            count += member[i];
            squares += value[i] * value[i];
            for (size_t j = 0; j < 900; j++) robust += touch(&resample, i, j) ? value[i] * value[j] : 0;
        }
        fp_dyadic spread, leverage;
        ASSERT_GOOD(fp_dyadic_of(&resample, value, NULL, arena, &spread, &test_error));
        ASSERT_GOOD(fp_dyadic_of(&resample, value, member, arena, &leverage, &test_error));
        double units = (double)resample.unit_count, variance = robust - total * total / units;
        assert_true(near(spread.variance, variance, 1e-6 * robust) &&
                    near(spread.independent, squares, 1e-9 * squares));
        assert_true(resample.crossing ? spread.resampled > spread.variance : spread.resampled == spread.variance);
        double left_out = without_each(&resample, value, member, count, total / units);
        assert_true(near(leverage.variance, resample.unit == FP_SAMPLING_PAIR ? variance : fmax(variance, left_out),
                         1e-6 * robust));
        assert_true(resample.unit == FP_SAMPLING_PAIR || left_out > variance);
    }
    fp_arena_free(arena);
}

/* Half of what independent pairs have is left where the pairs of each unit make up for one another. */
static void agreement_inside_units_is_no_certainty(void **state) {
    (void)state;
    enum { PAIRS = 900 };
    fp_arena *arena = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    make_set(from, STARS, PAIRS, 0, 8);
    fp_resample resample;
    fp_dyadic spread;
    double value[PAIRS];
    resample_set(from, NULL, FP_SAMPLING_PART, arena, &resample);
    for (size_t i = 0; i < PAIRS; i++) value[i] = i % 9 < 3 ? 2 : -1;
    ASSERT_GOOD(fp_dyadic_of(&resample, value, NULL, arena, &spread, &test_error));
    assert_true(spread.resampled == 0 && isinf(spread.freedom) && spread.independent == 300 * 4 + 600 &&
                spread.variance == spread.independent / 2);
    fp_arena_free(arena);
}

/* A variance from G normal values has G − 1 degrees of freedom; one that a single value makes up has about two,
 * whatever the number of the others. The kurtosis of 1,998 normal values is known to 0.11 (one standard error,
 * √(24/n)). */
static void freedom_follows_the_kurtosis(void **state) {
    (void)state;
    enum { PAIRS = 1998 };
    fp_arena *arena = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    make_set(from, APART, PAIRS, 0, 8);
    fp_resample resample;
    fp_dyadic spread;
    double value[PAIRS];
    resample_set(from, NULL, FP_SAMPLING_AUTO, arena, &resample);
    for (size_t i = 0; i < PAIRS; i++)
        value[i] = gsl_cdf_ugaussian_Pinv(((double)(fp_mix(i, 20) >> 11) + 0.5) * 0x1p-53);
    ASSERT_GOOD(fp_dyadic_of(&resample, value, NULL, arena, &spread, &test_error));
    assert_true(near(spread.freedom / (PAIRS - 1), 1, 0.25));
    for (size_t i = 0; i < PAIRS; i++) value[i] = i == 7;
    ASSERT_GOOD(fp_dyadic_of(&resample, value, NULL, arena, &spread, &test_error));
    assert_true(near(spread.freedom, 2, 0.01));
    for (size_t i = 0; i < PAIRS; i++) value[i] = 3;
    ASSERT_GOOD(fp_dyadic_of(&resample, value, NULL, arena, &spread, &test_error));
    assert_true(isinf(spread.freedom));
    /* Student's table: 2.571 at 97.5% with 5 degrees of freedom. */
    assert_true(near(fp_by_student(5, 0.95), 2.571 / 1.96, 5e-4) && fp_by_student(INFINITY, 0.95) == 1);
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
        resample_set(from, SHAPES[s] == GROUPED ? from->group : NULL, FP_SAMPLING_AUTO, arena, &resample);
        run_set(from, &resample, REPLICATES, arena, &bootstrap);
        static const fp_measure SMOOTH[] = {{&fp_measure_recall, 4, 0, false},
                                            {&fp_measure_precision, 9, 0, false},
                                            {&fp_measure_average_precision, 0, 0, false}};
        for (size_t f = 0; f < 3; f++) {
            double mean = 0, variance = 0;
            fp_dyadic spread;
            fp_influence influence;
            ASSERT_GOOD(fp_influence_of(&bootstrap, 0, SMOOTH[f], scratch, &influence, &test_error));
            ASSERT_GOOD(fp_spread_of(&bootstrap, &(fp_spread_side){0, influence, fp_members_of_measure(SMOOTH[f])},
                                     NULL, scratch, &spread, &test_error));
            for (size_t i = 0; i < REPLICATES; i++)
                mean += fp_bootstrap_value(&bootstrap, i, 0, SMOOTH[f]) / REPLICATES;
            for (size_t i = 0; i < REPLICATES; i++)
                variance += pow(fp_bootstrap_value(&bootstrap, i, 0, SMOOTH[f]) - mean, 2) / (REPLICATES - 1);
            assert_true(near(variance / spread.resampled, 1, 0.12));
            /* Intervals are as wide as the variance of the measure says, not that of its replicates. */
            fp_estimate estimate;
            ASSERT_GOOD(fp_bootstrap_estimate(&bootstrap, 0, SMOOTH[f], FP_METHOD_PERCENTILE, 0.95, scratch, &estimate,
                                              &test_error));
            double width = 2 * 1.96 * sqrt(spread.variance) * fp_by_student(fp_dyadic_freedom(&spread), 0.95);
            assert_true(near((estimate.interval.high - estimate.interval.low) / width, 1, 0.1));
        }
    }
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_follow_the_pairs),
        cmocka_unit_test(weights_are_products),
        cmocka_unit_test(weights_repeat_pairs),
        cmocka_unit_test(best_f1_takes_the_nearer_of_two),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(influence_is_the_derivative),
        cmocka_unit_test(variance_counts_couples_that_share),
        cmocka_unit_test(agreement_inside_units_is_no_certainty),
        cmocka_unit_test(freedom_follows_the_kurtosis),
        cmocka_unit_test(replicates_have_the_stated_variance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
