/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sorting once, and counting in weighted bins. */
#include "eval/measures/ranking.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Making ---- */

static fp_status make_reach(fp_ranking *ranking, const double *thresholds, fp_arena *arena, fp_error *error) {
    size_t *reach = FP_NEED(fp_arena_raw(arena, ranking->threshold_count, sizeof *reach), error), bin = 0;
    for (size_t t = 0; t < ranking->threshold_count; t++) {
        if (t && !(thresholds[t - 1] < thresholds[t])) return fp_fail(error, FP_ERROR_RANGE, "thresholds must ascend");
        while (bin < ranking->bin_count && ranking->distance[bin] <= thresholds[t]) bin++;
        reach[t] = bin;
    }
    ranking->reach = reach;
    return FP_OK;
}

fp_status fp_ranking_make(const double *distances, const fp_pair *pairs, size_t count, const double *thresholds,
                          size_t threshold_count, fp_arena *arena, fp_ranking *ranking, fp_error *error) {
    *ranking = (fp_ranking){.pair_count = count, .threshold_count = threshold_count};
    if (count > INT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "%zu pairs are more than can be ranked", count);
    FP_SCRATCH(scratch, arena, error);
    size_t *order = FP_NEED(fp_arena_raw(scratch, count, sizeof *order), error);
    uint32_t *slot = FP_NEED(fp_arena_raw(arena, count, sizeof *slot), error);
    double *distance = FP_NEED(fp_arena_raw(arena, count, sizeof *distance), error);
    gsl_sort_index(order, distances, 1, count);
    for (size_t i = 0; i < count; i++) {
        size_t pair = order[i];
        if (i == 0 || distances[pair] != distance[ranking->bin_count - 1])
            distance[ranking->bin_count++] = distances[pair];
        slot[pair] = (uint32_t)(2 * (ranking->bin_count - 1) + (pairs[pair].label != 0));
    }
    ranking->slot = slot;
    ranking->distance = distance;
    return make_reach(ranking, thresholds, arena, error);
}

/* ---- Passing ---- */

void fp_ranking_fill(const fp_ranking *ranking, const uint32_t *weight, uint64_t *cells) {
    const uint32_t *slot = ranking->slot;
    for (size_t i = 0; i < ranking->pair_count; i++) cells[slot[i]] += weight ? weight[i] : 1;
}

/* Every bin is written as a step, and the next written over it unless it holds positives: a branch would be as good as
 * random. */
static void pass_bins(fp_ranked *of, size_t from, size_t to, fp_ranked_step *steps) {
    uint64_t tp = of->positives, fp = of->negatives;
    size_t count = of->step_count;
    for (size_t bin = from; bin < to; bin++) {
        fp += of->cells[2 * bin];
        tp += of->cells[2 * bin + 1];
        steps[count] = (fp_ranked_step){bin, tp, fp};
        count += of->cells[2 * bin + 1] != 0;
    }
    of->positives = tp;
    of->negatives = fp;
    of->step_count = count;
}

fp_ranked fp_ranked_of(size_t bin_count, const double *distance, const uint64_t *cells, fp_ranked_step *steps) {
    fp_ranked of = {.bin_count = bin_count, .distance = distance, .cells = cells, .steps = steps};
    pass_bins(&of, 0, bin_count, steps);
    return of;
}

fp_ranked fp_ranking_count(const fp_ranking *ranking, const uint64_t *cells, fp_ranked_step *steps, fp_called *called) {
    fp_ranked of = {.bin_count = ranking->bin_count, .distance = ranking->distance, .cells = cells, .steps = steps};
    size_t bin = 0;
    for (size_t t = 0; t < ranking->threshold_count; t++) {
        pass_bins(&of, bin, ranking->reach[t], steps);
        bin = ranking->reach[t];
        called[t] = (fp_called){of.positives, of.negatives};
    }
    pass_bins(&of, bin, ranking->bin_count, steps);
    return of;
}

/* ----
 * Results and judgements are sorted alike and merged, then each query's items are put in the order of their scores.
 */

const size_t fp_retrieval_cutoffs[FP_RETRIEVAL_CUTOFFS] = {5, 10, 15, 20, 30, 100, 200, 500, 1000};

/* ---- Joining results and judgements ---- */

static int by_name(fp_string query_a, fp_string item_a, fp_string query_b, fp_string item_b) {
    int order = fp_string_compare(query_a, query_b);
    return order ? order : fp_string_compare(item_a, item_b);
}

FP_COMPARES(by_result, fp_retrieved, by_name(a->query, a->item, b->query, b->item));

FP_COMPARES(by_judgement, fp_relevance, by_name(a->query, a->item, b->query, b->item));

