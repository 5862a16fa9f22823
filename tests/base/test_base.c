/* SPDX-License-Identifier: GPL-3.0-or-later
 * Arenas, strings, hashes, parameters, arms and their errors. */
#include "algorithms/kernels/hamming.h"
#include "tests/support.h"

static void arena_checks_sizes_and_alignment(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    assert_null(fp_arena_alloc(arena, SIZE_MAX / 2, 3));
    assert_null(fp_arena_alloc(arena, SIZE_MAX, 1));
    for (size_t size = 0; size < 5000; size += 37) {
        unsigned char *place = fp_arena_alloc(arena, size, 1);
        assert_non_null(place);
        assert_int_equal((uintptr_t)place % (size >= 64 ? 64 : 16), 0);
        for (size_t i = 0; i < size; i++) assert_int_equal(place[i], 0);
        memset(place, 0xa5, size);
    }
    fp_arena_reset(arena);
    assert_int_equal(fp_arena_used(arena), 0);
    unsigned char *again = fp_arena_alloc(arena, 4000, 1);
    for (size_t i = 0; i < 4000; i++) assert_int_equal(again[i], 0);
    fp_arena_free(arena);
}

/* FNV's own test vectors (Noll, test_fnv.c); XXH3 against the library's own one-shot function is what the wrapper
 * calls, so its published value for the empty input is checked instead (xxHash documentation: XXH3_64bits of nothing,
 * seed 0). */
