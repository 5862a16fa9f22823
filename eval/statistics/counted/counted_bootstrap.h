/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * counted_bootstrap.h - counted pairs in the place of a list, for estimates and differences: no replicates.
 */
#ifndef FP_COUNTED_BOOTSTRAP_H
#define FP_COUNTED_BOOTSTRAP_H

#include "eval/statistics/bootstrap.h"
#include "eval/statistics/counted/counted.h"

/* What was observed; options->replicates is not read, and options->ranked are the functionals that are over the range.
 * Keeps `counted`; *resample says what the units are. Everything lives in `arena`. */
fp_status fp_bootstrap_of_counted(const fp_counted_pairs *counted, const fp_bootstrap_options *options,
                                  fp_resample *resample, fp_arena *arena, fp_bootstrap *bootstrap, fp_error *error);

#endif
