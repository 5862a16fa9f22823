/* SPDX-License-Identifier: GPL-3.0-or-later
 * Whole numbers back from what was divided by their norm. The norm is tried from the smallest value v: its whole number
 * is 1, or 2, …, and the sum of all squares (1/v)², (2/v)², …; whether that was right is seen at every value. */
#include "index/whole_values.h"

#include <math.h>

#include "index/posting_terms.h"

static double smallest(const fp_vector *vector) {
    double least = INFINITY;
    for (size_t i = 0; i < vector->count; i++) least = fmin(least, fp_vector_value(vector, i));
    return least;
}

static bool is_norm(const fp_vector *vector, double norm, double squares) {
    double sum = 0;
    for (size_t i = 0; i < vector->count; i++) {
        double value = fp_vector_value(vector, i), whole = nearbyint(value * norm);
        if (!(whole >= 1 && whole <= FP_WHOLE_MOST) || whole / norm != value) return false;
        sum += whole * whole;
    }
    return sum == squares;
}

double fp_whole_norm(const fp_vector *vector) {
    enum { LARGEST_SMALLEST = 16 };
    if (vector->count == 0) return 1;
    double least = smallest(vector);
    for (double whole = 1; whole <= LARGEST_SMALLEST; whole++) {
        double squares = nearbyint(whole / least * (whole / least)), norm = sqrt(squares);
        if (!(squares <= FP_WHOLE_SQUARES)) return 0;
        if (is_norm(vector, norm, squares)) return norm;
    }
    return 0;
}
