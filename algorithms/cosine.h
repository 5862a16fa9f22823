/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cosine.h - what is known of the angle alone, among all that goes through postings.
 */
#ifndef FP_COSINE_H
#define FP_COSINE_H

#include "fplab.h"

/* By how much the distance that `joined` gives may move at most where the sum is off by the share `off` ≤ 2⁻³⁶; where
 * that is not known, as for all algorithms but cosine, infinite. Where `joined` gives NaN for one sum or the other, the
 * distance itself is meant. */
double fp_cosine_moves(const fp_instance *instance, double off);

#endif
