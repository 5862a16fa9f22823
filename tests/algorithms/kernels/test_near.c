/* SPDX-License-Identifier: GPL-3.0-or-later
 * What is near: every variant against distances counted bit by bit. */
#include "algorithms/kernels/near.h"
#include "tests/support.h"

enum { MOST_WORDS = 18, MOST = 300, GUARD = 0x5eed };

static unsigned count_bits(const uint64_t *a, const uint64_t *b, size_t words) {
    unsigned bits = 0;
    for (size_t i = 0; i < words * 64; i++) bits += (unsigned)((a[i / 64] ^ b[i / 64]) >> i % 64 & 1);
    return bits;
}

/* Near fingerprints of `query`: `i` mod 40 of its bits are changed, so that each distance occurs. */
static void make_near(const uint64_t *query, size_t words, size_t count, uint64_t *many) {
    for (size_t i = 0; i < count; i++) {
        memcpy(many + i * words, query, words * sizeof *many);
        for (size_t k = 0; k < fp_mix(i, words) % 40; k++) {
            size_t bit = fp_mix(i, k + 100) % (words * 64);
            many[i * words + bit / 64] ^= UINT64_C(1) << bit % 64;
        }
    }
}

static void compare(const fp_near_variant *variant, const uint64_t *query, const uint64_t *many, size_t words,
                    size_t count, uint32_t most) {
    uint32_t out[MOST + 1], wanted = 0;
    for (size_t i = 0; i <= count; i++) out[i] = GUARD;
    size_t found = variant->kernel(query, many, words, count, most, out);
    for (size_t i = 0; i < count; i++) {
        if (count_bits(query, many + i * words, words) > most) continue;
        if (wanted >= found || out[wanted] != i)
            fail_msg("%s, %zu words, %zu, within %u: position %zu", variant->name, words, count, most, i);
        wanted++;
    }
    assert_int_equal(found, wanted);
    assert_int_equal(out[count], GUARD);
}

static void variants_find_what_is_near(void **state) {
    (void)state;
    static uint64_t many[MOST * MOST_WORDS + 1];
    uint64_t query[MOST_WORDS];
    for (size_t i = 0; i < MOST_WORDS; i++) query[i] = fp_mix(i, 7);
    for (const fp_near_variant *variant = fp_near_variants; variant->name; variant++) {
        if (!variant->supported()) continue;
        for (size_t words = 1; words <= MOST_WORDS; words++)
            for (size_t count = 0; count <= MOST; count += count < 70 ? 1 : 115) {
                uint64_t *from = many + count % 2; /* aligned to 8 bytes alone */
                make_near(query, words, count, from);
                compare(variant, query, from, words, count, 0);
                compare(variant, query, from, words, count, 3);
                compare(variant, query, from, words, count, 16);
                compare(variant, query, from, words, count, (uint32_t)words * 64);
                compare(variant, query, from, words, count, UINT32_MAX);
            }
    }
}

static void the_chosen_variant_is_permitted(void **state) {
    (void)state;
    assert_true(fp_near_chosen()->supported());
    assert_true(fp_near_chosen()->level <= fp_cpu_chosen());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variants_find_what_is_near),
        cmocka_unit_test(the_chosen_variant_is_permitted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
