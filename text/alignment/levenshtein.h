/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * levenshtein.h - the number of insertions, deletions and substitutions that turn one text into another: the table of
 * Wagner and Fischer, whole or in a band, with 64 rows of a column in a word (Myers, Journal of the ACM 46, 1999, in
 * the form of Hyyrö, Nordic Journal of Computing 10, 2003).
 */
#ifndef FP_LEVENSHTEIN_H
#define FP_LEVENSHTEIN_H

#include "base/base.h"

enum { FP_LEVENSHTEIN_ROWS = 64 }; /* of a strip */

/* The rows computed in a column: from `above` before its centre to `below` after it, in whole strips; both together at
 * least FP_LEVENSHTEIN_ROWS, `below` at least 1. The centre of column j is row j, or the row on the straight line
 * between the corners of the table. */
typedef struct fp_edit_band {
    size_t above, below;
    bool straight;
} fp_edit_band;

/* The fewest edits of an alignment of a[rows] and b[columns] within the band; change[columns] is working memory. With a
 * band of `rows` and `columns`: of any alignment, the Levenshtein distance. */
size_t fp_edits_within(const uint32_t *a, size_t rows, const uint32_t *b, size_t columns, fp_edit_band band,
                       int8_t *change);

#endif
