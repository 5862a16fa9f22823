/* SPDX-License-Identifier: GPL-3.0-or-later
 * Seeds of the hash as a source of chance: means, the variance between seeds, and what becomes of both, against each
 * seed measured as an arm of its own. */
#include "eval/statistics/difference.h"
#include "eval/statistics/spread.h"
#include "tests/support.h"

#include "tests/eval/made_pairs.h"

/* By hand: 0.8, 0.9 and 0.85 have the mean 0.85 and s² = (0.05² + 0.05²)/2. */
static void spread_by_hand(void **state) {
    (void)state;
    static const double VALUES[] = {0.8, 0.9, NAN, 0.85};
    fp_seed_spread of = fp_seed_spread_of(VALUES, 4), one = fp_seed_spread_of(VALUES, 1),
                   none = fp_seed_spread_of(VALUES + 2, 1);
    assert_int_equal(of.count, 3);
    assert_true(near(of.mean, 0.85, 1e-15) && near(of.deviation, 0.05, 1e-15));
    assert_true(near(of.variance, 0.0025 / 3, 1e-17));
    assert_true(one.count == 1 && one.mean == 0.8 && one.deviation == 0 && one.variance == 0);
    assert_true(none.count == 0 && isnan(none.mean) && none.variance == 0);
    /* Satterthwaite: 25 degrees of freedom of the documents (20 and FP_DYADIC_KNOWN), 4 of the seeds;
     * (0.001 + 0.003)²/(0.001²/25 + 0.003²/4) = 6.9869… */
    fp_dyadic spread = {.variance = 0.001, .freedom = 20, .units = 100};
    fp_dyadic_add_seeds(&spread, &(fp_seed_spread){.count = 5, .variance = 0.003});
    assert_true(near(spread.variance, 0.004, 1e-17) && spread.seeds == 0.003);
    assert_true(near(fp_dyadic_freedom(&spread), 16.0 / (1.0 / (20 + FP_DYADIC_KNOWN) + 9.0 / 4), 1e-12));
    assert_true(near(fp_seed_share(&(fp_seed_spread){.count = 5, .variance = 0.003}, spread.variance), 0.75, 1e-12));
    /* What does not vary adds nothing, and takes no degree of freedom. */
    spread = (fp_dyadic){.variance = 0.001, .freedom = INFINITY, .units = 100};
    fp_dyadic_add_seeds(&spread, &one);
    assert_true(spread.variance == 0.001 && spread.seeds == 0 && fp_dyadic_freedom(&spread) == 99);
}

/* ---- Against arms of their own ---- */

enum { SEEDS = 4, LANES = SEEDS + 1, PAIRS = 800 };

typedef struct world {
    fp_arena *arena, *scratch;
    set *from;
    double noisy[SEEDS][PAIRS];
    fp_resample resample;
    fp_bootstrap seeded; /* arm 0 under four seeds, arm 1 without one */
    fp_bootstrap alone;  /* its seeds as arms 0 … 3, then the other */
} world;

static void run(world *in, const double *const *distances, size_t arms, const fp_further_seeds *further,
                fp_bootstrap *to) {
    fp_bootstrap_options options = {.replicates = 60,
                                    .seed = 7,
                                    .thresholds = LIMITS,
                                    .threshold_count = LIMIT_COUNT,
                                    .ranked = RANKED,
                                    .ranked_count = RANKED_COUNT,
                                    .further = further};
    ASSERT_GOOD(fp_bootstrap_run(&in->resample, &(fp_paired_distances){in->from->pairs, distances, arms}, &options,
                                 NULL, in->arena, to, &test_error));
}

