/* SPDX-License-Identifier: GPL-3.0-or-later
 * The ranking view: examples worked by hand from the definitions, and the figures of
 * tests/eval/measures/retrieval_figures.py, which computes them apart. With a directory as its argument it compares
 * those of that directory alone. */
#include <math.h>

#include "eval/measures/ranking.h"
#include "tests/support.h"

#define NAMED(text) \
    { text, sizeof(text) - 1 }

static void assert_near(double value, double expected) {
    if (!(fabs(value - expected) < 1e-12)) fail_msg("%.17g is not %.17g", value, expected);
}

/* ---- Results and judgements apart, as trec_eval reads them ---- */

typedef struct retrieved {
    fp_string query;
    fp_ranked_item item;
} retrieved;

/* Relevant at levels ≥ 1. */
typedef struct judged {
    fp_string query, item;
    int64_t level;
} judged;

static size_t relevant_of(fp_string query, const fp_string *item, const judged *judgements, size_t count,
                          size_t *known) {
    size_t relevant = *known = 0;
    for (size_t i = 0; i < count; i++) {
        if (!fp_string_equal(judgements[i].query, query)) continue;
        ++*known;
        relevant += judgements[i].level >= 1 && (!item || fp_string_equal(judgements[i].item, *item));
    }
    return relevant;
}

/* Results as labelled pairs of a query and an item at the distance −score: the order is that of
 * fp_retrieval_from_pairs, in which a query has a positive pair. So the pairs of a query without relevant results are
 * all positive. */
static fp_retrieval rank(const retrieved *results, size_t count, fp_arena *arena) {
    fp_corpus_document *documents = fp_arena_alloc(arena, 2 * count, sizeof *documents);
    fp_pair *pairs = fp_arena_alloc(arena, count, sizeof *pairs);
    double *distances = fp_arena_alloc(arena, count, sizeof *distances);
    for (size_t i = 0; i < count; i++) {
        size_t first = count, hits = 0;
        for (size_t k = count; k-- > 0;) {
            if (!fp_string_equal(results[k].query, results[i].query)) continue;
            first = k;
            hits += results[k].item.relevant;
        }
        documents[i].id = results[i].item.item;
        documents[count + i].id = results[i].query;
        pairs[i] = (fp_pair){(uint32_t)(count + first), (uint32_t)i, results[i].item.relevant || !hits};
        distances[i] = -results[i].item.score;
    }
    fp_corpus corpus = {.documents = documents, .document_count = 2 * count, .pairs = pairs, .pair_count = count};
    fp_retrieval made;
    ASSERT_GOOD(fp_retrieval_from_pairs(&corpus, distances, arena, &made, &test_error));
    return made;
}

/* The queries that have both results and judgements; the latter also count relevant items that were not retrieved. */
static fp_retrieval join(const retrieved *results, size_t result_count, const judged *judgements,
                         size_t judgement_count, fp_arena *arena) {
    retrieved *marked = fp_arena_alloc(arena, result_count, sizeof *marked);
    size_t known;
    for (size_t i = 0; i < result_count; i++) {
        marked[i] = results[i];
        marked[i].item.relevant =
            relevant_of(results[i].query, &results[i].item.item, judgements, judgement_count, &known);
    }
    fp_retrieval ranked = rank(marked, result_count, arena);
    fp_query *queries = fp_arena_alloc(arena, ranked.count, sizeof *queries);
    fp_retrieval made = {.queries = queries};
    for (size_t q = 0; q < ranked.count; q++) {
        fp_query query = ranked.queries[q];
        size_t hits = 0;
        query.relevant = relevant_of(query.name, NULL, judgements, judgement_count, &known);
        if (!known) continue; /* an item, or a query without judgements */
        for (size_t i = 0; i < result_count; i++)
            hits += marked[i].item.relevant && fp_string_equal(marked[i].query, query.name);
        if (!hits) {
            fp_ranked_item *none = fp_arena_alloc(arena, query.retrieved, sizeof *none);
            for (size_t i = 0; i < query.retrieved; i++)
                none[i] = (fp_ranked_item){query.ranked[i].item, query.ranked[i].score, false};
            query.ranked = none;
        }
        queries[made.count++] = query;
    }
    return made;
}

/* ---- By hand ---- */

