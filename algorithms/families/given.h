/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * given.h - directions that a person gives by hand, for examples: "x:1 0;y:-1 2" is one coordinate in each of two
 * directions for the terms x and y. A term that is not named has the coordinate 0 in all of them. Terms are known by
 * their XXH3 with seed 0, the default term hash.
 */
#ifndef FP_GIVEN_H
#define FP_GIVEN_H

#include "base/base.h"

/* Checks the text: every term once, with `count` numbers. FP_ERROR_SYNTAX, FP_ERROR_DUPLICATE or FP_ERROR_RANGE. */
fp_status fp_given_check(const char *text, size_t count, fp_error *error);
/* coordinate[0 … count) of the term with this hash. */
void fp_given_of(const char *text, uint64_t hash, size_t count, double *coordinate);

#endif
