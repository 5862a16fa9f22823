/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bisection.h - the border between where something holds and where it does not. GSL's root finders ask for a function
 * that is finite and changes its sign, and end the program where it does neither; a border needs no values. GSL's
 * inverse of the gamma law does not converge for some shapes and ends the program as well.
 */
#ifndef FP_BISECTION_H
#define FP_BISECTION_H

#include <stdbool.h>

/* Whether it holds at x. */
typedef bool (*fp_holds)(void *context, double x);

/* The last x, on the way from `inside`, where it holds, to `outside`, where it does not, at which it holds; as near to
 * the border as doubles are, or as 100 halvings come. Where it changes more than once: one of the borders. */
double fp_bisect(fp_holds holds, void *context, double inside, double outside);

/* The quantile at `level`, in (0, 1), of the gamma law of this shape > 0 and of scale 1. Above a shape of 10,000 by the
 * formula of Wilson and Hilferty (Proceedings of the National Academy of Sciences 17, 1931), which is then within a
 * millionth. That of chi-square with n degrees of freedom is 2 · fp_gamma_quantile(n / 2, level). */
double fp_gamma_quantile(double shape, double level);

#endif
