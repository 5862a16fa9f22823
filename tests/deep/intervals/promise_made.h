/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * promise_made.h - worlds of units, their labelled pairs and the steps of these under some arms; and those that are
 * made up for promise_worlds.c. */
#ifndef FP_PROMISE_MADE_H
#define FP_PROMISE_MADE_H

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

#include "base/base.h"

enum { MOST_ARMS = 4 };

static _Noreturn void stop(const char *why) {
    fprintf(stderr, "promise_worlds: %s\n", why);
    exit(1);
}

static void check(fp_status status, const fp_error *error) {
    if (status != FP_OK) stop(error->message);
}

static void *room(size_t count, size_t size) {
    void *made = calloc(count + 1, size);
    if (!made) stop("out of memory");
    return made;
}

/* ---- Worlds ---- */

typedef struct call {
    uint32_t first, second; /* units */
    uint16_t step;
    bool right;
} call;

typedef struct calls {
    size_t count, room;
    call *at; /* by step; those of steps without any hope are left out */
} calls;

typedef struct world {
    const char *name, *design; /* "pairs" or "all pairs" */
    size_t unit_count, arm_count;
    double positives; /* of the whole */
    calls arms[MOST_ARMS];
} world;

static void add_call(calls *to, call one) {
    if (to->count == to->room) {
        to->room = to->room ? 2 * to->room : 4096;
        to->at = realloc(to->at, to->room * sizeof *to->at);
        if (!to->at) stop("out of memory");
    }
    to->at[to->count++] = one;
}

static int by_step(const void *left, const void *right) {
    const call *a = left, *b = right;
    return a->step != b->step ? (a->step < b->step ? -1 : 1) : 0;
}

/* How often a call is expected in a sample of `draws` units. */
static double expected(const world *of, const call *one, double draws) {
    double units = (double)of->unit_count;
    return one->first == one->second ? draws / units : draws * (draws - 1) / units / units;
}

/* Sorts, and leaves out the steps beyond the last at which half of the calls of a small sample are right. */
static void close_arm(const world *of, calls *arm) {
    enum { SMALL = 40 };
    qsort(arm->at, arm->count, sizeof *arm->at, by_step);
    double right = 0, all = 0;
    size_t last = 0;
    for (size_t i = 0; i < arm->count; i++) {
        double weight = expected(of, arm->at + i, fmin(SMALL, (double)of->unit_count));
        right += arm->at[i].right ? weight : 0;
        all += weight;
        bool ends = i + 1 == arm->count || arm->at[i + 1].step != arm->at[i].step;
        if (ends && right >= all / 2) last = i + 1;
    }
    arm->count = last;
}

/* ---- Made-up worlds ---- */

/* The step of a pair under each of the arms: a common value and noise of the arm's own. */
static void make_pair(world *to, uint32_t first, uint32_t second, bool right, double mean, double spread,
                      gsl_rng *random) {
    double common = mean + gsl_ran_gaussian(random, spread);
    to->positives += right;
    for (size_t i = 0; i < to->arm_count; i++) {
        double step = rint(common + gsl_ran_gaussian(random, 1 + 0.5 * (double)i));
        if (step > 60) continue;
        add_call(to->arms + i, (call){first, second, (uint16_t)fmax(0, step), right});
    }
}

static uint32_t other(const world *of, uint32_t unit, gsl_rng *random) {
    return (unit + 1 + (uint32_t)gsl_rng_uniform_int(random, of->unit_count - 1)) % (uint32_t)of->unit_count;
}

/* Wrong pairs lie inside units, whose shares of them have a beta law of strong correlation. */
static void make_beta(world *to, gsl_rng *random) {
    to->unit_count = 800;
    for (uint32_t u = 0; u < 800; u++) {
        double bad = gsl_ran_beta(random, 0.15, 0.6);
        unsigned pairs = 1 + gsl_ran_poisson(random, 4);
        for (unsigned k = 0; k < pairs; k++) {
            bool right = gsl_rng_uniform(random) >= bad;
            make_pair(to, u, u, right, right ? 10 : 18, 5, random);
        }
    }
}

