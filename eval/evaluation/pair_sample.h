/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pair_sample.h - a digest of the labelled pairs of an outcome, for counting them again without the corpus: how many of
 * each kind and length every arm puts at each distance, and some of the pairs themselves with their texts.
 */
#ifndef FP_PAIR_SAMPLE_H
#define FP_PAIR_SAMPLE_H

#include "eval/evaluation/outcome.h"
#include "eval/analyses/strata.h"

/* Limits for one corpus: pairs, characters in all and of one text; distances of an arm before they are thinned; kinds
 * before they are merged. */
enum {
    FP_DIGEST_PAIRS = 5000,
    FP_DIGEST_CHARACTERS = 1000000,
    FP_DIGEST_TEXT = 4000,
    FP_DIGEST_POINTS = 1000,
    FP_DIGEST_KINDS = 24
};

/* Pairs of one arm under its own hash seed, counted. */
typedef struct fp_digest_arm {
    size_t point_count;
    /* [point_count] distances that occur, ascending: all, or every n-th and the last at or below each integer, so that
     * counts at integer thresholds are exact. The largest is the last. */
    const double *points;
    /* [parts][point_count][2] by label, between the previous point and this one; part = kind·lengths.count + length. */
    const uint64_t *counts;
} fp_digest_arm;

typedef struct fp_pair_digest {
    const fp_outcome *outcome;
    fp_strata kinds, lengths;  /* of one part each where pairs are not divided */
    const fp_digest_arm *arms; /* [outcome->count] */
    /* Positions in corpus->pairs, ascending: all, or a sample with as many pairs of each arm, label and integer
     * distance as of any other, if there are that many. The sample depends on positions alone. */
    size_t listed_count;
    const uint32_t *listed;
    /* The documents of these pairs, ascending, and their texts, at most FP_DIGEST_TEXT characters; NULL: not requested.
     */
    size_t document_count;
    const uint32_t *documents;
    const fp_string *texts;
} fp_pair_digest;

/* `share`: the number of corpora that share the limits. The outcome has labelled pairs, not at document level; the
 * digest points to it, and everything lives in `arena`. FP_ERROR_EMPTY where the truth is groups; errors of
 * fp_corpus_fetch with `texts`. */
fp_status fp_pair_digest_make(const fp_outcome *outcome, size_t share, bool texts, fp_arena *arena,
                              fp_pair_digest *digest, fp_error *error);

/* The pairs of an arm within distance h, by label. `h` is an integer or one of its points. */
void fp_digest_within(const fp_pair_digest *digest, size_t arm, double h, uint64_t counts[2]);

/* The second half (pair_sample.c): which pairs are listed, and their texts. */
fp_status fp_pair_sample_draw(fp_pair_digest *digest, size_t share, bool texts, fp_arena *arena, fp_error *error);

#endif
