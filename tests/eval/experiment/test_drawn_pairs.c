/* SPDX-License-Identifier: GPL-3.0-or-later
 * A sample of negatives: its weights, its counts against the count of all pairs, and its sums over the units against
 * the same sums over a list. */
#include <math.h>

#include "eval/experiment/sampled_pairs.h"
#include "eval/experiment/groups.h"
#include "eval/evaluation/counting.h"
#include "eval/units/resample.h"
#include "tests/eval/made_corpus.h"

/* Vectors with the ways of joining, and an algorithm without keys all of whose documents say nothing. */
static const char *const ARMS[] = {"jaccard:features=chars:1", "jaccard:measure=weighted,features=chars:1,weight=tf",
                                   "cosine:features=chars:1", "jaccard:measure=containment,features=chars:2",
                                   "pinyin:granule=8"};
enum { ARM_COUNT = sizeof ARMS / sizeof *ARMS, THRESHOLDS = 5, FUNCTIONALS = 3 };
static const double LIMITS[THRESHOLDS] = {0, 4, 10, 20, 64};

/* Arms on a corpus, with so many negatives drawn; 0: with all. */
typedef struct sampled {
    fp_measurement measurements[ARM_COUNT];
    fp_counted_pairs counted;
} sampled;

static void measure_arms(const made *it, uint64_t negatives, uint64_t seed, int threads, sampled *to) {
    fp_progress over = {.threads = threads};
    fp_stage stage = {.corpus = &it->corpus, .progress = &over, .negatives = negatives, .seed = seed};
    fp_arm *arms[ARM_COUNT];
    for (size_t a = 0; a < ARM_COUNT; a++) ASSERT_GOOD(fp_arm_parse(ARMS[a], NULL, it->arena, arms + a, &test_error));
    ASSERT_GOOD(fp_experiment_staged(&stage, arms, ARM_COUNT, it->arena, to->measurements, &test_error));
}

static void count_arms(const made *it, int threads, sampled *to) {
    static const fp_measure list[FUNCTIONALS] = {
        {.row = &fp_measure_average_precision}, {.row = &fp_measure_roc_area}, {.row = &fp_measure_best_f1}};
    fp_progress over = {.threads = threads};
    fp_counting counting = {&it->corpus, to->measurements,      ARM_COUNT, LIMITS, THRESHOLDS, list,
                            FUNCTIONALS, FP_COUNTING_DOCUMENTS, 1};
    ASSERT_GOOD(fp_counting_run(&counting, &over, it->arena, &to->counted, &test_error));
}

static void release(sampled *of) {
    for (size_t a = 0; a < ARM_COUNT; a++) fp_measurement_free(of->measurements + a);
}

static fp_confusion counts_of(const sampled *of, size_t arm, double threshold) {
    return fp_confusion_at(&of->measurements[arm].histogram, threshold);
}

/* ---- Numbers ---- */

static void numbers_are_all_pairs_once(void **state) {
    enum { DOCUMENTS = 41, PAIRS = DOCUMENTS * (DOCUMENTS - 1) / 2 };
    bool seen[PAIRS] = {false};
    uint64_t number = 0;
    (void)state;
    for (size_t a = 0; a < DOCUMENTS; a++) {
        for (size_t b = a + 1; b < DOCUMENTS; b++, number++) {
            fp_numbered_pair pair = fp_pair_at(DOCUMENTS, number);
            assert_int_equal(pair.first, a);
            assert_int_equal(pair.second, b);
        }
    }
    for (uint64_t i = 0; i < PAIRS; i++) {
        uint64_t place = fp_number_permuted(i, PAIRS, 7);
        assert_true(place < PAIRS && !seen[place]);
        seen[place] = true;
    }
}

/* ---- Strata ---- */

static uint64_t number_of(fp_sampled_pair pair) {
    return pair.a < pair.b ? (uint64_t)pair.a << 32 | pair.b : (uint64_t)pair.b << 32 | pair.a;
}

