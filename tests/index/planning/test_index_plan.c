/* SPDX-License-Identifier: GPL-3.0-or-later
 * Plans of an index: the worked figures of articles on text fingerprints (2^30 fingerprints of 64 bits in four blocks);
 * the table of Manku, Jain and Das Sarma (WWW 2007, section 3.1.2: 2^34 fingerprints, k = 3); candidates against a
 * count over random fingerprints; the front by its definition; and the recommendation against the index's own choice.
 */
#include <math.h>

#include "index/index_plan.h"
#include "tests/support.h"

static fp_index_plan plan_of(fp_plan_method method, unsigned bits, unsigned distance, unsigned blocks, unsigned agree,
                             double fingerprints) {
    fp_block_design design = {.bits = bits, .distance = distance, .level_count = 1, .level = {{blocks, agree}}};
    fp_index_plan plan;
    ASSERT_GOOD(fp_index_plan_make(method, &design, fingerprints, &plan, &test_error));
    return plan;
}

static void four_blocks_of_sixteen(void **state) {
    (void)state;
    double count = 0x1p30;
    fp_index_plan scan = plan_of(FP_PLAN_SCAN, 64, 3, 4, 1, count),
                  blocks = plan_of(FP_PLAN_BLOCKS, 64, 3, 4, 1, count),
                  shared = plan_of(FP_PLAN_SHARED, 64, 3, 4, 1, count),
                  variants = plan_of(FP_PLAN_VARIANTS, 64, 3, 4, 1, count),
                  stored = plan_of(FP_PLAN_STORED_VARIANTS, 64, 3, 4, 1, count);
    assert_true(scan.comparisons == 1073741824 && scan.tables == 0 && scan.copies == 1 && scan.lookups == 0);
    assert_true(blocks.candidates == 65536 && blocks.comparisons == 65536 && blocks.copies == 4 && blocks.lookups == 4);
    assert_true(blocks.key_bits == 16 && blocks.key_most == 16);
    assert_true(shared.candidates == 262144 && shared.comparisons == 262144 && shared.copies == 4);
    assert_true(variants.lookups == 43744 && variants.copies == 1 && variants.tables == 1);
    assert_true(stored.copies == 43744 + 1 && stored.lookups == 1);
    /* 12 bytes a fingerprint and table, and a directory of 4 bytes for each of 2^16 groups. */
    assert_true(blocks.bytes == 4 * (12 * count + 4 * (65536.0 + 1)));
    assert_true(plan_of(FP_PLAN_BLOCKS, 32, 3, 4, 1, count).key_bits == 8);
}

static void tables_of_the_web_crawl(void **state) {
    (void)state;
    static const struct {
        const char *design;
        double tables;
        unsigned key_bits, key_most;
        double a_probe; /* fingerprints that a probe retrieves at most: 2^(34 − p) */
    } ROWS[] = {{"blocks=6,agree=3", 20, 31, 33, 8},
                {"blocks=4+4", 16, 28, 28, 64},
                {"blocks=5,agree=2", 10, 25, 26, 512},
                {"blocks=4", 4, 16, 16, 262144}};
    fp_arena *arena = fp_arena_new();
    fp_plan_request request = {.bits = 64, .distance = 3, .fingerprints = 0x1p34};
    fp_index_plans plans;
    ASSERT_GOOD(fp_index_plans_make(&request, NULL, arena, &plans, &test_error));
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        size_t found = 0;
        for (size_t row = 0; row < plans.count; row++) {
            const fp_index_plan *plan = plans.rows + row;
            if (strcmp(fp_index_plan_text(plan, arena), ROWS[i].design) != 0) continue;
            found++;
            assert_true(plan->tables == ROWS[i].tables && plan->lookups == ROWS[i].tables);
            assert_int_equal(plan->key_bits, ROWS[i].key_bits);
            assert_int_equal(plan->key_most, ROWS[i].key_most);
            assert_true(plan->lookup_most == ROWS[i].a_probe);
            assert_true(plan->candidates <= plan->tables * plan->lookup_most);
        }
        assert_int_equal(found, 1);
    }
    fp_arena_free(arena);
}

