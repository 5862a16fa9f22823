/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * effective.h - intervals of proportions whose trials are not independent, and of what is made of two proportions.
 *
 * n trials that depend on one another are worth p(1 − p)/V independent ones, V being the variance of p that takes the
 * dependence into account (Kish 1965). Putting that number into a binomial interval keeps it inside [0, 1] and gives it
 * a length where p is 0 or 1 (Korn, Graubard, Survey Methodology 24, 1998; Franco, Little, Louis, Slud, Journal of
 * Survey Statistics and Methodology 7, 2019).
 */
#ifndef FP_EFFECTIVE_H
#define FP_EFFECTIVE_H

#include "eval/statistics/interval.h"

/* The number of independent trials that a share of dependent ones is worth: share·(1 − share)/(variance·wider²), no
 * less than `least` and no more than `most`. All alike, right or wrong, `fewest` trials are what can be relied on.
 * Where every unit happens to have the same share of right ones the variance is 0 too; nearby it is as near to 0 as you
 * like, and so there are `most` (`fewest` where that is infinite). */
double fp_effective_trials(double share, double variance, double wider, double fewest, double least, double most);

/* Of a share in [0, 1] of `trials` ≥ 0, which need not be whole, at `confidence` in (0, 1); NaN without trials. Wilson's
 * score interval (Wilson, JASA 22, 1927, equation 9). */
fp_interval fp_wilson_effective(double share, double trials, double confidence);
/* The exact interval of Clopper and Pearson (Biometrika 26, 1934), from beta quantiles. */
fp_interval fp_clopper_pearson_effective(double share, double trials, double confidence);

/* Interval of precision at a prevalence from those of the two rates: the ratio FPR/TPR by Donner and Zou (Statistical
 * Methods in Medical Research 21, 2012, the method of variance estimates recovery, with the correlation of the two),
 * put into 1/(1 + FPR/TPR·(1 − π)/π). NaN unless 0 < π < 1; [0, 1] when the lower limit of TPR is 0. */
fp_interval fp_precision_at_interval(double tpr, fp_interval tpr_limits, double fpr, fp_interval fpr_limits,
                                     double correlation, double prevalence);

/* Interval of the difference a − b of two estimates from an interval of each: square and add (Newcombe, Statistics in
 * Medicine 17, 1998, page 873, method 10). Takes the two as independent, and is too wide when they rise and fall
 * together. */
fp_interval fp_square_and_add(double a, fp_interval a_limits, double b, fp_interval b_limits);

#endif
