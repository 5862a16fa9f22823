/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fit_size N: how often the tests of fit.h at 5% reject a law that holds, over N simulations of each kind of data:
 * pairs without anything in common, hyperplanes over vectors of which all pairs are taken (with no, some, and much in
 * common between all of them), minima of random values over sets that overlap. Beside it, how often a test rejects that
 * takes the pairs as independent: in half of the simulations and more where all pairs are taken. And how often laws are
 * rejected that do not hold. Exit status 1 when one of the two tests rejects a right law in less than 2% or more than
 * 8% of the simulations (3% to 7% when N is 2,000 or more), both together in more than 8% (6.5%), or a wrong one in
 * less than 80%. */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "eval/analyses/theory.h"

enum {
    DIMENSIONS = 20,
    DOCUMENTS = 40,
    GROUP = 4,
    FEATURES = 400,
    MOST_PLACES = 256,
    MOST_PAIRS = DOCUMENTS * (DOCUMENTS - 1) / 2
};

typedef struct sample {
    size_t pairs, places;
    double probability[MOST_PAIRS];
    uint64_t differs[MOST_PLACES * ((MOST_PAIRS + 63) / 64)];
} sample;

static void set(sample *of, size_t place, size_t pair, bool differs) {
    of->differs[place * fp_fit_words(of->pairs) + pair / 64] |= (uint64_t)differs << pair % 64;
}

/* ---- Data ---- */

/* `wrong` moves the probabilities up by a hundredth for even pairs and down for odd ones; `copies` of each place. */
typedef struct kind {
    const char *name;
    void (*make)(const struct kind *kind, gsl_rng *random, sample *of);
    size_t places, pairs;
    double common, wrong;
    size_t copies;
    bool holds;
} kind;

static void make_independent(const kind *of_kind, gsl_rng *random, sample *of) {
    of->pairs = of_kind->pairs;
    for (size_t i = 0; i < of->pairs; i++) {
        of->probability[i] = gsl_ran_flat(random, 0.02, 0.5);
        double p = of->probability[i] * (1 + (i % 2 ? of_kind->wrong : -of_kind->wrong));
        for (size_t j = 0; j < of->places; j += of_kind->copies) {
            bool differs = gsl_rng_uniform(random) < p;
            for (size_t copy = 0; copy < of_kind->copies; copy++) set(of, j + copy, i, differs);
        }
    }
}

/* Vectors in groups, all with `common` in the first dimension; one Gaussian direction a place. */
static void make_angles(const kind *of_kind, gsl_rng *random, sample *of) {
    double vector[DOCUMENTS][DIMENSIONS];
    for (size_t d = 0; d < DOCUMENTS; d++)
        for (size_t x = 0; x < DIMENSIONS; x++)
            vector[d][x] = d % GROUP ? vector[d - d % GROUP][x] + 0.4 * gsl_ran_ugaussian(random)
                                     : gsl_ran_ugaussian(random) + (x == 0 ? of_kind->common : 0);
    of->pairs = MOST_PAIRS;
    for (size_t j = 0; j < of->places; j++) {
        double direction[DIMENSIONS];
        bool sign[DOCUMENTS];
        for (size_t x = 0; x < DIMENSIONS; x++) direction[x] = gsl_ran_ugaussian(random);
        for (size_t d = 0; d < DOCUMENTS; d++) {
            double sum = 0;
            for (size_t x = 0; x < DIMENSIONS; x++) sum += direction[x] * vector[d][x];
            sign[d] = sum > 0;
        }
        for (size_t b = 1, i = 0; b < DOCUMENTS; b++)
            for (size_t a = 0; a < b; a++, i++) set(of, j, i, sign[a] != sign[b]);
    }
    for (size_t b = 1, i = 0; b < DOCUMENTS; b++)
        for (size_t a = 0; a < b; a++, i++) {
            double product = 0, left = 0, right = 0;
            for (size_t x = 0; x < DIMENSIONS; x++) {
                product += vector[a][x] * vector[b][x];
                left += vector[a][x] * vector[a][x];
                right += vector[b][x] * vector[b][x];
            }
            of->probability[i] = acos(fmax(-1, fmin(1, product / sqrt(left * right)))) / M_PI + of_kind->wrong;
        }
}

/* Sets in groups, of which a share `common` of the features is in all; a place is the feature with the least random
 * value. */