static world *make_world(shape of) {
    static const fp_further_seeds FURTHER[] = {{2, SEEDS - 1}, {LANES, 0}};
    fp_arena *arena = fp_arena_new();
    world *in = fp_arena_alloc(arena, 1, sizeof *in);
    in->arena = arena;
    in->scratch = fp_arena_new();
    in->from = fp_arena_alloc(arena, 1, sizeof *in->from);
    make_set(in->from, of, PAIRS, 120, 3);
    resample_set(in->from, of == GROUPED ? in->from->group : NULL, FP_SAMPLING_AUTO, arena, &in->resample);
    for (size_t k = 0; k < SEEDS; k++)
        for (size_t i = 0; i < PAIRS; i++)
            in->noisy[k][i] = in->from->distance[1][i] + (double)(fp_mix(i, 100 + k) % 5);
    const double *lanes[LANES] = {in->noisy[0], in->from->distance[0], in->noisy[1], in->noisy[2], in->noisy[3]};
    const double *alone[LANES] = {in->noisy[0], in->noisy[1], in->noisy[2], in->noisy[3], in->from->distance[0]};
    run(in, lanes, 2, FURTHER, &in->seeded);
    run(in, alone, LANES, NULL, &in->alone);
    return in;
}

static void free_world(world *in) {
    fp_arena_free(in->scratch);
    fp_arena_free(in->arena);
}

/* Mean of the influence values of the seeds, and their spread, from the arms that stand alone. */
static void average_alone(world *in, fp_measure measure, double *influence, fp_seed_spread *seeds) {
    double values[SEEDS], own[PAIRS];
    for (size_t i = 0; i < PAIRS; i++) influence[i] = 0;
    for (size_t k = 0; k < SEEDS; k++) {
        values[k] = fp_bootstrap_value(&in->alone, in->alone.replicates, k, measure);
        influence_of(&in->alone, k, measure, in->scratch, own);
        for (size_t i = 0; i < PAIRS; i++) influence[i] += own[i] / SEEDS;
    }
    *seeds = fp_seed_spread_of(values, SEEDS);
}

/* That of influence values which are computed here. */
static fp_dyadic spread_under(world *in, size_t arm, fp_measure measure, const double *values) {
    fp_dyadic spread;
    fp_influence influence = {.mean = values};
    ASSERT_GOOD(fp_spread_of(&in->seeded, &(fp_spread_side){arm, influence, fp_members_of_measure(measure)}, NULL,
                             in->scratch, &spread, &test_error));
    return spread;
}

static void check_estimate(world *in, fp_measure measure) {
    double influence[PAIRS], averaged[PAIRS];
    fp_seed_spread seeds;
    fp_dyadic documents;
    fp_estimate estimate;
    average_alone(in, measure, influence, &seeds);
    influence_of(&in->seeded, 0, measure, in->scratch, averaged);
    for (size_t i = 0; i < PAIRS; i++) assert_true(near(averaged[i], influence[i], 1e-12));
    documents = spread_under(in, 0, measure, influence);
    ASSERT_GOOD(
        fp_bootstrap_estimate(&in->seeded, 0, measure, FP_METHOD_MID_P, 0.95, in->scratch, &estimate, &test_error));
    if (fp_measure_at_threshold(measure.row)) { /* of its own seed, as if it had no other */
        fp_estimate own;
        ASSERT_GOOD(
            fp_bootstrap_estimate(&in->alone, 0, measure, FP_METHOD_MID_P, 0.95, in->scratch, &own, &test_error));
        assert_true(estimate.value == own.value && estimate.error == own.error && estimate.seeds.count <= 1);
        assert_true(estimate.interval.low == own.interval.low && estimate.interval.high == own.interval.high);
        return;
    }
    assert_true(near(estimate.value, seeds.mean, 1e-12) && estimate.seeds.count == SEEDS);
    assert_true(near(estimate.seeds.deviation, seeds.deviation, 1e-12));
    assert_true(near(estimate.error, sqrt(documents.variance + seeds.variance), 1e-9));
    assert_true(estimate.interval.low < estimate.value && estimate.value < estimate.interval.high);
}