static int by_score(const void *a, const void *b) {
    const fp_ranked_item *left = a, *right = b;
    if (left->score != right->score) return left->score > right->score ? -1 : 1;
    return fp_string_compare(right->item, left->item);
}

static fp_status twice(fp_string query, fp_string item, const char *where, fp_error *error) {
    return fp_fail(error, FP_ERROR_DUPLICATE, "duplicate item %.*s among the %s of query %.*s", (int)item.length,
                   item.data, where, (int)query.length, query.data);
}

static fp_status sort_results(const fp_retrieved *results, size_t count, fp_arena *scratch, fp_retrieved **out,
                              fp_error *error) {
    fp_retrieved *sorted = FP_NEED(fp_arena_raw(scratch, count, sizeof *sorted), error);
    *out = sorted;
    if (count == 0) return FP_OK;
    memcpy(sorted, results, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_result);
    for (size_t i = 0; i < count; i++) {
        fp_string query = sorted[i].query;
        if (isnan(sorted[i].score))
            return fp_fail(error, FP_ERROR_RANGE, "a score of query %.*s is not a number", (int)query.length,
                           query.data);
        if (i && by_result(sorted + i - 1, sorted + i) == 0) return twice(query, sorted[i].item, "results", error);
    }
    return FP_OK;
}

static fp_status sort_judgements(const fp_relevance *judgements, size_t count, fp_arena *scratch, fp_relevance **out,
                                 fp_error *error) {
    fp_relevance *sorted = FP_NEED(fp_arena_raw(scratch, count, sizeof *sorted), error);
    *out = sorted;
    if (count == 0) return FP_OK;
    memcpy(sorted, judgements, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_judgement);
    for (size_t i = 1; i < count; i++)
        if (by_judgement(sorted + i - 1, sorted + i) == 0)
            return twice(sorted[i].query, sorted[i].item, "judgements", error);
    return FP_OK;
}

static size_t result_end(const fp_retrieved *results, size_t begin, size_t count) {
    size_t end = begin + 1;
    while (end < count && fp_string_equal(results[begin].query, results[end].query)) end++;
    return end;
}

static size_t judgement_end(const fp_relevance *judgements, size_t begin, size_t count) {
    size_t end = begin + 1;
    while (end < count && fp_string_equal(judgements[begin].query, judgements[end].query)) end++;
    return end;
}

/* One query from its results and judgements, both ascending by item; fills ranked[result_count]. */
static fp_query make_query(const fp_retrieved *results, size_t result_count, const fp_relevance *judgements,
                           size_t judgement_count, fp_ranked_item *ranked) {
    fp_query query = {.name = results->query, .retrieved = result_count, .ranked = ranked};
    size_t j = 0;
    for (size_t i = 0; i < result_count; i++) {
        while (j < judgement_count && fp_string_compare(judgements[j].item, results[i].item) < 0) j++;
        bool judged = j < judgement_count && fp_string_equal(judgements[j].item, results[i].item);
        ranked[i] = (fp_ranked_item){results[i].item, results[i].score, judged && judgements[j].level >= 1};
    }
    for (j = 0; j < judgement_count; j++) query.relevant += judgements[j].level >= 1;
    qsort(ranked, result_count, sizeof *ranked, by_score);
    return query;
}

static fp_status join(const fp_retrieved *results, size_t result_count, const fp_relevance *judgements,
                      size_t judgement_count, fp_arena *arena, fp_retrieval *retrieval, fp_error *error) {
    size_t queries = 0, r = 0, j = 0;
    for (size_t i = 0; i < result_count; i = result_end(results, i, result_count)) queries++;
    fp_ranked_item *ranked = FP_NEED(fp_arena_raw(arena, result_count, sizeof *ranked), error);
    fp_query *made = FP_NEED(fp_arena_raw(arena, queries, sizeof *made), error);
    *retrieval = (fp_retrieval){.queries = made};
    while (r < result_count && j < judgement_count) {
        size_t next_r = result_end(results, r, result_count), next_j = judgement_end(judgements, j, judgement_count);
        int order = fp_string_compare(results[r].query, judgements[j].query);
        if (order == 0)
            made[retrieval->count++] = make_query(results + r, next_r - r, judgements + j, next_j - j, ranked + r);
        if (order <= 0) r = next_r;
        if (order >= 0) j = next_j;
    }
    return FP_OK;
}

fp_status fp_retrieval_make(const fp_retrieved *results, size_t result_count, const fp_relevance *judgements,
                            size_t judgement_count, fp_arena *arena, fp_retrieval *retrieval, fp_error *error) {
    fp_retrieved *sorted_results = NULL;
    fp_relevance *sorted_judgements = NULL;
    FP_SCRATCH(scratch, arena, error);
    FP_TRY(sort_results(results, result_count, scratch, &sorted_results, error));
    FP_TRY(sort_judgements(judgements, judgement_count, scratch, &sorted_judgements, error));
    return join(sorted_results, result_count, sorted_judgements, judgement_count, arena, retrieval, error);
}

