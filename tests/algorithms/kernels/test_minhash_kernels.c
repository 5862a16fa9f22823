/* SPDX-License-Identifier: GPL-3.0-or-later
 * The kernels of the minhash family: the portable ones against their definitions, slot by slot, and every level of the
 * processor against the portable ones, for every length from 0 to 1025, from addresses aligned to 8 and no more. */
#include <sys/wait.h>

#include "algorithms/kernels/sketch_kernels.h"
#include "algorithms/kernels/distance_kernels.h"
#include "tests/support.h"

enum { MOST = 1025, FEATURES = 7, PLANES = 32, WORDS = (MOST + 63) / 64 * 64, GUARD = 0x5a };

/* A buffer that begins 8 bytes behind a multiple of 64. */
static void *unaligned(size_t bytes, fp_arena *arena) {
    unsigned char *data = fp_arena_alloc(arena, bytes + 64, 1);
    memset(data, GUARD, bytes + 64);
    return data + 8;
}

static void draw_values(uint64_t *value) {
    for (size_t i = 0; i < FEATURES; i++) value[i] = fp_mix(20261120, i);
}

static void minima_are_minima(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    uint64_t *value = unaligned(FEATURES * 8, arena), *found = unaligned((MOST + 1) * 8, arena),
             *oracle = unaligned((MOST + 1) * 8, arena);
    draw_values(value);
    for (size_t slots = 0; slots <= MOST; slots++) {
        size_t values = slots % (FEATURES + 1);
        for (size_t i = 0; i <= slots; i++) oracle[i] = fp_mix(slots, i) | UINT64_C(1) << 61;
        for (int level = 0; level <= (int)fp_cpu_best(); level++) {
            for (size_t i = 0; i <= slots; i++) found[i] = fp_mix(slots, i) | UINT64_C(1) << 61;
            fp_minima_kernels[level](value, values, found, slots);
            for (size_t i = 0; i < slots; i++) {
                uint64_t least = oracle[i];
                for (size_t f = 0; f < values; f++) least = fp_mix(value[f], i) < least ? fp_mix(value[f], i) : least;
                if (found[i] != least) fail_msg("%s: slot %zu of %zu", fp_cpu_name((fp_cpu)level), i, slots);
            }
            assert_true(found[slots] == oracle[slots]);
        }
    }
    fp_arena_free(arena);
}

static void products_are_least(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    uint64_t *value = unaligned(FEATURES * 8, arena), *found = unaligned((MOST + 1) * 8, arena),
             *oracle = unaligned((MOST + 1) * 8, arena);
    draw_values(value);
    for (size_t slots = 0; slots <= MOST; slots++) {
        size_t values = slots % (FEATURES + 1);
        for (size_t i = 0; i <= slots; i++) oracle[i] = fp_mix(slots, i) | UINT64_C(1) << 61;
        for (int level = 0; level <= (int)fp_cpu_best(); level++) {
            for (size_t i = 0; i <= slots; i++) found[i] = oracle[i];
            fp_least_products_kernels[level](value, values, found, slots);
            for (size_t i = 0; i < slots; i++) {
                uint64_t least = oracle[i];
                for (size_t f = 0; f < values; f++) {
                    uint64_t product = fp_mix(value[f], 0) * (fp_mix(i, 1) | 1);
                    least = product < least ? product : least;
                }
                if (found[i] != least) fail_msg("%s: slot %zu of %zu", fp_cpu_name((fp_cpu)level), i, slots);
            }
            assert_true(found[slots] == oracle[slots]);
        }
    }
    fp_arena_free(arena);
}

/* More values than a piece holds. */
static void products_of_many_are_least(void **state) {
    (void)state;
    enum { MANY = 1000, SLOTS = 77 };
    static uint64_t value[MANY], found[SLOTS], oracle[SLOTS];
    for (size_t f = 0; f < MANY; f++) value[f] = fp_mix(5, f);
    for (size_t values = 250; values <= MANY; values += 125) {
        for (size_t i = 0; i < SLOTS; i++) {
            oracle[i] = UINT64_MAX;
            for (size_t f = 0; f < values; f++) {
                uint64_t product = fp_mix(value[f], 0) * (fp_mix(i, 1) | 1);
                oracle[i] = product < oracle[i] ? product : oracle[i];
            }
        }
        for (int level = 0; level <= (int)fp_cpu_best(); level++) {
            memset(found, 0xff, sizeof found);
            fp_least_products_kernels[level](value, values, found, SLOTS);
            assert_memory_equal(found, oracle, sizeof oracle);
        }
    }
}

