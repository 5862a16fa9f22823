/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pair_sample.h - a digest of the labelled pairs of an outcome, for counting them again without the corpus: how many of
 * each kind and length every arm puts at each distance, and some of the pairs themselves with their texts.
 */
#ifndef FP_PAIR_SAMPLE_H
#define FP_PAIR_SAMPLE_H

#include "eval/evaluation/outcome.h"
#include "eval/analyses/stratum.h"

/* Of one corpus: so many pairs and characters of text at most, so many characters of one text, so many distances of an
 * arm before they are thinned, and so many kinds before they are no longer told apart. */
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
    /* [point_count] distances that occur, ascending: all, or, where these are very many, every so-manieth and the last
     * at or below each whole one, so that counts at whole thresholds are exact. The largest is the last. */
    const double *points;
    /* [parts][point_count][2] by label: at a distance beyond the point before and at most this one; part is
     * kind · lengths.count + length. */
    const uint64_t *counts;
} fp_digest_arm;

typedef struct fp_pair_digest {
    const fp_outcome *outcome;
    fp_strata kinds, lengths;  /* of one part each where pairs are not divided */
    const fp_digest_arm *arms; /* [outcome->count] */
    /* Pairs by their place in corpus->pairs, ascending: all, or a sample that has of each arm, label and whole distance
     * as many as of any other, as far as there are so many. Drawn by the place alone. */
    size_t listed_count;
    const uint32_t *listed;
    /* The documents of these pairs, ascending, and their texts, cut behind FP_DIGEST_TEXT characters; NULL texts where
     * they were not asked for. */
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
