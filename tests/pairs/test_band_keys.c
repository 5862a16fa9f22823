/* SPDX-License-Identifier: GPL-3.0-or-later
 * Bands: pairs against the definition, slot by slot; the keys against what is stated of them; and the share of sets of
 * a known similarity that are found, against the S-curve. */
#include <math.h>
#include <pthread.h>

#include "pairs/band_keys.h"
#include "tests/pairs/made_slots.h"

enum { STORED = 400, FAMILY = 8, MOST_SLOTS = 4096 };

static const fp_banding BANDINGS[] = {{1, 1}, {16, 4}, {8, 6}, {25, 2}, {64, 1}, {5, 3}, {1, 20}};

static bool fits(fp_banding banding, const fp_layout *layout) {
    return (size_t)banding.bands * banding.rows <= layout->slots;
}

/* Whether two sketches agree in all slots of a band; the first that does, or `bands`. */
static unsigned first_common(const population *of, fp_banding banding, fp_sketch a, fp_sketch b) {
    bool agree[MOST_SLOTS];
    slots_agreeing(of, a, b, agree);
    for (unsigned band = 0; band < banding.bands; band++) {
        bool all = true;
        for (unsigned row = 0; row < banding.rows; row++) all &= agree[band * banding.rows + row];
        if (all) return band;
    }
    return banding.bands;
}

/* XXH3-64 of the slots as eight bytes each, the lowest first; the number of the band is the seed. */
static void keys_as_stated(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    population of = make_families("minhash", 1, 1, 3, arena);
    const uint32_t *slot = (const uint32_t *)(const void *)of.data;
    uint64_t keys[16];
    fp_band_keys(fp_arm_layout(of.arm), (fp_banding){16, 4}, of.data, keys);
    for (unsigned b = 0; b < 16; b++) {
        unsigned char bytes[32] = {0};
        for (unsigned i = 0; i < 4; i++)
            for (unsigned k = 0; k < 4; k++) bytes[8 * i + k] = (unsigned char)(slot[4 * b + i] >> 8 * k);
        assert_true(keys[b] == fp_xxh3(bytes, sizeof bytes, b));
    }
    fp_arena_free(arena);
}

/* ---- Pairs ---- */

typedef struct collected {
    pthread_mutex_t lock;
    unsigned char *times; /* [STORED·STORED] */
    size_t count, fail_at;
} collected;

static fp_status collect(void *context, const fp_found_pair *pairs, size_t count, fp_error *error) {
    collected *to = context;
    fp_status status = FP_OK;
    pthread_mutex_lock(&to->lock);
    for (size_t i = 0; i < count; i++) {
        assert_true(pairs[i].a < pairs[i].b && pairs[i].b < STORED);
        to->times[(size_t)pairs[i].a * STORED + pairs[i].b]++;
    }
    to->count += count;
    if (to->count >= to->fail_at) status = fp_fail(error, FP_ERROR_IO, "enough");
    pthread_mutex_unlock(&to->lock);
    return status;
}

static void each_pair_once(void **state) {
    (void)state;
    for (size_t a = 0; a < SLOT_ARM_COUNT; a++) {
        fp_arena *arena = fp_arena_new();
        population of = make_families(SLOT_ARMS[a], STORED, FAMILY, a + 20, arena);
        fp_progress progress = {.threads = 3};
        fp_arenas arenas = {0};
        ASSERT_GOOD(fp_arenas_open(&arenas, &progress, arena, &test_error));
        for (size_t b = 0; b < sizeof BANDINGS / sizeof *BANDINGS; b++) {
            if (!fits(BANDINGS[b], fp_arm_layout(of.arm))) continue;
            collected got = {.lock = PTHREAD_MUTEX_INITIALIZER, .times = calloc(STORED, STORED), .fail_at = SIZE_MAX};
            uint64_t told = 0, wanted = 0;
            ASSERT_GOOD(fp_band_pairs(fp_arm_layout(of.arm), BANDINGS[b], &of.sketches, collect, &got, &arenas,
                                      &progress, &told, &test_error));
            for (size_t i = 0; i < STORED; i++)
                for (size_t j = i + 1; j < STORED; j++) {
                    bool is = first_common(&of, BANDINGS[b], fp_sketches_at(&of.sketches, i),
                                           fp_sketches_at(&of.sketches, j)) < BANDINGS[b].bands;
                    assert_int_equal(got.times[i * STORED + j], is);
                    wanted += is;
                }
            assert_true(told == wanted && got.count == wanted);
            free(got.times);
        }
        fp_arenas_free(&arenas);
        fp_arena_free(arena);
    }
}

static void who_is_told_may_end_it(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    population of = make_families("minhash", STORED, STORED, 5, arena);
    fp_arenas arenas = {0};
    collected got = {.lock = PTHREAD_MUTEX_INITIALIZER, .times = calloc(STORED, STORED), .fail_at = 1};
    ASSERT_GOOD(fp_arenas_open(&arenas, NULL, arena, &test_error));
    assert_int_equal(fp_band_pairs(fp_arm_layout(of.arm), (fp_banding){64, 1}, &of.sketches, collect, &got, &arenas,
                                   NULL, NULL, &test_error),
                     FP_ERROR_IO);
    assert_string_equal(test_error.message, "enough");
    free(got.times);
    fp_arenas_free(&arenas);
    fp_arena_free(arena);
}

/* ---- What to expect ---- */

/* Two sets of 40 features with 24 in common: J = 24/56. The mean of 1,500 pairs has a standard error of at most
 * 0.5/√1500. */
