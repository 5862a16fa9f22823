/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sampled_pass.h - a pass over drawn pairs and all positives that fills what counted.h describes.
 */
#ifndef FP_SAMPLED_PASS_H
#define FP_SAMPLED_PASS_H

#include "eval/sampling/sampled_pairs.h"
#include "eval/experiment/unit_pass.h"

/* As fp_unit_pass_run; the measurements are of one sample, and pass->column_units is for those arms of which all pairs
 * were counted. Each pair is measured once more under every arm, and none is listed anew. */
fp_status fp_drawn_pass_run(const fp_unit_pass *pass, fp_arena *arena, fp_counted_pairs *counted, fp_counted_arm *arms,
                            fp_error *error);

/* ---- for how many pairs each of a sample stands (sampled_pairs.h). ---- */

/* Why a pair is in a sample: for certain, or because it was drawn, whether bands found it or not, or only found. */
typedef enum fp_pair_origin { FP_PAIR_CERTAIN, FP_PAIR_DRAWN, FP_PAIR_FOUND } fp_pair_origin;

/* Fills drawn->weights and ->without, in `arena`, and what belongs to them, when the pairs, the bands and drawn->chance
 * are there; origin[drawn->count]. */
fp_status fp_drawn_weigh(fp_drawn_pairs *drawn, const fp_pair_origin *origin, const fp_progress *progress,
                         fp_arena *arena, fp_error *error);

/* ----
 * what units have under the arms of a sample of which all pairs were counted (sampled_pairs.h): the same as
 * where nothing is drawn, from the pass over the units.
 */

/* How many of the measurements of a sample are of such arms. */
size_t fp_whole_arm_count(const fp_measurement *measurements, size_t arm_count);

/* Fills arms[a] of these arms, and what every two of them make of dyads and pairs in `joint`, [arm_count²] on both
 * sides of the diagonal; sets counted->sampled. pass->measurements are of all arms, and so is *counted, whose other
 * fields the caller has set. Everything lives in `arena`. */
fp_status fp_whole_pass_run(const fp_unit_pass *pass, fp_arena *arena, fp_counted_pairs *counted, fp_counted_arm *arms,
                            fp_joint_sums joint, fp_error *error);

#endif
