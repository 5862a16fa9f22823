/* SPDX-License-Identifier: GPL-3.0-or-later
 * Designs of block tables: the law that makes them exact, tried on every pattern of differing bits; the designs of
 * Manku, Jain, Das Sarma, WWW 2007, section 3; what they cost, counted from the keys. */
#include <math.h>

#include "pairs/block_design.h"
#include "tests/support.h"

static fp_block_design parse(const char *text, unsigned bits, unsigned distance) {
    fp_block_design design;
    if (fp_block_design_parse(text, bits, distance, &design, &test_error) != FP_OK)
        fail_msg("%s: %s", text, test_error.message);
    return design;
}

/* Every choice of `distance` differing bits leaves the key of some table as it is. */
static void every_pattern_misses_a_key(const char *text, unsigned bits, unsigned distance) {
    fp_arena *arena = fp_arena_new();
    fp_block_design design = parse(text, bits, distance);
    uint64_t *mask;
    ASSERT_GOOD(fp_block_design_masks(&design, arena, &mask, &test_error));
    size_t tables = fp_block_design_tables(&design);
    for (uint64_t differing = 0; differing < UINT64_C(1) << bits; differing++) {
        if ((unsigned)__builtin_popcountll(differing) != distance) continue;
        size_t t = 0;
        while (t < tables && (mask[t] & differing)) t++;
        if (t == tables) fail_msg("%s, %u bits: %llx touches every key", text, bits, (unsigned long long)differing);
    }
    for (size_t t = 0; t < tables; t++) {
        assert_true(mask[t] != 0 && mask[t] >> bits == 0);
        for (size_t s = 0; s < t && design.level_count == 1; s++) assert_true(mask[s] != mask[t]);
    }
    fp_arena_free(arena);
}

static void keys_survive_every_pattern(void **state) {
    (void)state;
    for (unsigned distance = 0; distance <= 5; distance++)
        for (unsigned blocks = distance + 1; blocks <= 7; blocks++)
            for (unsigned agree = 1; agree <= blocks - distance; agree++) {
                char text[64];
                snprintf(text, sizeof text, "blocks=%u,agree=%u", blocks, agree);
                every_pattern_misses_a_key(text, 13, distance);
            }
    every_pattern_misses_a_key("blocks=4+4", 14, 3);
    every_pattern_misses_a_key("blocks=5+4,agree=2+1", 14, 3);
    every_pattern_misses_a_key("blocks=3+4,agree=1+2", 15, 2);
    every_pattern_misses_a_key("blocks=15", 15, 14);
}

/* Manku, Jain, Das Sarma, section 3.1.2: 64 bits, distance 3: 20 tables of 31 to 33 bits, 16 of 28, 10 of 25 or 26, 4
 * of 16. */
static void keys_are_those_of_the_paper(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t tables;
        int least, most;
    } known[] = {{"blocks=6,agree=3", 20, 31, 33},
                 {"blocks=4+4", 16, 28, 28},
                 {"blocks=5,agree=2", 10, 25, 26},
                 {"blocks=4", 4, 16, 16}};
    fp_arena *arena = fp_arena_new();
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        fp_block_design design = parse(known[i].text, 64, 3);
        uint64_t *mask;
        assert_int_equal(fp_block_design_tables(&design), known[i].tables);
        ASSERT_GOOD(fp_block_design_masks(&design, arena, &mask, &test_error));
        int least = 64, most = 0;
        for (size_t t = 0; t < known[i].tables; t++) {
            int bits = __builtin_popcountll(mask[t]);
            least = bits < least ? bits : least;
            most = bits > most ? bits : most;
        }
        assert_int_equal(least, known[i].least);
        assert_int_equal(most, known[i].most);
    }
    fp_arena_free(arena);
}

