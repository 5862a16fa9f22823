/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * coverage_worlds.h - made-up labelled pairs whose truth is known.
 *
 * A world draws effects of documents and groups and a noise for each pair; an arm's distance is their sum, rounded and
 * cut to 0…64. A measure's truth is computed from the normal law of the distances of duplicates and of other pairs, so
 * it owes nothing to the evaluator. */
#ifndef FP_COVERAGE_WORLDS_H
#define FP_COVERAGE_WORLDS_H

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

#include "eval/measures/measure.h"

enum { ARMS = 3, LIMITS = 4, MOST_PAIRS = 9000, MOST_DOCUMENTS = 4000 };
static const double LIMIT[LIMITS] = {5, 8, 10, 13};
static const double PREVALENCE = 0.02;

typedef enum shape { APART, ANYHOW, GROUPS, STARS } shape;

typedef struct world {
    const char *name;
    shape shape;
    size_t documents, pairs, size; /* size of groups and of stars */
    double document, group;        /* standard deviations of the effects */
    bool small;                    /* fewer units than any method can do justice: reported, within wider bounds */
} world;

static const world WORLDS[] = {
    {"300 independent pairs", APART, 600, 300, 0, 0, 0, false},
    {"2000 independent pairs", APART, 4000, 2000, 0, 0, 0, false},
    {"1000 pairs of 300 documents, no effect of documents", ANYHOW, 300, 1000, 0, 0, 0, false},
    {"1000 pairs of 300 documents, weak effect", ANYHOW, 300, 1000, 0, 1.5, 0, false},
    {"1000 pairs of 300 documents, strong effect", ANYHOW, 300, 1000, 0, 3, 0, false},
    {"9000 pairs of 1500 documents, weak effect", ANYHOW, 1500, 9000, 0, 1.5, 0, false},
    {"100 stars of 9 pairs, strong effect", STARS, 1000, 900, 10, 3, 0, false},
    {"4000 pairs of 200 groups of 4, strong effect of groups", GROUPS, 800, 4000, 4, 1.5, 3, false},
    {"7000 pairs of 480 groups of 3", GROUPS, 1440, 7000, 3, 1.5, 2, false},
    {"900 pairs of 60 groups of 3", GROUPS, 180, 900, 3, 1.5, 2, true},
    {"870 pairs of 30 stars of 29, strong effect", STARS, 900, 870, 30, 3, 0, true},
};
enum { WORLD_COUNT = sizeof WORLDS / sizeof *WORLDS };

static const double NEAR = 6, FAR = 14, SHARE = 0.3;
/* Arms share the effects and part of the noise; the third is worse than the first two, which are alike. The noise of
 * the first two has deviation 3. */
static const double COMMON[ARMS] = {2, 2, 2}, OWN[ARMS] = {2.23606797749979, 2.23606797749979, 4};

/* ---- Truth ---- */

typedef struct truth {
    double precision[LIMITS], recall[LIMITS], f1[LIMITS], specificity[LIMITS], precision_at[LIMITS], average_precision,
        best_f1, roc_area, share;
} truth;

static double reached(double mean, double deviation, int d) {
    return d >= 64 ? 1 : gsl_cdf_gaussian_P(d + 0.5 - mean, deviation);
}

static truth find_truth(double near_deviation, double far_deviation, double share) {
    truth t = {.share = share};
    double tpr = 0, fpr = 0;
    for (int d = 0; d <= 64; d++) {
        double hits = reached(NEAR, near_deviation, d) - tpr, alarms = reached(FAR, far_deviation, d) - fpr;
        t.roc_area += alarms * (tpr + hits / 2);
        tpr += hits;
        fpr += alarms;
        double called = share * tpr + (1 - share) * fpr, precision = share * tpr / called,
               f1 = 2 * share * tpr / (called + share);
        t.average_precision += hits * precision;
        t.best_f1 = fmax(t.best_f1, f1);
        for (size_t k = 0; k < LIMITS; k++) {
            if (d != (int)LIMIT[k]) continue;
            t.precision[k] = precision;
            t.recall[k] = tpr;
            t.f1[k] = f1;
            t.specificity[k] = 1 - fpr;
            t.precision_at[k] = fp_precision_at(tpr, fpr, PREVALENCE);
        }
    }
    return t;
}