/* ---- Labelled pairs ---- */

/* Marks the documents that have a positive pair. */
static fp_status mark_queries(const fp_corpus *corpus, bool *is_query, fp_error *error) {
    const fp_pair *pairs = corpus->pairs;
    for (size_t i = 0; i < corpus->pair_count; i++) {
        if (pairs[i].a >= corpus->document_count || pairs[i].b >= corpus->document_count)
            return fp_fail(error, FP_ERROR_RANGE, "pair %zu names a document that is not there", i + 1);
        if (pairs[i].a == pairs[i].b)
            return fp_fail(error, FP_ERROR_RANGE, "pair %zu pairs a document with itself", i + 1);
        if (pairs[i].label) is_query[pairs[i].a] = is_query[pairs[i].b] = true;
    }
    return FP_OK;
}

fp_status fp_retrieval_from_pairs(const fp_corpus *corpus, const double *distances, fp_arena *arena,
                                  fp_retrieval *retrieval, fp_error *error) {
    FP_SCRATCH(scratch, arena, error);
    if (corpus->pair_count > SIZE_MAX / 2) return fp_no_memory(error);
    bool *is_query = FP_NEED(fp_arena_alloc(scratch, corpus->document_count, sizeof *is_query), error);
    fp_retrieved *results = FP_NEED(fp_arena_raw(scratch, 2 * corpus->pair_count, sizeof *results), error);
    fp_relevance *judgements = FP_NEED(fp_arena_raw(scratch, 2 * corpus->pair_count, sizeof *judgements), error);
    size_t made = 0;
    FP_TRY(mark_queries(corpus, is_query, error));
    for (size_t i = 0; i < corpus->pair_count; i++) {
        fp_pair pair = corpus->pairs[i];
        for (int side = 0; side < 2; side++) {
            uint32_t query = side ? pair.b : pair.a, item = side ? pair.a : pair.b;
            if (!is_query[query]) continue;
            fp_string name = corpus->documents[query].id, other = corpus->documents[item].id;
            results[made] = (fp_retrieved){name, other, -distances[i]};
            judgements[made++] = (fp_relevance){name, other, pair.label != 0};
        }
    }
    return fp_retrieval_make(results, made, judgements, made, arena, retrieval, error);
}

/* ---- Measures ---- */

fp_retrieval_measures fp_retrieval_measure(const fp_query *query) {
    fp_retrieval_measures measures = {.retrieved = query->retrieved, .relevant = query->relevant};
    size_t hits[FP_RETRIEVAL_CUTOFFS] = {0}, early = 0;
    double sum = 0;
    for (size_t i = 0; i < query->retrieved; i++) {
        if (!query->ranked[i].relevant) continue;
        double rank = (double)(i + 1);
        if (measures.relevant_retrieved++ == 0) measures.reciprocal_rank = 1 / rank;
        sum += (double)measures.relevant_retrieved / rank;
        early += i < query->relevant;
        for (size_t k = 0; k < FP_RETRIEVAL_CUTOFFS; k++) hits[k] += i < fp_retrieval_cutoffs[k];
    }
    if (query->relevant) {
        measures.average_precision = sum / (double)query->relevant;
        measures.r_precision = (double)early / (double)query->relevant;
    }
    for (size_t k = 0; k < FP_RETRIEVAL_CUTOFFS; k++)
        measures.precision[k] = (double)hits[k] / (double)fp_retrieval_cutoffs[k];
    return measures;
}

fp_retrieval_measures fp_retrieval_mean(const fp_retrieval *retrieval) {
    fp_retrieval_measures mean = {0};
    double count = retrieval->count ? (double)retrieval->count : NAN;
    for (size_t i = 0; i < retrieval->count; i++) {
        fp_retrieval_measures one = fp_retrieval_measure(retrieval->queries + i);
        mean.retrieved += one.retrieved;
        mean.relevant += one.relevant;
        mean.relevant_retrieved += one.relevant_retrieved;
        mean.average_precision += one.average_precision;
        mean.r_precision += one.r_precision;
        mean.reciprocal_rank += one.reciprocal_rank;
        for (size_t k = 0; k < FP_RETRIEVAL_CUTOFFS; k++) mean.precision[k] += one.precision[k];
    }
    mean.average_precision /= count;
    mean.r_precision /= count;
    mean.reciprocal_rank /= count;
    for (size_t k = 0; k < FP_RETRIEVAL_CUTOFFS; k++) mean.precision[k] /= count;
    return mean;
}
