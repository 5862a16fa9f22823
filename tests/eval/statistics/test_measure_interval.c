/* SPDX-License-Identifier: GPL-3.0-or-later
 * What one unit more may do to a measure, and the intervals that are made with it, by their definitions. */
#include "eval/statistics/measure_interval.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "eval/statistics/proportion_interval.h"
#include "eval/statistics/spread.h"
#include "tests/support.h"

#include "tests/eval/made_pairs.h"

typedef struct world {
    fp_arena *arena, *scratch;
    set *from;
    fp_resample resample;
    fp_bootstrap bootstrap;
} world;

enum { AT_THRESHOLDS = 6 }; /* the first; the others are over the range */
static fp_measure asked[9];
static size_t asked_count;

static void ask(const char *name) { ASSERT_GOOD(fp_measure_find(name, 0.1, asked + asked_count++, &test_error)); }

/* `turned`: duplicates lie farther apart than other pairs. */
static world *make_world(shape of, size_t count, uint64_t seed, bool turned) {
    static const double FAR[] = {20, 25, 28, 30, 32, 34, 36, 37, 38, 39};
    fp_arena *arena = fp_arena_new();
    world *in = fp_arena_alloc(arena, 1, sizeof *in);
    in->arena = arena;
    in->scratch = fp_arena_new();
    in->from = fp_arena_alloc(in->arena, 1, sizeof *in->from);
    make_set(in->from, of, count, 60, seed);
    for (size_t i = 0; i < count && turned; i++) in->from->distance[0][i] = 40 - in->from->distance[0][i];
    resample_set(in->from, of == GROUPED ? in->from->group : NULL, of == STARS ? FP_SAMPLING_PART : FP_SAMPLING_AUTO,
                 in->arena, &in->resample);
    const double *distances[1] = {in->from->distance[0]};
    fp_bootstrap_options options = {.thresholds = turned ? FAR : LIMITS,
                                    .threshold_count = LIMIT_COUNT,
                                    .ranked = asked + AT_THRESHOLDS,
                                    .ranked_count = asked_count - AT_THRESHOLDS};
    ASSERT_GOOD(fp_bootstrap_run(&in->resample, &(fp_paired_distances){in->from->pairs, distances, 1}, &options, NULL,
                                 in->arena, &in->bootstrap, &test_error));
    return in;
}

static void free_world(world *in) {
    fp_arena_free(in->scratch);
    fp_arena_free(in->arena);
}

/* ---- One unit more ---- */

typedef struct extremes {
    double least, most;
} extremes;

/* A unit more brings its duplicates, all lost, or as many found as elsewhere, and no fewer than 1/(1 + k) where k times
 * as many as it has are found; or the other pairs of a dyad, told apart, or called as often as duplicates are; of any
 * at least one. */
static extremes with_one_unit(const world *in, fp_measure measure) {
    fp_confusion c = fp_bootstrap_counts(&in->bootstrap, 0, 0, measure.threshold);
    double tp = (double)c.tp, fp = (double)c.fp, fn = (double)c.fn, tn = (double)c.tn,
           own = in->bootstrap.unit_positives, others = in->bootstrap.dyad_negatives,
           recall = tp + fn > 0 ? tp / (tp + fn) : 1, found = fmax(recall, own / (own + tp)) * own;
    const fp_cells with[] = {{tp + fmax(1, found), fp, fn, tn},
                             {tp, fp + fmax(1, recall * others), fn, tn},
                             {tp, fp, fn + own, tn},
                             {tp, fp, fn, tn + others}};
    double value = fp_bootstrap_value(&in->bootstrap, 0, 0, measure);
    extremes of = {value, value};
    for (size_t i = 0; i < 4; i++) {
        double changed = measure.row->value(with[i], measure.parameter);
        if (changed < of.least) of.least = changed;
        if (changed > of.most) of.most = changed;
    }
    return of;
}

static double floor_of(const fp_measure_row *row) { return isinf(row->least) ? 0 : row->least; }

/* Over the range: the part of the duplicates that a unit has, times what a measure says that it may lose. */
static double lost_of(const world *in, const fp_measure_row *row) {
    double positives = (double)in->bootstrap.totals[0].positives,
           part = fmin(1, in->bootstrap.unit_positives / fmax(1, positives));
    return (row->lost > 0 ? row->lost : 1) * part;
}

static void units_are_added(void **state) {
    (void)state;
    static const shape SHAPES[] = {SHARED, GROUPED, STARS, APART};
    for (uint64_t seed = 0; seed < 8; seed++) {
        world *in = make_world(SHAPES[seed % 4], seed < 4 ? 40 : 300, seed, false);
        for (size_t m = 0; m < asked_count; m++) {
            fp_measure measure = asked[m];
            double wanted = lost_of(in, measure.row) * (measure.row->most - floor_of(measure.row));
            if (!fp_measure_at_threshold(measure.row))
                assert_true(near(fp_measure_unit(&in->bootstrap, 0, measure), wanted, 1e-12));
            for (measure.threshold = 0; fp_measure_at_threshold(measure.row) && measure.threshold < LIMIT_COUNT;
                 measure.threshold++) {
                double value = fp_bootstrap_value(&in->bootstrap, 0, 0, measure);
                if (isnan(value)) continue;
                wanted = value - with_one_unit(in, measure).least;
                assert_true(near(fp_measure_unit(&in->bootstrap, 0, measure), wanted, 1e-12));
            }
        }
        free_world(in);
    }
}

/* ---- Intervals ---- */

/* DeLong's interval on the logit scale from 40 degrees of freedom on, the other up to 20, and a part of each in the
 * logarithm of the error between them. How often each was met: */
