/* SPDX-License-Identifier: GPL-3.0-or-later
 * All pairs of 20,000 news-size documents by exact Jaccard and cosine, through postings, against the same work pair
 * by pair, in one run.
 *
 * The documents are made: terms are drawn from a Zipf-Mandelbrot law, P(rank r) ∝ 1/(r + q)^s, so that a text has
 * some 330 distinct words of 500, or some 840 distinct shingles of three characters, as Chinese news of some 900
 * characters has. Lengths vary by a log-normal law with σ = 0.3. Real texts of that size share 10 shingles a pair;
 * these share some 20, and work grows with what is shared. The mean of the sampled distances says how much that is. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eval/experiment/experiment.h"

enum { DOCUMENTS = 20000, SAMPLE = 200 };

/* What documents are made of. */
typedef struct recipe {
    const char *name, *arm;
    size_t vocabulary;
    double shift, exponent, length;
} recipe;

static const recipe RECIPES[] = {
    {"words", "cosine", 60000, 5, 1.1, 500},
    {"words", "jaccard:measure=weighted", 60000, 5, 1.1, 500},
    {"shingles of 3 characters", "jaccard", 3000000, 300, 1.0, 830},
    {"shingles of 3 characters", "jaccard:measure=containment", 3000000, 300, 1.0, 830},
};

static double uniform(uint64_t at, uint64_t stream) { return ((double)(fp_mix(at, stream) >> 11) + 0.5) * 0x1p-53; }

/* Cumulative probabilities of the ranks. */
static const double *cumulate(const recipe *from, fp_arena *arena) {
    double *sum = fp_arena_raw(arena, from->vocabulary, sizeof *sum), all = 0;
    for (size_t r = 0; r < from->vocabulary; r++) sum[r] = all += pow((double)r + 1 + from->shift, -from->exponent);
    return sum;
}

static size_t draw_rank(const double *sum, size_t count, double u) {
    size_t low = 0, high = count - 1;
    double wanted = u * sum[count - 1];
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (sum[middle] < wanted) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Distinct terms with their frequencies. `seen`: [vocabulary] 0, and again afterwards. */
static void draw_document(const recipe *from, const double *sum, size_t index, uint32_t *seen, fp_arena *arena,
                          fp_features *out) {
    double normal = sqrt(-2 * log(uniform(index, 1))) * cos(2 * M_PI * uniform(index, 2));
    size_t length = (size_t)(from->length * exp(0.3 * normal)) + 1;
    uint64_t *hash = fp_arena_raw(arena, length, sizeof *hash);
    double *weight = fp_arena_raw(arena, length, sizeof *weight);
    uint32_t *rank = fp_arena_raw(arena, length, sizeof *rank);
    for (size_t i = 0; i < length; i++) {
        size_t drawn = draw_rank(sum, from->vocabulary, uniform(i, 100 + index));
        if (!seen[drawn]) {
            rank[out->count] = (uint32_t)drawn;
            hash[out->count] = fp_mix(drawn, 7);
            weight[out->count] = 0;
            seen[drawn] = (uint32_t)++out->count;
        }
        weight[seen[drawn] - 1] += 1;
    }
    for (size_t i = 0; i < out->count; i++) seen[rank[i]] = 0;
    out->hash = hash;
    out->weight = weight;
}

static int make_sketches(const recipe *from, const fp_arm *arm, fp_arena *arena, fp_sketches *out) {
    fp_arena *scratch = fp_arena_new();
    const double *sum = cumulate(from, arena);
    size_t *offset = fp_arena_alloc(arena, DOCUMENTS + 1, sizeof *offset),
           *size = fp_arena_alloc(arena, DOCUMENTS, sizeof *size);
    uint32_t *seen = fp_arena_alloc(arena, from->vocabulary, sizeof *seen);
    unsigned char *data = malloc((size_t)DOCUMENTS * 3000 * 16);
    int status = !data;
    for (size_t i = 0; i < DOCUMENTS && !status; i++) {
        fp_document document = {0};
        fp_sketch made;
        fp_arena_reset(scratch);
        draw_document(from, sum, i, seen, scratch, &document.features);
        status = arm->instance.algorithm->sketch(&arm->instance, &document, scratch, &made, NULL) != FP_OK;
        memcpy(data + offset[i], made.data, made.size);
        size[i] = made.size;
        offset[i + 1] = offset[i] + (made.size + 7) / 8 * 8;
    }
    fp_arena_free(scratch);
    *out = (fp_sketches){.count = DOCUMENTS, .data = data, .offset = offset, .size = size};
    return status;
}

/* Seconds a pair, one by one, on one thread; and the mean of what a sample of the documents and of their pairs look
 * like. */
static double pair_by_pair(const fp_measurement *measurement, double *distinct, double *distance) {
    const fp_instance *instance = &measurement->arm->instance;
    *distinct = *distance = 0;
    double start = fp_seconds();
    for (size_t a = 0; a < SAMPLE; a++)
        for (size_t b = DOCUMENTS - SAMPLE; b < DOCUMENTS; b++)
            *distance += instance->algorithm->distance(instance, fp_sketches_at(&measurement->sketches, a),
                                                       fp_sketches_at(&measurement->sketches, b));
    double took = fp_seconds() - start;
    for (size_t i = 0; i < SAMPLE; i++) {
        fp_vector vector;
        instance->algorithm->vector(instance, fp_sketches_at(&measurement->sketches, i), &vector);
        *distinct += (double)vector.count / SAMPLE;
    }
    *distance /= (double)SAMPLE * SAMPLE;
    return took / ((double)SAMPLE * SAMPLE);
}

static int measure(const recipe *from) {
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    fp_arm *arm;
    if (fp_arm_parse(from->arm, arena, &arm, NULL) != FP_OK) return 1;
    fp_measurement measurement = {.arm = arm};
    if (make_sketches(from, arm, arena, &measurement.sketches)) return 1;
    uint32_t *group = fp_arena_alloc(arena, DOCUMENTS, sizeof *group);
    for (uint32_t i = 0; i < DOCUMENTS; i++) group[i] = i / 4;
    fp_corpus corpus = {.name = "made",
                        .truth = FP_TRUTH_GROUPS,
                        .document_count = DOCUMENTS,
                        .group_count = DOCUMENTS / 4,
                        .group = group};
    fp_stage stage = {.corpus = &corpus};
    if (fp_stage_distances(&stage, &measurement, scratch, NULL) != FP_OK) return 1;
    double distinct, distance, single = pair_by_pair(&measurement, &distinct, &distance),
                               pairs = (double)DOCUMENTS * (DOCUMENTS - 1) / 2;
    printf("%s, %s: %.0f distinct a document, mean distance %.1f: %.1f s (wanted: under 30 s on 2 cores); one thread, "
           "pair by pair: %.0f s\n",
           from->arm, from->name, distinct, distance, measurement.distance_seconds, single * pairs);
    free((void *)(uintptr_t)measurement.sketches.data);
    fp_measurement_free(&measurement);
    fp_arena_free(scratch);
    fp_arena_free(arena);
    return 0;
}

int main(void) {
    int status = 0;
    for (size_t i = 0; i < sizeof RECIPES / sizeof *RECIPES && !status; i++) status = measure(RECIPES + i);
    return status;
}
