/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * split.h - assignment of documents to folds, so that a pair can be measured and evaluated by models fitted without its
 * documents.
 *
 * A unit is a connected component of shared groups and positive pairs; units are assigned whole. A positive pair lies
 * in one fold, a negative one in one fold or across two. No pair is left out: results for a pair must come from the
 * folds that it does not touch, and the set of one or two folds that it touches has a number (fp_fold_set).
 */
#ifndef FP_SPLIT_H
#define FP_SPLIT_H

#include "corpora/corpus.h"
#include "eval/units/sampling_units.h"

enum {
    FP_SPLIT_FEWEST_FOLDS = 3, /* a pair across two folds leaves one to learn from */
    FP_SPLIT_MOST_FOLDS = 20,
    FP_SPLIT_MOST_SETS = FP_SPLIT_MOST_FOLDS * (FP_SPLIT_MOST_FOLDS + 1) / 2
};

/* The number of a set of one fold (a = b) or two: 0, and 1 … k(k + 1)/2 − 1 for k folds. */
static inline size_t fp_fold_set(size_t a, size_t b) { return a > b ? a * (a + 1) / 2 + b : b * (b + 1) / 2 + a; }

/* Where a set is left out: none is. */
#define FP_NO_FOLD_SET SIZE_MAX

/* The larger fold of a set; and whether two sets have a fold in common. */
static inline size_t fp_fold_of_set(size_t set) {
    size_t fold = 0;
    while (fp_fold_set(fold + 1, 0) <= set) fold++;
    return fold;
}
static inline bool fp_fold_sets_meet(size_t one, size_t other) {
    size_t a = fp_fold_of_set(one), b = one - fp_fold_set(a, 0), c = fp_fold_of_set(other),
           d = other - fp_fold_set(c, 0);
    return a == c || a == d || b == c || b == d;
}

typedef struct fp_split_options {
    size_t folds; /* FP_SPLIT_FEWEST_FOLDS … FP_SPLIT_MOST_FOLDS */
    uint64_t seed;
    size_t most_negatives; /* a corpus of groups has all pairs of documents: a simple random sample of at most so many
                              of its negatives is kept */
} fp_split_options;

typedef struct fp_fold {
    size_t units, documents, positives;
} fp_fold;

typedef struct fp_split {
    size_t fold_count;
    fp_fold folds[FP_SPLIT_MOST_FOLDS];
    size_t document_count, unit_count;
    const uint32_t *unit;                     /* [document_count] */
    const uint8_t *fold;                      /* [document_count] */
    size_t pair_count;                        /* kept: all but negatives that are not in the sample */
    const fp_pair *pairs;                     /* [pair_count] */
    const uint8_t *pair_set;                  /* [pair_count] fp_fold_set of its documents' folds */
    size_t set_negatives[FP_SPLIT_MOST_SETS]; /* kept negatives of each set */
    double weight;                 /* ≥ 1: of a negative pair, all over kept (Horvitz, Thompson, JASA 47, 1952) */
    uint64_t positives, negatives; /* in the whole set */
} fp_split;

/* Assigns units to folds by seed (sampling_units.h). Everything lives in `arena`. FP_ERROR_EMPTY when tuning is
 * impossible: no positives, no negatives, one unit, fewer units than folds, all positives in one unit; the message
 * names the corpus. */
fp_status fp_split_make(const fp_corpus *corpus, const fp_split_options *options, fp_arena *arena, fp_split *split,
                        fp_error *error);

/* The folds alone, without pairs; `most_negatives` is not read. Errors as above. */
fp_status fp_split_deal(const fp_corpus *corpus, const fp_split_options *options, fp_arena *arena, fp_split *split,
                        fp_error *error);

#endif
