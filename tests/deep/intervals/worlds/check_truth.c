/* SPDX-License-Identifier: GPL-3.0-or-later
 * Whether samples have, on average, the counts that are expected of them. */
#include <gsl/gsl_statistics_double.h>
#include <math.h>

#include "tests/deep/intervals/worlds/population.h"

/* Pairs of a sample within a threshold. */
static fp_cells count(const sample *drawn, size_t lane, double threshold) {
    fp_cells counts = {0};
    for (size_t i = 0; i < drawn->count; i++) {
        bool called = drawn->distance[lane][i] <= threshold;
        if (drawn->pairs[i].label) *(called ? &counts.tp : &counts.fn) += 1;
        else *(called ? &counts.fp : &counts.tn) += 1;
    }
    return counts;
}

/* How many standard errors the mean is from what is expected. */
static double deviation(const double *values, size_t repetitions, double expected) {
    double mean = gsl_stats_mean(values, 1, repetitions), error = gsl_stats_sd(values, 1, repetitions);
    if (error == 0) return fabs(mean - expected) < 0.05 + 1e-6 * expected ? 0 : INFINITY;
    return fabs(mean - expected) / (error / sqrt((double)repetitions));
}

double check_truth(const cell *of, size_t repetitions, fp_arena *arena) {
    size_t thresholds = of->threshold_count[0];
    double *positives = fp_arena_alloc(arena, thresholds * repetitions, sizeof *positives),
           *negatives = fp_arena_alloc(arena, thresholds * repetitions, sizeof *negatives), largest = 0;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    fp_arena *own = fp_arena_new();
    for (size_t i = 0; i < repetitions; i++) {
        sample drawn;
        fp_arena_reset(own);
        gsl_rng_set(random, (uint32_t)fp_mix(i + 1, 1));
        draw_sample(of, random, own, &drawn);
        for (size_t t = 0; t < thresholds; t++) {
            fp_cells counts = count(&drawn, 0, of->thresholds[0][t]);
            positives[t * repetitions + i] = counts.tp;
            negatives[t * repetitions + i] = counts.fp;
        }
    }
    for (size_t t = 0; t < thresholds; t++) {
        fp_cells expected = cell_expected(of, 0, t);
        /* A count that is seen too seldom has no error to speak of. */
        if (expected.tp >= FEWEST_ASKED)
            largest = fmax(largest, deviation(positives + t * repetitions, repetitions, expected.tp));
        if (expected.fp >= FEWEST_ASKED)
            largest = fmax(largest, deviation(negatives + t * repetitions, repetitions, expected.fp));
    }
    fp_arena_free(own);
    gsl_rng_free(random);
    return largest;
}
