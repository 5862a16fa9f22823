/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scores.h - distances from another program: a file with a row for each pair.
 */
#ifndef FP_SCORES_H
#define FP_SCORES_H

#include "corpora/corpus.h"

typedef struct fp_scores {
    size_t row_count;
    double *distances;      /* [corpus->pair_count] NaN if no row has the pair */
    size_t missing;         /* labelled pairs without a row */
    size_t first_missing;   /* position of the first of them; pair_count if there is none */
    size_t unlabelled;      /* skipped rows whose pair has no label */
    size_t unlabelled_line; /* line of the first of them, from 1; 0 if there is none */
} fp_scores;

/* Reads id_a, id_b and distance, tab-separated, without a header, in any order of rows and of the two ids, for the
 * labelled pairs of the corpus; gzip and Zstandard are unpacked. If two labelled pairs are the same, both get the
 * distance. Everything lives in `arena`. Errors name file, line and byte: FP_ERROR_IO, _ENCODING, _SYNTAX (columns, a
 * distance that is not a finite number, an id with itself), _UNKNOWN (an id), _RANGE (a negative distance; a file
 * larger than `most` bytes, 0: FP_MOST_BYTES), _DUPLICATE (a labelled pair in two rows), _EMPTY (no row; a corpus
 * without labelled pairs). */
fp_status fp_scores_read(const char *path, size_t most, const fp_corpus *corpus, fp_arena *arena, fp_scores *scores,
                         fp_error *error);

/* A one-line message about pairs without a score: their number, and the first; "" if there are none. NULL when there is
 * no memory. */
const char *fp_scores_missing(const fp_scores *scores, const fp_corpus *corpus, fp_arena *arena);

#endif
