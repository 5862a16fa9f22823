/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tallies of bits and of slots: every level against a table of one increment a pair, and a list of the near pairs. */
#include "algorithms/kernels/tally/slot_tally.h"
#include "tests/support.h"

/* ---- Near pairs ---- */

enum { QUERIES = 35, MOST = 1025, MOST_TOLD = QUERIES * MOST };

/* Which pairs were told, and the limit falls to `then` once one was. */
typedef struct told {
    fp_tally_watch watch;
    int64_t then;
    size_t many, pairs;
    uint32_t distance[MOST_TOLD]; /* + 1; 0: not told */
} told;

static void tell(fp_tally_watch *watch, const fp_tally_pair *pairs, size_t count) {
    told *to = (told *)(void *)watch;
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
        size_t at = pairs[i].query * to->many + pairs[i].other;
        assert_true(pairs[i].other < to->many && to->distance[at] == 0);
        to->distance[at] = pairs[i].distance + 1;
    }
    to->pairs += count;
    if (watch->limit > to->then) watch->limit = to->then;
}

static told *watch_for(int64_t limit, int64_t then, size_t many) {
    static told it;
    memset(&it, 0, sizeof it);
    it.watch = (fp_tally_watch){limit, tell};
    it.then = then;
    it.many = many;
    return &it;
}

/* All within what the limit fell to at last, none beyond what it was at first, and each at its distance. */
static void check_told(fp_cpu level, const told *it, int64_t first, const uint32_t *distance, size_t pairs) {
    size_t all = 0;
    for (size_t i = 0; i < pairs; i++) {
        all += it->distance[i] > 0;
        if (it->distance[i] ? it->distance[i] != distance[i] + 1 || distance[i] > first
                            : distance[i] <= it->watch.limit)
            fail_msg("%s: pair %zu at %u, limit %lld to %lld: told %u", fp_cpu_name(level), i, distance[i],
                     (long long)first, (long long)it->watch.limit, it->distance[i]);
    }
    assert_int_equal(all, it->pairs);
}

/* ---- Bits ---- */

static void sum_lanes(const uint64_t *tally, size_t words, uint64_t *counts) {
    for (size_t d = 0; d <= words * 64; d++) {
        counts[d] = 0;
        for (size_t lane = 0; lane < FP_TALLY_LANES; lane++) counts[d] += tally[lane * (words * 64 + 1) + d];
    }
}

/* A word of the wanted parity; one in eight is near another, and some are all ones or all zeros, so that distances 0
 * and 64 occur. */
static uint64_t word_at(size_t i, bool odd) {
    uint64_t word = i % 8 == 0 ? 0 : i % 8 == 1 ? UINT64_MAX : i % 8 == 2 ? UINT64_C(1) << i % 64 : fp_mix(i, 5);
    return word ^ ((unsigned)__builtin_popcountll(word) % 2 != odd);
}

enum { MOST_WORDS = 18 };

/* Fingerprint i of several words: all words are those of one place, so that distances 0 and 64·words occur. */
static void fill(uint64_t *to, size_t count, size_t words, size_t step, bool odd) {
    for (size_t i = 0; i < count; i++)
        for (size_t w = 0; w < words; w++) to[i * words + w] = word_at(i * step + w % 3 * 8, w == 0 && odd);
}

static void check_tally(fp_cpu level, size_t query_count, size_t count, size_t words, bool odd, int64_t limit,
                        int64_t then) {
    static uint64_t queries[QUERIES * MOST_WORDS], many[MOST * MOST_WORDS + 1];
    static uint32_t distance[MOST_TOLD];
    uint64_t tally[FP_TALLY_LANES * (MOST_WORDS * 64 + 1)] = {0}, got[MOST_WORDS * 64 + 1],
                                                       expected[MOST_WORDS * 64 + 1] = {0};
    fill(queries, query_count, words, 1, odd);
    fill(many + 1, count, words, 7, false);
    for (size_t q = 0; q < query_count; q++) {
        for (size_t i = 0; i < count; i++) {
            uint32_t bits = 0;
            for (size_t w = 0; w < words; w++)
                bits += (uint32_t)__builtin_popcountll(queries[q * words + w] ^ many[1 + i * words + w]);
            expected[bits]++;
            distance[q * count + i] = bits;
        }
    }
    told *it = watch_for(limit, then, count);
    fp_tally_kernels[level](queries, query_count, many + 1, count, words, odd, limit >= 0 ? &it->watch : NULL, tally);
    sum_lanes(tally, words, got);
    if (memcmp(expected, got, (words * 64 + 1) * sizeof *got) != 0)
        fail_msg("%s: %zu queries, %zu fingerprints of %zu words", fp_cpu_name(level), query_count, count, words);
    if (limit >= 0) check_told(level, it, limit, distance, query_count * count);
}

/* Every level, on every count 0 … 1025, unaligned, both parities; and with queries that fill blocks or do not. */
static void tallies_count_every_pair(void **state) {
    (void)state;
    for (fp_cpu level = FP_CPU_PORTABLE; level <= fp_cpu_counting(fp_cpu_best()); level++) {
        for (size_t count = 0; count <= MOST; count++) check_tally(level, 17, count, 1, count % 2, -1, -1);
        for (size_t queries = 0; queries <= QUERIES; queries++)
            for (size_t odd = 0; odd < 2; odd++) check_tally(level, queries, 1011 + queries % 3, 1, odd, -1, -1);
        for (size_t words = 2; words <= MOST_WORDS; words++)
            for (size_t odd = 0; odd < 2; odd++) check_tally(level, QUERIES, 100 + words, words, odd, -1, -1);
    }
}

