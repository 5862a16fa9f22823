/* SPDX-License-Identifier: GPL-3.0-or-later
 * Collections of bit fingerprints against a loop over all of them, at every threshold from 0 to 16 and of many widths:
 * with tables and without, reopened, with records that came since and others that were deleted; one query and many at
 * once; up to the threshold and beyond it. */
#include <math.h>
#include <stdio.h>

#include "index/collection/collection.h"
#include "tests/support.h"

enum { STORED = 700, LATE = 30, ALL = STORED + LATE, QUERIES = 40, MOST_WORDS = 16 };

typedef struct world {
    char directory[200], path[256];
    fp_arena *arena;
    fp_arm *arm;
    size_t bits, words, count;
    uint64_t data[ALL * MOST_WORDS];
    bool gone[ALL];
    fp_collection *collection;
} world;

static int make_directory(void **state) {
    world *it = calloc(1, sizeof *it);
    const char *parent = getenv("TMPDIR");
    snprintf(it->directory, sizeof it->directory, "%s/fplab-blocks-XXXXXX", parent && *parent ? parent : P_tmpdir);
    assert_non_null(mkdtemp(it->directory));
    snprintf(it->path, sizeof it->path, "%s/one.fp", it->directory);
    *state = it;
    return 0;
}

static int remove_directory(void **state) {
    world *it = *state;
    unlink(it->path);
    assert_int_equal(rmdir(it->directory), 0);
    free(it);
    return 0;
}

static uint64_t *at(world *in, size_t i) { return in->data + i * in->words; }

/* Bits that are spread evenly, so that every block of a design has some. */
static void change(const world *in, uint64_t *fingerprint, size_t count, size_t seed) {
    for (size_t k = 0; k < count; k++) {
        size_t bit = (seed + k * in->bits / count) % in->bits;
        fingerprint[bit / 64] ^= UINT64_C(1) << bit % 64;
    }
}

/* Two in three are at the threshold, one beyond it, or equal to one of the others; one in seven is the same as all of
 * them, so that a bucket is large. */
static void draw(world *to, size_t threshold) {
    for (size_t i = 0; i < ALL; i++) {
        size_t alone = i % 3 ? fp_mix(i, 3) % ALL / 3 * 3 : i;
        for (size_t w = 0; w < to->words; w++) at(to, i)[w] = fp_mix(i % 7 ? alone : 0, w + 1);
        if (to->bits % 64) at(to, i)[to->words - 1] &= (UINT64_C(1) << to->bits % 64) - 1;
        if (i % 3) change(to, at(to, i), i % 4 == 3 ? 0 : threshold + i % 2, fp_mix(i, 4) % to->bits);
    }
}

static void add(world *to, size_t from, size_t end) {
    ASSERT_GOOD(fp_collection_begin(to->collection, &test_error));
    for (size_t i = from; i < end; i++) {
        char id[24];
        snprintf(id, sizeof id, "text %zu", i);
        fp_record record = {.id = fp_string_of(id), .time = FP_TIME_NONE};
        ASSERT_GOOD(fp_collection_add(to->collection, &record, (fp_sketch){.data = at(to, i), .size = to->words * 8},
                                      &test_error));
    }
    ASSERT_GOOD(fp_collection_commit(to->collection, &test_error));
    to->count = end;
}

static void drop(world *from, size_t i) {
    char id[24];
    snprintf(id, sizeof id, "text %zu", i);
    ASSERT_GOOD(fp_collection_begin(from->collection, &test_error));
    ASSERT_GOOD(fp_collection_delete(from->collection, fp_string_of(id), &test_error));
    ASSERT_GOOD(fp_collection_commit(from->collection, &test_error));
    from->gone[i] = true;
}

static void compare(world *in, const uint64_t *query, double within, const fp_near *found, size_t count) {
    size_t seen = 0;
    for (uint32_t distance = 0; distance <= within && distance <= in->bits; distance++)
        for (size_t i = 0; i < in->count; i++) {
            uint32_t bits = 0;
            for (size_t w = 0; w < in->words; w++) bits += (uint32_t)__builtin_popcountll(query[w] ^ at(in, i)[w]);
            if (bits != distance || in->gone[i]) continue;
            if (seen >= count || found[seen].number != i + 1 || found[seen].distance != bits)
                fail_msg("%zu bits, within %g: %zu at %u is missing", in->bits, within, i, bits);
            seen++;
        }
    assert_int_equal(seen, count);
}

