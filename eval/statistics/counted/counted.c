/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sums of influence values from counts. */
#include "eval/statistics/counted/counted.h"

#include <math.h>

#include "eval/statistics/counted/drawn_calls.h"

/* Pairs of a unit, by label. */
static double negatives_of(const fp_unit_list *units, size_t unit) {
    double size = (double)fp_unit_size(units, unit);
    return size * ((double)units->document_count - size);
}

static double positives_of(const fp_unit_list *units, size_t unit) {
    double size = (double)fp_unit_size(units, unit);
    return size * (size - 1) / 2;
}

/* A unit's sums over its negatives and over its positives. */
typedef struct parts {
    double across, inside;
} parts;

static parts sum_of(const fp_counted_pairs *counted, const fp_counted_arm *arm, const fp_counted_influence *of,
                    size_t unit) {
    if (of->ranged) {
        size_t place = unit * counted->functional_count + of->functional;
        return (parts){arm->touching[place], arm->own[place]};
    }
    size_t place = unit * counted->threshold_count + of->threshold;
    bool listed = of->threshold < counted->threshold_count; /* otherwise whole classes are meant */
    double called = listed ? arm->called[place] : 0, found = listed ? arm->found[place] : 0;
    if (listed && arm->drawn) called += counted->weight * arm->drawn[place];
    return (parts){called * of->by.fp + (negatives_of(counted->units, unit) - called) * of->by.tn,
                   found * of->by.tp + (positives_of(counted->units, unit) - found) * of->by.fn};
}

/* Σ over dyads of (called·fp + (size − called)·tn)², written as a sum of squares and products. */
static double across_of(const fp_counted_pairs *counted, const fp_counted_arm *arm, const fp_counted_influence *of) {
    if (of->ranged) return arm->across[of->functional];
    double more = of->by.fp - of->by.tn;
    if (more == 0) return of->by.tn * of->by.tn * counted->dyad_squares;
    return more * more * arm->called_squares[of->threshold] + 2 * more * of->by.tn * arm->called_sizes[of->threshold] +
           of->by.tn * of->by.tn * counted->dyad_squares;
}

static double noise_of(const fp_counted_arm *arm, const fp_counted_influence *of) {
    double more = of->by.fp - of->by.tn;
    if (of->ranged) return arm->noise[of->functional];
    return more == 0 ? 0 : more * more * arm->called_noise[of->threshold];
}

/* `heavier`: by how much more than 1 the square of a pair counts that a drawn one stands for. */
static double squares_over_pairs(const fp_counted_pairs *counted, const fp_counted_arm *arm,
                                 const fp_counted_influence *of, double heavier) {
    double sum = 0;
    size_t reach = of->ranged || of->threshold >= counted->threshold_count ? 0 : arm->reach[of->threshold];
    for (size_t bin = 0; bin < arm->bin_count; bin++) {
        const double *value = arm->value + 2 * bin * counted->functional_count + of->functional;
        double negative = of->ranged ? value[0] : bin < reach ? of->by.fp : of->by.tn;
        double positive = of->ranged ? value[counted->functional_count] : bin < reach ? of->by.tp : of->by.fn;
        sum +=
            (double)arm->cells[2 * bin] * negative * negative + (double)arm->cells[2 * bin + 1] * positive * positive;
        if (arm->stood_for) sum += heavier * arm->stood_for[bin] * negative * negative;
    }
    return sum;
}

double fp_counted_members(const fp_counted_pairs *counted, size_t arm, const fp_counted_influence *members) {
    return squares_over_pairs(counted, counted->arms + arm, members, 0);
}

/* Drawn negatives in the first bins. */
static double drawn_in(const fp_counted_pairs *counted, const fp_counted_arm *arm, size_t bins) {
    double sum = 0;
    for (size_t bin = 0; arm->stood_for && bin < bins; bin++) sum += arm->stood_for[bin];
    return sum / counted->weight;
}

double fp_counted_drawn_calls(const fp_counted_pairs *counted, size_t arm, size_t threshold) {
    return drawn_in(counted, counted->arms + arm, counted->arms[arm].reach[threshold]);
}

/* By how much fewer, or more, negatives may be called at a bin than draws say: one step a drawn pair that they stand
 * for. */