static int by_number(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static void check_pairs(const made *it, const fp_sampled_pairs *drawn, uint64_t wanted) {
    size_t count = drawn->count;
    double weights = 0;
    uint64_t *numbers = fp_arena_alloc(it->arena, count, sizeof *numbers), before = 0;
    uint32_t *unit_of = fp_unit_of_documents(&drawn->units, it->arena);
    for (size_t i = 0; i < count; i++) {
        fp_sampled_pair pair = drawn->pairs[i];
        uint64_t dyad = (uint64_t)unit_of[pair.a] << 32 | unit_of[pair.b];
        assert_true(unit_of[pair.a] < unit_of[pair.b] && dyad >= before);
        assert_false(fp_same_group(&it->corpus, pair.a, pair.b));
        before = dyad;
        weights += drawn->pairs[i].weight;
        assert_true(drawn->pairs[i].weight > 0.5 && drawn->pairs[i].weight <= drawn->weight);
        numbers[i] = number_of(pair);
    }
    qsort(numbers, count, sizeof *numbers, by_number);
    for (size_t i = 1; i < count; i++) assert_true(numbers[i] > numbers[i - 1]);
    assert_true(count <= drawn->near_count + drawn->random_count);
    assert_true(drawn->near_count > 0 && drawn->near_count <= wanted);
    assert_true(fabs(weights - (double)drawn->negatives) < 1e-6);
}

/* Totals are exact and positives are counted one by one, whatever was drawn. */
static void totals_are_exact(void **state) {
    static const uint64_t WANTED[] = {1, 7, 300, 4000};
    (void)state;
    made it = make_corpus(150, 4, true);
    sampled whole;
    measure_arms(&it, 0, 1, 1, &whole);
    for (size_t i = 0; i < sizeof WANTED / sizeof *WANTED; i++) {
        sampled of;
        measure_arms(&it, WANTED[i], 3 + i, 2, &of);
        const fp_sampled_pairs *drawn = of.measurements->sample;
        if (WANTED[i] >= ARM_COUNT) check_pairs(&it, drawn, WANTED[i]);
        assert_int_equal(drawn->random_count, WANTED[i]);
        for (size_t a = 0; a < ARM_COUNT; a++) {
            assert_ptr_equal(of.measurements[a].sample, drawn);
            for (size_t t = 0; t < THRESHOLDS; t++) {
                fp_confusion one = counts_of(&of, a, LIMITS[t]), all = counts_of(&whole, a, LIMITS[t]);
                assert_int_equal(one.tp, all.tp);
                assert_int_equal(one.fn, all.fn);
                assert_int_equal(one.fp + one.tn, all.fp + all.tn);
            }
        }
        release(&of);
    }
    release(&whole);
    fp_arena_free(it.arena);
}

static void assert_near(double one, double other, double scale) {
    if (!(fabs(one - other) <= 1e-9 * scale)) fail_msg("%.17g is not %.17g", one, other);
}

/* When the sample is all that is left, it is the count of all pairs, and so is what the units have. */
static void all_that_is_left_is_the_whole(void **state) {
    static const fp_cells BY = {0.3, -0.7, 0.2, 0.05};
    (void)state;
    made it = make_corpus(150, 5, true);
    sampled whole, of;
    uint64_t negatives;
    ASSERT_GOOD(fp_groups_negatives(&it.corpus, &negatives, &test_error));
    measure_arms(&it, 0, 1, 1, &whole);
    measure_arms(&it, negatives, 1, 2, &of);
    count_arms(&it, 1, &whole);
    count_arms(&it, 2, &of);
    assert_true(of.measurements->sample->weight == 1);
    double *unit = fp_arena_alloc(it.arena, whole.counted.units->count, sizeof *unit),
           *room = fp_arena_alloc(it.arena, whole.counted.units->count, sizeof *room);
    for (size_t a = 0; a < ARM_COUNT; a++) {
        const fp_histogram *one = &of.measurements[a].histogram, *all = &whole.measurements[a].histogram;
        assert_int_equal(one->count, all->count);
        assert_memory_equal(one->bars, all->bars, one->count * sizeof *one->bars);
        for (size_t i = 0; i < THRESHOLDS + FUNCTIONALS; i++) {
            fp_influence by = {.ranged = i >= THRESHOLDS, .functional = i - THRESHOLDS, .threshold = i, .by = BY};
            fp_unit_sums sums = fp_counted_unit_sums(&of.counted, a, &by, unit),
                         right = fp_counted_unit_sums(&whole.counted, a, &by, room);
            double scale = 0;
            for (size_t u = 0; u < sums.count; u++) scale += fabs(room[u]);
            for (size_t u = 0; u < sums.count; u++) assert_near(unit[u], room[u], scale);
            assert_near(sums.across, right.across, right.across);
            assert_near(sums.inside, right.inside, right.inside);
            assert_near(sums.independent, right.independent, right.independent);
            assert_true(sums.noise == 0);
        }
        for (size_t b = 0; b < ARM_COUNT; b++) {
            size_t at = a * ARM_COUNT + b;
            double scale = sqrt(fabs(whole.counted.joint[a * ARM_COUNT + a] * whole.counted.joint[b * ARM_COUNT + b]));
            assert_near(of.counted.joint[at], whole.counted.joint[at], scale);
            scale = sqrt(whole.counted.joint_pairs[a * ARM_COUNT + a] * whole.counted.joint_pairs[b * ARM_COUNT + b]);
            assert_near(of.counted.joint_pairs[at], whole.counted.joint_pairs[at], scale);
        }
    }
    release(&of);
    release(&whole);
    fp_arena_free(it.arena);
}

/* ---- Weights ---- */

/* The value of a listed pair under an influence, with its weight. */
static double value_of(const made *it, const sampled *of, size_t arm, const fp_influence *by, size_t pair) {
    const fp_sampled_pairs *drawn = of->measurements->sample;
    const fp_counted_arm *from = of->counted.arms + arm;
    double distance = made_distance(it, of->measurements + arm, drawn->pairs[pair].a, drawn->pairs[pair].b),
           weight = drawn->pairs[pair].weight;
    size_t bin = 0;
    while (from->distance[bin] < distance) bin++;
    if (by->ranged) return weight * from->value[2 * bin * FUNCTIONALS + by->functional];
    return distance <= LIMITS[by->threshold] ? weight * by->by.fp : 0;
}

/* Sums of a value that only negatives within a threshold have, or of a functional less what positives bring. */
static void check_weights(const made *it, const sampled *of, size_t arm, const fp_influence *by) {
    const fp_sampled_pairs *drawn = of->measurements->sample;
    const fp_counted_arm *from = of->counted.arms + arm;
    size_t units = drawn->units.count, count = drawn->count;
    uint32_t *unit_of = fp_unit_of_documents(&drawn->units, it->arena), one = UINT32_MAX, other = 0;
    double *expected = fp_arena_alloc(it->arena, units, sizeof *expected), dyad = 0, across = 0, scale = 0,
           *sum = fp_arena_alloc(it->arena, units, sizeof *sum);
    for (size_t i = 0; i < count; i++) {
        double value = value_of(it, of, arm, by, i);
        if (unit_of[drawn->pairs[i].a] != one || unit_of[drawn->pairs[i].b] != other) {
            across += dyad * dyad;
            dyad = 0;
        }
        one = unit_of[drawn->pairs[i].a];
        other = unit_of[drawn->pairs[i].b];
        dyad += value;
        expected[one] += value;
        expected[other] += value;
        scale += fabs(value);
    }
    across += dyad * dyad;
    fp_unit_sums sums = fp_counted_unit_sums(&of->counted, arm, by, sum);
    if (!by->ranged) scale *= 100; /* single precision */
    for (size_t u = 0; u < units; u++)
        assert_near(sum[u] - (by->ranged ? from->own[u * FUNCTIONALS + by->functional] : 0), expected[u], scale + 1e-9);
    assert_near(sums.across, across, across + 1e-30);
}

static void pairs_have_their_weights(void **state) {
    (void)state;
    made it = make_corpus(200, 4, true);
    sampled of;
    measure_arms(&it, 1500, 5, 2, &of);
    count_arms(&it, 2, &of);
    assert_true(of.counted.weight > 5 && of.counted.weight == of.measurements->sample->weight);
    for (size_t a = 0; a < ARM_COUNT; a++) {
        for (size_t k = 0; k < FUNCTIONALS; k++)
            check_weights(&it, &of, a, &(fp_influence){.ranged = true, .functional = k});
        for (size_t t = 0; t < THRESHOLDS; t++)
            check_weights(&it, &of, a, &(fp_influence){.threshold = t, .by = {.fp = 0.7}});
    }
    release(&of);
    fp_arena_free(it.arena);
}

/* Counts are those of all pairs on average, and vary as their spread over the units says beyond that of all pairs. */
static void draws_are_right_on_average(void **state) {
    enum { DRAWS = 400, ARM = 0, AT = 2 };
    static const fp_influence CALLED = {.threshold = AT, .by = {.fp = 1}};
    double sum = 0, squares = 0, variances = 0;
    (void)state;
    made it = make_corpus(160, 3, true);
    sampled whole, of;
    measure_arms(&it, 0, 1, 1, &whole);
    count_arms(&it, 1, &whole);
    double *unit = fp_arena_alloc(it.arena, whole.counted.units->count, sizeof *unit);
    fp_unit_sums sums = fp_counted_unit_sums(&whole.counted, ARM, &CALLED, unit);
    fp_dyadic all = fp_dyadic_from(&sums);
    double truth = (double)counts_of(&whole, ARM, LIMITS[AT]).fp, part = NAN;
    for (uint64_t draw = 1; draw <= DRAWS; draw++) {
        made again = it;
        again.arena = fp_arena_new();
        measure_arms(&again, 600, draw, 1, &of);
        count_arms(&again, 1, &of);
        double count = (double)counts_of(&of, ARM, LIMITS[AT]).fp;
        sums = fp_counted_unit_sums(&of.counted, ARM, &CALLED, unit);
        sum += count;
        squares += count * count;
        variances += fp_dyadic_from(&sums).variance - all.variance;
        part = truth / (double)of.measurements->sample->negatives;
        release(&of);
        fp_arena_free(again.arena);
    }
    /* Units are told what pairs would vary by that are drawn one by one; of so many at once, of which a part is called,
     * one less that part is left. */
    double mean = sum / DRAWS, variance = squares / DRAWS - mean * mean, told = (1 - part) * variances / DRAWS;
    if (!(fabs(mean - truth) < 4 * sqrt(variance / DRAWS))) fail_msg("%g on average, not %g", mean, truth);
    /* The standard error of a variance of DRAWS normal numbers, four times. */
    if (!(fabs(told - variance) < 4 * sqrt(2.0 / DRAWS) * variance))
        fail_msg("a variance of %g beyond that of all pairs, and not %g (part %g)", told, variance, part);
    release(&whole);
    fp_arena_free(it.arena);
}

static void threads_make_no_difference(void **state) {
    (void)state;
    made it = make_corpus(300, 4, true);
    sampled of[2];
    for (size_t i = 0; i < 2; i++) {
        measure_arms(&it, 2000, 9, 1 + 2 * (int)i, of + i);
        count_arms(&it, 1 + 2 * (int)i, of + i);
    }
    const fp_sampled_pairs *one = of[0].measurements->sample, *other = of[1].measurements->sample;
    size_t units = one->units.count, count = one->count;
    assert_int_equal(one->near_count, other->near_count);
    assert_memory_equal(one->pairs, other->pairs, count * sizeof *one->pairs);
    for (size_t a = 0; a < ARM_COUNT; a++) {
        const fp_counted_arm *x = of[0].counted.arms + a, *y = of[1].counted.arms + a;
        assert_memory_equal(x->drawn, y->drawn, units * THRESHOLDS * sizeof *x->drawn);
        assert_memory_equal(x->touching, y->touching, units * FUNCTIONALS * sizeof *x->touching);
        assert_memory_equal(x->across, y->across, FUNCTIONALS * sizeof *x->across);
    }
    assert_memory_equal(of[0].counted.joint, of[1].counted.joint, ARM_COUNT * ARM_COUNT * sizeof(double));
    for (size_t i = 0; i < 2; i++) release(of + i);
    fp_arena_free(it.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_all_pairs_once),    cmocka_unit_test(totals_are_exact),
        cmocka_unit_test(all_that_is_left_is_the_whole), cmocka_unit_test(pairs_have_their_weights),
        cmocka_unit_test(draws_are_right_on_average),    cmocka_unit_test(threads_make_no_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
