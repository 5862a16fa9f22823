/* SPDX-License-Identifier: GPL-3.0-or-later
 * The public interface of evaluations (fplab/eval.h, fplab/corpus.h): figures by hand, laws, and everything that is
 * refused. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "eval/evaluation/evaluation.h"
#include "eval/evaluation/findings.h"
#include "eval/evaluation/outcome.h"
#include "tests/support.h"

static bool near(double a, double b, double within) { return fabs(a - b) <= within; }

#define NEWSWIRE "tests/data/newswire-zh"

/* ---- Six pairs ---- */

/* By hand, at h = 2: the distances 1 (+), 2 (−), 2 (+) are called; 5 (−), 3 (+), 9 (−) are not. */
static const fp_pair SIX[] = {{0, 1, 1}, {2, 3, 0}, {4, 5, 1}, {6, 7, 0}, {8, 9, 1}, {10, 11, 0}};
static const double DISTANCES[] = {1, 2, 2, 5, 3, 9};

static fp_evaluation *six(fp_corpus **corpus, const fp_evaluation_options *options) {
    fp_evaluation *evaluation;
    fp_error error = {0};
    assert_int_equal(fp_corpus_of_pairs("six", 12, SIX, 6, NULL, corpus, &error), FP_OK);
    assert_int_equal(fp_evaluation_open(*corpus, options, &evaluation, &error), FP_OK);
    assert_int_equal(fp_evaluation_add_distances(evaluation, "mine", DISTANCES, &error), FP_OK);
    return evaluation;
}

static double value_of(const fp_evaluation *evaluation, size_t arm, const char *measure) {
    fp_result result;
    fp_error error = {0};
    assert_int_equal(fp_evaluation_measure(evaluation, arm, measure, &result, &error), FP_OK);
    return result.value;
}

static void test_by_hand(void **state) {
    (void)state;
    fp_corpus *corpus;
    fp_evaluation_options options = FP_EVALUATION_OPTIONS;
    options.prevalence = 0.01;
    fp_evaluation *evaluation = six(&corpus, &options);
    fp_error error = {0};
    assert_int_equal(fp_evaluation_run(evaluation, &error), FP_OK);
    fp_confusion at = fp_evaluation_counts(evaluation, 0, 2);
    assert_true(at.tp == 2 && at.fp == 1 && at.fn == 1 && at.tn == 2);
    assert_true(near(value_of(evaluation, 0, "precision@2"), 2 / 3., 1e-15));
    assert_true(near(value_of(evaluation, 0, "recall@2"), 2 / 3., 1e-15));
    assert_true(near(value_of(evaluation, 0, "f1@2"), 2 / 3., 1e-15));
    assert_true(near(value_of(evaluation, 0, "specificity@2"), 2 / 3., 1e-15));
    /* Points at 1, 2, 3: 1/3·1 + 1/3·2/3 + 1/3·3/4. */
    assert_true(near(value_of(evaluation, 0, "average_precision"), (1 + 2 / 3. + 3 / 4.) / 3, 1e-15));
    /* Of nine couples the positive is nearer in 3 + 2½ + 2. */
    assert_true(near(value_of(evaluation, 0, "roc_area"), 7.5 / 9, 1e-15));
    assert_true(near(value_of(evaluation, 0, "best_f1"), 6 / 7., 1e-15));
    assert_true(near(fp_evaluation_best_threshold(evaluation, 0), 3, 0));
    /* TPR·π/(TPR·π + FPR·(1 − π)) */
    assert_true(near(value_of(evaluation, 0, "precision_at_prevalence@2"), 2 / 3. * .01 / (2 / 3. * .01 + 1 / 3. * .99),
                     1e-15));
    size_t count;
    const fp_point *points = fp_evaluation_curve(evaluation, 0, &count);
    assert_int_equal(count, 5);
    assert_true(points[1].distance == 2 && points[1].confusion.tp == 2 && points[4].confusion.tn == 0);
    assert_int_equal(fp_evaluation_thresholds(evaluation, &count)[9], 10);
    assert_int_equal(count, 10);
    assert_true(isnan(fp_evaluation_difference(evaluation, 0, 0).difference));
    assert_null(fp_evaluation_caution(evaluation, 0));
    assert_int_equal(fp_evaluation_empty(evaluation, 0), 0);
    assert_non_null(strstr(fp_evaluation_describe(evaluation), "independent"));
    fp_evaluation_close(evaluation);
    fp_corpus_close(corpus);
}

