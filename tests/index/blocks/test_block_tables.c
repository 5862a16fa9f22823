/* SPDX-License-Identifier: GPL-3.0-or-later
 * Block tables against a loop over all fingerprints: every distance from 0 to 16, one level and two, many widths, with
 * pairs at the distance and one beyond it whose differing bits are spread over the blocks as evenly as can be, so that
 * a design that may miss one does. */
#include "pairs/tables/block_tables.h"
#include "tests/support.h"

enum { COUNT = 400, QUERIES = 40, MOST_DISTANCE = 16 };

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

/* ---- The loop ---- */

static size_t find_all(const population *of, const uint64_t *query, unsigned distance, fp_found *found) {
    size_t count = 0;
    for (uint32_t d = 0; d <= distance; d++)
        for (size_t i = 0; i < of->count; i++)
            if (differing_bits(of, query, fingerprint_at(of, i)) == d) found[count++] = (fp_found){of->numbers[i], d};
    return count;
}

typedef struct answers {
    const population *of;
    const char *design;
    const uint64_t *queries;
    unsigned distance;
    unsigned seen[QUERIES];
} answers;

static fp_status compare_answer(void *context, size_t query, const fp_found *found, size_t count, fp_arena *arena,
                                fp_error *error) {
    answers *in = context;
    fp_found wanted[COUNT];
    size_t all = find_all(in->of, in->queries + query * in->of->words, in->distance, wanted);
    (void)arena;
    in->seen[query]++;
    for (size_t i = 0; i < count && i < all; i++)
        if (found[i].number != wanted[i].number || found[i].distance != wanted[i].distance)
            return fp_fail(error, FP_ERROR_RANGE, "%u bits, %s, within %u: found %u at %u, not %u at %u", in->of->bits,
                           in->design, in->distance, found[i].number, found[i].distance, wanted[i].number,
                           wanted[i].distance);
    if (count == all) return FP_OK;
    return fp_fail(error, FP_ERROR_RANGE, "%u bits, %s, within %u: %zu found, not %zu", in->of->bits, in->design,
                   in->distance, count, all);
}

/* Queries are stored fingerprints with up to `distance` bits changed, and some of their own. */
static void make_queries(const population *of, unsigned distance, uint64_t *queries) {
    for (size_t q = 0; q < QUERIES; q++) {
        uint64_t *to = queries + q * of->words;
        draw(of, q + 1000000, to);
        if (q % 8 == 7 || of->count == 0) continue;
        memcpy(to, fingerprint_at(of, fp_mix(q, 6) % of->count), of->words * sizeof *to);
        change_evenly(of, to, (unsigned)(q % 2 ? distance : fp_mix(q, 7) % (distance + 1)), fp_mix(q, 8) % of->bits);
    }
}

