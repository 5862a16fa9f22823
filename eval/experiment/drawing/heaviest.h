/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * heaviest.h - for how many negatives one may stand that is called and was not seen: what bounds a count of which the
 * sample shows nothing.
 *
 * Under Jaccard's coefficient, plain or weighted, and under cosine the distance of a pair tells the least chance with
 * which bands find it (key_bands.h): the bound is exact. Under other measures of keys it is learned: from the pairs of
 * the sample up to the distance, and from the duplicates there, all of which are known, the largest weight that any of
 * them has or would have. Of fewer than 100 such pairs nothing is learned, and the bound is the weight of what no band
 * finds; so it is where an arm has no keys.
 */
#ifndef FP_HEAVIEST_H
#define FP_HEAVIEST_H

#include "eval/experiment/drawing/drawn_pairs.h"
#include "eval/experiment/unit_pass_parts.h"

/* What the sample shows bar by bar under an arm, [bin_count] each. */
typedef struct fp_seen_weights {
    const double *heaviest; /* 0 where there is no pair */
    const uint32_t *pairs;
} fp_seen_weights;

/* Fills heaviest[bin_count] of an arm whose pairs are drawn; `units` are of the corpus. */
fp_status fp_heaviest_find(const fp_drawn_pairs *drawn, const fp_unit_list *units, const fp_pass_arm *arm,
                           const fp_counted_arm *counted, fp_seen_weights seen, const fp_arenas *arenas,
                           const fp_progress *progress, fp_arena *scratch, double *heaviest, fp_error *error);

#endif
