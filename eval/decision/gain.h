/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gain.h - precision–recall–gain curves (Flach, Kull, Precision–Recall–Gain Curves, NIPS 2015).
 *
 * Gains set precision and recall against calling everything, on the harmonic scale that F1 has: (x − π)/((1 − π)x) for
 * x = precision or recall, π being the share of duplicates. F1 gain is the mean of the two, so that points of equal F1
 * lie on a straight line; the area is precision_recall_gain_area of the measures.
 */
#ifndef FP_GAIN_H
#define FP_GAIN_H

#include "eval/measures/curve.h"

typedef struct fp_gain_point {
    double distance; /* NaN where the curve crosses recall gain 0 between two distances */
    double precision_gain, recall_gain, f1_gain;
} fp_gain_point;

/* (x − π)/((1 − π)x): −∞ at 0, 0 at π, 1 at 1. 0 < π < 1. */
double fp_gain(double x, double prevalence);

/* The points of a curve that have a recall gain of 0 or more, ascending in it, the first where it is 0 (counts being
 * interpolated between distances, as the area has it) unless nothing lies before. points[curve->count + 1]; returns how
 * many there are, none where a class is empty. */
size_t fp_gain_points(const fp_curve *curve, fp_gain_point *points);

#endif
