/* SPDX-License-Identifier: GPL-3.0-or-later
 * An outcome is its measurements: arms under their seeds, exact measures beside them, documents instead
 * of pairs. */
#include "eval/evaluation/outcome.h"

#include <math.h>

#include "eval/evaluation/levels.h"
#include "tests/eval/counterparts.h"
#include "tests/eval/made_corpus.h"
#include "tests/eval/same_histogram.h"

enum { ARMS = 4, DOCUMENTS = 120 };
static const char *const SPECS[ARMS] = {"minhash:slots=16,features=chars:1", "simhash:features=chars:2,seed=1",
                                        "jaccard:features=chars:1", "hyperplane:features=chars:1"};

static void open_outcome(const fp_corpus *corpus, size_t seeds, bool with, fp_level level, fp_arena *arena,
                         fp_outcome *outcome) {
    fp_arm *arms[ARMS];
    fp_stage stage = {.corpus = corpus};
    fp_hash_seeds asked = {.count = seeds};
    for (size_t a = 0; a < ARMS; a++) ASSERT_GOOD(fp_arm_parse(SPECS[a], NULL, arena, arms + a, &test_error));
    fp_contest contest = {ARMS, arms, NULL, asked, level, with};
    ASSERT_GOOD(fp_outcome_measure(&stage, &contest, arena, outcome, &test_error));
}

/* minhash estimates jaccard, which is among the arms, simhash and hyperplane the angle, which is not. From the same
 * pass over the texts as the arms, or from one of their own. */
static void counterparts_are_measured_with_the_arms(void **state) {
    (void)state;
    made it = make_corpus(DOCUMENTS, 3, true);
    fp_corpus corpus;
    fp_outcome with, without;
    fp_counterparts alone;
    ASSERT_GOOD(fp_corpus_view_pairs(&it.corpus, it.arena, &corpus, &test_error));
    open_outcome(&corpus, 2, true, FP_LEVEL_PAIR, it.arena, &with);
    open_outcome(&corpus, 2, false, FP_LEVEL_PAIR, it.arena, &without);
    assert_true(with.counterparts && !without.counterparts);
    measure_counterparts(&corpus, without.measurements, ARMS, it.arena, &alone);
    const fp_counterparts *found = with.counterparts;
    assert_true(found->arm_count == ARMS && found->further_count == alone.further_count && alone.further_count > 0);
    for (size_t a = 0; a < ARMS; a++) {
        const fp_measurement *one = found->of_arm[a], *other = alone.of_arm[a];
        assert_true(!one == !other);
        if (!one) continue;
        assert_string_equal(one->arm->spec, other->arm->spec);
        assert_same(SPECS[a], &one->histogram, &other->histogram);
    }
    assert_ptr_equal(found->of_arm[0], with.measurements + 2);
    fp_counterparts_free(&alone);
    fp_outcome_free(&with);
    fp_outcome_free(&without);
    assert_true(with.measurements == NULL && with.counterparts == NULL && alone.further == NULL);
    fp_arena_free(it.arena);
}

/* Two arms leave their seed open. Each lane is what the arm alone measures under that seed. */
static void lanes_are_measurements(void **state) {
    (void)state;
    enum { SEEDS = 3 };
    made it = make_corpus(DOCUMENTS, 3, true);
    fp_corpus corpus;
    fp_outcome outcome;
    ASSERT_GOOD(fp_corpus_view_pairs(&it.corpus, it.arena, &corpus, &test_error));
    open_outcome(&corpus, SEEDS, false, FP_LEVEL_PAIR, it.arena, &outcome);
    assert_true(outcome.count == ARMS && outcome.lane_count == ARMS + 2 * (SEEDS - 1) && outcome.hash_seeds == SEEDS);
    const double **distances = fp_distances_of(outcome.measurements, outcome.lane_count, it.arena);
    for (size_t lane = 0; lane < outcome.lane_count; lane++) {
        const fp_measurement *of = outcome.measurements + lane;
        fp_arm *arm;
        fp_measurement alone;
        fp_curve curve;
        ASSERT_GOOD(fp_arm_parse(of->arm->spec, NULL, it.arena, &arm, &test_error));
        ASSERT_GOOD(fp_experiment(&corpus, &arm, 1, NULL, it.arena, &alone, &test_error));
        assert_same(of->arm->spec, &alone.histogram, &of->histogram);
        assert_ptr_equal(distances[lane], of->distances);
        assert_memory_equal(of->distances, alone.distances, corpus.pair_count * sizeof *of->distances);
        ASSERT_GOOD(fp_curve_make(&of->histogram, it.arena, &curve, &test_error));
        assert_true(outcome.curves[lane].average_precision == curve.average_precision);
        fp_measurement_free(&alone);
    }
    fp_inference_options options = {.method = FP_METHOD_MID_P, .confidence = 0.95};
    ASSERT_GOOD(fp_outcome_infer(&outcome, &options, NULL, it.arena, &test_error));
    assert_true(outcome.inference->hash_seeds == SEEDS && outcome.inference->hashed_count == 2);
    assert_true(outcome.inference->arm_count == ARMS && !outcome.inference->counted);
    fp_outcome_free(&outcome);
    fp_arena_free(it.arena);
}

/* Every document at the distance of its nearest labelled pair. */
static void documents_are_at_their_nearest(void **state) {
    (void)state;
    made it = make_corpus(DOCUMENTS, 3, true);
    fp_corpus corpus;
    fp_outcome pairs, documents;
    ASSERT_GOOD(fp_corpus_view_pairs(&it.corpus, it.arena, &corpus, &test_error));
    open_outcome(&corpus, 1, false, FP_LEVEL_PAIR, it.arena, &pairs);
    open_outcome(&corpus, 1, false, FP_LEVEL_DOCUMENT, it.arena, &documents);
    assert_int_equal(documents.corpus->pair_count, DOCUMENTS);
    for (size_t lane = 0; lane < ARMS; lane++)
        for (uint32_t d = 0; d < DOCUMENTS; d++) {
            double nearest = INFINITY;
            bool duplicate = false;
            for (size_t i = 0; i < corpus.pair_count; i++) {
                if (corpus.pairs[i].a != d && corpus.pairs[i].b != d) continue;
                nearest = fmin(nearest, pairs.measurements[lane].distances[i]);
                duplicate |= corpus.pairs[i].label;
            }
            assert_true(documents.measurements[lane].distances[d] == nearest);
            assert_int_equal(documents.corpus->pairs[d].label, duplicate);
        }
    fp_outcome_free(&pairs);
    fp_outcome_free(&documents);
    fp_arm *arm;
    ASSERT_GOOD(fp_arm_parse(SPECS[0], NULL, it.arena, &arm, &test_error));
    fp_contest contest = {1, &arm, NULL, {.count = 1}, FP_LEVEL_DOCUMENT, false};
    assert_int_equal(fp_outcome_measure(&(fp_stage){.corpus = &it.corpus}, &contest, it.arena, &pairs, &test_error),
                     FP_ERROR_EMPTY);
    fp_arena_free(it.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(counterparts_are_measured_with_the_arms),
                                       cmocka_unit_test(lanes_are_measurements),
                                       cmocka_unit_test(documents_are_at_their_nearest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