static inline double true_value(const truth *t, fp_measure measure) {
    const struct {
        const fp_measure_row *row;
        double value;
    } values[] = {{&fp_measure_precision, t->precision[measure.threshold]},
                  {&fp_measure_recall, t->recall[measure.threshold]},
                  {&fp_measure_f1, t->f1[measure.threshold]},
                  {&fp_measure_specificity, t->specificity[measure.threshold]},
                  {&fp_measure_precision_at, t->precision_at[measure.threshold]},
                  {&fp_measure_average_precision, t->average_precision},
                  {&fp_measure_best_f1, t->best_f1},
                  {&fp_measure_roc_area, t->roc_area}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i].row == measure.row) return values[i].value;
    return NAN;
}

/* ---- Worlds ---- */

typedef struct sample {
    size_t count;
    fp_pair pairs[MOST_PAIRS];
    uint32_t group[MOST_DOCUMENTS];
    double distance[ARMS][MOST_PAIRS];
    double document[MOST_DOCUMENTS], group_effect[MOST_DOCUMENTS];
} sample;

static void draw_groups(const world *of, gsl_rng *random, sample *to) {
    for (uint32_t i = 0; i < of->documents; i++)
        for (uint32_t j = i + 1; j < of->documents && to->group[j] == to->group[i]; j++)
            to->pairs[to->count++] = (fp_pair){i, j, 1};
    while (to->count < of->pairs) {
        uint32_t a = (uint32_t)gsl_rng_uniform_int(random, of->documents),
                 b = (uint32_t)gsl_rng_uniform_int(random, of->documents);
        if (to->group[a] != to->group[b]) to->pairs[to->count++] = (fp_pair){a, b, 0};
    }
}

static void draw_pairs(const world *of, gsl_rng *random, sample *to) {
    for (uint32_t i = 0; to->count < of->pairs; i++) {
        uint32_t a = 2 * i, b = 2 * i + 1;
        if (of->shape == ANYHOW) {
            a = (uint32_t)gsl_rng_uniform_int(random, of->documents);
            b = (uint32_t)gsl_rng_uniform_int(random, of->documents - 1);
            b += b >= a;
        } else if (of->shape == STARS) {
            a = i / (uint32_t)(of->size - 1) * (uint32_t)of->size;
            b = a + 1 + i % (uint32_t)(of->size - 1);
        }
        to->pairs[to->count++] = (fp_pair){a, b, gsl_rng_uniform(random) < SHARE};
    }
}

/* The effect of a group comes once in a pair inside it and twice, of two groups, in a pair across. */
static void draw_sample(const world *of, gsl_rng *random, sample *to) {
    to->count = 0;
    for (size_t i = 0; i < of->documents; i++) {
        to->group[i] = of->shape == GROUPS ? (uint32_t)(i / of->size) : UINT32_MAX;
        to->document[i] = gsl_ran_gaussian(random, 1) * of->document;
        to->group_effect[i] = gsl_ran_gaussian(random, 1) * of->group;
    }
    if (of->shape == GROUPS) draw_groups(of, random, to);
    else draw_pairs(of, random, to);
    for (size_t i = 0; i < to->count; i++) {
        fp_pair pair = to->pairs[i];
        double effect = to->document[pair.a] + to->document[pair.b], common = gsl_ran_gaussian(random, 1);
        if (of->shape == GROUPS) {
            effect += to->group_effect[to->group[pair.a]];
            if (!pair.label) effect += to->group_effect[to->group[pair.b]];
        }
        for (size_t arm = 0; arm < ARMS; arm++) {
            double d = (pair.label ? NEAR : FAR) + effect + common * COMMON[arm] + gsl_ran_gaussian(random, OWN[arm]);
            to->distance[arm][i] = fmin(64, fmax(0, rint(d)));
        }
    }
}

static inline truth world_truth(const world *of, size_t arm) {
    double noise = COMMON[arm] * COMMON[arm] + OWN[arm] * OWN[arm], inside = 2 * of->document * of->document + noise,
           share = SHARE;
    if (of->shape == GROUPS) share = (double)(of->documents * (of->size - 1) / 2) / (double)of->pairs;
    return find_truth(sqrt(inside + of->group * of->group), sqrt(inside + 2 * of->group * of->group), share);
}

#endif
