/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tests of a law over the places of fingerprints. */
#include "eval/analyses/fit.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>

/* Rows of the matrix below; with more places, neighbours are taken together, and the groups are the sample. */
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
    double *total = fp_arena_raw(scratch, input->place_count, sizeof *total), pairs = 0, expected = 0;
    if (!total) return fp_no_memory(error);
    *shift = (fp_fit_shift){NAN, {NAN, NAN}, NAN};
    for (size_t i = 0; i < input->pair_count; i++) {
        if (mask && !(mask[i / 64] >> i % 64 & 1)) continue;
        pairs++;
        expected += input->probability[i];
    }
    if (!(pairs > 0) || input->place_count < 2) return FP_OK;
    for (size_t j = 0; j < input->place_count; j++) {
        const uint64_t *row = input->differs + j * words;
        total[j] = bits_in(row, mask ? mask : row, words) - expected;
    }
    *shift = student(total, input->place_count, pairs, confidence);
    return FP_OK;
}

/* ---- Spread ---- */

/* Products of the e_j of groups of places, [rows][rows]; the lower half is not filled. */
typedef struct products {
    size_t rows;
    double *at;
    double diagonal; /* sum of it */
} products;

/* e_j·e_k = Σ x_ij x_ik − Σ p_i x_ij − Σ p_i x_ik + Σ p_i². */
static fp_status multiply(const fp_fit_input *input, fp_arena *scratch, products *out, fp_error *error) {
    size_t words = fp_fit_words(input->pair_count), group = (input->place_count + MOST_ROWS - 1) / MOST_ROWS;
    size_t rows = (input->place_count + group - 1) / group;
    double *at = fp_arena_alloc(scratch, rows * rows, sizeof *at),
           *weighted = fp_arena_alloc(scratch, input->place_count, sizeof *weighted);
    double squares = 0;
    if (!at || !weighted) return fp_no_memory(error);
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

static void draw_signs(uint64_t seed, uint64_t replicate, size_t count, double *sign) {
    uint64_t stream = fp_mix(seed, replicate), bits = 0;
    for (size_t j = 0; j < count; j++) {
        if (j % 64 == 0) bits = fp_mix(stream, j / 64);
        sign[j] = bits >> j % 64 & 1 ? 1 : -1;
    }
}

/* Whether the draws are larger is asked with a hair's breadth: sums in another order must not decide. */
static double two_sided(const double *drawn, size_t count, double value) {
    double hair = 1e-9 * (fabs(value) + fabs(drawn[0]) + fabs(drawn[count - 1]));
    size_t above = 0, below = 0;
    for (size_t i = 0; i < count; i++) {
        above += drawn[i] >= value - hair;
        below += drawn[i] <= value + hair;
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
    double *drawn = fp_arena_raw(scratch, replicates, sizeof *drawn),
           *sign = fp_arena_raw(scratch, of.rows, sizeof *sign);
    if (!drawn || !sign) return fp_no_memory(error);
    for (size_t j = 0; j < of.rows; j++) sign[j] = 1;
    double found = between(&of, sign);
    for (size_t r = 0; r < replicates; r++) {
        draw_signs(seed, r, of.rows, sign);
        drawn[r] = between(&of, sign);
    }
    gsl_sort(drawn, 1, replicates);
    fit->spread = (of.diagonal + found) / by_law;
    fit->spread_p = two_sided(drawn, replicates, found);
    size_t tail = (size_t)((1 - confidence) / 2 * (double)replicates);
    fit->spread_by_law = (fp_interval){1 + drawn[tail] / by_law, 1 + drawn[replicates - 1 - tail] / by_law};
    return FP_OK;
}

fp_status fp_fit_make(const fp_fit_input *input, double confidence, size_t replicates, uint64_t seed, fp_arena *scratch,
                      fp_fit *fit, fp_error *error) {
    *fit = (fp_fit){.spread = NAN, .spread_by_law = {NAN, NAN}, .spread_p = NAN, .p = NAN};
    if (replicates < 1) return fp_fail(error, FP_ERROR_RANGE, "at least one replicate");
    FP_TRY(fp_fit_shift_of(input, NULL, confidence, scratch, &fit->shift, error));
    FP_TRY(test_spread(input, confidence, replicates, seed, scratch, fit, error));
    double smaller = fmin(fit->shift.p, fit->spread_p); /* fmin passes over a NaN */
    fit->p = fmin(1, 2 * smaller);
    if (isnan(smaller)) fit->p = NAN;
    return FP_OK;
}
