/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sums of influence values from counts. */
#include "eval/statistics/counted.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "eval/statistics/proportion_interval.h"

/* Pairs of a unit, by label. */
static double negatives_of(const fp_unit_list *units, size_t unit) {
    double size = (double)fp_unit_size(units, unit);
    return size * ((double)units->document_count - size);
}

static double positives_of(const fp_unit_list *units, size_t unit) {
    double size = (double)fp_unit_size(units, unit);
    return size * (size - 1) / 2;
}

/* A unit's sums over its negatives and over its positives. */
typedef struct parts {
    double across, inside;
} parts;

static parts sum_of(const fp_counted_pairs *counted, const fp_counted_arm *arm, const fp_influence *of, size_t unit) {
    if (of->ranged) {
        size_t place = unit * counted->functional_count + of->functional;
        return (parts){arm->touching[place], arm->own[place]};
    }
    size_t place = unit * counted->threshold_count + of->threshold;
    bool listed = of->threshold < counted->threshold_count; /* otherwise whole classes */
    double called = listed ? arm->called[place] : 0, found = listed ? arm->found[place] : 0;
    if (listed && arm->drawn) called += (double)arm->drawn[place];
    return (parts){called * of->by.fp + (negatives_of(counted->units, unit) - called) * of->by.tn,
                   found * of->by.tp + (positives_of(counted->units, unit) - found) * of->by.fn};
}

/* Σ over dyads of (called·fp + (size − called)·tn)², written as a sum of squares and products. */
static double across_of(const fp_counted_pairs *counted, const fp_counted_arm *arm, const fp_influence *of) {
    if (of->ranged) return arm->across[of->functional];
    double more = of->by.fp - of->by.tn;
    if (more == 0) return of->by.tn * of->by.tn * counted->dyad_squares;
    return more * more * arm->called_squares[of->threshold] + 2 * more * of->by.tn * arm->called_sizes[of->threshold] +
           of->by.tn * of->by.tn * counted->dyad_squares;
}

static double noise_of(const fp_counted_arm *arm, const fp_influence *of) {
    double more = of->by.fp - of->by.tn;
    if (of->ranged) return arm->noise[of->functional];
    return more == 0 ? 0 : more * more * arm->called_noise[of->threshold];
}

/* `weighed`: pairs of the sample count with the square of their weight. */
static double squares_over_pairs(const fp_counted_pairs *counted, const fp_counted_arm *arm, const fp_influence *of,
                                 bool weighed) {
    double sum = 0;
    size_t reach = of->ranged || of->threshold >= counted->threshold_count ? 0 : arm->reach[of->threshold];
    for (size_t bin = 0; bin < arm->bin_count; bin++) {
        const double *value = arm->value + 2 * bin * counted->functional_count + of->functional;
        double negative = of->ranged ? value[0] : bin < reach ? of->by.fp : of->by.tn;
        double positive = of->ranged ? value[counted->functional_count] : bin < reach ? of->by.tp : of->by.fn;
        sum +=
            (double)arm->cells[2 * bin] * negative * negative + (double)arm->cells[2 * bin + 1] * positive * positive;
        if (arm->drawn && weighed) sum += (arm->stood_for_squares[bin] - arm->stood_for[bin]) * negative * negative;
    }
    return sum;
}

double fp_counted_members(const fp_counted_pairs *counted, size_t arm, const fp_influence *members) {
    return squares_over_pairs(counted, counted->arms + arm, members, false);
}

static const fp_drawn_calls NO_CALLS = {.heaviest = 1};

/* Adds one bin. */
static void add_calls(const fp_counted_arm *arm, size_t bin, fp_drawn_calls *to) {
    to->sum += arm->stood_for[bin];
    to->squares += arm->stood_for_squares[bin];
    to->heaviest = arm->heaviest[bin];
}

fp_drawn_calls fp_counted_drawn_calls(const fp_counted_pairs *counted, size_t arm, size_t threshold) {
    const fp_counted_arm *of = counted->arms + arm;
    fp_drawn_calls calls = NO_CALLS;
    for (size_t bin = 0; of->drawn && bin < of->reach[threshold]; bin++) add_calls(of, bin, &calls);
    return calls;
}

