/* SPDX-License-Identifier: GPL-3.0-or-later
 * Expected and measured counts, and the test of the fit. */
#include "eval/analyses/theory.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>

#include "algorithms/families/sets.h"
#include "base/parallel.h"
#include "eval/analyses/similarity_bins.h"

/* ----
 * Only the distribution function F of a law is known. With a lower end a, E[D − a] = ∫ (1 − F) from a on, and E[(D −
 * a)²] = ∫ 2(h − a)(1 − F); for integer distances, sums.
 */

static const fp_fit UNTESTED = {{NAN, {NAN, NAN}, NAN}, NAN, {NAN, NAN}, NAN, NAN};

/* Probability neglected at either end. */
static const double TAIL = 1e-12;

/* Number of integer thresholds up to the largest distance. */
static size_t steps_of(const fp_instance *instance) { return (size_t)ceil(instance->layout.maximum) + 1; }

static double law_at(const fp_instance *instance, double similarity, double h) {
    return fmax(0, fmin(1, instance->algorithm->law(instance, similarity, h)));
}

/* The smallest integer k ≤ last with F(k·unit) ≥ level: doubling steps from a guess, then bisection. If the step is 0:
 * bisection from the start. */
static double reach(const fp_instance *instance, double similarity, double level, double unit, double last,
                    double guess, double step) {
    double below = -1, at = last, middle = step > 0 ? fmax(0, fmin(last - 1, floor(guess))) : floor((last - 1) / 2);
    bool low = step == 0, high = low; /* whether the lower and upper limits were evaluated */
    while (at - below > 1) {
        bool enough = law_at(instance, similarity, middle * unit) >= level;
        *(enough ? &at : &below) = middle;
        *(enough ? &high : &low) = true;
        middle = !low ? fmax(below + 1, at - step) : !high ? fmin(at - 1, below + step) : floor((below + at) / 2);
        step *= 2;
    }
    return at;
}

static fp_moments of_whole(const fp_instance *instance, double similarity, double low, double high, double *below) {
    double first = 0, second = 0;
    for (double h = low; h < high; h++) {
        double reached = law_at(instance, similarity, h), rest = 1 - reached;
        if (below) below[(size_t)h] = reached;
        first += rest;
        second += (2 * (h - low) + 1) * rest;
    }
    return (fp_moments){low + first, fmax(0, second - first * first)};
}

/* The trapezoidal rule, as accurate as any rule where all derivatives vanish at both ends (Trefethen, Weideman, SIAM
 * Review 56, 2014); only 2(h − a)(1 − F) has a slope of 2 at a, with an error of unit²/6 (Euler, Maclaurin). */
static fp_moments of_real(const fp_instance *instance, double similarity, double low, double high) {
    enum { PIECES = 48 };
    double first = 0, second = 0, unit = (high - low) / PIECES;
    for (int i = 0; i < PIECES; i++) {
        double rest = 1 - law_at(instance, similarity, low + i * unit), weight = i ? unit : unit / 2;
        first += weight * rest;
        second += weight * 2 * i * unit * rest;
    }
    second += unit * unit / 6;
    return (fp_moments){low + first, fmax(0, second - first * first)};
}

/* The grid of possible distances: 0, unit, … last·unit. */
static double grid_of(const fp_instance *instance, double *last) {
    *last = instance->layout.integral ? (double)steps_of(instance) - 1 : 0x1p12;
    return instance->layout.integral ? 1 : instance->layout.maximum / *last;
}

/* P[distance ≤ h] for h = 0 … steps_of − 1 in below[] (may be NULL), and the moments. */
static fp_moments spread_out(const fp_instance *instance, double similarity, double *below) {
    size_t steps = steps_of(instance);
    double last, unit = grid_of(instance, &last);
    double low = reach(instance, similarity, TAIL, unit, last, 0, 0) * unit,
           high = reach(instance, similarity, 1 - TAIL, unit, last, 0, 0) * unit;
    for (size_t h = 0; below && h < steps; h++) below[h] = (double)h >= high ? 1 : 0;
    if (instance->layout.integral) return of_whole(instance, similarity, low, high, below);
    for (double h = ceil(low); below && h < high; h++) below[(size_t)h] = law_at(instance, similarity, h);
    return of_real(instance, similarity, low, high);
}

