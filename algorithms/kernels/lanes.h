/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lanes.h - the hot loop of the sign fingerprints: one weight into 64 sums.
 */
#ifndef FP_LANES_H
#define FP_LANES_H

#include "fplab.h"

enum { FP_LANES = 64 };

/* sum[j] += weight where bit j of `signs` is 1, −weight where it is 0; j < 64. The lanes are independent, so that any
 * vector width gives the same sums. */
void fp_lanes_add(double *sum, uint64_t signs, double weight);

#endif
