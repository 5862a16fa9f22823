/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mcnemar_errors [REPETITIONS]: how often McNemar's test finds a difference between two arms that have none, p < 0.05:
 * of units, and the exact one beside it, which takes pairs as independent. In the worlds of units each unit has a
 * leaning of its own to one arm or the other, 0 on average, and where no pair lies across two units there are two
 * established tests for clusters as well; in those of distances the arms are drawn alike and their
 * thresholds cross-fitted, or, beside it, chosen on the same pairs. Exit status 1 when an error of the units lies
 * outside its bounds: 4% to 6%, and what 4,000 repetitions do not know (0.34%, one standard error). */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "eval/evaluation/inference.h"
#include "eval/statistics/difference.h"
#include "tests/deep/intervals/repetitions.h"

static const double LOW = 0.035, HIGH = 0.065;
enum { MOST_PAIRS = 8000, MOST_DOCUMENTS = 2500 };

typedef struct world {
    const char *name;
    size_t units, size; /* documents of a unit; the largest where sizes are Zipf's */
    bool zipf;
    double leaning; /* standard deviation of a unit's share of discordant pairs that speak for the first arm */
    double taking;  /* share of the units that have discordant pairs at all */
    double across;  /* pairs across two units for each document */
    bool distances; /* judged by distances, at thresholds chosen on them */
} world;

static const world WORLDS[] = {
    {"8 units of 5 documents", 8, 5, false, 0.3, 1, 0, false},
    {"12 units", 12, 5, false, 0.3, 1, 0, false},
    {"20 units", 20, 5, false, 0.3, 1, 0, false},
    {"60 units", 60, 5, false, 0.3, 1, 0, false},
    {"60 units that do not lean", 60, 5, false, 0, 1, 0, false},
    {"200 units, differences in a tenth", 200, 5, false, 0.3, 0.1, 0, false},
    {"20 units of Zipf's sizes", 20, 30, true, 0.3, 1, 0, false},
    {"200 units of Zipf's sizes", 200, 60, true, 0.3, 1, 0, false},
    {"12 units, most pairs across two", 12, 3, false, 0.3, 1, 3, false},
    {"20 units, most pairs across two", 20, 3, false, 0.3, 1, 3, false},
    {"60 units, most pairs across two", 60, 3, false, 0.3, 1, 3, false},
    {"200 units, most pairs across two", 200, 3, false, 0.3, 1, 4, false},
    {"20 units that hardly lean, across two", 20, 3, false, 0.1, 1, 3, false},
    {"40 documents, all pairs across two", 40, 1, false, 0.2, 1, 5, false},
    {"150 documents, all pairs across two", 150, 1, false, 0.1, 1, 3, false},
    {"distances, 20 units", 20, 4, false, 0, 1, 4, true},
    {"distances, 60 units", 60, 4, false, 0, 1, 4, true},
    {"distances, 200 units", 200, 4, false, 0, 1, 4, true},
};
enum { WORLD_COUNT = sizeof WORLDS / sizeof *WORLDS };

typedef struct sample {
    size_t pairs, documents;
    fp_pair pair[MOST_PAIRS];
    uint32_t unit[MOST_DOCUMENTS];
    double effect[2][MOST_DOCUMENTS]; /* of a unit */
    bool taking[MOST_DOCUMENTS];
    bool right[2][MOST_PAIRS];
    double distance[2][MOST_PAIRS];
} sample;

/* ---- Drawing ---- */

static void add_pair(const world *of, gsl_rng *random, sample *to, uint32_t a, uint32_t b) {
    size_t at = to->pairs++, u = to->unit[a], v = to->unit[b];
    bool same = u == v;
    to->pair[at] = (fp_pair){a, b, same};
    for (int arm = 0; arm < 2; arm++) {
        double effect = to->effect[arm][u] + (same ? 0 : to->effect[arm][v]);
        to->distance[arm][at] = fmax(0, round((same ? 10 : 22) + 2 * effect + gsl_ran_gaussian(random, 4)));
        to->right[arm][at] = true;
    }
    double first = fmin(1, fmax(0, 0.5 + of->leaning * (to->effect[0][u] + (same ? 0 : to->effect[0][v]))));
    if ((to->taking[u] || to->taking[v]) && gsl_rng_uniform(random) < 0.4)
        to->right[gsl_rng_uniform(random) < first][at] = false;
}

