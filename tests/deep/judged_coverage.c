/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * judged_coverage [REPETITIONS]: how often the 95% intervals of a judged sample contain the truth, over draws from
 * made-up corpora whose duplicates are known at each distance. A line for each corpus and threshold: precision and its
 * coverage, relative recall and its coverage; a figure that is 1 by definition or from the first pair to the last is
 * left out. Exit status 1 unless the mean coverage of each figure is 94 to 97 in 100 and none is below 90: where one
 * pair in a hundred of a stratum is a duplicate, 50 judgements find two or more in 9 draws of 100, and the score
 * interval then lies past the truth. */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "eval/judging/judging.h"

enum { STRATA = 11, WORLDS = 4 };

typedef struct world {
    size_t drawn;
    unsigned pairs[STRATA], duplicates[STRATA];
} world;

static const world WORLD[WORLDS] = {
    {50, {40, 60, 80, 120, 160, 200, 300, 500, 900, 2000, 4000}, {40, 58, 75, 100, 120, 120, 130, 120, 100, 80, 40}},
    {50,
     {400, 600, 800, 1200, 1600, 2000, 3000, 5000, 9000, 20000, 40000},
     {400, 580, 750, 1000, 1200, 1200, 1300, 1200, 1000, 800, 400}},
    {50,
     {1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000},
     {1000, 1000, 990, 950, 900, 800, 600, 300, 100, 20, 0}},
    {20, {30, 20, 25, 30, 40, 60, 70, 90, 150, 300, 600}, {30, 20, 24, 25, 30, 35, 30, 20, 12, 6, 2}},
};

typedef struct tally {
    size_t held, moved; /* intervals that hold the truth; that are wider than a point */
} tally;

static void count(tally *in, fp_interval interval, double truth) {
    in->held += interval.low <= truth + 1e-9 && truth <= interval.high + 1e-9;
    in->moved += interval.high - interval.low > 1e-9;
}

static void draw(const world *from, gsl_rng *generator, fp_judged_stratum *strata, fp_judged_counts *counts) {
    for (size_t s = 0; s < STRATA; s++) {
        size_t drawn = from->drawn < from->pairs[s] ? from->drawn : from->pairs[s];
        size_t found = gsl_ran_hypergeometric(generator, from->duplicates[s], from->pairs[s] - from->duplicates[s],
                                              (unsigned)drawn);
        strata[s] = (fp_judged_stratum){s, from->pairs[s], drawn};
        counts[s] = (fp_judged_counts){{found, drawn - found, 0, 0}};
    }
}

/* What all lines come to. */
typedef struct summary {
    double sum, least;
    size_t lines;
} summary;

static void show(const char *name, double truth, const tally *of, size_t repetitions, summary *to) {
    double share = (double)of->held / (double)repetitions;
    if (of->moved == 0 || truth > 1 - 1e-9) return;
    printf("   %s %.3f in %.3f of the intervals", name, truth, share);
    to->sum += share;
    to->lines++;
    to->least = fmin(to->least, share);
}

/* Running sums. */
static void add_up(const unsigned *of, double *to) {
    for (size_t s = 0; s < STRATA; s++) to[s] = (s ? to[s - 1] : 0) + of[s];
}

static int try_world(const world *from, size_t repetitions, gsl_rng *generator, fp_arena *arena, summary *of_precision,
                     summary *of_recall) {
    tally precision[STRATA] = {{0, 0}}, recall[STRATA] = {{0, 0}};
    double pairs[STRATA], duplicates[STRATA];
    add_up(from->pairs, pairs);
    add_up(from->duplicates, duplicates);
    for (size_t i = 0; i < repetitions; i++) {
        fp_judged_stratum strata[STRATA];
        fp_judged_counts counts[STRATA];
        fp_judged_value figures[STRATA];
        fp_arena_reset(arena);
        draw(from, generator, strata, counts);
        if (fp_judged_estimate(strata, counts, STRATA, FP_UNSURE_LEAVE_OUT, 0.95, arena, figures, NULL) != FP_OK)
            return 1;
        for (size_t s = 0; s < STRATA; s++) {
            count(precision + s, figures[s].precision_interval, duplicates[s] / pairs[s]);
            count(recall + s, figures[s].recall_interval, duplicates[s] / duplicates[STRATA - 1]);
        }
    }
    for (size_t s = 0; s < STRATA; s++) {
        printf("%2zu", s);
        show("precision", duplicates[s] / pairs[s], precision + s, repetitions, of_precision);
        show("relative recall", duplicates[s] / duplicates[STRATA - 1], recall + s, repetitions, of_recall);
        printf("\n");
    }
    return 0;
}

static bool is_good(const char *name, const summary *of) {
    double mean = of->sum / (double)of->lines;
    printf("%s: %.4f in the mean, %.3f at the least\n", name, mean, of->least);
    return mean >= 0.94 && mean <= 0.97 && of->least >= 0.90;
}

int main(int argc, char **argv) {
    size_t repetitions = argc > 1 ? strtoul(argv[1], NULL, 10) : 2000;
    summary of_precision = {0, 1, 0}, of_recall = {0, 1, 0};
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    fp_arena *arena = fp_arena_new();
    if (!generator || !arena || repetitions == 0) return 2;
    gsl_rng_set(generator, 20);
    for (size_t w = 0; w < WORLDS; w++) {
        printf("corpus %zu, %zu judged at each distance\n", w, WORLD[w].drawn);
        if (try_world(WORLD + w, repetitions, generator, arena, &of_precision, &of_recall) != 0) return 2;
    }
    gsl_rng_free(generator);
    fp_arena_free(arena);
    bool good = is_good("precision", &of_precision);
    good &= is_good("relative recall", &of_recall);
    return good ? 0 : 1;
}
