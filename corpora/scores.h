/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scores.h - distances that were made elsewhere: a file with a row for each pair.
 */
#ifndef FP_SCORES_H
#define FP_SCORES_H

#include "corpora/corpus.h"

typedef struct fp_scores {
    size_t row_count;
    double *distances;      /* [corpus->pair_count] NaN where no row has the pair */
    size_t missing;         /* labelled pairs that no row has */
    size_t first_missing;   /* their first, as a position among the pairs; pair_count where there is none */
    size_t unlabelled;      /* rows whose pair has no label: they are left out */
    size_t unlabelled_line; /* the first of them, counted from 1; 0 where there is none */
} fp_scores;

/* Reads id_a, id_b and distance, tab-separated, without a header, in any order of rows and of the two ids, for the
 * labelled pairs of the corpus; gzip and Zstandard are unpacked. A pair that is labelled twice gets its distance twice.
 * Everything lives in `arena`. Errors name file, line and byte: FP_ERROR_IO, _ENCODING, _SYNTAX (columns, a distance
 * that is no finite number, an id with itself), _UNKNOWN (an id), _RANGE (a negative distance; a file larger than
 * `most` bytes, 0: FP_MOST_BYTES), _DUPLICATE (a labelled pair in two rows), _EMPTY (no row; a corpus
 * without labelled pairs). */
fp_status fp_scores_read(const char *path, size_t most, const fp_corpus *corpus, fp_arena *arena, fp_scores *scores,
                         fp_error *error);

/* What is to be told of pairs without a score, in one line that counts them and names the first; "" where there are
 * none. NULL when there is no memory. */
const char *fp_scores_missing(const fp_scores *scores, const fp_corpus *corpus, fp_arena *arena);

#endif
