/* SPDX-License-Identifier: GPL-3.0-or-later
 * The skew of keys: pairs that agree, against comparing all pairs, block by block; a distribution whose Σ p² is known;
 * and files of fingerprints, good and bad. */
#include <math.h>

#include "index/index_plan.h"
#include "tests/support.h"

enum { COUNT = 350, MOST_WORDS = 4 };

/* Fingerprints of which some are near one another, and whose lowest byte has few values. */
static fp_key_sample make_sample(unsigned bits, uint64_t seed, fp_arena *arena) {
    size_t words = (bits + 63) / 64;
    uint64_t *made = fp_arena_alloc(arena, COUNT * words, sizeof *made);
    assert_non_null(made);
    for (size_t i = 0; i < COUNT; i++)
        for (unsigned b = 0; b < bits; b++) {
            size_t of = i % 7 == 3 ? i - 1 : i; /* a neighbour of the one before it */
            uint64_t bit = fp_mix(of * 1024 + b, seed) & 1;
            if (b < 8) bit &= fp_mix(of, seed) >> b & fp_mix(of, seed + 1) >> b & 1;
            if (of != i && fp_mix(i * 1024 + b, seed) % 32 == 0) bit ^= 1;
            made[i * words + b / 64] |= bit << b % 64;
        }
    return (fp_key_sample){bits, COUNT, COUNT, made};
}

static unsigned bit_of(const fp_key_sample *sample, size_t i, unsigned b) {
    return sample->words[i * ((sample->bits + 63) / 64) + b / 64] >> b % 64 & 1;
}

static unsigned differing(const fp_key_sample *sample, size_t i, size_t j) {
    unsigned bits = 0;
    for (unsigned b = 0; b < sample->bits; b++) bits += bit_of(sample, i, b) != bit_of(sample, j, b);
    return bits;
}

/* Bits first … end − 1 of one are those from `other` on of the other. */
static bool same_value(const fp_key_sample *sample, size_t i, unsigned first, unsigned width, size_t j, unsigned other,
                       unsigned other_width) {
    unsigned most = width > other_width ? width : other_width;
    for (unsigned b = 0; b < most; b++)
        if ((b < width ? bit_of(sample, i, first + b) : 0) != (b < other_width ? bit_of(sample, j, other + b) : 0))
            return false;
    return true;
}

static void pairs_that_agree(void **state) {
    (void)state;
    static const unsigned SHAPES[][3] = {{64, 3, 4}, {40, 2, 7}, {100, 5, 6}, {200, 9, 3}};
    double agreed = 0, near = 0;
    for (size_t s = 0; s < sizeof SHAPES / sizeof *SHAPES; s++) {
        unsigned bits = SHAPES[s][0], distance = SHAPES[s][1], blocks = SHAPES[s][2], first[8] = {0};
        fp_arena *arena = fp_arena_new();
        fp_key_sample sample = make_sample(bits, s + 1, arena);
        fp_key_pairs want[8] = {{0}}, shared = {0}, got[8], got_shared;
        uint64_t masks[8 * MOST_WORDS] = {0};
        size_t words = (bits + 63) / 64;
        for (unsigned b = 0; b < blocks; b++) first[b + 1] = first[b] + bits / blocks + (b < bits % blocks);
        for (unsigned b = 0; b < blocks; b++)
            for (unsigned i = first[b]; i < first[b + 1]; i++) masks[b * words + i / 64] |= UINT64_C(1) << i % 64;
        for (size_t i = 0; i < COUNT; i++)
            for (size_t j = 0; j < i; j++) {
                bool within = differing(&sample, i, j) <= distance;
                for (unsigned a = 0; a < blocks; a++)
                    for (unsigned b = 0; b < blocks; b++) {
                        if (!same_value(&sample, i, first[a], first[a + 1] - first[a], j, first[b],
                                        first[b + 1] - first[b]))
                            continue;
                        *(within ? &shared.within : &shared.beyond) += 1;
                        if (a == b) *(within ? &want[a].within : &want[a].beyond) += 1;
                    }
            }
        ASSERT_GOOD(fp_key_pairs_count(&sample, distance, masks, blocks, NULL, arena, got, &test_error));
        ASSERT_GOOD(fp_key_pairs_shared(&sample, distance, blocks, arena, &got_shared, &test_error));
        agreed += want[0].beyond;
        near += shared.within;
        for (unsigned b = 0; b < blocks; b++)
            assert_true(got[b].beyond == want[b].beyond && got[b].within == want[b].within);
        assert_true(got_shared.beyond == shared.beyond && got_shared.within == shared.within);
        fp_arena_free(arena);
    }
    assert_true(agreed > 100 && near > 100);
}

/* The lowest of four blocks has four values with probabilities 1/2, 1/4, 1/8, 1/8, so that Σ p² is 11/32; the others
 * are spread evenly. Of N such fingerprints a query meets N·(11/32 + 3/2^16), which is a skew of (11/32 +
 * 3/2^16)/(4/2^16). */
