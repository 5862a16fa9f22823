/* SPDX-License-Identifier: GPL-3.0-or-later
 * The probability that an index finds a pair of a similarity, expected and measured. */
#include "eval/analyses/index_curve.h"

#include "eval/analyses/similarity_bins.h"

bool fp_index_curve_applies(const fp_recall_loss_arm *arm) {
    return arm->tables && arm->counterpart && arm->measurement->arm->instance.algorithm->similarity;
}

typedef struct likeness {
    const fp_instance *instance;
    double similarity;
} likeness;

static bool more_alike(void *context, double distance) {
    const likeness *than = context;
    return than->instance->algorithm->similarity(than->instance, distance) > than->similarity;
}

/* The expected share of places that differ: the inverse of a decreasing function. */
static double differing(const fp_instance *instance, double similarity) {
    likeness at = {instance, similarity};
    double far = instance->layout.maximum;
    if (!more_alike(&at, 0)) return 0;
    if (similarity <= instance->algorithm->similarity(instance, far)) return 1;
    return fp_bisect(more_alike, &at, 0, far) / far;
}

double fp_index_curve_similarity(const fp_recall_loss_arm *arm, size_t i) {
    double share = (double)i / (FP_INDEX_POINTS - 1);
    return i && strcmp(fp_arm_measure(arm->measurement->arm), "cosine") == 0 ? cos(M_PI / 2 * (1 - share)) : share;
}

double fp_index_curve_at(const fp_recall_loss_arm *arm, const fp_lsh_form *form, double similarity) {
    return fp_lsh_probability(form ? form : fp_lsh_form_of(arm->tables),
                              differing(&arm->measurement->arm->instance, similarity));
}

/* ---- Pairs ---- */

/* Values of each pair of the resample. */
typedef struct known {
    const fp_recall_loss_arm *arm;
    const fp_resample *resample;
    size_t count;
    const fp_pair *pairs;
    double *similarity, *expected;
    bool *brought;
    unsigned char *bin;
    double confidence;
    fp_index_bin *bins;
    size_t number[FP_SIMILARITY_BINS]; /* the tenth of each of these bins */
} known;

static fp_status know_pair(void *context, size_t i, fp_arena *scratch, fp_error *error) {
    (void)scratch, (void)error;
    const known *of = context;
    const fp_recall_loss_arm *arm = of->arm;
    const fp_sketches *sketches = &arm->measurement->sketches;
    fp_pair pair = of->pairs[i];
    double distance = fp_measurement_distance(arm->counterpart, pair.a, pair.b);
    of->similarity[i] = fp_measurement_similarity(arm->counterpart, distance);
    of->expected[i] = fp_index_curve_at(arm, NULL, of->similarity[i]);
    of->brought[i] = !fp_measurement_empty(arm->measurement, pair.a, pair.b) &&
                     fp_lsh_meet(arm->tables, fp_sketches_at(sketches, pair.a), fp_sketches_at(sketches, pair.b));
    of->bin[i] = (unsigned char)fp_similarity_bin_of(of->similarity[i]);
    return FP_OK;
}

/* ---- Bins ---- */

static fp_status fill_bin(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    const known *of = context;
    fp_index_bin *bin = of->bins + index;
    double *weight = FP_NEED(fp_arena_alloc(scratch, of->count, sizeof *weight), error);
    *bin = (fp_index_bin){.low = fp_similarity_bin_low(of->number[index]),
                          .high = fp_similarity_bin_low(of->number[index] + 1)};
    for (size_t i = 0; i < of->count; i++) {
        if (of->bin[i] != of->number[index]) continue;
        weight[i] = 1;
        bin->pairs++;
        bin->similarity += of->similarity[i];
        bin->expected += of->expected[i];
    }
    bin->similarity /= (double)bin->pairs;
    bin->expected /= (double)bin->pairs;
    return fp_proportion_of(of->resample, weight, of->brought, of->confidence, scratch, &bin->brought, error);
}

fp_status fp_index_curve_make(const fp_recall_loss *lost, size_t arm, double confidence, const fp_progress *progress,
                              fp_arena *arena, fp_index_curve *curve, fp_error *error) {
    size_t count = lost->pair_count, held[FP_SIMILARITY_BINS] = {0};
    *curve = (fp_index_curve){0};
    if (!fp_index_curve_applies(lost->arms + arm) || count == 0) return FP_OK;
    FP_ARENAS(arenas, progress, arena, error);
    known of = {.arm = lost->arms + arm,
                .resample = &lost->resample,
                .count = count,
                .pairs = lost->pairs,
                .similarity = FP_NEED(fp_arena_raw(arena, count, sizeof(double)), error),
                .expected = FP_NEED(fp_arena_raw(arena, count, sizeof(double)), error),
                .brought = FP_NEED(fp_arena_raw(arena, count, sizeof(bool)), error),
                .bin = FP_NEED(fp_arena_raw(arena, count, 1), error),
                .confidence = confidence,
                .bins = FP_NEED(fp_arena_alloc(arena, FP_SIMILARITY_BINS, sizeof(fp_index_bin)), error)};
    FP_TRY(fp_parallel(count, &arenas, true, know_pair, &of, "pairs of the index", progress, error));
    for (size_t i = 0; i < count; i++) held[of.bin[i]]++;
    for (size_t b = 0; b < FP_SIMILARITY_BINS; b++)
        if (held[b]) of.number[curve->bin_count++] = b;
    curve->bins = of.bins;
    return fp_parallel(curve->bin_count, &arenas, true, fill_bin, &of, "shares of the index", progress, error);
}
