/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * coverage [REPETITIONS [WORLD]]: how often intervals at 95% contain the truth, on pairs whose truth is known (see
 * coverage_worlds.h), and how often tests at 5% find a difference where there is none. Exit status 1 when a share lies
 * outside its bounds, which are then printed.
 *
 * What is asked of the default method is what coverage_table.py asks on real texts: 93% to 97% wherever five errors and
 * five successes are expected, of a single cell with three standard errors of its repetitions, and of the mean over a
 * world's measures and over the worlds of a measure. Elsewhere, marked by an asterisk, intervals may be longer than
 * they need be. Clopper and Pearson's interval is conservative by construction and is asked for 94% or more. BCa is
 * second-order accurate and percentiles are first-order accurate: both fall short where units or errors are few, which
 * is why neither is the default. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "eval/statistics/difference.h"
#include "eval/statistics/proportion_interval.h"
#include "tests/deep/intervals/coverage_worlds.h"
#include "tests/deep/intervals/repetitions.h"
#include "tests/eval/whole_trials.h"

enum { REPLICATES = 400 };
static const double CONFIDENCE = 0.95;
static const fp_progress ALONE = {.threads = 1}; /* one of many repetitions side by side */

/* ---- Counting ---- */

static const fp_measure MEASURES[] = {{&fp_measure_precision, 0, 0, false},
                                      {&fp_measure_precision, 1, 0, false},
                                      {&fp_measure_precision, 2, 0, false},
                                      {&fp_measure_precision, 3, 0, false},
                                      {&fp_measure_recall, 0, 0, false},
                                      {&fp_measure_recall, 1, 0, false},
                                      {&fp_measure_recall, 2, 0, false},
                                      {&fp_measure_recall, 3, 0, false},
                                      {&fp_measure_f1, 0, 0, false},
                                      {&fp_measure_f1, 1, 0, false},
                                      {&fp_measure_f1, 2, 0, false},
                                      {&fp_measure_f1, 3, 0, false},
                                      {&fp_measure_specificity, 1, 0, false},
                                      {&fp_measure_specificity, 2, 0, false},
                                      {&fp_measure_specificity, 3, 0, false},
                                      {&fp_measure_precision_at, 1, 0.02, false},
                                      {&fp_measure_precision_at, 2, 0.02, false},
                                      {&fp_measure_precision_at, 3, 0.02, false},
                                      {&fp_measure_average_precision, 0, 0, false},
                                      {&fp_measure_best_f1, 0, 0, false},
                                      {&fp_measure_roc_area, 0, 0, false}};
enum { MEASURE_COUNT = sizeof MEASURES / sizeof *MEASURES, METHODS = 4 };
static const fp_method METHOD[METHODS] = {FP_METHOD_MID_P, FP_METHOD_CLOPPER_PEARSON, FP_METHOD_BCA,
                                          FP_METHOD_PERCENTILE};

/* Of the measures of the first arm against the same of the third. */
static const fp_measure COMPARED[] = {{&fp_measure_precision, 2, 0, false},
                                      {&fp_measure_recall, 1, 0, false},
                                      {&fp_measure_f1, 1, 0, false},
                                      {&fp_measure_average_precision, 0, 0, false},
                                      {&fp_measure_best_f1, 0, 0, false}};
enum { COMPARED_COUNT = sizeof COMPARED / sizeof *COMPARED, DIFFERENCE_METHODS = 3 };
static const fp_method DIFFERENCE_METHOD[DIFFERENCE_METHODS] = {FP_METHOD_MID_P, FP_METHOD_BCA, FP_METHOD_PERCENTILE};

/* What tuning reports: shares in which a negative pair stands for several. The last is the share q of F2, see
 * proportion_interval.h.
 */
enum { SHARE_KINDS = 3 };
static const char *const SHARE_NAME[SHARE_KINDS] = {"weighted precision", "recall", "weighted f2"};
static const double NEGATIVE_WEIGHT = 2.5, MISSED[SHARE_KINDS] = {0, 1, 4}, FALSE_ALARM[SHARE_KINDS] = {1, 0, 1};

typedef struct tally {
    size_t repetitions;
    size_t defined[MEASURE_COUNT][METHODS], held[MEASURE_COUNT][METHODS];
    size_t differences[COMPARED_COUNT][DIFFERENCE_METHODS]; /* intervals of first − third that hold the truth */
    size_t found[COMPARED_COUNT]; /* first − second, where there is no difference: p < 0.05 */
    size_t shares[SHARE_KINDS];
    size_t naive[2], naive_defined[2]; /* mid-p as if pairs were independent: precision, recall at the third limit */
} tally;

static bool holds(fp_interval interval, double value) { return interval.low <= value && value <= interval.high; }

