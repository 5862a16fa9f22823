/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ranking.h - labelled pairs in the order of their distance, sorted once, so that every measure under any weights of
 * the pairs takes one pass.
 */
#ifndef FP_RANKING_H
#define FP_RANKING_H

#include "corpora/corpus.h"
#include "eval/measures/histogram.h"

/* The pairs of one arm. A bin holds the pairs of one distance. */
typedef struct fp_ranking {
    size_t pair_count, bin_count;
    const double *distance; /* [bin_count] ascending strictly */
    const uint32_t *slot;   /* [pair_count] 2·bin + label */
    size_t threshold_count;
    const size_t *reach; /* [threshold_count] number of bins at a distance ≤ the threshold */
} fp_ranking;

/* A bin that holds positives, with the sums over all bins up to it and with it. */
typedef struct fp_ranked_step {
    size_t bin;
    uint64_t tp, fp;
} fp_ranked_step;

/* Pairs counted, or weighted, per distance and label: the input of every measure over the range of distances. Most
 * measures change only at positives: in a replicate a quarter of the bins of real distances has some, so the steps,
 * made once for all measures, are much fewer than the bins. */
typedef struct fp_ranked {
    size_t bin_count;
    const double *distance;        /* [bin_count] ascending strictly */
    const uint64_t *cells;         /* [2·bin_count] at 2·bin negatives, at 2·bin + 1 positives: sums of weights */
    uint64_t positives, negatives; /* of all bins */
    size_t step_count;
    const fp_ranked_step *steps; /* [step_count] in the order of the bins */
} fp_ranked;

/* Counts at a threshold: sums of the weights of the pairs that are called duplicates. */
typedef struct fp_called {
    uint64_t tp, fp;
} fp_called;

/* `distances` (none NaN) belong to `pairs`; `thresholds` ascend strictly. Lives in `arena`. At most 2³¹ − 1 pairs. */
fp_status fp_ranking_make(const double *distances, const fp_pair *pairs, size_t count, const double *thresholds,
                          size_t threshold_count, fp_arena *arena, fp_ranking *ranking, fp_error *error);

/* The number of bins within each threshold, [threshold_count] in `arena`; `distance` and `thresholds` ascend. NULL: out
 * of memory. */
size_t *fp_bins_within(const double *distance, size_t bin_count, const double *thresholds, size_t threshold_count,
                       fp_arena *arena);

/* Adds the weights of the pairs to cells[2·bin_count], which must be zero; `weight` NULL: 1 each. */
void fp_ranking_fill(const fp_ranking *ranking, const uint32_t *weight, uint64_t *cells);
/* Cells with their sums and steps, for which steps[bin_count] has room; refers to all three. */
fp_ranked fp_ranked_of(size_t bin_count, const double *distance, const uint64_t *cells, fp_ranked_step *steps);
/* The same of a finished histogram; everything lives in `arena`. */
fp_status fp_ranked_of_histogram(const fp_histogram *histogram, fp_arena *arena, fp_ranked *ranked, fp_error *error);
/* The same of the filled cells of a ranking, and the counts at each threshold; called[threshold_count]. */
fp_ranked fp_ranking_count(const fp_ranking *ranking, const uint64_t *cells, fp_ranked_step *steps, fp_called *called);

/* ----
 * The ranking view: queries, each with a ranked list of items of which some are relevant, and the measures of such
 * lists as trec_eval of the Text REtrieval Conference defines them (Buckley, Voorhees, Retrieval System Evaluation,
 * 2005): a query without relevant items counts as 0 in the means. The view of labelled pairs has no such queries.
 */

typedef struct fp_ranked_item {
    fp_string item;
    double score; /* a larger one ranks higher */
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

/* Labelled pairs as queries: every document with a positive pair is a query, its labelled partners are the items, score
 * = −distance, and a partner is relevant when the label is not 0. Every partner is retrieved, so recall is always 1;
 * only the order is measured. Partners at equal distance are in descending byte order of their ids, the same on every
 * machine. distances[corpus->pair_count]; the view lives in `arena` and refers to the ids of the corpus. FP_ERROR_RANGE
 * when a document is paired with itself. */
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
