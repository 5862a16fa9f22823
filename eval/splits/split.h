/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * split.h - documents dealt into folds so that what is learned on some folds can be tried on another: no document, and
 * no duplicate of it, is on both sides.
 *
 * A unit is a set of documents that hang together through shared groups and positive pairs. Units that listed negative
 * pairs compare make a block (unit_blocks.h); blocks are dealt whole. A pair belongs to a fold when both its documents
 * do: every positive pair does, and every pair inside a block; a negative pair between two blocks may fall across
 * folds, and is then left out. With k folds about one in k of those stays, and each stands for all (Horvitz, Thompson,
 * JASA 47, 1952): it weighs as many as were drawn from for each that was kept, so that precision refers to the share of
 * positives in the whole set.
 */
#ifndef FP_SPLIT_H
#define FP_SPLIT_H

#include "corpora/corpus.h"

enum { FP_SPLIT_FEWEST_FOLDS = 3, FP_SPLIT_MOST_FOLDS = 20 };

typedef struct fp_split_options {
    size_t folds; /* FP_SPLIT_FEWEST_FOLDS … FP_SPLIT_MOST_FOLDS */
    uint64_t seed;
    size_t most_negatives; /* a corpus of groups has all pairs of documents: of its negatives no more than this many are
                              kept */
} fp_split_options;

typedef struct fp_fold {
    size_t units, documents, positives, negatives; /* pairs that belong to the fold */
} fp_fold;

typedef struct fp_split {
    size_t fold_count;
    fp_fold folds[FP_SPLIT_MOST_FOLDS];
    size_t document_count, unit_count;
    const uint32_t *unit;  /* [document_count] */
    const uint32_t *block; /* [document_count] what was dealt */
    const uint8_t *fold;   /* [document_count] */
    size_t pair_count;     /* kept */
    const fp_pair *pairs;  /* [pair_count] */
    const uint8_t *pair_fold;
    const bool *across;            /* [pair_count] a negative between two blocks, which has the weight */
    double weight;                 /* ≥ 1 */
    uint64_t positives, negatives; /* in the whole set */
    uint64_t dropped;              /* negatives across folds */
    uint64_t sampled_out;          /* negatives inside folds, beyond most_negatives */
} fp_split;

/* Deals by seed, as folds.h has it. Everything lives in `arena`.
 * FP_ERROR_EMPTY when there is nothing to tune on: no positives, no negatives, one unit, fewer units than folds, all
 * positives in one unit, all negatives across folds; the corpus is named. */
fp_status fp_split_make(const fp_corpus *corpus, const fp_split_options *options, fp_arena *arena, fp_split *split,
                        fp_error *error);

/* The folds alone, of units that are dealt one by one, and no pairs: for who has a use for pairs across folds, too.
 * `most_negatives` is not read. Errors as above but for the negatives across folds. */
fp_status fp_split_deal(const fp_corpus *corpus, const fp_split_options *options, fp_arena *arena, fp_split *split,
                        fp_error *error);

#endif
