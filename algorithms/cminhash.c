/* SPDX-License-Identifier: GPL-3.0-or-later
 * Circulant MinHash, (σ, π): one permutation π of D positions, shifted by k for the k-th slot, after another, σ, that
 * scatters the features. Here D is 2^universe, and σ is a hash: the position of a feature is the top bits of
 * fp_mix(hash xor salt, 0). Two features share a position with probability 1/D, so that the estimate is that of the
 * Jaccard coefficient of the images, which exceeds J by about f/4D at most for f features in the union. π ranks the
 * positions by their values of SplitMix64; these are distinct, so that the ranking is a permutation, never stored. Slot
 * k holds the smallest value at the positions σ(x) + k mod D. Features share positions with shifts of others, so that
 * the variance is smaller than minhash's, nJ(1 − J), for all J strictly between 0 and 1 (the paper's uniform
 * superiority); as D grows this becomes rare, and it tends to minhash's. The law depends on D and f, so none is given.
 * For an empty set every slot has the largest value. */
#include <string.h>

#include "algorithms/kernels/sketch_kernels.h"
#include "algorithms/families/sets.h"
#include "algorithms/families/signature.h"

typedef struct cminhash_parameters {
    fp_signature signature;
    int64_t universe;
} cminhash_parameters;

static const fp_parameter PARAMETERS[] = {
    FP_SIGNATURE_ROWS,
    {"universe", FP_INTEGER, "bits",
     "features are hashed to 2^universe positions; few give less variance and more bias", "20", 1, 40, NULL,
     offsetof(cminhash_parameters, universe)},
    {0},
};

static fp_status layout(const void *opaque, fp_layout *out, fp_error *error) {
    const cminhash_parameters *parameters = opaque;
    if (parameters->universe < 12 && parameters->signature.slots > INT64_C(1) << parameters->universe)
        return fp_fail(error, FP_ERROR_RANGE,
                       "cminhash has no more slots than positions: slots=%d needs a larger universe than %d bits",
                       (int)parameters->signature.slots, (int)parameters->universe);
    return fp_signature_layout(opaque, out, error);
}

static uint64_t position_of(const cminhash_parameters *parameters, uint64_t hash, uint64_t salt) {
    return fp_mix(hash ^ salt, 0) >> (64 - parameters->universe);
}

/* The value at position p is fp_mix(order, p). After the last position the shifts continue at the first. */
static fp_status values(const fp_instance *self, const fp_features *features, fp_arena *scratch, uint64_t *value,
                        fp_error *error) {
    const cminhash_parameters *parameters = self->parameters;
    size_t slots = (size_t)parameters->signature.slots, whole = 0;
    uint64_t salt = fp_signature_salt(&parameters->signature), order = fp_mix(salt, 1),
             universe = UINT64_C(1) << parameters->universe;
    uint64_t *start = FP_NEED(fp_arena_raw(scratch, features->count, sizeof *start), error);
    memset(value, 0xff, slots * sizeof *value);
    for (size_t f = 0; f < features->count; f++) {
        uint64_t position = position_of(parameters, features->hash[f], salt), from = order + position * FP_MIX_STEP;
        if (universe - position >= slots) {
            start[whole++] = from;
            continue;
        }
        size_t before = (size_t)(universe - position);
        fp_minima(&from, 1, value, before);
        fp_minima(&order, 1, value + before, slots - before);
    }
    fp_minima(start, whole, value, slots);
    return FP_OK;
}

FP_SIGNATURE_FUNCTIONS(values)

/* ---- Explanations ---- */

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                         fp_error *error) {
    const cminhash_parameters *parameters = self->parameters;
    const fp_features *features = &document->features;
    fp_explain_step(to, "positions");
    fp_explain_line(
        to,
        "Every feature is hashed to one of %llu positions; the k-th hash function reads the permutation k − 1 positions further, in a circle.",
        1ull << parameters->universe);
    fp_explain_table(to, "term|>position");
    for (size_t f = 0; f < features->count; f++) {
        fp_explain_term(to, features, f);
        fp_explain_cell(
            to, "%llu",
            (unsigned long long)position_of(parameters, features->hash[f], fp_signature_salt(&parameters->signature)));
    }
    FP_TRY(fp_signature_explain_matrix(self, document, values, scratch, to, error));
    return fp_signature_explain(self, document, values, scratch, to, error);
}

const fp_algorithm fp_algorithm_cminhash = {
    FP_SIGNATURE_MEMBERS,
    .needs = FP_NEEDS_FEATURES,
    .name = "cminhash",
    .summary = "minhash from two permutations, one of them shifted in a circle for every slot",
    .citation =
        "Li, Li, C-MinHash: improving minwise hashing with circulant permutation, ICML 2022, the variant (σ, π) with hashes "
        "for the permutations (P[slots agree] = J of the hashed sets; variance at most minhash's, no law in J alone)",
    .features = "features=chars:3,weight=binary",
    .parameters_size = sizeof(cminhash_parameters),
    .parameters = PARAMETERS,
    .layout = layout,
    .measure = "Jaccard",
    .counterpart = "jaccard",
};
