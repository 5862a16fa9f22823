/* SPDX-License-Identifier: GPL-3.0-or-later
 * Bisection. */
#include "eval/statistics/bisection.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

enum { HALVINGS = 100 };

double fp_bisect(fp_holds holds, void *context, double inside, double outside) {
    for (int i = 0; i < HALVINGS; i++) {
        double middle = inside + (outside - inside) / 2;
        if (middle == inside || middle == outside) break;
        *(holds(context, middle) ? &inside : &outside) = middle;
    }
    return inside;
}

typedef struct gamma_law {
    double shape, level;
} gamma_law;

static bool is_below(void *context, double x) {
    const gamma_law *of = context;
    return gsl_cdf_gamma_P(x, of->shape, 1) < of->level;
}

double fp_gamma_quantile(double shape, double level) {
    enum { MANY = 10000 };
    double z = gsl_cdf_ugaussian_Pinv(level), root = 1 - 1 / (9 * shape) + z / (3 * sqrt(shape));
    if (shape > MANY) return shape * root * root * root;
    return fp_bisect(is_below, &(gamma_law){shape, level}, 0, 2 * shape + 100);
}