static void hashes_have_their_published_values(void **state) {
    (void)state;
    assert_true(fp_fnv1a("", 0, 0) == UINT64_C(0xcbf29ce484222325));
    assert_true(fp_fnv1a("a", 1, 0) == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(fp_fnv1a("foobar", 6, 0) == UINT64_C(0x85944171f73967e8));
    assert_true(fp_xxh3("", 0, 0) == UINT64_C(0x2d06800538d394c2));
}

static void nearest_names_are_meant(void **state) {
    (void)state;
    static const char *const NAMES[] = {"simhash", "minhash", "jaccard", "cosine", "pinyin", NULL};
    assert_string_equal(fp_nearest("simhsah", NAMES), "simhash");
    assert_string_equal(fp_nearest("jacard", NAMES), "jaccard");
    assert_string_equal(fp_nearest("cos", NAMES), "cosine");
    assert_string_equal(fp_nearest("jaccardsimilarity", NAMES), "jaccard");
    assert_null(fp_nearest("zzzzzz", NAMES));
}

static void assert_arm_error(const char *spec, fp_status code, const char *word) {
    fp_arena *arena = fp_arena_new();
    fp_arm *arm;
    fp_error error = {0};
    fp_status status = fp_arm_parse(spec, NULL, arena, &arm, &error);
    if (status != code)
        fail_msg("%s: %s, not %s (%s)", spec, fp_status_name(status), fp_status_name(code), error.message);
    if (!strstr(error.message, word)) fail_msg("%s: \"%s\" does not say \"%s\"", spec, error.message, word);
    fp_arena_free(arena);
}

static void arms_are_refused_with_the_reason(void **state) {
    (void)state;
    assert_arm_error("simhsah", FP_ERROR_UNKNOWN, "did you mean simhash?");
    assert_arm_error("simhash:bist=64", FP_ERROR_UNKNOWN, "did you mean bits?");
    assert_arm_error("simhash:bits=3", FP_ERROR_RANGE, "4 to 128 bits");
    assert_arm_error("simhash:bits=64x", FP_ERROR_SYNTAX, "not a whole number");
    assert_arm_error("simhash:bits", FP_ERROR_SYNTAX, "key=value");
    assert_arm_error("simhash:weight=tfid", FP_ERROR_RANGE, "did you mean tfidf?");
    assert_arm_error("simhash:features=chars:0", FP_ERROR_RANGE, "1 to 1000");
    assert_arm_error("simhash:features=letters", FP_ERROR_RANGE, "words:K");
    assert_arm_error("pinyin:features=words", FP_ERROR_UNKNOWN, "does not read features");
    assert_arm_error("pinyin:overlap=1", FP_ERROR_RANGE, "0 to 0.95");
    assert_arm_error("simhash:features=chars:2,weight=idf,idf=builtin", FP_ERROR_RANGE, "single words");
    assert_arm_error("cosine:stop=/nonexistent/list", FP_ERROR_IO, "cannot open");
}

/* seomoz/simhash-py, test.py: num_differing_bits. */
static void hamming_known_answers(void **state) {
    (void)state;
    static const struct {
        uint64_t a, b;
        uint32_t bits;
    } ROWS[] = {{0xdeadbeef, 0xdeadbead, 2}, {0xdeadbeefdeadbeef, 0x2152411021524110, 64}, {0xdeadbeef, 0xdeadbeef, 0}};
    for (fp_cpu level = FP_CPU_PORTABLE; level <= fp_cpu_counting(fp_cpu_best()); level++) {
        for (size_t i = 0; i < 3; i++) {
            uint32_t bits;
            fp_hamming_kernels[level](&ROWS[i].a, &ROWS[i].b, 1, 1, &bits);
            assert_int_equal(bits, ROWS[i].bits);
        }
    }
}

/* seomoz/simhash-py, test.py: find_all within 3 bits. FF EF EE CE 33, each shifted left by 0, 8, 16 and 24 bits, gives
 * six pairs within each shift. */
static void hamming_pairs_within_three(void **state) {
    (void)state;
    static const uint64_t BASE[] = {0xff, 0xef, 0xee, 0xce, 0x33};
    static const uint64_t CLUSTER[] = {0,          0x10101000, 0x10100010, 0x10001010, 0x00101010,
                                       0x01010100, 0x01010001, 0x01000101, 0x00010101};
    uint64_t shifted[20];
    for (size_t i = 0; i < 20; i++) shifted[i] = BASE[i % 5] << i / 5 * 8;
    size_t near = 0, cluster = 0;
    for (size_t i = 0; i < 20; i++) {
        uint32_t bits[20];
        fp_hamming(shifted + i, shifted, 1, 20, bits);
        for (size_t j = i + 1; j < 20; j++) near += i / 5 == j / 5 && bits[j] <= 3;
    }
    assert_int_equal(near, 24);
    for (size_t i = 0; i < 9; i++) {
        uint32_t bits[9];
        fp_hamming(CLUSTER + i, CLUSTER, 1, 9, bits);
        for (size_t j = i + 1; j < 9; j++) cluster += bits[j] <= 3;
    }
    assert_int_equal(cluster, 20);
}

/* Every level against the portable oracle, on every count 0 … 1025, unaligned to 64 bytes, for one to three words. */
static void hamming_levels_agree(void **state) {
    (void)state;
    enum { MOST = 1025 };
    uint64_t many[3 * MOST + 1], query[3] = {fp_mix(1, 0), fp_mix(2, 0), fp_mix(3, 0)};
    for (size_t i = 0; i < sizeof many / sizeof *many; i++) many[i] = fp_mix(i, 9);
    for (fp_cpu level = FP_CPU_PORTABLE; level <= fp_cpu_counting(fp_cpu_best()); level++) {
        for (size_t words = 1; words <= 3; words++) {
            for (size_t count = 0; count <= MOST; count++) {
                uint32_t expected[MOST + 1], got[MOST + 1];
                memset(expected, 0x5a, sizeof expected);
                memset(got, 0x5a, sizeof got);
                fp_hamming_kernels[FP_CPU_PORTABLE](query, many + 1, words, count, expected);
                fp_hamming_kernels[level](query, many + 1, words, count, got);
                assert_memory_equal(expected, got, sizeof got);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_checks_sizes_and_alignment),
        cmocka_unit_test(hashes_have_their_published_values),
        cmocka_unit_test(nearest_names_are_meant),
        cmocka_unit_test(arms_are_refused_with_the_reason),
        cmocka_unit_test(hamming_known_answers),
        cmocka_unit_test(hamming_pairs_within_three),
        cmocka_unit_test(hamming_levels_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
