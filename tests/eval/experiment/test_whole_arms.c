/* SPDX-License-Identifier: GPL-3.0-or-later
 * Arms of which all pairs are counted in a sample: which they are, that their figures are those without a draw, and
 * what they make of dyads together with an arm whose pairs are drawn. */
#include "eval/experiment/sampled_pairs.h"

#include <math.h>

#include "eval/experiment/near_pairs.h"
#include "eval/evaluation/counting.h"
#include "tests/eval/made_corpus.h"

/* The second is drawn. */
static const char *const ARMS[] = {"simhash:features=chars:2", "jaccard:features=chars:1",
                                   "minhash:slots=32,b=1,features=chars:1"};
enum { ARM_COUNT = sizeof ARMS / sizeof *ARMS, DRAWN = 1, THRESHOLDS = 5, FUNCTIONALS = 2, DOCUMENTS = 160 };
static const double LIMITS[THRESHOLDS] = {0, 4, 10, 20, 64};

typedef struct sampled {
    fp_measurement measurements[ARM_COUNT];
    fp_counted_pairs counted;
} sampled;

static void measure_arms(const made *it, uint64_t negatives, uint64_t seed, size_t arm_count, sampled *to) {
    fp_stage stage = {.corpus = &it->corpus, .negatives = negatives, .seed = seed};
    fp_arm *arms[ARM_COUNT];
    for (size_t a = 0; a < arm_count; a++) ASSERT_GOOD(fp_arm_parse(ARMS[a], NULL, it->arena, arms + a, &test_error));
    ASSERT_GOOD(fp_experiment_staged(&stage, arms, arm_count, it->arena, to->measurements, &test_error));
}

/* `most`: of so many documents every dyad is taken under arms whose pairs are counted. */
static void count_arms(const made *it, size_t most, sampled *to) {
    static const fp_measure list[FUNCTIONALS] = {{.row = &fp_measure_average_precision}, {.row = &fp_measure_roc_area}};
    fp_counting counting = {&it->corpus, to->measurements, ARM_COUNT, LIMITS, THRESHOLDS, list, FUNCTIONALS, most, 1};
    ASSERT_GOOD(fp_counting_run(&counting, &(fp_progress){.threads = 2}, it->arena, &to->counted, &test_error));
}

static void release(sampled *of, size_t count) {
    for (size_t a = 0; a < count; a++) fp_measurement_free(of->measurements + a);
}

/* ---- Which ---- */

static void bits_and_slots_are_counted(void **state) {
    fp_layout bits = {.bits = 64}, slots = {.slots = 64}, set = {.maximum = 64};
    (void)state;
    assert_true(fp_arm_counts_whole(&bits) && fp_arm_counts_whole(&slots) && !fp_arm_counts_whole(&set));
}

/* ---- Figures ---- */

static void assert_same_bars(const fp_histogram *one, const fp_histogram *other) {
    assert_int_equal(one->count, other->count);
    assert_memory_equal(one->bars, other->bars, one->count * sizeof *one->bars);
}

/* With several dyads of a pair of units, and with few columns for very many units. */
static void figures_are_those_without_a_draw(void **state) {
    static const size_t MOST[] = {FP_COUNTING_DOCUMENTS, 80};
    (void)state;
    made it = make_corpus(DOCUMENTS, 3, true);
    for (size_t i = 0; i < 2; i++) {
        sampled of, whole;
        measure_arms(&it, 0, 1, ARM_COUNT, &whole);
        measure_arms(&it, 300, 2, ARM_COUNT, &of);
        count_arms(&it, MOST[i], &whole);
        count_arms(&it, MOST[i], &of);
        size_t units = whole.counted.units->count;
        assert_int_equal(of.counted.sampled, MOST[i] < DOCUMENTS);
        for (size_t a = 0; a < ARM_COUNT; a++) {
            assert_int_equal(of.measurements[a].whole, a != DRAWN);
            if (a == DRAWN) continue;
            const fp_counted_arm *one = of.counted.arms + a, *all = whole.counted.arms + a;
            assert_same_bars(&of.measurements[a].histogram, &whole.measurements[a].histogram);
            assert_true(fp_counted_weight(&of.counted, a) == 1);
            assert_memory_equal(one->found, all->found, units * THRESHOLDS * sizeof *one->found);
            assert_memory_equal(one->called, all->called, units * THRESHOLDS * sizeof *one->called);
            assert_memory_equal(one->touching, all->touching, units * FUNCTIONALS * sizeof *one->touching);
            assert_memory_equal(one->across, all->across, FUNCTIONALS * sizeof *one->across);
        }
        assert_true(fp_counted_weight(&of.counted, DRAWN) > 1);
        if (MOST[i] >= DOCUMENTS) assert_true(of.counted.joint[2] == whole.counted.joint[2]);
        release(&of, ARM_COUNT);
        release(&whole, ARM_COUNT);
    }
    fp_arena_free(it.arena);
}

