/* SPDX-License-Identifier: GPL-3.0-or-later
 * Signatures as numbers: two agree in a slot just when the values do that went in. */
#include "eval/experiment/slot_numbers.h"
#include "tests/support.h"

enum { COUNT = 150, SLOTS = 70, MOST_BYTES = SLOTS * 8 + 64 };

/* Few values with many bits, and some that nobody else has. */
static uint64_t value(size_t signature, size_t slot, size_t bits) {
    uint64_t drawn = fp_mix(signature, slot), one = drawn % 3 ? fp_mix(drawn % 5, 9) : drawn;
    return bits < 64 ? one & ((UINT64_C(1) << bits) - 1) : one;
}

/* As fp_layout.slots says, bit by bit. */
static void put_bits(uint64_t *words, const fp_layout *layout, size_t slot, uint64_t of) {
    for (size_t b = 0; b < layout->slot_bits; b++) {
        size_t at =
            layout->planar ? (slot / 64 * layout->slot_bits + b) * 64 + slot % 64 : slot * layout->slot_bits + b;
        words[at / 64] |= (of >> b & 1) << at % 64;
    }
}

static void check_layout(size_t bits, bool planar, int threads) {
    fp_arena *arena = fp_arena_new();
    fp_arenas arenas;
    fp_layout layout = {.slots = SLOTS, .slot_bits = bits, .planar = planar};
    fp_progress over = {.threads = threads};
    uint64_t *words = fp_arena_alloc(arena, COUNT, MOST_BYTES);
    uint32_t which[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        which[i] = (uint32_t)(COUNT - 1 - i);
        for (size_t s = 0; s < SLOTS; s++) put_bits(words + i * MOST_BYTES / 8, &layout, s, value(i, s, bits));
    }
    fp_sketches sketches = {.count = COUNT, .stride = MOST_BYTES, .data = (const unsigned char *)words};
    fp_signatures signatures = {&layout, &sketches, which, COUNT};
    fp_slot_tiles tiles;
    uint16_t *queries;
    ASSERT_GOOD(fp_arenas_open(&arenas, &over, arena, &test_error));
    ASSERT_GOOD(fp_slot_numbers(&signatures, &arenas, &over, arena, &tiles, &test_error));
    assert_false(tiles.wide);
    ASSERT_GOOD(fp_slot_queries(&tiles, 0, COUNT, arena, (void **)&queries, &test_error));
    for (size_t s = 0; s < SLOTS; s++) {
        for (size_t i = 0; i < COUNT; i++) {
            for (size_t j = 0; j < i; j++) {
                bool same = value(which[i], s, bits) == value(which[j], s, bits);
                uint32_t one = fp_slot_number(&tiles, i, s), other = fp_slot_number(&tiles, j, s);
                assert_int_equal(one != FP_SLOT_ALONE && one == other, same);
                assert_int_equal(queries[i * SLOTS + s] == other, same);
            }
        }
    }
    fp_arenas_free(&arenas);
    fp_arena_free(arena);
}

static void numbers_agree_where_values_do(void **state) {
    (void)state;
    for (size_t bits = 1; bits <= 64; bits += bits < 34 ? 1 : 15) {
        check_layout(bits, false, 1 + (int)(bits % 3));
        if (bits <= 32) check_layout(bits, true, 1);
    }
}

/* A slot with 65,534 values that two hold has room in 16 bits, one with one more has not. */
static void many_values_take_wider_numbers(void **state) {
    (void)state;
    enum { ROOM = 65534, MANY = 2 * (ROOM + 1) };
    for (size_t shared = ROOM; shared <= ROOM + 1; shared++) {
        fp_arena *arena = fp_arena_new();
        fp_arenas arenas;
        fp_layout layout = {.slots = 2, .slot_bits = 32};
        uint32_t *slots = fp_arena_alloc(arena, MANY, 8), *which = fp_arena_alloc(arena, MANY, sizeof *which);
        for (uint32_t i = 0; i < MANY; i++) {
            which[i] = i;
            slots[2 * i] = i / 2 < shared ? i / 2 : i;
            slots[2 * i + 1] = 7;
        }
        fp_sketches sketches = {.count = MANY, .stride = 8, .data = (const unsigned char *)slots};
        fp_signatures signatures = {&layout, &sketches, which, MANY};
        fp_slot_tiles tiles;
        ASSERT_GOOD(fp_arenas_open(&arenas, NULL, arena, &test_error));
        ASSERT_GOOD(fp_slot_numbers(&signatures, &arenas, NULL, arena, &tiles, &test_error));
        assert_int_equal(tiles.wide, shared > ROOM);
        for (size_t i = 2; i < MANY; i++) {
            uint32_t number = fp_slot_number(&tiles, i, 0), before = fp_slot_number(&tiles, i - 1, 0);
            assert_int_equal(number != FP_SLOT_ALONE, i / 2 < shared);
            if (i / 2 < shared) assert_int_equal(number == before, i % 2);
            assert_int_equal(fp_slot_number(&tiles, i, 1), fp_slot_number(&tiles, 0, 1));
        }
        fp_arenas_free(&arenas);
        fp_arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_agree_where_values_do),
        cmocka_unit_test(many_values_take_wider_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