static void a_known_distribution(void **state) {
    (void)state;
    enum { MANY = 20000 };
    fp_arena *arena = fp_arena_new();
    uint64_t *word = fp_arena_raw(arena, MANY, sizeof *word);
    for (size_t i = 0; i < MANY; i++) {
        uint64_t dice = fp_mix(i, 5) & 7, value = dice < 4 ? 1 : dice < 6 ? 77 : dice < 7 ? 4000 : 65535;
        word[i] = (fp_mix(i, 6) & ~UINT64_C(0xffff)) | value;
    }
    fp_key_sample sample = {64, MANY, MANY, word};
    fp_block_design design = {.bits = 64, .distance = 3, .level_count = 1, .level = {{4, 1}}};
    fp_index_plan plan;
    double count = 1e8, expected = 11 / 32.0 + 3 / 65536.0;
    ASSERT_GOOD(fp_index_plan_make(FP_PLAN_BLOCKS, &design, count, &plan, &test_error));
    double even = plan.nanoseconds;
    ASSERT_GOOD(fp_index_plan_correct(&plan, count, &sample, NULL, &test_error));
    /* The standard error of Σ p² here is below 2·√(Σ p³ − (Σ p²)²)/√MANY = 0.0024. */
    assert_true(fabs(plan.candidates / count - expected) < 5 * 0.0024);
    assert_true(fabs(plan.skew - plan.candidates / (count * 4 / 65536)) < 1e-9 * plan.skew);
    assert_true(plan.comparisons == plan.candidates); /* a group is a key: 16 bits of 1e8 fingerprints */
    assert_true(plan.nanoseconds > 1000 * even);
    /* An index that is left to choose is told nothing of it; the plan with a sample is. */
    fp_plan_request request = {64, 3, 1e6, 0, &sample};
    fp_index_plans plans;
    ASSERT_GOOD(fp_index_plans_make(&request, NULL, arena, &plans, &test_error));
    for (size_t i = 0; i < plans.count; i++)
        assert_true(plans.rows[i].method < FP_PLAN_SHARED ? isnan(plans.rows[i].skew) : plans.rows[i].skew >= 1);
    sample.bits = 32;
    assert_int_equal(fp_index_plans_make(&request, NULL, arena, &plans, &test_error), FP_ERROR_RANGE);
    assert_non_null(strstr(test_error.message, "a sample of 32 bits cannot be used for fingerprints of 64"));
    fp_arena_free(arena);
}

/* Of fingerprints that are spread evenly none is told to be skewed by more than chance. */
static void an_even_spread(void **state) {
    (void)state;
    enum { MANY = 10000 };
    fp_arena *arena = fp_arena_new();
    uint64_t *word = fp_arena_raw(arena, MANY, sizeof *word);
    for (size_t i = 0; i < MANY; i++) word[i] = fp_mix(i, 11);
    fp_key_sample sample = {64, MANY, MANY, word};
    fp_plan_request request = {64, 3, 0x1p30, 0, &sample};
    fp_index_plans plans;
    ASSERT_GOOD(fp_index_plans_make(&request, NULL, arena, &plans, &test_error));
    for (size_t i = 0; i < plans.count; i++) {
        const fp_index_plan *row = plans.rows + i;
        if (row->method < FP_PLAN_SHARED) continue;
        double pairs = MANY * (MANY - 1.0) / 2 * row->candidates / row->skew / 0x1p30;
        if (row->skew > 1 + 5 / sqrt(pairs) + 1 / pairs)
            fail_msg("%s: skew %g", fp_index_plan_text(row, arena), row->skew);
    }
    fp_arena_free(arena);
}

/* ---- Files ---- */

