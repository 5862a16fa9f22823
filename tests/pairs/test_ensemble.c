/* SPDX-License-Identifier: GPL-3.0-or-later
 * LSH Ensemble (Zhu et al., PVLDB 9(12), 2016) by its definition: the bands of each partition by hand, and the recall
 * by drawing. */
#include <math.h>

#include "pairs/band_keys.h"
#include "pairs/ensemble.h"
#include "tests/pairs/made_slots.h"

/* By counting: 8 of 10 elements in a set of 40 are 8 of 42; half of a set of the same size 1/3; all in four times as
 * many 1/4. In smaller sets the coefficient is larger, so that a bound of the size bounds it. */
static void containment_as_jaccard(void **state) {
    (void)state;
    assert_true(fabs(fp_contained_jaccard(0.8, 4) - 8.0 / 42) < 1e-15);
    assert_true(fabs(fp_contained_jaccard(0.5, 1) - 1.0 / 3) < 1e-15);
    assert_true(fp_contained_jaccard(1, 4) == 0.25 && fp_contained_jaccard(0.7, 0.7) == 0.7);
    for (double ratio = 0.8; ratio < 50; ratio *= 1.3)
        assert_true(fp_contained_jaccard(0.8, ratio) > fp_contained_jaccard(0.8, 1.3 * ratio));
}

/* The share of sets that become candidates where containments from 0 to the target are equally frequent: Simpson. */
static double area_over_containment(fp_banding banding, double target, double ratio) {
    enum { STEPS = 200 };
    double sum = 0;
    for (int i = 0; i <= STEPS; i++)
        sum += (i == 0 || i == STEPS ? 1
                : i % 2              ? 4
                                     : 2) *
               fp_banding_probability(banding, fp_contained_jaccard(target * i / STEPS, ratio));
    return sum * target / STEPS / 3;
}

/* Of all pairs (b, r) with the recall, the one with the least area of false positives over the containment. */
static void choices_for_a_containment(void **state) {
    (void)state;
    static const double TARGET[] = {0.5, 0.8, 0.95, 1}, RATIO[] = {1.05, 2, 5, 20, 60}, RECALL[] = {0.9, 0.955, 0.99};
    unsigned reached = 0, out_of_reach = 0;
    for (unsigned slots = 64; slots <= 256; slots *= 4)
        for (size_t i = 0; i < 4 * 5 * 3; i++) {
            double target = TARGET[i % 4], ratio = RATIO[i / 4 % 5], recall = RECALL[i / 20],
                   jaccard = fp_contained_jaccard(target, ratio), least = INFINITY;
            fp_banding_goal goal = {.slots = slots, .similarity = jaccard, .recall = recall};
            fp_banding chosen, best = {0};
            ASSERT_GOOD(fp_banding_best(&goal, NULL, &chosen, &test_error));
            for (unsigned rows = 1; rows <= slots; rows++)
                for (unsigned bands = 1; bands * rows <= slots; bands++) {
                    fp_banding tried = {bands, rows};
                    if (fp_banding_probability(tried, jaccard) < recall) continue;
                    double area = area_over_containment(tried, target, ratio);
                    if (area < least) best = tried;
                    least = fmin(least, area);
                    break;
                }
            bool found = least < INFINITY;
            assert_true(found == (chosen.bands > 0));
            reached += found;
            out_of_reach += !found;
            if (!found) continue;
            assert_int_equal(chosen.bands, best.bands);
            assert_int_equal(chosen.rows, best.rows);
        }
    assert_true(reached > 80 && out_of_reach > 10);
    /* 1 − (1 − J)^256 = 0.955 at J = 0.012041, which is t/(u/q + 1 − t) at t = 0.8 and u/q = 66.24. */
    for (int over = 0; over <= 1; over++) {
        fp_banding_goal goal = {
            .slots = 256, .similarity = fp_contained_jaccard(0.8, over ? 66.3 : 66.2), .recall = 0.955};
        fp_banding chosen;
        ASSERT_GOOD(fp_banding_best(&goal, NULL, &chosen, &test_error));
        assert_int_equal(chosen.bands, over ? 0 : 256);
    }
}

enum { OF_KIND = 1000, KINDS = 5, QUERY = 100 };
/* Sizes as multiples of the query, and the containment: too small for it, four and twenty times as large and right at
 * 0.8, four times with next to nothing in common, and so large that no bands find it. */
static const struct {
    double ratio, containment;
} KIND[KINDS] = {{0.5, 0}, {4, 0.8}, {4.01, 0.05}, {20, 0.8}, {200, 0.8}};

