/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which corpora of groups have their pairs listed, and how many negatives are drawn of the others. */
#include "eval/evaluation/levels.h"

#include "tests/eval/made_corpus.h"

/* 250,000 pairs are the most: those of 707 documents are 249,571, of 708 250,278. */
static void few_documents_are_listed(void **state) {
    (void)state;
    static const struct {
        size_t documents;
        bool listed;
    } ROWS[] = {{0, false}, {1, false}, {2, true}, {707, true}, {708, false}, {250000, false}, {5000000000, false}};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        fp_corpus corpus = {.truth = FP_TRUTH_GROUPS, .document_count = ROWS[i].documents};
        assert_int_equal(fp_corpus_view_can_list(&corpus), ROWS[i].listed);
        corpus.truth = FP_TRUTH_PAIRS;
        assert_false(fp_corpus_view_can_list(&corpus));
    }
}

/* Row by row, labelled by the groups; a document without a group has no duplicate. */
static void pairs_are_those_of_the_groups(void **state) {
    (void)state;
    for (size_t documents = 2; documents <= 30; documents++) {
        made it = make_corpus(documents, 3, true);
        fp_corpus view;
        size_t place = 0;
        ASSERT_GOOD(fp_corpus_view_evaluated(&it.corpus, 0, it.arena, &view, &test_error));
        assert_true(view.truth == FP_TRUTH_PAIRS && view.from_groups);
        for (uint32_t a = 0; a < documents; a++)
            for (uint32_t b = a + 1; b < documents; b++, place++) {
                fp_pair pair = view.pairs[place];
                bool same = a % 7 != 6 && b % 7 != 6 && a / 3 == b / 3;
                assert_true(pair.a == a && pair.b == b && pair.label == same && view.kinds[place].length == 0);
            }
        assert_int_equal(view.pair_count, place);
        fp_arena_free(it.arena);
    }
    made it = make_corpus(1, 3, true);
    fp_corpus view;
    assert_int_equal(fp_corpus_view_evaluated(&it.corpus, 0, it.arena, &view, &test_error), FP_ERROR_EMPTY);
    assert_non_null(strstr(test_error.message, "one document"));
    fp_arena_free(it.arena);
}

/* 20 documents in groups of four, of which the seventh, the 14th and so on are alone: 190 pairs, the duplicates of 17
 * documents are 6 + 3 + 6 + 3 + 6 = 24. */
static void draws_are_fewer_than_there_are(void **state) {
    (void)state;
    static const uint64_t ASKED[] = {0, 1, 165, 166, 167, UINT64_MAX}, DRAWN[] = {0, 1, 165, 0, 0, 0};
    made it = make_corpus(20, 4, true);
    for (size_t i = 0; i < sizeof ASKED / sizeof *ASKED; i++) {
        uint64_t negatives;
        fp_corpus view;
        ASSERT_GOOD(fp_corpus_view_draws(&it.corpus, ASKED[i], &negatives, &test_error));
        assert_int_equal(negatives, DRAWN[i]);
        ASSERT_GOOD(fp_corpus_view_evaluated(&it.corpus, ASKED[i], it.arena, &view, &test_error));
        assert_int_equal(view.truth, DRAWN[i] ? FP_TRUTH_GROUPS : FP_TRUTH_PAIRS);
    }
    fp_arena_free(it.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(few_documents_are_listed),
                                       cmocka_unit_test(pairs_are_those_of_the_groups),
                                       cmocka_unit_test(draws_are_fewer_than_there_are)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
