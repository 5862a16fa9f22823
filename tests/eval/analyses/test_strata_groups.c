/* SPDX-License-Identifier: GPL-3.0-or-later
 * All pairs by length, against every pair asked one by one. */
#include "eval/analyses/stratum.h"

#include <math.h>

#include "tests/eval/made_corpus.h"
#include "tests/eval/same_histogram.h"

enum { DOCUMENTS = 160, STRATA = 4, THRESHOLDS = 4 };
static const size_t BOUNDS[] = {1, 9, 23};
static const double LIMITS[THRESHOLDS] = {0, 7, 21, 64};
/* Bits, slots, vectors, and sketches of a size of their own each. */
static const char *const ARMS[] = {"simhash:features=chars:2", "minhash:slots=32,features=chars:1",
                                   "jaccard:features=chars:1", "cosine:features=chars:1"};
enum { ARM_COUNT = sizeof ARMS / sizeof *ARMS };

/* The pairs whose shorter document lies in the stratum. */
static void count_pairs(const made *it, const fp_measurement *measurement, size_t stratum, fp_histogram *to) {
    size_t low = stratum ? BOUNDS[stratum - 1] : 0, high = stratum < STRATA - 1 ? BOUNDS[stratum] : SIZE_MAX;
    *to = (fp_histogram){0};
    for (size_t a = 0; a < DOCUMENTS; a++) {
        for (size_t b = a + 1; b < DOCUMENTS; b++) {
            size_t one = it->corpus.documents[a].characters, other = it->corpus.documents[b].characters,
                   shorter = one < other ? one : other;
            if (shorter < low || shorter >= high) continue;
            bool positive = it->corpus.group[a] == it->corpus.group[b] && it->corpus.group[a] != UINT32_MAX;
            ASSERT_GOOD(fp_histogram_add(to, made_distance(it, measurement, a, b), positive, &test_error));
        }
    }
    fp_histogram_finish(to);
}

static void strata_are_counted(void **state) {
    (void)state;
    made it = make_corpus(DOCUMENTS, 3, true);
    fp_strata strata = {.by = "length", .count = STRATA, .bounds = BOUNDS};
    for (size_t arm = 0; arm < ARM_COUNT; arm++) {
        fp_measurement measurement;
        fp_histogram each[STRATA];
        measure(&it, ARMS[arm], &measurement);
        ASSERT_GOOD(fp_strata_count_groups(&it.corpus, &strata, &measurement, NULL, each, &test_error));
        for (size_t s = 0; s < STRATA; s++) {
            fp_histogram wanted;
            count_pairs(&it, &measurement, s, &wanted);
            assert_true(wanted.count > 0);
            assert_same(ARMS[arm], &wanted, each + s);
            fp_histogram_free(&wanted);
            fp_histogram_free(each + s);
        }
        fp_measurement_free(&measurement);
    }
    fp_arena_free(it.arena);
}

/* ---- On a grid ---- */

/* With many pairs distances are rounded up to a grid, which is finer where the pairs of a stratum are fewer. */
static void grids_are_those_of_all(void **state) {
    (void)state;
    enum { MANY = 2100 };
    made it = make_corpus(MANY, 5, true);
    fp_strata strata = {.by = "length", .count = STRATA, .bounds = BOUNDS};
    fp_measurement measurement;
    fp_histogram each[STRATA], sum = {0}, whole = {0};
    measure(&it, "cosine:features=chars:1", &measurement);
    ASSERT_GOOD(fp_strata_count_groups(&it.corpus, &strata, &measurement, NULL, each, &test_error));
    double step = measurement.histogram.step;
    assert_true(step > 0);
    for (size_t s = 0; s < STRATA; s++) {
        for (size_t i = 0; i < each[s].count; i++) {
            fp_bar bar = each[s].bars[i];
            assert_true(bar.positives + bar.negatives > 0 && bar.positives + bar.negatives < MANY * MANY);
            ASSERT_GOOD(fp_histogram_add_many(&sum, ceil(bar.distance / step) * step, bar.positives, bar.negatives,
                                              &test_error));
        }
        fp_histogram_free(each + s);
    }
    ASSERT_GOOD(fp_histogram_merge(&whole, &measurement.histogram, &test_error));
    fp_histogram_finish(&sum);
    fp_histogram_finish(&whole);
    assert_same("all strata", &whole, &sum);
    fp_histogram_free(&sum);
    fp_histogram_free(&whole);
    fp_measurement_free(&measurement);
    fp_arena_free(it.arena);
}

/* ---- Measures ---- */

static void assert_plain(const fp_estimate *found, double value) {
    if (found->value != value && !(isnan(found->value) && isnan(value)))
        fail_msg("%.17g, not %.17g", found->value, value);
    assert_true(isnan(found->interval.low) && isnan(found->interval.high) && isnan(found->error));
}

