/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * coverage [REPETITIONS [WORLD]]: how often intervals at 95% contain the truth, on made-up pairs whose truth is known,
 * and how often tests at 5% find a difference where there is none. Exit status 1 when a share lies outside its bounds,
 * which are then printed.
 *
 * A world draws effects of documents and groups and a noise for each pair; an arm's distance is their sum, rounded and
 * cut to 0…64. A figure's truth is computed from the normal law of the distances of duplicates and of other pairs, so
 * it owes nothing to the evaluator. */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "eval/difference.h"

enum { REPLICATES = 400, ARMS = 3, LIMITS = 4, MOST_PAIRS = 9000, MOST_DOCUMENTS = 12000 };
static const double LIMIT[LIMITS] = {5, 8, 10, 13};
static const double CONFIDENCE = 0.95, PREVALENCE = 0.02;

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

static void must(fp_status status, const fp_error *error) {
    if (status == FP_OK) return;
    fprintf(stderr, "coverage: %s\n", error->message);
    exit(1);
}

/* ---- Truth ---- */

typedef struct truth {
    double precision[LIMITS], recall[LIMITS], f1[LIMITS], precision_at[LIMITS], average_precision, best_f1, roc_area;
} truth;

static double reached(double mean, double deviation, int d) {
    return d >= 64 ? 1 : gsl_cdf_gaussian_P(d + 0.5 - mean, deviation);
}

static truth find_truth(double near_deviation, double far_deviation, double share) {
    truth t = {0};
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
            t.precision_at[k] = fp_precision_at(tpr, fpr, PREVALENCE);
        }
    }
    return t;
}