/* Level document: with the pairs (0,1,+) and (0,2,−), the documents 0 and 1 have a duplicate and 2 has none. */
static void test_documents(void **state) {
    (void)state;
    static const fp_pair PAIRS[] = {{0, 1, 1}, {0, 2, 0}};
    static const double NEAR[] = {4, 2};
    fp_corpus *corpus;
    fp_evaluation *evaluation;
    fp_error error = {0};
    fp_evaluation_options options = FP_EVALUATION_OPTIONS;
    options.level = FP_LEVEL_DOCUMENT;
    assert_int_equal(fp_corpus_of_pairs("three", 3, PAIRS, 2, NULL, &corpus, &error), FP_OK);
    assert_int_equal(fp_evaluation_open(corpus, &options, &evaluation, &error), FP_OK);
    assert_int_equal(fp_evaluation_add_distances(evaluation, "mine", NEAR, &error), FP_OK);
    assert_int_equal(fp_evaluation_run(evaluation, &error), FP_OK);
    fp_confusion at = fp_evaluation_counts(evaluation, 0, 2);
    assert_true(at.tp == 1 && at.fp == 1 && at.fn == 1 && at.tn == 0);
    fp_evaluation_close(evaluation);
    fp_corpus_close(corpus);
}

/* ---- The program's own figures ---- */

static void same_as(const fp_inference *from, const fp_measure *measure, size_t place, const fp_evaluation *evaluation,
                    size_t arm, const char *name) {
    fp_result result;
    fp_error error = {0};
    size_t i = 0;
    while (i < from->measure_count && !fp_measure_same(&from->measures[i].measure, measure)) i++;
    assert_true(i < from->measure_count);
    const fp_estimate *own = fp_inference_at(from, i, arm) + place;
    assert_int_equal(fp_evaluation_measure(evaluation, arm, name, &result, &error), FP_OK);
    assert_true(!isnan(own->interval.low));
    assert_true(result.value == own->value && result.low == own->interval.low && result.high == own->interval.high);
}

/* Of pairs that share nothing, the duplicates among them rather farther than the others, the gain area is below 0,
 * where no share has a law: its interval is Student's, as far up as down, and of pairs with as many degrees of freedom
 * as there are that is the normal law's 1.96 standard errors. */
static void test_below_the_range(void **state) {
    (void)state;
    enum { PAIRS = 60 };
    static const char *const MEASURES[] = {"precision_recall_gain_area"};
    fp_pair pairs[PAIRS];
    double distances[PAIRS];
    for (uint32_t i = 0; i < PAIRS; i++) {
        pairs[i] = (fp_pair){2 * i, 2 * i + 1, i % 3 == 0};
        distances[i] = (double)((i * 7 + (pairs[i].label ? 25 : 0)) % 40);
    }
    fp_evaluation_options options = FP_EVALUATION_OPTIONS;
    options.measures = MEASURES, options.measure_count = 1;
    fp_corpus *corpus;
    fp_evaluation *evaluation;
    fp_result area;
    fp_error error = {0};
    assert_int_equal(fp_corpus_of_pairs("apart", 2 * PAIRS, pairs, PAIRS, NULL, &corpus, &error), FP_OK);
    assert_int_equal(fp_evaluation_open(corpus, &options, &evaluation, &error), FP_OK);
    assert_int_equal(fp_evaluation_add_distances(evaluation, "reversed", distances, &error), FP_OK);
    assert_int_equal(fp_evaluation_run(evaluation, &error), FP_OK);
    assert_int_equal(fp_evaluation_measure(evaluation, 0, MEASURES[0], &area, &error), FP_OK);
    assert_true(area.value < 0 && area.standard_error > 0);
    assert_true(near(area.high - area.value, area.value - area.low, 1e-12));
    assert_true(near((area.high - area.value) / area.standard_error, 1.959963984540054, 0.1));
    fp_evaluation_close(evaluation);
    fp_corpus_close(corpus);
}

