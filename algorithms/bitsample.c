/* SPDX-License-Identifier: GPL-3.0-or-later
 * Bit sampling of a longer SimHash. The longer one has `of` bits: its first word is made of the term hashes themselves,
 * word i of words mixed from them. The fingerprint is a seeded sample of `bits` of them, without replacement, in
 * ascending order; only those bits are summed. Each sampled bit obeys the law of SimHash. Different seeds give tables
 * with different bits, as a locality-sensitive index needs. With bits = of, the fingerprint is that SimHash. */
#include "algorithms/kernels/sketch_kernels.h"
#include "algorithms/families/signs.h"

enum { MOST_OF = 4096 };

typedef struct bitsample_parameters {
    fp_signs signs;
    int64_t of;
} bitsample_parameters;

static const fp_parameter PARAMETERS[] = {
    {"bits", FP_INTEGER, "bits", "width of the fingerprint: how many bits are sampled", "64", 4, FP_SIGNS_MOST, NULL,
     offsetof(fp_signs, bits)},
    {"of", FP_INTEGER, "bits", "width of the simhash that is sampled", "512", 4, MOST_OF, NULL,
     offsetof(bitsample_parameters, of)},
    FP_TIE_PARAMETER,
    FP_QUERY_PARAMETER,
    FP_SEED_PARAMETER("seed of the sample", fp_signs, seed),
    {0},
};

static fp_status layout(const void *opaque, fp_layout *out, fp_error *error) {
    const bitsample_parameters *parameters = opaque;
    if (parameters->signs.bits > parameters->of)
        return fp_fail(error, FP_ERROR_RANGE, "bits=%lld is more than of=%lld, the places to sample from",
                       (long long)parameters->signs.bits, (long long)parameters->of);
    return fp_signs_layout(opaque, out, error);
}

/* Floyd's sample (Bentley, Floyd, CACM 30(9), 1987): for j = of − bits … of − 1 take a random one of 0 … j, or j itself
 * if that is already taken. The random number is the high half of 32 bits times j + 1: uniform up to 10⁻⁶. */
static void draw_positions(const bitsample_parameters *parameters, unsigned position[FP_SIGNS_MOST]) {
    bool taken[MOST_OF] = {false};
    size_t count = 0;
    for (uint64_t j = (uint64_t)(parameters->of - parameters->signs.bits); j < (uint64_t)parameters->of; j++) {
        uint64_t drawn = (fp_mix((uint64_t)parameters->signs.seed, j) >> 32) * (j + 1) >> 32;
        taken[taken[drawn] ? j : drawn] = true;
    }
    for (unsigned j = 0; j < (unsigned)parameters->of; j++)
        if (taken[j]) position[count++] = j;
}

/* The signs that a term gives `count` ≤ 64 bits of the fingerprint, sampled at these positions. */
static uint64_t sampled_signs(uint64_t hash, const unsigned *position, size_t count) {
    uint64_t signs = 0, word = 0;
    unsigned made = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        if (position[i] / 64 != made) {
            made = position[i] / 64;
            word = made ? fp_mix(hash, made) : hash;
        }
        signs |= (word >> position[i] % 64 & 1) << i;
    }
    return signs;
}

/* One word of the fingerprint at a time, with a batch of terms at a time. */
static void sums(const fp_instance *self, const fp_features *features, double *sum) {
    enum { CHUNK = 128 };
    uint64_t signs[CHUNK];
    unsigned position[FP_SIGNS_MOST];
    size_t bits = fp_signs_bits(self);
    draw_positions(self->parameters, position);
    for (size_t from = 0; from < bits; from += FP_SIGNED_SUMS) {
        size_t wide = bits - from < FP_SIGNED_SUMS ? bits - from : FP_SIGNED_SUMS;
        for (size_t i = 0, some; i < features->count; i += some) {
            some = features->count - i < CHUNK ? features->count - i : CHUNK;
            for (size_t c = 0; c < some; c++) signs[c] = sampled_signs(features->hash[i + c], position + from, wide);
            fp_signed_sum_add(signs, features->weight + i, some, sum + from);
        }
    }
}

FP_SIGNS_FUNCTIONS(sums)

/* ---- Explanations ---- */

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                         fp_error *error) {
    const bitsample_parameters *parameters = self->parameters;
    unsigned position[FP_SIGNS_MOST];
    double sum[FP_SIGNS_MOST] = {0}, number[FP_SIGNS_MOST];
    fp_sketch made;
    FP_TRY(sketch(self, document, scratch, &made, error));
    draw_positions(parameters, position);
    sums(self, &document->features, sum);
    for (size_t i = 0; i < fp_signs_bits(self); i++) number[i] = position[i];
    fp_explain_step(to, "sample");
    fp_explain_line(to, "%lld bits of a simhash of %lld, chosen by the seed; bit 0 is the lowest.",
                    (long long)parameters->signs.bits, (long long)parameters->of);
    fp_explain_table(to, "positions");
    fp_signs_explain_numbers(to, number, fp_signs_bits(self), scratch);
    fp_explain_step(to, "sums at those positions");
    fp_explain_line(to, "+w for the terms with a 1 there, -w for the others, over %zu terms.",
                    document->features.count);
    fp_explain_table(to, "sums");
    fp_signs_explain_numbers(to, sum, fp_signs_bits(self), scratch);
    fp_signs_explain_reduction(self, "reduce: above 0 gives 1, below 0 gives 0", made, scratch, to);
    return FP_OK;
}

const fp_algorithm fp_algorithm_bitsample = {
    FP_SIGNS_MEMBERS,
    .needs = FP_NEEDS_FEATURES,
    .name = "bitsample",
    .summary = "a random sample of the bits of a longer simhash",
    .citation =
        "Indyk, Motwani, Approximate nearest neighbors: towards removing the curse of dimensionality, STOC 1998 "
        "(bit sampling "
        "in Hamming space); Charikar, STOC 2002, section 3 (P[bit differs] = θ/π)" FP_QUERY_CITED,
    .features = "features=chars:3,weight=tf",
    .parameters_size = sizeof(bitsample_parameters),
    .parameters = PARAMETERS,
    .layout = layout,
};
