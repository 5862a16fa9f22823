/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * coverage_drawn CORPUS NEGATIVES DRAWS: a corpus of groups by NEGATIVES drawn pairs that are no duplicates, DRAWS
 * times, against the count of all its pairs. Status 1 when false positives are not right on average, or intervals hold
 * the figures of all pairs in fewer than 92% of the draws. A row a figure:
 *
 *   arm figure threshold draws covered below above mean truth deviation told
 *
 * `deviation` is that of the figure over the draws, `told` the root of what its variance is told to be beyond that of
 * all pairs, on average. Intervals hold documents and draw, and the truth is that of these documents, so that they
 * cover more than they say; that they hold both is measured by coverage_real --negatives. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "eval/experiment/sampled_pairs.h"
#include "eval/evaluation/inference.h"

static const char *const ARMS[] = {"simhash", "minhash:slots=16", "jaccard", "pinyin", "cosine"};
enum { ARM_COUNT = sizeof ARMS / sizeof *ARMS, THRESHOLDS = 5, FIGURES = 6 };
static const double LIMITS[ARM_COUNT][THRESHOLDS] = {
    {3, 8, 13, 18, 23}, {2, 5, 8, 11, 14}, {16, 32, 44, 52, 60}, {1, 3, 5, 7, 9}, {6, 10, 14, 17, 20}};
static const fp_measure_row *const ROWS[FIGURES] = {&fp_measure_precision, &fp_measure_recall,
                                                    &fp_measure_f1,        &fp_measure_average_precision,
                                                    &fp_measure_roc_area,  &fp_measure_best_f1};
static const double LEAST = 0.92, CONFIDENCE = 0.95;

typedef struct tally {
    size_t defined, below, above;
    double sum, squares, variances, counts, counts_squares, light, weight;
} tally;

static void good(fp_status status, const fp_error *error) {
    if (status == FP_OK) return;
    fprintf(stderr, "coverage_drawn: %s\n", error->message);
    exit(2);
}

typedef struct measured {
    fp_measurement measurement;
    fp_inference inference;
} measured;

/* One arm, with its own thresholds. */
static void infer(const fp_corpus *corpus, size_t arm, uint64_t seed, fp_arena *arena, measured *of) {
    fp_error error = {0};
    fp_stage stage = {.corpus = corpus};
    fp_inference_options options = {.method = FP_METHOD_MID_P,
                                    .confidence = CONFIDENCE,
                                    .seed = seed,
                                    .thresholds = LIMITS[arm],
                                    .threshold_count = THRESHOLDS};
    good(fp_stage_distances(&stage, &of->measurement, arena, &error), &error);
    good(fp_inference_make(corpus, &of->measurement, 1, &options, NULL, arena, &of->inference, &error), &error);
}

static const fp_estimate *estimate_of(const measured *of, size_t figure, size_t threshold) {
    const fp_estimate *at = fp_inference_of(&of->inference, ROWS[figure], 0);
    return at + (fp_measure_at_threshold(ROWS[figure]) ? threshold : 0);
}

static void add(tally *to, const fp_estimate *one, const fp_estimate *truth) {
    static const double ROUNDING = 1e-9;
    if (isnan(one->value) || isnan(truth->value)) return;
    to->defined++;
    to->below += one->interval.high < truth->value - ROUNDING;
    to->above += one->interval.low > truth->value + ROUNDING;
    to->sum += one->value;
    to->squares += one->value * one->value;
    to->variances += one->error * one->error - truth->error * truth->error;
}

/* Whether enough draws held the truth. */
static bool write_row(size_t arm, size_t figure, size_t threshold, const tally *of, const fp_estimate *truth) {
    double n = (double)of->defined, mean = of->sum / n, covered = (n - (double)of->below - (double)of->above) / n;
    char at[32] = "-";
    if (fp_measure_at_threshold(ROWS[figure])) snprintf(at, sizeof at, "%g", LIMITS[arm][threshold]);
    printf("%s\t%s\t%s\t%zu\t%.3f\t%zu\t%zu\t%.6f\t%.6f\t%.6f\t%.6f\n", ARMS[arm], ROWS[figure]->name, at, of->defined,
           covered, of->below, of->above, mean, truth->value, sqrt(fmax(0, of->squares / n - mean * mean)),
           sqrt(fmax(0, of->variances / n)));
    return !(covered < LEAST);
}

/* Within what the counts are seen to vary by, and what those do of weights near W, which are seen seldom. */
static bool is_unbiased(size_t arm, size_t threshold, const tally *of, double truth, size_t draws) {
    double n = (double)draws, mean = of->counts / n;
    double seldom = of->weight / n * fmax(0, truth - of->light / n);
    double error = sqrt((fmax(0, of->counts_squares / n - mean * mean) + seldom) / n);
    if (fabs(mean - truth) <= 4 * error + 0.5) return true;
    printf("%s: %g false positives at %g on average, standard error %g, and not %g\n", ARMS[arm], mean,
           LIMITS[arm][threshold], error, truth);
    return false;
}