/* One partition for each kind. Candidates are counted by the definition of a band, slot by slot. */
static void an_ensemble_by_its_definition(void **state) {
    (void)state;
    static const char *const SPECS[] = {"minhash:slots=128", "minhash:slots=128,b=8"};
    const double lost = 0.005, recall = 0.95;
    for (size_t spec = 0; spec < 2; spec++) {
        fp_arena *arena = fp_arena_new();
        population of = make_families(SPECS[spec], KINDS * OF_KIND + 1, KINDS * OF_KIND + 1, 5, arena);
        const fp_layout *layout = fp_arm_layout(of.arm);
        uint32_t sizes[KINDS * OF_KIND];
        size_t found_of[KINDS] = {0}, candidates = 0;
        of.sketches.count--; /* the last is the query */
        fp_ensemble_question question = {fp_sketches_at(&of.sketches, KINDS * OF_KIND), QUERY, 0.8, recall};
        for (size_t i = 0; i < KINDS * OF_KIND; i++) {
            size_t kind = i % KINDS;
            double jaccard = kind ? fp_contained_jaccard(KIND[kind].containment, KIND[kind].ratio) : 0.5;
            sizes[i] = (uint32_t)(KIND[kind].ratio * QUERY);
            for (size_t s = 0; s < layout->slots; s++) {
                uint64_t drawn = fp_mix(i * 128 + s, 77), own;
                bool agrees = (double)(drawn >> 11) * 0x1p-53 < jaccard;
                fp_slot_values(layout, question.sketch.data, s, 1, &own);
                put_slot(layout, of.data + i * layout->bytes, s, agrees ? own : fp_mix(i * 128 + s, 78));
            }
        }
        fp_ensemble *ensemble;
        fp_ensemble_answer answer;
        ASSERT_GOOD(fp_ensemble_open(of.arm, &of.sketches, sizes, KINDS, arena, &ensemble, &test_error));
        for (int again = 0; again < 2; again++) /* bands are made by the first */
            ASSERT_GOOD(fp_ensemble_find(ensemble, &question, &answer, &test_error));
        for (size_t i = 0; i < KINDS * OF_KIND; i++) {
            size_t kind = i % KINDS;
            bool agree[128], any = false;
            if (kind == 0 || kind == 4) continue;
            unsigned bits = spec ? 8 : 32;
            fp_banding_goal goal = {.slots = 128,
                                    .slot_bits = bits,
                                    .similarity = fp_contained_jaccard(0.8, sizes[i] / (double)QUERY),
                                    .recall = recall + lost};
            fp_banding banding;
            ASSERT_GOOD(fp_banding_best(&goal, NULL, &banding, &test_error));
            assert_true(banding.bands > 0);
            slots_agreeing(&of, question.sketch, fp_sketches_at(&of.sketches, i), agree);
            for (unsigned b = 0; b < banding.bands && !any; b++) {
                any = true;
                for (unsigned r = 0; r < banding.rows; r++) any &= agree[b * banding.rows + r];
            }
            candidates += any;
        }
        assert_int_equal(answer.candidates, candidates);
        assert_int_equal(answer.scanned, OF_KIND);
        assert_true(answer.recall >= recall && answer.recall <= 1 - lost);
        bool seen[KINDS * OF_KIND] = {false};
        for (size_t i = 0; i < answer.count; i++) {
            assert_false(seen[answer.found[i]]);
            seen[answer.found[i]] = true;
            found_of[answer.found[i] % KINDS]++;
        }
        double least = OF_KIND * recall - 4.5 * sqrt(OF_KIND * recall * (1 - recall));
        assert_int_equal(found_of[0], 0);
        assert_true((double)found_of[1] >= least && (double)found_of[3] >= least && (double)found_of[4] >= least);
        assert_true(found_of[2] <= OF_KIND / 50);
        fp_arena_free(arena);
    }
}

static void ensembles_of_little(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    population of = make_families("minhash:slots=64", 2, 1, 9, arena),
               one_bit = make_families("minhash:b=1", 2, 1, 9, arena);
    const uint32_t sizes[] = {100, 100};
    fp_ensemble *ensemble;
    fp_ensemble_answer answer;
    fp_ensemble_question question = {fp_sketches_at(&of.sketches, 1), 100, 1, 0.95};
    assert_int_equal(fp_ensemble_open(one_bit.arm, &one_bit.sketches, sizes, 4, arena, &ensemble, &test_error),
                     FP_ERROR_RANGE);
    ASSERT_GOOD(fp_ensemble_open(of.arm, &of.sketches, sizes, 16, arena, &ensemble, &test_error));
    ASSERT_GOOD(fp_ensemble_find(ensemble, &question, &answer, &test_error)); /* all of it, in a set of its size */
    assert_true(answer.count == 1 && answer.found[0] == 1);
    of.sketches.count = 0;
    ASSERT_GOOD(fp_ensemble_open(of.arm, &of.sketches, sizes, 16, arena, &ensemble, &test_error));
    ASSERT_GOOD(fp_ensemble_find(ensemble, &question, &answer, &test_error));
    assert_true(answer.count == 0 && answer.recall == 1);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(containment_as_jaccard),
        cmocka_unit_test(choices_for_a_containment),
        cmocka_unit_test(an_ensemble_by_its_definition),
        cmocka_unit_test(ensembles_of_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
