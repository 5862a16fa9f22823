/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * edit_cells.h - duplicates by their length and by how much of them was edited: what an arm measures there, and what
 * its law expects.
 */
#ifndef FP_EDIT_CELLS_H
#define FP_EDIT_CELLS_H

#include "eval/analysis/edits.h"
#include "eval/statistics/mean_interval.h"
#include "eval/outcome/strata.h"

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

#endif
