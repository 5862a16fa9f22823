/* SPDX-License-Identifier: GPL-3.0-or-later
 * Probability laws, on GSL's distributions. */
#include "algorithms/families/law.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

double fp_law_binomial(double h, double differs, unsigned places) {
    if (h < 0) return 0;
    if (h >= places) return 1;
    return gsl_cdf_binomial_P((unsigned)floor(h), differs, places);
}

double fp_law_angle(double cosine) { return acos(fmax(-1, fmin(1, cosine))) / M_PI; }
