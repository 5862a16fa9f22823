/* SPDX-License-Identifier: GPL-3.0-or-later
 * Blocks: what negative pairs compare lies in one fold, within bounds, and the pairs that stay still stand for all. */

#include "eval/units/unit_blocks.h"
#include "tests/eval/tuning/tune_support.h"

enum { STORIES = 60, TEXTS = 4, FAMILY = TEXTS + 1, OTHERS = 600 };

typedef struct world {
    fp_pair pairs[STORIES * (TEXTS * (TEXTS - 1) / 2 + TEXTS) + OTHERS];
    uint32_t group[STORIES * FAMILY];
    fp_corpus corpus;
} world;

static void add(world *to, uint32_t a, uint32_t b, bool label) {
    to->pairs[to->corpus.pair_count++] = (fp_pair){a, b, label};
}

/* Stories of four texts; each has a twin, which is another's, and is compared with all four. And pairs of any two texts
 * of different families. */
static void make_world(world *to) {
    *to = (world){.corpus = {.path = "made",
                             .truth = FP_TRUTH_PAIRS,
                             .document_count = STORIES * FAMILY,
                             .group_count = STORIES * FAMILY}};
    to->corpus.group = to->group;
    to->corpus.pairs = to->pairs;
    for (uint32_t i = 0; i < STORIES * FAMILY; i++) to->group[i] = i % FAMILY < TEXTS ? i - i % FAMILY : i;
    for (uint32_t s = 0; s < STORIES * FAMILY; s += FAMILY)
        for (uint32_t b = 1; b < FAMILY; b++)
            for (uint32_t a = 0; a < b; a++) add(to, s + a, s + b, b < TEXTS);
    for (uint64_t i = 0; i < OTHERS;) {
        uint32_t a = (uint32_t)(fp_mix(1, i) % (STORIES * FAMILY)), b = (uint32_t)(fp_mix(2, i) % (STORIES * FAMILY));
        i++;
        if (a / FAMILY == b / FAMILY) b = (a + FAMILY) % (STORIES * FAMILY);
        add(to, a, b, false);
    }
}

static void twins_stay_with_their_story(void **state) {
    (void)state;
    static world of;
    make_world(&of);
    for (uint64_t seed = 0; seed < 20; seed++) {
        fp_arena *arena = fp_arena_new();
        fp_split split;
        ASSERT_GOOD(fp_split_make(&of.corpus, &(fp_split_options){5, seed, 1000}, arena, &split, &test_error));
        check_apart(&of.corpus, &split);
        for (uint32_t s = 0; s < STORIES * FAMILY; s += FAMILY)
            assert_int_equal(split.block[s], split.block[s + TEXTS]);
        fp_arena_free(arena);
    }
}

/* A pair list whose documents stand in one pair each: nothing lies across folds, so that nothing is left out. */
static void pairs_apart_are_all_kept(void **state) {
    (void)state;
    enum { PAIRS = 300 };
    static fp_pair pairs[PAIRS];
    for (uint32_t i = 0; i < PAIRS; i++) pairs[i] = (fp_pair){2 * i, 2 * i + 1, i % 3 == 0};
    static uint32_t group[2 * PAIRS];
    for (size_t i = 0; i < 2 * PAIRS; i++) group[i] = UINT32_MAX;
    fp_corpus corpus = {.path = "made",
                        .truth = FP_TRUTH_PAIRS,
                        .document_count = 2 * PAIRS,
                        .group = group,
                        .pair_count = PAIRS,
                        .pairs = pairs};
    fp_arena *arena = fp_arena_new();
    fp_split split;
    ASSERT_GOOD(fp_split_make(&corpus, &(fp_split_options){5, 1, 1000}, arena, &split, &test_error));
    check_apart(&corpus, &split);
    assert_int_equal(split.dropped, 0);
    assert_int_equal(split.pair_count, PAIRS);
    assert_true(split.weight == 1);
    fp_arena_free(arena);
}

/* No block beyond the bounds but those that are one unit, and as many blocks as are asked for. */
static void blocks_are_small(void **state) {
    (void)state;
    static world of;
    make_world(&of);
    fp_arena *arena = fp_arena_new();
    for (size_t folds = 3; folds <= 20; folds++) {
        const fp_labelled_documents documents = {STORIES * FAMILY, of.group, of.corpus.pair_count, of.pairs};
        fp_components units;
        fp_unit_blocks blocks;
        ASSERT_GOOD(fp_components_make(&documents, arena, arena, &units, &test_error));
        ASSERT_GOOD(fp_unit_blocks_make(&documents, &units, folds, arena, arena, &blocks, &test_error));
        assert_true(blocks.count >= 4 * folds || blocks.count == units.count);
        size_t members[STORIES * FAMILY] = {0}, holds[STORIES * FAMILY] = {0}, most = STORIES * FAMILY / (4 * folds);
        for (size_t u = 0; u < units.count; u++) holds[blocks.of[u]]++;
        for (size_t i = 0; i < STORIES * FAMILY; i++) members[blocks.of[units.of[i]]]++;
        for (size_t b = 0; b < blocks.count; b++) assert_true(holds[b] == 1 || members[b] <= most);
    }
    fp_arena_free(arena);
}

/* Horvitz and Thompson: over seeds, what the kept pairs of a kind weigh is what there is of it. The pairs of twins are
 * all kept, so that their number is met by every split; of others the mean of 400 splits is off by at most 5 standard
 * errors, and by less than a tenth. */
static void what_stays_stands_for_all(void **state) {
    (void)state;
    enum { SPLITS = 400 };
    static world of;
    make_world(&of);
    double sum = 0, squares = 0, marked = 0;
    for (size_t i = 0; i < of.corpus.pair_count; i++)
        marked += of.pairs[i].a / FAMILY != of.pairs[i].b / FAMILY && (of.pairs[i].a + of.pairs[i].b) % 3 == 0;
    for (uint64_t seed = 0; seed < SPLITS; seed++) {
        fp_arena *arena = fp_arena_new();
        fp_split split;
        ASSERT_GOOD(fp_split_make(&of.corpus, &(fp_split_options){5, seed, 1000}, arena, &split, &test_error));
        double twins = 0, others = 0, all = 0;
        for (size_t i = 0; i < split.pair_count; i++) {
            fp_pair pair = split.pairs[i];
            double weight = pair.label ? 0 : split.across[i] ? split.weight : 1;
            all += weight;
            if (pair.a / FAMILY == pair.b / FAMILY) twins += weight;
            else if ((pair.a + pair.b) % 3 == 0) others += weight;
        }
        assert_near(all, (double)split.negatives, 1e-9);
        assert_near(twins, STORIES * TEXTS, 1e-9);
        sum += others;
        squares += others * others;
        fp_arena_free(arena);
    }
    double mean = sum / SPLITS, error = sqrt((squares / SPLITS - mean * mean) / SPLITS);
    assert_near(mean, marked, 5 * error);
    assert_near(mean, marked, marked / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twins_stay_with_their_story),
        cmocka_unit_test(pairs_apart_are_all_kept),
        cmocka_unit_test(blocks_are_small),
        cmocka_unit_test(what_stays_stands_for_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
