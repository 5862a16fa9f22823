/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * drawn_calls.h - the interval of a share when some of its wrong trials are a sample, each of which stands for W.
 *
 * Of k drawn trials that are wrong the spread over units knows what k itself tells: a standard deviation of W√k. Of
 * small k it says too little, and of none nothing. How many there are on average has Garwood's limits (Biometrika 28,
 * 1936), L(k) and U(k), exact for Poisson's law: none that is seen leaves up to 3.69 W of them. On the scale of the
 * odds of a wrong trial, o, which they move in proportion, what U(k) is beyond k + z√k is added to what the spread gave
 * to the drawn trials, and both to the rest, which is independent of it, by their squares (Zou, Donner, Statistics in
 * Medicine 27, 2008, the method of variance estimates recovery). Of a finite rest, 1 − 1/W of the variance is left
 * (Cochran 1977, equation 2.12).
 */
#ifndef FP_DRAWN_CALLS_H
#define FP_DRAWN_CALLS_H

#include "eval/statistics/interval.h"

typedef struct fp_drawn_calls {
    double count;  /* k ≥ 0, drawn trials that are wrong */
    double weight; /* W ≥ 1 */
    double odds;   /* by how much one drawn trial raises the odds of a wrong one, > 0 */
} fp_drawn_calls;

/* U(k) − k − z√k, at least 0: by how many drawn trials more the mean may be than its standard deviation says, `wider`
 * by Student's factor. */
double fp_drawn_excess(double count, double wider, double confidence);
/* k − L(k): by how many the mean may be less. */
double fp_drawn_fewer(double count, double confidence);

/* The limits of a share in (0, 1] of right trials, from those that its spread gave, `wider` by Student's factor; no
 * narrower than these. */
fp_interval fp_share_with_draw(double share, fp_interval limits, const fp_drawn_calls *drawn, double wider,
                               double confidence);

#endif
