/* SPDX-License-Identifier: GPL-3.0-or-later
 * Features as they occur against counted features: an algorithm that says that it needs no counts gives the same
 * sketches with and without them. And the sums of bits that this rests on, against their definition. */
#include "algorithms/arms/arm.h"
#include "algorithms/kernels/sketch_kernels.h"
#include "algorithms/arms/lanes.h"
#include "algorithms/arms/texts.h"
#include "tests/support.h"

enum { TEXTS = 60, MOST = 4000 };

/* Of a small alphabet, so that most features come again: letters, Chinese, spaces. */
static fp_string made_text(uint64_t number, fp_arena *arena) {
    static const char *const PIECES[] = {"a", "b", " ", "我", "们", "，", "是", "我们", "x"};
    char *text = fp_arena_raw(arena, MOST * 8 + 1, 1), *at = text;
    size_t length = number * number % MOST, kinds = 1 + number % (sizeof PIECES / sizeof *PIECES);
    for (size_t i = 0; i < length; i++) at += sprintf(at, "%s", PIECES[fp_mix(number, i) % kinds]);
    return (fp_string){text, (size_t)(at - text)};
}

static void units_give_the_sketches_of_counts(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        bool units;
    } ARMS[] = {{"simhash:features=chars:3,weight=tf", true},
                {"simhash:bits=128,seed=3,tie=alternate,features=chars:2,weight=tf", true},
                {"simhash:weight=tf", true},
                {"simhash", false},
                {"simhash:weight=binary", false},
                {"simhash:top=5", false},
                {"minhash", true},
                {"minhash:weight=tf,slots=130,b=3", true},
                {"minhash:weight=logtf,features=chars:1", true},
                {"minhash:top=3", false},
                {"oneperm", true},
                {"cosine", false},
                {"weightedminhash", false}};
    for (size_t a = 0; a < sizeof ARMS / sizeof *ARMS; a++) {
        fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
        fp_arm *arm;
        ASSERT_GOOD(fp_arm_parse(ARMS[a].spec, NULL, arena, &arm, &test_error));
        if (fp_arm_takes_units(arm) != ARMS[a].units) fail_msg("%s", ARMS[a].spec);
        for (uint64_t number = 0; number < TEXTS; number++) {
            fp_arena_reset(scratch);
            fp_string raw = made_text(number, scratch);
            fp_text text;
            fp_document document = {.id = raw};
            fp_sketch counted, made;
            ASSERT_GOOD(fp_arm_preprocess(arm, raw, fp_arm_wants(arm), scratch, &text, &test_error));
            ASSERT_GOOD(fp_arm_document(arm, &text, false, scratch, &document, &test_error));
            assert_non_null(document.features.weight);
            ASSERT_GOOD(fp_arm_sketch_document(arm, &document, scratch, &counted, &test_error));
            ASSERT_GOOD(fp_arm_sketch(arm, raw, scratch, &made, &test_error));
            assert_int_equal(made.empty, counted.empty);
            assert_int_equal(made.size, counted.size);
            if (memcmp(made.data, counted.data, made.size) != 0)
                fail_msg("%s: text %u", ARMS[a].spec, (unsigned)number);
        }
        fp_arena_free(arena);
        fp_arena_free(scratch);
    }
}

/* How many counts a pass makes of a text for two arms. */
static size_t counts_of(const char *one, const char *other) {
    fp_arena *arena = fp_arena_new();
    fp_pipeline_arm arms[2] = {0};
    fp_string_source strings = {0};
    fp_text_source source = fp_source_of_strings(&strings);
    fp_pipeline pipeline = {.source = &source, .arms = arms, .count = 2, .arena = arena};
    fp_step steps[2] = {FP_STEP_SKETCH, FP_STEP_SKETCH};
    fp_text_cache cache;
    fp_pass pass;
    ASSERT_GOOD(fp_arm_parse(one, NULL, arena, &arms[0].arm, &test_error));
    ASSERT_GOOD(fp_arm_parse(other, NULL, arena, &arms[1].arm, &test_error));
    ASSERT_GOOD(fp_text_cache_open(&cache, 0, 2, arena, &test_error));
    ASSERT_GOOD(fp_pass_open(&pass, &pipeline, steps, &cache, true, NULL, arena, &test_error));
    size_t count = pass.lanes[1].counts == 0 ? 1 : 2;
    assert_int_equal(pass.lanes[1].weights, 1);
    fp_pass_close(&pass);
    fp_text_cache_close(&cache);
    fp_arena_free(arena);
    return count;
}

static void arms_of_other_weights_share_their_counts(void **state) {
    (void)state;
    assert_int_equal(counts_of("simhash", "cosine"), 1);
    assert_int_equal(counts_of("cosine", "cosine:top=7,weight=binary"), 1);
    assert_int_equal(counts_of("cosine", "cosine:features=words:2"), 2);
    assert_int_equal(counts_of("cosine", "cosine:hashseed=1"), 2);
    assert_int_equal(counts_of("cosine", "cosine:stop=shipped"), 2);
    assert_int_equal(counts_of("cosine:features=chars:3", "cosine:features=chars:3,punctuation=drop"), 2);
    assert_int_equal(counts_of("cosine", "cosine:han=keep"), 2);
}

/* Every level, for every length from 0 to 1025, from addresses aligned to 8 and no more. */
static void bits_are_counted(void **state) {
    (void)state;
    enum { LONGEST = 1025 };
    static uint64_t word[LONGEST + 8];
    uint64_t *unaligned = word + 1, ones[FP_ONES] = {0}, made[FP_ONES];
    for (size_t i = 0; i < LONGEST; i++)
        unaligned[i] = i % 7 == 0 ? UINT64_MAX : fp_mix(20261122, i) & (i % 3 ? UINT64_MAX : 0xff);
    for (size_t count = 0; count <= LONGEST; count++) {
        for (int level = 0; level <= (int)fp_cpu_best(); level++) {
            for (size_t j = 0; j < FP_ONES; j++) made[j] = j;
            fp_ones_kernels[level](unaligned, count, made);
            for (size_t j = 0; j < FP_ONES; j++)
                if (made[j] != ones[j] + j) fail_msg("%s: bit %zu of %zu", fp_cpu_name((fp_cpu)level), j, count);
        }
        for (size_t j = 0; j < FP_ONES; j++) ones[j] += unaligned[count] >> j & 1;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_give_the_sketches_of_counts),
        cmocka_unit_test(arms_of_other_weights_share_their_counts),
        cmocka_unit_test(bits_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
