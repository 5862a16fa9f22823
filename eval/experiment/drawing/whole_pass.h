/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * whole_pass.h - what units have under the arms of a sample of which all pairs were counted (whole_arms.h): the same as
 * where nothing is drawn, from the pass over the units.
 */
#ifndef FP_WHOLE_PASS_H
#define FP_WHOLE_PASS_H

#include "eval/experiment/unit_pass.h"
#include "eval/experiment/unit_pass_parts.h"

/* How many of the measurements of a sample are of such arms. */
size_t fp_whole_arm_count(const fp_measurement *measurements, size_t arm_count);

/* Fills arms[a] of these arms, and what every two of them make of dyads and pairs in `joint`, [arm_count²] on both
 * sides of the diagonal; sets counted->sampled. pass->measurements are of all arms, and so is *counted, whose other
 * fields the caller has set. Everything lives in `arena`. */
fp_status fp_whole_pass_run(const fp_unit_pass *pass, fp_arena *arena, fp_counted_pairs *counted, fp_counted_arm *arms,
                            fp_joint_sums joint, fp_error *error);

#endif
