/* SPDX-License-Identifier: GPL-3.0-or-later
 * I-Match: one hash of the set of the document's terms that are neither too common nor too rare, those whose weight
 * (weight=idf) lies from `low` to `high` in nats. One such term more or less changes the hash. Further lexicons are
 * therefore random subsets of the terms (Kołcz): each omits a term with probability `omit`, and two texts that differ
 * in few terms agree under a lexicon that omits them all, with probability 1 − (1 − omit^d)^(slots − 1) for d terms
 * that only one text has. Slot 0 is the whole lexicon. The distance is the number of differing slots; two texts are
 * near-duplicates if any slot agrees, h ≤ slots − 1. A text without a term in the whole lexicon is empty: it is no
 * evidence. */
#include "algorithms/families/sets.h"
#include "algorithms/families/signature.h"

typedef struct imatch_parameters {
    fp_signature signature; /* slots: the whole lexicon, and the random ones */
    double omit, low, high;
} imatch_parameters;

static const fp_parameter PARAMETERS[] = {
    FP_SIGNATURE_SLOTS("the whole lexicon and the random ones beside it", "11", 1025),
    {"omit", FP_REAL, "", "share of the terms that a random lexicon leaves out", "0.33", 0.01, 0.99, NULL,
     offsetof(imatch_parameters, omit)},
    {"low", FP_REAL, "nats", "terms of less weight are too common", "5", 0, 1e6, NULL,
     offsetof(imatch_parameters, low)},
    {"high", FP_REAL, "nats", "terms of more weight are too rare", "10", 0, 1e6, NULL,
     offsetof(imatch_parameters, high)},
    FP_SIGNATURE_WIDTH("bits kept of each hash", "64"),
    FP_SEED_PARAMETER("seed of the hashes and of the lexicons", fp_signature, seed),
    {0},
};

static bool in_lexicon(const imatch_parameters *parameters, uint64_t salted, double weight, size_t slot) {
    if (weight < parameters->low || weight > parameters->high) return false;
    return !slot || (double)(fp_mix(salted, slot) >> 11) * 0x1p-53 >= parameters->omit;
}

/* A sum of mixed hashes: the order of the terms does not matter, and each term counts once. */
static fp_status values(const fp_instance *self, const fp_features *features, fp_arena *scratch, uint64_t *value,
                        fp_error *error) {
    const imatch_parameters *parameters = self->parameters;
    uint64_t salt = fp_signature_salt(&parameters->signature);
    (void)scratch, (void)error;
    for (size_t slot = 0; slot < (size_t)parameters->signature.slots; slot++) {
        uint64_t sum = 0;
        for (size_t f = 0; f < features->count; f++) {
            uint64_t salted = features->hash[f] ^ salt;
            if (in_lexicon(parameters, salted, features->weight[f], slot)) sum += fp_mix(salted, 0) | 1;
        }
        value[slot] = sum ? fp_mix(sum, slot) : 0;
    }
    return FP_OK;
}

static fp_status layout(const void *opaque, fp_layout *out, fp_error *error) {
    const imatch_parameters *parameters = opaque;
    if (parameters->low > parameters->high)
        return fp_fail(error, FP_ERROR_RANGE, "low=%g is above high=%g: no term is left", parameters->low,
                       parameters->high);
    return fp_signature_layout(opaque, out, error);
}

FP_SIGNATURE_SKETCH(values)

static bool is_empty(const fp_instance *self, fp_sketch sketched) {
    const imatch_parameters *parameters = self->parameters;
    return parameters->signature.width ? *(const uint64_t *)sketched.data == 0 : *(const uint32_t *)sketched.data == 0;
}

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                         fp_error *error) {
    const imatch_parameters *parameters = self->parameters;
    const fp_features *features = &document->features;
    size_t slots = (size_t)parameters->signature.slots;
    uint64_t *value = fp_arena_raw(scratch, slots, sizeof *value), salt = fp_signature_salt(&parameters->signature);
    if (!value) return fp_no_memory(error);
    FP_TRY(values(self, features, scratch, value, error));
    fp_explain_step(to, "lexicon");
    fp_explain_line(to, "Terms of a weight from %g to %g are in the lexicon; a random lexicon leaves out %g of them.",
                    parameters->low, parameters->high, parameters->omit);
    fp_explain_table(to, "term|>weight|in the lexicon|>random lexicons that have it");
    for (size_t f = 0; f < features->count; f++) {
        size_t held = 0;
        for (size_t slot = 1; slot < slots; slot++)
            held += in_lexicon(parameters, features->hash[f] ^ salt, features->weight[f], slot);
        fp_explain_term(to, features, f);
        fp_explain_cell(to, "%.4g", features->weight[f]);
        fp_explain_cell(to, "%s",
                        in_lexicon(parameters, features->hash[f] ^ salt, features->weight[f], 0) ? "yes" : "no");
        fp_explain_cell(to, "%zu", held);
    }
    fp_explain_step(to, "hashes");
    fp_explain_table(to, ">lexicon|hash");
    for (size_t slot = 0; slot < slots; slot++) {
        fp_explain_cell(to, slot ? "%zu" : "whole", slot);
        fp_explain_cell(to, "%016llx", (unsigned long long)value[slot]);
    }
    return FP_OK;
}

const fp_algorithm fp_algorithm_imatch = {
    .abi = FP_ABI_VERSION,
    .needs = FP_NEEDS_FEATURES,
    .name = "imatch",
    .summary = "I-Match: one hash of all terms that are neither common nor rare, and of random parts of them",
    .citation = "Chowdhury, Frieder, Grossman, McCabe, Collection statistics for fast duplicate document detection, "
                "ACM TOIS 20(2), 2002; Kołcz, Chowdhury, Alspector, Improved robustness of signature-based "
                "near-replica detection via lexicon randomization, KDD 2004",
    .features = "features=words,weight=idf,idf=builtin",
    .parameters_size = sizeof(imatch_parameters),
    .parameters = PARAMETERS,
    .layout = layout,
    .sketch = sketch,
    .distance = fp_signature_distance,
    .is_empty = is_empty,
    .explain = explain,
    .acceleration = &fp_signature_acceleration,
};
