/* SPDX-License-Identifier: GPL-3.0-or-later
 * Splits: no document on both sides, folds in balance, samples that are fair. */

#include "tests/eval/tuning/tune_support.h"

static const fp_split_options FIVE = {5, 1, 1000};

static void split_of(const fp_corpus *corpus, const fp_split_options *options, fp_arena *arena, fp_split *split) {
    ASSERT_GOOD(fp_split_make(corpus, options, arena, split, &test_error));
}

static void no_document_is_on_both_sides(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    made of = make_corpus(arena);
    for (uint64_t seed = 0; seed < 20; seed++) {
        fp_split_options options = {3 + seed % 6, seed, 1000};
        fp_split split;
        split_of(&of.corpus, &options, arena, &split);
        check_apart(&of.corpus, &split);
        assert_int_equal(split.unit_count, GROUPS);
        assert_true(split.weight == 1);
        /* Units of three documents and three positives: folds differ by one unit at most. */
        for (size_t f = 0; f < split.fold_count; f++)
            for (size_t g = 0; g < split.fold_count; g++) {
                assert_true(split.folds[f].positives <= split.folds[g].positives + 3);
                assert_true(split.folds[f].documents <= split.folds[g].documents + 3);
            }
    }
    fp_arena_free(arena);
}

/* Without groups the positive pairs alone tie documents; a negative pair ties nothing. */
static void positive_pairs_make_units(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    made of = make_corpus(arena);
    for (size_t i = 0; i < DOCUMENTS; i++) of.group[i] = UINT32_MAX;
    fp_split split;
    split_of(&of.corpus, &FIVE, arena, &split);
    check_apart(&of.corpus, &split);
    assert_int_equal(split.unit_count, GROUPS);
    for (size_t i = 0; i < DOCUMENTS; i++) assert_int_equal(split.unit[i], i / MEMBERS);
    /* One positive pair between two groups makes one unit of them. */
    of.pairs[of.corpus.pair_count] = (fp_pair){0, DOCUMENTS - 1, 1};
    of.corpus.pair_count++;
    split_of(&of.corpus, &FIVE, arena, &split);
    assert_int_equal(split.unit_count, GROUPS - 1);
    assert_int_equal(split.unit[0], split.unit[DOCUMENTS - 1]);
    fp_arena_free(arena);
}

static void splits_follow_the_seed_alone(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    made of = make_corpus(arena);
    fp_split one, again, other;
    split_of(&of.corpus, &FIVE, arena, &one);
    split_of(&of.corpus, &FIVE, arena, &again);
    assert_memory_equal(one.fold, again.fold, DOCUMENTS);
    assert_int_equal(one.pair_count, again.pair_count);
    split_of(&of.corpus, &(fp_split_options){5, 2, 1000}, arena, &other);
    assert_memory_not_equal(one.fold, other.fold, DOCUMENTS);
    fp_arena_free(arena);
}

/* One fold and two have numbers of their own, whatever their order. */
static void sets_are_numbered(void **state) {
    (void)state;
    bool seen[FP_SPLIT_MOST_SETS] = {false};
    for (size_t a = 0; a < FP_SPLIT_MOST_FOLDS; a++)
        for (size_t b = 0; b <= a; b++) {
            size_t set = fp_fold_set(a, b);
            assert_true(set < FP_SPLIT_MOST_SETS && set < (a + 1) * (a + 2) / 2 && !seen[set]);
            assert_int_equal(fp_fold_set(b, a), set);
            seen[set] = true;
        }
}

/* All pairs of groups, whole and by sample: the pairs that stay stand for all negatives, 120·119/2 − 40·3 = 7020. */
static void groups_keep_a_sample_of_negatives(void **state) {
    (void)state;
    static const size_t MOST[] = {100000, 300, 50};
    fp_arena *arena = fp_arena_new();
    made of = make_corpus(arena);
    of.corpus.truth = FP_TRUTH_GROUPS;
    for (size_t m = 0; m < 3; m++) {
        fp_split split;
        split_of(&of.corpus, &(fp_split_options){5, 3, MOST[m]}, arena, &split);
        check_apart(&of.corpus, &split);
        size_t negatives = split.pair_count - (size_t)split.positives;
        assert_int_equal(split.positives, GROUPS * 3);
        assert_int_equal(split.negatives, 7020);
        assert_near(split.weight * (double)negatives, 7020, 1e-9);
        assert_true(negatives <= MOST[m]);
        if (m) assert_true((double)negatives > 0.8 * (double)MOST[m]);
        else assert_int_equal(negatives, 7020);
        bool *seen = fp_arena_alloc(arena, DOCUMENTS * DOCUMENTS, sizeof *seen);
        for (size_t i = 0; i < split.pair_count; i++) {
            size_t key = (size_t)split.pairs[i].a * DOCUMENTS + split.pairs[i].b;
            assert_true(split.pairs[i].a < split.pairs[i].b && !seen[key]);
            seen[key] = true;
            assert_int_equal(split.pairs[i].label, of.group[split.pairs[i].a] == of.group[split.pairs[i].b]);
        }
    }
    fp_arena_free(arena);
}