static const char *write_file(const char *content, fp_arena *arena) {
    const char *path = fp_format(arena, "%s/fplab-sample-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : P_tmpdir);
    int file = mkstemp((char *)(uintptr_t)path);
    assert_true(file >= 0);
    assert_int_equal(write(file, content, strlen(content)), (ssize_t)strlen(content));
    close(file);
    return path;
}

static fp_status read_text(const char *content, unsigned bits, fp_arena *arena, fp_key_sample *sample) {
    const char *path = write_file(content, arena);
    fp_status status = fp_key_sample_read(path, bits, arena, sample, &test_error);
    if (status != FP_OK) assert_string_equal(test_error.file, path);
    unlink(path);
    return status;
}

static void files_of_fingerprints(void **state) {
    (void)state;
    static const char *const FILES[] = {"0123456789abcdef\nfedcba9876543210\n", "0123456789ABCDEF\r\nfedcba9876543210",
                                        "id\tfingerprint\na\t0123456789abcdef\nb\tfedcba9876543210\n",
                                        "fingerprint\tid\n0123456789abcdef\ta\nfedcba9876543210\t\n",
                                        "1\t0123456789abcdef\n2\tfedcba9876543210\n"};
    fp_arena *arena = fp_arena_new();
    fp_key_sample sample;
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        ASSERT_GOOD(read_text(FILES[i], 64, arena, &sample));
        assert_true(sample.bits == 64 && sample.count == 2 && sample.seen == 2);
        assert_true(sample.words[0] == 0x0123456789abcdef && sample.words[1] == 0xfedcba9876543210);
    }
    ASSERT_GOOD(read_text("1f\n03\n", 5, arena, &sample));
    assert_true(sample.words[0] == 31 && sample.words[1] == 3);
    ASSERT_GOOD(read_text("30123456789abcdef\n0fedcba9876543210\n", 66, arena, &sample));
    assert_true(sample.words[0] == 0x0123456789abcdef && sample.words[1] == 3);
    assert_true(sample.words[2] == 0xfedcba9876543210 && sample.words[3] == 0);
    fp_arena_free(arena);
}

static void bad_files(void **state) {
    (void)state;
    static const struct {
        const char *content;
        unsigned bits;
        fp_status status;
        size_t line;
        const char *words;
    } ROWS[] = {
        {"0123456789abcdef\n0123456789abcdeg\n", 64, FP_ERROR_SYNTAX, 2,
         "in hexadecimal was expected, not \"0123456789abcdeg\""},
        {"0123456789abcdef\n\n", 64, FP_ERROR_SYNTAX, 2, "no fingerprint"},
        {"id\tfingerprint\na\t0123456789abcdef\nb\n", 64, FP_ERROR_SYNTAX, 3, "no fingerprint"},
        {"0123456789abcdef0123456789abcdef\n", 64, FP_ERROR_RANGE, 1, "a fingerprint of 32 hexadecimal digits; 64 bits have 16"},
        {"01234567\n", 64, FP_ERROR_RANGE, 1, "a fingerprint of 8 hexadecimal digits; 64 bits have 16"},
        {"1f\n2f\n", 5, FP_ERROR_RANGE, 2, "more than 5 bits"},
        {"", 64, FP_ERROR_EMPTY, SIZE_MAX, "0 fingerprints: a sample needs at least two"},
        {"id\tfingerprint\n", 64, FP_ERROR_EMPTY, SIZE_MAX, "0 fingerprints"},
        {"0123456789abcdef\n", 64, FP_ERROR_EMPTY, SIZE_MAX, "1 fingerprint: a sample"},
    };
    fp_arena *arena = fp_arena_new();
    fp_key_sample sample;
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        assert_int_equal(read_text(ROWS[i].content, ROWS[i].bits, arena, &sample), ROWS[i].status);
        assert_int_equal(test_error.line, ROWS[i].line);
        if (!strstr(test_error.message, ROWS[i].words)) fail_msg("no \"%s\": %s", ROWS[i].words, test_error.message);
    }
    char *endless = malloc(200001);
    memset(endless, 'a', 200000);
    endless[200000] = '\0';
    assert_int_equal(read_text(endless, 64, arena, &sample), FP_ERROR_RANGE);
    assert_int_equal(test_error.line, 1);
    free(endless);
    assert_int_equal(fp_key_sample_read("/nowhere/at/all", 64, arena, &sample, &test_error), FP_ERROR_IO);
    fp_arena_free(arena);
}

/* Of many, each is drawn with the same probability: the mean place of those that are kept is that of all. */
static void many_are_drawn_from(void **state) {
    (void)state;
    enum { MANY = 4 * FP_KEY_SAMPLE_MOST };
    fp_arena *arena = fp_arena_new();
    char *content = malloc(MANY * 9 + 1), *at = content;
    fp_key_sample sample, again;
    for (uint32_t i = 0; i < MANY; i++) at += sprintf(at, "%08x\n", i);
    ASSERT_GOOD(read_text(content, 32, arena, &sample));
    ASSERT_GOOD(read_text(content, 32, arena, &again));
    free(content);
    assert_true(sample.seen == MANY && sample.count == FP_KEY_SAMPLE_MOST);
    assert_memory_equal(sample.words, again.words, sample.count * sizeof *sample.words);
    double sum = 0;
    for (size_t i = 0; i < sample.count; i++) sum += (double)sample.words[i];
    double deviation = MANY / sqrt(12.0) / sqrt(FP_KEY_SAMPLE_MOST);
    assert_true(fabs(sum / FP_KEY_SAMPLE_MOST - MANY / 2.0) < 5 * deviation);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_that_agree), cmocka_unit_test(a_known_distribution),
        cmocka_unit_test(an_even_spread),   cmocka_unit_test(files_of_fingerprints),
        cmocka_unit_test(bad_files),        cmocka_unit_test(many_are_drawn_from),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
