/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pairs of every kind of design against every pair, bit by bit: every distance from 0 to 16, one level and two, many
 * widths, with pairs at the distance and one beyond it whose differing bits are spread over the blocks as evenly as can
 * be, so that a design that may miss one does. */
#include "pairs/block_pairs.h"
#include "tests/support.h"

enum { COUNT = 400, MOST_DISTANCE = 16 };

typedef struct population {
    unsigned bits;
    size_t words, count;
    uint64_t *fingerprints;
    uint32_t *numbers;
} population;

static uint64_t *fingerprint_at(const population *of, size_t i) { return of->fingerprints + i * of->words; }

static void draw(const population *of, uint64_t seed, uint64_t *to) {
    for (size_t w = 0; w < of->words; w++) to[w] = fp_mix(seed, w + 1);
    if (of->bits % 64) to[of->words - 1] &= (UINT64_C(1) << of->bits % 64) - 1;
}

/* Changes `count` bits, evenly spaced from somewhere on. */
static void change_evenly(const population *of, uint64_t *fingerprint, unsigned count, uint64_t seed) {
    for (unsigned k = 0; k < count; k++) {
        size_t bit = (seed + (size_t)k * of->bits / count) % of->bits;
        fingerprint[bit / 64] ^= UINT64_C(1) << bit % 64;
    }
}

/* A third stands by itself, a third is `distance` or one more from one of those, a sixth is equal to one, and the rest
 * is any number of bits away up to twice that. Numbers have gaps, and pass 2^24 where `large`. */
static population make_population(unsigned bits, unsigned distance, size_t count, bool large, fp_arena *arena) {
    population made = {bits, fp_block_words(bits), count, NULL, NULL};
    made.fingerprints = fp_arena_alloc(arena, (count + 1) * made.words, sizeof *made.fingerprints);
    made.numbers = fp_arena_alloc(arena, count + 1, sizeof *made.numbers);
    for (size_t i = 0; i < count; i++) {
        size_t alone = (count + 2) / 3, of = fp_mix(i, 3) % alone;
        uint64_t *to = fingerprint_at(&made, i), seed = fp_mix(i, 4);
        draw(&made, i < alone ? i : of, to);
        unsigned differing = distance + (unsigned)(i % 2);
        if (i % 6 == 4) differing = 0;
        if (i % 6 == 5) differing = (unsigned)(fp_mix(i, 5) % (2 * distance + 1));
        if (i >= alone) change_evenly(&made, to, differing < bits ? differing : bits, seed % bits);
        made.numbers[i] = (uint32_t)(i * 3 + 7 + (large && i > count / 2 ? 1 << 24 : 0));
    }
    return made;
}

static uint32_t differing_bits(const population *of, const uint64_t *a, const uint64_t *b) {
    uint32_t bits = 0;
    for (size_t w = 0; w < of->words; w++) bits += (uint32_t)__builtin_popcountll(a[w] ^ b[w]);
    return bits;
}

/* ---- All pairs ---- */

typedef struct seen_pairs {
    const population *of;
    _Atomic unsigned char *seen; /* [count · count] */
    _Atomic uint64_t wrong;
} seen_pairs;

static fp_status see_pairs(void *context, const fp_found_pair *pairs, size_t count, fp_error *error) {
    seen_pairs *in = context;
    (void)error;
    for (size_t k = 0; k < count; k++) {
        size_t a = 0, b = 0;
        while (in->of->numbers[a] != pairs[k].a) a++;
        while (in->of->numbers[b] != pairs[k].b) b++;
        in->seen[a * in->of->count + b]++;
        if (a >= b || differing_bits(in->of, fingerprint_at(in->of, a), fingerprint_at(in->of, b)) != pairs[k].distance)
            in->wrong++;
    }
    return FP_OK;
}