/* In 3,000 samples of less than half of the pairs, every document is drawn about as often as any other: within 6
 * standard deviations. */
static void samples_are_fair(void **state) {
    (void)state;
    enum { SMALL = 8, DRAWS = 3000 };
    fp_arena *arena = fp_arena_new();
    made of = make_corpus(arena);
    for (size_t i = 0; i < SMALL * 3; i++) of.group[i] = (uint32_t)(i / 2);
    of.corpus.document_count = SMALL * 3;
    of.corpus.group_count = SMALL * 3 / 2;
    of.corpus.truth = FP_TRUTH_GROUPS;
    double total = 0, kept = 0;
    size_t first[SMALL * 3] = {0};
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        fp_split split;
        fp_arena *scratch = fp_arena_new();
        split_of(&of.corpus, &(fp_split_options){3, seed, 30}, scratch, &split);
        total += (double)split.negatives;
        kept += (double)(split.pair_count - split.positives);
        for (size_t i = 0; i < split.pair_count; i++) {
            if (split.pairs[i].label) continue;
            first[split.pairs[i].a]++;
            first[split.pairs[i].b]++;
        }
        fp_arena_free(scratch);
    }
    assert_true(kept < 0.6 * total);
    for (size_t i = 0; i < SMALL * 3; i++) {
        double expected = 2 * kept / (SMALL * 3);
        assert_true(fabs((double)first[i] - expected) < 6 * sqrt(expected));
    }
    fp_arena_free(arena);
}

static void refuse_split(const fp_corpus *corpus, fp_split_options options, const char *words) {
    fp_arena *arena = fp_arena_new();
    fp_split split;
    fp_error error = {0};
    assert_int_not_equal(fp_split_make(corpus, &options, arena, &split, &error), FP_OK);
    if (!strstr(error.message, words)) fail_msg("\"%s\" says nothing of \"%s\"", error.message, words);
    fp_arena_free(arena);
}

static void what_cannot_be_split_is_refused(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    made of = make_corpus(arena), one = make_corpus(arena), few = make_corpus(arena), positive = make_corpus(arena),
         negative = make_corpus(arena);
    refuse_split(&of.corpus, (fp_split_options){2, 1, 100}, "3 to 20");
    for (size_t i = 0; i < DOCUMENTS; i++) one.group[i] = 0;
    refuse_split(&one.corpus, FIVE, "one unit");
    for (size_t i = 0; i < DOCUMENTS; i++) few.group[i] = (uint32_t)(i / (DOCUMENTS / 4));
    refuse_split(&few.corpus, FIVE, "4 units");
    for (size_t i = 0; i < positive.corpus.pair_count; i++) positive.pairs[i].label = 0;
    refuse_split(&positive.corpus, FIVE, "no positives");
    size_t kept = 0;
    for (size_t i = 0; i < negative.corpus.pair_count; i++)
        if (negative.pairs[i].label) negative.pairs[kept++] = negative.pairs[i];
    negative.corpus.pair_count = kept;
    refuse_split(&negative.corpus, FIVE, "no negatives");
    for (size_t i = 0; i < of.corpus.pair_count; i++)
        if (of.pairs[i].a >= MEMBERS) of.pairs[i].label = 0;
    refuse_split(&of.corpus, FIVE, "all positive pairs lie in one unit");
    of.corpus.truth = FP_TRUTH_NONE;
    refuse_split(&of.corpus, FIVE, "no ground truth");
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_document_is_on_both_sides),      cmocka_unit_test(positive_pairs_make_units),
        cmocka_unit_test(splits_follow_the_seed_alone),      cmocka_unit_test(sets_are_numbered),
        cmocka_unit_test(groups_keep_a_sample_of_negatives), cmocka_unit_test(samples_are_fair),
        cmocka_unit_test(what_cannot_be_split_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