static void draw(const world *of, gsl_rng *random, sample *to) {
    to->pairs = to->documents = 0;
    for (size_t u = 0; u < of->units; u++) {
        size_t rank = 1 + gsl_rng_uniform_int(random, of->units), size = of->zipf ? of->size / rank : of->size;
        to->taking[u] = gsl_rng_uniform(random) < of->taking;
        for (int arm = 0; arm < 2; arm++) to->effect[arm][u] = to->taking[u] ? gsl_ran_gaussian(random, 1) : 0;
        for (size_t i = 0; i < (of->zipf && size < 2 ? 2 : size); i++) {
            uint32_t document = (uint32_t)to->documents++;
            to->unit[document] = (uint32_t)u;
            if (i) add_pair(of, random, to, document - 1, document);
        }
    }
    for (size_t i = 0; i < (size_t)(of->across * (double)to->documents); i++) {
        uint32_t a = (uint32_t)gsl_rng_uniform_int(random, to->documents),
                 b = (uint32_t)gsl_rng_uniform_int(random, to->documents);
        if (to->unit[a] != to->unit[b]) add_pair(of, random, to, a, b);
    }
}

/* ---- Testing ---- */

typedef struct tally {
    size_t defined, units, exact, durkalski, obuchowski;
} tally;

/* With n pairs of a cluster and s the sum of their differences, −1, 0 or 1: (Σ s/n)²/Σ (s/n)² (Durkalski and others,
 * Statistics in Medicine 22, 2003), and the squared difference of the two shares over its variance,
 * K/(K − 1)·Σ (s − n·Σs/N)²/N² (Obuchowski, Statistics in Medicine 17, 1998); χ² with one degree of freedom. */
static void test_clusters(const sample *from, size_t clusters, tally *to) {
    double *sum = calloc(clusters, sizeof *sum), *count = calloc(clusters, sizeof *count);
    double all = 0, pairs = (double)from->pairs, even = 0, even_squares = 0, squares = 0;
    if (!sum || !count) exit(1);
    for (size_t i = 0; i < from->pairs; i++) {
        uint32_t unit = from->unit[from->pair[i].a];
        double d = (double)from->right[0][i] - (double)from->right[1][i];
        sum[unit] += d;
        count[unit]++;
        all += d;
    }
    for (size_t k = 0; k < clusters; k++) {
        double mean = sum[k] / count[k], off = sum[k] - count[k] * all / pairs;
        even += mean;
        even_squares += mean * mean;
        squares += off * off;
    }
    squares *= (double)clusters / (double)(clusters - 1);
    to->durkalski += even_squares > 0 && gsl_cdf_chisq_Q(even * even / even_squares, 1) < 0.05;
    to->obuchowski += squares > 0 && gsl_cdf_chisq_Q(all * all / squares, 1) < 0.05;
    free(sum);
    free(count);
}

static double test(const fp_resample *resample, const bool *first, const bool *second, fp_arena *arena, double *exact) {
    fp_error error = {0};
    fp_mcnemar found;
    must(fp_mcnemar_of(resample, first, second, arena, &found, &error), &error);
    *exact = fp_mcnemar_exact(found.only_first, found.only_second);
    return found.p;
}

/* The calls of both arms at the thresholds that are best on these pairs. */
static void choose_here(const fp_bootstrap *bootstrap, sample *to) {
    for (size_t arm = 0; arm < 2; arm++) {
        double best = fp_bootstrap_value(bootstrap, 1, arm, (fp_measure){.row = &fp_measure_best_threshold});
        for (size_t i = 0; i < to->pairs; i++)
            to->right[arm][i] = (to->distance[arm][i] <= best) == (to->pair[i].label != 0);
    }
}

