/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * splitting.h - a split while it is made: its units are found and dealt (split.c), then its pairs are kept
 * (split_pairs.c).
 */
#ifndef FP_SPLITTING_H
#define FP_SPLITTING_H

#include "eval/splits/split.h"
#include "eval/units/folds.h"
#include "eval/units/sampling_units.h"

typedef struct fp_splitting {
    const fp_corpus *corpus;
    const fp_split_options *options;
    fp_arena *arena, *scratch;
    fp_split *split;
    const uint32_t *unit;
    uint8_t *fold;
    fp_unit_load *load; /* [unit_count] */
    bool *paired;       /* [unit_count] one of its documents is in a pair */
    fp_error *error;
} fp_splitting;

static inline bool fp_splitting_by_groups(const fp_splitting *of) { return of->corpus->truth == FP_TRUTH_GROUPS; }

/* Keeps the pairs of what was dealt. Error: FP_ERROR_MEMORY. */
fp_status fp_splitting_keep(fp_splitting *to);

/* The error is about the corpus: its path is put before what was said. */
static inline fp_status fp_splitting_refuse(const fp_splitting *of, fp_status code) {
    return fp_at(of->error, code, of->corpus->path, SIZE_MAX, SIZE_MAX);
}

#endif
