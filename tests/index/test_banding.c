/* SPDX-License-Identifier: GPL-3.0-or-later
 * Bands and rows: the worked figures of Leskovec, Rajaraman and Ullman, Mining of Massive Datasets, section 3.4; areas
 * as exact rational numbers, by integrating the polynomial term by term; the choices that the library datasketch
 * states; the share of signatures of sets with a known similarity that become candidates; and LSH Ensemble (Zhu et al.,
 * PVLDB 9(12), 2016) by its definition. */
#include <math.h>

#include "pairs/band_keys.h"
#include "tests/index/bands/made_slots.h"

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

/* ---- LSH Ensemble ---- */

/* By counting: 8 of 10 elements in a set of 40 are 8 of 42; half of a set of the same size 1/3; all in four times as
 * many 1/4. In smaller sets the coefficient is larger, so that a bound of the size bounds it. */
static void containment_as_jaccard(void **state) {
    (void)state;
    assert_true(fabs(fp_banding_contained(0.8, 4) - 8.0 / 42) < 1e-15);
    assert_true(fabs(fp_banding_contained(0.5, 1) - 1.0 / 3) < 1e-15);
    assert_true(fp_banding_contained(1, 4) == 0.25 && fp_banding_contained(0.7, 0.7) == 0.7);
    for (double ratio = 0.8; ratio < 50; ratio *= 1.3)
        assert_true(fp_banding_contained(0.8, ratio) > fp_banding_contained(0.8, 1.3 * ratio));
}

/* The share of sets that become candidates where containments from 0 to the target are equally frequent: Simpson. */
static double area_over_containment(fp_banding banding, double target, double ratio) {
    enum { STEPS = 200 };
    double sum = 0;
    for (int i = 0; i <= STEPS; i++)
        sum += (i == 0 || i == STEPS ? 1
                : i % 2              ? 4
                                     : 2) *
               fp_banding_probability(banding, fp_banding_contained(target * i / STEPS, ratio));
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
                   jaccard = fp_banding_contained(target, ratio), least = INFINITY;
            fp_banding_goal goal = {.slots = slots, .similarity = jaccard, .recall = recall};
            fp_banding chosen, best = {0};
            ASSERT_GOOD(fp_banding_best(&goal, &chosen, &test_error));
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
            .slots = 256, .similarity = fp_banding_contained(0.8, over ? 66.3 : 66.2), .recall = 0.955};
        fp_banding chosen;
        ASSERT_GOOD(fp_banding_best(&goal, &chosen, &test_error));
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
            double jaccard = kind ? fp_banding_contained(KIND[kind].containment, KIND[kind].ratio) : 0.5;
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
                                    .similarity = fp_banding_contained(0.8, sizes[i] / (double)QUERY),
                                    .recall = recall + lost};
            fp_banding banding;
            ASSERT_GOOD(fp_banding_best(&goal, &banding, &test_error));
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
        cmocka_unit_test(the_worked_curve),
        cmocka_unit_test(the_curve_turned_round),
        cmocka_unit_test(slots_of_few_bits),
        cmocka_unit_test(blocks_of_bits),
        cmocka_unit_test(keys_of_several_blocks),
        cmocka_unit_test(areas_are_exact),
        cmocka_unit_test(areas_of_slots_of_few_bits),
        cmocka_unit_test(weighted_choices),
        cmocka_unit_test(choices_with_a_recall),
        cmocka_unit_test(lists_are_tight),
        cmocka_unit_test(goals_out_of_reach),
        cmocka_unit_test(signatures_follow_the_curve),
        cmocka_unit_test(containment_as_jaccard),
        cmocka_unit_test(choices_for_a_containment),
        cmocka_unit_test(an_ensemble_by_its_definition),
        cmocka_unit_test(ensembles_of_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
