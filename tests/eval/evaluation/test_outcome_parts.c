/* SPDX-License-Identifier: GPL-3.0-or-later
 * What is made of an outcome, cell by cell against the statistics: arms at thresholds of their own, clusters, precision
 * at other prevalences, ranks over corpora. */
#include <math.h>

#include "reports/analyses/analyses.h"
#include "reports/analyses/analysis_outcomes.h"
#include "eval/evaluation/outcome.h"
#include "eval/analyses/ranks.h"
#include "eval/statistics/two_rates.h"
#include "tests/support.h"

#include "tests/eval/made_corpus.h"
#include "tests/eval/made_pairs.h"

enum { ARMS = 3, LANES = 5, PAIRS = 240, THRESHOLDS = 3 };
static const fp_further_seeds SEEDS[ARMS] = {{3, 0}, {3, 2}, {5, 0}}; /* the second arm has three seeds */
static const double AT[THRESHOLDS] = {4, 6, 9};

typedef struct world {
    fp_arena *arena, *scratch;
    set *from;
    fp_corpus corpus;
    fp_measurement measurements[LANES];
    fp_curve curves[LANES];
    fp_inference inference;
    fp_outcome outcome;
    fp_inference_options options;
} world;

/* What an analysis finds. */
static fp_status find(const fp_analysis *analysis, const fp_outcome *outcome, const fp_inference_options *options,
                      fp_arena *arena, const void **found) {
    const fp_questions questions = {.inference = *options};
    const fp_analysed of = {.outcome = outcome, .questions = &questions, .arena = arena};
    return analysis->run(&of, found, &test_error);
}

static world *make_world(fp_method method) {
    fp_arena *arena = fp_arena_new();
    world *in = fp_arena_alloc(arena, 1, sizeof *in);
    in->arena = arena;
    in->scratch = fp_arena_new();
    in->from = fp_arena_alloc(arena, 1, sizeof *in->from);
    make_set(in->from, GROUPED, PAIRS, 60, 33);
    for (size_t lane = 0; lane < LANES; lane++) {
        double *distances = fp_arena_raw(arena, PAIRS, sizeof *distances);
        fp_histogram *histogram = &in->measurements[lane].histogram;
        in->measurements[lane].distances = distances;
        for (size_t i = 0; i < PAIRS; i++) {
            distances[i] = in->from->distance[lane % 2][i] + (double)(fp_mix(i, 70 + lane) % (2 + 2 * lane));
            ASSERT_GOOD(fp_histogram_add(histogram, distances[i], in->from->pairs[i].label, &test_error));
        }
        fp_histogram_finish(histogram);
        ASSERT_GOOD(fp_curve_make(histogram, arena, in->curves + lane, &test_error));
    }
    in->corpus = (fp_corpus){.name = "made",
                             .truth = FP_TRUTH_PAIRS,
                             .document_count = in->from->documents,
                             .group = in->from->group,
                             .pair_count = PAIRS,
                             .pairs = in->from->pairs};
    ASSERT_GOOD(fp_resample_make(in->corpus.pairs, PAIRS, in->corpus.group, in->corpus.document_count, FP_SAMPLING_AUTO,
                                 arena, &in->inference.resample, &test_error));
    in->outcome = (fp_outcome){.corpus = &in->corpus,
                               .count = ARMS,
                               .lane_count = LANES,
                               .further = SEEDS,
                               .measurements = in->measurements,
                               .curves = in->curves,
                               .inference = &in->inference};
    in->options = (fp_inference_options){.method = method,
                                         .confidence = 0.9,
                                         .replicates = 40,
                                         .seed = 5,
                                         .prevalence = 0.004,
                                         .thresholds = AT,
                                         .threshold_count = THRESHOLDS,
                                         .further_seeds = SEEDS};
    return in;
}

static void free_world(world *in) {
    for (size_t lane = 0; lane < LANES; lane++) fp_measurement_free(in->measurements + lane);
    fp_arena_free(in->scratch);
    fp_arena_free(in->arena);
}

static void assert_value(double found, double wanted) {
    if (found != wanted && !(isnan(found) && isnan(wanted))) fail_msg("%.17g, not %.17g", found, wanted);
}

static void assert_estimate(const fp_estimate *found, const fp_estimate *wanted) {
    assert_value(found->value, wanted->value);
    assert_value(found->error, wanted->error);
    assert_value(found->interval.low, wanted->interval.low);
    assert_value(found->interval.high, wanted->interval.high);
}

