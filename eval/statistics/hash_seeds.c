/* SPDX-License-Identifier: GPL-3.0-or-later
 * Variance between seeds of the hash. */
#include "eval/statistics/hash_seeds.h"

#include <math.h>

fp_seed_spread fp_seed_spread_of(const double *values, size_t count) {
    fp_seed_spread of = {0};
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        if (isnan(values[i])) continue;
        sum += values[i];
        of.count++;
    }
    of.mean = of.count ? sum / (double)of.count : NAN;
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i])) squares += (values[i] - of.mean) * (values[i] - of.mean);
    if (of.count > 1) of.deviation = sqrt(squares / (double)(of.count - 1));
    if (of.count > 1) of.variance = squares / (double)(of.count - 1) / (double)of.count;
    return of;
}

void fp_dyadic_add_seeds(fp_dyadic *spread, const fp_seed_spread *seeds) {
    if (seeds->count < 2 || !(seeds->variance > 0)) return;
    spread->variance += seeds->variance;
    spread->seeds = seeds->variance;
    spread->seed_freedom = (double)(seeds->count - 1);
}

double fp_seed_share(const fp_seed_spread *seeds, double variance) {
    return variance > 0 ? seeds->variance / variance : NAN;
}