static void count_figures(const fp_bootstrap *bootstrap, const truth *t, fp_arena *scratch, tally *to) {
    fp_error error = {0};
    for (size_t f = 0; f < MEASURE_COUNT; f++) {
        for (size_t m = 0; m < METHODS; m++) {
            fp_estimate found;
            must(fp_bootstrap_estimate(bootstrap, 0, MEASURES[f], METHOD[m], CONFIDENCE, scratch, &found, &error),
                 &error);
            to->defined[f][m] += isnan(found.interval.low) ? 0 : 1;
            to->held[f][m] += holds(found.interval, true_value(t, MEASURES[f]));
        }
    }
}

static void count_differences(const fp_bootstrap *bootstrap, const truth *first, const truth *third, fp_arena *scratch,
                              tally *to) {
    fp_error error = {0};
    fp_difference found;
    for (size_t f = 0; f < COMPARED_COUNT; f++) {
        double difference = true_value(first, COMPARED[f]) - true_value(third, COMPARED[f]);
        for (size_t m = 0; m < DIFFERENCE_METHODS; m++) {
            must(fp_difference_of(bootstrap, (fp_side){0, COMPARED[f]}, (fp_side){2, COMPARED[f]}, DIFFERENCE_METHOD[m],
                                  CONFIDENCE, scratch, &found, &error),
                 &error);
            to->differences[f][m] += holds(found.interval, difference);
        }
        must(fp_difference_of(bootstrap, (fp_side){0, COMPARED[f]}, (fp_side){1, COMPARED[f]}, FP_METHOD_MID_P,
                              CONFIDENCE, scratch, &found, &error),
             &error);
        to->found[f] += found.p < 1 - CONFIDENCE;
    }
}

enum { THIRD = 2 };

static void count_shares(const sample *from, const fp_resample *resample, const truth *t, fp_arena *scratch,
                         tally *to) {
    fp_error error = {0};
    for (size_t k = 0; k < SHARE_KINDS; k++) {
        double hits = t->share * t->recall[THIRD], missed = t->share - hits,
               alarms = (1 - t->share) * (1 - t->specificity[THIRD]),
               value = hits / (hits + MISSED[k] * missed + FALSE_ALARM[k] * NEGATIVE_WEIGHT * alarms);
        fp_arena_reset(scratch);
        double *weight = fp_arena_raw(scratch, from->count, sizeof *weight);
        bool *success = fp_arena_raw(scratch, from->count, sizeof *success);
        if (!weight || !success) exit(1);
        for (size_t i = 0; i < from->count; i++) {
            bool positive = from->pairs[i].label, called = from->distance[0][i] <= LIMIT[THIRD];
            success[i] = positive && called;
            weight[i] = positive ? (called ? 1 : MISSED[k]) : called ? FALSE_ALARM[k] * NEGATIVE_WEIGHT : 0;
        }
        fp_proportion found;
        must(fp_proportion_of(resample, weight, success, CONFIDENCE, scratch, &found, &error), &error);
        to->shares[k] += holds(found.interval, value);
    }
}

static void count_naive(const fp_bootstrap *bootstrap, const truth *t, tally *to) {
    fp_confusion c = fp_bootstrap_counts(bootstrap, bootstrap->replicates, 0, THIRD);
    to->naive[0] += holds(mid_p_of(c.tp, c.tp + c.fp, CONFIDENCE), t->precision[THIRD]);
    to->naive[1] += holds(mid_p_of(c.tp, c.tp + c.fn, CONFIDENCE), t->recall[THIRD]);
    to->naive_defined[0] += c.tp + c.fp > 0;
    to->naive_defined[1] += c.tp + c.fn > 0;
}

static void add(tally *to, const tally *from) {
    size_t *target = (size_t *)to;
    const size_t *source = (const size_t *)from;
    for (size_t i = 0; i < sizeof *to / sizeof *target; i++) target[i] += source[i];
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
    static const fp_measure RANKED[] = {
        {.row = &fp_measure_average_precision}, {.row = &fp_measure_best_f1}, {.row = &fp_measure_roc_area}};
    fp_bootstrap_options options = {.replicates = REPLICATES,
                                    .seed = repetition,
                                    .thresholds = LIMIT,
                                    .threshold_count = LIMITS,
                                    .ranked = RANKED,
                                    .ranked_count = sizeof RANKED / sizeof *RANKED};
    must(fp_resample_make(drawn->pairs, drawn->count, drawn->group, of->documents, FP_SAMPLING_AUTO, arena, &resample,
                          &error),
         &error);
    must(fp_bootstrap_run(&resample, &(fp_paired_distances){drawn->pairs, distances, ARMS}, &options, &ALONE, arena,
                          &bootstrap, &error),
         &error);
    to->repetitions++;
    count_figures(&bootstrap, &first, scratch, to);
    count_differences(&bootstrap, &first, &third, scratch, to);
    count_shares(drawn, &resample, &first, scratch, to);
    count_naive(&bootstrap, &first, to);
}

