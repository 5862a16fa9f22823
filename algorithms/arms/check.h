/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * check.h - whether an algorithm's description keeps its own promises.
 */
#ifndef FP_CHECK_H
#define FP_CHECK_H

#include "base/base.h"

/* Refuses an algorithm of another interface version (FP_ERROR_ABI), without a slot that must be there, with a bad name, or with a
 * parameter that breaks its own bounds. The reason is told without a file. */
fp_status fp_algorithm_check(const fp_algorithm *algorithm, const fp_arena *like, fp_error *error);

#endif
