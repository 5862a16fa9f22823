/* SPDX-License-Identifier: GPL-3.0-or-later
 * All pairs of 20,000 64-bit fingerprints, groups as truth. What it is measured against, in the same run: the Hamming
 * kernel alone, which writes the distances into a buffer that stays in the nearest cache and does nothing with them.
 * Its limit is the population count (one instruction of eight words a cycle), not memory: all fingerprints are 160
 * kB. */
#include <math.h>
#include <stdio.h>

#include "algorithms/kernels/angles.h"
#include "algorithms/kernels/hamming.h"
#include "algorithms/kernels/tally.h"
#include "eval/experiment/experiment.h"

enum { DOCUMENTS = 20000, BLOCK = 1024, ROUNDS = 25, ROWS = 480, BITS = 64, CHUNK = 50 };

static const double PAIRS = (double)DOCUMENTS * (DOCUMENTS - 1) / 2;

/* Distances of documents begin … end − 1 to all later ones, nothing else. */
static void measure_rows(fp_hamming_kernel kernel, const uint64_t *word, size_t begin, size_t end) {
    uint32_t bits[BLOCK];
    for (size_t i = begin; i < end; i++)
        for (size_t first = i + 1; first < DOCUMENTS; first += BLOCK)
            kernel(word + i, word + first, 1, DOCUMENTS - first < BLOCK ? DOCUMENTS - first : BLOCK, bits);
}

static double least(double a, double b) { return a < b ? a : b; }

/* One thread: each level's kernel alone, and its tally, over some rows of even fingerprints. */
static void compare_level(const fp_hamming_variant *hamming, const fp_tally_variant *tally, const uint64_t *even) {
    double alone = 1e9, counted = 1e9, pairs = 0;
    uint64_t counts[FP_TALLY_LANES * (BITS + 1)] = {0};
    for (size_t i = 0; i < ROWS; i++) pairs += (double)(DOCUMENTS - i - 1);
    for (int round = 0; round < ROUNDS; round++) {
        double start = fp_seconds();
        measure_rows(hamming->kernel, even, 0, ROWS);
        alone = least(alone, fp_seconds() - start);
        start = fp_seconds();
        tally->kernel(even, ROWS, even + ROWS, DOCUMENTS - ROWS, 1, false, counts);
        counted = least(counted, fp_seconds() - start);
    }
    alone *= 1e9 / pairs;
    counted *= 1e9 / ((double)ROWS * (DOCUMENTS - ROWS));
    printf("%-17s %6.3f ns a distance alone, %6.3f ns counted, ratio %.2f\n", hamming->name, alone, counted,
           counted / alone);
}

static void compare_levels(const uint64_t *even) {
    for (const fp_tally_variant *tally = fp_tally_variants; tally->name; tally++) {
        const fp_hamming_variant *hamming = fp_hamming_variants;
        while (hamming->level != tally->level) hamming++;
        if (tally->supported() && hamming->supported()) compare_level(hamming, tally, even);
    }
}

typedef struct all_rows {
    const uint64_t *word; /* [DOCUMENTS] */
} all_rows;

static fp_status measure_chunk(void *context, size_t index, fp_arena *arena, fp_error *error) {
    (void)arena;
    (void)error;
    const all_rows *rows = context;
    measure_rows(fp_hamming_chosen()->kernel, rows->word, index * CHUNK, (index + 1) * CHUNK);
    return FP_OK;
}

