/* SPDX-License-Identifier: GPL-3.0-or-later
 * Bands and rows: the worked figures of Leskovec, Rajaraman and Ullman, Mining of Massive Datasets, section 3.4; areas
 * as exact rational numbers, by integrating the polynomial term by term; the choices that the library datasketch
 * states; and the share of signatures of sets with a known similarity that become candidates. */
#include <math.h>

#include "pairs/band_keys.h"
#include "tests/pairs/made_slots.h"

/* ---- One curve ---- */

static void the_worked_curve(void **state) {
    (void)state;
    static const double P[][2] = {{0.2, 0.006}, {0.3, 0.047}, {0.4, 0.186}, {0.5, 0.470},
                                  {0.6, 0.802}, {0.7, 0.975}, {0.8, 0.9996}};
    fp_banding banding = {20, 5};
    for (size_t i = 0; i < sizeof P / sizeof *P; i++)
        assert_true(fabs(fp_banding_probability(banding, P[i][0]) - P[i][1]) <= (i == 6 ? 0.00005 : 0.0005));
    assert_true(fabs(fp_banding_threshold(banding) - 0.55) < 0.005);
    assert_true(fabs(fp_banding_threshold((fp_banding){16, 4}) - 0.5) <
                1e-12); /* the same section, 16 bands of 4 rows */
    assert_true(fp_banding_probability(banding, 0) == 0);
    assert_true(fp_banding_probability(banding, 1) == 1);
    assert_true(fabs(fp_banding_probability((fp_banding){1, 1}, 0.37) - 0.37) < 1e-15);
    /* Where (1 − s^r)^b cannot be told from 1: b·s^r. */
    assert_true(fabs(fp_banding_probability((fp_banding){9, 13}, 0.01) / 9e-26 - 1) < 1e-9);
}

static void the_curve_turned_round(void **state) {
    (void)state;
    for (double p = 0.05; p < 1; p += 0.05)
        assert_true(fabs(fp_banding_probability((fp_banding){20, 5}, fp_banding_similarity((fp_banding){20, 5}, p)) -
                         p) < 1e-12);
    assert_true(fabs(fp_banding_similarity((fp_banding){1, 2}, 0.25) - 0.5) < 1e-15);
}

/* Li and König 2010, with negligible set sizes: of one bit half agree by chance. */
static void slots_of_few_bits(void **state) {
    (void)state;
    assert_true(fp_banding_slot(0.6, 0) == 0.6);
    assert_true(fabs(fp_banding_slot(0.6, 1) - 0.8) < 1e-15);
    assert_true(fabs(fp_banding_slot(0, 2) - 0.25) < 1e-15);
    assert_true(fp_banding_slot(1, 4) == 1);
}

/* 1 − Π(1 − (1 − d)^w) in rational numbers: (64, 4, 1/10), (64, 6, 1/5): four blocks of 11 bits and two of 10; (10, 3,
 * 1/4): 4, 3, 3. */
static void blocks_of_bits(void **state) {
    (void)state;
    assert_true(fabs(fp_blocks_probability(64, 4, 0.1) - 0.5594587696299556) < 1e-12);
    assert_true(fabs(fp_blocks_probability(64, 6, 0.2) - 0.44369243400958125) < 1e-12);
    assert_true(fabs(fp_blocks_probability(10, 3, 0.25) - 0.7715234756469727) < 1e-12);
    assert_true(fp_blocks_probability(64, 4, 0) == 1);
    assert_true(fp_blocks_probability(64, 4, 1) == 0);
}

static uint64_t power(uint64_t base, unsigned exponent) {
    uint64_t product = 1;
    while (exponent--) product *= base;
    return product;
}

/* P[`agree` blocks or more agree]·q^places in whole numbers, a place agreeing with probability a/q: over all subsets of
 * the blocks, those that are exactly the ones that agree. A block of w places has a^w of q^w outcomes for it. */
static uint64_t count_outcomes(unsigned places, unsigned blocks, unsigned agree, uint64_t a, uint64_t q) {
    uint64_t sum = 0;
    for (unsigned subset = 0; subset < 1u << blocks; subset++) {
        uint64_t product = 1;
        for (unsigned b = 0; b < blocks; b++) {
            unsigned width = places / blocks + (b < places % blocks);
            product *= subset >> b & 1 ? power(a, width) : power(q, width) - power(a, width);
        }
        if ((unsigned)__builtin_popcount(subset) >= agree) sum += product;
    }
    return sum;
}

