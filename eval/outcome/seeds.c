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

fp_cells fp_seeds_counts(const fp_outcome *outcome, size_t arm, double h) {
    size_t seeds = fp_seeds_count(outcome, arm);
    fp_cells sum = {0};
    for (size_t k = 0; k < seeds; k++)
        fp_cells_add(&sum, fp_confusion_at(&outcome->measurements[fp_seeds_lane(outcome, arm, k)].histogram, h));
    return fp_cells_over(sum, seeds);
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