/* Of several words: blocks follow each other, the first ones a bit wider. */
static void wide_fingerprints_are_cut_evenly(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_block_design design = parse("blocks=7", 180, 6);
    uint64_t *mask;
    ASSERT_GOOD(fp_block_design_masks(&design, arena, &mask, &test_error));
    for (unsigned i = 0, block = 0, in_block = 0; i < 180; i++) {
        for (unsigned t = 0; t < 7; t++) assert_int_equal(mask[t * 3 + i / 64] >> i % 64 & 1, t == block);
        if (++in_block == 25 + (block < 180 % 7)) block++, in_block = 0;
    }
    for (unsigned t = 0; t < 7; t++) assert_int_equal(mask[t * 3 + 2] >> 180 % 64, 0);
    fp_arena_free(arena);
}

static void designs_are_written_and_read(void **state) {
    (void)state;
    static const char *const texts[] = {"scan", "blocks=4", "blocks=6,agree=3", "blocks=4+4", "blocks=5+4,agree=2+1"};
    fp_arena *arena = fp_arena_new();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        fp_block_design design = parse(texts[i], 64, 3);
        assert_string_equal(fp_block_design_text(&design, arena), texts[i]);
    }
    assert_int_equal(fp_block_design_tables(&(fp_block_design){.bits = 64, .distance = 3}), 0);
    fp_arena_free(arena);
}

static void what_cannot_be_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *text;
        unsigned bits, distance;
        fp_status status;
        const char *says;
    } wrong[] = {
        {"blocks=4", 64, 4, FP_ERROR_RANGE,
         "a distance of 4 needs more than 4 blocks, since 4 bits can differ in all of them"},
        {"blocks=4+3", 64, 3, FP_ERROR_RANGE, "a distance of 3 needs more than 3 blocks"},
        {"blocks=6,agree=4", 64, 3, FP_ERROR_RANGE, "only 3 of 6 blocks are sure to agree"},
        {"blocks=6,agree=0", 64, 3, FP_ERROR_RANGE, "at least one block"},
        {"blocks=9", 8, 3, FP_ERROR_RANGE, "8 bits cannot be cut into 9 blocks"},
        {"blocks=1+1", 64, 0, FP_ERROR_RANGE, "0 bits cannot be cut"},
        {"blocks=40,agree=20", 64, 3, FP_ERROR_RANGE, "at most 4096"},
        {"scan", 0, 0, FP_ERROR_RANGE, "1 to 1024 bits"},
        {"scan", 1025, 0, FP_ERROR_RANGE, "1 to 1024 bits"},
        {"scan", 8, 8, FP_ERROR_RANGE, "less than the 8 bits"},
        {"", 64, 3, FP_ERROR_SYNTAX, "not a design"},
        {"blocks", 64, 3, FP_ERROR_SYNTAX, "not a design"},
        {"blocks=", 64, 3, FP_ERROR_SYNTAX, "not a design"},
        {"blocks=-4", 64, 3, FP_ERROR_SYNTAX, "not a design"},
        {"blocks=4+4+4", 64, 3, FP_ERROR_SYNTAX, "not a design"},
        {"blocks=4,agree=1+1", 64, 3, FP_ERROR_SYNTAX, "not a design"},
        {"blocks=6,agree=1,", 64, 3, FP_ERROR_SYNTAX, "not a design"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        fp_block_design design;
        fp_error error = {0};
        fp_status status = fp_block_design_parse(wrong[i].text, wrong[i].bits, wrong[i].distance, &design, &error);
        if (status != wrong[i].status || !strstr(error.message, wrong[i].says))
            fail_msg("%s, %u bits, distance %u: %d, %s", wrong[i].text, wrong[i].bits, wrong[i].distance, status,
                     error.message);
    }
}

