/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sorting once, and counting in weighted bins. */
#include "eval/measures/ranking.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

/* ---- Making ---- */

size_t *fp_bins_within(const double *distance, size_t bin_count, const double *thresholds, size_t threshold_count,
                       fp_arena *arena) {
    size_t *reach = fp_arena_raw(arena, threshold_count, sizeof *reach), bin = 0;
    for (size_t t = 0; reach && t < threshold_count; t++) {
        while (bin < bin_count && distance[bin] <= thresholds[t]) bin++;
        reach[t] = bin;
    }
    return reach;
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
    ranking->reach = FP_NEED(fp_bins_within(distance, ranking->bin_count, thresholds, threshold_count, arena), error);
    return FP_OK;
}

/* ---- Passing ---- */

void fp_ranking_fill(const fp_ranking *ranking, const uint32_t *weight, uint64_t *cells) {
    const uint32_t *slot = ranking->slot;
    for (size_t i = 0; i < ranking->pair_count; i++) cells[slot[i]] += weight ? weight[i] : 1;
}

/* Writes every bin as a step, which the next overwrites unless it holds positives: a branch would be unpredictable. */
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

fp_status fp_ranked_of_histogram(const fp_histogram *histogram, fp_arena *arena, fp_ranked *ranked, fp_error *error) {
    size_t count = histogram->count;
    double *distance = FP_NEED(fp_arena_raw(arena, count, sizeof *distance), error);
    uint64_t *cells = FP_NEED(fp_arena_raw(arena, count, 2 * sizeof *cells), error);
    fp_ranked_step *steps = FP_NEED(fp_arena_raw(arena, count, sizeof *steps), error);
    for (size_t bin = 0; bin < count; bin++) {
        distance[bin] = histogram->bars[bin].distance;
        cells[2 * bin] = histogram->bars[bin].negatives;
        cells[2 * bin + 1] = histogram->bars[bin].positives;
    }
    *ranked = fp_ranked_of(count, distance, cells, steps);
    return FP_OK;
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

/* ---- Labelled pairs as queries ---- */

const size_t fp_retrieval_cutoffs[FP_RETRIEVAL_CUTOFFS] = {5, 10, 15, 20, 30, 100, 200, 500, 1000};

/* A partner of a query. */
typedef struct partner {
    fp_string query;
    fp_ranked_item item;
} partner;

FP_COMPARES(by_score, partner,
            fp_string_compare(a->query, b->query) ?: FP_ORDER(b->item.score, a->item.score) ?:
            fp_string_compare(b->item.item, a->item.item));

/* Marks the documents that have a positive pair. Readers refuse repeated pairs and documents paired with themselves;
 * the view by document pairs each document with itself. */
static fp_status mark_queries(const fp_corpus *corpus, bool *is_query, fp_error *error) {
    for (size_t i = 0; i < corpus->pair_count; i++) {
        fp_pair pair = corpus->pairs[i];
        if (pair.a == pair.b) return fp_fail(error, FP_ERROR_RANGE, "pair %zu pairs a document with itself", i + 1);
        if (pair.label) is_query[pair.a] = is_query[pair.b] = true;
    }
    return FP_OK;
}

/* The partners of every query, sorted; at most two a pair. */
static size_t list_partners(const fp_corpus *corpus, const double *distances, const bool *is_query, partner *list) {
    size_t count = 0;
    for (size_t i = 0; i < corpus->pair_count; i++) {
        fp_pair pair = corpus->pairs[i];
        fp_string a = corpus->documents[pair.a].id, b = corpus->documents[pair.b].id;
        if (is_query[pair.a]) list[count++] = (partner){a, {b, -distances[i], pair.label != 0}};
        if (is_query[pair.b]) list[count++] = (partner){b, {a, -distances[i], pair.label != 0}};
    }
    if (count) qsort(list, count, sizeof *list, by_score);
    return count;
}

fp_status fp_retrieval_from_pairs(const fp_corpus *corpus, const double *distances, fp_arena *arena,
                                  fp_retrieval *retrieval, fp_error *error) {
    FP_SCRATCH(scratch, arena, error);
    bool *is_query = FP_NEED(fp_arena_alloc(scratch, corpus->document_count, sizeof *is_query), error);
    partner *partners = FP_NEED(fp_arena_raw(scratch, corpus->pair_count, 2 * sizeof *partners), error);
    FP_TRY(mark_queries(corpus, is_query, error));
    size_t count = list_partners(corpus, distances, is_query, partners);
    fp_ranked_item *ranked = FP_NEED(fp_arena_raw(arena, count, sizeof *ranked), error);
    fp_query *queries = FP_NEED(fp_arena_raw(arena, corpus->document_count, sizeof *queries), error), *query = queries;
    *retrieval = (fp_retrieval){.queries = queries};
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || !fp_string_equal(partners[i].query, partners[i - 1].query)) {
            query = queries + retrieval->count++;
            *query = (fp_query){.name = partners[i].query, .ranked = ranked + i};
        }
        ranked[i] = partners[i].item;
        query->retrieved++;
        query->relevant += ranked[i].relevant;
    }
    return FP_OK;
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