static void keys_of_several_blocks(void **state) {
    (void)state;
    /* By hand: blocks of 2, 2 and 1 fair bits agree with 1/4, 1/4 and 1/2; two or three of them with (1 + 3 + 3 +
     * 1)/32. */
    assert_true(fabs(fp_blocks_agreeing(5, 3, 2, 0.5) - 0.25) < 1e-15);
    unsigned cases = 0;
    for (unsigned places = 1; places <= 12; places++) {
        for (unsigned blocks = 1; blocks <= places && blocks <= 8; blocks++) {
            for (unsigned agree = 1; agree <= blocks; agree++) {
                for (uint64_t q = 2; q <= 7; q++) {
                    for (uint64_t a = 0; a <= q; a++, cases++) {
                        double exact = (double)count_outcomes(places, blocks, agree, a, q) / (double)power(q, places);
                        double found = fp_blocks_agreeing(places, blocks, agree, (double)(q - a) / (double)q);
                        if (!(fabs(found - exact) <= 1e-12 * exact + 1e-300)) {
                            fail_msg("%u places, %u blocks, %u agree, %d/%d: %.17g, not %.17g", places, blocks, agree,
                                     (int)a, (int)q, found, exact);
                        }
                    }
                }
            }
        }
    }
    assert_int_equal(cases, 264 * 33);
    /* Manku, Jain, Das Sarma's 6 blocks of which 3 agree: with 3 differing bits or fewer always, hence far more often
     * than each block's share says. */
    assert_true(fp_blocks_agreeing(64, 6, 3, 1.0 / 64) > 0.98 && fp_blocks_agreeing(64, 6, 3, 0) == 1 &&
                fp_blocks_agreeing(64, 6, 3, 1) == 0);
    for (unsigned agree = 2; agree <= 6; agree++)
        assert_true(fp_blocks_agreeing(64, 6, agree, 0.1) < fp_blocks_agreeing(64, 6, agree - 1, 0.1));
}

/* ---- Goals ---- */

static void areas_are_exact(void **state) {
    (void)state;
    static const struct {
        fp_banding banding;
        double target, positives, negatives;
    } ROWS[] = {{{20, 5}, 0.5, 0.04463489348452571, 0.04598472782005028},
                {{25, 5}, 0.5, 0.05372159119723905, 0.033752509448832534},
                {{9, 13}, 0.8, 0.02531186320336636, 0.033282136012204123},
                {{1, 128}, 0.3, 2.7419033901717634e-70, 0.6922480620155039},
                {{128, 1}, 0.3, 0.29224806201550385, 8.073418240607196e-23}};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        fp_banding_goal goal = {
            .slots = 128, .similarity = ROWS[i].target, .false_positives = 0.5, .false_negatives = 0.5};
        fp_banding_choice choice = fp_banding_rate(&goal, ROWS[i].banding);
        assert_true(fabs(choice.false_positives - ROWS[i].positives) < 1e-14);
        assert_true(fabs(choice.false_negatives - ROWS[i].negatives) < 1e-14);
        assert_true(fabs(choice.cost - (ROWS[i].positives + ROWS[i].negatives) / 2) < 1e-14);
        assert_true(choice.found == fp_banding_probability(ROWS[i].banding, ROWS[i].target));
    }
}

/* One band of one row, one bit of a slot: P = (1 + J)/2. From 0 to t the area is t/2 + t²/4, from t to 1 it is (1 −
 * t)²/4. */
static void areas_of_slots_of_few_bits(void **state) {
    (void)state;
    fp_banding_goal goal = {.slots = 1, .slot_bits = 1, .similarity = 0.6, .false_positives = 1, .false_negatives = 3};
    fp_banding_choice choice = fp_banding_rate(&goal, (fp_banding){1, 1});
    assert_true(fabs(choice.found - 0.8) < 1e-15);
    assert_true(fabs(choice.false_positives - 0.39) < 1e-14);
    assert_true(fabs(choice.false_negatives - 0.04) < 1e-14);
    assert_true(fabs(choice.cost - 0.51) < 1e-14);
}