/* With no other arm there is nothing to draw, and all is as without the wish. */
static void nothing_is_drawn_for_counted_arms_alone(void **state) {
    (void)state;
    made it = make_corpus(DOCUMENTS, 3, true);
    sampled of, whole;
    measure_arms(&it, 300, 2, 1, &of);
    measure_arms(&it, 0, 1, 1, &whole);
    assert_true(of.measurements->whole && !of.measurements->sample && !of.measurements->near);
    assert_same_bars(&of.measurements->histogram, &whole.measurements->histogram);
    release(&of, 1);
    release(&whole, 1);
    fp_arena_free(it.arena);
}

/* ---- Two arms ---- */

/* Sums over many draws of a number. */
typedef struct moments {
    double sum, squares;
} moments;

static void add(moments *to, double value) {
    to->sum += value;
    to->squares += value * value;
}

/* Of the products over dyads and over pairs, of a counted and a drawn arm, the mean over draws is what all pairs have.
 */
static void joint_sums_are_right_on_average(void **state) {
    enum { DRAWS = 300, AT = DRAWN * ARM_COUNT };
    moments dyads = {0}, pairs = {0};
    (void)state;
    made it = make_corpus(DOCUMENTS, 3, true);
    sampled whole, of;
    measure_arms(&it, 0, 1, ARM_COUNT, &whole);
    count_arms(&it, FP_COUNTING_DOCUMENTS, &whole);
    for (uint64_t draw = 1; draw <= DRAWS; draw++) {
        made again = it;
        again.arena = fp_arena_new();
        measure_arms(&again, 600, draw, ARM_COUNT, &of);
        /* The influence values of all pairs, so that nothing but the draw varies. */
        fp_histogram own = of.measurements[DRAWN].histogram;
        of.measurements[DRAWN].histogram = whole.measurements[DRAWN].histogram;
        count_arms(&again, FP_COUNTING_DOCUMENTS, &of);
        of.measurements[DRAWN].histogram = own;
        add(&dyads, of.counted.joint[AT]);
        add(&pairs, of.counted.joint_pairs[AT]);
        release(&of, ARM_COUNT);
        fp_arena_free(again.arena);
    }
    double expected[] = {whole.counted.joint[AT], whole.counted.joint_pairs[AT]};
    moments found[] = {dyads, pairs};
    for (size_t i = 0; i < 2; i++) {
        double mean = found[i].sum / DRAWS, error = sqrt((found[i].squares / DRAWS - mean * mean) / DRAWS);
        if (!(fabs(mean - expected[i]) < 4 * error)) fail_msg("%g on average, not %g (%g)", mean, expected[i], error);
    }
    release(&whole, ARM_COUNT);
    fp_arena_free(it.arena);
}

/* The variance of a difference of the two is that of all pairs and that of the draw, of which the counted arm has none.
 */
static void differences_vary_as_is_told(void **state) {
    enum { DRAWS = 300 };
    static const fp_influence BY = {.ranged = true};
    moments values = {0};
    double told = 0;
    (void)state;
    made it = make_corpus(DOCUMENTS, 3, true);
    sampled whole, of;
    measure_arms(&it, 0, 1, ARM_COUNT, &whole);
    count_arms(&it, FP_COUNTING_DOCUMENTS, &whole);
    size_t units = whole.counted.units->count;
    double *unit = fp_arena_alloc(it.arena, units, sizeof *unit), *room = fp_arena_alloc(it.arena, units, sizeof *room);
    fp_unit_sums sums = fp_counted_difference(&whole.counted, 0, &BY, DRAWN, &BY, unit, room);
    double all = fp_dyadic_from(&sums).variance;
    for (uint64_t draw = 1; draw <= DRAWS; draw++) {
        made again = it;
        again.arena = fp_arena_new();
        measure_arms(&again, 2000, draw, ARM_COUNT, &of);
        count_arms(&again, FP_COUNTING_DOCUMENTS, &of);
        sums = fp_counted_difference(&of.counted, 0, &BY, DRAWN, &BY, unit, room);
        told += (fp_dyadic_from(&sums).variance - all) / DRAWS;
        const fp_counted_arm *arm = of.counted.arms + DRAWN;
        fp_ranked_step *steps = fp_arena_raw(again.arena, arm->bin_count, sizeof *steps);
        fp_ranked ranked = fp_ranked_of(arm->bin_count, arm->distance, arm->cells, steps);
        add(&values, fp_measure_average_precision.over_range(&ranked));
        release(&of, ARM_COUNT);
        fp_arena_free(again.arena);
    }
    double mean = values.sum / DRAWS, variance = values.squares / DRAWS - mean * mean;
    /* The standard error of a variance of DRAWS normal numbers, four times; and a tenth for a figure that is no sum. */
    if (!(fabs(told - variance) < (4 * sqrt(2.0 / DRAWS) + 0.1) * variance))
        fail_msg("a variance of %g beyond that of all pairs, and not %g", told, variance);
    release(&whole, ARM_COUNT);
    fp_arena_free(it.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_and_slots_are_counted),
        cmocka_unit_test(figures_are_those_without_a_draw),
        cmocka_unit_test(nothing_is_drawn_for_counted_arms_alone),
        cmocka_unit_test(joint_sums_are_right_on_average),
        cmocka_unit_test(differences_vary_as_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
