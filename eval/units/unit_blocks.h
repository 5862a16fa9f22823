/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * unit_blocks.h - units that negative pairs compare, put together so that they are dealt as one and the pairs between
 * them are kept. A set whose hard negatives are a few for each story would lose all but one in k of them to k folds,
 * and the others would weigh k times as much: most of the variance of precision is theirs.
 *
 * Which units those are is told by the labels' pairs alone, not by what any arm makes of them, and is the same for
 * every seed: so the pairs between blocks that stay are still a sample of those between blocks.
 */
#ifndef FP_UNIT_BLOCKS_H
#define FP_UNIT_BLOCKS_H

#include "eval/units/sampling_units.h"

/* Blocks of units. */
typedef struct fp_unit_blocks {
    size_t count;
    const uint32_t *of; /* [units] block of each unit, numbered in the order of their first ones */
} fp_unit_blocks;

enum { FP_BLOCKS_PER_FOLD = 4 };

/* Joins the two units, or blocks, that most negative pairs lie between; of equals those whose units hold fewer
 * documents, then those that come first; as long as the block holds at most one in FP_BLOCKS_PER_FOLD·folds of the
 * documents in pairs, and of the positive pairs if both have some, and so many blocks are left. `units` are the
 * components of `documents`. In `arena`; `scratch` is not reset. */
fp_status fp_unit_blocks_make(const fp_labelled_documents *documents, const fp_components *units, size_t folds,
                              fp_arena *arena, fp_arena *scratch, fp_unit_blocks *blocks, fp_error *error);

#endif
