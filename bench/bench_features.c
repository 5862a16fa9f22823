/* SPDX-License-Identifier: GPL-3.0-or-later
 * Features, sketches and Hamming distances against their limits, as ratios within one run: chars:3 against hashing the
 * same 3-grams with XXH3 alone, whole texts to sketches against the loops that no program can do without, each by
 * itself, and the Hamming kernels against reading the fingerprints. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "algorithms/arms/arm.h"
#include "algorithms/kernels/ones.h"
#include "algorithms/kernels/hamming.h"
#include "algorithms/kernels/least_products.h"
#include "corpora/corpus.h"

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

/* ---- Lines ---- */

/* Titles and posts: what is left of a block beside whole blocks is most of such a text. */
static size_t cut_lines(fp_string text, fp_string *lines) {
    enum { SHORTEST = 60, LONGEST = 150 };
    size_t count = 0;
    for (size_t at = 0, end; at + LONGEST + 4 < text.length; at = end) {
        end = at + SHORTEST + (size_t)(fp_mix(count, 1) % (LONGEST - SHORTEST + 1));
        while (((unsigned char)text.data[end] & 0xc0) == 0x80) end++;
        lines[count++] = (fp_string){text.data + at, end - at};
    }
    return count;
}

static void bench_lines(fp_arena *arena) {
    fp_arm *arm;
    fp_text text = {0};
    fp_units units;
    fp_error error;
    fp_arena *scratch = fp_arena_new();
    fp_arm_parse("jaccard:features=chars:3", arena, &arm, &error);
    fp_preprocess(arm->preprocessor, sample(arena), 0, arena, &text, &error);
    fp_string *lines = fp_arena_raw(arena, text.text.length / 60 + 1, sizeof *lines);
    size_t count = cut_lines(text.text, lines);
    double whole, each;
    BEST(whole, fp_arena_reset(scratch); fp_extract(arm->extractor, &text, scratch, &units, &error));
    BEST(
        each, for (size_t i = 0; i < count; i++) {
            fp_text line = {.text = lines[i]};
            fp_arena_reset(scratch);
            fp_extract(arm->extractor, &line, scratch, &units, &error);
        });
    printf("chars:3, lines of 60-150 bytes %7.1f MB/s\n", (double)text.text.length / each / 1e6);
    printf("beside one long text           %7.2f times as long\n", each / whole);
    fp_arena_free(scratch);
}

/* ---- Whole documents ---- */

typedef struct documents {
    size_t count, bytes;
    fp_string *raw, *normal;
    fp_units *units;
} documents;

static documents read_documents(const fp_arm *arm, fp_arena *arena) {
    enum { BYTES = 1000 };
    fp_string whole = sample(arena);
    documents made = {.raw = fp_arena_raw(arena, whole.length / BYTES + 1, sizeof *made.raw)};
    fp_error error;
    for (size_t at = 0, end; at < whole.length && made.bytes < 4000000; at = end) {
        for (end = at + BYTES; end < whole.length && (whole.data[end] & 0xc0) == 0x80;) end++;
        if (end > whole.length) end = whole.length;
        made.raw[made.count++] = (fp_string){whole.data + at, end - at};
        made.bytes += end - at;
    }
    made.normal = fp_arena_raw(arena, made.count, sizeof *made.normal);
    made.units = fp_arena_raw(arena, made.count, sizeof *made.units);
    for (size_t i = 0; i < made.count; i++) {
        fp_text text = {0};
        if (fp_preprocess(arm->preprocessor, made.raw[i], 0, arena, &text, &error) != FP_OK) exit(1);
        made.normal[i] = text.text;
        if (fp_extract(arm->extractor, &text, arena, made.units + i, &error) != FP_OK) exit(1);
    }
    return made;
}

static void hash_alone(const fp_units *units, uint64_t *hash) {
    const uint32_t *begin = units->begin, *end = units->end + (units->length ? units->span - 1 : 0);
    const char *data = units->buffer.data;
    for (size_t i = 0; i < units->length; i++) hash[i] = XXH3_64bits(data + begin[i], end[i] - begin[i]);
}

/* The limit: normalisation, hashing and the kernel, one after the other over all documents. */
static void bench_sketches(const char *spec, size_t slots, fp_arena *arena) {
    fp_arm *arm;
    fp_error error;
    fp_sketch sketch;
    fp_text text = {0};
    fp_arena *scratch = fp_arena_new();
    if (!scratch || fp_arm_parse(spec, arena, &arm, &error) != FP_OK) exit(1);
    documents all = read_documents(arm, arena);
    uint64_t *hash = fp_arena_raw(arena, 4096, sizeof *hash), value[FP_ONES * 2];
    double whole, normalising, hashing, kernel;
    size_t seen = 0;
#define EACH for (size_t i = 0; i < all.count; i++, fp_arena_reset(scratch))
    BEST(whole, EACH seen += fp_arm_sketch(arm, all.raw[i], scratch, &sketch, &error) == FP_OK);
    BEST(normalising, EACH fp_preprocess(arm->preprocessor, all.raw[i], 0, scratch, &text, &error));
    BEST(hashing, EACH hash_alone(all.units + i, hash));
    BEST(
        kernel, EACH {
            for (size_t j = 0; j < sizeof value / sizeof *value; j++) value[j] = slots ? UINT64_MAX : 0;
            if (slots) fp_least_products(all.units[i].hash, all.units[i].length, value, slots);
            else fp_ones_add(all.units[i].hash, all.units[i].length, value);
        });
#undef EACH
    double size = (double)all.bytes / 1e6, limit = normalising + hashing + kernel;
    printf("%-44s %6.0f MB/s, limit %6.0f, of limit %.2f; from normalised text %6.0f, limit %6.0f, of limit %.2f%s\n",
           spec, size / whole, size / limit, limit / whole, size / (whole - normalising), size / (hashing + kernel),
           (hashing + kernel) / (whole - normalising), seen ? "" : " (nothing)");
    fp_arena_free(scratch);
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
    bench_lines(arena);
    bench_sketches("simhash:features=chars:3,weight=tf", 0, arena);
    bench_sketches("minhash:slots=64", 64, arena);
    bench_sketches("minhash:slots=128", 128, arena);
    bench_hamming(arena);
    fp_arena_free(arena);
    return 0;
}