/* Every threshold, measure and difference, to the last bit, as fp_findings has them for `fplab eval`. */
static void test_as_findings(void **state) {
    (void)state;
    static const char *const SPECS[] = {"simhash", "minhash:seed=1", "cosine"}, *const FURTHER[] = {
                                                                                    "f_beta:2",
                                                                                    "precision_recall_gain_area"};
    fp_measure further[2];
    double thresholds[10];
    fp_error error = {0};
    fp_arena *arena = fp_arena_new();
    fp_corpus *corpus;
    fp_evaluation *evaluation;
    fp_arm *arms[3];
    for (int h = 0; h < 10; h++) thresholds[h] = h + 1;
    for (size_t i = 0; i < 2; i++) assert_int_equal(fp_measure_find(FURTHER[i], 0, further + i, &error), FP_OK);
    assert_int_equal(fp_corpus_open(NEWSWIRE, NULL, &corpus, &error), FP_OK);
    fp_questions questions = {.inference = {.method = FP_METHOD_MID_P,
                                            .confidence = 0.95,
                                            .replicates = 1000,
                                            .seed = 1,
                                            .thresholds = thresholds,
                                            .threshold_count = 10,
                                            .further = further,
                                            .further_count = 2}};
    fp_findings findings;
    for (size_t i = 0; i < 3; i++) assert_int_equal(fp_arm_parse(SPECS[i], NULL, arena, arms + i, &error), FP_OK);
    fp_contestants contestants = {.count = 3, .arms = arms};
    assert_int_equal(fp_findings_open(&questions, 1, false, arena, &findings, &error), FP_OK);
    assert_int_equal(fp_findings_measure(&findings, corpus, &contestants, NULL, arena, &error), FP_OK);
    assert_int_equal(fp_findings_analyse(&findings, &contestants, NULL, arena, &error), FP_OK);
    const fp_outcome *outcome = findings.outcomes;

    fp_evaluation_options options = FP_EVALUATION_OPTIONS;
    options.progress.threads = 1;
    options.measures = FURTHER;
    options.measure_count = 2;
    assert_int_equal(fp_evaluation_open(corpus, &options, &evaluation, &error), FP_OK);
    assert_int_equal(fp_evaluation_add_arm(evaluation, SPECS[0], NULL, &error), FP_OK);
    /* One of them as distances of its own. */
    assert_int_equal(fp_evaluation_add_distances(evaluation, SPECS[1], outcome->measurements[1].distances, &error),
                     FP_OK);
    assert_int_equal(fp_evaluation_add_arm(evaluation, SPECS[2], NULL, &error), FP_OK);
    assert_int_equal(fp_evaluation_run(evaluation, &error), FP_OK);
    for (size_t arm = 0; arm < 3; arm++) {
        assert_string_equal(fp_evaluation_arm_name(evaluation, arm), SPECS[arm]);
        assert_memory_equal(outcome->measurements[arm].distances, evaluation->outcome.measurements[arm].distances,
                            corpus->pair_count * sizeof(double));
        for (size_t t = 0; t < 10; t++) {
            char name[40];
            fp_result recall;
            const fp_estimate *own = fp_inference_of(outcome->inference, &fp_measure_recall, arm) + t;
            snprintf(name, sizeof name, "recall@%zu", t + 1);
            assert_int_equal(fp_evaluation_measure(evaluation, arm, name, &recall, &error), FP_OK);
            assert_true(recall.value == own->value && recall.low == own->interval.low &&
                        recall.high == own->interval.high && recall.standard_error == own->error);
        }
        assert_true(value_of(evaluation, arm, "roc_area") ==
                    fp_seeds_curve_mean(outcome, arm, offsetof(fp_curve, roc_area)));
        same_as(outcome->inference, further + 0, 4, evaluation, arm, "f_beta:2@5");
        same_as(outcome->inference, further + 1, 0, evaluation, arm, FURTHER[1]);
    }
    for (size_t c = 0; c < 3; c++) {
        const fp_comparison *pair = outcome->inference->comparisons + c;
        fp_compared forth = fp_evaluation_difference(evaluation, pair->first, pair->second),
                    back = fp_evaluation_difference(evaluation, pair->second, pair->first);
        assert_true(forth.difference == pair->difference.value && forth.low == pair->difference.interval.low &&
                    forth.p == pair->difference.p && forth.adjusted == pair->adjusted);
        assert_true(back.difference == -forth.difference && back.low == -forth.high && back.high == -forth.low &&
                    back.p == forth.p);
    }
    fp_evaluation_close(evaluation);
    fp_findings_free(&findings);
    fp_corpus_close(corpus);
    fp_arena_free(arena);
}

/* ---- Corpora ---- */

