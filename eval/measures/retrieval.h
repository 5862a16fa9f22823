/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * retrieval.h - the ranking view: queries, each with a ranked list of items of which some are relevant, and the
 * measures of such lists as the program trec_eval of the Text REtrieval Conference defines them (Buckley, Voorhees,
 * Retrieval System Evaluation, 2005).
 *
 * What is not defined elsewhere in this room is a number here, because it is one in trec_eval: a query without relevant
 * items counts in the means with 0 for every measure. The view of labelled pairs below has no such queries.
 */
#ifndef FP_RETRIEVAL_H
#define FP_RETRIEVAL_H

#include "corpora/corpus.h"

/* An item that was found for a query; a larger score ranks higher. */
typedef struct fp_retrieved {
    fp_string query, item;
    double score;
} fp_retrieved;

/* A judgement: relevant at levels ≥ 1. Items that nobody judged are not relevant. */
typedef struct fp_relevance {
    fp_string query, item;
    int64_t level;
} fp_relevance;

typedef struct fp_ranked_item {
    fp_string item;
    double score;
    bool relevant;
} fp_ranked_item;

typedef struct fp_query {
    fp_string name;
    size_t retrieved; /* items in the list */
    size_t relevant;  /* relevant items, found or not */
    const fp_ranked_item
        *ranked; /* [retrieved] by score, largest first; equal scores by item, in descending byte order */
} fp_query;

typedef struct fp_retrieval {
    size_t count; /* queries, by name in byte order */
    const fp_query *queries;
} fp_retrieval;

/* Keeps the queries that have both results and judgements, as trec_eval does by default. The arrays may be in any
 * order; the view refers to their strings and lives in `arena`. FP_ERROR_DUPLICATE when an item stands twice for a
 * query in either array, FP_ERROR_RANGE when a score is not a number. */
fp_status fp_retrieval_make(const fp_retrieved *results, size_t result_count, const fp_relevance *judgements,
                            size_t judgement_count, fp_arena *arena, fp_retrieval *retrieval, fp_error *error);

/* Labelled pairs as queries: every document that has a positive pair is a query, its labelled partners are the items,
 * score = −distance, and a partner is relevant when the pair's label is not 0. Documents without a positive pair are
 * skipped, since nothing could be found for them. Every labelled partner is retrieved, so recall is always 1; it is the
 * order that is measured. Partners at one distance stand in descending byte order of their ids: nothing about the
 * texts, the same on every machine. distances[corpus->pair_count]. FP_ERROR_DUPLICATE when two
 * documents are paired twice, FP_ERROR_RANGE when a document is paired with itself or is not there, or a distance is
 * not a number. */
fp_status fp_retrieval_from_pairs(const fp_corpus *corpus, const double *distances, fp_arena *arena,
                                  fp_retrieval *retrieval, fp_error *error);

enum { FP_RETRIEVAL_CUTOFFS = 9 };
/* 5, 10, 15, 20, 30, 100, 200, 500, 1000: the ranks at which precision is taken. */
extern const size_t fp_retrieval_cutoffs[FP_RETRIEVAL_CUTOFFS];

/* Comments give the names in trec_eval. */
typedef struct fp_retrieval_measures {
    uint64_t retrieved;          /* num_ret */
    uint64_t relevant;           /* num_rel */
    uint64_t relevant_retrieved; /* num_rel_ret */
    double average_precision; /* map: the precision at each relevant item's rank, 0 for one not found, averaged over the
                                 relevant items */
    double r_precision;       /* Rprec: relevant items among the first R, over R = number of relevant items */
    double reciprocal_rank;   /* recip_rank: 1 / rank of the first relevant item; 0 when none is found */
    double precision[FP_RETRIEVAL_CUTOFFS]; /* P_k: relevant items among the first k, over k even where fewer were
                                               retrieved */
} fp_retrieval_measures;

/* Of one query. */
fp_retrieval_measures fp_retrieval_measure(const fp_query *query);
/* Of all: counts are summed, measures averaged with equal weight for each query; NaN when there are no queries. */
fp_retrieval_measures fp_retrieval_mean(const fp_retrieval *retrieval);

#endif
