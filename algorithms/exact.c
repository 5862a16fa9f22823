/* SPDX-License-Identifier: GPL-3.0-or-later
 * The baseline: a 128-bit hash of the normalised text. Equal texts are at distance 0, all others at the largest: one
 * character more or less changes every part of the hash, so that it does not show how close two texts are. An empty
 * text equals other empty texts. Two different texts have the same hash with probability 2⁻¹²⁸. */
#include <nettle/md5.h>
#include <nettle/sha1.h>
#include <xxhash.h>

#include <stdio.h>
#include <string.h>

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
    uint64_t *words = FP_NEED(fp_arena_raw(scratch, 2, sizeof *words), error);
    XXH128_hash_t hash = XXH3_128bits(document->text.data, document->text.length);
    words[0] = hash.high64;
    words[1] = hash.low64;
    *out = (fp_sketch){.data = words, .size = 16};
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

/* ---- The avalanche ---- */

/* Hashes of one text: MD5 and SHA-1 of its normalised form in UTF-8, and the fingerprint. */
enum { HASHES = 3, LONGEST_HASH = SHA1_DIGEST_SIZE };
static const struct {
    const char *name;
    size_t size; /* bytes */
} HASH[HASHES] = {{"MD5", MD5_DIGEST_SIZE}, {"SHA-1", SHA1_DIGEST_SIZE}, {"XXH3, 128 bits", 16}};

static void hash_all(fp_string text, uint8_t digest[HASHES][LONGEST_HASH]) {
    struct md5_ctx md5;
    struct sha1_ctx sha1;
    XXH128_canonical_t canonical;
    md5_init(&md5);
    md5_update(&md5, text.length, (const uint8_t *)text.data);
    md5_digest(&md5, MD5_DIGEST_SIZE, digest[0]);
    sha1_init(&sha1);
    sha1_update(&sha1, text.length, (const uint8_t *)text.data);
    sha1_digest(&sha1, SHA1_DIGEST_SIZE, digest[1]);
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(text.data, text.length));
    memcpy(digest[2], canonical.digest, sizeof canonical.digest);
}

static void explain_digest(const uint8_t *digest, size_t size, fp_explanation *to) {
    char hex[2 * LONGEST_HASH + 1];
    for (size_t i = 0; i < size; i++) snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    fp_explain_cell(to, "%s", hex);
}

static unsigned differing_bits(const uint8_t *a, const uint8_t *b, size_t size) {
    unsigned differing = 0;
    for (size_t i = 0; i < size; i++) differing += (unsigned)__builtin_popcount(a[i] ^ b[i]);
    return differing;
}

/* Each bit of a good hash differs with probability 1/2, however small the difference between the texts. */
static fp_status explain_pair(const fp_instance *self, const fp_document *a, const fp_document *b, fp_arena *scratch,
                              fp_explanation *to, fp_error *error) {
    (void)self;
    (void)scratch;
    (void)error;
    uint8_t digest[2][HASHES][LONGEST_HASH];
    hash_all(a->text, digest[0]);
    hash_all(b->text, digest[1]);
    fp_explain_step(to, "avalanche");
    fp_explain_line(
        to,
        "Any change of the text changes each bit of its hash with probability 1/2: about half of them differ, for texts that are close as for texts that are not. A fingerprint must not do that.");
    fp_explain_table(to, "hash|>bits that differ|>of|>share");
    for (size_t i = 0; i < HASHES; i++) {
        unsigned differing = differing_bits(digest[0][i], digest[1][i], HASH[i].size);
        fp_explain_cell(to, "%s", HASH[i].name);
        fp_explain_cell(to, "%u", differing);
        fp_explain_cell(to, "%zu", 8 * HASH[i].size);
        fp_explain_cell(to, "%.2f", (double)differing / (8 * (double)HASH[i].size));
    }
    return FP_OK;
}

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                         fp_error *error) {
    fp_sketch made = {0};
    FP_TRY(sketch(self, document, scratch, &made, error));
    const char *hash = FP_NEED(text(self, made, scratch), error);
    fp_explain_step(to, "normalise");
    fp_explain_line(to, "%.*s", (int)document->text.length, document->text.data);
    fp_explain_step(to, "hash");
    fp_explain_line(
        to,
        "XXH3, 128 bits, of these %zu bytes. Any change gives another hash, and the hashes of close texts are not close.",
        document->text.length);
    fp_explain_table(to, "fingerprint");
    fp_explain_cell(to, "%s", hash);
    uint8_t digest[HASHES][LONGEST_HASH];
    hash_all(document->text, digest);
    fp_explain_step(to, "other hashes of the same bytes");
    fp_explain_table(to, "hash|hexadecimal");
    for (size_t i = 0; i + 1 < HASHES; i++) {
        fp_explain_cell(to, "%s", HASH[i].name);
        explain_digest(digest[i], HASH[i].size, to);
    }
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
    .explain_pair = explain_pair,
    .measure = "equality",
    .similarity = similarity,
};
