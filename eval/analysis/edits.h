/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * edits.h - how many characters differ: the Levenshtein distance of two texts, by code points.
 */
#ifndef FP_EDITS_H
#define FP_EDITS_H

#include "base/parallel.h"
#include "corpora/corpus.h"

typedef struct fp_edits {
    size_t count;  /* insertions, deletions and substitutions that make one text the other */
    size_t longer; /* characters of the longer text */
    bool exact;    /* otherwise `count` is that of some script, and not fewer than the fewest */
} fp_edits;

/* Texts of up to so many characters, apart from what they begin and end with alike, are compared exactly, and longer
 * ones as well where few edits make one the other. Of any others the count is an upper bound, from the alignments that
 * stay near the straight line between the ends. */
enum { FP_EDITS_LONGEST = 1 << 16 };

/* Both texts are valid UTF-8. Myers's bit vectors (Journal of the ACM 46, 1999) in blocks of 64 rows (Hyyrö, Nordic
 * Journal of Computing 10, 2003), within a band that is doubled until the distance fits into it (Ukkonen, Information
 * and Control 64, 1985): a text of 10,000 characters takes milliseconds. At most 2³¹ − 1 characters: FP_ERROR_RANGE.
 * `scratch` is not reset. */
fp_status fp_edits_between(fp_string a, fp_string b, fp_arena *scratch, fp_edits *edits, fp_error *error);

/* The edits between the normalised texts (NFKC, case and Han folded) of every labelled pair that is a duplicate;
 * edits[pair_count] in `arena`, of other pairs all zero. */
fp_status fp_edits_of_pairs(const fp_corpus *corpus, const fp_progress *progress, fp_arena *arena, fp_edits **edits,
                            fp_error *error);

#endif
