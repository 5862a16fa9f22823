/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sampled_pass.h - a pass over sampled pairs and all positives that fills what counted.h describes.
 */
#ifndef FP_SAMPLED_PASS_H
#define FP_SAMPLED_PASS_H

#include "eval/experiment/unit_pass.h"

/* As fp_unit_pass_run; the measurements are of one sample, and pass->column_units is for those arms of which all pairs
 * are counted. */
fp_status fp_sampled_pass_run(const fp_unit_pass *pass, fp_arena *arena, fp_counted_pairs *counted,
                              fp_counted_arm *arms, fp_error *error);

/* How many of the measurements of a sample are of arms of which all pairs are counted. */
size_t fp_whole_arm_count(const fp_measurement *measurements, size_t arm_count);

#endif
