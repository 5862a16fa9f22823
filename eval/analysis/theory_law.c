/* SPDX-License-Identifier: GPL-3.0-or-later
 * A law is known by its distribution function F alone. With a lower end a, E[D − a] = ∫ (1 − F) from a on, and
 * E[(D − a)²] = ∫ 2(h − a)(1 − F); for whole distances, sums. */
#include <math.h>

#include "eval/analysis/theory_law.h"

/* What is left out at either end. */
static const double TAIL = 1e-12;

size_t fp_theory_steps(const fp_instance *instance) { return (size_t)ceil(instance->layout.maximum) + 1; }

static double law_at(const fp_instance *instance, double similarity, double h) {
    return fmax(0, fmin(1, instance->algorithm->law(instance, similarity, h)));
}

/* The smallest h on a grid of `unit` with F(h) ≥ level; 0 … last·unit. */
static double reach(const fp_instance *instance, double similarity, double level, double unit, double last) {
    double below = -1, at = last;
    while (at - below > 1) {
        double middle = floor((below + at) / 2);
        *(law_at(instance, similarity, middle * unit) >= level ? &at : &below) = middle;
    }
    return at * unit;
}

static fp_moments of_whole(const fp_instance *instance, double similarity, double low, double high, double *below) {
    double first = 0, second = 0;
    for (double h = low; h < high; h++) {
        double reached = law_at(instance, similarity, h), rest = 1 - reached;
        if (below) below[(size_t)h] = reached;
        first += rest;
        second += (2 * (h - low) + 1) * rest;
    }
    return (fp_moments){low + first, fmax(0, second - first * first)};
}

/* The trapezoidal rule, which is as good as any where all derivatives vanish at both ends (Trefethen, Weideman, SIAM
 * Review 56, 2014); only 2(h − a)(1 − F) has a slope of 2 at a, which costs unit²/6 (Euler, Maclaurin). */
static fp_moments of_real(const fp_instance *instance, double similarity, double low, double high) {
    enum { PIECES = 48 };
    double first = 0, second = 0, unit = (high - low) / PIECES;
    for (int i = 0; i < PIECES; i++) {
        double rest = 1 - law_at(instance, similarity, low + i * unit), weight = i ? unit : unit / 2;
        first += weight * rest;
        second += weight * 2 * i * unit * rest;
    }
    second += unit * unit / 6;
    return (fp_moments){low + first, fmax(0, second - first * first)};
}

fp_moments fp_theory_spread_out(const fp_instance *instance, double similarity, double *below) {
    size_t steps = fp_theory_steps(instance);
    double maximum = instance->layout.maximum, unit = instance->layout.integral ? 1 : maximum * 0x1p-12;
    double last = instance->layout.integral ? (double)steps - 1 : 0x1p12;
    double low = reach(instance, similarity, TAIL, unit, last),
           high = reach(instance, similarity, 1 - TAIL, unit, last);
    for (size_t h = 0; below && h < steps; h++) below[h] = (double)h >= high ? 1 : 0;
    if (instance->layout.integral) return of_whole(instance, similarity, low, high, below);
    for (double h = ceil(low); below && h < high; h++) below[(size_t)h] = law_at(instance, similarity, h);
    return of_real(instance, similarity, low, high);
}

fp_moments fp_theory_moments(const fp_instance *instance, double similarity) {
    return fp_theory_spread_out(instance, similarity, NULL);
}