fp_moments fp_theory_moments(const fp_instance *instance, double similarity) {
    return spread_out(instance, similarity, NULL);
}

fp_law_place fp_theory_place(const fp_instance *instance, double similarity) {
    double last, unit = grid_of(instance, &last), middle = reach(instance, similarity, 0.5, unit, last, 0, 0);
    double above = reach(instance, similarity, gsl_cdf_ugaussian_P(1), unit, last, middle, 1);
    return (fp_law_place){middle, fmax(1, above - middle)};
}

double fp_theory_quantile(const fp_instance *instance, double similarity, fp_law_place place, double level) {
    double last, unit = grid_of(instance, &last);
    double at =
        reach(instance, similarity, level, unit, last, place.middle + place.spread * gsl_cdf_ugaussian_Pinv(level), 1);
    if (instance->layout.integral || at == 0) return at * unit;
    double below = law_at(instance, similarity, (at - 1) * unit), above = law_at(instance, similarity, at * unit);
    return (at - 1 + (above > below ? (level - below) / (above - below) : 1)) * unit;
}

bool fp_theory_has_law(const fp_instance *instance, const fp_measurement *exact) {
    return instance->algorithm->law && exact && exact->distances && exact->arm->instance.algorithm->similarity;
}

/* ---- Expected counts ---- */

/* The sums of blocks of pairs are added in order, so that results are the same for any number of threads. */
enum { BLOCK = 256, MOST_BLOCKS = 64 };

typedef struct expectation {
    const fp_instance *instance;
    const fp_theory_pairs *pairs;
    size_t steps, block;
    double *mean, *variance; /* [pairs] */
    double *sums;            /* [blocks][2][steps]: of negatives, of positives */
} expectation;

static fp_status expect_block(void *context, size_t index, fp_arena *arena, fp_error *error) {
    expectation *of = context;
    double *below = FP_NEED(fp_arena_raw(arena, of->steps, sizeof *below), error);
    size_t end = (index + 1) * of->block < of->pairs->count ? (index + 1) * of->block : of->pairs->count;
    for (size_t i = index * of->block; i < end; i++) {
        fp_moments moments = spread_out(of->instance, of->pairs->similarity[i], below);
        double *sum = of->sums + (index * 2 + of->pairs->pairs[i].label) * of->steps;
        for (size_t h = 0; h < of->steps; h++) sum[h] += below[h] - (h ? below[h - 1] : 0);
        of->mean[i] = moments.mean;
        of->variance[i] = moments.variance;
    }
    return FP_OK;
}

/* ---- Places ---- */

/* The matrix fp_fit_input, with probabilities from the law's mean. */
static fp_status find_places(const fp_instance *instance, const fp_theory_pairs *pairs, const double *mean,
                             fp_arena *arena, fp_fit_input *input, fp_error *error) {
    size_t places = pairs->sketches ? fp_places(instance) : 0, words = fp_fit_words(pairs->count);
    *input = (fp_fit_input){.pair_count = pairs->count};
    if (!places) return FP_OK;
    uint64_t *differs = FP_NEED(fp_arena_alloc(arena, places * words, sizeof *differs), error);
    uint64_t *differing = FP_NEED(fp_arena_raw(arena, (places + 63) / 64, sizeof *differing), error);
    double *probability = FP_NEED(fp_arena_raw(arena, pairs->count, sizeof *probability), error);
    for (size_t i = 0; i < pairs->count; i++) {
        probability[i] = mean[i] / (double)places;
        fp_places_differing(instance, fp_sketches_at(pairs->sketches, pairs->pairs[i].a),
                            fp_sketches_at(pairs->sketches, pairs->pairs[i].b), differing);
        for (size_t j = 0; j < places; j++) differs[j * words + i / 64] |= (differing[j / 64] >> j % 64 & 1) << i % 64;
    }
    *input = (fp_fit_input){pairs->count, places, differs, probability};
    return FP_OK;
}