static void test_distances(const fp_resample *resample, sample *from, fp_arena *arena, tally *to) {
    static const fp_progress ALONE = {.threads = 1};
    static const fp_measure RANKED[] = {{.row = &fp_measure_best_threshold}};
    static const double NONE[] = {0};
    const double *distances[2] = {from->distance[0], from->distance[1]};
    fp_bootstrap_options options = {
        .replicates = 1, .thresholds = NONE, .threshold_count = 1, .ranked = RANKED, .ranked_count = 1};
    fp_error error = {0};
    fp_bootstrap bootstrap;
    fp_judgements judged[2];
    double exact, p;
    must(fp_bootstrap_run(resample, &(fp_paired_distances){from->pair, distances, 2}, &options, &ALONE, arena,
                          &bootstrap, &error),
         &error);
    must(fp_judgements_make(&bootstrap, (fp_known_pairs){from->pair, NULL}, NULL, &ALONE, arena, judged, &error),
         &error);
    p = test(resample, judged[0].right, judged[1].right, arena, &exact);
    to->units += p < 0.05;
    choose_here(&bootstrap, from);
    test(resample, from->right[0], from->right[1], arena, &exact);
    to->exact += exact < 0.05;
}

static void repeat(const world *of, size_t repetition, sample *drawn, tally *to) {
    fp_arena *arena = fp_arena_new();
    fp_error error = {0};
    fp_resample resample;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, (uint32_t)fp_mix(repetition, (uint64_t)(of - WORLDS)));
    draw(of, random, drawn);
    gsl_rng_free(random);
    must(fp_resample_make(drawn->pair, drawn->pairs, drawn->unit, drawn->documents, FP_SAMPLING_GROUP, arena, &resample,
                          &error),
         &error);
    to->defined++;
    if (of->distances) {
        test_distances(&resample, drawn, arena, to);
    } else {
        double exact, p = test(&resample, drawn->right[0], drawn->right[1], arena, &exact);
        to->units += p < 0.05;
        to->exact += exact < 0.05;
        if (of->across == 0) test_clusters(drawn, of->units, to);
    }
    fp_arena_free(arena);
}

/* ---- All ---- */

typedef struct job {
    const world *of;
    pthread_mutex_t lock;
    tally all;
} job;

static fp_status run_repetition(void *context, size_t index, fp_arena *arena, fp_error *error) {
    (void)arena;
    (void)error;
    job *on = context;
    sample *drawn = malloc(sizeof *drawn);
    tally own = {0};
    if (!drawn) exit(1);
    repeat(on->of, index, drawn, &own);
    free(drawn);
    pthread_mutex_lock(&on->lock);
    on->all = (tally){on->all.defined + own.defined, on->all.units + own.units, on->all.exact + own.exact,
                      on->all.durkalski + own.durkalski, on->all.obuchowski + own.obuchowski};
    pthread_mutex_unlock(&on->lock);
    return FP_OK;
}

int main(int argc, char **argv) {
    size_t repetitions = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 4000;
    int bad = 0;
    printf(
        "p < 0.05 without a difference: of units (%.3f to %.3f); exact, as if pairs were independent; Durkalski 2003; "
        "Obuchowski 1998\n",
        LOW, HIGH);
    for (size_t w = 0; w < WORLD_COUNT; w++) {
        const world *of = WORLDS + w;
        job on = {.of = of, .lock = PTHREAD_MUTEX_INITIALIZER};
        repeat_all(repetitions, run_repetition, &on);
        double all = (double)on.all.defined, units = (double)on.all.units / all, exact = (double)on.all.exact / all;
        bool outside = units < LOW || units > HIGH;
        printf("%.4f%s  %.4f", units, outside ? "!" : " ", exact);
        if (of->across == 0) printf("  %.4f  %.4f", (double)on.all.durkalski / all, (double)on.all.obuchowski / all);
        else printf("       –       –");
        printf("  %s\n", of->name);
        bad |= outside;
    }
    return bad;
}
