/* SPDX-License-Identifier: GPL-3.0-or-later
 * The index: against a full scan, against keys read place by place, and against the arithmetic of
 * index/index_plan.h and pairs/banding.h. */
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "pairs/banding.h"
#include "index/index_plan.h"
#include "pairs/lsh_tables.h"
#include "tests/support.h"

/* ---- Places, read as include/fplab.h tells them ---- */

static uint64_t place_at(const fp_layout *layout, const void *sketch, size_t i) {
    const uint64_t *words = sketch;
    size_t width = layout->slots ? layout->slot_bits : 1;
    uint64_t value = 0;
    if (layout->planar) {
        for (size_t p = 0; p < width; p++) value |= (words[i / 64 * width + p] >> i % 64 & 1) << p;
        return value;
    }
    if (width == 64) return words[i];
    if (width == 32) return ((const uint32_t *)sketch)[i];
    for (size_t bit = 0; bit < width; bit++)
        value |= (words[(i * width + bit) / 64] >> (i * width + bit) % 64 & 1) << bit;
    return value;
}

static size_t differing(const fp_layout *layout, const void *a, const void *b) {
    size_t count = 0;
    for (size_t i = 0; i < fp_lsh_places(layout); i++) count += place_at(layout, a, i) != place_at(layout, b, i);
    return count;
}

static bool part_agrees(const fp_lsh_form *form, const fp_layout *layout, unsigned part, const void *a, const void *b) {
    size_t first = 0, last = 0;
    if (form->kind == FP_LSH_BANDING) first = (size_t)part * form->rows, last = first + form->rows;
    for (unsigned i = 0; form->kind == FP_LSH_PIGEONHOLE && i <= part; i++)
        first = last, last = first + form->places / form->parts + (i < form->places % form->parts);
    for (size_t i = first; i < last; i++)
        if (place_at(layout, a, i) != place_at(layout, b, i)) return false;
    return true;
}

/* A key of `agree` parts is common when as many parts agree. */
static bool is_candidate(const fp_lsh_form *form, const fp_layout *layout, const void *a, const void *b) {
    unsigned agreeing = 0;
    for (unsigned part = 0; part < form->parts; part++) agreeing += part_agrees(form, layout, part, a, b);
    return agreeing >= form->agree;
}

/* ---- Populations ---- */

typedef struct population {
    fp_arm *arm;
    fp_sketches sketches;
    unsigned char *data;
} population;

static population make_population(const char *spec, size_t count, fp_arena *arena) {
    population made = {0};
    ASSERT_GOOD(fp_arm_parse(spec, NULL, arena, &made.arm, &test_error));
    size_t bytes = fp_arm_layout(made.arm)->bytes;
    made.data = fp_arena_alloc(arena, count ? count : 1, bytes);
    made.sketches = (fp_sketches){.count = count, .stride = bytes, .data = made.data};
    return made;
}

static uint64_t *sketch_of(const population *of, size_t i) {
    return (uint64_t *)(void *)(of->data + i * of->sketches.stride);
}

/* Another value in place i. */
static void change_place(const fp_layout *layout, uint64_t *sketch, size_t i, uint64_t random) {
    size_t width = layout->slots ? layout->slot_bits : 1;
    if (layout->planar) sketch[i / 64 * width + random % width] ^= UINT64_C(1) << i % 64;
    else if (width == 32) ((uint32_t *)(void *)sketch)[i] ^= (uint32_t)random | 1;
    else sketch[(i * width + random % width) / 64] ^= UINT64_C(1) << (i * width + random % width) % 64;
}

static void fill_random(const population *of, size_t i, uint64_t seed) {
    const fp_layout *layout = fp_arm_layout(of->arm);
    size_t width = layout->slots ? layout->slot_bits : 1, places = fp_lsh_places(layout);
    uint64_t *sketch = sketch_of(of, i);
    for (size_t w = 0; w < layout->bytes / 8; w++) sketch[w] = fp_mix(seed ^ i << 32, w);
    /* Bits that belong to no place are 0. */
    for (size_t w = 0; layout->planar && w < layout->bytes / 8; w++)
        if (places % 64 && w / width == places / 64) sketch[w] &= (UINT64_C(1) << places % 64) - 1;
    size_t used = layout->planar ? layout->bytes * 8 : places * width;
    for (size_t bit = used; bit < layout->bytes * 8; bit++) sketch[bit / 64] &= ~(UINT64_C(1) << bit % 64);
}