/* The arms with their seeds, as the outcome has them. */
static void draw(world *in, const double *thresholds, size_t count, fp_bootstrap *to) {
    const double *distances[LANES];
    fp_resample *resample = fp_arena_alloc(in->arena, 1, sizeof *resample);
    bool draws = fp_method_draws(in->options.method);
    fp_bootstrap_options options = {.replicates = draws ? in->options.replicates : 0,
                                    .seed = in->options.seed,
                                    .thresholds = thresholds,
                                    .threshold_count = count,
                                    .further = SEEDS};
    for (size_t lane = 0; lane < LANES; lane++) distances[lane] = in->measurements[lane].distances;
    resample_set(in->from, in->from->group, FP_SAMPLING_AUTO, in->arena, resample);
    ASSERT_GOOD(fp_bootstrap_run(resample, &(fp_paired_distances){in->from->pairs, distances, ARMS}, &options, NULL,
                                 in->arena, to, &test_error));
}

/* ---- Thresholds of their own ---- */

/* The arm as it was chosen, under its own seed alone; an arm without a threshold is left out. */
static void chosen_arms_stand_at_theirs(void **state) {
    (void)state;
    static const double OWN[][ARMS] = {{5, NAN, 8}, {NAN, 6, NAN}, {3, 4, 5}, {NAN, NAN, NAN}};
    world *in = make_world(FP_METHOD_MID_P);
    ASSERT_GOOD(fp_outcome_infer(&in->outcome, &in->options, NULL, in->arena, &test_error));
    for (size_t k = 0; k < 4; k++) {
        fp_chosen_outcome found;
        size_t place = 0;
        ASSERT_GOOD(fp_chosen_outcome_make(&in->outcome, OWN[k], &in->options, NULL, in->arena, &found, &test_error));
        for (size_t arm = 0; arm < ARMS; arm++) {
            if (isnan(OWN[k][arm])) continue;
            const fp_chosen_arm *own = found.arms + place++;
            fp_inference_options options = {.method = FP_METHOD_MID_P,
                                            .confidence = 0.9,
                                            .seed = 5,
                                            .thresholds = OWN[k] + arm,
                                            .threshold_count = 1};
            fp_inference wanted;
            ASSERT_GOOD(fp_inference_make(&in->corpus, in->measurements + arm, 1, &options, NULL, in->arena, &wanted,
                                          &test_error));
            fp_confusion counts = fp_confusion_at(&in->measurements[arm].histogram, OWN[k][arm]);
            assert_true(own->arm == arm && own->threshold == OWN[k][arm]);
            assert_memory_equal(&own->counts, &counts, sizeof counts);
            assert_estimate(&own->precision, fp_inference_of(&wanted, &fp_measure_precision, 0));
            assert_estimate(&own->recall, fp_inference_of(&wanted, &fp_measure_recall, 0));
            assert_estimate(&own->f1, fp_inference_of(&wanted, &fp_measure_f1, 0));
        }
        assert_int_equal(found.count, place);
        assert_ptr_equal(found.outcome, &in->outcome);
    }
    free_world(in);
}

/* ---- Clusters ---- */

static void check_clusters(world *in, size_t arm, size_t t, const fp_members *members, const fp_estimate *estimates) {
    fp_contingency contingency;
    fp_agreements agreements;
    fp_progress quiet = fp_progress_quiet(NULL);
    uint32_t *found = fp_arena_raw(in->arena, members->count, sizeof *found);
    ASSERT_GOOD(fp_members_link(members, in->corpus.pairs, in->measurements[arm].distances, PAIRS, AT[t], in->arena,
                                found, &test_error));
    ASSERT_GOOD(fp_contingency_make(members->cluster, found, members->count, in->arena, &contingency, &test_error));
    ASSERT_GOOD(fp_agreements_run(&contingency, 40, 5, FP_EMPTY_NA, &quiet, in->arena, &agreements, &test_error));
    for (int kind = 0; kind < FP_AGREEMENT_KINDS; kind++) {
        fp_estimate wanted;
        ASSERT_GOOD(fp_agreements_estimate(&agreements, (fp_agreement_kind)kind, in->options.method, 0.9, in->scratch,
                                           &wanted, &test_error));
        assert_estimate(estimates + kind, &wanted);
    }
}