static void recall_is_that_of_the_curve(void **state) {
    (void)state;
    enum { PAIRS = 1500, SIZE = 40, COMMON = 24 };
    static const struct {
        const char *arm;
        fp_banding banding;
    } ROWS[] = {{"minhash:features=words", {16, 3}},
                {"minhash:features=words,slots=128,b=2", {16, 8}},
                {"minhash:features=words,slots=120,width=64", {20, 6}}};
    for (size_t r = 0; r < sizeof ROWS / sizeof *ROWS; r++) {
        fp_arena *arena = fp_arena_new();
        fp_arm *arm = test_arm(ROWS[r].arm, NULL, 0, arena);
        const fp_layout *layout = fp_arm_layout(arm);
        unsigned char *data = fp_arena_alloc(arena, 2 * PAIRS, layout->bytes);
        for (size_t i = 0; i < 2 * PAIRS; i++) {
            uint64_t hash[SIZE];
            double weight[SIZE];
            for (size_t f = 0; f < SIZE; f++) {
                hash[f] = fp_mix(f < COMMON ? i / 2 * SIZE + f : (1 << 20) + i * SIZE + f, 77);
                weight[f] = 1;
            }
            fp_sketch sketch = test_sketch_of(arm, hash, weight, SIZE, arena);
            memcpy(data + i * layout->bytes, sketch.data, layout->bytes);
        }
        fp_sketches sketches = {.count = 2 * PAIRS, .stride = layout->bytes, .data = data};
        size_t found = 0;
        for (size_t i = 0; i < 2 * PAIRS; i += 2) {
            uint64_t first[20], second[20];
            bool one = false;
            fp_band_keys(layout, ROWS[r].banding, fp_sketches_at(&sketches, i).data, first);
            fp_band_keys(layout, ROWS[r].banding, fp_sketches_at(&sketches, i + 1).data, second);
            for (unsigned k = 0; k < ROWS[r].banding.bands; k++) one |= first[k] == second[k];
            found += one;
        }
        unsigned bits = layout->slot_bits < 32 ? (unsigned)layout->slot_bits : 0;
        double slot = fp_banding_slot(COMMON / (2.0 * SIZE - COMMON), bits);
        double expected = fp_banding_probability(ROWS[r].banding, slot), got = (double)found / PAIRS;
        if (fabs(got - expected) > 5 * sqrt(expected * (1 - expected) / PAIRS))
            fail_msg("%s: %g found, %g expected", ROWS[r].arm, got, expected);
        fp_arena_free(arena);
    }
}

/* As surely as was asked for where bands reach it, else a band for each slot. */
static void bands_for_a_target(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_arm *arm = test_arm("minhash:slots=128", NULL, 0, arena);
    fp_banding banding;
    for (double within = 1; within < 120; within += 7) {
        ASSERT_GOOD(fp_arm_bands(arm, within, 0.95, &banding, &test_error));
        assert_true(fp_arm_bands_recall(arm, banding, within) >= 0.95 || banding.rows == 1);
        ASSERT_GOOD(fp_arm_bands(arm, within, 1, &banding, &test_error));
        assert_true(banding.bands == 128 && banding.rows == 1);
    }
    ASSERT_GOOD(fp_arm_bands(arm, 127, 0.999, &banding, &test_error));
    assert_true(banding.bands == 128 && banding.rows == 1);
    ASSERT_GOOD(fp_arm_bands(arm, 0, 0.9, &banding, &test_error));
    assert_true(banding.bands == 1 && banding.rows == 128);
    assert_true(fp_layout_takes_bands(fp_arm_layout(arm)));
    assert_false(fp_layout_takes_bands(fp_arm_layout(test_arm("simhash", NULL, 0, arena))));
    fp_arena_free(arena);
}

static void refuse(const fp_layout *layout, fp_banding banding, const fp_sketches *sketches, const char *words) {
    fp_arena *arena = fp_arena_new();
    fp_arenas arenas = {0};
    ASSERT_GOOD(fp_arenas_open(&arenas, NULL, arena, &test_error));
    assert_int_equal(fp_band_pairs(layout, banding, sketches, NULL, NULL, &arenas, NULL, NULL, &test_error),
                     FP_ERROR_RANGE);
    if (!strstr(test_error.message, words)) fail_msg("%s: %s", words, test_error.message);
    fp_arenas_free(&arenas);
    fp_arena_free(arena);
}

static void refused(void **state) {
    (void)state;
    static const struct {
        fp_banding banding;
        const char *words;
    } ROWS[] = {{{0, 4}, "0 bands of 4 slots"},
                {{4, 0}, "4 bands of 0 slots: at least one band of one slot is needed"},
                {{17, 4}, "17 bands of 4 slots need 68, and the sketch has 64"},
                {{UINT32_MAX, UINT32_MAX}, "need 18446744065119617025"}};
    fp_arena *arena = fp_arena_new();
    population of = make_families("minhash", 10, 2, 1, arena);
    const fp_layout *layout = fp_arm_layout(of.arm);
    const fp_banding one = {1, 1};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        refuse(layout, ROWS[i].banding, &of.sketches, ROWS[i].words);
    fp_sketches strange = of.sketches, many = of.sketches;
    strange.stride = 8;
    refuse(layout, one, &strange, "do not fit a layout");
    many.count = UINT32_MAX;
    refuse(layout, one, &many, "4294967295 documents are too many");
    for (size_t i = 0; i < 3; i++) {
        fp_layout wrong = *layout;
        if (i == 0) wrong.slots = 0;
        else wrong.slot_bits = i == 1 ? 0 : 65;
        refuse(&wrong, one, &of.sketches, "sketches of slots");
    }
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_as_stated),         cmocka_unit_test(each_pair_once),
        cmocka_unit_test(who_is_told_may_end_it), cmocka_unit_test(recall_is_that_of_the_curve),
        cmocka_unit_test(bands_for_a_target),     cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
