/* SPDX-License-Identifier: GPL-3.0-or-later
 * Inference on listed pairs, piece by piece against the statistics that it is made of; the strata of one part against
 * it; and what is said in words. */
#include "eval/evaluation/inference.h"

#include <gsl/gsl_sort.h>
#include <math.h>

#include "eval/analyses/stratum.h"
#include "eval/statistics/simultaneous.h"
#include "tests/support.h"

#include "tests/eval/made_pairs.h"

enum { ARMS = 3, LANES = 5, PAIRS = 300, FURTHER = 4, REPLICATES = 60 };
static const fp_further_seeds SEEDS[ARMS] = {{3, 2}, {5, 0}, {5, 0}}; /* the first arm has three seeds */

typedef struct world {
    fp_arena *arena, *scratch;
    set *from;
    double noisy[LANES][PAIRS];
    const double *distances[LANES];
    fp_measurement measured[LANES]; /* of these distances */
    fp_corpus corpus;
    fp_measure further[FURTHER], ranked[8];
    size_t ranked_count;
    fp_inference_options options;
    fp_inference inference;
    fp_bootstrap bootstrap; /* the same, made here */
} world;

static void draw_alone(world *in) {
    static const fp_measure_row *const RANGE[] = {&fp_measure_average_precision, &fp_measure_best_f1,
                                                  &fp_measure_best_threshold};
    for (size_t i = 0; i < 3; i++) in->ranked[in->ranked_count++] = (fp_measure){.row = RANGE[i]};
    for (size_t i = 0; i < FURTHER; i++)
        if (!fp_measure_at_threshold(in->further[i].row)) in->ranked[in->ranked_count++] = in->further[i];
    fp_bootstrap_options options = {.replicates = in->inference.replicates,
                                    .seed = in->options.seed,
                                    .thresholds = LIMITS,
                                    .threshold_count = LIMIT_COUNT,
                                    .ranked = in->ranked,
                                    .ranked_count = in->ranked_count,
                                    .further = SEEDS};
    fp_resample *resample = fp_arena_alloc(in->arena, 1, sizeof *resample);
    resample_set(in->from, in->corpus.group, FP_SAMPLING_AUTO, in->arena, resample);
    ASSERT_GOOD(fp_bootstrap_run(resample, &(fp_paired_distances){in->from->pairs, in->distances, ARMS}, &options, NULL,
                                 in->arena, &in->bootstrap, &test_error));
}

static world *make_world(fp_method method) {
    static const char *const NAMES[FURTHER] = {"specificity", "roc_area", "f_beta:2", "precision_recall_gain_area"};
    fp_arena *arena = fp_arena_new();
    world *in = fp_arena_alloc(arena, 1, sizeof *in);
    in->arena = arena;
    in->scratch = fp_arena_new();
    in->from = fp_arena_alloc(arena, 1, sizeof *in->from);
    make_set(in->from, GROUPED, PAIRS, 60, 21);
    for (size_t lane = 0; lane < LANES; lane++) {
        for (size_t i = 0; i < PAIRS; i++)
            in->noisy[lane][i] = in->from->distance[lane % 2][i] + (double)(fp_mix(i, 40 + lane) % (2 + 3 * lane));
        in->distances[lane] = in->measured[lane].distances = in->noisy[lane];
    }
    for (size_t i = 0; i < FURTHER; i++) ASSERT_GOOD(fp_measure_find(NAMES[i], 0.01, in->further + i, &test_error));
    in->corpus = (fp_corpus){.name = "made",
                             .truth = FP_TRUTH_PAIRS,
                             .document_count = in->from->documents,
                             .group = in->from->group,
                             .pair_count = PAIRS,
                             .pairs = in->from->pairs};
    in->options = (fp_inference_options){.method = method,
                                         .confidence = 0.9,
                                         .replicates = REPLICATES,
                                         .seed = 5,
                                         .thresholds = LIMITS,
                                         .threshold_count = LIMIT_COUNT,
                                         .further = in->further,
                                         .further_count = FURTHER,
                                         .further_seeds = SEEDS};
    ASSERT_GOOD(
        fp_inference_make(&in->corpus, in->measured, ARMS, &in->options, NULL, arena, &in->inference, &test_error));
    draw_alone(in);
    return in;
}

static void free_world(world *in) {
    fp_arena_free(in->scratch);
    fp_arena_free(in->arena);
}