static fp_status count_text(void *context, size_t document, fp_string text, fp_error *error) {
    size_t *seen = context;
    assert_int_equal(document, *seen);
    assert_true(text.length > 0);
    if (++*seen == 100) return fp_fail(error, FP_ERROR_RANGE, "enough");
    return FP_OK;
}

static void test_corpus(void **state) {
    (void)state;
    fp_corpus *corpus;
    fp_error error = {0};
    size_t count, seen = 0;
    assert_int_equal(fp_corpus_open(NEWSWIRE "/", NULL, &corpus, &error), FP_OK);
    assert_string_equal(fp_corpus_name(corpus), "newswire-zh");
    assert_int_equal(fp_corpus_truth(corpus), FP_TRUTH_PAIRS);
    assert_int_equal(fp_corpus_document_count(corpus), 168);
    assert_non_null(fp_corpus_pairs(corpus, &count));
    assert_int_equal(count, 918);
    assert_int_equal(fp_corpus_skipped(corpus), 0);
    fp_string id = fp_corpus_id(corpus, 0);
    assert_true(fp_string_equal(id, fp_string_of("transport-01-original")));
    assert_int_equal(fp_corpus_group(corpus, 0), fp_corpus_group(corpus, 1));
    assert_int_equal(fp_corpus_read_texts(corpus, count_text, &seen, &error), FP_ERROR_RANGE);
    assert_int_equal(seen, 100);
    fp_corpus_close(corpus);
    assert_int_equal(fp_corpus_open("corpora/data/none", NULL, &corpus, &error), FP_ERROR_IO);
    assert_null(corpus);
    assert_int_equal(fp_corpus_open("corpora/data/none", NULL, &corpus, NULL), FP_ERROR_IO);
    fp_corpus_close(NULL);
    fp_corpus_opening nothing = {.size = 0};
    assert_int_equal(fp_corpus_open(NEWSWIRE, &nothing, &corpus, &error), FP_ERROR_ABI);
}

static void refuse_pairs(fp_pair pair, fp_status status) {
    fp_corpus *corpus;
    fp_error error = {0};
    assert_int_equal(fp_corpus_of_pairs("one", 2, &pair, 1, NULL, &corpus, &error), status);
    assert_null(corpus);
    assert_non_null(strstr(error.message, "pair 0 ("));
}

static void test_pairs_refused(void **state) {
    (void)state;
    fp_corpus *corpus;
    fp_error error = {0};
    refuse_pairs((fp_pair){0, 2, 1}, FP_ERROR_RANGE);
    refuse_pairs((fp_pair){2, 0, 1}, FP_ERROR_RANGE);
    refuse_pairs((fp_pair){1, 1, 1}, FP_ERROR_RANGE);
    refuse_pairs((fp_pair){0, 1, 2}, FP_ERROR_RANGE);
    static const fp_pair TWICE[] = {{0, 1, 1}, {1, 2, 0}, {1, 0, 1}}, BOTH[] = {{0, 1, 1}, {1, 2, 0}, {2, 1, 1}};
    assert_int_equal(fp_corpus_of_pairs("twice", 3, TWICE, 3, NULL, &corpus, &error), FP_ERROR_DUPLICATE);
    assert_string_equal(error.message, "pair 2 (1, 0, 1) repeats pair 0");
    assert_int_equal(fp_corpus_of_pairs("both", 3, BOTH, 3, NULL, &corpus, &error), FP_ERROR_DUPLICATE);
    assert_string_equal(error.message, "pair 2 (2, 1, 1) contradicts pair 1");
    assert_int_equal(fp_corpus_of_pairs("none", 2, NULL, 0, NULL, &corpus, &error), FP_ERROR_EMPTY);
    /* Refused before documents are made, which here would take gigabytes. */
    static const fp_pair SELF[] = {{1, 1, 0}};
    assert_int_equal(fp_corpus_of_pairs("self", UINT32_MAX - 2, SELF, 1, NULL, &corpus, &error), FP_ERROR_RANGE);
    assert_int_equal(fp_corpus_of_pairs("many", UINT32_MAX, SIX, 6, NULL, &corpus, &error), FP_ERROR_RANGE);
    fp_corpus_opening nothing = {.size = 0};
    assert_int_equal(fp_corpus_of_pairs("six", 12, SIX, 6, &nothing, &corpus, &error), FP_ERROR_ABI);
    assert_null(corpus);
}

