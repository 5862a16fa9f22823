/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * made_slots.h - sketches of slots made for tests: in families, whose members keep each slot of an elder with a
 * probability of their own. Include it after tests/support.h.
 */
#ifndef FP_TEST_MADE_SLOTS_H
#define FP_TEST_MADE_SLOTS_H

#include "algorithms/families/sets.h"
#include "tests/support.h"

typedef struct population {
    fp_arm *arm;
    fp_sketches sketches;
    unsigned char *data;
} population;

static const char *const SLOT_ARMS[] = {
    "minhash",         "minhash:slots=50,width=64",       "minhash:slots=100,b=3", "minhash:slots=70,b=1",
    "minhash:slots=1", "pinyin:levels=8,distance=letters"};
enum { SLOT_ARM_COUNT = sizeof SLOT_ARMS / sizeof *SLOT_ARMS };

/* Another value in slot i of a sketch. */
static inline void put_slot(const fp_layout *layout, unsigned char *sketch, size_t i, uint64_t value) {
    uint64_t *words = (uint64_t *)(void *)sketch;
    size_t width = layout->slot_bits;
    for (size_t bit = 0; bit < width; bit++) {
        size_t at = layout->planar ? (i / 64 * width + bit) * 64 + i % 64 : i * width + bit;
        words[at / 64] &= ~(UINT64_C(1) << at % 64);
        words[at / 64] |= (value >> bit & 1) << at % 64;
    }
}

/* Families of `family`: member m keeps a slot of its elder with probability 1 − m/family. */
static inline population make_families(const char *spec, size_t count, size_t family, uint64_t seed, fp_arena *arena) {
    population made = {0};
    ASSERT_GOOD(fp_arm_parse(spec, NULL, arena, &made.arm, &test_error));
    const fp_layout *layout = fp_arm_layout(made.arm);
    made.data = fp_arena_alloc(arena, count + 1, layout->bytes);
    assert_non_null(made.data);
    for (size_t i = 0; i < count; i++)
        for (size_t s = 0; s < layout->slots; s++) {
            size_t elder = i - i % family, member = i % family;
            bool keeps = member == 0 || fp_mix(i * 4096 + s, seed + 1) % family >= member;
            put_slot(layout, made.data + i * layout->bytes, s,
                     keeps ? fp_mix(elder * 4096 + s, seed) : fp_mix(i * 4096 + s, seed + 2));
        }
    made.sketches = (fp_sketches){.count = count, .stride = layout->bytes, .data = made.data};
    return made;
}

/* agree[slots] of two sketches, by another way than the index's. */
static inline void slots_agreeing(const population *of, fp_sketch a, fp_sketch b, bool *agree) {
    uint64_t differs[64];
    size_t slots = fp_arm_layout(of->arm)->slots;
    fp_places_differing(&of->arm->instance, a, b, differs);
    for (size_t s = 0; s < slots; s++) agree[s] = !(differs[s / 64] >> s % 64 & 1);
}

#endif
