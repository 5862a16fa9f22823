/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * dyadic_variance.h - the variance of a measure from its influence values, when pairs share units.
 *
 * e_p is the derivative of the measure by the weight of pair p at weights of 1 (Hampel 1974; Efron 1982, the
 * infinitesimal jackknife). With s_u the sum of e over the pairs that touch unit u, and e_D over the pairs of a dyad D
 * that lies across two units, the variance is
 *
 *     V = Σ_u s_u² − Σ_D e_D² − (Σ_u s_u)²/U
 *
 * (Fafchamps, Gubert, Journal of Development Economics 83, 2007; Aronow, Samii, Assenova, Political Analysis 23, 2015):
 * every two pairs that share a unit count once. The first two terms can come out too small, even negative, on small
 * samples; V is not let below half of what independent dyads would have. The last term is there because the number of
 * units is given; it vanishes where all pairs lie inside units or all lie across. Resampling units with product weights
 * has the variance Σ_u s_u² + Σ_D e_D² − (Σ_u s_u)²/U instead, so that its replicates are drawn towards the measure by
 * the root of the quotient. Without dyads across units both are the same and nothing is drawn.
 */
#ifndef FP_DYADIC_VARIANCE_H
#define FP_DYADIC_VARIANCE_H

#include "eval/statistics/resample.h"

typedef struct fp_dyadic {
    double variance;     /* of the measure */
    double resampled;    /* of its replicates */
    double independent;  /* Σ_p e_p²: of the measure if all pairs were independent */
    double acceleration; /* Σ s³/(6 (Σ s²)^{3/2}) over the centred s (Efron, JASA 82, 1987, equation 7.3) */
    double freedom; /* of the variance as an estimate: 2/(Σ s⁴/(Σ s²)² − 1/U), about U for normal s and few where a
                       few units matter most (Satterthwaite, Biometrics Bulletin 2, 1946: twice the square of the
                       estimate over its own variance); at least 1, and infinite where s does not vary */
} fp_dyadic;

/* What the variance is made of. */
typedef struct fp_dyadic_sums {
    double total;   /* Σ_u s_u */
    double squares; /* Σ_u s_u² */
    double across;  /* Σ e_D² over dyads across units */
    double inside;  /* Σ e_D² over dyads inside one */
} fp_dyadic_sums;

/* V as above, from its sums over `unit_count` units. */
double fp_dyadic_variance(const fp_dyadic_sums *of, size_t unit_count);

/* `influence` has an entry for each pair. `scratch` is not reset. */
fp_status fp_dyadic_of(const fp_resample *resample, const double *influence, fp_arena *scratch, fp_dyadic *spread,
                       fp_error *error);

/* The number of independent trials to which `members` of the pairs (member[p] true) come down when all pairs of a unit
 * give the same answer: n²/(Σ_u n_u² − Σ_D n_D²), between 1 and n; 0 when there is no member. */
fp_status fp_dyadic_fewest_trials(const fp_resample *resample, const bool *member, fp_arena *scratch, double *trials,
                                  fp_error *error);

#endif