static double true_value(const truth *t, fp_figure figure) {
    switch (figure.kind) {
    case FP_FIGURE_PRECISION: return t->precision[figure.threshold];
    case FP_FIGURE_RECALL: return t->recall[figure.threshold];
    case FP_FIGURE_F1: return t->f1[figure.threshold];
    case FP_FIGURE_PRECISION_AT: return t->precision_at[figure.threshold];
    case FP_FIGURE_AVERAGE_PRECISION: return t->average_precision;
    case FP_FIGURE_BEST_F1: return t->best_f1;
    default: return t->roc_area;
    }
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

static truth world_truth(const world *of, size_t arm) {
    double noise = COMMON[arm] * COMMON[arm] + OWN[arm] * OWN[arm], inside = 2 * of->document * of->document + noise,
           share = SHARE;
    if (of->shape == GROUPS) share = (double)(of->documents * (of->size - 1) / 2) / (double)of->pairs;
    return find_truth(sqrt(inside + of->group * of->group), sqrt(inside + 2 * of->group * of->group), share);
}

/* ---- Counting ---- */

static const fp_figure FIGURES[] = {{FP_FIGURE_PRECISION, 0, 0},
                                    {FP_FIGURE_PRECISION, 1, 0},
                                    {FP_FIGURE_PRECISION, 2, 0},
                                    {FP_FIGURE_PRECISION, 3, 0},
                                    {FP_FIGURE_RECALL, 0, 0},
                                    {FP_FIGURE_RECALL, 1, 0},
                                    {FP_FIGURE_RECALL, 2, 0},
                                    {FP_FIGURE_RECALL, 3, 0},
                                    {FP_FIGURE_F1, 0, 0},
                                    {FP_FIGURE_F1, 1, 0},
                                    {FP_FIGURE_F1, 2, 0},
                                    {FP_FIGURE_F1, 3, 0},
                                    {FP_FIGURE_PRECISION_AT, 1, 0.02},
                                    {FP_FIGURE_PRECISION_AT, 2, 0.02},
                                    {FP_FIGURE_PRECISION_AT, 3, 0.02},
                                    {FP_FIGURE_AVERAGE_PRECISION, 0, 0},
                                    {FP_FIGURE_BEST_F1, 0, 0},
                                    {FP_FIGURE_ROC_AREA, 0, 0}};
enum { FIGURE_COUNT = sizeof FIGURES / sizeof *FIGURES, METHODS = 3 };
static const fp_method METHOD[METHODS] = {FP_METHOD_WILSON, FP_METHOD_BCA, FP_METHOD_PERCENTILE};

/* Differences: of the figures of the third list against the same of another arm. */
static const fp_figure COMPARED[] = {{FP_FIGURE_PRECISION, 2, 0},
                                     {FP_FIGURE_RECALL, 1, 0},
                                     {FP_FIGURE_F1, 1, 0},
                                     {FP_FIGURE_AVERAGE_PRECISION, 0, 0},
                                     {FP_FIGURE_BEST_F1, 0, 0}};
enum { COMPARED_COUNT = sizeof COMPARED / sizeof *COMPARED };

typedef struct tally {
    size_t repetitions;
    size_t defined[FIGURE_COUNT][METHODS], held[FIGURE_COUNT][METHODS];
    size_t differences[COMPARED_COUNT][2]; /* intervals of first − third that hold the truth: BCa, percentile */
    size_t found[COMPARED_COUNT];          /* first − second, where there is no difference: p < 0.05 */
    size_t mcnemar[2];                     /* the same for McNemar's test: exact, robust */
    size_t naive[2],
        naive_defined[2]; /* Wilson's interval as if pairs were independent: precision, recall at the third limit */
} tally;

static bool holds(fp_interval interval, double value) { return interval.low <= value && value <= interval.high; }

static void count_figures(const fp_bootstrap *bootstrap, const truth *t, fp_arena *scratch, tally *to) {
    fp_error error = {0};
    for (size_t f = 0; f < FIGURE_COUNT; f++) {
        for (size_t m = 0; m < METHODS; m++) {
            fp_estimate found;
            must(fp_bootstrap_estimate(bootstrap, 0, FIGURES[f], METHOD[m], CONFIDENCE, scratch, &found, &error),
                 &error);
            to->defined[f][m] += isnan(found.interval.low) ? 0 : 1;
            to->held[f][m] += holds(found.interval, true_value(t, FIGURES[f]));
        }
    }
}

static void count_differences(const fp_bootstrap *bootstrap, const truth *first, const truth *third, fp_arena *scratch,
                              tally *to) {
    fp_error error = {0};
    fp_difference found;
    fp_mcnemar test;
    for (size_t f = 0; f < COMPARED_COUNT; f++) {
        double difference = true_value(first, COMPARED[f]) - true_value(third, COMPARED[f]);
        for (size_t m = 0; m < 2; m++) {
            must(fp_difference_of(bootstrap, (fp_side){0, COMPARED[f]}, (fp_side){2, COMPARED[f]}, METHOD[m + 1],
                                  CONFIDENCE, scratch, &found, &error),
                 &error);
            to->differences[f][m] += holds(found.interval, difference);
        }
        must(fp_difference_of(bootstrap, (fp_side){0, COMPARED[f]}, (fp_side){1, COMPARED[f]}, FP_METHOD_BCA,
                              CONFIDENCE, scratch, &found, &error),
             &error);
        to->found[f] += found.p < 1 - CONFIDENCE;
    }
    must(fp_mcnemar_of(bootstrap, 0, 1, 1, 1, scratch, &test, &error), &error);
    to->mcnemar[0] += test.p < 1 - CONFIDENCE;
    to->mcnemar[1] += test.robust < 1 - CONFIDENCE;
}

static void count_naive(const fp_bootstrap *bootstrap, const truth *t, tally *to) {
    enum { THIRD = 2 };
    fp_confusion c = fp_bootstrap_counts(bootstrap, bootstrap->replicates, 0, THIRD);
    to->naive[0] += holds(fp_wilson(c.tp, c.tp + c.fp, CONFIDENCE), t->precision[THIRD]);
    to->naive[1] += holds(fp_wilson(c.tp, c.tp + c.fn, CONFIDENCE), t->recall[THIRD]);
    to->naive_defined[0] += c.tp + c.fp > 0;
    to->naive_defined[1] += c.tp + c.fn > 0;
}

static void add(tally *to, const tally *from) {
    size_t *target = (size_t *)to;
    const size_t *source = (const size_t *)from;
    for (size_t i = 0; i < sizeof *to / sizeof *target; i++)
        target[i] += source[i];
}

static void repeat(const world *of, size_t repetition, sample *drawn, fp_arena *arena, fp_arena *scratch, tally *to) {
    fp_error error = {0};
    fp_resample resample;
    fp_bootstrap bootstrap;
    truth first = world_truth(of, 0), third = world_truth(of, 2);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, (uint32_t)fp_mix(repetition, (uint64_t)(of - WORLDS)));
    draw_sample(of, random, drawn);
    gsl_rng_free(random);
    fp_arena_reset(arena);
    const double *distances[ARMS] = {drawn->distance[0], drawn->distance[1], drawn->distance[2]};
    fp_bootstrap_options options = {
        .replicates = REPLICATES, .seed = repetition, .thresholds = LIMIT, .threshold_count = LIMITS};
    must(fp_resample_make(drawn->pairs, drawn->count, drawn->group, of->documents, FP_UNIT_AUTO, arena, &resample,
                          &error),
         &error);
    must(fp_bootstrap_run(&resample, drawn->pairs, distances, ARMS, &options, NULL, arena, &bootstrap, &error), &error);
    to->repetitions++;
    count_figures(&bootstrap, &first, scratch, to);
    count_differences(&bootstrap, &first, &third, scratch, to);
    count_naive(&bootstrap, &first, to);
}

