/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * edits.h - how many characters differ: the Levenshtein distance of two texts, by code points.
 */
#ifndef FP_EDITS_H
#define FP_EDITS_H

#include "base/parallel.h"
#include "corpora/corpus.h"
#include "eval/analyses/stratum.h"
#include "eval/statistics/proportion_interval.h"

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

/* ----
 * duplicates by their length and by how much of them was edited: what an arm measures there, and what
 * its law expects.
 */

/* Shares of edited characters: from fp_edit_shares[k], included, to fp_edit_shares[k + 1], excluded but in the last. */
enum { FP_EDIT_SHARES = 6 };
extern const double fp_edit_shares[FP_EDIT_SHARES + 1];
/* The class of a share; 0 for two empty texts. */
size_t fp_edit_share_class(const fp_edits *edits);

typedef struct fp_edit_cell {
    size_t pairs;
    size_t bounded;    /* pairs whose edits are an upper bound */
    double mean_share; /* of edited characters */
    fp_mean measured;
    double expected; /* mean over the pairs; NaN when the law does not give it for all of them */
} fp_edit_cell;

/* The labelled pairs of a corpus under one arm. */
typedef struct fp_edited_pairs {
    const fp_corpus *corpus;
    const fp_edits *edits;             /* [pair_count] */
    const double *measured, *expected; /* [pair_count] */
} fp_edited_pairs;

/* The duplicates among them in strata (of length), by share: cells[strata->count·FP_EDIT_SHARES], by stratum.
 * Everything lives in `arena`. */
fp_status fp_edit_cells_make(const fp_edited_pairs *edited, const fp_strata *strata, double confidence, fp_arena *arena,
                             fp_edit_cell **cells, fp_error *error);

/* ---- distances of every arm against length and share of edited characters. ---- */

typedef struct fp_edits_outcome {
    const fp_strata_outcome *divided;  /* by length */
    const fp_edit_cell *const *of_arm; /* [arms] cells[strata·FP_EDIT_SHARES]; NULL where the truth is groups, whose
                                          pairs are not listed */
} fp_edits_outcome;

/* Reads counterparts of the outcome where there are any. Everything lives in `arena`. */
fp_status fp_edits_outcome_make(const fp_strata_outcome *divided, double confidence, const fp_progress *progress,
                                fp_arena *arena, fp_edits_outcome *out, fp_error *error);

#endif
