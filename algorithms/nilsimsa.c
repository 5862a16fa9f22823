/* SPDX-License-Identifier: GPL-3.0-or-later
 * Nilsimsa: 256 counters of the trigrams of bytes within a window of five, each trigram hashed to a counter by a fixed
 * permutation; a bit of the digest is 1 if its counter exceeds the mean. The bytes are those of the normalised text in
 * UTF-8. The distance is the number of differing bits; programs that write "compare" give 128 minus that number. A text
 * of fewer than three bytes has no trigram and is empty. No law: the bits are not independent. */
#include "base/base.h"

#include <pthread.h>
#include <stdio.h>

enum { COUNTERS = 256, LAST = 4, TARGET = 53 };

static uint8_t permutation[COUNTERS];
static pthread_once_t permuted = PTHREAD_ONCE_INIT;

/* The permutation of nilsimsa 0.2.4 for the target 53. A number that is taken is incremented; the search then restarts
 * after the first entry, as in the original. */
static void permute(void) {
    unsigned j = 0;
    for (unsigned i = 0; i < COUNTERS; i++) {
        j = (j * TARGET + 1) & 255;
        j += j;
        if (j > 255) j -= 255;
        for (unsigned k = 0; k < i; k++)
            if (j == permutation[k]) j = (j + 1) & 255, k = 0;
        permutation[i] = (uint8_t)j;
    }
}

static unsigned counter_of(unsigned a, unsigned b, unsigned c, unsigned which) {
    const uint8_t *p = permutation;
    return ((p[(a + which) & 255] ^ (p[b] * (2 * which + 1))) + p[c ^ p[which]]) & 255;
}

/* The trigrams that end at byte `at`. */
static void count_byte(const uint8_t *byte, size_t at, uint32_t *counter) {
    /* {first, second, third} as distances before `at`, and the largest of them. */
    static const uint8_t TRIGRAM[][4] = {{0, 1, 2, 2}, {0, 1, 3, 3}, {0, 2, 3, 3}, {0, 1, 4, 4},
                                         {0, 2, 4, 4}, {0, 3, 4, 4}, {4, 1, 0, 4}, {4, 3, 0, 4}};
    for (unsigned n = 0; n < sizeof TRIGRAM / sizeof *TRIGRAM && TRIGRAM[n][3] <= at; n++)
        counter[counter_of(byte[at - TRIGRAM[n][0]], byte[at - TRIGRAM[n][1]], byte[at - TRIGRAM[n][2]], n)]++;
}

static size_t count_all(fp_string text, uint32_t counter[COUNTERS]) {
    size_t trigrams = 0;
    pthread_once(&permuted, permute);
    for (size_t at = 0; at < text.length; at++) count_byte((const uint8_t *)text.data, at, counter);
    for (size_t i = 0; i < COUNTERS; i++) trigrams += counter[i];
    return trigrams;
}

static fp_status layout(const void *parameters, fp_layout *out, fp_error *error) {
    (void)parameters, (void)error;
    *out = (fp_layout){.bytes = 32, .bits = COUNTERS, .maximum = COUNTERS, .integral = true, .scale = "bits of 256"};
    return FP_OK;
}

static fp_status sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *out,
                        fp_error *error) {
    uint32_t counter[COUNTERS] = {0};
    uint64_t *words = FP_NEED(fp_arena_alloc(scratch, COUNTERS / 64, sizeof *words), error);
    (void)self;
    size_t trigrams = count_all(document->text, counter);
    for (size_t i = 0; i < COUNTERS; i++)
        if ((uint64_t)counter[i] * COUNTERS > trigrams) words[i / 64] |= UINT64_C(1) << i % 64;
    *out = (fp_sketch){.data = words, .size = COUNTERS / 8};
    return FP_OK;
}

static double distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    const uint64_t *left = a.data, *right = b.data;
    int differing = 0;
    (void)self;
    for (size_t i = 0; i < COUNTERS / 64; i++) differing += __builtin_popcountll(left[i] ^ right[i]);
    return differing;
}

static bool is_empty(const fp_instance *self, fp_sketch sketched) {
    const uint64_t *words = sketched.data;
    (void)self;
    return !(words[0] | words[1] | words[2] | words[3]);
}

/* The last byte first, as other programs write it. */
static const char *text(const fp_instance *self, fp_sketch sketched, fp_arena *arena) {
    const uint64_t *words = sketched.data;
    (void)self;
    return fp_format(arena, "%016llx%016llx%016llx%016llx", (unsigned long long)words[3], (unsigned long long)words[2],
                     (unsigned long long)words[1], (unsigned long long)words[0]);
}

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                         fp_error *error) {
    uint32_t counter[COUNTERS] = {0};
    (void)self, (void)scratch, (void)error;
    size_t trigrams = count_all(document->text, counter);
    fp_explain_step(to, "counters");
    fp_explain_line(to,
                    "%zu trigrams of %zu bytes, within windows of five, are counted in 256 counters; a bit is 1 "
                    "where the counter exceeds the mean, %.4g. Counters that are not 0:",
                    trigrams, document->text.length, (double)trigrams / COUNTERS);
    fp_explain_table(to, ">bit|>count|>set");
    for (size_t i = 0; i < COUNTERS; i++) {
        if (!counter[i]) continue;
        fp_explain_cell(to, "%zu", i);
        fp_explain_cell(to, "%u", counter[i]);
        fp_explain_cell(to, "%d", (uint64_t)counter[i] * COUNTERS > trigrams);
    }
    return FP_OK;
}

const fp_algorithm fp_algorithm_nilsimsa = {
    .abi = FP_ABI_VERSION,
    .needs = FP_NEEDS_TEXT,
    .name = "nilsimsa",
    .summary = "256 bits: which hashed byte trigrams are more frequent than the mean; made against spam",
    .citation = "cmeclax, nilsimsa 0.2.4, 2001; Damiani, De Capitani di Vimercati, Paraboschi, Samarati, An open "
                "digest-based technique for spam detection, PDCS 2004",
    .features = "",
    .layout = layout,
    .sketch = sketch,
    .distance = distance,
    .is_empty = is_empty,
    .text = text,
    .explain = explain,
};
