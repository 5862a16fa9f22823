/* SPDX-License-Identifier: GPL-3.0-or-later
 * Judgements at thresholds that were not chosen on the pairs themselves. */
#include <gsl/gsl_sort.h>
#include <math.h>

#include "tests/support.h"

#include "eval/evaluation/inference.h"
#include "eval/units/sampling_units.h"
#include "tests/eval/made_pairs.h"

typedef struct world {
    fp_arena *arena;
    set *from;
    fp_resample resample;
} world;

static world open_world(shape of, size_t count, size_t documents, bool grouped) {
    world made = {.arena = fp_arena_new()};
    made.from = fp_arena_alloc(made.arena, 1, sizeof *made.from);
    make_set(made.from, of, count, documents, 5);
    resample_set(made.from, grouped ? made.from->group : NULL, FP_SAMPLING_AUTO, made.arena, &made.resample);
    return made;
}

static fp_judgements *judge(const world *of, const double *thresholds, size_t count, const fp_threshold_at *at) {
    const double *distances[2] = {of->from->distance[0], of->from->distance[1]};
    fp_bootstrap_options options = {.replicates = 1, .thresholds = thresholds, .threshold_count = count};
    fp_bootstrap bootstrap;
    fp_judgements *made = fp_arena_alloc(of->arena, 2, sizeof *made);
    ASSERT_GOOD(fp_bootstrap_run(&of->resample, &(fp_paired_distances){of->from->pairs, distances, 2}, &options, NULL,
                                 of->arena, &bootstrap, &test_error));
    ASSERT_GOOD(fp_judgements_make(&bootstrap, (fp_known_pairs){of->from->pairs, NULL}, at, NULL, of->arena, made,
                                   &test_error));
    return made;
}

/* Whatever thresholds are tabulated. */
static void tabulated_thresholds_are_no_matter(void **state) {
    (void)state;
    static const double FEW[] = {1}, FAR[] = {90, 91};
    world of = open_world(GROUPED, 900, 150, true);
    fp_judgements *usual = judge(&of, LIMITS, LIMIT_COUNT, NULL), *few = judge(&of, FEW, 1, NULL),
                  *far = judge(&of, FAR, 2, NULL);
    for (size_t arm = 0; arm < 2; arm++) {
        assert_non_null(usual[arm].right);
        assert_true(usual[arm].source == FP_THRESHOLD_CROSS_FITTED && usual[arm].low <= usual[arm].high);
        assert_memory_equal(usual[arm].right, few[arm].right, 900);
        assert_memory_equal(usual[arm].right, far[arm].right, 900);
    }
    fp_arena_free(of.arena);
}

/* What a pair measures does not touch the threshold at which another pair of the same unit is judged. */
static void own_units_have_no_say(void **state) {
    (void)state;
    static const shape SHAPES[] = {APART, STARS, SHARED, GROUPED};
    size_t changed = 0;
    for (size_t s = 0; s < 4; s++) {
        world of = open_world(SHAPES[s], 450, 150, SHAPES[s] == GROUPED);
        const fp_judgements *before = judge(&of, LIMITS, LIMIT_COUNT, NULL);
        for (size_t unit = 0; unit < of.resample.unit_count; unit += 13) {
            double kept[450];
            memcpy(kept, of.from->distance[0], sizeof kept);
            for (size_t i = 0; i < 450; i++)
                if (of.resample.first[i] == unit || of.resample.second[i] == unit)
                    of.from->distance[0][i] = of.from->pairs[i].label ? 90 : 0;
            const fp_judgements *after = judge(&of, LIMITS, LIMIT_COUNT, NULL);
            memcpy(of.from->distance[0], kept, sizeof kept);
            for (size_t i = 0; i < 450; i++) {
                bool own = of.resample.first[i] == unit || of.resample.second[i] == unit;
                /* A duplicate at 90 and another pair at 0 are judged wrongly at any threshold. */
                if (own) assert_false(after->right[i]);
                else changed += before->right[i] != after->right[i];
            }
        }
        fp_arena_free(of.arena);
    }
    assert_true(changed > 0); /* others' thresholds do move */
}

enum { APART_PAIRS = 200 };

/* The threshold with the best F1 over all folds but one, by counting. */
static double best_without(const set *from, size_t arm, const uint8_t *fold, uint8_t without) {
    double best = -1, chosen = NAN;
    const double *distance = from->distance[arm];
    for (size_t k = 0; k < APART_PAIRS; k++) {
        double tp = 0, fp = 0, fn = 0, h = distance[k];
        if (fold[k] == without) continue;
        for (size_t i = 0; i < APART_PAIRS; i++) {
            if (fold[i] == without) continue;
            bool near = distance[i] <= h, positive = from->pairs[i].label;
            tp += near && positive;
            fp += near && !positive;
            fn += !near && positive;
        }
        double f1 = tp > 0 ? 2 * tp / (2 * tp + fp + fn) : 0;
        if (f1 < best - 1e-12 || (f1 < best + 1e-12 && h >= chosen)) continue;
        best = f1;
        chosen = h;
    }
    return chosen;
}

/* By the definition, for independent pairs: folds as dealt, F1 over the other four by counting, and the median of what
 * all dealings choose. */
