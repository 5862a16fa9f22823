/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * check.h - whether an algorithm's description keeps its own promises.
 */
#ifndef FP_CHECK_H
#define FP_CHECK_H

#include "base/base.h"

/* Refuses an algorithm without a slot that must be there, with a bad name, or with a
 * parameter that breaks its own bounds. The reason is told without a file. */
fp_status fp_algorithm_check(const fp_algorithm *algorithm, const fp_arena *like, fp_error *error);

/* The algorithm that `given` is, which may be of an older interface version and then ends before a whole fp_algorithm
 * does: *whole is it, or a copy in `arena` whose further slots are NULL. FP_ERROR_ABI for other versions. */
fp_status fp_algorithm_adopt(const fp_algorithm *given, fp_arena *arena, const fp_algorithm **whole, fp_error *error);

#endif