fp_counted_calls fp_counted_best_calls(const fp_counted_pairs *counted, size_t arm, double confidence) {
    const fp_counted_arm *of = counted->arms + arm;
    double positives = 0, tp = 0, fp = 0, fewer = 0, best = -1;
    fp_drawn_calls drawn = NO_CALLS;
    fp_counted_calls found = {.drawn = NO_CALLS};
    for (size_t bin = 0; bin < of->bin_count; bin++) positives += (double)of->cells[2 * bin + 1];
    for (size_t bin = 0; bin < of->bin_count; bin++) {
        tp += (double)of->cells[2 * bin + 1];
        fp += (double)of->cells[2 * bin];
        if (of->drawn) add_calls(of, bin, &drawn);
        if (of->drawn && of->stood_for[bin] > 0) fewer = fp_drawn_fewer(&drawn, confidence);
        double f1 = 2 * tp / (tp + fp + positives);
        found.most = fmax(found.most, 2 * tp / (tp + fmax(0, fp - fewer) + positives));
        if (!(f1 > best)) continue;
        best = f1;
        found.tp = tp;
        found.drawn = drawn;
    }
    return found;
}

double fp_counted_least_average_precision(const fp_counted_pairs *counted, size_t arm, double wider,
                                          double confidence) {
    const fp_counted_arm *of = counted->arms + arm;
    static const double SAME = 0.01; /* smaller differences of weights are ignored */
    double tp = 0, fp = 0, sum = 0, missed = 0, heaviest = 1;
    bool changed = false;
    fp_drawn_calls drawn = NO_CALLS;
    for (size_t bin = 0; bin < of->bin_count; bin++) {
        double found = (double)of->cells[2 * bin + 1];
        if (of->drawn) add_calls(of, bin, &drawn);
        changed |= of->drawn && (of->stood_for[bin] > 0 || fabs(drawn.heaviest / heaviest - 1) > SAME);
        tp += found;
        fp += (double)of->cells[2 * bin];
        if (!(found > 0)) continue;
        if (changed) missed = fp_drawn_excess(&drawn, wider, confidence);
        if (changed) heaviest = drawn.heaviest;
        changed = false;
        sum += found * tp / (tp + fp + missed);
    }
    return sum / tp;
}

/* ---- What is found together ---- */

/* Of a negative of a bin beyond one of the last: the weights of all add up to the same. */
static double value_beyond(const fp_counted_pairs *counted, const fp_counted_arm *arm, const fp_influence *of,
                           size_t bin) {
    if (!of->ranged)
        return of->threshold < counted->threshold_count && bin < arm->reach[of->threshold] ? of->by.fp - of->by.tn : 0;
    const double *value = arm->value + of->functional;
    return value[2 * bin * counted->functional_count] - value[2 * (arm->bin_count - 1) * counted->functional_count];
}

/* Adds `sign` times the sums without each part; returns the known part of their noise. */
static double add_without(const fp_counted_pairs *counted, size_t arm, const fp_influence *of, double sign,
                          double *sum) {
    const fp_counted_arm *from = counted->arms + arm;
    double noise = 0;
    for (size_t bin = 0; from->drawn && bin < from->bin_count; bin++) {
        double value = value_beyond(counted, from, of, bin);
        if (value == 0) continue;
        noise += from->light_noise[bin] * value * value;
        for (size_t r = 0; r < FP_COUNTED_REPLICATES; r++)
            sum[r] += sign * value * from->without[bin * FP_COUNTED_REPLICATES + r];
    }
    return noise;
}

/* The jackknife's variance of sums without one part each (Shao, Tu, The Jackknife and Bootstrap, 1995, section 5.2),
 * minus the known part. */
static double found_together(const double *sum, double noise) {
    const double COUNT = FP_COUNTED_REPLICATES;
    double mean = 0, squares = 0;
    for (size_t r = 0; r < FP_COUNTED_REPLICATES; r++) mean += sum[r] / COUNT;
    for (size_t r = 0; r < FP_COUNTED_REPLICATES; r++) squares += (sum[r] - mean) * (sum[r] - mean);
    return fmax(0, (COUNT - 1) / COUNT * squares - noise);
}