static void thresholds_are_those_of_the_other_folds(void **state) {
    (void)state;
    world of = open_world(APART, APART_PAIRS, 0, false);
    const fp_judgements *found = judge(&of, LIMITS, LIMIT_COUNT, NULL);
    fp_unit_load load[APART_PAIRS];
    for (size_t i = 0; i < APART_PAIRS; i++) {
        fp_pair pair = of.from->pairs[i];
        uint64_t a = fp_mix(pair.a, 0), b = fp_mix(pair.b, 0);
        load[i] = (fp_unit_load){pair.label, 1, a < b ? a : b};
    }
    for (size_t arm = 0; arm < 2; arm++) {
        double threshold[APART_PAIRS][FP_CROSS_FIT_DEALINGS];
        for (size_t k = 0; k < FP_CROSS_FIT_DEALINGS; k++) {
            uint8_t fold[APART_PAIRS];
            double chosen[FP_CROSS_FIT_FOLDS];
            ASSERT_GOOD(fp_folds_deal(load, APART_PAIRS, FP_CROSS_FIT_FOLDS, k, of.arena, fold, &test_error));
            for (uint8_t f = 0; f < FP_CROSS_FIT_FOLDS; f++) {
                chosen[f] = best_without(of.from, arm, fold, f);
                assert_true(chosen[f] >= found[arm].low && chosen[f] <= found[arm].high);
            }
            for (size_t i = 0; i < APART_PAIRS; i++) threshold[i][k] = chosen[fold[i]];
        }
        for (size_t i = 0; i < APART_PAIRS; i++) {
            gsl_sort(threshold[i], 1, FP_CROSS_FIT_DEALINGS);
            double median = threshold[i][FP_CROSS_FIT_DEALINGS / 2];
            assert_int_equal(found[arm].right[i],
                             (of.from->distance[arm][i] <= median) == (of.from->pairs[i].label != 0));
        }
    }
    fp_arena_free(of.arena);
}

/* The same pairs in another order, their documents in either: the same judgements. */
static void order_is_no_matter(void **state) {
    (void)state;
    enum { PAIRS = 450 };
    static const shape SHAPES[] = {APART, STARS, GROUPED};
    for (size_t s = 0; s < 3; s++) {
        world of = open_world(SHAPES[s], PAIRS, 150, SHAPES[s] == GROUPED), turned = of;
        const fp_judgements *found = judge(&of, LIMITS, LIMIT_COUNT, NULL);
        turned.from = fp_arena_alloc(of.arena, 1, sizeof *turned.from);
        *turned.from = *of.from;
        for (size_t i = 0; i < PAIRS; i++) {
            fp_pair pair = of.from->pairs[PAIRS - 1 - i];
            turned.from->pairs[i] = i % 3 ? pair : (fp_pair){pair.b, pair.a, pair.label};
            for (size_t arm = 0; arm < 2; arm++) turned.from->distance[arm][i] = of.from->distance[arm][PAIRS - 1 - i];
        }
        resample_set(turned.from, SHAPES[s] == GROUPED ? turned.from->group : NULL, FP_SAMPLING_AUTO, of.arena,
                     &turned.resample);
        const fp_judgements *again = judge(&turned, LIMITS, LIMIT_COUNT, NULL);
        for (size_t arm = 0; arm < 2; arm++)
            for (size_t i = 0; i < PAIRS; i++) assert_int_equal(found[arm].right[PAIRS - 1 - i], again[arm].right[i]);
        fp_arena_free(of.arena);
    }
}

static void stated_ones_are_taken(void **state) {
    (void)state;
    world of = open_world(STARS, 450, 0, false);
    const fp_threshold_at at[2] = {{FP_THRESHOLD_STATED, 6.5}, {FP_THRESHOLD_CHOICE, 8}};
    const fp_judgements *found = judge(&of, LIMITS, LIMIT_COUNT, at);
    for (size_t arm = 0; arm < 2; arm++) {
        assert_true(found[arm].source == at[arm].source && found[arm].low == at[arm].threshold &&
                    found[arm].high == at[arm].threshold);
        for (size_t i = 0; i < 450; i++)
            assert_int_equal(found[arm].right[i],
                             (of.from->distance[arm][i] <= at[arm].threshold) == (of.from->pairs[i].label != 0));
    }
    assert_string_equal(fp_threshold_source_name(FP_THRESHOLD_CROSS_FITTED), "cross-fitted");
    fp_arena_free(of.arena);
}

/* Nothing to choose on: no positives, or too few units. */
static void nothing_to_choose_on(void **state) {
    (void)state;
    world of = open_world(APART, 40, 0, false);
    for (size_t i = 0; i < 40; i++) of.from->pairs[i].label = 0;
    resample_set(of.from, NULL, FP_SAMPLING_AUTO, of.arena, &of.resample);
    assert_null(judge(&of, LIMITS, LIMIT_COUNT, NULL)->right);
    fp_arena_free(of.arena);
    of = open_world(APART, 2, 0, false);
    of.from->pairs[0].label = 1;
    resample_set(of.from, NULL, FP_SAMPLING_AUTO, of.arena, &of.resample);
    assert_null(judge(&of, LIMITS, LIMIT_COUNT, NULL)->right);
    fp_arena_free(of.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tabulated_thresholds_are_no_matter),
        cmocka_unit_test(own_units_have_no_say),
        cmocka_unit_test(thresholds_are_those_of_the_other_folds),
        cmocka_unit_test(order_is_no_matter),
        cmocka_unit_test(stated_ones_are_taken),
        cmocka_unit_test(nothing_to_choose_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
