/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scores.h - distances from another program: a file with a row for each pair.
 */
#ifndef FP_SCORES_H
#define FP_SCORES_H

#include "corpora/corpus.h"

/* Reads id_a, id_b and distance, tab-separated, without a header, in any order of rows and of the two ids, for the
 * labelled pairs of the corpus; gzip and Zstandard are unpacked. If two labelled pairs are the same, both get the
 * distance; pairs without a row get reading->missing. Counts rows and pairs in *reading. distances[corpus->pair_count]
 * live in `arena`. Errors name file, line and byte: FP_ERROR_IO, _ENCODING, _SYNTAX (columns, a distance that is not a
 * finite number, an id with itself), _UNKNOWN (an id), _RANGE (a negative distance; a file that is too large),
 * _DUPLICATE (a labelled pair in two rows), _EMPTY (no row; a corpus without labelled pairs; a pair without a row,
 * where reading->missing is 0). */
fp_status fp_scores_read(const char *path, const fp_corpus *corpus, fp_score_reading *reading, fp_arena *arena,
                         double **distances, fp_error *error);

#endif