/* ---- Bins of similarity under a law ---- */

/* Fills the bin with the pairs in bin `number`; sets the bit of each in `mask`, which is 0 before. */
static void fill(const fp_theory_pairs *pairs, const size_t *bin, size_t number, const fp_theory *theory,
                 uint64_t *mask, fp_theory_bin *out) {
    double squares = 0, means = 0;
    for (size_t i = 0; i < pairs->count; i++) {
        if (bin[i] != number) continue;
        double distance = pairs->distance[i], mean = theory->mean[i];
        mask[i / 64] |= (uint64_t)1 << i % 64;
        out->pairs++;
        out->positives += pairs->pairs[i].label;
        out->similarity += pairs->similarity[i];
        out->mean += distance;
        out->expected += mean;
        out->variance += (distance - mean) * (distance - mean);
        out->variance_by_law += theory->variance[i];
        squares += distance * distance;
        means += mean * mean;
    }
    double count = (double)out->pairs;
    out->similarity /= count;
    out->mean /= count;
    out->expected /= count;
    out->variance /= count;
    out->variance_by_law /= count;
    out->deviation = sqrt(fmax(0, squares / count - out->mean * out->mean));
    out->expected_deviation = sqrt(fmax(0, means / count - out->expected * out->expected) + out->variance_by_law);
}

/* Fills theory->bins from theory->mean and theory->variance. */
static fp_status divide(const fp_theory_pairs *pairs, const fp_fit_input *places, double confidence, fp_arena *arena,
                        fp_theory *theory, fp_error *error) {
    size_t *bin = FP_NEED(fp_arena_raw(arena, pairs->count, sizeof *bin), error), held[FP_SIMILARITY_BINS] = {0};
    fp_theory_bin *bins = FP_NEED(fp_arena_alloc(arena, FP_SIMILARITY_BINS, sizeof *bins), error);
    for (size_t i = 0; i < pairs->count; i++) held[bin[i] = fp_similarity_bin_of(pairs->similarity[i])]++;
    theory->bins = bins;
    for (size_t b = 0; b < FP_SIMILARITY_BINS; b++) {
        if (!held[b]) continue;
        fp_theory_bin *out = bins + theory->bin_count++;
        out->low = fp_similarity_bin_low(b);
        out->high = fp_similarity_bin_low(b + 1);
        uint64_t *mask = FP_NEED(fp_arena_alloc(arena, fp_fit_words(pairs->count), sizeof *mask), error);
        fill(pairs, bin, b, theory, mask, out);
        FP_TRY(fp_fit_shift_of(places, mask, confidence, arena, &out->shift, error));
    }
    return FP_OK;
}

/* ---- All tests and counts ---- */

/* Counts the pairs of each step, and compares the distances with the law's means. */
static void count_pairs(const fp_theory_pairs *pairs, fp_theory_step *steps, fp_theory *theory) {
    double squares = 0, variances = 0;
    for (size_t i = 0; i < pairs->count; i++) {
        fp_theory_step *step = steps + (size_t)fmin(ceil(pairs->distance[i]), (double)theory->step_count - 1);
        bool positive = pairs->pairs[i].label;
        double off = pairs->distance[i] - theory->mean[i];
        *(positive ? &step->positives : &step->negatives) += 1;
        *(positive ? &theory->positives : &theory->negatives) += 1;
        theory->shift += off / (double)pairs->count;
        squares += off * off;
        variances += theory->variance[i];
    }
    theory->spread = variances > 0 ? squares / variances : NAN;
}

