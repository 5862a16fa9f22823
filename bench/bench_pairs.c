/* SPDX-License-Identifier: GPL-3.0-or-later
 * All pairs of 20,000 64-bit fingerprints, groups as truth, against the Hamming kernel alone, in one run. */
#include <stdio.h>

#include "algorithms/kernels/hamming.h"
#include "eval/stages.h"

enum { DOCUMENTS = 20000, ROUNDS = 5 };

int main(void) {
    fp_arena *arena = fp_arena_new();
    fp_error error = {0};
    fp_corpus corpus = {.name = "synthetic", .truth = FP_TRUTH_GROUPS, .document_count = DOCUMENTS, .group_count = DOCUMENTS / 4};
    uint32_t *group = fp_arena_alloc(arena, DOCUMENTS, sizeof *group), *out = fp_arena_alloc(arena, DOCUMENTS, sizeof *out);
    uint64_t *word = fp_arena_alloc(arena, DOCUMENTS, sizeof *word);
    for (uint32_t i = 0; i < DOCUMENTS; i++) group[i] = i / 4, word[i] = fp_mix(i, 1);
    corpus.group = group;
    fp_arm *arm;
    if (fp_arm_parse("simhash", arena, &arm, &error) != FP_OK) return 1;
    fp_measurement measurement = {.arm = arm, .sketches = {.count = DOCUMENTS, .stride = 8, .data = (const unsigned char *)word}};
    fp_stage stage = {.corpus = &corpus};
    double alone = 1e9, whole = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        double start = fp_seconds();
#pragma omp parallel for schedule(dynamic, 64) firstprivate(out)
        for (size_t i = 0; i < DOCUMENTS; i++) {
            uint32_t bits[1024];
            for (size_t first = i + 1; first < DOCUMENTS; first += 1024)
                fp_hamming_chosen()->kernel(word + i, word + first, 1, DOCUMENTS - first < 1024 ? DOCUMENTS - first : 1024, bits);
        }
        double took = fp_seconds() - start;
        if (took < alone) alone = took;
        fp_histogram_free(&measurement.histogram);
        start = fp_seconds();
        if (fp_stage_distances(&stage, &measurement, arena, &error) != FP_OK) return 1;
        took = fp_seconds() - start;
        if (took < whole) whole = took;
    }
    double pairs = (double)DOCUMENTS * (DOCUMENTS - 1) / 2;
    printf("kernel alone (%s)   %6.3f s, %.2f ns a pair\n", fp_hamming_chosen()->name, alone, alone * 1e9 / pairs);
    printf("all pairs, counted by group    %6.3f s, %.2f ns a pair, %.1f times the kernel (wanted: at most 1.2)\n", whole, whole * 1e9 / pairs,
           whole / alone);
    fp_measurement_free(&measurement);
    fp_arena_free(arena);
    return 0;
}
