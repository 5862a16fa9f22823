/* SPDX-License-Identifier: GPL-3.0-or-later
 * A list of sketches beside the definition: every sketch whose distance, told by the arm one at a time, is not above
 * the one asked for, by number. */
#include "index/collection/sketch_list.h"
#include "tests/support.h"

enum { COUNT = 5000, MOST_BYTES = 1024 };

/* A sketch of the first, with some bits turned: many are near. */
static void make_sketch(const fp_layout *layout, size_t i, unsigned char *sketch) {
    for (size_t b = 0; b < layout->bytes; b++) sketch[b] = (unsigned char)fp_mix(b, 5);
    for (size_t k = 0; k < i % 40; k++) {
        uint64_t bit = fp_mix(i * 64 + k, 9) % (layout->bits ? layout->bits : 8 * layout->bytes);
        sketch[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    size_t unused = layout->bits % 64;
    uint64_t *words = (uint64_t *)(void *)sketch;
    if (unused) words[layout->bits / 64] &= (UINT64_C(1) << unused) - 1;
}

static void check_within(const fp_arm *arm, const fp_sketch_list *list, fp_sketch query, double within,
                         fp_arena *arena) {
    fp_near_list found = {.arena = arena};
    fp_sketches all = fp_sketch_list_view(list);
    size_t at = 0;
    ASSERT_GOOD(fp_sketch_list_near(list, arm, query, within, &found, &test_error));
    for (size_t i = 0; i < all.count; i++) {
        double distance = fp_arm_distance(arm, query, fp_sketches_at(&all, i));
        if (!(distance <= within)) continue;
        assert_true(at < found.count && found.found[at].number == list->number[i]);
        assert_true(found.found[at].distance == distance);
        at++;
    }
    assert_int_equal(at, found.count);
}

static void finds_what_is_near(void **state) {
    (void)state;
    static const char *const ARMS[] = {"simhash", "simhash:bits=20", "simhash:bits=128",
                                       "pinyin",  "minhash",         "minhash:b=2"};
    static const double WITHIN[] = {0, 1, 3, 3.5, 12.9, 30, 63, 64, 1000, -1};
    for (size_t a = 0; a < sizeof ARMS / sizeof *ARMS; a++) {
        fp_arena *arena = fp_arena_new();
        _Alignas(8) unsigned char sketch[MOST_BYTES];
        fp_sketch_list list;
        fp_arm *arm;
        ASSERT_GOOD(fp_arm_parse(ARMS[a], NULL, arena, &arm, &test_error));
        const fp_layout *layout = fp_arm_layout(arm);
        assert_true(layout->bytes <= MOST_BYTES);
        ASSERT_GOOD(fp_sketch_list_open(&list, layout, arena, &test_error));
        for (size_t i = 0; i < COUNT; i++) {
            make_sketch(layout, i, sketch);
            ASSERT_GOOD(fp_sketch_list_add(&list, (uint32_t)(2 * i + 1),
                                           (fp_string){(const char *)sketch, layout->bytes}, &test_error));
        }
        for (size_t q = 0; q < 4; q++) {
            make_sketch(layout, q * 13, sketch);
            for (size_t w = 0; w < sizeof WITHIN / sizeof *WITHIN; w++)
                check_within(arm, &list, (fp_sketch){.data = sketch, .size = layout->bytes}, WITHIN[w], arena);
        }
        fp_sketch_list_free(&list);
        fp_arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds_what_is_near)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
