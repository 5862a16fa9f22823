/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sums over the units from counts, against the same sums over a list of all pairs. */
#include <math.h>

#include "eval/experiment/groups.h"
#include "eval/experiment/near_pairs.h"
#include "eval/evaluation/levels.h"
#include "eval/evaluation/counting.h"
#include "eval/evaluation/inference.h"
#include "tests/eval/made_corpus.h"

/* Bits, vectors with the three ways of joining, slots, and an algorithm that has nothing but its distance. */
static const char *const ARMS[] = {"simhash:features=chars:2",
                                   "jaccard:features=chars:1",
                                   "jaccard:measure=weighted,features=chars:1,weight=tf",
                                   "cosine:features=chars:1",
                                   "minhash:slots=32,features=chars:1",
                                   "pinyin"};
enum { ARM_COUNT = sizeof ARMS / sizeof *ARMS, THRESHOLDS = 5 };
static const double LIMITS[THRESHOLDS] = {0, 4, 10, 20, 64};

typedef struct both {
    made it;
    fp_measurement measurements[ARM_COUNT];
    fp_corpus view;
    fp_resample resample;
    fp_counted_pairs counted;
} both;

static const fp_measure functionals[3] = {
    {.row = &fp_measure_average_precision}, {.row = &fp_measure_roc_area}, {.row = &fp_measure_best_f1}};

static void open_both(both *of, size_t documents, size_t group, bool common, int threads) {
    fp_progress over = {.threads = threads};
    of->it = make_corpus(documents, group, common);
    for (size_t a = 0; a < ARM_COUNT; a++) measure_over(&over, &of->it, ARMS[a], of->measurements + a);
    fp_counting counting = {
        &of->it.corpus, of->measurements, ARM_COUNT, LIMITS, THRESHOLDS, functionals, 3, FP_COUNTING_DOCUMENTS, 1};
    ASSERT_GOOD(fp_counting_run(&counting, &over, of->it.arena, &of->counted, &test_error));
    ASSERT_GOOD(fp_corpus_view_pairs(&of->it.corpus, of->it.arena, &of->view, &test_error));
    ASSERT_GOOD(fp_resample_make(of->view.pairs, of->view.pair_count, of->view.group, documents, FP_SAMPLING_GROUP,
                                 of->it.arena, &of->resample, &test_error));
}

static void close_both(both *of) {
    for (size_t a = 0; a < ARM_COUNT; a++) fp_measurement_free(of->measurements + a);
    fp_arena_free(of->it.arena);
}