typedef struct job {
    const world *of;
    pthread_mutex_t lock;
    tally all;
} job;

static fp_status run_repetition(void *context, size_t index, fp_arena *arena, fp_error *error) {
    (void)error;
    job *on = context;
    sample *drawn = malloc(sizeof *drawn);
    fp_arena *scratch = fp_arena_new();
    tally own = {0};
    if (!drawn || !scratch) exit(1);
    repeat(on->of, index, drawn, arena, scratch, &own);
    pthread_mutex_lock(&on->lock);
    add(&on->all, &own);
    pthread_mutex_unlock(&on->lock);
    fp_arena_free(scratch);
    free(drawn);
    return FP_OK;
}

static tally run_world(const world *of, size_t repetitions) {
    job on = {.of = of, .lock = PTHREAD_MUTEX_INITIALIZER};
    repeat_all(repetitions, run_repetition, &on);
    return on.all;
}

/* ---- Judging ---- */

/* Of single cells, and of their mean over a world's measures or over the worlds of a measure. */
typedef struct bounds {
    double mean_low, mean_high, low, high;
} bounds;
static const bounds USUAL[METHODS] = {{0.93, 0.97, 0, 1}, /* single cells: judge_default */
                                      {0.94, 1, 0.925, 1},
                                      {0.935, 0.96, 0.90, 0.99},
                                      {0.92, 0.96, 0.88, 1}},
                    FEW_UNITS[METHODS] = {
                        {0.93, 0.97, 0, 1}, {0.94, 1, 0.92, 1}, {0.925, 0.96, 0.89, 0.99}, {0.91, 0.96, 0.87, 1}};
static const bounds DIFFERENCE = {0.93, 0.97, 0.925, 0.98};

static size_t outside;

static void judge(const char *what, double share, double low, double high) {
    if (share >= low && share <= high) return;
    printf("  OUTSIDE %.3f to %.3f: %s %.4f\n", low, high, what, share);
    outside++;
}

/* Three standard errors of so many repetitions. */
static double errors_of(double bound, size_t repetitions) {
    return 3 * sqrt(bound * (1 - bound) / (double)repetitions);
}

/* One cell of the default method. */
static void judge_default(const char *what, double share, bool asked, size_t repetitions) {
    judge(what, share, 0.93 - errors_of(0.93, repetitions), asked ? 0.97 + errors_of(0.97, repetitions) : 1);
}

/* Whether at least five errors and five successes are expected of a measure; of one over the range, among the
 * duplicates over which it goes. */
static bool is_asked(const world *of, const truth *t, fp_measure measure) {
    enum { FEWEST = 5 };
    size_t k = measure.threshold;
    double positives = t->share * (double)of->pairs, negatives = (double)of->pairs - positives;
    double tp = t->recall[k] * positives, fn = positives - tp, tn = t->specificity[k] * negatives, fp = negatives - tn;
    const struct {
        const fp_measure_row *row;
        double successes, errors;
    } counts[] = {{&fp_measure_precision, tp, fp},
                  {&fp_measure_precision_at, tp, fp},
                  {&fp_measure_recall, tp, fn},
                  {&fp_measure_f1, tp, fp + fn},
                  {&fp_measure_specificity, tn, fp}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i].row == measure.row) return fmin(counts[i].successes, counts[i].errors) >= FEWEST;
    double value = true_value(t, measure);
    return fmin(value, 1 - value) * positives >= FEWEST;
}

static void judge_column(const char *what, const double *share, size_t count, bounds within) {
    double mean = 0;
    size_t promised = 0;
    for (size_t i = 0; i < count; i++) {
        judge(what, share[i], within.low, within.high);
        mean += share[i] / (double)count;
        promised += share[i] >= 0.94 && share[i] <= 0.96;
    }
    printf("  %-30s mean %.4f, %zu of %zu between 0.94 and 0.96\n", what, mean, promised, count);
    judge(what, mean, within.mean_low, within.mean_high);
}

static double held(const tally *t, size_t measure, size_t method) {
    return (double)t->held[measure][method] / (double)t->defined[measure][method];
}

static void print_figure(size_t f) {
    const fp_measure_row *row = MEASURES[f].row;
    printf("  %-24s ", row->name);
    if (fp_measure_at_threshold(row)) printf("%4.0f", LIMIT[MEASURES[f].threshold]);
    else printf("%4s", "");
}

