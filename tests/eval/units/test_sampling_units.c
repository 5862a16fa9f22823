/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which documents are units: those that groups and positive pairs connect, against components found by flooding. */
#include "tests/support.h"

#include "eval/units/resample.h"
#include "tests/eval/made_pairs.h"

enum { DOCUMENTS = 400 };

/* Components by passing the smallest label on until nothing changes. */
static void flood(const fp_labelled_documents *of, uint32_t *label) {
    bool changed = true;
    for (size_t i = 0; i < of->document_count; i++) label[i] = (uint32_t)i;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < of->document_count; i++)
            for (size_t j = 0; j < i && of->group; j++)
                if (of->group[i] == of->group[j] && of->group[i] != UINT32_MAX && label[i] != label[j]) {
                    label[i] = label[j] = label[i] < label[j] ? label[i] : label[j];
                    changed = true;
                }
        for (size_t p = 0; p < of->pair_count; p++) {
            uint32_t *a = label + of->pairs[p].a, *b = label + of->pairs[p].b;
            if (!of->pairs[p].label || *a == *b) continue;
            *a = *b = *a < *b ? *a : *b;
            changed = true;
        }
    }
}

static void components_are_those_of_a_flood(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    for (uint64_t seed = 0; seed < 20; seed++) {
        fp_pair pairs[150];
        uint32_t group[100], label[100];
        for (uint32_t i = 0; i < 100; i++)
            group[i] = fp_mix(i, seed) % 3 ? UINT32_MAX : (uint32_t)(fp_mix(i, seed + 50) % 12);
        for (size_t p = 0; p < 150; p++)
            pairs[p] = (fp_pair){(uint32_t)(fp_mix(p, seed + 1) % 100), (uint32_t)(fp_mix(p, seed + 2) % 100),
                                 fp_mix(p, seed + 3) % 4 == 0};
        const fp_labelled_documents of = {100, seed % 2 ? group : NULL, 150, pairs};
        fp_components found;
        ASSERT_GOOD(fp_components_make(&of, arena, arena, &found, &test_error));
        flood(&of, label);
        size_t roots = 0;
        for (size_t i = 0; i < 100; i++) {
            roots += label[i] == i;
            assert_int_equal(found.of[i], found.of[label[i]]);
            if (label[i] == i) assert_int_equal(found.of[i], roots - 1);
        }
        assert_int_equal(found.count, roots);
    }
    fp_arena_free(arena);
}

/* 30 clusters of `size` documents whose positives form a chain, and a ring of negatives that goes through all
 * documents. */
static size_t make_chains(fp_pair *pairs, uint32_t clusters, uint32_t size) {
    size_t count = 0;
    uint32_t documents = clusters * size;
    for (uint32_t i = 0; i < documents; i++) {
        if (i % size) pairs[count++] = (fp_pair){i - 1, i, 1};
        pairs[count++] = (fp_pair){i, (i + size) % documents, 0};
    }
    return count;
}

static void describe(const fp_resample *of, fp_arena *arena, const char *const *words) {
    const char *text = fp_resample_describe(of, arena);
    for (; *words; words++)
        if (!strstr(text, *words)) fail_msg("\"%s\" is not in: %s", *words, text);
}
#define DESCRIBED(of, ...) describe(of, arena, (const char *const[]){__VA_ARGS__, NULL})

/* Without groups the positives connect: pairs inside a chain have one unit, and the sentence says how many there are.
 */
static void duplicates_make_units(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_pair pairs[2 * DOCUMENTS];
    size_t count = make_chains(pairs, 30, 5);
    fp_resample resample;
    ASSERT_GOOD(fp_resample_make(pairs, count, NULL, 152, FP_SAMPLING_AUTO, arena, &resample, &test_error));
    assert_true(resample.unit == FP_SAMPLING_COMPONENT && resample.unit_count == 30 && resample.crossing);
    for (size_t i = 0; i < count; i++) assert_int_equal(resample.first[i] == resample.second[i], pairs[i].label);
    DESCRIBED(&resample, "The 270 pairs are not independent: 150 of their 150 documents",
              "Duplicates connect all 150 documents, into 30 units.");
    /* One document more, in a negative pair alone. */
    pairs[count++] = (fp_pair){0, 151, 0};
    ASSERT_GOOD(fp_resample_make(pairs, count, NULL, 152, FP_SAMPLING_AUTO, arena, &resample, &test_error));
    assert_int_equal(resample.unit_count, 31);
    DESCRIBED(&resample, "Duplicates connect 150 of the 151 documents, into 30 units",
              "every other document is a unit of its own, 31 in all.");
    fp_arena_free(arena);
}