/* 2^30 fingerprints in four blocks: 4 · 2^14 = 65,536 comparisons. */
static void costs_are_counted_from_the_keys(void **state) {
    (void)state;
    static const char *const texts[] = {"blocks=4", "blocks=5,agree=2", "blocks=7,agree=3", "blocks=5+4,agree=2+1"};
    fp_arena *arena = fp_arena_new();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (unsigned bits = 60; bits <= 64; bits += 4)
            for (double documents = 100; documents < 1e10; documents *= 1000) {
                fp_block_design design = parse(texts[i], bits, 3);
                uint64_t *mask;
                double compared = 0, bytes = 0;
                ASSERT_GOOD(fp_block_design_masks(&design, arena, &mask, &test_error));
                for (size_t t = 0; t < fp_block_design_tables(&design); t++) {
                    double groups = exp2(fp_block_prefix_bits((unsigned)__builtin_popcountll(mask[t]), documents,
                                                              documents <= 0x1p24 ? 4 : 64));
                    compared += documents / groups;
                    bytes += documents * (documents <= 0x1p24 ? 11 : 12) + 4 * (groups + 1);
                }
                fp_block_cost cost = fp_block_design_cost(&design, documents);
                assert_true(cost.tables == (double)fp_block_design_tables(&design) && cost.lookups == cost.tables);
                assert_true(fabs(cost.compared - compared) <= 1e-12 * compared);
                assert_true(fabs(cost.bytes - bytes) <= 1e-12 * bytes);
            }
    fp_block_design four = parse("blocks=4", 64, 3);
    assert_true(fp_block_design_cost(&four, 0x1p30).compared == 65536);
    fp_arena_free(arena);
}

/* At most 12 bytes a fingerprint of 64 bits where numbers take three bytes, and a sixteenth more where they take four.
 */
static void directories_are_small(void **state) {
    (void)state;
    for (double documents = 1; documents < 4e9; documents *= 1.7)
        for (unsigned key_bits = 0; key_bits <= 64; key_bits++) {
            unsigned three = fp_block_prefix_bits(key_bits, documents, 4),
                     four = fp_block_prefix_bits(key_bits, documents, 64);
            assert_true(three <= key_bits && three < 32 && four <= three);
            if (three) assert_true(4 * exp2(three) <= documents);
            if (four) assert_true(4 * exp2(four) <= documents / 16);
        }
}

static void the_cheapest_is_chosen(void **state) {
    (void)state;
    static const char *const others[] = {
        "scan", "blocks=4", "blocks=5", "blocks=5,agree=2", "blocks=6,agree=3", "blocks=4+4", "blocks=7,agree=4"};
    fp_block_design chosen, within;
    for (double documents = 10; documents < 1e10; documents *= 10) {
        ASSERT_GOOD(fp_block_design_choose(64, 3, documents, 0, &chosen, &test_error));
        ASSERT_GOOD(fp_block_design_check(&chosen, &test_error));
        fp_block_cost best = fp_block_design_cost(&chosen, documents);
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            fp_block_design other = parse(others[i], 64, 3);
            assert_true(best.nanoseconds <= fp_block_design_cost(&other, documents).nanoseconds);
        }
        double most = best.bytes * 0.9, least = documents * 12;
        if (most < least) continue;
        ASSERT_GOOD(fp_block_design_choose(64, 3, documents, most, &within, &test_error));
        assert_true(fp_block_design_cost(&within, documents).bytes <= most);
    }
    ASSERT_GOOD(fp_block_design_choose(64, 3, 1e7, 0, &chosen, &test_error));
    assert_true(chosen.level_count > 0);
    /* 17 blocks of 3 or 4 bits: more would be compared than there is. */
    ASSERT_GOOD(fp_block_design_choose(64, 16, 1e6, 0, &chosen, &test_error));
    assert_int_equal(chosen.level_count, 0);
    assert_int_equal(fp_block_design_choose(64, 3, 1e6, 1000, &chosen, &test_error), FP_ERROR_RANGE);
    assert_int_equal(fp_block_design_choose(64, 64, 1e6, 0, &chosen, &test_error), FP_ERROR_RANGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_survive_every_pattern),
        cmocka_unit_test(keys_are_those_of_the_paper),
        cmocka_unit_test(wide_fingerprints_are_cut_evenly),
        cmocka_unit_test(designs_are_written_and_read),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(costs_are_counted_from_the_keys),
        cmocka_unit_test(directories_are_small),
        cmocka_unit_test(the_cheapest_is_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
