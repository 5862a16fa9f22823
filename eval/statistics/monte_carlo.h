/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * monte_carlo.h - would more replicates change what is said?
 */
#ifndef FP_MONTE_CARLO_H
#define FP_MONTE_CARLO_H

#include "base/base.h"

/* A verdict is settled when its p lies farther than so many Monte Carlo standard errors from the level. */
#define FP_SETTLED_ERRORS 3.0

/* p-values with their Monte Carlo standard errors; NaN does not count. */
typedef struct fp_drawn_tests {
    const double *p, *error; /* [count] */
    size_t count;
} fp_drawn_tests;

/* How many of Holm's decisions are not settled. The k-th smallest of m p-values is held against level/(m − k + 1), and
 * those behind the first that is surely larger are not looked at: they are not rejected. */
fp_status fp_holm_unsettled(const fp_drawn_tests *tests, double level, const fp_arena *like, size_t *unsettled,
                            fp_error *error);

#endif
