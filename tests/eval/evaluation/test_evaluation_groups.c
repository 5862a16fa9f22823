/* SPDX-License-Identifier: GPL-3.0-or-later
 * Evaluations of corpora of groups through the public interface: one document, few, and more than are listed as pairs.
 */
#include <fplab/eval.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support.h"

/* Documents in groups of two, of which the second repeats the first. Texts stay in their file until the corpus is
 * closed. */
static char directory[64], path[80];

static fp_corpus *open_groups(size_t count) {
    fp_corpus *corpus;
    fp_error error = {0};
    strcpy(directory, "/tmp/fplab-groups-XXXXXX");
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/docs.jsonl", directory);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (size_t i = 0; i < count; i++)
        fprintf(file, "{\"id\": \"%zu\", \"group\": \"g%zu\", \"text\": \"the %zu text of %zu\"}\n", i, i / 2,
                i / 2 * 7919, (i / 2) * (i / 2));
    assert_int_equal(fclose(file), 0);
    assert_int_equal(fp_corpus_open(directory, NULL, &corpus, &error), FP_OK);
    assert_int_equal(fp_corpus_truth(corpus), FP_TRUTH_GROUPS);
    return corpus;
}

static void close_groups(fp_corpus *corpus) {
    fp_corpus_close(corpus);
    unlink(path);
    rmdir(directory);
}

/* Which make no pair. */
static void test_one_document(void **state) {
    (void)state;
    fp_corpus *corpus = open_groups(1);
    fp_evaluation *evaluation;
    fp_error error = {0};
    assert_int_equal(fp_evaluation_open(corpus, NULL, &evaluation, &error), FP_ERROR_EMPTY);
    assert_string_equal(error.message, "the corpus has one document, and no pair");
    close_groups(corpus);
}

/* Up to 707 documents all pairs are listed, in order, and may have distances; labels are those of the groups. */
static void test_small_groups(void **state) {
    (void)state;
    static const double OWN[6] = {1, 9, 9, 9, 9, 1};
    fp_corpus *corpus = open_groups(4);
    fp_evaluation *evaluation;
    fp_error error = {0};
    fp_result result;
    size_t count;
    assert_int_equal(fp_evaluation_open(corpus, NULL, &evaluation, &error), FP_OK);
    const fp_pair *pairs = fp_evaluation_pairs(evaluation, &count);
    assert_int_equal(count, 6);
    for (size_t i = 0; i < 6; i++) assert_int_equal(pairs[i].label, OWN[i] == 1);
    assert_null(fp_corpus_pairs(corpus, &count));
    assert_int_equal(count, 0);
    assert_int_equal(fp_evaluation_add_distances(evaluation, "own", OWN, &error), FP_OK);
    assert_int_equal(fp_evaluation_run(evaluation, &error), FP_OK);
    assert_int_equal(fp_evaluation_measure(evaluation, 0, "roc_area", &result, &error), FP_OK);
    assert_true(result.value == 1);
    fp_evaluation_close(evaluation);
    close_groups(corpus);
}

/* With more, arms alone: all pairs are counted. */
static void test_large_groups(void **state) {
    (void)state;
    fp_evaluation_options options = FP_EVALUATION_OPTIONS;
    fp_corpus *corpus = open_groups(708);
    fp_evaluation *evaluation;
    fp_error error = {0};
    fp_result result;
    size_t count;
    options.level = FP_LEVEL_DOCUMENT;
    assert_int_equal(fp_evaluation_open(corpus, &options, &evaluation, &error), FP_ERROR_RANGE);
    options.level = FP_LEVEL_PAIR;
    options.replicates = 200;
    assert_int_equal(fp_evaluation_open(corpus, &options, &evaluation, &error), FP_OK);
    assert_null(fp_evaluation_pairs(evaluation, &count));
    assert_int_equal(count, 0);
    assert_int_equal(fp_evaluation_add_distances(evaluation, "own", (double[]){1}, &error), FP_ERROR_EMPTY);
    assert_int_equal(fp_evaluation_add_scores(evaluation, "own", "none", NULL, &error), FP_ERROR_EMPTY);
    assert_int_equal(fp_evaluation_add_arm(evaluation, "simhash", NULL, &error), FP_OK);
    assert_int_equal(fp_evaluation_add_arm(evaluation, "exact", NULL, &error), FP_OK);
    assert_int_equal(fp_evaluation_run(evaluation, &error), FP_OK);
    fp_confusion all = fp_evaluation_counts(evaluation, 0, 64);
    assert_int_equal(all.tp, 354);
    assert_int_equal(all.tp + all.fp + all.fn + all.tn, 708 * 707 / 2);
    assert_int_equal(fp_evaluation_measure(evaluation, 0, "recall@10", &result, &error), FP_OK);
    assert_true(result.value == 1 && result.high == 1 && result.low > 0.9);
    assert_int_equal(fp_evaluation_measure(evaluation, 0, "roc_area", &result, &error), FP_OK);
    assert_true(result.value > 0.9 && result.low < result.value && result.high >= result.value);
    double difference = fp_evaluation_difference(evaluation, 0, 1).difference;
    assert_true(difference == difference);
    fp_evaluation_close(evaluation);
    close_groups(corpus);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_document), cmocka_unit_test(test_small_groups),
                                       cmocka_unit_test(test_large_groups)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