/* ---- Options ---- */

static void refuse(fp_evaluation_options options, fp_status status, const char *words) {
    fp_corpus *corpus;
    fp_evaluation *evaluation;
    fp_error error = {0};
    assert_int_equal(fp_corpus_of_pairs("six", 12, SIX, 6, NULL, &corpus, &error), FP_OK);
    assert_int_equal(fp_evaluation_open(corpus, &options, &evaluation, &error), status);
    assert_null(evaluation);
    if (!strstr(error.message, words)) fail_msg("no word of %s: %s", words, error.message);
    assert_int_equal(fp_evaluation_open(corpus, &options, &evaluation, NULL), status);
    fp_corpus_close(corpus);
}

#define WITH(...) ((fp_evaluation_options){.size = sizeof(fp_evaluation_options), __VA_ARGS__})

static void test_options_refused(void **state) {
    (void)state;
    static const double FALLING[] = {2, 1}, NEGATIVE[] = {-1}, ENDLESS[] = {INFINITY};
    refuse(WITH(.thresholds = FALLING, .threshold_count = 2), FP_ERROR_RANGE, "threshold 1 is 1");
    refuse(WITH(.thresholds = NEGATIVE, .threshold_count = 1), FP_ERROR_RANGE, "threshold 0 is -1");
    refuse(WITH(.thresholds = ENDLESS, .threshold_count = 1), FP_ERROR_RANGE, "threshold 0 is inf");
    refuse(WITH(.thresholds = FALLING), FP_ERROR_RANGE, "no threshold");
    refuse(WITH(.confidence = 1), FP_ERROR_RANGE, "confidence is 1");
    refuse(WITH(.confidence = NAN), FP_ERROR_RANGE, "confidence");
    refuse(WITH(.prevalence = -0.5), FP_ERROR_RANGE, "prevalence is -0.5");
    refuse(WITH(.replicates = 1000001), FP_ERROR_RANGE, "1000001 replicates");
    refuse(WITH(.replicates = 199), FP_ERROR_RANGE, "199 replicates are not 200 to 1000000");
    refuse(WITH(.level = FP_LEVEL_CLUSTER), FP_ERROR_RANGE, "level 2");
    refuse(WITH(.interval = FP_METHOD_BCA + 1), FP_ERROR_RANGE, "interval 4");
    refuse(WITH(.empty = FP_EMPTY_ONE + 1), FP_ERROR_RANGE, "empty 3");
    refuse(WITH(.compared = "recall@11"), FP_ERROR_RANGE, "11");
    static const char *const PLACED[] = {"f_beta:2@5"}, *const UNKNOWN[] = {"matthews_correlation", "recal"};
    refuse(WITH(.measures = PLACED, .measure_count = 1), FP_ERROR_RANGE, "f_beta");
    refuse(WITH(.measures = UNKNOWN, .measure_count = 2), FP_ERROR_UNKNOWN, "recall");
    refuse((fp_evaluation_options){.size = 1}, FP_ERROR_ABI, "size is 1");
}

/* A struct of a later version is taken where what is new in it is zero; one of an earlier version, of which the end is
 * missing, too. */
static void test_sizes(void **state) {
    (void)state;
    struct {
        fp_evaluation_options known;
        size_t further;
    } later = {{.size = sizeof later, .confidence = 0.9}, 0};
    fp_corpus *corpus;
    fp_error error = {0};
    fp_evaluation *evaluation = six(&corpus, &later.known);
    assert_true(near(evaluation->inference.confidence, 0.9, 0));
    fp_evaluation_close(evaluation);
    later.further = 1;
    assert_int_equal(fp_evaluation_open(corpus, &later.known, &evaluation, &error), FP_ERROR_ABI);
    fp_corpus_close(corpus);
    fp_evaluation_options earlier = {
        .size = offsetof(fp_evaluation_options, prevalence), .confidence = 0.9, .prevalence = 7};
    evaluation = six(&corpus, &earlier);
    assert_true(near(evaluation->inference.confidence, 0.9, 0));
    assert_true(near(evaluation->inference.prevalence, 0, 0));
    fp_evaluation_close(evaluation);
    fp_corpus_close(corpus);
}

/* ---- What takes part ---- */