/* The first of the list. */
static fp_status best_of(fp_banding_goal goal, fp_banding *best) {
    fp_arena *arena = fp_arena_new();
    fp_banding_choice *choices;
    size_t count;
    fp_status status = fp_banding_list(&goal, arena, &choices, &count, &test_error);
    if (status == FP_OK) *best = choices->banding;
    fp_arena_free(arena);
    return status;
}

/* With a recall; slots of all bits, as below. */
static fp_status choose(unsigned slots, double similarity, double recall, fp_banding *best) {
    return best_of((fp_banding_goal){.slots = slots, .similarity = similarity, .recall = recall}, best);
}

static fp_status choose_weighted(unsigned slots, double similarity, double positives, double negatives,
                                 fp_banding *best) {
    return best_of(
        (fp_banding_goal){
            .slots = slots, .similarity = similarity, .false_positives = positives, .false_negatives = negatives},
        best);
}

/* datasketch, MinHashLSH: threshold 0.5 with 128 permutations has 25 bands of 5 rows; the other rows from all
 * pairs (b, r) in rational numbers. */
static void weighted_choices(void **state) {
    (void)state;
    static const struct {
        unsigned slots;
        double similarity, positives, negatives;
        fp_banding best;
    } ROWS[] = {{128, 0.5, 0.5, 0.5, {25, 5}},
                {128, 0.8, 0.5, 0.5, {9, 13}},
                {128, 0.9, 1, 1, {5, 25}},
                {256, 0.7, 0.5, 0.5, {25, 10}},
                {128, 0.8, 0.2, 0.8, {12, 10}}};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        fp_banding found = {0};
        ASSERT_GOOD(choose_weighted(ROWS[i].slots, ROWS[i].similarity, ROWS[i].positives, ROWS[i].negatives, &found));
        assert_int_equal(found.bands, ROWS[i].best.bands);
        assert_int_equal(found.rows, ROWS[i].best.rows);
    }
}

/* All pairs (b, r) in rational numbers: the least area below the target among those that reach the recall. */
static void choices_with_a_recall(void **state) {
    (void)state;
    static const struct {
        unsigned slots;
        double similarity, recall;
        fp_banding best;
    } ROWS[] = {
        {128, 0.8, 0.95, {13, 7}}, {128, 0.5, 0.9, {18, 3}}, {64, 0.8, 0.99, {12, 5}}, {256, 0.7, 0.95, {35, 7}}};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        fp_banding found = {0};
        ASSERT_GOOD(choose(ROWS[i].slots, ROWS[i].similarity, ROWS[i].recall, &found));
        assert_int_equal(found.bands, ROWS[i].best.bands);
        assert_int_equal(found.rows, ROWS[i].best.rows);
    }
}

/* Every choice of the list reaches the recall, with one band fewer it would not, and costs rise. */
static void lists_are_tight(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    for (unsigned bits = 0; bits <= 2; bits++) {
        fp_banding_goal goal = {.slots = 200, .slot_bits = bits, .similarity = 0.7, .recall = 0.9};
        fp_banding_choice *choices;
        size_t count;
        ASSERT_GOOD(fp_banding_list(&goal, arena, &choices, &count, &test_error));
        assert_true(count > 3);
        for (size_t i = 0; i < count; i++) {
            fp_banding banding = choices[i].banding;
            assert_true(banding.bands * banding.rows <= 200 && choices[i].found >= 0.9);
            assert_true(i == 0 || choices[i].cost >= choices[i - 1].cost);
            if (banding.bands == 1) continue;
            banding.bands--;
            assert_true(fp_banding_rate(&goal, banding).found < 0.9);
        }
    }
    fp_arena_free(arena);
}

static void goals_out_of_reach(void **state) {
    (void)state;
    fp_banding found = {0};
    /* 1 − 0.8⁴ = 0.5904 is all that four slots give. */
    assert_int_equal(choose(4, 0.2, 0.6, &found), FP_ERROR_RANGE);
    assert_non_null(strstr(test_error.message, "0.5904"));
    ASSERT_GOOD(choose(4, 0.2, 0.59, &found));
    assert_true(found.bands == 4 && found.rows == 1);
    assert_int_equal(choose(0, 0.5, 0.9, &found), FP_ERROR_RANGE);
    assert_int_equal(choose(FP_BANDING_SLOTS + 1, 0.5, 0.9, &found), FP_ERROR_RANGE);
    assert_int_equal(choose(64, 1, 0.9, &found), FP_ERROR_RANGE);
    assert_int_equal(choose(64, 0.5, 0, &found), FP_ERROR_RANGE);
    assert_int_equal(choose(64, NAN, 0.9, &found), FP_ERROR_RANGE);
    assert_int_equal(choose_weighted(64, 0.5, 0, 0, &found), FP_ERROR_RANGE);
    assert_int_equal(choose_weighted(64, 0.5, -1, 2, &found), FP_ERROR_RANGE);
    ASSERT_GOOD(choose(FP_BANDING_SLOTS, 0.5, 0.999, &found));
}