static void ask_all(const fp_block_tables *tables, const population *of, const char *design, unsigned distance,
                    int threads, fp_arena *arena) {
    uint64_t *queries = fp_arena_alloc(arena, QUERIES * of->words, sizeof *queries);
    answers in = {of, design, queries, distance, {0}};
    fp_block_work one = {0}, many = {0};
    fp_arenas arenas;
    make_queries(of, distance, queries);
    for (size_t q = 0; q < QUERIES; q++) {
        const fp_found *found;
        size_t count;
        ASSERT_GOOD(
            fp_block_tables_near(tables, queries + q * of->words, distance, arena, &found, &count, &one, &test_error));
        ASSERT_GOOD(compare_answer(&in, q, found, count, arena, &test_error));
    }
    ASSERT_GOOD(fp_arenas_open(&arenas, &(fp_progress){.threads = threads}, arena, &test_error));
    ASSERT_GOOD(fp_block_tables_near_each(tables, queries, QUERIES, distance, compare_answer, &in, &arenas, NULL, &many,
                                          &test_error));
    fp_arenas_free(&arenas);
    for (size_t q = 0; q < QUERIES; q++) assert_int_equal(in.seen[q], 2);
    assert_memory_equal(&one, &many, sizeof one);
    assert_int_equal(one.queries, QUERIES);
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

/* ---- Everything, for every design ---- */

static char directory[64], path[96];

static int set_up(void **state) {
    (void)state;
    snprintf(directory, sizeof directory, "/tmp/fplab-blocks-XXXXXX");
    if (!mkdtemp(directory)) return 1;
    snprintf(path, sizeof path, "%s/index", directory);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    unlink(path);
    return rmdir(directory);
}

static void try_design(const char *text, const fp_block_design *design, size_t count, bool in_file) {
    fp_arena *arena = fp_arena_new();
    population of = make_population(design->bits, design->distance, count, design->distance % 2, arena);
    fp_block_source source = {of.fingerprints, of.numbers, of.count};
    fp_block_tables *tables;
    uint64_t problems = 1;
    int threads = 1 + (int)design->distance % 3;
    if (in_file) {
        ASSERT_GOOD(fp_block_tables_write(design, &source, path, NULL, NULL, &test_error));
        ASSERT_GOOD(fp_block_tables_open(path, NULL, &tables, &test_error));
    } else {
        ASSERT_GOOD(fp_block_tables_build(design, &source, NULL, NULL, &tables, &test_error));
    }
    ASSERT_GOOD(fp_block_tables_verify(tables, NULL, NULL, &problems, NULL, &test_error));
    assert_int_equal(problems, 0);
    assert_int_equal(fp_block_tables_count(tables), count);
    assert_memory_equal(fp_block_tables_design(tables), design, sizeof *design);
    ask_all(tables, &of, text, design->distance, threads, arena);
    ask_all(tables, &of, text, design->distance / 2, threads, arena);
    fp_block_tables_close(tables);
    join_all(design, &of, text, threads, arena);
    fp_arena_free(arena);
}

static void try_text(const char *text, unsigned bits, unsigned distance, size_t count, bool in_file) {
    fp_block_design design;
    if (fp_block_design_parse(text, bits, distance, &design, &test_error) != FP_OK)
        fail_msg("%s, %u bits, within %u: %s", text, bits, distance, test_error.message);
    try_design(text, &design, count, in_file);
}

static void every_distance_is_exact(void **state) {
    static const unsigned widths[] = {32, 60, 64, 96, 128, 180, 256};
    (void)state;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        for (unsigned distance = 0; distance <= MOST_DISTANCE; distance++) {
            char text[64];
            fp_block_design chosen;
            try_text("scan", widths[i], distance, COUNT, false);
            snprintf(text, sizeof text, "blocks=%u", distance + 1);
            try_text(text, widths[i], distance, COUNT, i % 2);
            snprintf(text, sizeof text, "blocks=%u,agree=2", distance + 2);
            try_text(text, widths[i], distance, COUNT, !(i % 2));
            if (distance < 8 && widths[i] >= 60) {
                snprintf(text, sizeof text, "blocks=%u+%u", distance + 2, distance + 1);
                try_text(text, widths[i], distance, COUNT, distance % 2);
            }
            ASSERT_GOOD(fp_block_design_choose(widths[i], distance, 1e6, 0, &chosen, &test_error));
            try_design("chosen", &chosen, COUNT, false);
        }
}

static void designs_of_the_paper_are_exact(void **state) {
    (void)state;
    try_text("blocks=4+4", 64, 3, COUNT, true);
    try_text("blocks=5,agree=2", 64, 3, COUNT, true);
    try_text("blocks=6,agree=3", 64, 3, COUNT, true);
    try_text("blocks=5+4,agree=2+1", 64, 3, COUNT, false);
    try_text("blocks=63", 64, 3, COUNT, false);
    try_text("blocks=1", 1024, 0, COUNT, true);
    try_text("blocks=17", 1024, 16, COUNT, true);
    try_text("blocks=2", 3, 1, 50, true);
}

static void few_are_enough(void **state) {
    (void)state;
    for (size_t count = 0; count < 4; count++) {
        try_text("blocks=4", 64, 3, count, false);
        try_text("blocks=4", 64, 3, count, true);
        try_text("scan", 100, 3, count, true);
    }
}

/* The law of the tool that would find a wrong design: one with too few blocks misses what is planted here. */
static void a_design_that_misses_is_found_out(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    population of = make_population(64, 4, COUNT, false, arena);
    fp_block_design four = {64, 3, 1, {{4, 1}}};
    fp_block_source source = {of.fingerprints, NULL, of.count};
    fp_block_tables *tables;
    const fp_found *found;
    size_t count, missed = 0;
    ASSERT_GOOD(fp_block_tables_build(&four, &source, NULL, NULL, &tables, &test_error));
    for (size_t i = COUNT / 3 + 1; i < COUNT; i++) {
        const uint64_t *query = fingerprint_at(&of, i);
        assert_int_equal(fp_block_tables_near(tables, query, 4, arena, &found, &count, NULL, &test_error),
                         FP_ERROR_RANGE);
        for (size_t j = 0; j < COUNT; j++) {
            uint64_t differing = query[0] ^ *fingerprint_at(&of, j);
            if (__builtin_popcountll(differing) != 4) continue;
            missed +=
                (differing & 0xffff) && (differing & 0xffff0000) && (differing & 0xffff00000000) && differing >> 48;
        }
    }
    assert_true(missed > 20);
    fp_block_tables_close(tables);
    fp_arena_free(arena);
}

static void what_goes_in_is_checked(void **state) {
    (void)state;
    uint64_t two[] = {1, UINT64_C(1) << 60};
    uint32_t same[] = {4, 4};
    fp_block_design design = {60, 3, 1, {{4, 1}}}, wrong = {64, 4, 1, {{4, 1}}};
    fp_block_tables *tables;
    fp_block_source source = {two, NULL, 2};
    assert_int_equal(fp_block_tables_build(&design, &source, NULL, NULL, &tables, &test_error), FP_ERROR_RANGE);
    assert_non_null(strstr(test_error.message, "beyond its 60"));
    assert_null(tables);
    source.numbers = same;
    design.bits = 64;
    assert_int_equal(fp_block_tables_build(&design, &source, NULL, NULL, &tables, &test_error), FP_ERROR_RANGE);
    assert_non_null(strstr(test_error.message, "must ascend"));
    assert_int_equal(fp_block_tables_build(&wrong, &source, NULL, NULL, &tables, &test_error), FP_ERROR_RANGE);
    unlink(path);
    assert_int_equal(fp_block_tables_write(&wrong, &source, path, NULL, NULL, &test_error), FP_ERROR_RANGE);
    assert_int_not_equal(access(path, F_OK), 0);
}

/* Every entry once, with its own number. */
static void entries_are_read_back(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    population of = make_population(96, 2, COUNT, true, arena);
    fp_block_design design = {96, 2, 1, {{3, 1}}};
    fp_block_source source = {of.fingerprints, of.numbers, of.count};
    fp_block_tables *tables;
    bool seen[COUNT] = {0};
    ASSERT_GOOD(fp_block_tables_build(&design, &source, NULL, NULL, &tables, &test_error));
    for (size_t i = 0; i < COUNT; i++) {
        uint32_t number;
        const uint64_t *entry = fp_block_tables_entry(tables, i, &number);
        size_t at = 0;
        while (of.numbers[at] != number) at++;
        assert_memory_equal(entry, fingerprint_at(&of, at), 16);
        assert_false(seen[at]);
        seen[at] = true;
    }
    fp_block_tables_close(tables);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_distance_is_exact), cmocka_unit_test(designs_of_the_paper_are_exact),
        cmocka_unit_test(few_are_enough),          cmocka_unit_test(a_design_that_misses_is_found_out),
        cmocka_unit_test(what_goes_in_is_checked), cmocka_unit_test(entries_are_read_back),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
