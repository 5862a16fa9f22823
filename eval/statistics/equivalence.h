/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * equivalence.h - is a difference too small to matter? And how many units does it take to find one?
 */
#ifndef FP_EQUIVALENCE_H
#define FP_EQUIVALENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "eval/statistics/interval.h"

/* Differences up to the margin make no difference in practice. */
#define FP_EQUIVALENCE_MARGIN 0.02

/* Two one-sided tests at α = 1 − confidence: the difference lies within the margin when its 1 − 2α interval does
 * (Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987). Of a single difference; nothing is corrected
 * for others. */
typedef struct fp_equivalence {
    double margin;
    double units;         /* G */
    fp_interval interval; /* at 1 − 2α */
    double farthest;      /* its limit that is farther from 0: the smallest margin that the difference lies within */
    bool within;
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

/* ---- Sample size ---- */

#define FP_SAMPLE_SIZE_POWER 0.8

/* Units needed to find a true difference d with that power at α/m, two-sided, which is enough for Holm's correction
 * over m tests whatever the others show:
 *
 *     G·v·q²/(d² − f·q²),   q = z_{1−α/(2m)} + z_{power}
 *
 * f being the part of the squared standard error e² that units do not change (the hash draw) and v the rest (Chow,
 * Shao, Wang, Sample Size Calculations in Clinical Research, 2nd edition 2008, section 3.1). d is named by the user:
 * the difference that was seen would give the power of a result that is known already (Hoenig, Heisey, American
 * Statistician 55, 2001). v falls as 1/units; where all pairs are compared the part that pairs of units add falls
 * faster (Hoeffding, Annals of Mathematical Statistics 19, 1948), and fewer units will do. Where an interval is w times
 * as long as z·e because units are few, what it adds to the variance, (w² − 1)·v, falls as 1/units².
 *
 * The only estimate in it is v, a χ² variance with `freedom` degrees of freedom (Satterthwaite 1946;
 * dyadic_variance.h): its limits are those of `interval`, at options->confidence. */
typedef struct fp_sample_size {
    double detect;        /* d */
    double needed;        /* ≥ 2; infinite where the hash draw alone hides d, NaN where e is 0 or not known */
    fp_interval interval; /* infinite or NaN as well */
} fp_sample_size;

fp_sample_size fp_sample_size_of(const fp_estimated *difference, double freedom, const fp_equivalence_options *options,
                                 double detect);

#endif