static const retrieved RESULTS[] = {
    {NAMED("tied"), {NAMED("x"), 1, false}},    {NAMED("plain"), {NAMED("c"), 0.7, false}},
    {NAMED("plain"), {NAMED("a"), 0.9, false}}, {NAMED("unjudged"), {NAMED("a"), 3, false}},
    {NAMED("plain"), {NAMED("d"), 0.6, false}}, {NAMED("tied"), {NAMED("z"), 1, false}},
    {NAMED("barren"), {NAMED("a"), 1, false}},  {NAMED("plain"), {NAMED("b"), 0.8, false}},
    {NAMED("plain"), {NAMED("e"), 0.5, false}}, {NAMED("tied"), {NAMED("y"), 1, false}},
};
static const judged JUDGEMENTS[] = {
    {NAMED("tied"), NAMED("z"), -1}, {NAMED("plain"), NAMED("f"), 1},  {NAMED("plain"), NAMED("a"), 1},
    {NAMED("plain"), NAMED("b"), 0}, {NAMED("plain"), NAMED("c"), 1},  {NAMED("tied"), NAMED("x"), 2},
    {NAMED("tied"), NAMED("y"), 0},  {NAMED("barren"), NAMED("a"), 0}, {NAMED("lost"), NAMED("a"), 1},
    {NAMED("plain"), NAMED("e"), 0},
};
enum { RESULT_COUNT = sizeof RESULTS / sizeof *RESULTS, JUDGEMENT_COUNT = sizeof JUDGEMENTS / sizeof *JUDGEMENTS };

static fp_retrieval hand_example(fp_arena *arena) {
    fp_retrieval retrieval = join(RESULTS, RESULT_COUNT, JUDGEMENTS, JUDGEMENT_COUNT, arena);
    assert_int_equal(retrieval.count, 3); /* neither "unjudged" nor "lost" */
    return retrieval;
}

static void assert_order(const fp_query *query, const char *name, const char *items, const char *hits) {
    assert_true(fp_string_equal(query->name, fp_string_of(name)));
    assert_int_equal(query->retrieved, strlen(items));
    for (size_t i = 0; i < query->retrieved; i++) {
        assert_int_equal(query->ranked[i].item.data[0], items[i]);
        assert_int_equal(query->ranked[i].relevant, hits[i] == '1');
    }
}

/* a c relevant at ranks 1 and 3, f relevant and not found, d judged by nobody. */
static void one_query_by_hand(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_retrieval retrieval = hand_example(arena);
    assert_order(retrieval.queries + 1, "plain", "abcde", "10100");
    fp_retrieval_measures figures = fp_retrieval_measure(retrieval.queries + 1);
    assert_int_equal(figures.retrieved, 5);
    assert_int_equal(figures.relevant, 3);
    assert_int_equal(figures.relevant_retrieved, 2);
    assert_near(figures.average_precision, (1 + 2.0 / 3) / 3);
    assert_near(figures.r_precision, 2.0 / 3);
    assert_near(figures.reciprocal_rank, 1);
    for (size_t k = 0; k < FP_RETRIEVAL_CUTOFFS; k++)
        assert_near(figures.precision[k], 2 / (double)fp_retrieval_cutoffs[k]);
    fp_arena_free(arena);
}

/* Equal scores: item names descend. Level 2 is relevant, 0 and −1 are not. */
static void ties_by_hand(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_retrieval retrieval = hand_example(arena);
    assert_order(retrieval.queries + 2, "tied", "zyx", "001");
    fp_retrieval_measures figures = fp_retrieval_measure(retrieval.queries + 2);
    assert_int_equal(figures.relevant, 1);
    assert_near(figures.average_precision, 1.0 / 3);
    assert_near(figures.reciprocal_rank, 1.0 / 3);
    assert_near(figures.r_precision, 0);
    fp_arena_free(arena);
}

/* The query without relevant items counts, with zeros. */
static void mean_by_hand(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_retrieval retrieval = hand_example(arena);
    assert_order(retrieval.queries, "barren", "a", "0");
    fp_retrieval_measures mean = fp_retrieval_mean(&retrieval);
    assert_int_equal(mean.retrieved, 9);
    assert_int_equal(mean.relevant, 4);
    assert_int_equal(mean.relevant_retrieved, 3);
    assert_near(mean.average_precision, 8.0 / 27);
    assert_near(mean.r_precision, 2.0 / 9);
    assert_near(mean.reciprocal_rank, 4.0 / 9);
    assert_near(mean.precision[0], (2 + 1) / 15.0);
    fp_arena_free(arena);
}

/* Twelve items, relevant at ranks 5, 6, 10 and 11: on both sides of the first two cut-offs. */
static void cutoffs_by_hand(void **state) {
    (void)state;
    static const bool HITS[12] = {[4] = true, [5] = true, [9] = true, [10] = true};
    fp_ranked_item ranked[12];
    for (size_t i = 0; i < 12; i++) ranked[i] = (fp_ranked_item){.score = -(double)i, .relevant = HITS[i]};
    fp_retrieval_measures figures = fp_retrieval_measure(&(fp_query){.retrieved = 12, .relevant = 5, .ranked = ranked});
    assert_near(figures.precision[0], 1.0 / 5);
    assert_near(figures.precision[1], 3.0 / 10);
    assert_near(figures.precision[2], 4.0 / 15);
    assert_near(figures.r_precision, 1.0 / 5);
    assert_near(figures.reciprocal_rank, 1.0 / 5);
    assert_near(figures.average_precision, (1.0 / 5 + 2.0 / 6 + 3.0 / 10 + 4.0 / 11) / 5);
}