/* The first bin that is not nearer. */
static size_t bin_of(const fp_counted_arm *arm, double distance) {
    size_t low = 0, high = arm->bin_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (arm->distance[middle] < distance) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The value of every listed pair under an influence. */
static double *values_of(const both *of, size_t arm, const fp_influence *influence) {
    double *value = fp_arena_alloc(of->it.arena, of->view.pair_count, sizeof *value);
    const fp_counted_arm *from = of->counted.arms + arm;
    for (size_t i = 0; i < of->view.pair_count; i++) {
        fp_pair pair = of->view.pairs[i];
        double distance = made_distance(&of->it, of->measurements + arm, pair.a, pair.b);
        size_t bin = bin_of(from, distance);
        const fp_cells *by = &influence->by;
        if (influence->ranged) value[i] = from->value[(2 * bin + (pair.label != 0)) * 3 + influence->functional];
        else if (distance <= LIMITS[influence->threshold]) value[i] = pair.label ? by->tp : by->fp;
        else value[i] = pair.label ? by->fn : by->tn;
    }
    return value;
}

static void assert_near(double one, double other, double scale) {
    if (!(fabs(one - other) <= 1e-9 * scale)) fail_msg("%.17g is not %.17g", one, other);
}

static void check(const both *of, size_t arm, const fp_influence *influence) {
    const fp_resample *resample = &of->resample;
    double *value = values_of(of, arm, influence), squares = 0;
    double *unit = fp_arena_alloc(of->it.arena, of->counted.units->count, sizeof *unit);
    fp_unit_sums sums = fp_counted_unit_sums(&of->counted, arm, influence, unit);
    fp_dyadic listed, counted = fp_dyadic_from(&sums);
    assert_int_equal(resample->unit_count, of->counted.units->count);
    ASSERT_GOOD(fp_dyadic_of(resample, value, NULL, of->it.arena, &listed, &test_error));
    for (size_t u = 0; u < resample->unit_count; u++) squares += unit[u] * unit[u];
    assert_near(counted.variance, listed.variance, squares + sums.across);
    assert_near(counted.resampled, listed.resampled, squares + sums.across);
    assert_near(counted.independent, listed.independent, listed.independent);
    assert_near(counted.rise, listed.rise, listed.rise);
    assert_near(counted.fall, listed.fall, listed.fall);
}

static void check_joint(const both *of) {
    fp_influence first = {.ranged = true};
    for (size_t a = 0; a < ARM_COUNT; a++) {
        double *one = values_of(of, a, &first);
        for (size_t b = 0; b < ARM_COUNT; b++) {
            double *other = values_of(of, b, &first), *sum[2], product = 0, scale = 0;
            for (size_t k = 0; k < 2; k++)
                sum[k] = fp_arena_alloc(of->it.arena, of->resample.dyad_count, sizeof *sum[k]);
            for (size_t i = 0; i < of->view.pair_count; i++) {
                if (of->resample.first[i] == of->resample.second[i]) continue;
                sum[0][of->resample.dyad[i]] += one[i];
                sum[1][of->resample.dyad[i]] += other[i];
            }
            for (size_t d = 0; d < of->resample.dyad_count; d++) {
                product += sum[0][d] * sum[1][d];
                scale += fabs(sum[0][d] * sum[1][d]);
            }
            assert_near(of->counted.joint[a * ARM_COUNT + b], product, scale);
        }
    }
}

static void sums_from_counts_are_those_of_a_list(void **state) {
    static const fp_cells BY[] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {0.3, -0.7, 0.2, 0.05}};
    (void)state;
    for (size_t group = 1; group <= 40; group = 4 * group + 3) {
        both of;
        open_both(&of, 150, group, group == 7, 1 + (int)(group % 3));
        for (size_t arm = 0; arm < ARM_COUNT; arm++) {
            for (size_t k = 0; k < 3; k++) check(&of, arm, &(fp_influence){.ranged = true, .functional = k});
            for (size_t t = 0; t < THRESHOLDS; t++)
                for (size_t i = 0; i < sizeof BY / sizeof *BY; i++)
                    check(&of, arm, &(fp_influence){.threshold = t, .by = BY[i]});
        }
        check_joint(&of);
        close_both(&of);
    }
}

/* Every negative touches two units and every positive lies in one, also where distances are on a grid. */
static void counts_of_units_add_up(void **state) {
    static const char *const GRIDDED = "cosine:features=chars:1,weight=tf";
    enum { MANY = 2100 };
    (void)state;
    made it = make_corpus(MANY, 5, true);
    fp_measurement measurement;
    fp_counted_pairs counted;
    measure(&it, GRIDDED, &measurement);
    fp_counting counting = {&it.corpus, &measurement, 1, LIMITS, THRESHOLDS, NULL, 0, FP_COUNTING_DOCUMENTS, 1};
    ASSERT_GOOD(fp_counting_run(&counting, NULL, it.arena, &counted, &test_error));
    assert_true(measurement.histogram.step > 0);
    for (size_t t = 0; t < THRESHOLDS; t++) {
        fp_confusion counts = fp_confusion_at(&measurement.histogram, LIMITS[t]);
        uint64_t called = 0, found = 0;
        for (size_t u = 0; u < counted.units->count; u++) {
            called += counted.arms->called[u * THRESHOLDS + t];
            found += counted.arms->found[u * THRESHOLDS + t];
        }
        assert_int_equal(called, 2 * counts.fp);
        assert_int_equal(found, counts.tp);
    }
    fp_measurement_free(&measurement);
    fp_arena_free(it.arena);
}

/* ---- Samples ---- */

enum { SAMPLED = 400, DRAWS = 300, FIGURES = 8 };