/* Slots of a few bits side by side are thermometer codes: a level is that many of the lowest bits. */
static void make_levels(const fp_layout *layout, uint64_t *sketch) {
    size_t width = layout->slot_bits;
    if (!layout->slots || layout->planar || width >= 32) return;
    for (size_t i = 0; i < layout->slots; i++) {
        size_t level = (size_t)__builtin_popcountll(place_at(layout, sketch, i));
        for (size_t bit = i * width; bit < (i + 1) * width; bit++) {
            sketch[bit / 64] &= ~(UINT64_C(1) << bit % 64);
            sketch[bit / 64] |= (uint64_t)(bit - i * width < level) << bit % 64;
        }
    }
}

enum { RANDOM, NEAR, EQUAL, ZERO, ONE_APART, SHAPES };

static void fill(const population *of, int shape, size_t count) {
    const fp_layout *layout = fp_arm_layout(of->arm);
    size_t places = fp_lsh_places(layout);
    for (size_t i = 0; i < count; i++) {
        if (shape == RANDOM) fill_random(of, i, 1);
        if (shape == EQUAL || (shape == NEAR && i % 16 == 0))
            fill_random(of, i, shape == EQUAL ? UINT64_C(7) ^ i << 32 : 2);
        if (shape == ONE_APART && i) change_place(layout, sketch_of(of, i), i % places, fp_mix(i, 5));
        if (shape != NEAR || i % 16 == 0) continue;
        /* A walk away from its elder: a place or two further each time. */
        memcpy(sketch_of(of, i), sketch_of(of, i - 1), layout->bytes);
        for (size_t k = 0; k < 1 + i % 2; k++)
            change_place(layout, sketch_of(of, i), fp_mix(i, k) % places, fp_mix(i, k + 9));
    }
    for (size_t i = 0; i < count; i++) make_levels(layout, sketch_of(of, i));
}

static const fp_lsh *build(const population *of, const char *index, fp_arena *arena) {
    fp_lsh_spec spec;
    fp_lsh_form form;
    const fp_lsh *tables;
    const char *usual = fp_arm_layout(of->arm)->slots ? "banding" : "pigeonhole";
    ASSERT_GOOD(fp_lsh_parse(index ? index : usual, arena, &spec, &test_error));
    ASSERT_GOOD(fp_lsh_settle(&spec, fp_arm_layout(of->arm), &form, &test_error));
    ASSERT_GOOD(fp_lsh_open(&form, fp_arm_layout(of->arm), arena, &tables, &test_error));
    return tables;
}

static uint64_t count_pairs(const population *of, const fp_lsh *tables, int threads) {
    const fp_progress over = {.threads = threads};
    fp_arena *arena = fp_arena_new();
    fp_arenas arenas;
    uint64_t pairs;
    ASSERT_GOOD(fp_arenas_open(&arenas, &over, arena, &test_error));
    ASSERT_GOOD(fp_lsh_count_pairs(tables, &of->sketches, &arenas, &over, &pairs, &test_error));
    fp_arenas_free(&arenas);
    fp_arena_free(arena);
    return pairs;
}

/* ---- Against what a full scan sees ---- */

static const struct {
    const char *arm, *index;
} CASES[] = {
    {"simhash", NULL},
    {"simhash", "pigeonhole:blocks=1"},
    {"simhash", "pigeonhole:blocks=7"},
    {"simhash", "pigeonhole:blocks=64"},
    {"simhash", "pigeonhole:blocks=6,agree=3"},
    {"simhash", "pigeonhole:blocks=5,agree=5"},
    {"simhash", "banding:bands=5,rows=9"},
    {"simhash:bits=32", "pigeonhole:blocks=4"},
    {"simhash:bits=128", "pigeonhole:blocks=5,agree=2"},
    {"hyperplane:bits=100", "pigeonhole:blocks=3"},
    {"hyperplane:bits=1000", "pigeonhole:blocks=11"},
    {"simhash:bits=4", NULL},
    {"pinyin", NULL},
    {"pinyin:levels=10", "pigeonhole:blocks=8"},
    {"pinyin:levels=10,distance=letters", "pigeonhole:blocks=6"},
    {"pinyin:levels=8,distance=letters", "banding:bands=6,rows=3"},
    {"minhash", NULL},
    {"minhash", "banding:bands=16,rows=4"},
    {"minhash:slots=50,width=64", "banding:bands=7,rows=7"},
    {"minhash:slots=33", "pigeonhole:blocks=5,agree=2"},
    {"minhash:slots=100,b=3", "banding:bands=25,rows=4"},
    {"minhash:slots=70,b=1", "pigeonhole:blocks=9"},
    {"minhash:slots=1", NULL},
};
enum { CASE_COUNT = sizeof CASES / sizeof *CASES, DOCUMENTS = 80 };

