/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * judged_coverage [REPETITIONS [FILE…]]: how often the 95% intervals of a judged sample contain the truth, and by how
 * much estimates of relative recall are off on the mean, over draws from corpora whose duplicates are known at each
 * distance: four that are made up, and those of the files, lines of `distance pairs duplicates`, of which 15 and 50 are
 * judged at each distance. A line for each corpus and threshold: precision and its coverage, relative recall, its
 * coverage, and the bias of the quotient and of the estimate; a figure that is 1 by definition or from the first pair
 * to the last is left out. Exit status 1 unless, over the made-up corpora and over the files, the mean coverage of each
 * figure is 94 to 99 in 100 and none is below 90, and the estimate of recall is off by less than the quotient. */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "eval/judging/judging.h"

enum { STRATA = 64, WORLDS = 4 };

typedef struct world {
    size_t drawn, count;
    unsigned pairs[STRATA], duplicates[STRATA];
} world;

static const world WORLD[WORLDS] = {
    {50,
     11,
     {40, 60, 80, 120, 160, 200, 300, 500, 900, 2000, 4000},
     {40, 58, 75, 100, 120, 120, 130, 120, 100, 80, 40}},
    {50,
     11,
     {400, 600, 800, 1200, 1600, 2000, 3000, 5000, 9000, 20000, 40000},
     {400, 580, 750, 1000, 1200, 1200, 1300, 1200, 1000, 800, 400}},
    {50,
     11,
     {1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000},
     {1000, 1000, 990, 950, 900, 800, 600, 300, 100, 20, 0}},
    {20, 11, {30, 20, 25, 30, 40, 60, 70, 90, 150, 300, 600}, {30, 20, 24, 25, 30, 35, 30, 20, 12, 6, 2}},
};

/* Of one figure at one threshold. */
typedef struct tally {
    size_t held, moved; /* intervals that hold the truth; that are wider than a point */
    size_t defined;
    double ratio, value; /* sums of estimates: without and with the correction */
    double width;        /* sum over intervals */
} tally;

static void count(tally *in, fp_interval interval, double truth, double ratio, double value) {
    if (isnan(value)) return;
    in->defined++;
    in->ratio += ratio;
    in->value += value;
    in->width += interval.high - interval.low;
    in->held += interval.low <= truth + 1e-9 && truth <= interval.high + 1e-9;
    in->moved += interval.high - interval.low > 1e-9;
}