static bool report(size_t arm, const tally *tallies, const measured *whole, size_t draws) {
    bool holds = true;
    for (size_t figure = 0; figure < FIGURES; figure++) {
        size_t count = fp_measure_at_threshold(ROWS[figure]) ? THRESHOLDS : 1;
        for (size_t t = 0; t < count; t++) {
            const tally *of = tallies + figure * THRESHOLDS + t;
            if (of->defined) holds &= write_row(arm, figure, t, of, estimate_of(whole, figure, t));
        }
    }
    for (size_t t = 0; t < THRESHOLDS; t++)
        holds &= is_unbiased(arm, t, tallies + t,
                             (double)fp_confusion_at(&whole->measurement.histogram, LIMITS[arm][t]).fp, draws);
    return holds;
}

/* For how many negatives those stand that are called, and not heavy. */
static double light_calls(const fp_measurement *measurement, double threshold) {
    const fp_sampled_pairs *drawn = measurement->sample;
    double calls = 0;
    for (size_t i = 0; i < drawn->count; i++)
        if (drawn->pairs[i].weight < drawn->weight / 2 &&
            fp_measurement_distance(measurement, drawn->pairs[i].a, drawn->pairs[i].b) <= threshold)
            calls += drawn->pairs[i].weight;
    return calls;
}

/* Sketches are made once; all arms share a draw. */
static void draw_once(const fp_corpus *corpus, const fp_measurement *sketched, uint64_t negatives, uint64_t seed,
                      const measured *whole, tally *tallies) {
    fp_error error = {0};
    fp_arena *arena = fp_arena_new();
    fp_sampled_pairs drawn;
    good(fp_sampled_pairs_make(corpus, sketched, ARM_COUNT, negatives, seed, NULL, arena, &drawn, &error), &error);
    for (size_t arm = 0; arm < ARM_COUNT; arm++) {
        measured one = {.measurement = sketched[arm]};
        tally *to = tallies + arm * FIGURES * THRESHOLDS;
        one.measurement.sample = &drawn;
        infer(corpus, arm, seed, arena, &one);
        for (size_t figure = 0; figure < FIGURES; figure++)
            for (size_t t = 0; t < (fp_measure_at_threshold(ROWS[figure]) ? THRESHOLDS : 1); t++)
                add(to + figure * THRESHOLDS + t, estimate_of(&one, figure, t), estimate_of(whole + arm, figure, t));
        for (size_t t = 0; t < THRESHOLDS; t++) {
            double calls = (double)fp_confusion_at(&one.measurement.histogram, LIMITS[arm][t]).fp;
            to[t].counts += calls;
            to[t].counts_squares += calls * calls;
            to[t].light += light_calls(&one.measurement, LIMITS[arm][t]);
            to[t].weight += drawn.weight;
        }
        fp_measurement_free(&one.measurement);
    }
    fp_arena_free(arena);
}

int main(int argc, char **argv) {
    static tally tallies[ARM_COUNT * FIGURES * THRESHOLDS];
    fp_error error = {0};
    fp_corpus corpus;
    fp_arm *arms[ARM_COUNT];
    fp_measurement sketched[ARM_COUNT];
    measured whole[ARM_COUNT];
    bool holds = true;
    if (argc != 4) return fprintf(stderr, "coverage_drawn CORPUS NEGATIVES DRAWS\n"), 2;
    size_t negatives = strtoul(argv[2], NULL, 10), draws = strtoul(argv[3], NULL, 10);
    fp_arena *arena = fp_arena_new();
    good(fp_corpus_read(argv[1], &(fp_corpus_opening){0}, arena, &corpus, &error), &error);
    for (size_t a = 0; a < ARM_COUNT; a++) good(fp_arm_parse(ARMS[a], NULL, arena, arms + a, &error), &error);
    good(fp_experiment_sketches(&corpus, arms, ARM_COUNT, NULL, arena, sketched, &error), &error);
    for (size_t a = 0; a < ARM_COUNT; a++) {
        whole[a] = (measured){.measurement = sketched[a]};
        infer(&corpus, a, 1, arena, whole + a);
    }
    for (size_t draw = 1; draw <= draws; draw++) draw_once(&corpus, sketched, negatives, draw, whole, tallies);
    printf("arm\tfigure\tthreshold\tdraws\tcovered\tbelow\tabove\tmean\ttruth\tdeviation\ttold\n");
    for (size_t a = 0; a < ARM_COUNT; a++) {
        holds &= report(a, tallies + a * FIGURES * THRESHOLDS, whole + a, draws);
        fp_measurement_free(&whole[a].measurement);
    }
    fp_arena_free(arena);
    return !holds;
}