/* Pairs that share a key, those within the reach among them. */
static void pairs_are_those_of_a_full_scan(void **state) {
    (void)state;
    for (size_t c = 0; c < CASE_COUNT; c++) {
        for (int shape = 0; shape < SHAPES; shape++) {
            fp_arena *arena = fp_arena_new();
            population of = make_population(CASES[c].arm, DOCUMENTS, arena);
            const fp_layout *layout = fp_arm_layout(of.arm);
            fill(&of, shape, DOCUMENTS);
            const fp_lsh *tables = build(&of, CASES[c].index, arena);
            const fp_lsh_form *form = fp_lsh_form_of(tables);
            size_t wanted = 0;
            for (size_t i = 0; i < DOCUMENTS; i++)
                for (size_t j = 0; j < DOCUMENTS; j++) {
                    bool expected = is_candidate(form, layout, sketch_of(&of, i), sketch_of(&of, j));
                    fp_sketch a = fp_sketches_at(&of.sketches, i), b = fp_sketches_at(&of.sketches, j);
                    assert_int_equal(fp_lsh_meet(tables, a, b), expected);
                    if (differing(layout, sketch_of(&of, i), sketch_of(&of, j)) <= form->reach) assert_true(expected);
                    wanted += i < j && expected;
                }
            assert_int_equal(count_pairs(&of, tables, 1 + (int)c % 3), wanted);
            fp_arena_free(arena);
        }
    }
}

/* The guarantee is the best that can be said: with as many differing places as blocks, one in each, nothing is found.
 */
static void one_change_in_each_block_hides_a_document(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    population of = make_population("simhash", 1, arena);
    const fp_lsh *tables = build(&of, "pigeonhole:blocks=4", arena);
    uint64_t three = UINT64_C(0x0001000100010000), four = three | 1;
    assert_true(fp_lsh_meet(tables, (fp_sketch){.data = &three, .size = 8}, fp_sketches_at(&of.sketches, 0)));
    assert_false(fp_lsh_meet(tables, (fp_sketch){.data = &four, .size = 8}, fp_sketches_at(&of.sketches, 0)));
    assert_int_equal(fp_lsh_form_of(tables)->reach, 3);
    fp_arena_free(arena);
}

static void few_documents(void **state) {
    (void)state;
    for (size_t count = 0; count <= 2; count++)
        for (size_t c = 0; c < CASE_COUNT; c++) {
            fp_arena *arena = fp_arena_new();
            population of = make_population(CASES[c].arm, count, arena);
            assert_int_equal(count_pairs(&of, build(&of, CASES[c].index, arena), 2), count == 2);
            fp_arena_free(arena);
        }
}

/* ---- Against arithmetic ---- */

/* 64 bits in 4 blocks of 16: 4·n/2^16 candidates of each. Of fingerprints drawn at random hardly a pair shares two
 * keys, so that the total is Poisson's; the bounds are 6 standard deviations. */
static void candidates_are_as_many_as_planned(void **state) {
    (void)state;
    enum { STORED = 1 << 16 };
    static const unsigned BLOCKS[] = {4, 5};
    for (size_t p = 0; p < sizeof BLOCKS / sizeof *BLOCKS; p++) {
        fp_arena *arena = fp_arena_new();
        population of = make_population("simhash", STORED, arena);
        fp_index_plan plan;
        fp_block_design design = {.bits = 64, .distance = 3, .level_count = 1, .level = {{BLOCKS[p], 1}}};
        for (size_t i = 0; i < STORED; i++) fill_random(&of, i, 11);
        double pairs =
            (double)count_pairs(&of, build(&of, p ? "pigeonhole:blocks=5" : "pigeonhole:blocks=4", arena), 2);
        ASSERT_GOOD(fp_index_plan_make(FP_PLAN_BLOCKS, &design, STORED, &plan, &test_error));
        if (p == 0) assert_true(plan.candidates == 4);
        double expected = plan.candidates * STORED / 2;
        if (fabs(pairs - expected) > 6 * sqrt(expected)) fail_msg("%g pairs, planned %g", pairs, expected);
        fp_arena_free(arena);
    }
}

/* A document and one that agrees with it in each place with probability s: the S-curve says how often the index brings
 * it. b bits a slot agree by accident too, a bit that is changed never does. The expectation of bands is written out
 * here; that of choices of blocks is tested in test_banding.c. */
