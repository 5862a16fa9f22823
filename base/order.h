/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * order.h - what qsort asks.
 */
#ifndef FP_ORDER_H
#define FP_ORDER_H

/* −1, 0 or 1 as `a` stands before, beside or behind `b`, ascending. Reads both twice. */
#define FP_ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* Ascending numbers, for qsort. Doubles are gsl_sort's. */
int fp_ascending_u32(const void *left, const void *right);
int fp_ascending_u64(const void *left, const void *right);
int fp_ascending_size(const void *left, const void *right);

#endif
