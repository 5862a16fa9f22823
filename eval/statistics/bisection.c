/* SPDX-License-Identifier: GPL-3.0-or-later
 * Bisection. */
#include "eval/statistics/bisection.h"

enum { HALVINGS = 100 };

double fp_bisect(fp_holds holds, void *context, double inside, double outside) {
    for (int i = 0; i < HALVINGS; i++) {
        double middle = inside + (outside - inside) / 2;
        if (middle == inside || middle == outside) break;
        *(holds(context, middle) ? &inside : &outside) = middle;
    }
    return inside;
}