static void make_minima(const kind *of_kind, gsl_rng *random, sample *of) {
    static bool has[DOCUMENTS][FEATURES];
    for (size_t d = 0; d < DOCUMENTS; d++)
        for (size_t f = 0; f < FEATURES; f++) {
            bool fresh = gsl_rng_uniform(random) < 0.2;
            has[d][f] = (double)f < of_kind->common * FEATURES ||
                        (d % GROUP && gsl_rng_uniform(random) < 0.85 ? has[d - d % GROUP][f] : fresh);
        }
    of->pairs = MOST_PAIRS;
    for (size_t j = 0; j < of->places; j++) {
        double least[DOCUMENTS];
        size_t chosen[DOCUMENTS] = {0};
        for (size_t d = 0; d < DOCUMENTS; d++) least[d] = 2;
        for (size_t f = 0; f < FEATURES; f++) {
            double value = gsl_rng_uniform(random);
            for (size_t d = 0; d < DOCUMENTS; d++)
                if (has[d][f] && value < least[d]) least[d] = value, chosen[d] = f;
        }
        for (size_t b = 1, i = 0; b < DOCUMENTS; b++)
            for (size_t a = 0; a < b; a++, i++) set(of, j, i, chosen[a] != chosen[b]);
    }
    for (size_t b = 1, i = 0; b < DOCUMENTS; b++)
        for (size_t a = 0; a < b; a++, i++) {
            double both = 0, either = 0;
            for (size_t f = 0; f < FEATURES; f++) both += has[a][f] && has[b][f], either += has[a][f] || has[b][f];
            of->probability[i] = 1 - both / either;
        }
}

/* ---- The test that takes pairs as independent: Pearson's statistic of spread, by its mean and variance ---- */

static bool naive_rejects(const sample *of) {
    double n = (double)of->places, excess = 0, variance = 0;
    for (size_t i = 0; i < of->pairs; i++) {
        double p = of->probability[i], v = n * p * (1 - p), d = 0;
        for (size_t j = 0; j < of->places; j++)
            d += (double)(of->differs[j * fp_fit_words(of->pairs) + i / 64] >> i % 64 & 1);
        excess += (d - n * p) * (d - n * p) - v;
        variance += 2 * v * v + v * (1 - 6 * p * (1 - p));
    }
    return fabs(excess) > 1.96 * sqrt(variance);
}

static bool simulate(const kind *of_kind, int simulations) {
    static sample of;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    fp_arena *arena = fp_arena_new();
    fp_error error;
    int shift = 0, spread = 0, either = 0, naive = 0;
    for (int s = 0; s < simulations; s++) {
        gsl_rng_set(random, (unsigned long)s + 1);
        of = (sample){.places = of_kind->places};
        of_kind->make(of_kind, random, &of);
        fp_fit_input input = {of.pairs, of.places, of.differs, of.probability};
        fp_fit fit;
        fp_arena_reset(arena);
        if (fp_fit_make(&input, 0.95, 199, (uint64_t)s, arena, &fit, &error) != FP_OK) exit(1);
        shift += fit.shift.p < 0.05;
        spread += fit.spread_p < 0.05;
        either += fit.p < 0.05;
        naive += naive_rejects(&of);
    }
    double all = simulations, share = either / all, half = simulations >= 2000 ? 0.02 : 0.03,
           most = simulations >= 2000 ? 0.065 : 0.08;
    bool good = of_kind->holds ? fabs(shift / all - 0.05) <= half && fabs(spread / all - 0.05) <= half && share <= most
                               : share >= 0.8;
    printf("%-34s %3zu places: shift %.3f spread %.3f both %.3f, pairs as independent %.3f%s\n", of_kind->name,
           of_kind->places, shift / all, spread / all, share, naive / all, good ? "" : "  BAD");
    fp_arena_free(arena);
    gsl_rng_free(random);
    return good;
}

int main(int argc, char **argv) {
    static const kind KINDS[] = {
        {"pairs that share nothing", make_independent, 32, 200, 0, 0, 1, true},
        {"pairs that share nothing", make_independent, 64, 200, 0, 0, 1, true},
        {"pairs that share nothing", make_independent, 256, 200, 0, 0, 1, true},
        {"five pairs", make_independent, 64, 5, 0, 0, 1, true},
        {"angles, all pairs", make_angles, 64, 0, 0, 0, 1, true},
        {"angles, some in common", make_angles, 64, 0, 3, 0, 1, true},
        {"angles, much in common", make_angles, 32, 0, 10, 0, 1, true},
        {"angles, much in common", make_angles, 64, 0, 10, 0, 1, true},
        {"angles, much in common", make_angles, 256, 0, 10, 0, 1, true},
        {"minima, all pairs", make_minima, 64, 0, 0, 0, 1, true},
        {"minima, a tenth in common", make_minima, 64, 0, 0.1, 0, 1, true},
        {"minima, a tenth in common", make_minima, 256, 0, 0.1, 0, 1, true},
        {"WRONG: a third too high or low", make_independent, 64, 200, 0, 0.33, 1, false},
        {"WRONG: every place four times", make_independent, 64, 200, 0, 0, 4, false},
        {"WRONG: angles 0.05 too large", make_angles, 64, 0, 0, 0.05, 1, false},
    };
    int simulations = argc > 1 ? atoi(argv[1]) : 400;
    bool good = simulations > 0;
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) good &= simulate(KINDS + i, simulations);
    return good ? 0 : 1;
}
