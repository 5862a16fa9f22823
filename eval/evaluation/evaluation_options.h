/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * evaluation_options.h - what fp_evaluation_options mean.
 */
#ifndef FP_EVALUATION_OPTIONS_H
#define FP_EVALUATION_OPTIONS_H

#include "eval/evaluation/evaluation.h"

/* Sets level, inference and progress of an evaluation whose arena is there. Errors as of fp_evaluation_open. */
fp_status fp_evaluation_options_take(const fp_evaluation_options *options, fp_evaluation *evaluation, fp_error *error);

#endif