static void report_figures(const world *of, const tally *t) {
    truth known = world_truth(of, 0);
    printf("%s%s\n  %-24s %4s %6s %8s %8s %8s %10s\n", of->name, of->small ? " (few units)" : "", "figure", "h",
           "truth", "mid-p", "clopper", "bca", "percentile");
    for (size_t f = 0; f < MEASURE_COUNT; f++) {
        print_figure(f);
        printf(" %6.3f", true_value(&known, MEASURES[f]));
        bool asked = is_asked(of, &known, MEASURES[f]);
        for (size_t m = 0; m < METHODS; m++) printf(" %8.4f", held(t, f, m));
        printf("%s\n", asked ? "" : "  *");
        judge_default(fp_method_name(METHOD[0]), held(t, f, 0), asked, t->repetitions);
    }
    printf("  as if pairs were independent: precision %.4f, recall %.4f at %.0f\n",
           (double)t->naive[0] / (double)t->naive_defined[0], (double)t->naive[1] / (double)t->naive_defined[1],
           LIMIT[THIRD]);
    for (size_t m = 0; m < METHODS; m++) {
        double share[MEASURE_COUNT];
        size_t count = 0;
        for (size_t f = 0; f < MEASURE_COUNT; f++)
            if (m || is_asked(of, &known, MEASURES[f])) share[count++] = held(t, f, m);
        judge_column(fp_method_name(METHOD[m]), share, count, of->small ? FEW_UNITS[m] : USUAL[m]);
    }
}

static void report_shares(const tally *t) {
    for (size_t k = 0; k < SHARE_KINDS; k++) {
        double share = (double)t->shares[k] / (double)t->repetitions;
        printf("  %-24s %4.0f %15.4f\n", SHARE_NAME[k], LIMIT[THIRD], share);
        judge_default("shares of weighted pairs", share, true, t->repetitions);
    }
}

static void report_differences(const tally *t) {
    double share[DIFFERENCE_METHODS][COMPARED_COUNT], n = (double)t->repetitions;
    printf("  difference of             mid-p     bca percentile  p < 0.05 without one\n");
    for (size_t f = 0; f < COMPARED_COUNT; f++) {
        double found = (double)t->found[f] / n;
        for (size_t m = 0; m < DIFFERENCE_METHODS; m++) share[m][f] = (double)t->differences[f][m] / n;
        printf("  %-22s %8.4f %8.4f %8.4f %8.4f\n", COMPARED[f].row->name, share[0][f], share[1][f], share[2][f],
               found);
        judge("differences found where there is none", found, 0, 0.065);
    }
    judge_column("differences, mid-p", share[0], COMPARED_COUNT, DIFFERENCE);
    judge_column("differences, percentile", share[2], COMPARED_COUNT, DIFFERENCE);
}

/* Every measure over all worlds that have units enough. */
static void report_together(const tally *tallies) {
    printf("all worlds but those with few units: mean (least to most)\n  %-24s %4s %-24s %-24s %-24s %s\n", "figure",
           "h", "mid-p", "clopper-pearson", "bca", "percentile");
    for (size_t f = 0; f < MEASURE_COUNT; f++) {
        print_figure(f);
        double mean[METHODS] = {0};
        for (size_t m = 0; m < METHODS; m++) {
            double least = 1, most = 0, worlds = 0;
            for (size_t w = 0; w < WORLD_COUNT; w++) {
                truth known = world_truth(WORLDS + w, 0);
                if (WORLDS[w].small || (m == 0 && !is_asked(WORLDS + w, &known, MEASURES[f]))) continue;
                double share = held(tallies + w, f, m);
                least = fmin(least, share);
                most = fmax(most, share);
                mean[m] += share;
                worlds++;
            }
            mean[m] /= worlds;
            printf(" %.4f (%.4f to %.4f)", mean[m], least, most);
        }
        printf("\n");
        for (size_t m = 0; m < METHODS; m++)
            judge(fp_method_name(METHOD[m]), mean[m], USUAL[m].mean_low, fmax(USUAL[m].mean_high, m < 2 ? 0 : 0.98));
    }
}

int main(int argc, char **argv) {
    size_t repetitions = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 2000;
    static tally tallies[WORLD_COUNT];
    for (size_t i = 0; i < WORLD_COUNT; i++) {
        if (argc > 2 && strtoul(argv[2], NULL, 10) != i) continue;
        double start = fp_seconds();
        tallies[i] = run_world(WORLDS + i, repetitions);
        report_figures(WORLDS + i, tallies + i);
        report_shares(tallies + i);
        report_differences(tallies + i);
        printf("  %zu repetitions, %.0f s\n", repetitions, fp_seconds() - start);
        fflush(stdout);
    }
    if (argc <= 2) report_together(tallies);
    return outside > 0;
}