fp_unit_sums fp_counted_unit_sums(const fp_counted_pairs *counted, size_t arm, const fp_influence *influence,
                                  double *unit) {
    const fp_counted_arm *from = counted->arms + arm;
    fp_unit_sums sums = {.count = counted->units->count,
                         .sum = unit,
                         .across = across_of(counted, from, influence),
                         .independent = squares_over_pairs(counted, from, influence, true),
                         .noise = noise_of(from, influence)};
    double without[FP_COUNTED_REPLICATES] = {0};
    double known = add_without(counted, arm, influence, 1, without);
    sums.together = found_together(without, known);
    for (size_t u = 0; u < sums.count; u++) {
        parts of = sum_of(counted, from, influence, u);
        unit[u] = of.across + of.inside;
        sums.inside += of.inside * of.inside;
    }
    return sums;
}

/* ---- Differences ---- */

fp_unit_sums fp_counted_difference(const fp_counted_pairs *counted, size_t first_arm, const fp_influence *first,
                                   size_t second_arm, const fp_influence *second, double *unit, double *room) {
    fp_unit_sums one = fp_counted_unit_sums(counted, first_arm, first, unit),
                 other = fp_counted_unit_sums(counted, second_arm, second, room);
    fp_unit_sums sums = {.count = one.count, .sum = unit};
    size_t place = first_arm * counted->arm_count + second_arm;
    bool known = first->functional == 0 && second->functional == 0;
    double joint = known ? counted->joint[place] : sqrt(one.across * other.across),
           noise = known ? counted->joint_noise[place] : sqrt(one.noise * other.noise),
           pairs = known ? counted->joint_pairs[place] : 0;
    sums.across = fmax(0, one.across + other.across - 2 * joint);
    sums.independent = fmax(0, one.independent + other.independent - 2 * pairs);
    sums.noise = fmax(0, one.noise + other.noise - 2 * noise);
    double without[FP_COUNTED_REPLICATES] = {0};
    double alone =
        add_without(counted, first_arm, first, 1, without) + add_without(counted, second_arm, second, -1, without);
    sums.together = found_together(without, alone);
    for (size_t u = 0; u < sums.count; u++) {
        double inside = sum_of(counted, counted->arms + first_arm, first, u).inside -
                        sum_of(counted, counted->arms + second_arm, second, u).inside;
        sums.inside += inside * inside;
        unit[u] -= room[u];
    }
    return sums;
}

/* ---- What was observed, from counts ---- */

static fp_status observe(const fp_counted_arm *arm, const fp_bootstrap_options *of, fp_arena *scratch,
                         fp_totals *totals, fp_called *called, double *values, fp_error *error) {
    const fp_ranking bins = {.bin_count = arm->bin_count,
                             .distance = arm->distance,
                             .threshold_count = of->threshold_count,
                             .reach = arm->reach};
    fp_ranked_step *steps = FP_NEED(fp_arena_raw(scratch, arm->bin_count, sizeof *steps), error);
    fp_ranked ranked = fp_ranking_count(&bins, arm->cells, steps, called);
    *totals = (fp_totals){ranked.positives, ranked.negatives};
    bool fits = fp_counted_fits(&ranked);
    for (size_t k = 0; k < of->ranked_count; k++) values[k] = fits ? of->ranked[k].row->over_range(&ranked) : NAN;
    return FP_OK;
}

/* As for listed pairs (fp_bootstrap). */
static void weigh_units(const fp_counted_pairs *counted, const fp_totals *totals, fp_bootstrap *to) {
    double units = 0, all = (double)counted->units->count, dyads = all * (all - 1) / 2;
    double positives = 0, squares = 0;
    for (size_t u = 0; u < counted->units->count; u++) {
        double size = (double)fp_unit_size(counted->units, u), pairs = size * (size - 1) / 2;
        units += size > 1;
        positives += pairs;
        squares += pairs * pairs;
    }
    to->effective_units = squares > 0 ? positives * positives / squares : all;
    to->unit_positives = units > 0 ? (double)totals->positives / units : 1;
    to->dyad_negatives = dyads > 0 ? (double)totals->negatives / dyads : 1;
}