static void assert_value(double found, double wanted) {
    if (found != wanted && !(isnan(found) && isnan(wanted))) fail_msg("%.17g, not %.17g", found, wanted);
}

static void assert_interval(fp_interval found, fp_interval wanted) {
    assert_value(found.low, wanted.low);
    assert_value(found.high, wanted.high);
}

static void assert_estimate(const fp_estimate *found, const fp_estimate *wanted) {
    assert_value(found->value, wanted->value);
    assert_value(found->error, wanted->error);
    assert_interval(found->interval, wanted->interval);
    assert_int_equal(found->undefined, wanted->undefined);
}

static fp_estimate estimate(world *in, size_t arm, fp_measure measure) {
    fp_estimate found;
    ASSERT_GOOD(fp_bootstrap_estimate(&in->bootstrap, arm, measure, in->options.method, in->options.confidence,
                                      in->scratch, &found, &test_error));
    return found;
}

/* ---- Estimates and bands ---- */

static void check_measure(world *in, size_t k, size_t arm) {
    fp_measure measure = in->inference.measures[k].measure;
    bool at_threshold = fp_measure_at_threshold(measure.row);
    const fp_estimate *found = fp_inference_at(&in->inference, k, arm);
    const fp_interval *band = fp_inference_band(&in->inference, k, arm);
    fp_interval wanted[LIMIT_COUNT];
    assert_int_equal(band != NULL, at_threshold);
    for (size_t t = 0; t < (at_threshold ? LIMIT_COUNT : 1); t++) {
        measure.threshold = t;
        fp_estimate own = estimate(in, arm, measure);
        assert_estimate(found + t, &own);
    }
    if (!at_threshold) return;
    fp_simultaneous_options options = {in->options.method, in->options.confidence, in->options.seed};
    ASSERT_GOOD(fp_simultaneous_band(&in->bootstrap, arm, measure, &options, in->scratch, wanted, &test_error));
    for (size_t t = 0; t < LIMIT_COUNT; t++) assert_interval(band[t], wanted[t]);
}

static void estimates_are_those_of_the_bootstrap(void **state) {
    (void)state;
    static const fp_method METHODS[] = {FP_METHOD_MID_P, FP_METHOD_PERCENTILE};
    for (size_t m = 0; m < 2; m++) {
        world *in = make_world(METHODS[m]);
        assert_int_equal(in->inference.replicates, m ? REPLICATES : 0);
        assert_true(in->inference.measure_count > FURTHER && !in->inference.counted);
        for (size_t k = 0; k < in->inference.measure_count; k++)
            for (size_t arm = 0; arm < ARMS; arm++) check_measure(in, k, arm);
        size_t last = in->inference.measure_count - 1;
        assert_ptr_equal(in->inference.measures[last].measure.row, in->further[FURTHER - 1].row);
        free_world(in);
    }
}

/* At no stated prevalence nothing is said of one; of one arm nothing is compared, and nothing judged. */
static void what_is_not_asked_is_not_there(void **state) {
    (void)state;
    world *in = make_world(FP_METHOD_MID_P);
    fp_inference one, at;
    for (size_t k = 0; k < in->inference.measure_count; k++)
        assert_false(in->inference.measures[k].measure.row->parameter.is_prevalence);
    in->options.prevalence = 0.01;
    ASSERT_GOOD(fp_inference_make(&in->corpus, in->measured, ARMS, &in->options, NULL, in->arena, &at, &test_error));
    assert_int_equal(at.measure_count, in->inference.measure_count + 1);
    assert_true(fp_inference_of(&at, &fp_measure_precision_at, 0) != NULL);
    in->options.further_seeds = NULL;
    ASSERT_GOOD(fp_inference_make(&in->corpus, in->measured, 1, &in->options, NULL, in->arena, &one, &test_error));
    assert_true(one.comparison_count == 0 && one.judgements == NULL && one.arm_count == 1);
    free_world(in);
}

/* ---- Comparisons ---- */

/* Holm 1979: the k-th smallest of m times m − k, at least the one before, at most 1. */
static void check_holm(const double *p, const double *adjusted, size_t count) {
    size_t order[ARMS];
    double before = 0;
    gsl_sort_index(order, p, 1, count);
    for (size_t k = 0; k < count; k++) {
        before = fmax(before, fmin(1, p[order[k]] * (double)(count - k)));
        assert_true(near(adjusted[order[k]], before, 1e-12));
    }
}

