/* SPDX-License-Identifier: GPL-3.0-or-later
 * Intervals where negatives are drawn: those of the spread, moved as counted.h has it. What the spread alone gives
 * have the same measures where wrong calls are said to be no trials that went wrong, and figures over the range, whose
 * sums are made, where each drawn pair is said to stand for itself. */
#include <math.h>

#include "eval/evaluation/counting.h"
#include "eval/statistics/counted.h"
#include "eval/statistics/measure_interval.h"
#include "eval/statistics/spread.h"
#include "tests/eval/made_corpus.h"

enum { ARMS = 2, THRESHOLDS = 6, DOCUMENTS = 300 };
static const double LIMITS[THRESHOLDS] = {0, 6, 12, 20, 30, 64};
static const fp_measure RANKED[] = {{.row = &fp_measure_average_precision}, {.row = &fp_measure_best_f1}};

typedef struct world {
    made it;
    fp_arena *scratch;
    fp_measurement measurements[ARMS];
    fp_counted_pairs counted;
    fp_resample resample;
    fp_bootstrap bootstrap;
} world;

static void open_world(world *in, uint64_t negatives) {
    static const char *const SPECS[ARMS] = {"cosine:features=chars:2", "jaccard:features=chars:1"};
    in->it = make_corpus(DOCUMENTS, 3, true);
    in->scratch = fp_arena_new();
    fp_stage stage = {.corpus = &in->it.corpus, .negatives = negatives, .seed = 3};
    fp_arm *arms[ARMS];
    for (size_t a = 0; a < ARMS; a++) ASSERT_GOOD(fp_arm_parse(SPECS[a], NULL, in->it.arena, arms + a, &test_error));
    ASSERT_GOOD(fp_experiment_staged(&stage, arms, ARMS, in->it.arena, in->measurements, &test_error));
    fp_counting counting = {
        &in->it.corpus, in->measurements, ARMS, LIMITS, THRESHOLDS, RANKED, 2, FP_COUNTING_DOCUMENTS, 1};
    ASSERT_GOOD(fp_counting_run(&counting, NULL, in->it.arena, &in->counted, &test_error));
    fp_bootstrap_options options = {
        .thresholds = LIMITS, .threshold_count = THRESHOLDS, .ranked = RANKED, .ranked_count = 2};
    ASSERT_GOOD(
        fp_bootstrap_of_counted(&in->counted, &options, &in->resample, in->it.arena, &in->bootstrap, &test_error));
}

static void close_world(world *in) {
    for (size_t a = 0; a < ARMS; a++) fp_measurement_free(in->measurements + a);
    fp_arena_free(in->scratch);
    fp_arena_free(in->it.arena);
}

static fp_estimate estimate(world *in, size_t arm, fp_measure measure, bool drawn) {
    double weight = in->counted.weight;
    fp_measure_row right = *measure.row;
    fp_estimate found;
    if (!drawn && fp_measure_at_threshold(measure.row)) {
        right.success |= FP_CELL_FP;
        measure.row = &right;
    } else if (!drawn) in->counted.weight = 1;
    ASSERT_GOOD(
        fp_bootstrap_estimate(&in->bootstrap, arm, measure, FP_METHOD_MID_P, 0.95, in->scratch, &found, &test_error));
    in->counted.weight = weight;
    return found;
}

/* Student's factor of the measure. */
static double wider(world *in, size_t arm, fp_measure measure) {
    fp_influence influence;
    fp_dyadic spread;
    fp_arena_reset(in->scratch);
    ASSERT_GOOD(fp_influence_of(&in->bootstrap, arm, measure, in->scratch, &influence, &test_error));
    ASSERT_GOOD(fp_spread_of(&in->bootstrap, &(fp_spread_side){arm, influence, fp_members_of_measure(measure)}, NULL,
                             in->scratch, &spread, &test_error));
    return fp_by_student(fp_dyadic_freedom(&spread), 0.95);
}

static void assert_interval(const char *name, fp_interval found, double low, double high) {
    if (!(fabs(found.low - low) <= 1e-9 && fabs(found.high - high) <= 1e-9))
        fail_msg("%s: %.12g to %.12g, not %.12g to %.12g", name, found.low, found.high, low, high);
}

/* ---- At a threshold ---- */