/* All threads: the kernel alone over all rows, and what the lab does. */
static int compare_whole(fp_measurement *measurement, const fp_stage *stage, const uint64_t *word, fp_arena *arena) {
    enum { NEAR = 10000 };
    double alone = 1e9, whole = 1e9, listed = 1e9;
    fp_stage near = *stage;
    near.near_most = NEAR;
    all_rows rows = {word};
    fp_arenas arenas;
    fp_arena *owner = fp_arena_new(); /* the other is reset each time */
    if (!owner || fp_arenas_open(&arenas, NULL, owner, NULL) != FP_OK) return 1;
    for (int round = 0; round < ROUNDS; round++) {
        double start = fp_seconds();
        if (fp_parallel(DOCUMENTS / CHUNK, &arenas, false, measure_chunk, &rows, "", NULL, NULL) != FP_OK) return 1;
        alone = least(alone, fp_seconds() - start);
        fp_histogram_free(&measurement->histogram);
        fp_arena_reset(arena);
        if (fp_stage_distances(stage, measurement, arena, NULL) != FP_OK) return 1;
        whole = least(whole, measurement->distance_seconds);
        fp_histogram_free(&measurement->histogram);
        if (fp_stage_distances(&near, measurement, arena, NULL) != FP_OK) return 1;
        listed = least(listed, measurement->distance_seconds);
    }
    printf("all pairs, all threads: kernel alone (%s) %.1f ms, counted by group %.1f ms, ratio %.2f (wanted: at most "
           "1.2)\n",
           fp_hamming_chosen()->name, alone * 1e3, whole * 1e3, whole / alone);
    printf("the same with a list of the %d nearest: %.1f ms, ratio to counting alone %.2f\n", NEAR, listed * 1e3,
           listed / whole);
    fp_arenas_free(&arenas);
    fp_arena_free(owner);
    return 0;
}

/* One thread: angles of cosines from 0 to 0.8, by the kernel and by the mathematical library. */
static void compare_angles(void) {
    static double cosine[DOCUMENTS], angle[DOCUMENTS];
    double library = 1e9, kernel = 1e9;
    for (size_t i = 0; i < DOCUMENTS; i++) cosine[i] = (double)(fp_mix(i, 2) >> 11) * 0x1p-53 * 0.8;
    for (int round = 0; round < ROUNDS; round++) {
        double start = fp_seconds();
        for (size_t i = 0; i < DOCUMENTS; i++) angle[i] = 2 * atan2(sqrt(2 - 2 * cosine[i]), sqrt(2 + 2 * cosine[i]));
        library = least(library, fp_seconds() - start);
        start = fp_seconds();
        fp_angles_kernels[fp_cpu_chosen()](cosine, DOCUMENTS, angle);
        kernel = least(kernel, fp_seconds() - start);
    }
    printf("angle of a cosine: library %.2f ns, kernel (%s) %.2f ns, ratio %.1f\n", library * 1e9 / DOCUMENTS,
           fp_cpu_name(fp_cpu_chosen()), kernel * 1e9 / DOCUMENTS, library / kernel);
}

int main(void) {
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    uint32_t *group = fp_arena_alloc(arena, DOCUMENTS, sizeof *group);
    uint64_t *word = fp_arena_alloc(arena, DOCUMENTS, sizeof *word),
             *even = fp_arena_alloc(arena, DOCUMENTS, sizeof *even);
    for (uint32_t i = 0; i < DOCUMENTS; i++) {
        group[i] = i / 4;
        word[i] = fp_mix(i, 1);
        even[i] = word[i] ^ fp_tally_odd(word + i, 1);
    }
    fp_corpus corpus = {.name = "made",
                        .truth = FP_TRUTH_GROUPS,
                        .document_count = DOCUMENTS,
                        .group_count = DOCUMENTS / 4,
                        .group = group};
    fp_arm *arm;
    if (fp_arm_parse("simhash", arena, &arm, NULL) != FP_OK) return 1;
    fp_measurement measurement = {.arm = arm,
                                  .sketches = {.count = DOCUMENTS, .stride = 8, .data = (const unsigned char *)word}};
    fp_stage stage = {.corpus = &corpus};
    printf("%.0f pairs\n", PAIRS);
    compare_levels(even);
    compare_angles();
    int status = compare_whole(&measurement, &stage, word, scratch);
    fp_measurement_free(&measurement);
    fp_arena_free(scratch);
    fp_arena_free(arena);
    return status;
}