static void draw(const world *from, gsl_rng *generator, fp_judged_stratum *strata, fp_judged_counts *counts) {
    for (size_t s = 0; s < from->count; s++) {
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
    double ratio_bias, bias; /* sums of absolute values */
    double width;
} summary;

static bool show(const char *name, double truth, const tally *of, summary *to) {
    double share = (double)of->held / (double)of->defined;
    if (of->moved == 0 || truth > 1 - 1e-9) return false;
    printf("   %s %.3f in %.3f of the intervals", name, truth, share);
    to->sum += share;
    to->width += of->width / (double)of->defined;
    to->lines++;
    to->least = fmin(to->least, share);
    return true;
}

static void show_bias(double truth, const tally *of, summary *to) {
    double ratio = of->ratio / (double)of->defined - truth, value = of->value / (double)of->defined - truth;
    printf(", bias %+.4f, corrected %+.4f", ratio, value);
    to->ratio_bias += fabs(ratio);
    to->bias += fabs(value);
}

/* Running sums. */
static void add_up(const unsigned *of, size_t strata, double *to) {
    for (size_t s = 0; s < strata; s++) to[s] = (s ? to[s - 1] : 0) + of[s];
}

static int try_world(const world *from, size_t repetitions, gsl_rng *generator, fp_arena *arena, summary *of_precision,
                     summary *of_recall) {
    tally precision[STRATA] = {{0}}, recall[STRATA] = {{0}};
    double pairs[STRATA], duplicates[STRATA];
    add_up(from->pairs, from->count, pairs);
    add_up(from->duplicates, from->count, duplicates);
    for (size_t i = 0; i < repetitions; i++) {
        fp_judged_stratum strata[STRATA];
        fp_judged_counts counts[STRATA];
        fp_judged_value figures[STRATA];
        fp_arena_reset(arena);
        draw(from, generator, strata, counts);
        if (fp_judged_estimate(strata, counts, from->count, FP_UNSURE_LEAVE_OUT, 0.95, arena, figures, NULL) != FP_OK)
            return 1;
        for (size_t s = 0; s < from->count; s++) {
            const fp_judged_value *of = figures + s;
            count(precision + s, of->precision_interval, duplicates[s] / pairs[s], of->precision, of->precision);
            count(recall + s, of->recall_interval, duplicates[s] / duplicates[from->count - 1], of->recall_ratio,
                  of->recall);
        }
    }
    for (size_t s = 0; s < from->count; s++) {
        double truth = duplicates[s] / duplicates[from->count - 1];
        printf("%2zu", s);
        show("precision", duplicates[s] / pairs[s], precision + s, of_precision);
        if (show("relative recall", truth, recall + s, of_recall)) show_bias(truth, recall + s, of_recall);
        printf("\n");
    }
    return 0;
}

static bool read_world(const char *path, world *to) {
    FILE *file = fopen(path, "r");
    unsigned distance;
    to->count = 0;
    while (file && to->count < STRATA &&
           fscanf(file, "%u %u %u", &distance, to->pairs + to->count, to->duplicates + to->count) == 3)
        if (to->pairs[to->count]) to->count++; /* a distance without pairs has nothing to say */
    if (file) fclose(file);
    return to->count > 0;
}

static bool is_good(const char *name, const summary *of) {
    double mean = of->sum / (double)of->lines;
    printf("%s: %.4f in the mean, %.3f at the least, in intervals of %.3f on the mean\n", name, mean, of->least,
           of->width / (double)of->lines);
    return mean >= 0.94 && mean <= 0.99 && of->least >= 0.90;
}

static bool are_good(const char *corpora, const summary *of_precision, const summary *of_recall) {
    double lines = (double)of_recall->lines;
    printf("%s\n", corpora);
    bool good = is_good("precision", of_precision);
    good &= is_good("relative recall", of_recall);
    printf("relative recall is off by %.4f on the mean, corrected by %.4f\n", of_recall->ratio_bias / lines,
           of_recall->bias / lines);
    return good && of_recall->bias < of_recall->ratio_bias;
}

/* Each file with 15 and with 50 pairs a distance. */
static bool try_files(char **files, size_t repetitions, gsl_rng *generator, fp_arena *arena) {
    static const size_t DRAWN[] = {15, 50};
    summary of_precision = {.least = 1}, of_recall = {.least = 1};
    for (; *files; files++) {
        world from;
        if (!read_world(*files, &from)) return printf("%s cannot be read\n", *files), false;
        for (size_t d = 0; d < 2; d++) {
            from.drawn = DRAWN[d];
            printf("%s, %zu judged at each distance\n", *files, from.drawn);
            if (try_world(&from, repetitions, generator, arena, &of_precision, &of_recall) != 0) return false;
        }
    }
    return are_good("the files", &of_precision, &of_recall);
}

int main(int argc, char **argv) {
    size_t repetitions = argc > 1 ? strtoul(argv[1], NULL, 10) : 2000;
    summary of_precision = {.least = 1}, of_recall = {.least = 1};
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    fp_arena *arena = fp_arena_new();
    if (!generator || !arena || repetitions == 0) return 2;
    gsl_rng_set(generator, 20);
    for (size_t w = 0; w < WORLDS; w++) {
        printf("corpus %zu, %zu judged at each distance\n", w, WORLD[w].drawn);
        if (try_world(WORLD + w, repetitions, generator, arena, &of_precision, &of_recall) != 0) return 2;
    }
    bool good = are_good("the corpora that are made up", &of_precision, &of_recall);
    if (argc > 2) good &= try_files(argv + 2, repetitions, generator, arena);
    gsl_rng_free(generator);
    fp_arena_free(arena);
    return good ? 0 : 1;
}
