/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * law.h - the probability laws of distances that several fingerprints share, and how distances are rounded.
 */
#ifndef FP_LAW_H
#define FP_LAW_H

#include <math.h>

/* A distance as a multiple of 2⁻³²: distances that are mathematically equal are then equal numbers, and so are ties,
 * whatever the order of the sums and the mathematical library. */
static inline double fp_rounded(double distance) { return nearbyint(distance * 0x1p32) * 0x1p-32; }

/* P[X ≤ h] for X ~ Binomial(places, differs): the Hamming distance of `places` independent places that each differ with
 * probability `differs`. 0 for h < 0. */
double fp_law_binomial(double h, double differs, unsigned places);

/* P[X ≤ x] of a share X that is 0 with probability `none` and 1 with probability `every`. Between them a beta
 * distribution approximates X, with the same mean and variance. */
double fp_law_share(double x, double mean, double variance, double none, double every);

/* The angle of a cosine, as a share of π. */
double fp_law_angle(double cosine);

/* P[angle estimate ≤ share·π] when the signs of `places` Gaussian sums are compared with the sums themselves, in both
 * directions (fp_signs_distance). */
double fp_law_weighted(double share, double cosine, unsigned places);

/* P[angle ≤ share·π] between the projections of two vectors with that cosine onto `coordinates` Gaussian directions. */
double fp_law_projected(double share, double cosine, unsigned coordinates);

#endif