/* Blocks of 11, 11, 11, 11, 10 and 10 bits: those that have the same value as a number, whatever their position. */
static void one_key_space(void **state) {
    (void)state;
    enum { STORED = 4000, QUERIES = 50, BLOCKS = 6 };
    static const unsigned FIRST[BLOCKS] = {0, 11, 22, 33, 44, 54}, WIDTH[BLOCKS] = {11, 11, 11, 11, 10, 10};
    double met = 0;
    for (size_t q = 0; q < QUERIES; q++)
        for (size_t i = 0; i < STORED; i++)
            for (unsigned a = 0; a < BLOCKS; a++)
                for (unsigned b = 0; b < BLOCKS; b++) {
                    uint64_t one = fp_mix(q, 8) >> FIRST[a] & ((UINT64_C(1) << WIDTH[a]) - 1),
                             other = fp_mix(i, 9) >> FIRST[b] & ((UINT64_C(1) << WIDTH[b]) - 1);
                    met += one == other;
                }
    fp_index_plan plan = plan_of(FP_PLAN_SHARED, 64, 3, BLOCKS, 1, STORED);
    /* Σ over all 36 pairs of positions: 32 with 11 bits in one of them at least, 4 without. */
    assert_true(fabs(plan.candidates - STORED * (32 / 2048.0 + 4 / 1024.0)) < 1e-9);
    assert_true(fabs(met / QUERIES - plan.candidates) < 6 * sqrt(plan.candidates / QUERIES));
    assert_int_equal(plan.key_bits, 10);
    assert_int_equal(plan.key_most, 11);
}

/* ---- All of them ---- */

static bool beats(const fp_index_plan *a, const fp_index_plan *b) {
    return (a->bytes < b->bytes && a->nanoseconds <= b->nanoseconds) ||
           (a->bytes <= b->bytes && a->nanoseconds < b->nanoseconds);
}

static void check_plans(const fp_plan_request *request, const fp_index_plans *plans) {
    size_t recommended = 0;
    for (size_t i = 0; i < plans->count; i++) {
        const fp_index_plan *row = plans->rows + i;
        bool beaten = false;
        for (size_t other = 0; other < plans->count; other++) beaten |= beats(plans->rows + other, row);
        assert_int_equal(row->front, !beaten);
        assert_int_equal(row->fits, request->most_bytes == 0 || row->bytes <= request->most_bytes);
        recommended += row->recommended;
        assert_true(!row->recommended || row == plans->recommended);
        assert_true(isnan(row->skew));
        if (i > 0 && row->method == FP_PLAN_BLOCKS && row[-1].method == FP_PLAN_BLOCKS)
            assert_true(row[-1].tables <= row->tables);
    }
    assert_int_equal(recommended, 1);
}

/* What is recommended is what an index builds that is left to choose. */
static void the_choice_of_the_index(void **state) {
    (void)state;
    static const double COUNTS[] = {1, 1000, 1e6, 0x1p30, 8e9}, MEMORY[] = {0, 0x1p20, 0x1p30, 0x1p36, 0x1p40};
    static const unsigned SHAPES[][2] = {{64, 3}, {64, 0}, {64, 1}, {128, 10}, {256, 16}, {8, 7}};
    fp_arena *arena = fp_arena_new();
    for (size_t s = 0; s < sizeof SHAPES / sizeof *SHAPES; s++)
        for (size_t c = 0; c < sizeof COUNTS / sizeof *COUNTS; c++)
            for (size_t m = 0; m < sizeof MEMORY / sizeof *MEMORY; m++) {
                fp_plan_request request = {SHAPES[s][0], SHAPES[s][1], COUNTS[c], MEMORY[m], NULL};
                fp_index_plans plans;
                fp_block_design choice;
                ASSERT_GOOD(fp_index_plans_make(&request, NULL, arena, &plans, &test_error));
                check_plans(&request, &plans);
                const fp_index_plan *best = plans.recommended;
                fp_status status = fp_block_design_choose(request.bits, request.distance, request.fingerprints,
                                                          request.most_bytes, &choice, &test_error);
                if (status != FP_OK) {
                    assert_true(best->method == FP_PLAN_SCAN && !best->fits && strstr(plans.reason, "not even a list"));
                    continue;
                }
                assert_true(best->fits);
                assert_string_equal(fp_index_plan_text(best, arena), fp_block_design_text(&choice, arena));
                assert_memory_equal(plans.reason, fp_index_plan_text(best, arena),
                                    strlen(fp_index_plan_text(best, arena)));
                fp_arena_reset(arena);
            }
    fp_arena_free(arena);
}

