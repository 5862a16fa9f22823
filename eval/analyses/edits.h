/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * edits.h - the number of characters that differ: the Levenshtein distance of two texts, by code points.
 */
#ifndef FP_EDITS_H
#define FP_EDITS_H

#include "base/parallel.h"
#include "corpora/corpus.h"
#include "eval/analyses/stratum.h"
#include "eval/statistics/proportion_interval.h"

typedef struct fp_edits {
    size_t count;  /* insertions, deletions and substitutions that turn one text into the other */
    size_t longer; /* characters of the longer text */
    bool exact;    /* if false, `count` is an upper bound: the length of some edit script */
} fp_edits;

/* Texts of up to this many characters, not counting a common prefix and suffix, are compared exactly, and longer ones
 * if few edits are needed. For others the count is an upper bound, from alignments near the diagonal of the matrix. */
enum { FP_EDITS_LONGEST = 1 << 16 };

/* Both texts are valid UTF-8. The table of text/alignment/levenshtein.h within a band that is doubled until the
 * distance fits into it (Ukkonen, Information and Control 64, 1985): a text of 10,000 characters takes milliseconds. At
 * most 2³¹ − 1 characters: FP_ERROR_RANGE. `scratch` is not reset. */
fp_status fp_edits_between(fp_string a, fp_string b, fp_arena *scratch, fp_edits *edits, fp_error *error);

/* The edits between the normalised texts (NFKC, case and Han folded) of every labelled duplicate pair;
 * edits[pair_count] in `arena`, all zero for other pairs. */
fp_status fp_edits_of_pairs(const fp_corpus *corpus, const fp_progress *progress, fp_arena *arena, fp_edits **edits,
                            fp_error *error);

/* ---- Duplicates by length and share of edited characters: measured distances and those that the law expects ---- */

/* Shares of edited characters: from fp_edit_shares[k], inclusive, to fp_edit_shares[k + 1], exclusive except for the
 * last. */
enum { FP_EDIT_SHARES = 6 };
extern const double fp_edit_shares[FP_EDIT_SHARES + 1];
/* The class of a share; 0 for two empty texts. */
size_t fp_edit_share_class(const fp_edits *edits);

typedef struct fp_edit_cell {
    size_t pairs;
    size_t bounded;    /* pairs whose edits are an upper bound */
    double mean_share; /* of edited characters */
    fp_mean measured;
    double expected; /* mean over the pairs; NaN unless the law gives it for all of them */
} fp_edit_cell;

/* The labelled pairs of a corpus under one arm. */
typedef struct fp_edited_pairs {
    const fp_corpus *corpus;
    const fp_edits *edits;             /* [pair_count] */
    const double *measured, *expected; /* [pair_count] */
} fp_edited_pairs;

/* The duplicates by stratum (of length) and share: cells[strata->count·FP_EDIT_SHARES], by stratum. Everything lives in
 * `arena`. */
fp_status fp_edit_cells_make(const fp_edited_pairs *edited, const fp_strata *strata, double confidence, fp_arena *arena,
                             fp_edit_cell **cells, fp_error *error);

/* ---- Distances of every arm by length and share of edited characters ---- */

typedef struct fp_edits_outcome {
    const fp_strata_outcome *divided;  /* by length */
    const fp_edit_cell *const *of_arm; /* [arms] cells[strata·FP_EDIT_SHARES]; NULL if the truth is groups */
} fp_edits_outcome;

/* Reads the counterparts of the outcome, if any. Everything lives in `arena`. */
fp_status fp_edits_outcome_make(const fp_strata_outcome *divided, double confidence, const fp_progress *progress,
                                fp_arena *arena, fp_edits_outcome *out, fp_error *error);

#endif
