/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pieces of an arena that grow: what was written stays, beside blocks and beside one another. */
#include "base/base.h"
#include "tests/support.h"

static void pieces_keep_what_they_hold(void **state) {
    (void)state;
    enum { PIECES = 5, STEPS = 200 };
    fp_arena *arena = fp_arena_new();
    for (int round = 0; round < 2; round++) {
        unsigned char *piece[PIECES] = {0};
        size_t size[PIECES] = {0}, bytes = 0;
        for (uint64_t step = 0; step < STEPS; step++) {
            size_t p = fp_mix(step, 1) % PIECES, more = fp_mix(step, 2) % 5000;
            unsigned char *block = fp_arena_raw(arena, 100, 1);
            assert_non_null(block);
            memset(block, 0xff, 100);
            size_t next = step % 10 == 9 ? size[p] / 2 : size[p] + more;
            piece[p] = fp_arena_grow(arena, piece[p], next);
            assert_non_null(piece[p]);
            assert_int_equal((uintptr_t)piece[p] % 16, 0);
            for (size_t i = size[p]; i < next; i++) piece[p][i] = (unsigned char)fp_mix(i, p);
            bytes += next - size[p];
            size[p] = next;
            assert_int_equal(fp_arena_used(arena), bytes + 100 * (step + 1));
        }
        for (size_t p = 0; p < PIECES; p++)
            for (size_t i = 0; i < size[p]; i++) assert_int_equal(piece[p][i], (unsigned char)fp_mix(i, p));
        fp_arena_reset(arena);
        assert_int_equal(fp_arena_used(arena), 0);
    }
    assert_null(fp_arena_grow(arena, NULL, SIZE_MAX));
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pieces_keep_what_they_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