/* A wrong call raises the odds of a wrong one by 1 over the right trials. */
static void shares_move_with_the_draw(void **state) {
    (void)state;
    /* On the scale of F/(2 − F) = (1 + β²)TP/((1 + β²)TP + 2FP + 2β²FN) a wrong call weighs 2/(1 + β²) of a right one.
     */
    static const struct {
        const char *name;
        double right;
    } ROWS[] = {{"precision", 1}, {"f1", 1}, {"f_beta:2", 2.5}, {"specificity", 1}};
    world in;
    size_t moved = 0;
    open_world(&in, 2000);
    assert_true(in.counted.weight > 2);
    for (size_t r = 0; r < sizeof ROWS / sizeof *ROWS; r++)
        for (size_t arm = 0; arm < ARMS; arm++)
            for (size_t t = 0; t < THRESHOLDS; t++) {
                fp_measure measure;
                ASSERT_GOOD(fp_measure_find(ROWS[r].name, 0, &measure, &test_error));
                measure.threshold = t;
                fp_confusion c = fp_bootstrap_counts(&in.bootstrap, 0, arm, t);
                fp_estimate with = estimate(&in, arm, measure, true), alone = estimate(&in, arm, measure, false);
                unsigned cells = measure.row->success;
                double right = (cells & FP_CELL_TP ? (double)c.tp : 0) + (cells & FP_CELL_TN ? (double)c.tn : 0);
                assert_false(cells & (FP_CELL_FP | FP_CELL_FN));
                if (isnan(alone.interval.low) || right == 0) continue;
                fp_drawn_calls drawn = fp_counted_drawn_calls(&in.counted, arm, t);
                double slope, share = with.value;
                fp_interval limits = alone.interval;
                if (measure.row->to_share) {
                    share = measure.row->to_share(share, &slope);
                    limits = (fp_interval){measure.row->to_share(limits.low, &slope),
                                           measure.row->to_share(limits.high, &slope)};
                }
                limits = fp_share_with_draw(share, limits, &drawn, 1 / (ROWS[r].right * right),
                                            wider(&in, arm, measure), 0.95);
                if (measure.row->of_share)
                    limits = (fp_interval){measure.row->of_share(limits.low), measure.row->of_share(limits.high)};
                assert_interval(ROWS[r].name, with.interval, limits.low, limits.high);
                moved += with.interval.low < alone.interval.low - 1e-6;
            }
    assert_true(moved > 5);
    close_world(&in);
}

/* Duplicates are all measured: what is a share of them, or of negatives that are called right, stays. */
static void others_stay(void **state) {
    (void)state;
    world in;
    open_world(&in, 2000);
    for (size_t arm = 0; arm < ARMS; arm++)
        for (size_t t = 0; t < THRESHOLDS; t++) {
            fp_measure recall = {.row = &fp_measure_recall, .threshold = t};
            fp_estimate alone = estimate(&in, arm, recall, false), with = estimate(&in, arm, recall, true);
            assert_interval("recall", with.interval, alone.interval.low, alone.interval.high);
        }
    close_world(&in);
}

/* ---- Over the range ---- */

static void ranges_move_with_the_draw(void **state) {
    (void)state;
    for (uint64_t negatives = 500; negatives <= 8000; negatives *= 4) {
        world in;
        open_world(&in, negatives);
        for (size_t arm = 0; arm < ARMS; arm++) {
            fp_estimate alone = estimate(&in, arm, RANKED[0], false), with = estimate(&in, arm, RANKED[0], true);
            double least = fp_counted_least_average_precision(&in.counted, arm, wider(&in, arm, RANKED[0]), 0.95);
            double low = with.value - hypot(with.value - alone.interval.low, with.value - least);
            assert_true(least <= with.value);
            assert_interval("average precision", with.interval, fmax(0, low), alone.interval.high);
            /* F1 on the scale of TP/(TP + FP + FN) = F1/(2 − F1). */
            alone = estimate(&in, arm, RANKED[1], false), with = estimate(&in, arm, RANKED[1], true);
            fp_counted_calls best = fp_counted_best_calls(&in.counted, arm, 0.95);
            fp_interval limits = {alone.interval.low / (2 - alone.interval.low),
                                  alone.interval.high / (2 - alone.interval.high)};
            limits = fp_share_with_draw(with.value / (2 - with.value), limits, &best.drawn, 1 / best.tp,
                                        wider(&in, arm, RANKED[1]), 0.95);
            assert_interval("best F1", with.interval, 2 * limits.low / (1 + limits.low),
                            fmax(best.most, 2 * limits.high / (1 + limits.high)));
        }
        close_world(&in);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shares_move_with_the_draw), cmocka_unit_test(others_stay),
                                       cmocka_unit_test(ranges_move_with_the_draw)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
