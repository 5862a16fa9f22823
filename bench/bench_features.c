/* SPDX-License-Identifier: GPL-3.0-or-later
 * Features and Hamming distances against their limits, as ratios within one run: chars:3 against hashing the same
 * 3-grams with XXH3 alone, and the Hamming kernels against reading the fingerprints. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "algorithms/arms/arm.h"
#include "algorithms/kernels/hamming.h"
#include "corpora/corpus.h"
#include "text/unicode/utf8.h"

enum { ROUNDS = 15 };

/* Processor time, so that other programs count less. */
static double seconds_used(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* The best of some rounds: noise only ever adds. */
#define BEST(seconds, ...)                                \
    do {                                                  \
        (seconds) = 1e9;                                  \
        for (int round_ = 0; round_ < ROUNDS; round_++) { \
            double start_ = seconds_used();               \
            __VA_ARGS__;                                  \
            double took_ = seconds_used() - start_;       \
            if (took_ < (seconds)) (seconds) = took_;     \
        }                                                 \
    } while (0)

/* Normalised news text, repeated to a few megabytes. */
static fp_string sample(fp_arena *arena) {
    fp_corpus corpus;
    fp_error error = {0};
    if (fp_corpus_read("tests/data/newswire-zh", NULL, arena, &corpus, &error) != FP_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    size_t total = 0, copies = 16;
    fp_string *texts = fp_arena_raw(arena, corpus.document_count, sizeof *texts);
    if (fp_corpus_fetch(&corpus, NULL, corpus.document_count, arena, texts, &error) != FP_OK) exit(1);
    for (size_t i = 0; i < corpus.document_count; i++) total += texts[i].length;
    char *text = fp_arena_raw(arena, total * copies, 1), *at = text;
    for (size_t c = 0; c < copies; c++) {
        for (size_t i = 0; i < corpus.document_count; i++) {
            memcpy(at, texts[i].data, texts[i].length);
            at += texts[i].length;
        }
    }
    return (fp_string){text, total * copies};
}

static void bench_grams(fp_arena *arena) {
    fp_arm *arm;
    fp_text text = {0};
    fp_units units = {0};
    fp_counts counts;
    fp_error error;
    fp_arena *scratch = fp_arena_new();
    fp_arm_parse("jaccard:features=chars:3", arena, &arm, &error);
    fp_preprocess(arm->preprocessor, sample(arena), 0, arena, &text, &error);
    double whole, alone, counting;
    BEST(whole, fp_arena_reset(scratch); fp_extract(arm->extractor, &text, scratch, &units, &error));
    uint64_t *hash = fp_arena_raw(arena, units.length, sizeof *hash);
    BEST(
        alone, for (size_t i = 0; i < units.length; i++) {
            fp_string term = fp_units_term(&units, i);
            hash[i] = XXH3_64bits(term.data, term.length);
        });
    fp_arena *counts_arena = fp_arena_new();
    BEST(counting, fp_arena_reset(counts_arena); fp_count(&units, counts_arena, &counts, &error));
    printf("chars:3 from normalised text   %7.1f MB/s\n", (double)text.text.length / whole / 1e6);
    printf("XXH3 of the same 3-grams       %7.1f MB/s\n", (double)text.text.length / alone / 1e6);
    printf("ratio                          %7.2f (wanted: at most 1.5)\n", whole / alone);
    printf("counting distinct 3-grams      %7.1f MB/s\n", (double)text.text.length / counting / 1e6);
    if (memcmp(hash, units.hash, units.length * sizeof *hash) != 0) printf("the hashes differ\n");
    fp_arena_free(scratch);
    fp_arena_free(counts_arena);
}

static void bench_hamming(fp_arena *arena) {
    enum { COUNT = 1 << 14, QUERIES = 256 };
    uint64_t *many = fp_arena_raw(arena, COUNT, sizeof *many), sum = 0;
    uint32_t *out = fp_arena_raw(arena, COUNT, sizeof *out);
    for (size_t i = 0; i < COUNT; i++) many[i] = fp_mix(i, 0);
    double reading;
    BEST(reading, for (size_t q = 0; q < QUERIES; q++) for (size_t i = 0; i < COUNT; i++) sum += many[i] ^ q);
    printf("reading 64-bit fingerprints    %7.2f ns each (checksum %u)\n", reading * 1e9 / COUNT / QUERIES,
           (unsigned)sum & 1);
    for (const fp_hamming_variant *variant = fp_hamming_variants; variant->name; variant++) {
        double seconds;
        if (!variant->supported()) continue;
        BEST(seconds, for (size_t q = 0; q < QUERIES; q++) variant->kernel(many + q, many, 1, COUNT, out));
        printf("Hamming, %-20s  %7.2f ns each, %.1f times reading\n", variant->name, seconds * 1e9 / COUNT / QUERIES,
               seconds / reading);
    }
}

int main(void) {
    fp_arena *arena = fp_arena_new();
    bench_grams(arena);
    bench_hamming(arena);
    fp_arena_free(arena);
    return 0;
}
