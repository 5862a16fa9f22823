/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mcnemar.h - do two arms judge the same pairs equally well, each at its threshold? The thresholds must come from
 * elsewhere than these pairs (judgements.h): at those that are best on them the test sees how well each fits chance.
 */
#ifndef FP_MCNEMAR_H
#define FP_MCNEMAR_H

#include "eval/units/resample.h"

/* Where pairs are independent p is McNemar's exact one (Psychometrika 12, 1947), min(1, 2·P[X ≤ the smaller count]) for
 * X binomial with ½. Where they are not, that test finds differences up to seven times too often, and p comes from the
 * units, as Durkalski et al. (Statistics in Medicine 22, 2003) have it for clusters:
 *
 *     d_p = first right − second right      s_u = Σ d over the pairs that touch unit u      e_D = Σ d over dyad D
 *     V = Σ_u s_u² − Σ_D e_D² over dyads across units, at least Σ_D e_D² over all           T = Σ_p d_p/√V
 *
 * The least V is that of dyads which are independent: units that share a leaning vary no less, and a smaller V is one
 * that came out small by chance, beside which T looks large. V is not centred, for under the hypothesis all s have the
 * mean 0. T therefore cannot pass √m, m being the number of units over the mean square of how many units a pair
 * touches, and t = T·√((m − 1)/(m − T²)) is referred to Student's distribution with h − 1 degrees of freedom. Where
 * units are alike and no pair lies across two, that is the t test of the s_u. V is worth g = 3V²/Σ s_u⁴ units (2 to U:
 * the number of Satterthwaite, Biometrics Bulletin 2, 1946, for normal s of variances that differ); m is not let above
 * g, and h is the harmonic mean of both. p is at least that of the sign test when all units with a discordant pair
 * agree. `tests/deep/intervals/mcnemar_errors.c` measures its errors. */
typedef struct fp_mcnemar {
    uint64_t only_first, only_second; /* pairs that one arm alone judges rightly */
    bool exact;                       /* p is that of independent pairs */
    double p;                         /* 1 where no pair is judged differently, NaN with fewer than two units */
} fp_mcnemar;

/* first[p] and second[p]: whether the arm judges pair p rightly. `scratch` is not reset. */
fp_status fp_mcnemar_of(const fp_resample *resample, const bool *first, const bool *second, fp_arena *scratch,
                        fp_mcnemar *test, fp_error *error);
/* The exact p from the two discordant counts. */
double fp_mcnemar_exact(uint64_t only_first, uint64_t only_second);

#endif