static tally run_world(const world *of, size_t repetitions) {
    tally all = {0};
#pragma omp parallel
    {
        sample *drawn = malloc(sizeof *drawn);
        fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
        tally own = {0};
        if (!drawn || !arena || !scratch) exit(1);
#pragma omp for schedule(dynamic, 8)
        for (size_t i = 0; i < repetitions; i++)
            repeat(of, i, drawn, arena, scratch, &own);
#pragma omp critical
        add(&all, &own);
        fp_arena_free(scratch);
        fp_arena_free(arena);
        free(drawn);
    }
    return all;
}

/* ---- Judging ---- */

/* The default holds on average what it promises; a single figure may stray further, because shares of few pairs take
 * few values and because a figure that is rarely wrong is known from few pairs. BCa is second-order accurate and
 * percentiles are first-order accurate: they fall short where units or errors are few. */
typedef struct bounds {
    double mean_low, mean_high, low, high;
} bounds;
static const bounds WILSON = {0.94, 0.96, 0.92, 0.975}, BCA = {0.94, 0.96, 0.90, 1}, PERCENTILE = {0.93, 0.96, 0.88, 1};
static const bounds DIFFERENCE = {0.94, 0.96, 0.92, 0.98}, FEW = {0.925, 0.96, 0.88, 1};

static size_t outside;

static void judge(const char *what, double share, double low, double high) {
    if (share >= low && share <= high) return;
    printf("  OUTSIDE %.3f to %.3f: %s %.4f\n", low, high, what, share);
    outside++;
}

static void judge_column(const char *what, const double *share, size_t count, bounds within) {
    double mean = 0;
    for (size_t i = 0; i < count; i++) {
        judge(what, share[i], within.low, within.high);
        mean += share[i] / (double)count;
    }
    printf("  %-30s mean %.4f\n", what, mean);
    judge(what, mean, within.mean_low, within.mean_high);
}

static void report_figures(const world *of, const tally *t) {
    truth known = world_truth(of, 0);
    double share[METHODS][FIGURE_COUNT];
    printf("%s\n  %-24s %4s %6s %8s %8s %10s\n", of->name, "figure", "h", "truth", "wilson", "bca", "percentile");
    for (size_t f = 0; f < FIGURE_COUNT; f++) {
        const fp_figure_row *row = fp_figure_describe(FIGURES[f].kind);
        printf("  %-24s %4.0f %6.3f", row->name, row->at_threshold ? LIMIT[FIGURES[f].threshold] : NAN,
               true_value(&known, FIGURES[f]));
        for (size_t m = 0; m < METHODS; m++) {
            share[m][f] = (double)t->held[f][m] / (double)t->defined[f][m];
            printf(" %8.4f", share[m][f]);
        }
        printf("\n");
    }
    printf("  as if pairs were independent: precision %.4f, recall %.4f at %.0f\n",
           (double)t->naive[0] / (double)t->naive_defined[0], (double)t->naive[1] / (double)t->naive_defined[1],
           LIMIT[2]);
    judge_column("wilson", share[0], FIGURE_COUNT, WILSON);
    judge_column("bca", share[1], FIGURE_COUNT, of->small ? FEW : BCA);
    judge_column("percentile", share[2], FIGURE_COUNT, of->small ? FEW : PERCENTILE);
}

static void report_differences(const tally *t) {
    double held[2][COMPARED_COUNT], n = (double)t->repetitions;
    printf("  difference of              bca percentile  p < 0.05 without one\n");
    for (size_t f = 0; f < COMPARED_COUNT; f++) {
        double found = (double)t->found[f] / n;
        for (size_t m = 0; m < 2; m++)
            held[m][f] = (double)t->differences[f][m] / n;
        printf("  %-22s %8.4f %8.4f %8.4f\n", fp_figure_describe(COMPARED[f].kind)->name, held[0][f], held[1][f],
               found);
        judge("differences found where there is none", found, 0, 0.07);
    }
    judge_column("differences, percentile", held[1], COMPARED_COUNT, DIFFERENCE);
    double exact = (double)t->mcnemar[0] / n, robust = (double)t->mcnemar[1] / n;
    printf("  McNemar: p < 0.05 without a difference: exact %.4f, robust %.4f\n", exact, robust);
    judge("McNemar's robust test", robust, 0.02, 0.06);
}

int main(int argc, char **argv) {
    size_t repetitions = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 2000;
    for (size_t i = 0; i < WORLD_COUNT; i++) {
        if (argc > 2 && strtoul(argv[2], NULL, 10) != i) continue;
        double start = fp_seconds();
        tally t = run_world(WORLDS + i, repetitions);
        report_figures(WORLDS + i, &t);
        report_differences(&t);
        printf("  %zu repetitions, %.0f s\n", repetitions, fp_seconds() - start);
        fflush(stdout);
    }
    return outside > 0;
}
