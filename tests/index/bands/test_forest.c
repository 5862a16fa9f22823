/* SPDX-License-Identifier: GPL-3.0-or-later
 * The LSH forest: candidates against the definition, slot by slot, and against prefix trees in Python
 * (forest_check.py); the nearest against a look at all; and how many of the true nearest are found, of made sketches
 * and of those of texts. */
#include <math.h>

#include "corpora/corpus.h"
#include "index/bands/forest.h"
#include "tests/index/bands/made_slots.h"

enum { STORED = 300, FAMILY = 10, MOST_SLOTS = 4096 };

static fp_forest *grow(const population *of, unsigned trees, int threads) {
    fp_forest *forest;
    fp_progress progress = {.threads = threads};
    ASSERT_GOOD(fp_forest_build(&of->arm->instance, trees, &of->sketches, &progress, NULL, &forest, &test_error));
    return forest;
}

/* The most first slots of a label in which two sketches agree. */
static size_t longest_prefix(const population *of, unsigned trees, fp_sketch a, fp_sketch b) {
    bool agree[MOST_SLOTS];
    size_t depth = fp_arm_layout(of->arm)->slots / trees, longest = 0;
    slots_agreeing(of, a, b, agree);
    for (size_t t = 0; t < trees; t++) {
        size_t common = 0;
        while (common < depth && agree[t * depth + common]) common++;
        if (common > longest) longest = common;
    }
    return longest;
}

static void check_query(const population *of, const fp_forest *forest, unsigned trees, fp_sketch query, size_t wanted,
                        fp_arena *arena) {
    size_t prefix[STORED], count, r = fp_arm_layout(of->arm)->slots / trees;
    const uint32_t *documents;
    fp_forest_work work = {0};
    bool found[STORED] = {false};
    for (size_t i = 0; i < STORED; i++) prefix[i] = longest_prefix(of, trees, query, fp_sketches_at(&of->sketches, i));
    for (;; r--) { /* down to the first level that has enough */
        size_t there = 0;
        for (size_t i = 0; i < STORED; i++) there += r > 0 && prefix[i] >= r;
        if (r <= 1 || there >= wanted) break;
    }
    ASSERT_GOOD(fp_forest_candidates(forest, query, wanted, arena, &documents, &count, &work, &test_error));
    for (size_t i = 0; i < count; i++) {
        assert_true(documents[i] < STORED && !found[documents[i]]);
        found[documents[i]] = true;
    }
    for (size_t i = 0; i < STORED; i++) assert_true(found[i] == (prefix[i] >= r));
    assert_true(work.queries == 1 && work.candidates == count);
    assert_true(count < wanted ? work.levels == 0 : work.levels == r);
}

static void candidates_are_those_of_the_definition(void **state) {
    (void)state;
    static const unsigned TREES[] = {1, 3, 8, 16, 50};
    static const size_t WANTED[] = {1, 5, 40, STORED, 10 * STORED};
    for (size_t a = 0; a < SLOT_ARM_COUNT; a++)
        for (size_t t = 0; t < sizeof TREES / sizeof *TREES; t++) {
            fp_arena *arena = fp_arena_new();
            population of = make_families(SLOT_ARMS[a], STORED, FAMILY, a, arena),
                       asked = make_families(SLOT_ARMS[a], FAMILY, FAMILY, a + 90, arena);
            if (TREES[t] <= fp_arm_layout(of.arm)->slots) {
                fp_forest *forest = grow(&of, TREES[t], 2);
                assert_true(fp_forest_depth(forest) == fp_arm_layout(of.arm)->slots / TREES[t]);
                assert_true(fp_forest_bytes(forest) == (size_t)12 * STORED * TREES[t]);
                for (size_t w = 0; w < sizeof WANTED / sizeof *WANTED; w++) {
                    for (size_t q = 0; q < STORED; q += 37)
                        check_query(&of, forest, TREES[t], fp_sketches_at(&of.sketches, q), WANTED[w], arena);
                    check_query(&of, forest, TREES[t], fp_sketches_at(&asked.sketches, 0), WANTED[w], arena);
                }
                fp_forest_close(forest);
            }
            fp_arena_free(arena);
        }
}

/* ---- Against prefix trees in another language ---- */

static void write_slots(FILE *stream, const population *of, fp_sketch sketch) {
    for (size_t i = 0; i < fp_arm_layout(of->arm)->slots; i++)
        fprintf(stream, " %u", ((const uint32_t *)sketch.data)[i]);
    fprintf(stream, "\n");
}