fp_status fp_theory_make(const fp_instance *instance, const fp_theory_pairs *pairs, const fp_theory_options *options,
                         const fp_progress *progress, fp_arena *arena, fp_theory *theory, fp_error *error) {
    if (pairs->count == 0) return fp_fail(error, FP_ERROR_EMPTY, "no labelled pairs");
    expectation of = {instance, pairs, .steps = steps_of(instance)};
    of.block = pairs->count / MOST_BLOCKS + 1 > BLOCK ? pairs->count / MOST_BLOCKS + 1 : BLOCK;
    size_t blocks = (pairs->count + of.block - 1) / of.block;
    of.mean = FP_NEED(fp_arena_raw(arena, pairs->count, sizeof *of.mean), error);
    of.variance = FP_NEED(fp_arena_raw(arena, pairs->count, sizeof *of.variance), error);
    of.sums = FP_NEED(fp_arena_alloc(arena, blocks * 2 * of.steps, sizeof *of.sums), error);
    fp_theory_step *steps = FP_NEED(fp_arena_alloc(arena, of.steps, sizeof *steps), error);
    *theory = (fp_theory){.pair_count = pairs->count,
                          .mean = of.mean,
                          .variance = of.variance,
                          .step_count = of.steps,
                          .steps = steps,
                          .fit = UNTESTED};
    FP_TRY(fp_parallel_in(arena, blocks, expect_block, &of, "theory", progress, error));
    for (size_t b = 0; b < blocks; b++)
        for (size_t h = 0; h < of.steps; h++) {
            steps[h].negatives_expected += of.sums[b * 2 * of.steps + h];
            steps[h].positives_expected += of.sums[(b * 2 + 1) * of.steps + h];
        }
    count_pairs(pairs, steps, theory);
    fp_fit_input input;
    FP_TRY(find_places(instance, pairs, of.mean, arena, &input, error));
    theory->place_count = input.place_count;
    if (input.place_count)
        FP_TRY(
            fp_fit_make(&input, options->confidence, options->replicates, options->seed, arena, &theory->fit, error));
    return divide(pairs, &input, options->confidence, arena, theory, error);
}

fp_theory_counts fp_theory_counts_at(const fp_theory *theory, double h) {
    fp_theory_counts sum = {0};
    for (size_t step = 0; step < theory->step_count && (double)step <= h; step++) {
        sum.tp += theory->steps[step].positives;
        sum.fp += theory->steps[step].negatives;
        sum.tp_expected += theory->steps[step].positives_expected;
        sum.fp_expected += theory->steps[step].negatives_expected;
    }
    double calls = sum.tp_expected + sum.fp_expected;
    sum.recall_expected = theory->positives > 0 ? sum.tp_expected / theory->positives : NAN;
    sum.precision_expected = calls > 0 ? sum.tp_expected / calls : NAN;
    return sum;
}

/* ---- Means of laws, pair by pair ---- */

typedef struct work {
    const fp_arm *arm;
    const fp_measurement *exact; /* NULL: no expected distances */
    const fp_pair *pairs;
    double *expected;
} work;

static fp_status expect_pair(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    (void)scratch, (void)error;
    const work *job = context;
    double similarity = job->exact && job->pairs[index].label
                            ? fp_measurement_similarity(job->exact, job->exact->distances[index])
                            : NAN;
    job->expected[index] = isnan(similarity) ? NAN : fp_theory_moments(&job->arm->instance, similarity).mean;
    return FP_OK;
}

fp_status fp_expected_distances(const fp_arm *arm, const fp_measurement *counterpart, const fp_pair *pairs,
                                size_t pair_count, const fp_progress *progress, fp_arena *arena, double **expected,
                                fp_error *error) {
    work job = {arm, fp_theory_has_law(&arm->instance, counterpart) ? counterpart : NULL, pairs, NULL};
    *expected = job.expected = FP_NEED(fp_arena_raw(arena, pair_count, sizeof *job.expected), error);
    return fp_parallel_in(arena, pair_count, expect_pair, &job, "laws", progress, error);
}