static void both_variances(void **state) {
    (void)state;
    for (shape of = SHARED; of <= GROUPED; of++) {
        world *in = make_world(of);
        for (size_t m = 0; m < MEASURE_COUNT; m++) check_estimate(in, MEASURES[m]);
        free_world(in);
    }
}

/* Seed by seed less the other arm; the arm without further seeds is the same beside each. */
static void differences(void **state) {
    (void)state;
    world *in = make_world(SHARED);
    for (size_t m = 0; m < MEASURE_COUNT; m++) {
        fp_measure measure = MEASURES[m];
        double influence[PAIRS], other[PAIRS], values[SEEDS];
        fp_seed_spread seeds;
        fp_dyadic documents, by_other;
        fp_difference found, back;
        average_alone(in, measure, influence, &seeds);
        influence_of(&in->alone, SEEDS, measure, in->scratch, other);
        for (size_t i = 0; i < PAIRS; i++) influence[i] -= other[i];
        double still = fp_bootstrap_value(&in->alone, in->alone.replicates, SEEDS, measure);
        for (size_t k = 0; k < SEEDS; k++)
            values[k] = fp_bootstrap_value(&in->alone, in->alone.replicates, k, measure) - still;
        seeds = fp_seed_spread_of(values, SEEDS);
        documents = spread_under(in, 0, measure, influence);
        by_other = spread_under(in, 1, measure, influence);
        documents.variance = fmax(documents.variance, by_other.variance);
        ASSERT_GOOD(fp_difference_of(&in->seeded, (fp_side){0, measure}, (fp_side){1, measure}, FP_METHOD_MID_P, 0.95,
                                     in->scratch, &found, &test_error));
        ASSERT_GOOD(fp_difference_of(&in->seeded, (fp_side){1, measure}, (fp_side){0, measure}, FP_METHOD_MID_P, 0.95,
                                     in->scratch, &back, &test_error));
        assert_true(near(found.value, seeds.mean, 1e-12) && near(found.seeds.deviation, seeds.deviation, 1e-12));
        assert_true(near(found.error, sqrt(documents.variance + seeds.variance), 1e-9));
        assert_true(near(back.p, found.p, 1e-12) && near(back.value, -found.value, 1e-12));
        assert_true(found.p > 0 && found.p <= 1);
    }
    free_world(in);
}

/* An arm without further seeds is what it is among arms that have none, to the last bit. */
static void one_seed_is_as_before(void **state) {
    (void)state;
    world *in = make_world(GROUPED);
    for (size_t m = 0; m < MEASURE_COUNT; m++) {
        fp_estimate seeded, alone;
        ASSERT_GOOD(fp_bootstrap_estimate(&in->seeded, 1, MEASURES[m], FP_METHOD_MID_P, 0.95, in->scratch, &seeded,
                                          &test_error));
        ASSERT_GOOD(fp_bootstrap_estimate(&in->alone, SEEDS, MEASURES[m], FP_METHOD_MID_P, 0.95, in->scratch, &alone,
                                          &test_error));
        assert_true(seeded.value == alone.value && seeded.error == alone.error && seeded.seeds.variance == 0);
        assert_true(seeded.interval.low == alone.interval.low && seeded.interval.high == alone.interval.high);
    }
    for (size_t t = 0; t < LIMIT_COUNT; t++) {
        fp_confusion own = fp_bootstrap_counts(&in->seeded, in->seeded.replicates, 0, t),
                     alone = fp_bootstrap_counts(&in->alone, in->alone.replicates, 0, t);
        assert_true(own.tp == alone.tp && own.fp == alone.fp && own.fn == alone.fn && own.tn == alone.tn);
    }
    free_world(in);
}

