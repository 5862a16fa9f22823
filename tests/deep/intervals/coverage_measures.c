/* SPDX-License-Identifier: GPL-3.0-or-later
 * coverage_measures [REPETITIONS]: how often the default 95% interval of a measure that is estimated on request holds
 * the true value, on independent pairs: distances of duplicates and of others are normal and rounded to whole ones, so
 * that the truth is known from the same shares, taken as counts of 10⁹ pairs. Where at least five errors and five
 * successes are expected, of the duplicates that a measure over the range goes over, coverage is 93% to 97% over all
 * worlds. Elsewhere, marked by an asterisk, an interval may be longer than it need be, for one unit more that is wrong
 * weighs much where hardly any is: there each world has 93%, less three errors of its repetitions. Exit status 1 when a
 * share lies outside its bounds. */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "eval/statistics/measure_interval.h"

enum { MOST = 800, BINS = 65, MEASURES = 6, WORLDS = 6 };
static const double LIMIT = 14;
static const char *const NAMES[MEASURES] = {
    "f1", "f_beta:0.5", "f_beta:2", "matthews_correlation", "average_precision", "precision_recall_gain_area"};

typedef struct world {
    size_t pairs;
    double share, gap; /* of duplicates; between the means of both classes, in standard deviations */
} world;
static const world WORLD[WORLDS] = {{100, 0.3, 2}, {300, 0.3, 2},  {300, 0.1, 3},
                                    {300, 0.5, 1}, {800, 0.05, 2}, {800, 0.3, 3}};

static double place(const world *of, bool label) { return label ? 10 : 10 + 4 * of->gap; }

static void die(const fp_error *error) {
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

static void find_truth(const world *of, const fp_measure *measures, double *truth) {
    uint64_t cells[2 * BINS];
    double distance[BINS];
    fp_ranked_step steps[BINS];
    fp_confusion c = {0};
    for (size_t bin = 0; bin < BINS; bin++) {
        distance[bin] = (double)bin;
        for (int label = 0; label < 2; label++) {
            double low = bin ? gsl_cdf_gaussian_P((double)bin - 0.5 - place(of, label), 4) : 0,
                   high = bin + 1 < BINS ? gsl_cdf_gaussian_P((double)bin + 0.5 - place(of, label), 4) : 1;
            uint64_t count = cells[2 * bin + (size_t)label] =
                (uint64_t)rint(1e9 * (label ? of->share : 1 - of->share) * (high - low));
            if (distance[bin] <= LIMIT) *(label ? &c.tp : &c.fp) += count;
            else *(label ? &c.fn : &c.tn) += count;
        }
    }
    fp_ranked all = fp_ranked_of(BINS, distance, cells, steps);
    for (size_t m = 0; m < MEASURES; m++)
        truth[m] =
            measures[m].row->value ? fp_measure_of(measures[m], c, FP_EMPTY_NA) : measures[m].row->over_range(&all);
}

/* Whether at least five errors and five successes are expected; at the threshold they are many. */
static bool is_asked(const world *of, const fp_measure *measure, double truth) {
    enum { FEWEST = 5 };
    double positives = of->share * (double)of->pairs;
    return measure->row->value || fmin(truth, 1 - truth) * positives >= FEWEST;
}

static void repeat(const world *of, const fp_measure *measures, const double *truth, gsl_rng *random,
                   size_t held[MEASURES], size_t defined[MEASURES]) {
    fp_error error = {0};
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    fp_pair pairs[MOST];
    double distance[MOST];
    const double *distances = distance;
    fp_resample resample;
    fp_bootstrap bootstrap;
    for (uint32_t i = 0; i < of->pairs; i++) {
        bool label = gsl_rng_uniform(random) < of->share;
        pairs[i] = (fp_pair){2 * i, 2 * i + 1, label};
        distance[i] = fmin(BINS - 1, fmax(0, rint(place(of, label) + gsl_ran_gaussian(random, 4))));
    }
    fp_bootstrap_options options = {
        .thresholds = &LIMIT, .threshold_count = 1, .ranked = measures + 4, .ranked_count = 2};
    if (fp_resample_make(pairs, of->pairs, NULL, 2 * of->pairs, FP_SAMPLING_AUTO, arena, &resample, &error) != FP_OK ||
        fp_bootstrap_run(&resample, &(fp_paired_distances){pairs, &distances, 1}, &options, NULL, arena, &bootstrap,
                         &error) != FP_OK)
        die(&error);
    for (size_t m = 0; m < MEASURES; m++) {
        fp_estimate found;
        if (fp_bootstrap_estimate(&bootstrap, 0, measures[m], FP_METHOD_MID_P, 0.95, scratch, &found, &error) != FP_OK)
            die(&error);
        if (isnan(found.value)) continue;
        defined[m]++;
        held[m] += found.interval.low <= truth[m] && truth[m] <= found.interval.high;
    }
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

typedef struct sum {
    double shares;
    int worlds;
} sum;

static bool try_world(const world *of, const fp_measure *measures, size_t repetitions, gsl_rng *random, sum *asked) {
    double truth[MEASURES];
    size_t held[MEASURES] = {0}, defined[MEASURES] = {0};
    bool good = true;
    find_truth(of, measures, truth);
    for (size_t i = 0; i < repetitions; i++) repeat(of, measures, truth, random, held, defined);
    printf("%zu pairs, %g duplicates, gap %g\n", of->pairs, of->share, of->gap);
    for (size_t m = 0; m < MEASURES; m++) {
        double share = (double)held[m] / (double)defined[m], error = sqrt(0.93 * 0.07 / (double)defined[m]);
        bool counts = is_asked(of, measures + m, truth[m]), low = !counts && share < 0.93 - 3 * error;
        if (counts) asked[m] = (sum){asked[m].shares + share, asked[m].worlds + 1};
        printf("  %-28s %8.4f  held in %.4f%s%s\n", NAMES[m], truth[m], share, counts ? "" : " *",
               low ? ", below 0.93" : "");
        good &= !low;
    }
    return good;
}

int main(int count, char **arguments) {
    size_t repetitions = count > 1 ? (size_t)atoi(arguments[1]) : 2000;
    fp_measure measures[MEASURES];
    fp_error error = {0};
    sum asked[MEASURES] = {{0}};
    bool good = true;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t m = 0; m < MEASURES; m++)
        if (fp_measure_find(NAMES[m], 0, measures + m, &error) != FP_OK) die(&error);
    for (size_t w = 0; w < WORLDS; w++) good &= try_world(WORLD + w, measures, repetitions, random, asked);
    printf("over all that have no asterisk\n");
    for (size_t m = 0; m < MEASURES; m++) {
        double share = asked[m].shares / asked[m].worlds;
        bool within = share >= 0.93 && share <= 0.97;
        printf("  %-28s held in %.4f of %d%s\n", NAMES[m], share, asked[m].worlds,
               within ? "" : ", outside 0.93 to 0.97");
        good &= within;
    }
    gsl_rng_free(random);
    return good ? 0 : 1;
}
