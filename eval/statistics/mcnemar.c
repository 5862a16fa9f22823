/* SPDX-License-Identifier: GPL-3.0-or-later
 * McNemar's test, of pairs and of units. */
#include "eval/statistics/mcnemar.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

double fp_mcnemar_exact(uint64_t only_first, uint64_t only_second) {
    uint64_t fewer = only_first < only_second ? only_first : only_second, all = only_first + only_second;
    if (all == 0) return 1;
    double exact = all <= UINT32_MAX ? gsl_cdf_binomial_P((unsigned)fewer, 0.5, (unsigned)all) : NAN;
    /* Counts out of the beta distribution's reach: the normal limit, with the continuity correction. */
    if (isnan(exact)) exact = gsl_cdf_ugaussian_P(((double)fewer + 0.5 - (double)all / 2) / (sqrt((double)all) / 2));
    return fmin(1, 2 * exact);
}

/* ---- Units ---- */

typedef struct sums {
    double all;     /* Σ d */
    double squares; /* Σ s² */
    double fourths; /* Σ s⁴ */
    double across;  /* Σ e² over dyads across units */
    double inside;  /* Σ e² over dyads inside one */
    double touched; /* mean square of the number of units that a discordant pair touches */
    double active;  /* units that a discordant pair touches */
} sums;

static fp_status add_up(const fp_resample *resample, const bool *first, const bool *second, fp_arena *scratch, sums *to,
                        fp_error *error) {
    size_t units = resample->unit_count, dyads = resample->dyad_count;
    double *unit = fp_arena_alloc(scratch, units, sizeof *unit), *dyad = fp_arena_alloc(scratch, dyads, sizeof *dyad),
           discordant = 0;
    bool *active = fp_arena_alloc(scratch, units, sizeof *active);
    if (!unit || !dyad || !active) return fp_no_memory(error);
    *to = (sums){0};
    for (size_t i = 0; i < resample->pair_count; i++) {
        uint32_t a = resample->first[i], b = resample->second[i];
        double d = (double)first[i] - (double)second[i];
        if (d == 0) continue;
        active[a] = active[b] = true;
        unit[a] += d;
        if (a != b) unit[b] += d;
        dyad[resample->dyad[i]] += d;
        to->all += d;
        discordant++;
        to->touched += a != b ? 4 : 1;
    }
    to->touched /= discordant;
    for (size_t u = 0; u < units; u++) {
        to->active += active[u];
        to->squares += unit[u] * unit[u];
        to->fourths += pow(unit[u], 4);
    }
    for (size_t i = 0; i < dyads; i++) {
        uint32_t pair = resample->dyad_pair[i];
        *(resample->first[pair] == resample->second[pair] ? &to->inside : &to->across) += dyad[i] * dyad[i];
    }
    return FP_OK;
}

static double within(double value, double least, double most) { return fmin(most, fmax(least, value)); }

static double of_units(const sums *of, double units) {
    if (units < 2) return NAN;
    if (of->all == 0) return 1;
    double variance = fmax(of->squares - of->across, of->inside + of->across);
    double worth = within(3 * variance * variance / of->fourths, 2, units);
    double most = within(units / of->touched, 2, worth), squared = of->all * of->all / variance;
    double t = squared < most ? sqrt(squared * (most - 1) / (most - squared)) : INFINITY;
    double freedom = 2 * worth * most / (worth + most) - 1;
    return fmin(1, fmax(2 * gsl_cdf_tdist_Q(t, freedom), pow(0.5, of->active - 1)));
}

fp_status fp_mcnemar_of(const fp_resample *resample, const bool *first, const bool *second, fp_arena *scratch,
                        fp_mcnemar *test, fp_error *error) {
    *test = (fp_mcnemar){.exact = resample->unit == FP_SAMPLING_PAIR, .p = 1};
    for (size_t i = 0; i < resample->pair_count; i++) {
        test->only_first += first[i] && !second[i];
        test->only_second += second[i] && !first[i];
    }
    if (test->exact) test->p = fp_mcnemar_exact(test->only_first, test->only_second);
    if (test->exact || test->only_first + test->only_second == 0) return FP_OK;
    sums of;
    FP_TRY(add_up(resample, first, second, scratch, &of, error));
    test->p = of_units(&of, (double)resample->unit_count);
    return FP_OK;
}