static void assert_equivalence(const fp_equivalence *found, const fp_equivalence *wanted) {
    assert_value(found->margin, wanted->margin);
    assert_value(found->units, wanted->units);
    assert_interval(found->interval, wanted->interval);
    assert_value(found->farthest, wanted->farthest);
    assert_int_equal(found->within, wanted->within);
}

static void comparisons_are_differences(void **state) {
    (void)state;
    world *in = make_world(FP_METHOD_MID_P);
    fp_measure measure = {.row = &fp_measure_average_precision};
    double p[2][ARMS], adjusted[2][ARMS];
    size_t c = 0;
    assert_int_equal(in->inference.comparison_count, 3);
    for (size_t a = 0; a < ARMS; a++)
        for (size_t b = a + 1; b < ARMS; b++, c++) {
            const fp_comparison *pair = in->inference.comparisons + c;
            fp_difference wanted, narrow;
            assert_true(pair->first == a && pair->second == b);
            ASSERT_GOOD(fp_difference_of(&in->bootstrap, (fp_side){a, measure}, (fp_side){b, measure}, FP_METHOD_MID_P,
                                         0.9, in->scratch, &wanted, &test_error));
            assert_value(pair->difference.value, wanted.value);
            assert_value(pair->difference.p, wanted.p);
            assert_interval(pair->difference.interval, wanted.interval);
            ASSERT_GOOD(fp_difference_of(&in->bootstrap, (fp_side){a, measure}, (fp_side){b, measure}, FP_METHOD_MID_P,
                                         fp_equivalence_confidence(0.9), in->scratch, &narrow, &test_error));
            fp_estimated found = {narrow.value, narrow.error, narrow.seeds.variance, narrow.interval,
                                  (double)in->inference.resample.unit_count};
            fp_equivalence equal = fp_equivalence_of(&found, &(fp_equivalence_options){0.9, FP_EQUIVALENCE_MARGIN, 3});
            assert_equivalence(&pair->equivalence, &equal);
            fp_sample_size size =
                fp_sample_size_of(&found, narrow.freedom, &(fp_equivalence_options){0.9, 0, 3}, FP_EQUIVALENCE_MARGIN);
            assert_value(pair->sample_size.needed, size.needed);
            assert_interval(pair->sample_size.interval, size.interval);
            fp_mcnemar test;
            const fp_judgements *judged = in->inference.judgements;
            fp_arena_reset(in->scratch);
            ASSERT_GOOD(fp_mcnemar_of(&in->inference.resample, judged[a].right, judged[b].right, in->scratch, &test,
                                      &test_error));
            assert_value(pair->mcnemar.p, test.p);
            p[0][c] = wanted.p, adjusted[0][c] = pair->adjusted;
            p[1][c] = test.p, adjusted[1][c] = pair->mcnemar_adjusted;
        }
    for (size_t k = 0; k < 2; k++) check_holm(p[k], adjusted[k], 3);
    free_world(in);
}

/* ---- A stratum of all pairs ---- */

static const fp_estimate *find(const fp_inference *in, const fp_measure *measure, size_t arm) {
    for (size_t k = 0; k < in->measure_count; k++)
        if (fp_measure_same(&in->measures[k].measure, measure)) return fp_inference_at(in, k, arm);
    fail_msg("%s was not estimated", measure->row->name);
    return NULL;
}

/* At the best threshold a measure is what it is where that is one of the list. */
static void check_best(world *in, size_t arm, const fp_stratum_arm *figures) {
    double best = figures->best_threshold.value;
    fp_inference_options options = in->options;
    fp_inference there;
    options.thresholds = &best;
    options.threshold_count = 1;
    ASSERT_GOOD(fp_inference_make(&in->corpus, in->measured, ARMS, &options, NULL, in->arena, &there, &test_error));
    assert_estimate(&figures->precision, fp_inference_of(&there, &fp_measure_precision, arm));
    assert_estimate(&figures->recall, fp_inference_of(&there, &fp_measure_recall, arm));
    for (size_t k = 0; k < FURTHER; k++) assert_estimate(figures->further + k, find(&there, in->further + k, arm));
}