static void check_at(const fp_stratum_arm *found, const fp_histogram *own, const fp_inference_options *options) {
    for (size_t t = 0; t < THRESHOLDS; t++) {
        fp_confusion c = fp_confusion_at(own, LIMITS[t]);
        assert_memory_equal(found->counts + t, &c, sizeof c);
        assert_plain(found->at + t, fp_precision(c));
        assert_plain(found->at + THRESHOLDS + t, fp_recall(c));
        assert_plain(found->at + 2 * THRESHOLDS + t, fp_f1(c));
        for (size_t k = 0; k < options->further_count; k++)
            if (fp_measure_at_threshold(options->further[k].row))
                assert_plain(found->at + (FP_STRATUM_USUAL + k) * THRESHOLDS + t,
                             fp_measure_of(options->further[k], c, options->empty));
    }
}

static void check_arm(const fp_stratum_arm *found, const fp_histogram *own, const fp_inference_options *options,
                      fp_arena *arena) {
    fp_curve curve;
    ASSERT_GOOD(fp_curve_make(own, arena, &curve, &test_error));
    assert_plain(&found->average_precision, curve.average_precision);
    assert_plain(&found->best_f1, curve.best_f1);
    assert_plain(&found->best_threshold, curve.best_threshold);
    fp_confusion best = fp_confusion_at(own, curve.best_threshold);
    bool none = isnan(curve.best_threshold);
    assert_plain(&found->precision, none ? NAN : fp_precision(best));
    assert_plain(&found->recall, none ? NAN : fp_recall(best));
    assert_plain(&found->specificity, none ? NAN : (double)best.tn / (double)(best.tn + best.fp));
    for (size_t k = 0; k < options->further_count; k++) {
        double value = NAN;
        if (!fp_measure_at_threshold(options->further[k].row))
            ASSERT_GOOD(fp_measure_of_histogram(options->further[k], own, &value, &test_error));
        else if (!none) value = fp_measure_of(options->further[k], best, options->empty);
        assert_plain(found->further + k, value);
    }
    check_at(found, own, options);
}

static void measures_are_those_of_the_counts(void **state) {
    (void)state;
    static const char *const FURTHER[] = {"specificity", "roc_area", "f_beta:2", "matthews_correlation"};
    fp_measure further[4];
    fp_inference_options options = {.method = FP_METHOD_MID_P,
                                    .confidence = 0.95,
                                    .thresholds = LIMITS,
                                    .threshold_count = THRESHOLDS,
                                    .further = further,
                                    .further_count = 4};
    for (size_t k = 0; k < 4; k++) ASSERT_GOOD(fp_measure_find(FURTHER[k], 0.01, further + k, &test_error));
    made it = make_corpus(DOCUMENTS, 3, true);
    for (size_t i = 0; i < DOCUMENTS; i++) /* the longest are all apart: no duplicate in their stratum */
        if (it.corpus.documents[i].characters >= BOUNDS[2]) ((uint32_t *)(uintptr_t)it.corpus.group)[i] = UINT32_MAX;
    fp_strata strata = {.by = "length", .count = STRATA, .bounds = BOUNDS};
    fp_measurement measurements[2];
    fp_outcome outcome = {.corpus = &it.corpus, .count = 2, .lane_count = 2, .measurements = measurements};
    fp_stratum all[STRATA];
    for (size_t arm = 0; arm < 2; arm++) measure(&it, ARMS[2 * arm], measurements + arm);
    ASSERT_GOOD(fp_strata_infer_groups(&outcome, &strata, &options, NULL, it.arena, all, &test_error));
    for (size_t s = 0; s < STRATA; s++) {
        assert_int_equal(all[s].unit, FP_SAMPLING_PAIR);
        for (size_t arm = 0; arm < 2; arm++) {
            fp_histogram own;
            uint64_t positives = 0, negatives = 0;
            count_pairs(&it, measurements + arm, s, &own);
            for (size_t i = 0; i < own.count; i++)
                positives += own.bars[i].positives, negatives += own.bars[i].negatives;
            assert_true(all[s].positives == positives && all[s].negatives == negatives);
            assert_int_equal(all[s].pairs, positives + negatives);
            assert_int_equal(positives == 0, s == STRATA - 1);
            check_arm(all[s].arms + arm, &own, &options, it.arena);
            fp_histogram_free(&own);
        }
    }
    for (size_t arm = 0; arm < 2; arm++) fp_measurement_free(measurements + arm);
    fp_arena_free(it.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strata_are_counted),
        cmocka_unit_test(grids_are_those_of_all),
        cmocka_unit_test(measures_are_those_of_the_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
