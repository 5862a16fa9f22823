/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pairs of groups that are longer than the kernels take at once: against every pair, bit by bit. */
#include <stdatomic.h>

#include "pairs/block_pairs.h"
#include "tests/support.h"

enum { COUNT = 5003, WITHIN = 10, MOST_WORDS = 3, MOST_PAIRS = 1 << 16 };

typedef struct listed {
    fp_found_pair pair[MOST_PAIRS];
    _Atomic size_t count;
} listed;

static fp_status take(void *context, const fp_found_pair *pairs, size_t count, fp_error *error) {
    listed *to = context;
    (void)error;
    size_t at = atomic_fetch_add(&to->count, count) + count;
    assert_true(at <= MOST_PAIRS);
    memcpy(to->pair + at - count, pairs, count * sizeof *pairs);
    return FP_OK;
}

static int by_numbers(const void *left, const void *right) {
    const fp_found_pair *a = left, *b = right;
    return a->a != b->a ? (a->a < b->a ? -1 : 1) : (a->b > b->b) - (a->b < b->b);
}

/* One in nine is near one that lies anywhere before it, at 0 to 11 bits. */
static void draw(uint64_t *all, size_t words) {
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t w = 0; w < words; w++) all[i * words + w] = fp_mix(i * words + w, 1);
        if (i % 9 || i == 0) continue;
        memcpy(all + i * words, all + fp_mix(i, 2) % i * words, words * sizeof *all);
        for (size_t k = 0; k < i / 9 % 12; k++) {
            size_t bit = fp_mix(i, k + 3) % (words * 64);
            all[i * words + bit / 64] ^= UINT64_C(1) << bit % 64;
        }
    }
}

static void pairs_are_those_of_a_plain_loop(void **state) {
    static uint64_t all[COUNT * MOST_WORDS];
    static listed told;
    (void)state;
    for (size_t words = 1; words <= MOST_WORDS; words++) {
        for (int threads = 1; threads <= 2; threads++) {
            fp_arena *arena = fp_arena_new();
            fp_arenas arenas;
            fp_progress over = {.threads = threads};
            fp_block_design design;
            fp_block_source source = {all, NULL, COUNT};
            draw(all, words);
            told.count = 0;
            ASSERT_GOOD(fp_arenas_open(&arenas, &over, arena, &test_error));
            ASSERT_GOOD(fp_block_design_parse("scan", (unsigned)words * 64, WITHIN, &design, &test_error));
            ASSERT_GOOD(fp_block_pairs(&design, &source, take, &told, &arenas, &over, &test_error));
            qsort(told.pair, told.count, sizeof *told.pair, by_numbers);
            size_t at = 0;
            for (uint32_t a = 0; a < COUNT; a++) {
                for (uint32_t b = a + 1; b < COUNT; b++) {
                    uint32_t bits = 0;
                    for (size_t w = 0; w < words; w++)
                        bits += (uint32_t)__builtin_popcountll(all[a * words + w] ^ all[b * words + w]);
                    if (bits > WITHIN) continue;
                    fp_found_pair pair = at < told.count ? told.pair[at] : (fp_found_pair){0};
                    if (pair.a != a || pair.b != b || pair.distance != bits)
                        fail_msg("%zu words, %d threads: %u %u %u is missing", words, threads, a, b, bits);
                    at++;
                }
            }
            assert_int_equal(at, told.count);
            assert_true(at > COUNT / 10);
            fp_arenas_free(&arenas);
            fp_arena_free(arena);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pairs_are_those_of_a_plain_loop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
