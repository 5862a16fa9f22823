/* SPDX-License-Identifier: GPL-3.0-or-later
 * What is near: every level against distances counted bit by bit. */
#include "algorithms/kernels/hamming.h"
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

static void compare(fp_cpu level, const uint64_t *query, const uint64_t *many, size_t words, size_t count,
                    uint32_t most) {
    uint32_t out[MOST + 1], wanted = 0;
    for (size_t i = 0; i <= count; i++) out[i] = GUARD;
    size_t found = fp_near_kernels[level](query, many, words, count, most, out);
    for (size_t i = 0; i < count; i++) {
        if (count_bits(query, many + i * words, words) > most) continue;
        if (wanted >= found || out[wanted] != i)
            fail_msg("%s, %zu words, %zu, within %u: position %zu", fp_cpu_name(level), words, count, most, i);
        wanted++;
    }
    assert_int_equal(found, wanted);
    assert_int_equal(out[count], GUARD);
}

static void levels_find_what_is_near(void **state) {
    (void)state;
    static uint64_t many[MOST * MOST_WORDS + 1];
    uint64_t query[MOST_WORDS];
    for (size_t i = 0; i < MOST_WORDS; i++) query[i] = fp_mix(i, 7);
    for (fp_cpu level = FP_CPU_PORTABLE; level <= fp_cpu_counting(fp_cpu_best()); level++) {
        for (size_t words = 1; words <= MOST_WORDS; words++)
            for (size_t count = 0; count <= MOST; count += count < 70 ? 1 : 115) {
                uint64_t *from = many + count % 2; /* aligned to 8 bytes alone */
                make_near(query, words, count, from);
                compare(level, query, from, words, count, 0);
                compare(level, query, from, words, count, 3);
                compare(level, query, from, words, count, 16);
                compare(level, query, from, words, count, (uint32_t)words * 64);
                compare(level, query, from, words, count, UINT32_MAX);
            }
    }
}

/* Blocks of which one pair is at the limit, or just beyond it; all places of the pair in a block, rows and blocks. */
static void blocks_have_what_is_near(void **state) {
    enum { LIMIT = 10 };
    static uint64_t rows[FP_NEAR_ROWS * 2], many[FP_NEAR_MANY * 2 + 1];
    (void)state;
    for (fp_cpu level = FP_CPU_PORTABLE; level <= fp_cpu_counting(fp_cpu_best()); level++) {
        fp_near_blocks blocks = fp_near_block_kernels[level];
        for (size_t words = 1; blocks && words <= FP_NEAR_BLOCK_WORDS; words++) {
            for (size_t i = 0; i < FP_NEAR_ROWS * words; i++) rows[i] = fp_mix(i, 3);
            for (size_t i = 0; i < FP_NEAR_MANY * words; i++) many[i + 1] = fp_mix(i, 4);
            assert_true(blocks(rows, many + 1, words, LIMIT) == 0);
            assert_true(blocks(rows, many + 1, words, (uint32_t)words * 64) == UINT64_MAX);
            for (size_t place = 0; place < FP_NEAR_MANY; place += place % 3 ? 1 : 5) {
                uint64_t *at = many + 1 + place * words, kept[2] = {at[0], words > 1 ? at[1] : 0};
                const uint64_t *row = rows + place % FP_NEAR_ROWS * words;
                for (uint64_t more = 0; more < 2;
                     more++) { /* the lowest bits of the last word, the highest of the first */
                    for (size_t w = 0; w < words; w++) at[w] = row[w];
                    at[words - 1] ^= (UINT64_C(1) << (LIMIT - 3)) - 1;
                    at[0] ^= (more ? UINT64_C(15) : UINT64_C(7)) << 60;
                    uint64_t found = blocks(rows, many + 1, words, LIMIT);
                    bool near = count_bits(row, at, words) <= LIMIT;
                    assert_true(found == (near ? UINT64_C(1) << place / FP_NEAR_BLOCK : 0));
                    assert_int_equal(near, !more);
                }
                memcpy(at, kept, words * sizeof *at);
            }
        }
    }
}

/* Weighted bits: every level against the sum over single bits, for every count and aligned to 8 bytes alone. */
static void levels_weigh_differing_bits(void **state) {
    (void)state;
    enum { COUNT = 70 };
    _Alignas(64) uint32_t table[FP_WEIGHTED_TABLE];
    for (fp_cpu level = FP_CPU_PORTABLE; level <= fp_cpu_best(); level++) {
        for (size_t count = 0; count <= COUNT; count++) {
            uint32_t weight[64], sum[COUNT + 1];
            uint64_t query = fp_mix(count, 5), words[COUNT + 1];
            for (size_t bit = 0; bit < 64; bit++)
                weight[bit] = (uint32_t)(fp_mix(count, bit) % (FP_WEIGHTED_MOST / 64));
            if (count == 7) memset(weight, 0, sizeof weight), weight[63] = FP_WEIGHTED_MOST;
            for (size_t i = 0; i <= COUNT; i++) words[i] = fp_mix(i, count), sum[i] = (uint32_t)i;
            words[1] = query, words[2] = ~query;
            fp_weighted_kernels[level].prepare(query, weight, table);
            fp_weighted_kernels[level].add(table, words + 1, count, sum + 1);
            for (size_t i = 0; i <= COUNT; i++) {
                uint32_t expected = (uint32_t)i;
                for (size_t bit = 0; bit < 64 && i > 0 && i <= count; bit++)
                    expected += (query ^ words[i]) >> bit & 1 ? weight[bit] : 0;
                if (sum[i] != expected) fail_msg("%s, %zu words: word %zu", fp_cpu_name(level), count, i);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_find_what_is_near),
        cmocka_unit_test(blocks_have_what_is_near),
        cmocka_unit_test(levels_weigh_differing_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