static void clusters_are_linked_at_each_threshold(void **state) {
    (void)state;
    world *in = make_world(FP_METHOD_PERCENTILE);
    const void *result;
    fp_members members;
    ASSERT_GOOD(find(&fp_analysis_clusters, &in->outcome, &in->options, in->arena, &result));
    ASSERT_GOOD(fp_members_make(in->corpus.pairs, PAIRS, in->corpus.document_count, in->arena, &members, &test_error));
    for (size_t arm = 0; arm < ARMS; arm++)
        for (size_t t = 0; t < THRESHOLDS; t++)
            check_clusters(in, arm, t, &members,
                           (const fp_estimate *)result + (arm * THRESHOLDS + t) * FP_AGREEMENT_KINDS);
    in->corpus.truth = FP_TRUTH_GROUPS;
    assert_int_equal(find(&fp_analysis_clusters, &in->outcome, &in->options, in->arena, &result), FP_ERROR_EMPTY);
    free_world(in);
}

/* ---- Prevalence ---- */

static void prevalence_is_that_of_the_points(void **state) {
    (void)state;
    static const fp_method METHODS[] = {FP_METHOD_MID_P, FP_METHOD_PERCENTILE};
    for (size_t m = 0; m < 2; m++) {
        world *in = make_world(METHODS[m]);
        const void *result;
        fp_bootstrap bootstrap;
        double best[ARMS], *thresholds, grid[FP_PREVALENCE_GRID];
        size_t count, grid_count = fp_prevalence_grid(0.004, grid);
        for (size_t arm = 0; arm < ARMS; arm++) best[arm] = in->curves[arm].best_threshold;
        ASSERT_GOOD(fp_thresholds_merge(AT, THRESHOLDS, best, ARMS, in->arena, &thresholds, &count, &test_error));
        ASSERT_GOOD(find(&fp_analysis_prevalence, &in->outcome, &in->options, in->arena, &result));
        fp_prevalence_outcome found = *(const fp_prevalence_outcome *)result;
        draw(in, thresholds, count, &bootstrap);
        assert_true(found.threshold_count == count && found.prevalence_count == grid_count);
        assert_memory_equal(found.thresholds, thresholds, count * sizeof *thresholds);
        assert_memory_equal(found.prevalences, grid, grid_count * sizeof *grid);
        assert_true(grid[found.stated] == 0.004);
        for (size_t arm = 0; arm < ARMS; arm++) {
            const fp_prevalence_arm *own = found.arms + arm;
            fp_prevalence_options options = {grid, grid_count, METHODS[m], 0.9};
            for (size_t t = 0; t < count; t++) {
                fp_prevalence_point points[FP_PREVALENCE_GRID];
                ASSERT_GOOD(fp_prevalence_points(&bootstrap, arm, t, &options, in->scratch, points, &test_error));
                for (size_t i = 0; i < grid_count; i++) {
                    assert_value(own->points[t * grid_count + i].prevalence, grid[i]);
                    assert_estimate(&own->points[t * grid_count + i].precision, &points[i].precision);
                }
            }
            fp_measure precision = {.row = &fp_measure_precision, .threshold = own->best};
            fp_estimate wanted;
            assert_true(thresholds[own->best] == best[arm]);
            ASSERT_GOOD(
                fp_bootstrap_estimate(&bootstrap, arm, precision, METHODS[m], 0.9, in->scratch, &wanted, &test_error));
            assert_estimate(&own->own, &wanted);
        }
        free_world(in);
    }
}

/* An arm that calls no duplicate at any distance has no best threshold. */
static void without_duplicates_nothing_is_best(void **state) {
    (void)state;
    world *in = make_world(FP_METHOD_MID_P);
    const void *made_of;
    in->curves[0].best_threshold = NAN;
    ASSERT_GOOD(find(&fp_analysis_prevalence, &in->outcome, &in->options, in->arena, &made_of));
    fp_prevalence_outcome found = *(const fp_prevalence_outcome *)made_of;
    assert_int_equal(found.arms[0].best, found.threshold_count);
    assert_true(isnan(found.arms[0].own.value) && isnan(found.arms[0].own.interval.low) &&
                isnan(found.arms[0].own.interval.high));
    assert_true(found.arms[1].best < found.threshold_count && !isnan(found.arms[1].own.value));
    free_world(in);
}

