/* SPDX-License-Identifier: GPL-3.0-or-later
 * Cross-fitted judgements where pairs lie across two units: by their definition, pair by pair. */
#include <math.h>

#include "tests/support.h"

#include "eval/evaluation/inference.h"
#include "eval/units/sampling_units.h"
#include "tests/eval/made_pairs.h"

enum { PAIRS = 160, FOLDS = FP_CROSS_FIT_FOLDS };

typedef struct world {
    fp_arena *arena;
    set *from;
    fp_resample resample;
    uint8_t fold[PAIRS * 2];
} world;

static world make_world(shape of, size_t documents) {
    world in = {.arena = fp_arena_new()};
    in.from = fp_arena_alloc(in.arena, 1, sizeof *in.from);
    make_set(in.from, of, PAIRS, documents, 8);
    resample_set(in.from, of == GROUPED ? in.from->group : NULL, of == SHARED ? FP_SAMPLING_DOCUMENT : FP_SAMPLING_AUTO,
                 in.arena, &in.resample);
    return in;
}

/* A pair across two units is one of both. */
static void deal(world *in, uint64_t dealing) {
    fp_unit_load load[2 * PAIRS];
    for (size_t u = 0; u < in->resample.unit_count; u++) load[u] = (fp_unit_load){.key = UINT64_MAX};
    for (size_t i = 0; i < PAIRS; i++) {
        fp_pair pair = in->from->pairs[i];
        const uint32_t unit[2] = {in->resample.first[i], in->resample.second[i]}, document[2] = {pair.a, pair.b};
        for (size_t k = 0; k < 2; k++) {
            uint64_t key = fp_mix(document[k], 0);
            if (key < load[unit[k]].key) load[unit[k]].key = key;
            if (k && unit[0] == unit[1]) continue;
            load[unit[k]].positives += pair.label;
            load[unit[k]].size++;
        }
    }
    size_t folds = in->resample.unit_count < FOLDS ? in->resample.unit_count : FOLDS;
    ASSERT_GOOD(fp_folds_deal(load, in->resample.unit_count, folds, dealing, in->arena, in->fold, &test_error));
}

static bool is_across(const world *in, size_t pair) { return in->resample.first[pair] != in->resample.second[pair]; }

/* Whether any unit of the one is in the fold of one of the other. */
static bool touches(const world *in, size_t one, size_t other) {
    const fp_resample *of = &in->resample;
    uint8_t a = in->fold[of->first[one]], b = in->fold[of->second[one]], x = in->fold[of->first[other]],
            y = in->fold[of->second[other]];
    return a == x || a == y || b == x || b == y;
}

/* Pairs that stay stand for all that lie inside a unit, or across two, in 65,536ths. */
static void weigh(const world *in, size_t pair, double weight[PAIRS]) {
    size_t all[2] = {0, 0}, stay[2] = {0, 0};
    for (size_t i = 0; i < PAIRS; i++) {
        all[is_across(in, i)]++;
        stay[is_across(in, i)] += !touches(in, pair, i);
    }
    for (size_t i = 0; i < PAIRS; i++)
        weight[i] = touches(in, pair, i) ? 0 : (double)(all[is_across(in, i)] * 65536 / stay[is_across(in, i)]);
}

/* The smallest distance with the best F1 over the pairs that stay. */
static double choose(const world *in, size_t arm, size_t pair) {
    double weight[PAIRS], best = -1, chosen = NAN;
    const double *distance = in->from->distance[arm];
    weigh(in, pair, weight);
    for (size_t k = 0; k < PAIRS; k++) {
        double tp = 0, called = 0, positives = 0;
        if (!(weight[k] > 0) || !in->from->pairs[k].label) continue;
        for (size_t i = 0; i < PAIRS; i++) {
            positives += in->from->pairs[i].label ? weight[i] : 0;
            if (distance[i] > distance[k]) continue;
            called += weight[i];
            tp += in->from->pairs[i].label ? weight[i] : 0;
        }
        double f1 = 2 * tp / (called + positives);
        if (f1 < best - 1e-12 || (f1 < best + 1e-12 && distance[k] >= chosen)) continue;
        best = f1, chosen = distance[k];
    }
    return chosen;
}

static void check(world *in, size_t few) {
    const double *distances[2] = {in->from->distance[0], in->from->distance[1]};
    fp_bootstrap_options options = {.replicates = 1, .thresholds = LIMITS, .threshold_count = LIMIT_COUNT};
    fp_bootstrap bootstrap;
    fp_judgements found[2];
    size_t votes[2][PAIRS] = {{0}};
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    ASSERT_GOOD(fp_bootstrap_run(&in->resample, &(fp_paired_distances){in->from->pairs, distances, 2}, &options, NULL,
                                 in->arena, &bootstrap, &test_error));
    ASSERT_GOOD(fp_judgements_make(&bootstrap, (fp_known_pairs){in->from->pairs, NULL}, NULL, NULL, in->arena, found,
                                   &test_error));
    if (few) {
        assert_true(!found[0].right && !found[1].right);
        return;
    }
    for (uint64_t k = 0; k < FP_CROSS_FIT_DEALINGS; k++) {
        deal(in, k);
        for (size_t arm = 0; arm < 2; arm++)
            for (size_t i = 0; i < PAIRS; i++) {
                double threshold = choose(in, arm, i);
                low[arm] = fmin(low[arm], threshold), high[arm] = fmax(high[arm], threshold);
                votes[arm][i] += distances[arm][i] <= threshold;
            }
    }
    for (size_t arm = 0; arm < 2; arm++) {
        assert_true(found[arm].low == low[arm] && found[arm].high == high[arm]);
        for (size_t i = 0; i < PAIRS; i++) {
            bool called = 2 * votes[arm][i] > FP_CROSS_FIT_DEALINGS, label = in->from->pairs[i].label;
            assert_int_equal(found[arm].right[i], called == label);
        }
    }
}

static void judgements_are_those_of_the_other_folds(void **state) {
    (void)state;
    static const struct {
        shape of;
        size_t documents;
    } WORLDS[] = {{SHARED, 40}, {GROUPED, 90}, {STARS, 0}, {SHARED, 90}};
    for (size_t k = 0; k < sizeof WORLDS / sizeof *WORLDS; k++) {
        world in = make_world(WORLDS[k].of, WORLDS[k].documents);
        check(&in, 0);
        fp_arena_free(in.arena);
    }
}

/* Of two units there is nothing to choose from; of three there is, where each has duplicates. */
static void few_units_are_too_few(void **state) {
    (void)state;
    for (uint32_t units = 2; units <= 3; units++) {
        world in = make_world(APART, 0);
        for (uint32_t i = 0; i < PAIRS; i++) in.from->group[2 * i] = in.from->group[2 * i + 1] = i % units;
        resample_set(in.from, in.from->group, FP_SAMPLING_GROUP, in.arena, &in.resample);
        assert_int_equal(in.resample.unit_count, units);
        check(&in, units == 2);
        fp_arena_free(in.arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(judgements_are_those_of_the_other_folds),
                                       cmocka_unit_test(few_units_are_too_few)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