fp_status fp_bootstrap_of_counted(const fp_counted_pairs *counted, const fp_bootstrap_options *options,
                                  fp_resample *resample, fp_arena *arena, fp_bootstrap *bootstrap, fp_error *error) {
    *resample = (fp_resample){.unit = FP_SAMPLING_GROUP,
                              .crossing = true,
                              .unit_count = counted->units->count,
                              .document_count = counted->units->document_count};
    size_t arms = counted->arm_count, thresholds = options->threshold_count, ranked = options->ranked_count;
    *bootstrap = (fp_bootstrap){
        .resample = resample, .options = *options, .arm_count = arms, .lane_count = arms, .counted = counted};
    bootstrap->options.further = NULL;
    FP_SCRATCH(scratch, arena, error);
    fp_totals *totals = FP_NEED(fp_arena_raw(arena, arms, sizeof *totals), error);
    fp_called *called = FP_NEED(fp_arena_raw(arena, arms * thresholds, sizeof *called), error);
    double *values = FP_NEED(fp_arena_raw(arena, arms * ranked, sizeof *values), error);
    for (size_t a = 0; a < arms; a++)
        FP_TRY(observe(counted->arms + a, options, scratch, totals + a, called + a * thresholds, values + a * ranked,
                       error));
    bootstrap->totals = totals;
    bootstrap->called = called;
    bootstrap->values = values;
    weigh_units(counted, totals, bootstrap);
    return FP_OK;
}

/* ---- Limits of a share, moved by what a draw cannot see ---- */

static double odds_of(double share) { return (1 - share) / share; }
static double share_of(double odds) { return 1 / (1 + odds); }

/* For a gamma law with the mean and variance of a weighted sum. */
static double limit_of(double mean, double variance, double level) {
    if (!(mean > 0)) return 0;
    return variance / mean * fp_gamma_quantile(mean * mean / variance, level);
}

/* √(1 − Σw/Σw²). */
static double left_of(double sum, double squares) { return squares > sum ? sqrt(1 - sum / squares) : 0; }

/* The part that the spread includes. */
static double normal_of(const fp_drawn_calls *drawn, double wider, double confidence) {
    return wider * gsl_cdf_ugaussian_Qinv((1 - confidence) / 2) * sqrt(drawn->squares);
}

static fp_drawn_calls with_one_more(const fp_drawn_calls *drawn) {
    double heaviest = drawn->heaviest;
    return (fp_drawn_calls){drawn->sum + heaviest, drawn->squares + heaviest * heaviest, heaviest};
}

double fp_drawn_excess(const fp_drawn_calls *drawn, double wider, double confidence) {
    fp_drawn_calls more = with_one_more(drawn);
    double high = limit_of(more.sum, more.squares, (1 + confidence) / 2);
    return left_of(more.sum, more.squares) * fmax(0, high - drawn->sum - normal_of(drawn, wider, confidence));
}

double fp_drawn_fewer(const fp_drawn_calls *drawn, double confidence) {
    double low = limit_of(drawn->sum, drawn->squares, (1 - confidence) / 2);
    return left_of(drawn->sum, drawn->squares) * (drawn->sum - low);
}

fp_interval fp_share_with_draw(double share, fp_interval limits, const fp_drawn_calls *drawn, double odds, double wider,
                               double confidence) {
    if (!(share > 0) || !(drawn->heaviest > 1) || isnan(limits.low)) return limits;
    fp_interval found = limits;
    double own = odds_of(share), above = limits.low > 0 ? odds_of(limits.low) - own : INFINITY,
           more = odds * fp_drawn_excess(drawn, wider, confidence),
           known = fmin(above, odds * left_of(drawn->sum, drawn->squares) * normal_of(drawn, wider, confidence));
    if (limits.low > 0) found.low = share_of(own + sqrt(above * above + 2 * known * more + more * more));
    found.high = fmax(limits.high, share_of(fmax(0, own - odds * fp_drawn_fewer(drawn, confidence))));
    return found;
}