static void join_all(const fp_block_design *design, const population *of, const char *text, int threads,
                     fp_arena *arena) {
    fp_arenas arenas;
    seen_pairs in = {.of = of, .seen = fp_arena_alloc(arena, of->count * of->count + 1, 1)};
    fp_block_source source = {of->fingerprints, of->numbers, of->count};
    ASSERT_GOOD(fp_arenas_open(&arenas, &(fp_progress){.threads = threads}, arena, &test_error));
    ASSERT_GOOD(fp_block_pairs(design, &source, see_pairs, &in, &arenas, NULL, &test_error));
    fp_arenas_free(&arenas);
    assert_int_equal(in.wrong, 0);
    for (size_t a = 0; a < of->count; a++)
        for (size_t b = 0; b < of->count; b++) {
            bool near = a < b && differing_bits(of, fingerprint_at(of, a), fingerprint_at(of, b)) <= design->distance;
            if (in.seen[a * of->count + b] != near)
                fail_msg("%u bits, %s, within %u: pair %zu, %zu told %d times", of->bits, text, design->distance, a, b,
                         in.seen[a * of->count + b]);
        }
}

/* ---- For every design ---- */

static void try_design(const char *text, const fp_block_design *design, size_t count) {
    fp_arena *arena = fp_arena_new();
    population of = make_population(design->bits, design->distance, count, design->distance % 2, arena);
    join_all(design, &of, text, 1 + (int)design->distance % 3, arena);
    fp_arena_free(arena);
}

static void try_text(const char *text, unsigned bits, unsigned distance, size_t count) {
    fp_block_design design;
    if (fp_block_design_parse(text, bits, distance, &design, &test_error) != FP_OK)
        fail_msg("%s, %u bits, within %u: %s", text, bits, distance, test_error.message);
    try_design(text, &design, count);
}

static void every_distance_is_exact(void **state) {
    static const unsigned widths[] = {32, 60, 64, 96, 128, 180, 256};
    (void)state;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        for (unsigned distance = 0; distance <= MOST_DISTANCE; distance++) {
            char text[64];
            fp_block_design chosen;
            try_text("scan", widths[i], distance, COUNT);
            snprintf(text, sizeof text, "blocks=%u", distance + 1);
            try_text(text, widths[i], distance, COUNT);
            snprintf(text, sizeof text, "blocks=%u,agree=2", distance + 2);
            try_text(text, widths[i], distance, COUNT);
            if (distance < 8 && widths[i] >= 60) {
                snprintf(text, sizeof text, "blocks=%u+%u", distance + 2, distance + 1);
                try_text(text, widths[i], distance, COUNT);
            }
            ASSERT_GOOD(fp_block_design_choose(widths[i], distance, 1e6, 0, &chosen, &test_error));
            try_design("chosen", &chosen, COUNT);
        }
}

static void designs_of_the_paper_are_exact(void **state) {
    (void)state;
    try_text("blocks=4+4", 64, 3, COUNT);
    try_text("blocks=5,agree=2", 64, 3, COUNT);
    try_text("blocks=6,agree=3", 64, 3, COUNT);
    try_text("blocks=5+4,agree=2+1", 64, 3, COUNT);
    try_text("blocks=63", 64, 3, COUNT);
    try_text("blocks=1", 1024, 0, COUNT);
    try_text("blocks=17", 1024, 16, COUNT);
    try_text("blocks=2", 3, 1, 50);
}

static void few_are_enough(void **state) {
    (void)state;
    for (size_t count = 0; count < 4; count++) {
        try_text("blocks=4", 64, 3, count);
        try_text("blocks=4", 64, 3, count);
        try_text("scan", 100, 3, count);
    }
}

static void what_goes_in_is_checked(void **state) {
    (void)state;
    uint64_t two[] = {1, UINT64_C(1) << 60};
    uint32_t same[] = {4, 4};
    fp_block_design design = {60, 3, 1, {{4, 1}}}, wrong = {64, 4, 1, {{4, 1}}};
    fp_block_source source = {two, NULL, 2};
    assert_int_equal(fp_block_source_check(&design, &source, &test_error), FP_ERROR_RANGE);
    assert_non_null(strstr(test_error.message, "beyond its 60"));
    source.numbers = same;
    design.bits = 64;
    assert_int_equal(fp_block_source_check(&design, &source, &test_error), FP_ERROR_RANGE);
    assert_non_null(strstr(test_error.message, "must ascend"));
    assert_int_equal(fp_block_source_check(&wrong, &source, &test_error), FP_ERROR_RANGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_distance_is_exact),
                                       cmocka_unit_test(designs_of_the_paper_are_exact),
                                       cmocka_unit_test(few_are_enough), cmocka_unit_test(what_goes_in_is_checked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