static void prefix_trees_in_python(void **state) {
    (void)state;
    if (system("python3 -c pass 2>/dev/null") != 0) SKIP_BECAUSE("python3 is missing");
    fp_arena *arena = fp_arena_new();
    population of = make_families("minhash:slots=60", STORED, FAMILY, 3, arena),
               asked = make_families("minhash:slots=60", 4 * FAMILY, FAMILY, 3, arena); /* members of families there */
    const char *parent = getenv("TMPDIR");
    char *path = fp_format(arena, "%s/fplab-forest-XXXXXX", parent && *parent ? parent : P_tmpdir);
    int file = mkstemp(path);
    FILE *stream = fdopen(file, "w");
    fp_forest *forest = grow(&of, 7, 1); /* four slots are of no label */
    fprintf(stream, "trees 7\n");
    for (size_t i = 0; i < STORED; i++) {
        fprintf(stream, "sketch");
        write_slots(stream, &of, fp_sketches_at(&of.sketches, i));
    }
    for (size_t q = 0; q < asked.sketches.count; q++)
        for (size_t wanted = 1; wanted < 1000; wanted *= 10) {
            const uint32_t *documents;
            size_t count;
            fp_sketch query = fp_sketches_at(&asked.sketches, q);
            ASSERT_GOOD(fp_forest_candidates(forest, query, wanted, arena, &documents, &count, NULL, &test_error));
            fprintf(stream, "query %zu", wanted);
            write_slots(stream, &asked, query);
            fprintf(stream, "found");
            for (size_t i = 0; i < count; i++) fprintf(stream, " %u", documents[i]);
            fprintf(stream, "\n");
        }
    assert_int_equal(fclose(stream), 0);
    const char *command = fp_format(arena, "python3 tests/index/bands/forest_check.py '%s'", path);
    int status = system(command);
    unlink(path);
    assert_int_equal(status, 0);
    fp_forest_close(forest);
    fp_arena_free(arena);
}

/* ---- The nearest ---- */

static int by_distance(const void *left, const void *right) {
    const fp_forest_found *a = left, *b = right;
    return a->distance != b->distance ? (a->distance > b->distance) - (a->distance < b->distance)
                                      : (a->document > b->document) - (a->document < b->document);
}

static fp_forest_found *look_at_all(const population *of, fp_sketch query, fp_arena *arena) {
    fp_forest_found *rows = fp_arena_alloc(arena, of->sketches.count, sizeof *rows);
    for (size_t i = 0; i < of->sketches.count; i++)
        rows[i] = (fp_forest_found){fp_arm_distance(of->arm, query, fp_sketches_at(&of->sketches, i)), (uint32_t)i};
    qsort(rows, of->sketches.count, sizeof *rows, by_distance);
    return rows;
}

/* Where all that agree in a slot are candidates, the nearest are those of all, as far as they agree in one. */
static void all_candidates_bring_the_nearest(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    population of = make_families("minhash", STORED, FAMILY, 8, arena);
    fp_forest *forest = grow(&of, 64, 1); /* labels of one slot */
    for (size_t q = 0; q < STORED; q += 11) {
        fp_sketch query = fp_sketches_at(&of.sketches, q);
        const fp_forest_found *found;
        size_t count;
        fp_forest_found *all = look_at_all(&of, query, arena);
        ASSERT_GOOD(fp_forest_nearest(forest, query, 10, STORED, arena, &found, &count, NULL, &test_error));
        assert_true(count >= 1 && count <= 10);
        for (size_t i = 0; i < count; i++)
            assert_true(found[i].document == all[i].document && found[i].distance == all[i].distance);
        assert_true(count == 10 || all[count].distance == 64);
        ASSERT_GOOD(fp_forest_nearest(forest, query, 1, 1, arena, &found, &count, NULL, &test_error));
        assert_true(count == 1 && found->document == all->document && found->distance == 0);
    }
    fp_forest_close(forest);
    fp_arena_free(arena);
}

/* Of the k nearest by a look at all, the share whose distance is reached: a document as near as the k-th is as good. */
static double recall_at(const population *of, const population *asked, unsigned trees, size_t k, size_t wanted,
                        double *compared) {
    fp_forest *forest = grow(of, trees, 0);
    fp_arena *arena = fp_arena_new();
    size_t hits = 0, queries = asked->sketches.count;
    fp_forest_work work = {0};
    for (size_t q = 0; q < queries; q++) {
        fp_sketch query = fp_sketches_at(&asked->sketches, q);
        const fp_forest_found *found;
        size_t count;
        fp_arena_reset(arena);
        fp_forest_found *all = look_at_all(of, query, arena);
        ASSERT_GOOD(fp_forest_nearest(forest, query, k, wanted, arena, &found, &count, &work, &test_error));
        for (size_t i = 0; i < count; i++) hits += found[i].distance <= all[k - 1].distance;
    }
    *compared = (double)work.candidates / (double)queries;
    fp_forest_close(forest);
    fp_arena_free(arena);
    return (double)hits / (double)(queries * k);
}

/* 5,000 sketches of 128 slots in families of 25, of whose members the m-th keeps a slot with probability 1 − m/25: the
 * ten nearest of an elder keep 0.6 and more. A label of l slots agrees with probability s^l, and in one of 16 trees its
 * first two slots with 1 − (1 − 0.36)^16 > 0.999 at s = 0.6: where the ascent comes down to two slots, all are there.
 */