/* Precision at 0 where one seed alone calls a pair: the value is that of the seed that has one. */
static void undefined_seeds_are_left_out(void **state) {
    (void)state;
    static const fp_pair PAIRS_OF[] = {{0, 1, 1}, {2, 3, 0}, {4, 5, 1}, {6, 7, 0}};
    static const double NONE[] = {5, 6, 7, 8}, ONE[] = {0, 6, 7, 8}, TWO[] = {0, 0, 7, 8};
    static const fp_further_seeds FURTHER[] = {{1, 2}};
    const double *lanes[] = {NONE, ONE, TWO};
    static const double LIMIT[] = {0};
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    fp_resample resample;
    fp_bootstrap bootstrap;
    fp_seed_spread seeds;
    fp_bootstrap_options options = {
        .replicates = 20, .seed = 1, .thresholds = LIMIT, .threshold_count = 1, .further = FURTHER};
    fp_measure precision = {.row = &fp_measure_precision}, recall = {.row = &fp_measure_recall};
    ASSERT_GOOD(fp_resample_make(PAIRS_OF, 4, NULL, 8, FP_SAMPLING_AUTO, arena, &resample, &test_error));
    ASSERT_GOOD(fp_bootstrap_run(&resample, &(fp_paired_distances){PAIRS_OF, lanes, 1}, &options, NULL, arena,
                                 &bootstrap, &test_error));
    assert_true(near(fp_bootstrap_value(&bootstrap, 20, 0, precision), (1 + 0.5) / 2, 1e-15));
    assert_true(near(fp_bootstrap_value(&bootstrap, 20, 0, recall), (0 + 0.5 + 0.5) / 3, 1e-15));
    ASSERT_GOOD(fp_bootstrap_seeds(&bootstrap, (fp_side){0, precision}, NULL, scratch, &seeds, &test_error));
    assert_true(seeds.count == 2 && near(seeds.variance, 0.125 / 2, 1e-15));
    /* At a threshold it is the arm's own seed, which calls nothing: not defined, or a convention without interval. */
    fp_estimate estimate;
    ASSERT_GOOD(
        fp_bootstrap_estimate(&bootstrap, 0, precision, FP_METHOD_MID_P, 0.95, scratch, &estimate, &test_error));
    assert_true(isnan(estimate.value) && isnan(estimate.interval.low));
    bootstrap.options.empty = FP_EMPTY_ZERO;
    ASSERT_GOOD(
        fp_bootstrap_estimate(&bootstrap, 0, precision, FP_METHOD_MID_P, 0.95, scratch, &estimate, &test_error));
    assert_true(estimate.value == 0 && isnan(estimate.interval.low));
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

/* Half of the Matthews correlation's interval is about t times its error, and t has the degrees of freedom of both
 * parts of the variance, whatever the range on which a share is made of the measure. */
static void ranges_change_no_freedom(void **state) {
    (void)state;
    world *in = make_world(GROUPED);
    for (size_t t = 5; t < LIMIT_COUNT; t++) { /* where five duplicates are found, and one unit more is not the most */
        fp_measure measure;
        fp_estimate found;
        fp_seed_spread seeds;
        double influence[PAIRS];
        ASSERT_GOOD(fp_measure_find("matthews_correlation", 0, &measure, &test_error));
        measure.threshold = t;
        average_alone(in, measure, influence, &seeds);
        fp_dyadic spread = spread_under(in, 0, measure, influence);
        fp_dyadic_add_seeds(&spread, &seeds);
        ASSERT_GOOD(
            fp_bootstrap_estimate(&in->seeded, 0, measure, FP_METHOD_MID_P, 0.95, in->scratch, &found, &test_error));
        double expected = 1.96 * fp_by_student(fp_dyadic_freedom(&spread), 0.95) * found.error;
        /* One unit more makes it longer. */
        assert_true(near((found.interval.high - found.interval.low) / 2 / expected, 1.25, 0.3));
    }
    free_world(in);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spread_by_hand),
        cmocka_unit_test(both_variances),
        cmocka_unit_test(differences),
        cmocka_unit_test(one_seed_is_as_before),
        cmocka_unit_test(undefined_seeds_are_left_out),
        cmocka_unit_test(ranges_change_no_freedom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