/* ---- Tests of a law over the places of fingerprints ---- */

/* Rows of the matrix below; with more places, neighbouring places are grouped, and the groups are the sample. */
enum { MOST_ROWS = 512 };

static double bits_in(const uint64_t *row, const uint64_t *other, size_t words) {
    uint64_t count = 0;
    for (size_t w = 0; w < words; w++) count += (uint64_t)__builtin_popcountll(row[w] & other[w]);
    return (double)count;
}

/* ---- Shift ---- */

static fp_fit_shift student(const double *total, size_t places, double pairs, double confidence) {
    double mean = 0, squares = 0, count = (double)places;
    for (size_t j = 0; j < places; j++) mean += total[j] / count;
    for (size_t j = 0; j < places; j++) squares += (total[j] - mean) * (total[j] - mean);
    double error = sqrt(squares / (count - 1) / count), value = count * mean / pairs;
    double half = gsl_cdf_tdist_Qinv((1 - confidence) / 2, count - 1) * count * error / pairs;
    double p = error > 0 ? 2 * gsl_cdf_tdist_Q(fabs(mean) / error, count - 1) : fabs(mean) > 1e-9 ? 0 : NAN;
    return (fp_fit_shift){value, {value - half, value + half}, p};
}

fp_status fp_fit_shift_of(const fp_fit_input *input, const uint64_t *mask, double confidence, fp_arena *scratch,
                          fp_fit_shift *shift, fp_error *error) {
    size_t words = fp_fit_words(input->pair_count);
    double *total = FP_NEED(fp_arena_raw(scratch, input->place_count, sizeof *total), error), pairs = 0, expected = 0;
    *shift = UNTESTED.shift;
    if (input->place_count < 2) return FP_OK;
    for (size_t i = 0; i < input->pair_count; i++) {
        if (mask && !(mask[i / 64] >> i % 64 & 1)) continue;
        pairs++;
        expected += input->probability[i];
    }
    if (!(pairs > 0)) return FP_OK;
    for (size_t j = 0; j < input->place_count; j++) {
        const uint64_t *row = input->differs + j * words;
        total[j] = bits_in(row, mask ? mask : row, words) - expected;
    }
    *shift = student(total, input->place_count, pairs, confidence);
    return FP_OK;
}

/* ---- Spread ---- */

/* Products of the e_j of groups of places, [rows][rows]; only the upper half is filled. */
typedef struct products {
    size_t rows;
    double *at;
    double diagonal; /* sum of the diagonal */
} products;

/* e_j·e_k = Σ x_ij x_ik − Σ p_i x_ij − Σ p_i x_ik + Σ p_i². */
static fp_status multiply(const fp_fit_input *input, fp_arena *scratch, products *out, fp_error *error) {
    size_t words = fp_fit_words(input->pair_count), group = (input->place_count + MOST_ROWS - 1) / MOST_ROWS;
    size_t rows = (input->place_count + group - 1) / group;
    double *at = FP_NEED(fp_arena_alloc(scratch, rows * rows, sizeof *at), error),
           *weighted = FP_NEED(fp_arena_alloc(scratch, input->place_count, sizeof *weighted), error);
    double squares = 0;
    for (size_t i = 0; i < input->pair_count; i++) squares += input->probability[i] * input->probability[i];
    for (size_t j = 0; j < input->place_count; j++) {
        const uint64_t *row = input->differs + j * words;
        for (size_t w = 0; w < words; w++)
            for (uint64_t left = row[w]; left; left &= left - 1)
                weighted[j] += input->probability[w * 64 + (size_t)__builtin_ctzll(left)];
    }
    for (size_t j = 0; j < input->place_count; j++)
        for (size_t k = j; k < input->place_count; k++) {
            double both = bits_in(input->differs + j * words, input->differs + k * words, words);
            double product = both - weighted[j] - weighted[k] + squares;
            at[j / group * rows + k / group] += j != k && j / group == k / group ? 2 * product : product;
        }
    *out = (products){rows, at, 0};
    for (size_t j = 0; j < rows; j++) out->diagonal += at[j * rows + j];
    return FP_OK;
}