static void test_entrants_refused(void **state) {
    (void)state;
    static const double NEGATIVE[] = {1, 2, -3, 4, 5, 6}, NOT[] = {1, 2, 3, 4, 5, NAN},
                        ENDLESS[] = {INFINITY, 2, 3, 4, 5, 6};
    fp_corpus *corpus;
    fp_error error = {0};
    fp_result result;
    fp_evaluation *evaluation = six(&corpus, NULL);
    assert_int_equal(fp_evaluation_add_distances(evaluation, "a", NEGATIVE, &error), FP_ERROR_RANGE);
    assert_string_equal(error.message, "the distance of pair 2, 4 and 5, is -3");
    assert_int_equal(fp_evaluation_add_distances(evaluation, "a", NOT, &error), FP_ERROR_RANGE);
    assert_int_equal(fp_evaluation_add_distances(evaluation, "a", ENDLESS, &error), FP_ERROR_RANGE);
    assert_int_equal(fp_evaluation_add_distances(evaluation, "mine", DISTANCES, &error), FP_ERROR_DUPLICATE);
    assert_int_equal(fp_evaluation_add_arm(evaluation, "simhash", NULL, &error), FP_ERROR_EMPTY); /* no texts */
    assert_int_equal(fp_evaluation_run(evaluation, &error), FP_OK);
    assert_int_equal(fp_evaluation_arm_count(evaluation), 1);
    assert_int_equal(fp_evaluation_run(evaluation, &error), FP_ERROR_RANGE);
    assert_int_equal(fp_evaluation_add_distances(evaluation, "late", DISTANCES, &error), FP_ERROR_RANGE);
    assert_int_equal(fp_evaluation_measure(evaluation, 0, "recall@11", &result, &error), FP_ERROR_RANGE);
    assert_int_equal(fp_evaluation_measure(evaluation, 0, "recal", &result, &error), FP_ERROR_UNKNOWN);
    fp_evaluation_close(evaluation);
    assert_int_equal(fp_evaluation_open(corpus, NULL, &evaluation, &error), FP_OK);
    assert_int_equal(fp_evaluation_run(evaluation, &error), FP_ERROR_EMPTY);
    fp_evaluation_close(evaluation);
    fp_evaluation_close(NULL);
    fp_corpus_close(corpus);
}

static const char *write_file(const char *content) {
    static char path[] = "/tmp/fplab-scores-XXXXXX";
    strcpy(path, "/tmp/fplab-scores-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, content, strlen(content)) == (ssize_t)strlen(content));
    close(file);
    return path;
}

/* Five of the six pairs, two rows of others: counted, named, and given a distance or refused. */
static void test_scores(void **state) {
    (void)state;
    const char *path = write_file("1\t0\t1\n2\t3\t2\r\n0\t2\t7\n\n4\t5\t2\n6\t7\t5\n8\t9\t3\n0\t3\t7\n");
    fp_corpus *corpus;
    fp_error error = {0};
    fp_score_reading reading = {.size = sizeof reading};
    fp_evaluation *evaluation = six(&corpus, NULL);
    assert_int_equal(fp_evaluation_add_scores(evaluation, "file", path, &reading, &error), FP_ERROR_EMPTY);
    assert_string_equal(error.message, "1 of 6 labelled pairs have no distance; the first is 10 11");
    assert_string_equal(error.file, path);
    reading.missing = 9;
    assert_int_equal(fp_evaluation_add_scores(evaluation, "file", path, &reading, &error), FP_OK);
    assert_true(reading.rows == 7 && reading.without == 1 && reading.first_without == 5);
    assert_true(reading.unlabelled == 2 && reading.unlabelled_line == 3);
    assert_int_equal(fp_evaluation_run(evaluation, &error), FP_OK);
    /* The same distances: no difference. */
    assert_true(value_of(evaluation, 0, "roc_area") == value_of(evaluation, 1, "roc_area"));
    fp_compared of = fp_evaluation_difference(evaluation, 0, 1);
    assert_true(of.difference == 0 && of.p == 1);
    fp_evaluation_close(evaluation);
    fp_corpus_close(corpus);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),       cmocka_unit_test(test_documents),
        cmocka_unit_test(test_as_findings),   cmocka_unit_test(test_corpus),
        cmocka_unit_test(test_pairs_refused), cmocka_unit_test(test_options_refused),
        cmocka_unit_test(test_sizes),         cmocka_unit_test(test_entrants_refused),
        cmocka_unit_test(test_scores),        cmocka_unit_test(test_below_the_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