static void the_whole_is_a_stratum(void **state) {
    (void)state;
    static const fp_method METHODS[] = {FP_METHOD_MID_P, FP_METHOD_PERCENTILE};
    for (size_t m = 0; m < 2; m++) {
        world *in = make_world(METHODS[m]);
        uint32_t *of_pair = fp_arena_alloc(in->arena, PAIRS, sizeof *of_pair);
        fp_strata strata = {.by = "made", .count = 1, .of_pair = of_pair};
        fp_measurement measurements[LANES] = {0};
        fp_outcome outcome = {
            .corpus = &in->corpus, .count = ARMS, .lane_count = LANES, .further = SEEDS, .measurements = measurements};
        for (size_t lane = 0; lane < LANES; lane++) measurements[lane].distances = in->distances[lane];
        fp_stratum all;
        ASSERT_GOOD(fp_stratum_infer(&outcome, &strata, 0, &in->options, NULL, in->arena, &all, &test_error));
        assert_true(all.pairs == PAIRS && all.joined == 0 && all.replicates == REPLICATES);
        for (size_t arm = 0; arm < ARMS; arm++) {
            const fp_stratum_arm *figures = all.arms + arm;
            for (size_t k = 0; k < FURTHER; k++) {
                if (!fp_measure_at_threshold(in->further[k].row)) continue;
                const fp_estimate *wanted = find(&in->inference, in->further + k, arm);
                for (size_t t = 0; t < LIMIT_COUNT; t++)
                    assert_estimate(figures->at + (FP_STRATUM_USUAL + k) * LIMIT_COUNT + t, wanted + t);
            }
            for (size_t t = 0; t < LIMIT_COUNT; t++) {
                fp_confusion counts = fp_bootstrap_counts(&in->bootstrap, in->bootstrap.replicates, arm, t);
                assert_memory_equal(figures->counts + t, &counts, sizeof counts);
            }
            check_best(in, arm, figures);
        }
        free_world(in);
    }
}

/* ---- In words ---- */

static void assert_says(const fp_inference *inference, const char *words, bool said) {
    fp_arena *arena = fp_arena_new();
    const char *text = fp_inference_describe(inference, arena);
    if ((strstr(text, words) != NULL) != said) fail_msg("\"%s\" of \"%s\"", words, text);
    fp_arena_free(arena);
}

static void words_are_those_of_the_case(void **state) {
    (void)state;
    static const bool WHOLE[] = {false, true};
    static const fp_drawn_sample DRAWN[] = {{1000, 200, 80, 10, 9, WHOLE, ""},
                                            {100000, 200, 80, 1247.5, 9, WHOLE, "simhash"}};
    fp_inference of = {.counted = true, .resample = {.unit_count = 1, .document_count = 30}};
    assert_says(&of, "All documents are in one group", true);
    of.resample.unit_count = 2;
    assert_says(&of, "All documents are in one group", false);
    assert_says(&of, "All pairs of 30 documents are counted", true);
    assert_says(&of, "over 2 groups", true);
    assert_says(&of, "a sample of", false);
    assert_says(&of, "mid-p", false);
    assert_says(&of, "64 bits", false);
    of.sampled_units = 17, of.wanted_draws = true, of.beyond = true;
    assert_says(&of, "with a sample of 17", true);
    assert_says(&of, "too many pairs for a bootstrap: intervals are mid-p", true);
    assert_says(&of, "64 bits: figures over the range", true);
    for (size_t i = 0; i < 2; i++) {
        of.drawn = DRAWN + i;
        assert_true(fp_inference_weight(&of, 0) == DRAWN[i].weight && fp_inference_weight(&of, 1) == 1);
        assert_says(&of, "All pairs of simhash are counted", i == 1);
        assert_says(&of,
                    i ? "Of the 100000 non-duplicate pairs of 30 documents"
                      : "Of the 1000 non-duplicate pairs of 30 documents",
                    true);
        assert_says(&of, "200 near ones and a sample of 80 others (seed 9) are measured", true);
        assert_says(&of, i ? "at most 1248;" : "at most 10.00;", true);
        assert_says(&of, "A sample has no bootstrap", true);
        assert_says(&of, "64 bits", true);
    }
    of.resample.unit_count = 1;
    assert_says(&of, "All documents are in one group", true);
    of.drawn = NULL;
    assert_true(fp_inference_weight(&of, 0) == 1);
    assert_says(&of, "hash", false);
    of.hashed_count = 1, of.hash_seeds = 1;
    assert_says(&of, "measured with one seed", true);
    of.hash_seeds = 2;
    assert_says(&of, "means over 2 hash seeds", true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimates_are_those_of_the_bootstrap), cmocka_unit_test(what_is_not_asked_is_not_there),
        cmocka_unit_test(comparisons_are_differences),          cmocka_unit_test(the_whole_is_a_stratum),
        cmocka_unit_test(words_are_those_of_the_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