static void ask(world *in, double within) {
    uint64_t queries[QUERIES * MOST_WORDS];
    fp_sketch each[QUERIES];
    fp_nears answers[QUERIES];
    const fp_progress over = {.threads = 2};
    for (size_t q = 0; q < QUERIES; q++) {
        uint64_t *query = queries + q * in->words;
        memcpy(query, at(in, fp_mix(q, 6) % ALL), in->words * 8);
        change(in, query, q % 4, q);
        each[q] = (fp_sketch){.data = query, .size = in->words * 8};
        const fp_near *found;
        size_t count;
        ASSERT_GOOD(fp_collection_near(in->collection, each[q], within, 0, in->arena, &found, &count, &test_error));
        compare(in, query, within, found, count);
    }
    ASSERT_GOOD(
        fp_collection_near_each(in->collection, each, QUERIES, within, 0, &over, in->arena, answers, &test_error));
    for (size_t q = 0; q < QUERIES; q++) compare(in, each[q].data, within, answers[q].found, answers[q].count);
    /* The nearest three, however far. */
    ASSERT_GOOD(fp_collection_near_each(in->collection, each, QUERIES, (double)in->bits, 3, &over, in->arena, answers,
                                        &test_error));
    for (size_t q = 0; q < QUERIES; q++) {
        const fp_near *found;
        size_t count;
        ASSERT_GOOD(
            fp_collection_near(in->collection, each[q], (double)in->bits, 0, in->arena, &found, &count, &test_error));
        compare(in, each[q].data, (double)in->bits, found, count);
        assert_int_equal(answers[q].count, 3);
        for (size_t i = 0; i < 3; i++) assert_int_equal(answers[q].found[i].number, found[i].number);
    }
}

static void count_problem(void *context, const char *problem) {
    (void)problem;
    ++*(uint64_t *)context;
}

static void check(const world *in) {
    uint64_t told = 0, problems;
    ASSERT_GOOD(fp_collection_check(in->collection, count_problem, &told, &problems, &test_error));
    assert_int_equal(told + problems, 0);
}

static void try_threshold(world *it, const char *spec, size_t threshold) {
    it->arena = fp_arena_new();
    it->arm = test_arm(spec, NULL, 0, it->arena);
    it->bits = fp_arm_layout(it->arm)->bits;
    it->words = fp_arm_layout(it->arm)->bytes / 8;
    assert_true(it->bits && it->words <= MOST_WORDS);
    memset(it->gone, 0, sizeof it->gone);
    draw(it, threshold);
    const fp_collection_form form = {.arm = it->arm, .threshold = (double)threshold};
    ASSERT_GOOD(fp_collection_create(it->path, &form, it->arena, &it->collection, &test_error));
    add(it, 0, STORED);
    ask(it, (double)threshold);
    ASSERT_GOOD(fp_collection_merge(it->collection, NULL, &test_error));
    ask(it, (double)threshold);
    for (size_t i = 5; i < STORED; i += 91) drop(it, i);
    add(it, STORED, ALL);
    ask(it, (double)threshold);
    fp_collection_close(it->collection);
    ASSERT_GOOD(fp_collection_open(it->path, true, NULL, it->arena, &it->collection, &test_error));
    ask(it, (double)threshold);
    ask(it, (double)threshold + 2);
    ask(it, (double)threshold / 2);
    check(it);
    ASSERT_GOOD(fp_collection_merge(it->collection, NULL, &test_error));
    fp_collection_state of;
    ASSERT_GOOD(fp_collection_state_of(it->collection, &of, &test_error));
    assert_int_equal(of.in_tables, of.records.records);
    assert_int_equal(of.recent, 0);
    ask(it, (double)threshold);
    check(it);
    fp_collection_close(it->collection);
    unlink(it->path);
    fp_arena_free(it->arena);
}

/* A negative distance, or none, is refused. */
static void distances_are_not_negative(void **state) {
    const world *it = *state;
    fp_arena *arena = fp_arena_new();
    const fp_collection_form form = {.arm = test_arm("simhash", NULL, 0, arena), .threshold = 3};
    const uint64_t word = 5;
    const fp_sketch sketch = {.data = &word, .size = sizeof word};
    const fp_near *found;
    fp_nears answers[2];
    size_t count;
    fp_collection *made;
    ASSERT_GOOD(fp_collection_create(it->path, &form, arena, &made, &test_error));
    static const double WRONG[] = {-1, -5.5, -INFINITY, NAN};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        assert_int_equal(fp_collection_near(made, sketch, WRONG[i], 0, arena, &found, &count, &test_error),
                         FP_ERROR_RANGE);
        assert_int_equal(fp_collection_near_each(made, (const fp_sketch[]){sketch, sketch}, 2, WRONG[i], 0, NULL, arena,
                                                 answers, &test_error),
                         FP_ERROR_RANGE);
    }
    fp_collection_close(made);
    unlink(it->path);
    fp_arena_free(arena);
}

static void every_threshold_is_exact(void **state) {
    static const char *const ARMS[] = {"simhash:bits=64", "simhash:bits=32", "simhash:bits=128", "pinyin"};
    for (size_t a = 0; a < sizeof ARMS / sizeof *ARMS; a++)
        for (size_t threshold = 0; threshold <= 16; threshold += a ? 5 : 1) try_threshold(*state, ARMS[a], threshold);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_threshold_is_exact, make_directory, remove_directory),
        cmocka_unit_test_setup_teardown(distances_are_not_negative, make_directory, remove_directory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