/* fp_mix(value + n·FP_MIX_STEP, i) = fp_mix(value, i + n), on which shifted signatures rest. */
static void mixing_shifts(void **state) {
    (void)state;
    for (uint64_t n = 0; n < 1000; n++) assert_true(fp_mix(n * n + n * FP_MIX_STEP, 3) == fp_mix(n * n, 3 + n));
}

/* ---- Differing slots ---- */

static bool slot_differs(const fp_slots_form *form, const uint64_t *a, const uint64_t *b, size_t i) {
    const uint32_t *narrow_a = (const void *)a, *narrow_b = (const void *)b;
    if (form->planes == 0) return form->wide ? a[i] != b[i] : narrow_a[i] != narrow_b[i];
    for (size_t p = 0; p < form->planes; p++)
        if ((a[i / 64 * form->planes + p] ^ b[i / 64 * form->planes + p]) >> i % 64 & 1) return true;
    return false;
}

/* Slots that differ in one place or several; bits that the form does not use are left equal. */
static void spoil(const fp_slots_form *form, uint64_t *data, size_t slots, uint64_t seed) {
    uint32_t *narrow = (void *)data;
    for (size_t i = 0; i < slots; i++) {
        uint64_t random = fp_mix(seed, i);
        if (random % 3) continue;
        size_t bit = (size_t)(random >> 8) % 64;
        if (form->planes) data[i / 64 * form->planes + bit % form->planes] ^= UINT64_C(1) << i % 64;
        else if (form->wide) data[i] ^= UINT64_C(1) << bit;
        else narrow[i] ^= UINT32_C(1) << bit % 32;
    }
}

static void differing_slots_are_counted(void **state) {
    (void)state;
    enum { COUNT = 3 };
    static const size_t FORMS[] = {0, 0, 1, 2, 3, 8, PLANES};
    fp_arena *arena = fp_arena_new();
    uint64_t *query = unaligned(WORDS * 8, arena), *many = unaligned(COUNT * WORDS * 8, arena);
    for (size_t i = 0; i < WORDS; i++) query[i] = fp_mix(7, i);
    for (size_t f = 0; f < sizeof FORMS / sizeof *FORMS; f++) {
        for (size_t slots = 0; slots <= MOST; slots++) {
            fp_slots_form form = {.slots = slots, .planes = FORMS[f], .wide = f == 1};
            form.bytes = form.planes ? (slots + 63) / 64 * form.planes * 8
                         : form.wide ? slots * 8
                                     : (slots + 1) / 2 * 8;
            uint32_t expected[COUNT] = {0}, found[COUNT + 1] = {0};
            for (size_t k = 0; k < COUNT; k++) {
                uint64_t *other = many + k * form.bytes / 8;
                memcpy(other, query, form.bytes);
                if (k) spoil(&form, other, slots, fp_mix(slots, k));
                for (size_t i = 0; i < slots; i++) expected[k] += slot_differs(&form, query, other, i);
            }
            assert_true(expected[0] == 0 && (slots < 20 || expected[1] > 0));
            for (int level = 0; level <= (int)fp_cpu_best(); level++) {
                found[COUNT] = GUARD;
                fp_slots_kernels[level](&form, query, many, COUNT, found);
                for (size_t k = 0; k < COUNT; k++)
                    if (found[k] != expected[k])
                        fail_msg("%s: %zu slots, form %zu", fp_cpu_name((fp_cpu)level), slots, f);
                assert_int_equal(found[COUNT], GUARD);
            }
        }
    }
    fp_arena_free(arena);
}

/* ---- The level ---- */

/* The level that a new process chooses when FPLAB_CPU is set so; NULL: not set. */
static int chosen_under(const char *forced) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (forced) setenv("FPLAB_CPU", forced, 1);
        else unsetenv("FPLAB_CPU");
        _exit((int)fp_cpu_chosen());
    }
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Must run before anything in this process chooses. */
static void levels_can_be_forced_down(void **state) {
    (void)state;
    int best = (int)fp_cpu_best();
    assert_int_equal(chosen_under(NULL), best);
    assert_int_equal(chosen_under("nonsense"), best);
    assert_int_equal(chosen_under("portable"), FP_CPU_PORTABLE);
    assert_int_equal(chosen_under("avx512"), best);
    assert_int_equal(chosen_under("avx2"), best < FP_CPU_AVX2 ? best : FP_CPU_AVX2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_can_be_forced_down),
        cmocka_unit_test(minima_are_minima),
        cmocka_unit_test(mixing_shifts),
        cmocka_unit_test(products_are_least),
        cmocka_unit_test(products_of_many_are_least),
        cmocka_unit_test(differing_slots_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
