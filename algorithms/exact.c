/* SPDX-License-Identifier: GPL-3.0-or-later
 * The baseline: a 128-bit hash of the normalised text. Equal texts are at distance 0, all others at the largest: one
 * character more or less changes every part of the hash, so that it says nothing of how close two texts are. An empty
 * text equals other empty texts. Two different texts have the same hash with probability 2⁻¹²⁸. */
#include <xxhash.h>

#include "base/base.h"

static fp_status layout(const void *parameters, fp_layout *out, fp_error *error) {
    (void)parameters;
    (void)error;
    *out = (fp_layout){.bytes = 16, .maximum = 64, .integral = true, .scale = "bits of 64"};
    return FP_OK;
}

/* Two words, the high one first. */
static fp_status sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *out,
                        fp_error *error) {
    (void)self;
    uint64_t *words = fp_arena_raw(scratch, 2, sizeof *words);
    if (!words) return fp_no_memory(error);
    XXH128_hash_t hash = XXH3_128bits(document->text.data, document->text.length);
    words[0] = hash.high64;
    words[1] = hash.low64;
    *out = (fp_sketch){words, 16};
    return FP_OK;
}

static double distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    (void)self;
    const uint64_t *left = a.data, *right = b.data;
    return left[0] == right[0] && left[1] == right[1] ? 0 : 64;
}

static const char *text(const fp_instance *self, fp_sketch sketched, fp_arena *arena) {
    (void)self;
    const uint64_t *words = sketched.data;
    return fp_format(arena, "%016llx%016llx", (unsigned long long)words[0], (unsigned long long)words[1]);
}

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                         fp_error *error) {
    fp_sketch made = {0};
    FP_TRY(sketch(self, document, scratch, &made, error));
    const char *hash = text(self, made, scratch);
    fp_explain_step(to, "normalise");
    fp_explain_line(to, "%.*s", (int)document->text.length, document->text.data);
    fp_explain_step(to, "hash");
    fp_explain_line(
        to,
        "XXH3, 128 bits, of these %zu bytes. Any change gives another hash, and the hashes of close texts are not close.",
        document->text.length);
    fp_explain_table(to, "fingerprint");
    fp_explain_cell(to, "%s", hash ? hash : "");
    return FP_OK;
}

static double similarity(const fp_instance *self, double d) {
    (void)self;
    return d == 0 ? 1 : 0;
}

const fp_algorithm fp_algorithm_exact = {
    .abi = FP_ABI_VERSION,
    .needs = FP_NEEDS_TEXT,
    .name = "exact",
    .summary = "hash of the normalised text: equal or not; the baseline",
    .citation = "Collet, xxHash: XXH3, 128 bits, 2019; the avalanche that makes hashes useless for near-duplicates is "
                "what a fingerprint must not have",
    .features = "",
    .layout = layout,
    .sketch = sketch,
    .distance = distance,
    .text = text,
    .explain = explain,
    .measure = "equality",
    .similarity = similarity,
};
