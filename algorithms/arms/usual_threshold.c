/* SPDX-License-Identifier: GPL-3.0-or-later
 * Usual thresholds: similarities with their sources, and the distances that they are. */
#include "algorithms/arms/usual_threshold.h"

#include <math.h>

typedef struct row {
    const char *measure;
    double similarity;
    const char *source;
} row;

static const char SIMHASH[] =
    "3 of 64 bits: Manku, Jain, Das Sarma, Detecting near-duplicates for web crawling, WWW 2007";
static const char MINHASH[] = "Jaccard 0.8: Soboleva et al., SlimPajama, 2023";

static const row ROWS[] = {
    {"equality", 1, "equal texts: by definition"},
    {"cosine", 0.98917650996478101, SIMHASH}, /* cos(3π/64) */
    {"Jaccard", 0.8, MINHASH},
    {"weighted Jaccard", 0.8, MINHASH},
};

static const row *row_of(const char *measure) {
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        if (strcmp(ROWS[i].measure, measure) == 0) return ROWS + i;
    return NULL;
}

/* The largest distance that stands for `least` or more; similarities fall as distances grow, and rounding of a digit
 * that nobody sees decides nothing. NaN where none does. */
static double largest_distance(const fp_instance *instance, double least) {
    double (*similarity)(const fp_instance *, double) = instance->algorithm->similarity;
    enum { STEPS = 60 };
    static const double ROUNDING = 1e-14;
    double low = 0, high = instance->layout.maximum;
    if (similarity(instance, low) < least - ROUNDING) return NAN;
    if (similarity(instance, high) >= least - ROUNDING) return high;
    for (int i = 0; i < STEPS && (!instance->layout.integral || high - low > 1); i++) {
        double middle = instance->layout.integral ? floor((low + high) / 2) : (low + high) / 2;
        if (similarity(instance, middle) >= least - ROUNDING) low = middle;
        else high = middle;
    }
    return low;
}

fp_usual_threshold fp_arm_usual_threshold(const fp_arm *arm) {
    const row *usual = arm->instance.algorithm->similarity ? row_of(fp_arm_measure(arm)) : NULL;
    double distance = usual ? largest_distance(&arm->instance, usual->similarity) : NAN;
    return isnan(distance) ? (fp_usual_threshold){NAN, ""} : (fp_usual_threshold){distance, usual->source};
}