static double step_of(const fp_counted_pairs *counted) { return counted->weight * sqrt(1 - 1 / counted->weight); }

fp_counted_calls fp_counted_best_calls(const fp_counted_pairs *counted, size_t arm, double confidence) {
    const fp_counted_arm *of = counted->arms + arm;
    double positives = 0, tp = 0, fp = 0, drawn = 0, fewer = 0, best = -1;
    fp_counted_calls found = {0};
    for (size_t bin = 0; bin < of->bin_count; bin++) positives += (double)of->cells[2 * bin + 1];
    for (size_t bin = 0; bin < of->bin_count; bin++) {
        tp += (double)of->cells[2 * bin + 1];
        fp += (double)of->cells[2 * bin];
        if (of->stood_for && of->stood_for[bin] > 0) {
            drawn += of->stood_for[bin] / counted->weight;
            fewer = step_of(counted) * fp_drawn_fewer(drawn, confidence);
        }
        double f1 = 2 * tp / (tp + fp + positives);
        found.most = fmax(found.most, 2 * tp / (tp + fmax(0, fp - fewer) + positives));
        if (!(f1 > best)) continue;
        best = f1;
        found.tp = tp;
        found.drawn = drawn;
    }
    return found;
}

double fp_counted_least_average_precision(const fp_counted_pairs *counted, size_t arm, double wider,
                                          double confidence) {
    const fp_counted_arm *of = counted->arms + arm;
    double tp = 0, fp = 0, drawn = 0, known = NAN, missed = 0, sum = 0, step = step_of(counted);
    for (size_t bin = 0; bin < of->bin_count; bin++) {
        double found = (double)of->cells[2 * bin + 1];
        if (of->stood_for) drawn += of->stood_for[bin] / counted->weight;
        tp += found;
        fp += (double)of->cells[2 * bin];
        if (!(found > 0)) continue;
        /* A quantile is dear: anew where more was drawn since the last positive. */
        if (drawn != known) missed = step * fp_drawn_excess(known = drawn, wider, confidence);
        sum += found * tp / (tp + fp + missed);
    }
    return sum / tp;
}

fp_unit_sums fp_counted_unit_sums(const fp_counted_pairs *counted, size_t arm, const fp_counted_influence *influence,
                                  double *unit) {
    const fp_counted_arm *from = counted->arms + arm;
    fp_unit_sums sums = {.count = counted->units->count,
                         .sum = unit,
                         .across = across_of(counted, from, influence),
                         .independent = squares_over_pairs(counted, from, influence, counted->weight - 1),
                         .noise = noise_of(from, influence)};
    for (size_t u = 0; u < sums.count; u++) {
        parts of = sum_of(counted, from, influence, u);
        unit[u] = of.across + of.inside;
        sums.inside += of.inside * of.inside;
    }
    return sums;
}

/* ---- Differences ---- */

fp_unit_sums fp_counted_difference(const fp_counted_pairs *counted, const fp_counted_side *first,
                                   const fp_counted_side *second, double *unit, double *room) {
    fp_unit_sums one = fp_counted_unit_sums(counted, first->arm, &first->influence, unit),
                 other = fp_counted_unit_sums(counted, second->arm, &second->influence, room);
    fp_unit_sums sums = {.count = one.count, .sum = unit};
    size_t place = first->arm * counted->arm_count + second->arm;
    bool known = first->influence.functional == 0 && second->influence.functional == 0;
    double joint = known ? counted->joint[place] : sqrt(one.across * other.across),
           noise = known ? counted->joint_noise[place] : sqrt(one.noise * other.noise),
           pairs = known ? counted->joint_pairs[place] : 0;
    sums.across = fmax(0, one.across + other.across - 2 * joint);
    sums.independent = fmax(0, one.independent + other.independent - 2 * pairs);
    sums.noise = fmax(0, one.noise + other.noise - 2 * noise);
    for (size_t u = 0; u < sums.count; u++) {
        double inside = sum_of(counted, counted->arms + first->arm, &first->influence, u).inside -
                        sum_of(counted, counted->arms + second->arm, &second->influence, u).inside;
        sums.inside += inside * inside;
        unit[u] -= room[u];
    }
    return sums;
}
