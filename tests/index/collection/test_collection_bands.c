/* SPDX-License-Identifier: GPL-3.0-or-later
 * Collections of signatures beside a plain loop over all of them: what their tables of bands find is near, at the right
 * distance, and as much of what is right at the threshold as the S-curve says; what came since, and what lies beyond
 * the threshold, is found always. */
#include <math.h>

#include "pairs/banding.h"
#include "index/collection/collection.h"
#include "tests/pairs/made_slots.h"

enum { STORED = 3200, PAIR = 2, THRESHOLD = 26, SLOTS = 64, LATE = 40 };

typedef struct world {
    char directory[200], path[256];
    fp_arena *arena;
    population of; /* pairs: the second differs from the first in a number of slots that is its own */
    fp_collection *collection;
    bool gone[STORED + LATE];
} world;

static int make_directory(void **state) {
    world *it = calloc(1, sizeof *it);
    const char *parent = getenv("TMPDIR");
    snprintf(it->directory, sizeof it->directory, "%s/fplab-bands-XXXXXX", parent && *parent ? parent : P_tmpdir);
    assert_non_null(mkdtemp(it->directory));
    snprintf(it->path, sizeof it->path, "%s/one.fp", it->directory);
    it->arena = fp_arena_new();
    *state = it;
    return 0;
}

