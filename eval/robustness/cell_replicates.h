/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cell_replicates.h - one arm under one hash seed in one cell: its figures, and what they are when units are drawn
 * again.
 */
#ifndef FP_CELL_REPLICATES_H
#define FP_CELL_REPLICATES_H

#include "base/base.h"

/* A pair of the cell. */
typedef struct fp_cell_pair {
    double distance;
    uint32_t unit; /* of the copy */
    uint8_t label;
    uint8_t called; /* at most the threshold of its fold */
} fp_cell_pair;

typedef struct fp_cell_figures {
    double f1, recall; /* NaN without positives */
} fp_cell_figures;

/* By distance, as the functions want them. */
void fp_cell_pairs_sort(fp_cell_pair *pairs, size_t count);

/* F1 of what is called, and the largest recall at a distance at which precision is at least `precision`, 0 where there
 * is none. Each pair counts as often as its unit was drawn: weight[unit]; NULL: once. */
fp_cell_figures fp_cell_figures_of(const fp_cell_pair *pairs, size_t count, const uint8_t *weight, double precision);

#endif