/* Wrong pairs of a unit come all or none, five to thirty at a time, in one unit of twelve. */
static void make_clumps(world *to, gsl_rng *random) {
    to->unit_count = 600;
    for (uint32_t u = 0; u < 600; u++) {
        for (unsigned k = 0; k < 6; k++) make_pair(to, u, u, true, 12, 5, random);
        if (gsl_rng_uniform(random) > 1.0 / 12) continue;
        double centre = 2 + 24 * gsl_rng_uniform(random);
        size_t clump = 5 + gsl_rng_uniform_int(random, 26);
        for (size_t k = 0; k < clump; k++) make_pair(to, u, other(to, u, random), false, centre, 1, random);
    }
}

/* Group sizes after Zipf: a few groups hold most pairs, and larger ones are looser. */
static void make_heavy(world *to, gsl_rng *random) {
    to->unit_count = 700;
    for (uint32_t u = 0; u < 700; u++) {
        unsigned size = (unsigned)fmin(50, floor(2 / sqrt(gsl_rng_uniform_pos(random))));
        double loose = gsl_ran_gaussian(random, 3) + log(size);
        for (unsigned k = 0; k < size * (size - 1) / 2; k++) make_pair(to, u, u, true, 10 + loose, 3, random);
        for (unsigned k = 0; k < size; k++) make_pair(to, u, other(to, u, random), false, 24 - loose, 4, random);
    }
}

/* Two positives of a hundred pairs, and negatives that overlap with them. */
static void make_rare(world *to, gsl_rng *random) {
    to->unit_count = 4000;
    for (uint32_t u = 0; u < 4000; u++) {
        if (u % 50 == 0) make_pair(to, u, u, true, 8, 4, random);
        else make_pair(to, u, other(to, u, random), false, 30, 8, random);
    }
}

/* One document of fifty is much like all others: its negatives, forty of them, lie near. */
static void make_hubs(world *to, gsl_rng *random) {
    to->unit_count = 600;
    for (uint32_t u = 0; u < 600; u++) {
        double hub = u % 50 == 0 ? 14 : 32;
        for (unsigned k = 0; k < 3; k++) make_pair(to, u, u, true, 10, 5, random);
        for (unsigned k = 0; k < (u % 50 == 0 ? 40 : 2); k++)
            make_pair(to, u, other(to, u, random), false, hub, 4, random);
    }
}

/* All pairs of groups of `size`; one group of ten has a twin, all of whose pairs with it are near. */
static void make_twins(world *to, unsigned size, gsl_rng *random) {
    to->unit_count = 500;
    to->design = "all pairs";
    for (uint32_t u = 0; u < 500; u++) {
        for (unsigned k = 0; k < size * (size - 1) / 2; k++) make_pair(to, u, u, true, 10, 5, random);
        if (u % 20 == 0) {
            double centre = 2 + 20 * gsl_rng_uniform(random);
            for (unsigned k = 0; k < size * size; k++) make_pair(to, u, u + 1, false, centre, 2, random);
        }
        for (unsigned k = 0; k < size; k++) make_pair(to, u, other(to, u, random), false, 34, 6, random);
    }
}
static void make_twins_of_two(world *to, gsl_rng *random) { make_twins(to, 2, random); }
static void make_twins_of_five(world *to, gsl_rng *random) { make_twins(to, 5, random); }

/* A family of ten groups that are all near one another, in a set of five hundred. */
static void make_family(world *to, gsl_rng *random) {
    to->unit_count = 500;
    to->design = "all pairs";
    for (uint32_t u = 0; u < 500; u++) {
        for (unsigned k = 0; k < 3; k++) make_pair(to, u, u, true, 10, 5, random);
        for (uint32_t v = u - u % 250; v < u && u % 250 < 10; v++)
            for (unsigned k = 0; k < 9; k++) make_pair(to, u, v, false, 14, 3, random);
        make_pair(to, u, other(to, u, random), false, 34, 6, random);
    }
}

/* ---- Worlds that were made when the rule was fixed, and had no part in it ---- */