/* Σ_{j ≠ k} s_j s_k e_j·e_k for signs s. */
static double between(const products *of, const double *sign) {
    double sum = 0;
    for (size_t j = 0; j < of->rows; j++) {
        double line = 0;
        for (size_t k = j + 1; k < of->rows; k++) line += sign[k] * of->at[j * of->rows + k];
        sum += sign[j] * line;
    }
    return 2 * sum;
}

static void sample_signs(uint64_t seed, uint64_t replicate, size_t count, double *sign) {
    uint64_t stream = fp_mix(seed, replicate), bits = 0;
    for (size_t j = 0; j < count; j++) {
        if (j % 64 == 0) bits = fp_mix(stream, j / 64);
        sign[j] = bits >> j % 64 & 1 ? 1 : -1;
    }
}

/* The comparison with the samples has a small tolerance: sums in a different order must not decide. */
static double two_sided(const double *sampled, size_t count, double value) {
    double hair = 1e-9 * (fabs(value) + fabs(sampled[0]) + fabs(sampled[count - 1]));
    size_t above = 0, below = 0;
    for (size_t i = 0; i < count; i++) {
        above += sampled[i] >= value - hair;
        below += sampled[i] <= value + hair;
    }
    return fmin(1, 2 * (1 + (double)(above < below ? above : below)) / ((double)count + 1));
}

static fp_status test_spread(const fp_fit_input *input, double confidence, size_t replicates, uint64_t seed,
                             fp_arena *scratch, fp_fit *fit, fp_error *error) {
    double places = (double)input->place_count, by_law = 0;
    for (size_t i = 0; i < input->pair_count; i++)
        by_law += places * input->probability[i] * (1 - input->probability[i]);
    if (!(by_law > 0) || input->place_count < 2) return FP_OK;
    products of = {0};
    FP_TRY(multiply(input, scratch, &of, error));
    double *sampled = FP_NEED(fp_arena_raw(scratch, replicates, sizeof *sampled), error),
           *sign = FP_NEED(fp_arena_raw(scratch, of.rows, sizeof *sign), error);
    for (size_t j = 0; j < of.rows; j++) sign[j] = 1;
    double found = between(&of, sign);
    for (size_t r = 0; r < replicates; r++) {
        sample_signs(seed, r, of.rows, sign);
        sampled[r] = between(&of, sign);
    }
    gsl_sort(sampled, 1, replicates);
    fit->spread = (of.diagonal + found) / by_law;
    fit->spread_p = two_sided(sampled, replicates, found);
    size_t tail = (size_t)((1 - confidence) / 2 * (double)replicates);
    fit->spread_by_law = (fp_interval){1 + sampled[tail] / by_law, 1 + sampled[replicates - 1 - tail] / by_law};
    return FP_OK;
}

fp_status fp_fit_make(const fp_fit_input *input, double confidence, size_t replicates, uint64_t seed, fp_arena *scratch,
                      fp_fit *fit, fp_error *error) {
    *fit = UNTESTED;
    if (replicates < 1) return fp_fail(error, FP_ERROR_RANGE, "at least one replicate");
    FP_TRY(fp_fit_shift_of(input, NULL, confidence, scratch, &fit->shift, error));
    FP_TRY(test_spread(input, confidence, replicates, seed, scratch, fit, error));
    double smaller = fmin(fit->shift.p, fit->spread_p); /* fmin ignores a NaN */
    fit->p = isnan(smaller) ? NAN : fmin(1, 2 * smaller);
    return FP_OK;
}