/* ---- Measured ---- */

enum { UNION = 100 };

/* Two sets with `shared` features in common, of UNION in all. */
static void make_sets(uint64_t pair, size_t shared, fp_arena *arena, const fp_arm *arm, fp_sketch sketch[2]) {
    uint64_t hash[2][UNION];
    double weight[UNION];
    size_t count[2] = {0, 0};
    for (size_t f = 0; f < UNION; f++) {
        uint64_t value = fp_mix(pair, f);
        weight[f] = 1;
        for (size_t side = 0; side < 2; side++)
            if (f < shared || f % 2 == side) hash[side][count[side]++] = value;
    }
    for (size_t side = 0; side < 2; side++) {
        fp_document document = {.features = {.count = count[side], .hash = hash[side], .weight = weight}};
        ASSERT_GOOD(arm->instance.algorithm->sketch(&arm->instance, &document, arena, sketch + side, &test_error));
    }
}

static bool is_candidate(const fp_arm *arm, const fp_sketch sketch[2], fp_banding banding) {
    uint64_t differs[2];
    fp_places_differing(&arm->instance, sketch[0], sketch[1], differs);
    for (unsigned band = 0; band < banding.bands; band++) {
        bool all = true;
        for (unsigned slot = band * banding.rows; slot < (band + 1) * banding.rows; slot++)
            all &= !(differs[slot / 64] >> slot % 64 & 1);
        if (all) return true;
    }
    return false;
}

/* MinHash of 4,000 pairs of sets for each similarity, within four and a half standard errors of the curve. */
static void signatures_follow_the_curve(void **state) {
    (void)state;
    enum { PAIRS = 4000 };
    static const struct {
        const char *spec;
        unsigned bits;
        size_t shared;
        fp_banding banding;
    } ROWS[] = {{"minhash:slots=100", 0, 20, {20, 5}},          {"minhash:slots=100", 0, 40, {20, 5}},
                {"minhash:slots=100,width=64", 0, 60, {20, 5}}, {"minhash:slots=104", 0, 80, {8, 13}},
                {"minhash:slots=100,b=2", 2, 40, {12, 8}},      {"minhash:slots=100,b=1", 1, 30, {10, 10}}};
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    for (size_t row = 0; row < sizeof ROWS / sizeof *ROWS; row++) {
        const fp_arm *arm = test_arm(ROWS[row].spec, NULL, 0, arena);
        double found = 0, p = fp_banding_probability(ROWS[row].banding,
                                                     fp_banding_slot((double)ROWS[row].shared / UNION, ROWS[row].bits));
        for (uint64_t pair = 0; pair < PAIRS; pair++) {
            fp_sketch sketch[2];
            fp_arena_reset(scratch);
            make_sets(row * PAIRS + pair, ROWS[row].shared, scratch, arm, sketch);
            found += is_candidate(arm, sketch, ROWS[row].banding);
        }
        if (fabs(found / PAIRS - p) > 4.5 * sqrt(p * (1 - p) / PAIRS))
            fail_msg("%s: %g candidates of %d, P %g", ROWS[row].spec, found, PAIRS, p);
    }
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worked_curve),           cmocka_unit_test(the_curve_turned_round),
        cmocka_unit_test(slots_of_few_bits),          cmocka_unit_test(blocks_of_bits),
        cmocka_unit_test(keys_of_several_blocks),     cmocka_unit_test(areas_are_exact),
        cmocka_unit_test(areas_of_slots_of_few_bits), cmocka_unit_test(weighted_choices),
        cmocka_unit_test(choices_with_a_recall),      cmocka_unit_test(lists_are_tight),
        cmocka_unit_test(goals_out_of_reach),         cmocka_unit_test(signatures_follow_the_curve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