/* Wrong pairs of one unit in five, as many as a lognormal law says. */
static void make_lognormal(world *to, gsl_rng *random) {
    to->unit_count = 700;
    for (uint32_t u = 0; u < 700; u++) {
        for (unsigned k = 0; k < 4; k++) make_pair(to, u, u, true, 11, 5, random);
        if (gsl_rng_uniform(random) > 0.2) continue;
        double centre = 28 * gsl_rng_uniform(random);
        unsigned clump = (unsigned)fmin(80, 1 + gsl_ran_lognormal(random, 1, 1.2));
        for (unsigned k = 0; k < clump; k++) make_pair(to, u, other(to, u, random), false, centre, 2, random);
    }
}

/* Half of what one unit in ten holds is wrong, however near it is. */
static void make_bad_tenth(world *to, gsl_rng *random) {
    to->unit_count = 900;
    for (uint32_t u = 0; u < 900; u++) {
        bool bad = gsl_rng_uniform(random) < 0.1;
        unsigned pairs = gsl_ran_geometric(random, 0.2);
        for (unsigned k = 0; k < pairs; k++)
            make_pair(to, u, u, !(bad && gsl_rng_uniform(random) < 0.5), 12, 5, random);
    }
}

/* Each unit is compared with the next, and one in seven is near it. */
static void make_ring(world *to, gsl_rng *random) {
    to->unit_count = 600;
    for (uint32_t u = 0; u < 600; u++) {
        double centre = gsl_rng_uniform(random) < 1.0 / 7 ? 12 : 30;
        for (unsigned k = 0; k < 2; k++) make_pair(to, u, u, true, 9, 4, random);
        for (unsigned k = 0; k < 3; k++) make_pair(to, u, (u + 1) % 600, false, centre, 4, random);
    }
}

/* All pairs of groups of two to eight; half of the pairs of one group in sixteen with another one are near. */
static void make_half_twins(world *to, gsl_rng *random) {
    unsigned size[500];
    to->unit_count = 500;
    to->design = "all pairs";
    for (size_t u = 0; u < 500; u++) size[u] = 2 + (unsigned)gsl_rng_uniform_int(random, 7);
    for (uint32_t u = 0; u < 500; u++) {
        for (unsigned k = 0; k < size[u] * (size[u] - 1) / 2; k++) make_pair(to, u, u, true, 12, 5, random);
        for (unsigned k = 0; u % 16 == 0 && k < size[u] * size[u + 1] / 2; k++)
            make_pair(to, u, u + 1, false, 10, 4, random);
        for (unsigned k = 0; k < size[u]; k++) make_pair(to, u, other(to, u, random), false, 36, 6, random);
    }
}

/* All pairs of groups of three; one group in eight is written after one template, and a few pairs of any two of these
 * are near. */
static void make_template(world *to, gsl_rng *random) {
    to->unit_count = 500;
    to->design = "all pairs";
    for (uint32_t u = 0; u < 500; u++) {
        for (unsigned k = 0; k < 3; k++) make_pair(to, u, u, true, 10, 5, random);
        for (uint32_t v = 0; u % 8 == 0 && v < u; v += 8)
            for (unsigned k = 0; k < 9; k++)
                if (gsl_rng_uniform(random) < 0.05) make_pair(to, u, v, false, 14, 4, random);
        make_pair(to, u, other(to, u, random), false, 34, 6, random);
    }
}

static const struct {
    const char *name;
    void (*make)(world *to, gsl_rng *random);
} MADE[] = {{"made: beta-binomial", make_beta},
            {"made: clumps", make_clumps},
            {"made: heavy tails", make_heavy},
            {"made: rare positives", make_rare},
            {"made: hubs", make_hubs},
            {"made: twins of 2", make_twins_of_two},
            {"made: twins of 5", make_twins_of_five},
            {"made: families", make_family},
            {"later: lognormal clumps", make_lognormal},
            {"later: bad tenth", make_bad_tenth},
            {"later: ring", make_ring},
            {"later: half twins", make_half_twins},
            {"later: one template", make_template}};

#endif