static size_t by_share, by_both, by_delong;

static fp_interval with_delong(double area, const fp_dyadic *spread, double student, fp_interval other) {
    double part = (spread->freedom - 20) / 20, odds = (1 - area) / area,
           half = student * gsl_cdf_ugaussian_Pinv(0.95) * sqrt(spread->variance) / (area * (1 - area));
    bool few = !(part > 0) || !(spread->variance > 0) || !(area < 1);
    ++*(few ? &by_share : part < 1 ? &by_both : &by_delong);
    if (few) return other;
    double low = odds * exp(half), high = odds * exp(-half), least = low / (1 + low), most = high / (1 + high);
    if (part >= 1) return (fp_interval){1 - least, 1 - most};
    return (fp_interval){1 - exp((1 - part) * log(1 - other.low) + part * log(least)),
                         other.high < 1 ? 1 - exp((1 - part) * log(1 - other.high) + part * log(most)) : 1};
}

/* On the scale of a share: the variance and what one unit moves there, and Student's factor where the trials are not
 * those of independent pairs that weigh the same. */
static fp_interval by_definition(world *in, fp_measure measure, double value) {
    const fp_measure_row *row = measure.row;
    double width = row->most - floor_of(row), slope = 1 / width, share = (value - floor_of(row)) / width, ignored;
    fp_influence influence;
    fp_dyadic spread;
    fp_arena_reset(in->scratch);
    ASSERT_GOOD(fp_influence_of(&in->bootstrap, 0, measure, in->scratch, &influence, &test_error));
    ASSERT_GOOD(fp_spread_of(&in->bootstrap, &(fp_spread_side){0, influence, fp_members_of_measure(measure)}, NULL,
                             in->scratch, &spread, &test_error));
    double student = fp_by_student(fp_dyadic_freedom(&spread), 0.9);
    if (row->to_share) share = row->to_share(value, &slope);
    if (share < 0) {
        double half = sqrt(spread.variance) * student * gsl_cdf_ugaussian_Pinv(0.95);
        return (fp_interval){fmax(row->least, value - half), fmin(row->most, value + half)};
    }
    share = fmin(1, share);
    double wrong = lost_of(in, row), right = wrong;
    if (fp_measure_at_threshold(row)) {
        extremes one = with_one_unit(in, measure);
        double low = row->to_share ? row->to_share(one.least, &ignored) : (one.least - floor_of(row)) / width,
               high = row->to_share ? row->to_share(one.most, &ignored) : (one.most - floor_of(row)) / width;
        if (low > 0) wrong = share / low - 1;
        if (high < 1) right = (high - share) / (1 - high);
    }
    bool binomial = row->interval == FP_INTERVAL_OF_SHARE && !row->weights && in->resample.unit == FP_SAMPLING_PAIR;
    fp_share_spread of = {.variance = slope * slope * spread.variance,
                          .independent = slope * slope * spread.independent,
                          .wider = binomial ? 1 : student,
                          .wrong = share > 0 ? fmax(slope * spread.fall / share, wrong) : wrong,
                          .right = share < 1 ? fmax(slope * spread.rise / (1 - share), right) : right};
    fp_interval found = fp_share_interval(share, &of, 0.9, false);
    if (row == &fp_measure_roc_area) found = with_delong(share, &spread, student, found);
    if (row->of_share) return (fp_interval){row->of_share(found.low), row->of_share(found.high)};
    return (fp_interval){floor_of(row) + found.low * width, floor_of(row) + found.high * width};
}

static void check(world *in, fp_measure measure, size_t *negative) {
    fp_estimate found;
    ASSERT_GOOD(
        fp_bootstrap_estimate(&in->bootstrap, 0, measure, FP_METHOD_MID_P, 0.9, in->scratch, &found, &test_error));
    if (isnan(found.value) ||
        (measure.row->interval != FP_INTERVAL_OF_SHARE && measure.row->interval != FP_INTERVAL_OF_RANGE))
        return;
    fp_interval wanted = by_definition(in, measure, found.value);
    *negative += found.value < floor_of(measure.row);
    if (!near(found.interval.low, wanted.low, 1e-9) || !near(found.interval.high, wanted.high, 1e-9))
        fail_msg("%s: %.12g to %.12g, not %.12g to %.12g", measure.row->name, found.interval.low, found.interval.high,
                 wanted.low, wanted.high);
}

static void intervals_are_their_definition(void **state) {
    (void)state;
    static const shape SHAPES[] = {SHARED, GROUPED, STARS, APART};
    size_t negative = 0;
    for (uint64_t seed = 0; seed < 16; seed++) {
        world *in = make_world(SHAPES[seed % 4], seed < 4 ? 60 : 300, seed, seed >= 8);
        for (size_t m = 0; m < asked_count; m++) {
            fp_measure measure = asked[m];
            size_t thresholds = fp_measure_at_threshold(measure.row) ? LIMIT_COUNT : 1;
            for (measure.threshold = 0; measure.threshold < thresholds; measure.threshold++)
                check(in, measure, &negative);
        }
        free_world(in);
    }
    assert_true(negative > 0);
    assert_true(by_share > 0 && by_both > 0 && by_delong > 0);
}

int main(void) {
    static const char *const NAMES[] = {"precision", "recall",
                                        "f1",        "specificity",
                                        "f_beta:2",  "matthews_correlation",
                                        "best_f1",   "precision_recall_gain_area",
                                        "roc_area"};
    for (size_t i = 0; i < 9; i++) ask(NAMES[i]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(units_are_added),
                                       cmocka_unit_test(intervals_are_their_definition)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
