/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * drawn_calls.h - the interval of a share when some of its wrong trials are a sample, each of which stands for several.
 *
 * Trials in a sample by chance stand for w = 1/π. The spread over units knows what those that went wrong tell: a
 * standard deviation of √Σw(w − 1), since of a trial that is in the sample for certain nothing varies. Of few it says
 * too little, and of none nothing. How many there are on average has Fay and Feuer's limits for a weighted sum of
 * Poisson numbers (Statistics in Medicine 16, 1997): with y = Σw and v = Σw², those of a gamma law of shape y²/v and
 * scale v/y, for the upper one with one more of the heaviest, y + m and v + m². With equal weights W they are Garwood's
 * exact ones (Biometrika 28, 1936), W·L(k) and W·U(k): none that is seen leaves up to 3.69 m. On the scale of the odds
 * of a wrong trial, which they move in proportion, what the upper limit is beyond y + z√v is added to what the spread
 * gave to the drawn trials, and both to the rest, which is independent of it, by their squares (Zou, Donner, Statistics
 * in Medicine 27, 2008, the method of variance estimates recovery). Lengths are scaled by √(Σw(w − 1)/Σw²), what is
 * left of the standard deviation where the sample is a large part (Cochran 1977, equation 2.12, for equal weights).
 */
#ifndef FP_DRAWN_CALLS_H
#define FP_DRAWN_CALLS_H

#include "eval/statistics/interval.h"

/* Drawn trials that are wrong. */
typedef struct fp_drawn_calls {
    double sum, squares; /* Σw and Σw²; 0 where there are none */
    double heaviest;     /* m ≥ 1, the most that one which was not seen may stand for */
} fp_drawn_calls;

/* By how many wrong trials more the mean may be than its standard deviation says, `wider` by Student's factor; ≥ 0. */
double fp_drawn_excess(const fp_drawn_calls *drawn, double wider, double confidence);
/* By how many it may be less. */
double fp_drawn_fewer(const fp_drawn_calls *drawn, double confidence);

/* The limits of a share in (0, 1] of right trials, from those that its spread gave, `wider` by Student's factor; no
 * narrower than these. odds > 0: by how much one wrong trial raises the odds of a wrong one. */
fp_interval fp_share_with_draw(double share, fp_interval limits, const fp_drawn_calls *drawn, double odds, double wider,
                               double confidence);

#endif