/* Groups of five; a positive pair across two makes them one. Positive pairs inside groups change nothing. */
static void duplicates_join_groups(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_pair pairs[2 * DOCUMENTS];
    uint32_t group[150];
    size_t count = make_chains(pairs, 30, 5);
    for (uint32_t i = 0; i < 150; i++) group[i] = i / 5;
    fp_resample resample;
    ASSERT_GOOD(fp_resample_make(pairs, count, group, 150, FP_SAMPLING_AUTO, arena, &resample, &test_error));
    assert_true(resample.unit == FP_SAMPLING_GROUP && resample.unit_count == 30);
    DESCRIBED(&resample, "Groups connect all 150 documents, into 30 units.");
    pairs[count++] = (fp_pair){2, 77, 1};
    ASSERT_GOOD(fp_resample_make(pairs, count, group, 150, FP_SAMPLING_AUTO, arena, &resample, &test_error));
    assert_true(resample.unit == FP_SAMPLING_COMPONENT && resample.unit_count == 29);
    DESCRIBED(&resample, "Groups and duplicates connect all 150 documents, into 29 units.");
    fp_arena_free(arena);
}

/* Where one component holds more than half of the documents there is no spread to see: the next smaller units are
 * taken, and it is said. Half is not more than half. */
static void what_is_too_large_is_no_unit(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_pair pairs[2 * DOCUMENTS];
    uint32_t group[60];
    fp_resample resample;
    for (uint32_t joined = 6; joined <= 7; joined++) {
        size_t count = make_chains(pairs, 12, 5);
        for (uint32_t i = 1; i < joined; i++) pairs[count++] = (fp_pair){5 * i - 5, 5 * i, 1};
        ASSERT_GOOD(fp_resample_make(pairs, count, NULL, 60, FP_SAMPLING_AUTO, arena, &resample, &test_error));
        if (joined == 6) {
            assert_true(resample.unit == FP_SAMPLING_COMPONENT && resample.unit_count == 7);
            assert_int_equal(resample.nodes.refused, 0);
            continue;
        }
        assert_true(resample.unit == FP_SAMPLING_DOCUMENT && resample.unit_count == 60);
        DESCRIBED(&resample, "The 60 documents are the units.", "connect 35 of the 60 documents into one unit",
                  "may be too narrow");
        for (uint32_t i = 0; i < 60; i++) group[i] = i / 5;
        ASSERT_GOOD(fp_resample_make(pairs, count, group, 60, FP_SAMPLING_AUTO, arena, &resample, &test_error));
        assert_true(resample.unit == FP_SAMPLING_GROUP && resample.unit_count == 12);
        DESCRIBED(&resample, "Groups connect all 60 documents, into 12 units", "35 of the 60", "may be too narrow");
    }
    /* One group for all: duplicates alone. */
    memset(group, 0, sizeof group);
    size_t count = make_chains(pairs, 12, 5);
    ASSERT_GOOD(fp_resample_make(pairs, count, group, 60, FP_SAMPLING_AUTO, arena, &resample, &test_error));
    assert_true(resample.unit == FP_SAMPLING_COMPONENT && resample.unit_count == 12);
    DESCRIBED(&resample, "Duplicates connect all 60", "60 of the 60", "may be too narrow");
    fp_arena_free(arena);
}

/* Pairs and parts stay what they were: a positive pair is an edge, and connects no more than it did. */
static void pairs_and_parts_stay(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    fp_resample resample;
    make_set(from, APART, 300, 0, 1);
    resample_set(from, NULL, FP_SAMPLING_AUTO, arena, &resample);
    assert_true(resample.unit == FP_SAMPLING_PAIR && resample.unit_count == 300);
    make_set(from, STARS, 900, 0, 1);
    resample_set(from, NULL, FP_SAMPLING_AUTO, arena, &resample);
    assert_true(resample.unit == FP_SAMPLING_PART && resample.unit_count == 100);
    DESCRIBED(&resample, "They fall into 100 connected parts, which are the units.");
    fp_arena_free(arena);
}

/* Two pairs that share nothing are connected through a pair that is not of their part. */
static void parts_keep_the_units_of_the_whole(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    static const fp_pair ALL[] = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {4, 5, 1}, {6, 7, 1}, {8, 9, 0}},
                         ENDS[] = {{0, 1, 1}, {2, 3, 1}, {4, 5, 1}};
    const fp_labelled_documents of = {10, NULL, 6, ALL};
    fp_sampling_units units;
    fp_resample resample;
    ASSERT_GOOD(fp_sampling_units_make(&of, arena, arena, &units, &test_error));
    ASSERT_GOOD(fp_resample_part(&units, ENDS, 3, arena, &resample, &test_error));
    assert_true(resample.unit == FP_SAMPLING_COMPONENT && resample.unit_count == 2);
    assert_true(resample.first[0] == resample.first[1] && resample.first[0] != resample.first[2]);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_are_those_of_a_flood),
        cmocka_unit_test(duplicates_make_units),
        cmocka_unit_test(duplicates_join_groups),
        cmocka_unit_test(what_is_too_large_is_no_unit),
        cmocka_unit_test(pairs_and_parts_stay),
        cmocka_unit_test(parts_keep_the_units_of_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