static int remove_directory(void **state) {
    static const char *const ENDS[] = {"", "-lock"};
    world *it = *state;
    char path[300];
    for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++) {
        snprintf(path, sizeof path, "%s%s", it->path, ENDS[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(it->directory), 0);
    fp_arena_free(it->arena);
    free(it);
    return 0;
}

/* The slots in which a copy differs are drawn; one in two copies differs in as many as the threshold allows. */
static population make_pairs(uint64_t seed, fp_arena *arena) {
    population made = make_families("minhash", STORED + LATE, 1, seed, arena);
    const fp_layout *layout = fp_arm_layout(made.arm);
    assert_int_equal(layout->slots, SLOTS);
    for (size_t i = 1; i < STORED + LATE; i += PAIR) {
        unsigned char *copy = made.data + i * layout->bytes;
        size_t differing = fp_mix(i, seed + 5) % 2 ? THRESHOLD : fp_mix(i, seed + 6) % 45, order[SLOTS];
        memcpy(copy, copy - layout->bytes, layout->bytes);
        for (size_t s = 0; s < SLOTS; s++) order[s] = s;
        for (size_t k = 0; k < differing; k++) {
            size_t with = k + fp_mix(i * SLOTS + k, seed + 7) % (SLOTS - k), slot = order[with];
            order[with] = order[k];
            put_slot(layout, copy, slot, fp_mix(i * SLOTS + k, seed + 8));
        }
    }
    return made;
}

static fp_sketch sketch_at(const world *in, size_t i) { return fp_sketches_at(&in->of.sketches, i); }

/* Record i has the number i + 1. */
static void add_some(world *to, size_t from, size_t end) {
    char id[24];
    ASSERT_GOOD(fp_collection_begin(to->collection, &test_error));
    for (size_t i = from; i < end; i++) {
        snprintf(id, sizeof id, "text %zu", i);
        fp_record record = {.id = fp_string_of(id), .time = FP_TIME_NONE};
        ASSERT_GOOD(fp_collection_add(to->collection, &record, sketch_at(to, i), &test_error));
        assert_int_equal(record.number, i + 1);
    }
    ASSERT_GOOD(fp_collection_commit(to->collection, &test_error));
}

static void create(world *made, double threshold, double recall, uint64_t seed) {
    made->of = make_pairs(seed, made->arena);
    const fp_collection_form form = {.arm = made->of.arm, .threshold = threshold, .recall = recall};
    ASSERT_GOOD(fp_collection_create(made->path, &form, made->arena, &made->collection, &test_error));
    add_some(made, 0, STORED);
}

static void reopen(world *it) {
    fp_collection_close(it->collection);
    ASSERT_GOOD(fp_collection_open(it->path, true, NULL, it->arena, &it->collection, &test_error));
}

static fp_collection_state state_of(const world *in) {
    fp_collection_state state;
    ASSERT_GOOD(fp_collection_state_of(in->collection, &state, &test_error));
    return state;
}

/* What was found of what is near. */
typedef struct tally {
    size_t near, found;      /* pairs within the distance */
    size_t at, found_at;     /* pairs right at the threshold */
    size_t sure, found_sure; /* pairs with a record from STORED on */
} tally;

static void ask(const world *in, size_t query, size_t stored, double within, fp_arena *arena, tally *to) {
    const fp_near *found;
    size_t count, seen = 0;
    ASSERT_GOOD(
        fp_collection_near(in->collection, sketch_at(in, query), within, 0, arena, &found, &count, &test_error));
    bool *is = fp_arena_alloc(arena, stored, sizeof *is);
    for (size_t i = 0; i < count; i++) {
        size_t at = found[i].number - 1;
        assert_true(at < stored && !is[at] && !in->gone[at]);
        assert_true(i == 0 || found[i - 1].distance < found[i].distance ||
                    (found[i - 1].distance == found[i].distance && found[i - 1].number < found[i].number));
        assert_true(found[i].distance == fp_arm_distance(in->of.arm, sketch_at(in, query), sketch_at(in, at)));
        is[at] = true;
    }
    for (size_t i = 0; i < stored; i++) {
        double distance = fp_arm_distance(in->of.arm, sketch_at(in, query), sketch_at(in, i));
        if (in->gone[i] || distance > within) continue;
        to->near++;
        to->found += is[i];
        to->at += distance == THRESHOLD;
        to->found_at += distance == THRESHOLD && is[i];
        to->sure += i >= STORED;
        to->found_sure += i >= STORED && is[i];
        seen += is[i];
    }
    assert_int_equal(seen, count);
}

static tally ask_all(const world *in, size_t stored, double within) {
    tally all = {0};
    fp_arena *arena = fp_arena_new();
    for (size_t q = 0; q < stored; q++, fp_arena_reset(arena)) ask(in, q, stored, within, arena, &all);
    fp_arena_free(arena);
    return all;
}

/* Half of the pairs are right at the threshold; each asks twice, the same bands both times: half as many trials. The
 * curve is of slots drawn with replacement, where 26 of 64 is without, which takes 0.002 of its recall: within the five
 * standard errors. */
static void finds_as_many_as_the_curve_says(void **state) {
    world *it = *state;
    create(it, THRESHOLD, 0, 1);
    ASSERT_GOOD(fp_collection_merge(it->collection, NULL, &test_error));
    fp_collection_state of = state_of(it);
    unsigned bands, rows;
    assert_int_equal(sscanf(of.design, "bands=%u,rows=%u", &bands, &rows), 2);
    double recall = fp_banding_probability((fp_banding){bands, rows}, 1 - (double)THRESHOLD / SLOTS);
    assert_true(of.in_tables == STORED && of.recent == 0);
    assert_true(fabs(of.recall - recall) < 1e-12 && recall >= FP_COLLECTION_RECALL);
    tally got = ask_all(it, STORED, THRESHOLD);
    double trials = (double)got.at / 2, lowest = recall - 5 * sqrt(recall * (1 - recall) / trials);
    assert_true(got.at > STORED / 3);
    if ((double)got.found_at < lowest * (double)got.at)
        fail_msg("%zu of %zu right at the threshold, where at least %.4f are expected", got.found_at, got.at, lowest);
    assert_true((double)got.found >= lowest * (double)got.near);
    fp_collection_close(it->collection);
}

/* Deleted ones are passed over, by the process that deletes and by others; new ones are all found. */
static void what_changes_since_the_merge(void **state) {
    world *it = *state;
    create(it, THRESHOLD, 0.9, 2);
    ASSERT_GOOD(fp_collection_merge(it->collection, NULL, &test_error));
    ASSERT_GOOD(fp_collection_begin(it->collection, &test_error));
    for (size_t i = 0; i < STORED; i += 17) {
        char id[24];
        snprintf(id, sizeof id, "text %zu", i);
        ASSERT_GOOD(fp_collection_delete(it->collection, fp_string_of(id), &test_error));
        it->gone[i] = true;
    }
    ASSERT_GOOD(fp_collection_commit(it->collection, &test_error));
    add_some(it, STORED, STORED + LATE);
    for (int again = 0; again < 2; again++, reopen(it)) {
        tally got = ask_all(it, STORED + LATE, THRESHOLD);
        assert_true(got.sure > LATE && got.found_sure == got.sure);
        assert_true(got.found < got.near && (double)got.found > 0.8 * (double)got.near);
    }
    ASSERT_GOOD(fp_collection_merge(it->collection, NULL, &test_error));
    fp_collection_state of = state_of(it);
    assert_int_equal(of.in_tables, of.records.records);
    assert_int_equal(of.recent, 0);
    assert_true((double)ask_all(it, STORED + LATE, THRESHOLD).found_sure > 0);
    fp_collection_close(it->collection);
}

static void beyond_the_threshold_none_is_missed(void **state) {
    world *it = *state;
    create(it, 10, 0.5, 3);
    ASSERT_GOOD(fp_collection_merge(it->collection, NULL, &test_error));
    reopen(it);
    assert_true(fp_collection_recall(it->collection, 10) < 1 && fp_collection_recall(it->collection, 11) == 1);
    tally got = ask_all(it, STORED, 40);
    assert_true(got.near > STORED && got.found == got.near);
    /* The nearest of all: the query itself, and its copy, wherever that is. */
    for (size_t q = 0; q < STORED; q += 97) {
        const fp_near *found;
        size_t count;
        ASSERT_GOOD(
            fp_collection_near(it->collection, sketch_at(it, q), SLOTS, 3, it->arena, &found, &count, &test_error));
        assert_int_equal(count, 3);
        assert_true(found[0].distance == 0 && found[1].number == (q ^ 1) + 1);
    }
    fp_collection_close(it->collection);
}

static void without_tables_none_is_missed(void **state) {
    world *it = *state;
    create(it, THRESHOLD, 1, 4);
    ASSERT_GOOD(fp_collection_merge(it->collection, NULL, &test_error));
    reopen(it);
    fp_collection_state of = state_of(it);
    assert_true(of.in_tables == 0 && of.recent == STORED && of.recall == 1);
    tally got = ask_all(it, STORED, THRESHOLD);
    assert_int_equal(got.found, got.near);
    fp_collection_close(it->collection);
}

/* One band of all slots. */
static void what_is_equal_is_found(void **state) {
    world *it = *state;
    create(it, 0, 0.99, 5);
    ASSERT_GOOD(fp_collection_merge(it->collection, NULL, &test_error));
    fp_collection_state of = state_of(it);
    assert_string_equal(of.design, "bands=1,rows=64");
    assert_true(of.recall == 1);
    tally got = ask_all(it, STORED, 0.5);
    assert_true(got.near > STORED && got.found == got.near);
    fp_collection_close(it->collection);
}

static void count_problem(void *context, const char *problem) {
    (void)problem;
    ++*(size_t *)context;
}

static size_t check(const world *in) {
    uint64_t problems;
    size_t told = 0;
    ASSERT_GOOD(fp_collection_check(in->collection, count_problem, &told, &problems, &test_error));
    assert_int_equal(told, problems);
    return told;
}

/* Rows of the tables with right checksums that are not what the records say: a row that is gone, and one that stands in
 * another place. */
static void damage_is_told_and_mended(void **state) {
    world *it = *state;
    create(it, THRESHOLD, 0.99, 6);
    ASSERT_GOOD(fp_collection_merge(it->collection, NULL, &test_error));
    assert_int_equal(check(it), 0);
    tally before = ask_all(it, STORED, THRESHOLD);
    fp_records *records = fp_collection_records(it->collection);
    ASSERT_GOOD(fp_records_begin(records, &test_error));
    ASSERT_GOOD(fp_records_remove_pieces(records, 0, 0, &test_error));
    ASSERT_GOOD(
        fp_records_put_piece(records, UINT64_C(1) << 50 | 1 << 18, (fp_string){"0123456789ab", 12}, &test_error));
    ASSERT_GOOD(fp_records_commit(records, &test_error));
    reopen(it);
    assert_true(check(it) > 0);
    ASSERT_GOOD(fp_collection_merge(it->collection, NULL, &test_error));
    assert_int_equal(check(it), 0);
    assert_int_equal(ask_all(it, STORED, THRESHOLD).found, before.found);
    fp_collection_close(it->collection);
}

static void recalls_that_are_none(void **state) {
    world *it = *state;
    fp_arm *arm = test_arm("minhash", NULL, 0, it->arena);
    const double wrong[] = {-0.1, 1.1, NAN};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const fp_collection_form form = {.arm = arm, .threshold = THRESHOLD, .recall = wrong[i]};
        assert_int_equal(fp_collection_create(it->path, &form, it->arena, &it->collection, &test_error),
                         FP_ERROR_RANGE);
        assert_int_not_equal(access(it->path, F_OK), 0);
    }
}

#define IN_DIRECTORY(test) cmocka_unit_test_setup_teardown(test, make_directory, remove_directory)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(finds_as_many_as_the_curve_says),
        IN_DIRECTORY(what_changes_since_the_merge),
        IN_DIRECTORY(beyond_the_threshold_none_is_missed),
        IN_DIRECTORY(without_tables_none_is_missed),
        IN_DIRECTORY(what_is_equal_is_found),
        IN_DIRECTORY(damage_is_told_and_mended),
        IN_DIRECTORY(recalls_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