static void nothing(void **state) {
    (void)state;
    fp_retrieval_measures mean = fp_retrieval_mean(&(fp_retrieval){0});
    assert_true(mean.retrieved == 0 && isnan(mean.average_precision) && isnan(mean.precision[0]));
}

/* ---- Labelled pairs ---- */

static const fp_corpus_document DOCUMENTS[5] = {
    {.id = NAMED("A")}, {.id = NAMED("B")}, {.id = NAMED("C")}, {.id = NAMED("D")}, {.id = NAMED("E")}};

static fp_status from_pairs(const fp_pair *pairs, const double *distances, size_t count, fp_arena *arena,
                            fp_retrieval *retrieval) {
    fp_corpus corpus = {.documents = DOCUMENTS, .document_count = 5, .pairs = pairs, .pair_count = count};
    return fp_retrieval_from_pairs(&corpus, distances, arena, retrieval, &test_error);
}

/* C and E have no positive pair and are no queries. D's partners A and E are equally far. */
static void pairs_by_hand(void **state) {
    (void)state;
    static const fp_pair PAIRS[6] = {{0, 1, 1}, {2, 0, 0}, {0, 3, 1}, {1, 2, 0}, {2, 4, 0}, {4, 3, 0}};
    static const double DISTANCES[6] = {2, 1, 5, 7, 0, 5};
    fp_arena *arena = fp_arena_new();
    fp_retrieval retrieval;
    ASSERT_GOOD(from_pairs(PAIRS, DISTANCES, 6, arena, &retrieval));
    assert_int_equal(retrieval.count, 3);
    assert_order(retrieval.queries, "A", "CBD", "011");
    assert_order(retrieval.queries + 1, "B", "AC", "10");
    assert_order(retrieval.queries + 2, "D", "EA", "01");
    assert_near(retrieval.queries[0].ranked[1].score, -2);
    fp_retrieval_measures a = fp_retrieval_measure(retrieval.queries), mean = fp_retrieval_mean(&retrieval);
    assert_near(a.average_precision, (1.0 / 2 + 2.0 / 3) / 2);
    assert_near(a.r_precision, 1.0 / 2);
    assert_near(a.reciprocal_rank, 1.0 / 2);
    assert_near(a.precision[0], 2.0 / 5);
    assert_int_equal(mean.retrieved, 7);
    assert_int_equal(mean.relevant, 4);
    assert_int_equal(mean.relevant_retrieved, 4);
    assert_near(mean.average_precision, 25.0 / 36);
    assert_near(mean.r_precision, 1.0 / 2);
    assert_near(mean.reciprocal_rank, 2.0 / 3);
    fp_arena_free(arena);
}

static void pairs_that_cannot_be(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_retrieval retrieval;
    const fp_pair itself[2] = {{0, 1, 1}, {2, 2, 1}};
    const double distances[2] = {1, 1};
    assert_int_equal(from_pairs(itself, distances, 2, arena, &retrieval), FP_ERROR_RANGE);
    assert_string_equal(test_error.message, "pair 2 pairs a document with itself");
    ASSERT_GOOD(from_pairs(&(fp_pair){0, 1, 0}, distances, 1, arena, &retrieval));
    assert_int_equal(retrieval.count, 0);
    fp_arena_free(arena);
}

/* ---- Figures made elsewhere, in the formats of trec_eval ---- */

static const char *directory = "tests/data/retrieval";

/* Splits a line at blanks and tabs; the number of words, at most `limit`. */
static size_t split_words(fp_string line, fp_string *words, size_t limit) {
    size_t count = 0, i = 0;
    while (count < limit) {
        while (i < line.length && strchr(" \t", line.data[i])) i++;
        size_t begin = i;
        while (i < line.length && !strchr(" \t", line.data[i])) i++;
        if (i == begin) break;
        words[count++] = (fp_string){line.data + begin, i - begin};
    }
    return count;
}

static fp_string read_content(const char *name, fp_arena *arena) {
    fp_string content;
    ASSERT_GOOD(fp_read_file(fp_format(arena, "%s/%s", directory, name), arena, &content, &test_error));
    return content;
}

/* query Q0 item rank score run; trec_eval ignores the rank. */
static size_t read_results(fp_arena *arena, retrieved *results, size_t limit) {
    fp_string rest = read_content("results.test", arena), line, words[6];
    size_t count = 0;
    for (; fp_next_line(&rest, &line); count++) {
        assert_true(count < limit);
        assert_int_equal(split_words(line, words, 6), 6);
        results[count] = (retrieved){.query = words[0], .item.item = words[2]};
        assert_true(fp_parse_real(fp_string_copy(arena, words[4]), &results[count].item.score));
    }
    return count;
}