static void keys_are_found_along_the_curve(void **state) {
    (void)state;
    enum { PAIRS = 3000 };
    static const struct {
        const char *arm, *index;
        fp_banding banding;
        double accident;
    } rows[] = {{"minhash", "banding:bands=16,rows=4", {16, 4}, 0},
                {"minhash:slots=120,width=64", "banding:bands=20,rows=6", {20, 6}, 0},
                {"minhash:slots=64,b=2", "banding:bands=8,rows=8", {8, 8}, 0.25},
                {"simhash", "pigeonhole:blocks=4", {0, 0}, 0},
                {"simhash", "pigeonhole:blocks=6,agree=3", {0, 0}, 0},
                {"simhash:bits=100", "pigeonhole:blocks=9,agree=2", {0, 0}, 0},
                {"simhash", "banding:bands=7,rows=9", {7, 9}, 0},
                {"minhash:slots=64,b=2", "pigeonhole:blocks=10,agree=4", {0, 0}, 0.25}};
    for (size_t b = 0; b < sizeof rows / sizeof *rows; b++) {
        for (int tenth = 3; tenth <= 9; tenth += 2) {
            fp_arena *arena = fp_arena_new();
            population of = make_population(rows[b].arm, PAIRS, arena),
                       asked = make_population(rows[b].arm, PAIRS, arena);
            const fp_layout *layout = fp_arm_layout(of.arm);
            unsigned found = 0;
            for (size_t i = 0; i < PAIRS; i++) {
                fill_random(&of, i, 21);
                memcpy(sketch_of(&asked, i), sketch_of(&of, i), layout->bytes);
                for (size_t place = 0; place < fp_lsh_places(layout); place++) {
                    if (fp_mix(i * 10 + (size_t)tenth, place) % 10 < (uint64_t)tenth) continue;
                    if (rows[b].accident > 0 && fp_mix(i, place + 999) % 4 == 0) continue;
                    change_place(layout, sketch_of(&asked, i), place, fp_mix(i, place + 77));
                }
            }
            const fp_lsh *tables = build(&of, rows[b].index, arena);
            for (size_t i = 0; i < PAIRS; i++)
                found += fp_lsh_meet(tables, fp_sketches_at(&asked.sketches, i), fp_sketches_at(&of.sketches, i));
            double s = tenth / 10.0, same = s + (1 - s) * rows[b].accident,
                   p = fp_lsh_probability(fp_lsh_form_of(tables), 1 - same);
            assert_true(!rows[b].banding.bands || fabs(p - fp_banding_probability(rows[b].banding, same)) < 1e-12);
            if (gsl_cdf_binomial_P(found, p, PAIRS) < 1e-6 || (found && gsl_cdf_binomial_Q(found - 1, p, PAIRS) < 1e-6))
                fail_msg("%s at %g: %u of %d found, %g expected", rows[b].index, s, found, PAIRS, p * PAIRS);
            fp_arena_free(arena);
        }
    }
}

/* ---- Layouts ---- */

/* What fp_layout says of slots is what the algorithm counts, on real texts. */
static void slots_are_where_layouts_say(void **state) {
    (void)state;
    static const char *const arms[] = {"minhash",
                                       "minhash:width=64,slots=17",
                                       "minhash:b=1,slots=65",
                                       "minhash:b=5,slots=130",
                                       "minhash:b=32,slots=9",
                                       "cminhash:slots=31",
                                       "oneperm:b=2",
                                       "superminhash",
                                       "weightedminhash:slots=3",
                                       "pinyin:distance=letters",
                                       "pinyin:distance=letters,levels=10",
                                       "pinyin:distance=letters,levels=8",
                                       "pinyin:distance=letters,levels=2",
                                       "hyperplane:bits=100",
                                       "pinyin:levels=8"};
    static const char *const texts[] = {"今天下午，临江大桥恢复通车。", "临江大桥今天下午恢复通车了。",
                                        "市图书馆本周六延长开放时间。", ""};
    enum { TEXTS = sizeof texts / sizeof *texts };
    for (size_t a = 0; a < sizeof arms / sizeof *arms; a++) {
        fp_arena *arena = fp_arena_new();
        fp_string strings[TEXTS];
        fp_sketch sketch[TEXTS];
        for (size_t i = 0; i < TEXTS; i++) strings[i] = fp_string_of(texts[i]);
        fp_arm *arm = test_arm(arms[a], strings, TEXTS, arena);
        for (size_t i = 0; i < TEXTS; i++) ASSERT_GOOD(fp_arm_sketch(arm, strings[i], arena, sketch + i, &test_error));
        for (size_t i = 0; i < TEXTS; i++)
            for (size_t j = 0; j < TEXTS; j++)
                assert_true(arm->instance.algorithm->distance(&arm->instance, sketch[i], sketch[j]) ==
                            (double)differing(fp_arm_layout(arm), sketch[i].data, sketch[j].data));
        fp_arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_those_of_a_full_scan),
        cmocka_unit_test(one_change_in_each_block_hides_a_document),
        cmocka_unit_test(few_documents),
        cmocka_unit_test(candidates_are_as_many_as_planned),
        cmocka_unit_test(keys_are_found_along_the_curve),
        cmocka_unit_test(slots_are_where_layouts_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
