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
 * every two pairs that share a unit count once. The first two terms can be too small, even negative, in small samples:
 * V is at least half of the variance of independent dyads. The last term is due to the fixed number of units; it is 0
 * if all pairs lie inside units or all lie across. Resampling units with product weights has the variance Σ_u s_u² +
 * Σ_D e_D² − (Σ_u s_u)²/U instead, so replicates are shrunk towards the measure by the root of the quotient; 1 without
 * dyads across units.
 *
 * With few units V is too small, because a unit pulls the measure towards itself, by its share h_u of the pairs that
 * the measure counts. Leaving each unit out in turn (the jackknife, CV3 of MacKinnon, Nielsen, Webb, Stata Journal 23,
 * 2023) gives (U − 1)/U Σ_u (c_u/(1 − h_u))² instead of Σ_u c_u², c_u being s_u minus its mean; V is the larger. And V
 * is at least half of Σ_p e_p², the variance of independent pairs, because pairs may agree inside units by chance.
 */
#ifndef FP_DYADIC_VARIANCE_H
#define FP_DYADIC_VARIANCE_H

#include "eval/units/resample.h"

typedef struct fp_dyadic {
    double variance;     /* of the measure */
    double resampled;    /* of its replicates */
    double independent;  /* Σ_p e_p²: of the measure if all pairs were independent */
    double acceleration; /* Σ s³/(6 (Σ s²)^{3/2}) over the centred s (Efron, JASA 82, 1987, equation 7.3) */
    double freedom; /* of the variance as an estimate: 2/(Σ s⁴/(Σ s²)² − 1/U), about U for normal s, few if few units
                       dominate (Satterthwaite, Biometrics Bulletin 2, 1946); ≥ 1, infinite if s does not vary */
    double fall, rise;          /* the largest −s_u and s_u, ≥ 0: how much one unit lowers or raises the measure */
    size_t units;               /* U */
    double effective;           /* (Σ h)²/Σ h²: number of units of equal size (Kish 1965); U without shares */
    double seeds, seed_freedom; /* the part of `variance` that is due to hash seeds, and its degrees of freedom */
} fp_dyadic;

/* Sums from which the variance is computed. */
typedef struct fp_dyadic_sums {
    double total;   /* Σ_u s_u */
    double squares; /* Σ_u s_u² */
    double across;  /* Σ e_D² over dyads across units */
    double inside;  /* Σ e_D² over dyads inside one */
} fp_dyadic_sums;

/* Σ s² − Σ e_D² − (Σ s)²/U, no less than half of what independent dyads have. */
double fp_dyadic_variance(const fp_dyadic_sums *of, size_t unit_count);

/* influence[pair_count]; counted[pair_count]: whether the measure counts the pair; NULL: units have no share h.
 * `scratch` is not reset. */
fp_status fp_dyadic_of(const fp_resample *resample, const double *influence, const bool *counted, fp_arena *scratch,
                       fp_dyadic *spread, fp_error *error);

/* Input of fp_dyadic_of, for callers that have the sums already. */
typedef struct fp_unit_sums {
    size_t count;              /* of units */
    const double *sum, *share; /* [count] s_u, and h_u; `share` may be NULL */
    double across, inside;     /* as in fp_dyadic_sums */
    double independent;        /* Σ e_p² */
    double noise;              /* excess of Σ s_u² because the sums are estimates (counted.h); or 0 */
    double together;           /* variance because pairs are sampled together that share no unit (counted.h); or 0 */
} fp_unit_sums;
fp_dyadic fp_dyadic_from(const fp_unit_sums *of);

/* The degrees of freedom of an interval: `freedom` + FP_DYADIC_KNOWN (chosen by simulation: the number of counted
 * errors determines part of their variance), at most U − 1; combined with those of hash seeds. */
double fp_dyadic_freedom(const fp_dyadic *spread);
enum { FP_DYADIC_KNOWN = 5 };

/* With fewer effective units than this, the variation of units is hardly known: reports mark the interval. */
enum { FP_FEW_UNITS = 10 };

/* ----
 * Variance from the choice of hash functions. A value θ_k is measured under N seeds; reports give their mean. Its
 * variance is
 *
 *     V + s²/N
 *
 * with V that of the mean when documents are sampled again (from the influence values averaged over the seeds) and
 * s² = Σ (θ_k − mean)²/(N − 1) the variance between seeds on the same documents. V includes the part of s²/N that is
 * due to both, so the sum is a little too large. Its degrees of freedom are those of Satterthwaite (Biometrics Bulletin
 * 2, 1946), (V + s²/N)²/(V²/ν + (s²/N)²/(N − 1)). On the share of each source: Bouthillier et al., Accounting for
 * variance in machine learning benchmarks, MLSys 2021, section 3.
 */

/* A value over the hash seeds. */
typedef struct fp_seed_spread {
    size_t count;     /* seeds under which it is defined */
    double mean;      /* over these; NaN where there are none */
    double deviation; /* s, between seeds; 0 for one seed */
    double variance;  /* s²/count, of the mean */
} fp_seed_spread;

/* values[count]; NaN where not defined. */
fp_seed_spread fp_seed_spread_of(const double *values, size_t count);

/* Adds the variance of the mean over seeds to that of the documents. */
void fp_dyadic_add_seeds(fp_dyadic *spread, const fp_seed_spread *seeds);

/* The share of the hash seeds in a variance with both parts, from 0 to 1; NaN if not defined. */
double fp_seed_share(const fp_seed_spread *seeds, double variance);

#endif
