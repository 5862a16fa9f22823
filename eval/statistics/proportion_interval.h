/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * proportion_interval.h - a share among weighted pairs that are not independent, with its interval.
 */
#ifndef FP_PROPORTION_INTERVAL_H
#define FP_PROPORTION_INTERVAL_H

#include <stdbool.h>

#include "eval/statistics/dyadic_variance.h"
#include "eval/statistics/interval.h"

typedef struct fp_proportion {
    double value; /* Σ weight·success/Σ weight; NaN without trials */
    fp_interval interval;
    double trials; /* effective number of trials, q(1 − q)/V; NaN where nothing varies */
} fp_proportion;

/* weight[pair_count] ≥ 0, 0 for a pair that is no trial; success[pair_count]. The interval below, with the variance of
 * dyadic_variance.h, at least half of that of independent pairs. One more unit weighs as much as a unit with errors
 * (successes), met in proportion to its own weight (Tiwari, Clegg, Zou, Statistical Methods in Medical Research 15,
 * 2006), and no less than one of G = n²/(Σ_u n_u² − Σ_D n_D²) units of equal size. Where units are resampled, the
 * variance is larger by G/(G − 1) and the interval wider by Student's t with G − 1 degrees of freedom (Hesterberg,
 * American Statistician 69, 2015). NaN with fewer than two units. `scratch` is not reset. */
fp_status fp_proportion_of(const fp_resample *resample, const double *weight, const bool *success, double confidence,
                           fp_arena *scratch, fp_proportion *share, fp_error *error);

/* ----
 * The interval of a share whose trials are not independent, and of functions of two shares.
 *
 * A share q with variance V is worth q(1 − q)/V independent trials (Kish 1965), and a beta law gives the probability of
 * each true share (Korn, Graubard, Survey Methodology 24, 1998). Clopper and Pearson take two such laws, with one more
 * wrong trial for the upper limit and one more right trial for the lower. Here one *unit* of weight w takes the place
 * of the trial: the share becomes (q + w)/(1 + w) and its variance (V + w²(1 − q)(1 − q'))/(1 + w)² (Fay, Feuer,
 * Statistics in Medicine 16, 1997; for n independent trials and w = 1/n these are Clopper's and Pearson's laws). So the
 * interval has a length > 0 without errors and does not jump at the first.
 *
 * Half of each law is the mid-p interval (Berry, Armitage, The Statistician 44, 1995; Fay, Kim, Biometrical Journal 59,
 * 2017), whose coverage is nearest to nominal for single errors. If errors come in clusters, with D > 1 the ratio of V
 * to the variance of independent pairs, the outer law has the weight 1 − 1/(2D).
 */

typedef struct fp_share_spread {
    double variance;     /* of the share */
    double independent;  /* the same if all pairs were independent; 0: not known, and taken as `variance` */
    double wider;        /* ≥ 1: factor of the length, for a variance estimated from few units */
    double wrong, right; /* weights of one more unit, as parts of all trials, > 0 */
} fp_share_spread;

/* Of a share of right trials in [0, 1], at `confidence` in (0, 1). `exact`: the outer law has all the weight, as in
 * Clopper's and Pearson's interval. NaN where the share is. */
fp_interval fp_share_interval(double share, const fp_share_spread *spread, double confidence, bool exact);
/* The same for independent trials, of which `trials` > 0 need not be whole: mid-p, or, with `exact`, Clopper and
 * Pearson's (Biometrika 26, 1934). NaN without trials. */
fp_interval fp_binomial_interval(double share, double trials, double confidence, bool exact);

/* Interval of precision at a prevalence from those of the two rates: the ratio FPR/TPR by Donner and Zou (Statistical
 * Methods in Medical Research 21, 2012, the method of variance estimates recovery, with the correlation of the two),
 * put into 1/(1 + FPR/TPR·(1 − π)/π). NaN unless 0 < π < 1; [0, 1] when the lower limit of TPR is 0. */
fp_interval fp_precision_at_interval(double tpr, fp_interval tpr_limits, double fpr, fp_interval fpr_limits,
                                     double correlation, double prevalence);
/* Standard error of that precision from those of the two rates (delta method). */
double fp_precision_at_error(double tpr, double tpr_error, double fpr, double fpr_error, double correlation,
                             double prevalence);

/* ---- A mean over pairs that are not independent, with its interval ---- */

typedef struct fp_mean {
    double value; /* NaN without pairs */
    fp_interval interval;
    double units; /* over which it is taken */
} fp_mean;

/* The mean of value[pair_count]: Student's interval with the variance and the degrees of freedom of dyadic_variance.h.
 * For independent pairs that is the textbook interval. NaN with fewer than two units. `scratch` is not reset. */
fp_status fp_mean_of(const fp_resample *resample, const double *value, double confidence, fp_arena *scratch,
                     fp_mean *mean, fp_error *error);

/* ---- Bisection: GSL's root finders and its inverse gamma law abort the program where they do not converge ---- */

/* Whether the condition holds at x. */
typedef bool (*fp_holds)(void *context, double x);

/* The last x from `inside`, where the condition holds, to `outside`, where it does not, at which it holds: to the
 * precision of doubles or 100 halvings. If it changes more than once: one of the borders. */
double fp_bisect(fp_holds holds, void *context, double inside, double outside);

/* The quantile at `level`, in (0, 1), of the gamma law of this shape > 0 and of scale 1; above a shape of 10,000 by
 * Wilson and Hilferty (Proceedings of the National Academy of Sciences 17, 1931), within a millionth. That of
 * chi-square with n degrees of freedom is 2 · fp_gamma_quantile(n / 2, level). */
double fp_gamma_quantile(double shape, double level);

#endif
