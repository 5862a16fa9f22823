/* SPDX-License-Identifier: GPL-3.0-or-later
 * Drawn negatives through the library: a corpus of groups, one of labelled pairs, and one that has no more. */
#include <fplab/eval.h>

#include "eval/evaluation/levels.h"
#include "tests/eval/made_corpus.h"

static fp_evaluation *run(const fp_corpus *corpus, uint64_t negatives, uint64_t seed) {
    fp_evaluation_options options = FP_EVALUATION_OPTIONS;
    fp_evaluation *evaluation;
    options.negatives = negatives;
    options.seed = &seed;
    ASSERT_GOOD(fp_evaluation_open(corpus, &options, &evaluation, &test_error));
    ASSERT_GOOD(fp_evaluation_add_arm(evaluation, "jaccard:features=chars:1", NULL, &test_error));
    ASSERT_GOOD(fp_evaluation_run(evaluation, &test_error));
    return evaluation;
}

static void negatives_are_drawn_by_the_seed(void **state) {
    (void)state;
    made it = make_corpus(200, 4, true);
    fp_evaluation *whole = run(&it.corpus, 0, 1), *one = run(&it.corpus, 500, 1), *same = run(&it.corpus, 500, 1),
                  *other = run(&it.corpus, 500, 2);
    bool differs = false, estimated = false;
    for (double h = 0; h < 64; h++) {
        fp_confusion all = fp_evaluation_counts(whole, 0, h), drawn = fp_evaluation_counts(one, 0, h),
                     again = fp_evaluation_counts(same, 0, h), others = fp_evaluation_counts(other, 0, h);
        assert_int_equal(drawn.tp, all.tp);
        assert_int_equal(drawn.fn, all.fn);
        assert_int_equal(drawn.fp + drawn.tn, all.fp + all.tn);
        assert_memory_equal(&drawn, &again, sizeof drawn);
        differs |= drawn.fp != others.fp;
        estimated |= drawn.fp != all.fp;
    }
    assert_true(differs && estimated);
    fp_evaluation_close(whole);
    fp_evaluation_close(one);
    fp_evaluation_close(same);
    fp_evaluation_close(other);
    fp_arena_free(it.arena);
}

static void a_list_has_nothing_to_draw(void **state) {
    (void)state;
    made it = make_corpus(40, 4, true);
    fp_corpus listed;
    fp_evaluation_options options = FP_EVALUATION_OPTIONS;
    fp_evaluation *evaluation;
    options.negatives = 10;
    ASSERT_GOOD(fp_corpus_view_pairs(&it.corpus, it.arena, &listed, &test_error));
    assert_int_equal(fp_evaluation_open(&listed, &options, &evaluation, &test_error), FP_ERROR_RANGE);
    assert_null(evaluation);
    fp_arena_free(it.arena);
}

/* All pairs of 40 documents are listed, as without the option. */
static void no_more_than_there_are_is_all(void **state) {
    (void)state;
    made it = make_corpus(40, 4, true);
    size_t count;
    fp_evaluation *evaluation = run(&it.corpus, 780, 1);
    assert_non_null(fp_evaluation_pairs(evaluation, &count));
    assert_int_equal(count, 780);
    fp_evaluation_close(evaluation);
    fp_arena_free(it.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(negatives_are_drawn_by_the_seed),
        cmocka_unit_test(a_list_has_nothing_to_draw),
        cmocka_unit_test(no_more_than_there_are_is_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
