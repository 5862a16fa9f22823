/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pairs counted by kind, length and distance. */
#include "eval/outcome/pair_digest.h"

#include <math.h>
#include <string.h>

#include "eval/outcome/seeds.h"

/* ---- Which distances ---- */

/* Ascending bars of two seeds, each distance once. */
static size_t merge(const double *left, size_t left_count, const fp_histogram *right, double *to) {
    size_t count = 0;
    for (size_t i = 0, k = 0; i < left_count || k < right->count; count++) {
        double a = i < left_count ? left[i] : INFINITY, b = k < right->count ? right->bars[k].distance : INFINITY;
        to[count] = a < b ? a : b;
        i += a <= b;
        k += b <= a;
    }
    return count;
}

/* Keeps every so-manieth, and whatever is followed by another whole part. */
static size_t thin(double *points, size_t count) {
    size_t stride = count / FP_DIGEST_POINTS + 1, kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool last = i + 1 == count || ceil(points[i + 1]) != ceil(points[i]);
        if (i % stride == 0 || last) points[kept++] = points[i];
    }
    return kept;
}

static fp_status find_points(const fp_outcome *outcome, size_t arm, fp_arena *arena, fp_digest_arm *to,
                             fp_error *error) {
    size_t most = 0, count = 0;
    to->seeds = fp_seeds_count(outcome, arm);
    for (size_t k = 0; k < to->seeds; k++)
        most += outcome->measurements[fp_seeds_lane(outcome, arm, k)].histogram.count;
    double *points = fp_arena_raw(arena, most + 1, 2 * sizeof *points), *room = points ? points + most + 1 : NULL;
    if (!points) return fp_no_memory(error);
    for (size_t k = 0; k < to->seeds; k++) {
        const fp_histogram *own = &outcome->measurements[fp_seeds_lane(outcome, arm, k)].histogram;
        count = merge(points, count, own, room);
        memcpy(points, room, count * sizeof *points);
    }
    to->points = points;
    to->point_count = thin(points, count);
    return FP_OK;
}

/* The first point that is no nearer. */
static size_t point_of(const fp_digest_arm *of, double distance) {
    size_t low = 0, high = of->point_count - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (of->points[middle] < distance) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* ---- Counting ---- */

static size_t part_of(const fp_pair_digest *of, size_t pair) {
    size_t kind = of->kinds.of_pair ? of->kinds.of_pair[pair] : 0,
           length = of->lengths.of_pair ? of->lengths.of_pair[pair] : 0;
    return kind * of->lengths.count + length;
}

static fp_status count_arm(const fp_pair_digest *of, size_t arm, fp_arena *arena, fp_digest_arm *to, fp_error *error) {
    const fp_outcome *outcome = of->outcome;
    const fp_corpus *corpus = outcome->corpus;
    FP_TRY(find_points(outcome, arm, arena, to, error));
    size_t parts = of->kinds.count * of->lengths.count;
    uint64_t *counts = fp_arena_alloc(arena, parts * to->point_count, 2 * sizeof *counts);
    if (!counts) return fp_no_memory(error);
    for (size_t k = 0; k < to->seeds; k++) {
        const double *distances = outcome->measurements[fp_seeds_lane(outcome, arm, k)].distances;
        for (size_t i = 0; i < corpus->pair_count; i++) {
            size_t place = part_of(of, i) * to->point_count + point_of(to, distances[i]);
            counts[2 * place + (corpus->pairs[i].label != 0)]++;
        }
    }
    to->counts = counts;
    return FP_OK;
}

void fp_digest_within(const fp_pair_digest *digest, size_t arm, double h, uint64_t counts[2]) {
    const fp_digest_arm *of = digest->arms + arm;
    size_t parts = digest->kinds.count * digest->lengths.count;
    counts[0] = counts[1] = 0;
    for (size_t part = 0; part < parts; part++) {
        const uint64_t *own = of->counts + 2 * part * of->point_count;
        for (size_t i = 0; i < of->point_count && of->points[i] <= h; i++)
            counts[0] += own[2 * i], counts[1] += own[2 * i + 1];
    }
}

/* ---- All ---- */

/* One part where there are too many, or nothing to divide by. */
static fp_status divide(const fp_corpus *corpus, const char *by, size_t most, fp_arena *arena, fp_strata *strata,
                        fp_error *error) {
    static const char *const WHOLE[] = {""};
    fp_status status = fp_strata_make(corpus, by, NULL, 0, arena, strata, error);
    if (status == FP_ERROR_MEMORY) return status;
    if (status != FP_OK || strata->count > most) *strata = (fp_strata){.by = by, .count = 1, .names = WHOLE};
    return FP_OK;
}

fp_status fp_pair_digest_make(const fp_outcome *outcome, size_t share, bool texts, fp_arena *arena,
                              fp_pair_digest *digest, fp_error *error) {
    const fp_corpus *corpus = outcome->corpus;
    *digest = (fp_pair_digest){.outcome = outcome};
    if (corpus->truth != FP_TRUTH_PAIRS)
        return fp_fail(error, FP_ERROR_EMPTY, "%s has groups, of too many documents to list all pairs", corpus->name);
    FP_TRY(divide(corpus, "kind", FP_DIGEST_KINDS, arena, &digest->kinds, error));
    FP_TRY(divide(corpus, "length", SIZE_MAX, arena, &digest->lengths, error));
    fp_digest_arm *arms = fp_arena_alloc(arena, outcome->count, sizeof *arms);
    if (!arms) return fp_no_memory(error);
    digest->arms = arms;
    for (size_t arm = 0; arm < outcome->count; arm++) FP_TRY(count_arm(digest, arm, arena, arms + arm, error));
    return fp_pair_sample_draw(digest, share ? share : 1, texts, arena, error);
}