/* Of all pairs of groups nothing is drawn: the methods that draw are mid-p there. */
static void of_groups_nothing_is_drawn(void **state) {
    static const fp_method METHODS[] = {FP_METHOD_MID_P, FP_METHOD_PERCENTILE, FP_METHOD_BCA,
                                        FP_METHOD_CLOPPER_PEARSON};
    (void)state;
    made it = make_corpus(90, 3, true);
    fp_measurement measurement;
    fp_curve curve;
    fp_prevalence_outcome found[4];
    measure(&it, "jaccard:features=chars:1", &measurement);
    ASSERT_GOOD(fp_curve_make(&measurement.histogram, it.arena, &curve, &test_error));
    fp_outcome outcome = {
        .corpus = &it.corpus, .count = 1, .lane_count = 1, .measurements = &measurement, .curves = &curve};
    for (size_t m = 0; m < 4; m++) {
        fp_inference_options options = {.method = METHODS[m],
                                        .confidence = 0.95,
                                        .replicates = 40,
                                        .seed = 5,
                                        .prevalence = 0.01,
                                        .thresholds = AT,
                                        .threshold_count = THRESHOLDS};
        const void *points_of;
        ASSERT_GOOD(find(&fp_analysis_prevalence, &outcome, &options, it.arena, &points_of));
        found[m] = *(const fp_prevalence_outcome *)points_of;
    }
    size_t points = found->threshold_count * found->prevalence_count, longer = 0;
    for (size_t i = 0; i < points; i++) {
        const fp_estimate *mid_p = &found->arms->points[i].precision;
        for (size_t m = 1; m < 3; m++) assert_estimate(&found[m].arms->points[i].precision, mid_p);
        const fp_interval *clopper = &found[3].arms->points[i].precision.interval;
        longer += clopper->high - clopper->low > mid_p->interval.high - mid_p->interval.low;
    }
    assert_true(longer > points / 2);
    fp_measurement_free(&measurement);
    fp_arena_free(it.arena);
}

/* ---- Ranks ---- */

/* Means over the seeds under which there is one. */
static void ranks_are_of_means(void **state) {
    (void)state;
    world *in = make_world(FP_METHOD_MID_P);
    fp_outcome both[3] = {in->outcome, in->outcome, in->outcome};
    fp_curve curves[2][LANES];
    for (size_t i = 0; i < 2; i++) {
        memcpy(curves[i], in->curves, sizeof curves[i]);
        both[i].curves = curves[i];
    }
    curves[1][3].average_precision = NAN; /* one seed of the second arm */
    double mean = (curves[1][1].average_precision + curves[1][4].average_precision) / 2;
    assert_value(fp_seeds_curve_mean(both + 1, 1, offsetof(fp_curve, average_precision)), mean);
    assert_true(fp_ranks_outcome_can(both, 2) && fp_ranks_outcome_can(both, 3) && !fp_ranks_outcome_can(both, 1));
    fp_ranks ranks;
    for (size_t lane = 0; lane < LANES; lane++) curves[0][lane].average_precision /= 2;
    ASSERT_GOOD(fp_ranks_outcome_make(both, 3, 0.9, in->arena, &ranks, &test_error));
    for (size_t i = 0; i < 3; i++)
        for (size_t arm = 0; arm < ARMS; arm++)
            assert_value(ranks.values[i * ARMS + arm],
                         fp_seeds_curve_mean(both + i, arm, offsetof(fp_curve, average_precision)));
    for (size_t lane = 1; lane < LANES; lane++) curves[1][lane].average_precision = NAN;
    assert_false(fp_ranks_outcome_can(both, 2)); /* one corpus is left */
    assert_true(fp_ranks_outcome_can(both, 3));
    assert_value(fp_seeds_curve_mean(both + 1, 1, offsetof(fp_curve, average_precision)), NAN);
    both[2].count = 2;
    assert_false(fp_ranks_outcome_can(both, 3)); /* other arms */
    for (size_t i = 0; i < 3; i++) both[i].count = 2;
    assert_true(fp_ranks_outcome_can(both, 3));
    for (size_t i = 0; i < 3; i++) both[i].count = 1;
    assert_false(fp_ranks_outcome_can(both, 3)); /* nothing to rank */
    free_world(in);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chosen_arms_stand_at_theirs),      cmocka_unit_test(clusters_are_linked_at_each_threshold),
        cmocka_unit_test(prevalence_is_that_of_the_points), cmocka_unit_test(without_duplicates_nothing_is_best),
        cmocka_unit_test(of_groups_nothing_is_drawn),       cmocka_unit_test(ranks_are_of_means),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
