/* SPDX-License-Identifier: GPL-3.0-or-later
 * Means over seeds. */
#include "eval/outcome/seeds.h"

#include <math.h>
#include <string.h>

size_t fp_seeds_count(const fp_outcome *outcome, size_t arm) {
    return 1 + (outcome->further ? outcome->further[arm].count : 0);
}

size_t fp_seeds_lane(const fp_outcome *outcome, size_t arm, size_t seed) {
    return seed ? outcome->further[arm].first + seed - 1 : arm;
}

/* ---- At a threshold ---- */

static fp_confusion counts_under(const fp_outcome *outcome, size_t arm, size_t seed, double h) {
    return fp_confusion_at(&outcome->measurements[fp_seeds_lane(outcome, arm, seed)].histogram, h);
}

fp_cells fp_seeds_counts(const fp_outcome *outcome, size_t arm, double h) {
    size_t seeds = fp_seeds_count(outcome, arm);
    double count = (double)seeds;
    fp_confusion sum = {0};
    for (size_t k = 0; k < seeds; k++) {
        fp_confusion c = counts_under(outcome, arm, k, h);
        sum = (fp_confusion){sum.tp + c.tp, sum.fp + c.fp, sum.fn + c.fn, sum.tn + c.tn};
    }
    return (fp_cells){(double)sum.tp / count, (double)sum.fp / count, (double)sum.fn / count, (double)sum.tn / count};
}

/* ---- Figures ---- */

typedef struct mean {
    double sum;
    size_t defined;
} mean;

static void add(mean *to, double value) {
    if (isnan(value)) return;
    to->sum += value;
    to->defined++;
}

static double mean_of(const mean *from) { return from->defined ? from->sum / (double)from->defined : NAN; }

double fp_seeds_curve_mean(const fp_outcome *outcome, size_t arm, size_t offset) {
    mean of = {0};
    for (size_t k = 0; k < fp_seeds_count(outcome, arm); k++) {
        double value;
        memcpy(&value, (const char *)(outcome->curves + fp_seeds_lane(outcome, arm, k)) + offset, sizeof value);
        add(&of, value);
    }
    return mean_of(&of);
}