/* query 0 item level */
static size_t read_judgements(fp_arena *arena, judged *judgements, size_t limit) {
    fp_string rest = read_content("qrels.test", arena), line, words[4];
    size_t count = 0;
    for (; fp_next_line(&rest, &line); count++) {
        assert_true(count < limit);
        assert_int_equal(split_words(line, words, 4), 4);
        judgements[count] = (judged){.query = words[0], .item = words[2]};
        assert_true(fp_parse_integer(fp_string_copy(arena, words[3]), &judgements[count].level));
    }
    return count;
}

/* The figure as trec_eval prints it; false when it is not one of ours. */
static bool print_figure(const fp_retrieval_measures *figures, const char *name, char *out, size_t size) {
    const struct {
        const char *name;
        uint64_t count;
    } counts[] = {
        {"num_ret", figures->retrieved}, {"num_rel", figures->relevant}, {"num_rel_ret", figures->relevant_retrieved}};
    const struct {
        const char *name;
        double value;
    } measures[] = {
        {"map", figures->average_precision}, {"Rprec", figures->r_precision}, {"recip_rank", figures->reciprocal_rank}};
    for (size_t i = 0; i < 3; i++) {
        if (strcmp(name, counts[i].name) == 0)
            return snprintf(out, size, "%llu", (unsigned long long)counts[i].count) > 0;
        if (strcmp(name, measures[i].name) == 0) return snprintf(out, size, "%.4f", measures[i].value) > 0;
    }
    for (size_t k = 0; k < FP_RETRIEVAL_CUTOFFS; k++) {
        char cutoff[32];
        snprintf(cutoff, sizeof cutoff, "P_%zu", fp_retrieval_cutoffs[k]);
        if (strcmp(name, cutoff) == 0) return snprintf(out, size, "%.4f", figures->precision[k]) > 0;
    }
    return false;
}

static fp_retrieval_measures figures_of(const fp_retrieval *retrieval, fp_string query) {
    if (fp_string_equal(query, fp_string_of("all"))) return fp_retrieval_mean(retrieval);
    for (size_t i = 0; i < retrieval->count; i++)
        if (fp_string_equal(retrieval->queries[i].name, query)) return fp_retrieval_measure(retrieval->queries + i);
    fail_msg("no query %.*s", (int)query.length, query.data);
    return (fp_retrieval_measures){0};
}

/* Compares all lines of our measures; how many there were. */
static size_t compare_output(const char *path, const fp_retrieval *retrieval, fp_arena *arena) {
    fp_string rest = read_content(path, arena), line, words[3];
    size_t compared = 0;
    while (fp_next_line(&rest, &line)) {
        char printed[64];
        assert_int_equal(split_words(line, words, 3), 3);
        const char *name = fp_string_copy(arena, words[0]), *expected = fp_string_copy(arena, words[2]);
        fp_retrieval_measures figures = figures_of(retrieval, words[1]);
        if (!print_figure(&figures, name, printed, sizeof printed)) continue;
        if (strcmp(printed, expected) != 0)
            fail_msg("%s: %.*s is %s, not %s", path, (int)line.length, line.data, expected, printed);
        compared++;
    }
    return compared;
}

/* 3 counts, 3 measures and 9 precisions, for all queries and for each. */
static void figures_made_elsewhere(void **state) {
    (void)state;
    enum { LIMIT = 5000, MEASURES = 6 + FP_RETRIEVAL_CUTOFFS };
    static retrieved results[LIMIT];
    static judged judgements[LIMIT];
    fp_arena *arena = fp_arena_new();
    size_t result_count = read_results(arena, results, LIMIT),
           judgement_count = read_judgements(arena, judgements, LIMIT);
    fp_retrieval retrieval = join(results, result_count, judgements, judgement_count, arena);
    assert_true(retrieval.count >= 3);
    assert_int_equal(compare_output("out.test.aq", &retrieval, arena), (retrieval.count + 1) * MEASURES);
    fp_arena_free(arena);
}

int main(int count, char **argument) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_query_by_hand),
        cmocka_unit_test(ties_by_hand),
        cmocka_unit_test(mean_by_hand),
        cmocka_unit_test(cutoffs_by_hand),
        cmocka_unit_test(nothing),
        cmocka_unit_test(pairs_by_hand),
        cmocka_unit_test(pairs_that_cannot_be),
        cmocka_unit_test(figures_made_elsewhere),
    };
    const struct CMUnitTest elsewhere[] = {cmocka_unit_test(figures_made_elsewhere)};
    if (count == 2) {
        directory = argument[1];
        return cmocka_run_group_tests(elsewhere, NULL, NULL);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
