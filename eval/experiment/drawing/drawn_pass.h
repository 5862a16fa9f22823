/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * drawn_pass.h - a pass over drawn pairs and all positives that fills what counted.h describes.
 */
#ifndef FP_DRAWN_PASS_H
#define FP_DRAWN_PASS_H

#include "eval/experiment/drawing/drawn_pairs.h"
#include "eval/experiment/unit_pass.h"

/* As fp_unit_pass_run; the measurements are of one sample, and pass->column_units is for those arms of which all pairs
 * were counted. Each pair is measured once more under every arm, and none is listed anew. */
fp_status fp_drawn_pass_run(const fp_unit_pass *pass, fp_arena *arena, fp_counted_pairs *counted, fp_counted_arm *arms,
                            fp_error *error);

#endif
