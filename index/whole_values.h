/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * whole_values.h - sparse vectors that are whole numbers over their norm, as term frequencies make them: sums of
 * products are then sums of whole numbers, over both norms.
 */
#ifndef FP_WHOLE_VALUES_H
#define FP_WHOLE_VALUES_H

#include "fplab.h"

/* A number is at most FP_WHOLE_MOST, and the sum of the squares at most FP_WHOLE_SQUARES, so that a sum of products is
 * (Cauchy-Schwarz). */
enum { FP_WHOLE_MOST = UINT8_MAX, FP_WHOLE_SQUARES = UINT16_MAX };

/* The norm of whole numbers of which every value is one, divided by it, to the last bit; 1 for an empty vector, 0 when
 * there are no such numbers. */
double fp_whole_norm(const fp_vector *vector);

#endif