static void most_of_the_nearest_of_families(void **state) {
    (void)state;
    enum { COUNT = 5000, OF_FAMILY = 25, ASKED = 40 };
    fp_arena *arena = fp_arena_new();
    population of = make_families("minhash:slots=128", COUNT, OF_FAMILY, 5, arena), elders = of;
    const size_t bytes = fp_arm_layout(of.arm)->bytes;
    elders.data = fp_arena_alloc(arena, ASKED, bytes);
    for (size_t q = 0; q < ASKED; q++) memcpy(elders.data + q * bytes, of.data + q * 5 * OF_FAMILY * bytes, bytes);
    elders.sketches = (fp_sketches){.count = ASKED, .stride = bytes, .data = elders.data};
    double few, many, compared_few, compared_many;
    few = recall_at(&of, &elders, 16, 10, 10, &compared_few);
    many = recall_at(&of, &elders, 16, 10, 40, &compared_many);
    print_message("recall of the 10 nearest of %d: %.3f with %.1f compared, %.3f with %.1f\n", COUNT, few, compared_few,
                  many, compared_many);
    assert_true(few > 0.8 && many > 0.95 && many >= few);
    assert_true(compared_many < 100);
    fp_arena_free(arena);
}

/* The documents of the corpus that ships, each against the others and itself. */
static void most_of_the_nearest_of_texts(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_corpus corpus;
    ASSERT_GOOD(fp_corpus_read("tests/data/newswire-zh", NULL, arena, &corpus, &test_error));
    population of = {0};
    ASSERT_GOOD(fp_arm_parse("minhash:slots=128", arena, &of.arm, &test_error));
    const size_t bytes = fp_arm_layout(of.arm)->bytes;
    of.data = fp_arena_alloc(arena, corpus.document_count, bytes);
    fp_text_source source;
    fp_text_batch batch;
    ASSERT_GOOD(fp_corpus_source(&corpus, arena, &source, &test_error));
    do {
        ASSERT_GOOD(source.next(source.context, &batch, &test_error));
        for (size_t i = 0; i < batch.count; i++) {
            fp_sketch sketch;
            ASSERT_GOOD(fp_arm_sketch(of.arm, batch.text[i], arena, &sketch, &test_error));
            memcpy(of.data + (batch.first + i) * bytes, sketch.data, bytes);
        }
    } while (batch.count);
    fp_text_source_close(&source);
    of.sketches = (fp_sketches){.count = corpus.document_count, .stride = bytes, .data = of.data};
    double compared, recall = recall_at(&of, &of, 32, 5, 25, &compared);
    print_message("recall of the 5 nearest of %zu texts: %.3f with %.1f compared\n", corpus.document_count, recall,
                  compared);
    assert_true(recall > 0.8);
    fp_arena_free(arena);
}

static void refused(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    population of = make_families("minhash", 10, 2, 1, arena), bits = {0};
    fp_forest *forest;
    static const unsigned TREES[] = {0, 65, UINT32_MAX};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(fp_forest_build(&of.arm->instance, TREES[i], &of.sketches, NULL, NULL, &forest, &test_error),
                         FP_ERROR_RANGE);
    ASSERT_GOOD(fp_arm_parse("simhash", arena, &bits.arm, &test_error));
    assert_int_equal(fp_forest_build(&bits.arm->instance, 1, &of.sketches, NULL, NULL, &forest, &test_error),
                     FP_ERROR_RANGE);
    assert_non_null(strstr(test_error.message, "sketches of slots"));
    forest = grow(&of, 4, 1);
    const uint32_t *documents;
    size_t count;
    assert_int_equal(
        fp_forest_candidates(forest, (fp_sketch){of.data, 8}, 1, arena, &documents, &count, NULL, &test_error),
        FP_ERROR_RANGE);
    assert_int_equal(
        fp_forest_candidates(forest, fp_sketches_at(&of.sketches, 0), 0, arena, &documents, &count, NULL, &test_error),
        FP_ERROR_RANGE);
    fp_forest_close(forest);
    fp_forest_close(NULL);
    of.sketches.count = 0;
    forest = grow(&of, 4, 1);
    ASSERT_GOOD(fp_forest_candidates(forest, (fp_sketch){of.data, of.sketches.stride}, 5, arena, &documents, &count,
                                     NULL, &test_error));
    assert_int_equal(count, 0);
    fp_forest_close(forest);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(candidates_are_those_of_the_definition), cmocka_unit_test(prefix_trees_in_python),
        cmocka_unit_test(all_candidates_bring_the_nearest),       cmocka_unit_test(most_of_the_nearest_of_families),
        cmocka_unit_test(most_of_the_nearest_of_texts),           cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