/* Sums of squares less what is due to sampling, and sums over dyads: of functionals, of counts, of two arms. */
static void figures_of(const fp_counted_pairs *counted, double *figure) {
    static const fp_influence OF[] = {{.ranged = true, .functional = 0},
                                      {.ranged = true, .functional = 1},
                                      {.threshold = 2, .by = {0.3, -0.7, 0.2, 0.05}}};
    fp_arena *arena = fp_arena_new();
    double *unit = fp_arena_alloc(arena, counted->units->count, sizeof *unit),
           *room = fp_arena_alloc(arena, counted->units->count, sizeof *room);
    for (size_t i = 0; i < 4; i++) {
        fp_unit_sums sums = i < 3 ? fp_counted_unit_sums(counted, 0, OF + i, unit)
                                  : fp_counted_difference(counted, 0, OF, 1, OF, unit, room);
        figure[2 * i] = -sums.noise;
        figure[2 * i + 1] = sums.across;
        for (size_t u = 0; u < sums.count; u++) figure[2 * i] += unit[u] * unit[u];
    }
    fp_arena_free(arena);
}

/* Over many draws the figures have the mean of those of all dyads. Every unit is paired with a quarter of the others.
 */
static void a_sample_is_right_on_average(void **state) {
    static const char *const TWO[] = {"simhash:features=chars:2", "jaccard:features=chars:2"};
    double exact[FIGURES], sum[FIGURES] = {0}, squares[FIGURES] = {0};
    fp_measurement measurements[2];
    (void)state;
    made it = make_corpus(SAMPLED, 3, true);
    for (size_t a = 0; a < 2; a++) {
        measure_near(NULL, &it, TWO[a], 400, measurements + a);
        assert_true(measurements[a].near->count > 0);
    }
    for (uint64_t draw = 0; draw <= DRAWS; draw++) {
        fp_counting counting = {
            &it.corpus, measurements, 2, LIMITS, THRESHOLDS, functionals, 2, draw ? SAMPLED - 1 : SAMPLED, draw};
        fp_counted_pairs counted;
        fp_arena *arena = fp_arena_new();
        double figure[FIGURES];
        ASSERT_GOOD(fp_counting_run(&counting, NULL, arena, &counted, &test_error));
        assert_true(draw ? counted.sampled && counted.column_units < counted.units->count / 3 : !counted.sampled);
        figures_of(&counted, draw ? figure : exact);
        for (size_t i = 0; draw && i < FIGURES; i++) {
            sum[i] += figure[i];
            squares[i] += figure[i] * figure[i];
        }
        fp_arena_free(arena);
    }
    for (size_t i = 0; i < FIGURES; i++) {
        double mean = sum[i] / DRAWS, error = sqrt((squares[i] / DRAWS - mean * mean) / DRAWS);
        if (!(fabs(mean - exact[i]) < 4 * error + 0.005 * exact[i]))
            fail_msg("figure %zu: %g on average, standard error %g, and not %g", i, mean, error, exact[i]);
    }
    for (size_t a = 0; a < 2; a++) fp_measurement_free(measurements + a);
    fp_arena_free(it.arena);
}

static void threads_make_no_difference(void **state) {
    (void)state;
    both of[2];
    for (size_t i = 0; i < 2; i++) open_both(of + i, 200, 4, true, 1 + 2 * (int)i);
    for (size_t a = 0; a < ARM_COUNT; a++) {
        const fp_counted_arm *one = of[0].counted.arms + a, *other = of[1].counted.arms + a;
        size_t units = of[0].counted.units->count;
        assert_memory_equal(one->called, other->called, units * THRESHOLDS * sizeof *one->called);
        assert_memory_equal(one->touching, other->touching, units * 3 * sizeof *one->touching);
        assert_memory_equal(one->across, other->across, 3 * sizeof *one->across);
        assert_memory_equal(one->called_squares, other->called_squares, THRESHOLDS * sizeof *one->called_squares);
    }
    assert_memory_equal(of[0].counted.joint, of[1].counted.joint, ARM_COUNT * ARM_COUNT * sizeof(double));
    for (size_t i = 0; i < 2; i++) close_both(of + i);
}

/* ---- Estimates ---- */

