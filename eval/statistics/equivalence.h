/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * equivalence.h - is a difference too small to matter? And how many units would it take to tell?
 */
#ifndef FP_EQUIVALENCE_H
#define FP_EQUIVALENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "eval/statistics/interval.h"

/* Differences up to the margin make no difference in practice; what the numbers of units below give. */
#define FP_EQUIVALENCE_MARGIN 0.02
#define FP_EQUIVALENCE_POWER 0.8

/* Two one-sided tests at α = 1 − confidence: the difference lies within the margin when its 1 − 2α interval does
 * (Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987). Of a single difference; nothing is corrected
 * for others. */
typedef struct fp_equivalence {
    double margin;
    double units;         /* G */
    fp_interval interval; /* at 1 − 2α */
    double farthest;      /* its limit that is farther from 0: the smallest margin that the difference lies within */
    bool within;
    /* So many units in all would, with power FP_EQUIVALENCE_POWER and were the difference as observed, show that it is
     * not 0 (at α/m, which is enough for Holm's correction over m tests whatever the others say), or that it lies
     * within the margin:
     *
     *     G·(e·(z_{1−α/(2m)} + z_{power})/value)²
     *     G·(e·(z_{1−α} + z_{(1+power)/2})/(margin − |value|))²
     *
     * e being the standard error (Chow, Shao, Wang, Sample Size Calculations in Clinical Research, 2nd edition 2008,
     * section 3.1). It shrinks with √(units): so does what units add; where all pairs are compared the rest, of pairs
     * of units, shrinks faster (Hoeffding, Annals of Mathematical Statistics 19, 1948), and fewer will do. The draw of
     * a hash does not: with f its part of the variance, e² is what is left of it, and f·(z + z)² is taken off the
     * square of the distance below the bar. What makes the interval longer than e does, as the units are few, shrinks
     * with their number: no fewer units than G·(w·(…)/…) either, w being half the interval's width over z_{1−α}, so
     * that what is not shown takes more than there are. At least 2, rounded up to two digits; infinite where no number
     * would do, NaN where e is 0 or not known. */
    double to_differ, to_equal;
} fp_equivalence;

/* 1 − 2α. */
double fp_equivalence_confidence(double confidence);

/* What is asked of a difference. */
typedef struct fp_equivalence_options {
    double confidence; /* 1 − α, in (½, 1) */
    double margin;     /* > 0 */
    size_t tests;      /* m ≥ 1: differences that are tested together */
} fp_equivalence_options;

/* A difference with its interval at fp_equivalence_confidence(options->confidence). */
typedef struct fp_estimated {
    double value, error; /* and its standard error */
    double fixed;        /* the part of error² that more units leave as it is: the draw of a hash (hash_seeds.h) */
    fp_interval interval;
    double units; /* G, that it was estimated from */
} fp_estimated;
fp_equivalence fp_equivalence_of(const fp_estimated *difference, const fp_equivalence_options *options);
/* Of a difference that is not defined: all else NaN. */
fp_equivalence fp_equivalence_unknown(double margin);

#endif