static void memory_decides(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    static const struct {
        double memory;
        const char *design, *words;
    } ROWS[] = {{0x1p31, "scan", "not even a list of the fingerprints, 12.0 GiB, fits into 2.0 GiB"},
                {16 * 0x1p30, "scan", "no design with tables fits into 16.0 GiB, the smallest takes 48.0 GiB"},
                {64 * 0x1p30, "blocks=4", "of the designs that fit into 64.0 GiB"},
                {128 * 0x1p30, "blocks=5,agree=2", "10 tables"},
                {0, "blocks=5,agree=2", "the least expected time a query, "}};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        fp_plan_request request = {64, 3, 0x1p30, ROWS[i].memory, NULL};
        fp_index_plans plans;
        ASSERT_GOOD(fp_index_plans_make(&request, NULL, arena, &plans, &test_error));
        assert_string_equal(fp_index_plan_text(plans.recommended, arena), ROWS[i].design);
        if (!strstr(plans.reason, ROWS[i].words)) fail_msg("no \"%s\" in \"%s\"", ROWS[i].words, plans.reason);
    }
    fp_arena_free(arena);
}

static void refused(void **state) {
    (void)state;
    static const struct {
        unsigned bits, distance, blocks, agree;
        double fingerprints;
        const char *words;
    } ROWS[] = {{64, 3, 3, 1, 10, "a distance of 3 needs more than 3 blocks, since 3 bits can differ in all of them"},
                {64, 3, 4, 2, 10, "only 1 of 4 blocks are sure to agree"},
                {64, 64, 65, 1, 10, "distance"},
                {0, 0, 1, 1, 10, "1 to 1024 bits"},
                {1025, 3, 4, 1, 10, "1 to 1024 bits"},
                {64, 3, 4, 1, 0, "1 to 2^63 fingerprints, not 0"},
                {64, 3, 4, 1, 0.5, "1 to 2^63 fingerprints, not 0.5"},
                {64, 3, 4, 1, -1, "not -1"},
                {64, 3, 4, 1, 1e300, "not 1e+300"}};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        fp_block_design design = {.bits = ROWS[i].bits,
                                  .distance = ROWS[i].distance,
                                  .level_count = 1,
                                  .level = {{ROWS[i].blocks, ROWS[i].agree}}};
        fp_index_plan plan;
        assert_int_equal(fp_index_plan_make(FP_PLAN_BLOCKS, &design, ROWS[i].fingerprints, &plan, &test_error),
                         FP_ERROR_RANGE);
        if (!strstr(test_error.message, ROWS[i].words)) fail_msg("no \"%s\": %s", ROWS[i].words, test_error.message);
    }
    fp_arena *arena = fp_arena_new();
    fp_plan_request request = {64, 3, NAN, 0, NULL};
    fp_index_plans plans;
    assert_int_equal(fp_index_plans_make(&request, NULL, arena, &plans, &test_error), FP_ERROR_RANGE);
    fp_arena_free(arena);
}

static void units(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    assert_string_equal(fp_bytes_text(640, arena), "640 bytes");
    assert_string_equal(fp_bytes_text(12 * 0x1p30, arena), "12.0 GiB");
    assert_string_equal(fp_bytes_text(513 * 0x1p40, arena), "513 TiB");
    assert_string_equal(fp_nanoseconds_text(442.1, arena), "442 ns");
    assert_string_equal(fp_nanoseconds_text(19760, arena), "19.8 µs");
    assert_string_equal(fp_nanoseconds_text(1.5e9, arena), "1.5 s");
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_blocks_of_sixteen),
        cmocka_unit_test(tables_of_the_web_crawl),
        cmocka_unit_test(one_key_space),
        cmocka_unit_test(the_choice_of_the_index),
        cmocka_unit_test(memory_decides),
        cmocka_unit_test(refused),
        cmocka_unit_test(units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