static void assert_same(double one, double other, double scale) {
    if (isnan(one) != isnan(other) || fabs(one - other) > 1e-9 * fmax(1e-6, scale))
        fail_msg("%.17g is not %.17g", one, other);
}

static void assert_same_estimate(const fp_estimate *one, const fp_estimate *other) {
    double wide = isnan(other->interval.low) ? 1 : other->interval.high - other->interval.low;
    assert_same(one->value, other->value, 1);
    assert_same(one->error, other->error, 1);
    assert_same(one->interval.low, other->interval.low, fmax(wide, 1));
    assert_same(one->interval.high, other->interval.high, fmax(wide, 1));
    assert_int_equal(one->few, other->few);
}

static void infer_listed(const made *it, const fp_inference_options *options, fp_inference *inference) {
    fp_measurement listed[ARM_COUNT];
    made as_pairs = *it;
    ASSERT_GOOD(fp_corpus_view_pairs(&it->corpus, it->arena, &as_pairs.corpus, &test_error));
    for (size_t a = 0; a < ARM_COUNT; a++) {
        measure(&as_pairs, ARMS[a], listed + a);
        fp_measurement_free(listed + a);
    }
    ASSERT_GOOD(
        fp_inference_make(&as_pairs.corpus, listed, ARM_COUNT, options, NULL, it->arena, inference, &test_error));
}

static void compare_ways(const both *of, const fp_inference_options *options) {
    fp_inference counted, listed;
    ASSERT_GOOD(fp_inference_make(&of->it.corpus, of->measurements, ARM_COUNT, options, NULL, of->it.arena, &counted,
                                  &test_error));
    infer_listed(&of->it, options, &listed);
    assert_int_equal(counted.measure_count, listed.measure_count);
    for (size_t k = 0; k < counted.measure_count; k++)
        for (size_t arm = 0; arm < ARM_COUNT; arm++)
            for (size_t t = 0; t < (fp_measure_at_threshold(counted.measures[k].measure.row) ? THRESHOLDS : 1); t++)
                assert_same_estimate(fp_inference_at(&counted, k, arm) + t, fp_inference_at(&listed, k, arm) + t);
    assert_int_equal(counted.comparison_count, ARM_COUNT * (ARM_COUNT - 1) / 2);
    for (size_t c = 0; c < counted.comparison_count; c++) {
        const fp_difference *one = &counted.comparisons[c].difference, *other = &listed.comparisons[c].difference;
        assert_same(one->value, other->value, 1);
        assert_same(one->error, other->error, 1);
        assert_same(one->interval.low, other->interval.low, 1);
        assert_same(one->interval.high, other->interval.high, 1);
        assert_same(one->p, other->p, 1);
    }
}

static void estimates_and_differences_are_those_of_a_list(void **state) {
    static const char *const FURTHER[] = {"matthews_correlation", "f_beta:2", "precision_recall_gain_area",
                                          "none_precision", "none_f1"};
    static const char *const COMPARED[] = {"average_precision", "roc_area", "recall@10", "f1@20", "specificity@20"};
    (void)state;
    for (size_t c = 0; c < sizeof COMPARED / sizeof *COMPARED; c++) {
        fp_measure further[5];
        fp_inference_options options = {.method = FP_METHOD_MID_P,
                                        .confidence = 0.95,
                                        .prevalence = 0.01,
                                        .thresholds = LIMITS,
                                        .threshold_count = THRESHOLDS,
                                        .further = further,
                                        .further_count = 5};
        both of;
        open_both(&of, 180, 1 + 2 * c, c % 2, 2);
        for (size_t i = 0; i < 5; i++) ASSERT_GOOD(fp_measure_find(FURTHER[i], 0.01, further + i, &test_error));
        ASSERT_GOOD(fp_measure_parse(COMPARED[c], LIMITS, THRESHOLDS, 0.01, &options.compared, &test_error));
        compare_ways(&of, &options);
        close_both(&of);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_from_counts_are_those_of_a_list),
        cmocka_unit_test(counts_of_units_add_up),
        cmocka_unit_test(a_sample_is_right_on_average),
        cmocka_unit_test(threads_make_no_difference),
        cmocka_unit_test(estimates_and_differences_are_those_of_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