/* Limits of no pair, of some and of all; and one that falls. */
static void tallies_tell_what_is_near(void **state) {
    (void)state;
    for (fp_cpu level = FP_CPU_PORTABLE; level <= fp_cpu_counting(fp_cpu_best()); level++) {
        for (size_t words = 1; words <= MOST_WORDS; words += words < 5 ? 1 : 6) {
            for (size_t odd = 0; odd < 2; odd++) {
                int64_t all = (int64_t)words * 64;
                for (int64_t limit = 0; limit <= all + 1; limit += words == 1 ? 1 : 31)
                    check_tally(level, QUERIES, words == 1 ? 1022 : 203, words, odd, limit, limit);
                check_tally(level, QUERIES, 203, words, odd, all, all / 3);
                check_tally(level, QUERIES, 203, words, odd, all, -1);
                check_tally(level, 5, 203, words, odd, all / 2, all / 2);
            }
        }
    }
}

static void parity_is_of_all_words(void **state) {
    (void)state;
    const uint64_t words[] = {7, 1, UINT64_C(1) << 63};
    assert_true(fp_tally_odd(words, 1));
    assert_false(fp_tally_odd(words, 2));
    assert_true(fp_tally_odd(words, 3));
}

/* ---- Slots ---- */

enum { SIGNATURES = 600, ASKED = 21, MOST_SLOTS = 320 };

static uint32_t number(size_t signature, size_t slot, bool asked) {
    if (signature % 7 == 3) return 5;             /* agrees with many in all slots */
    if (signature % 7 == 4) return asked ? 1 : 0; /* with nothing */
    return 2 + (uint32_t)(fp_mix(signature, slot) % 3) * (signature % 5 == 0 ? 30000 : 3);
}

static void put(void *numbers, bool wide, size_t at, uint32_t value) {
    if (wide) ((uint32_t *)numbers)[at] = value > 4 ? value | UINT32_C(1) << 20 : value;
    else ((uint16_t *)numbers)[at] = (uint16_t)value;
}

static void check_slots(fp_cpu level, size_t slots, bool wide, size_t query_count, size_t first, size_t end,
                        int64_t limit, int64_t then) {
    static uint32_t at[(SIGNATURES + 128) * MOST_SLOTS], asked[ASKED * MOST_SLOTS], distance[MOST_TOLD];
    fp_slot_tiles tiles = {slots, wide, at};
    size_t columns = fp_slot_columns(&tiles), count = end - first;
    uint64_t expected[MOST_SLOTS + 1] = {0}, got[MOST_SLOTS + 1] = {0};
    for (size_t i = 0; i < end + columns - 1; i++) /* what is behind the end belongs to nobody */
        for (size_t s = 0; s < slots && i / columns * columns < end; s++)
            put(at, wide, (i / columns * slots + s) * columns + i % columns, number(i, s, false));
    for (size_t q = 0; q < query_count; q++)
        for (size_t s = 0; s < slots; s++) put(asked, wide, q * slots + s, number(q + 1, s, true));
    for (size_t q = 0; q < query_count; q++) {
        for (size_t i = first; i < end; i++) {
            uint32_t differing = 0;
            for (size_t s = 0; s < slots; s++) differing += number(q + 1, s, true) != number(i, s, false);
            expected[differing]++;
            distance[q * count + i - first] = differing;
        }
    }
    told *it = watch_for(limit, then, count);
    fp_slot_tally_kernels[level](&tiles, asked, query_count, first, end, limit >= 0 ? &it->watch : NULL, got);
    if (memcmp(expected, got, (slots + 1) * sizeof *got) != 0)
        fail_msg("%s: %zu slots, wide %d, %zu queries, %zu to %zu", fp_cpu_name(level), slots, wide, query_count, first,
                 end);
    if (limit >= 0) check_told(level, it, limit, distance, query_count * count);
}

static void slots_are_counted_and_near_ones_told(void **state) {
    static const size_t SLOTS[] = {1, 3, 63, 64, 65, 128, 200, 256, 257, 320};
    (void)state;
    for (fp_cpu level = FP_CPU_PORTABLE; level <= fp_cpu_counting(fp_cpu_best()); level++) {
        for (size_t i = 0; i < sizeof SLOTS / sizeof *SLOTS; i++) {
            int64_t slots = (int64_t)SLOTS[i];
            for (int wide = 0; wide < 2; wide++) {
                check_slots(level, SLOTS[i], wide, ASKED, 0, 512, -1, -1);
                check_slots(level, SLOTS[i], wide, 20, 256, SIGNATURES, slots / 2, slots / 2);
                check_slots(level, SLOTS[i], wide, ASKED, 128, 129, slots, slots / 3);
                check_slots(level, SLOTS[i], wide, 3, 0, SIGNATURES, slots + 9, -1);
                check_slots(level, SLOTS[i], wide, 8, 0, 512, 0, 0);
            }
        }
        check_slots(level, 64, false, 0, 0, 512, -1, -1);
        check_slots(level, 64, false, 4, 512, 512, 64, 64);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tallies_count_every_pair),
        cmocka_unit_test(tallies_tell_what_is_near),
        cmocka_unit_test(parity_is_of_all_words),
        cmocka_unit_test(slots_are_counted_and_near_ones_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
