/* SPDX-License-Identifier: GPL-3.0-or-later
 * Weighted MinHash. Two slots agree with probability Σ min(w, w')/Σ max(w, w'), the weighted Jaccard coefficient,
 * exactly and independently, so that the number of differing slots is binomial. Multiplying all the weights of one
 * document by a number changes the coefficient; weight=tf counts occurrences. For an empty set every slot has the
 * largest value.
 *
 * If weights are always integers (fp_instance.whole), a feature of weight w counts as w elements, its copies 1 … w, and
 * slots are those of minhash over all copies: two documents share min(w, w') of a feature's copies, and their union has
 * max(w, w'). The first copy is the feature as in minhash, so that with all weights 1 the slots equal those of minhash.
 *
 * Other weights are sampled by improved consistent weighted sampling: slot i samples a feature x with probability
 * proportional to its weight, together with a number that identifies where in 0 … weight the sample fell. */
#include <string.h>

#include "algorithms/kernels/sketch_kernels.h"
#include "algorithms/families/sets.h"
#include "algorithms/families/signature.h"

/* Copy number `copy` of a feature, from 0 on; from streams that no slot's function uses. */
static uint64_t copy_of(uint64_t salted, uint64_t copy) {
    const uint64_t FIRST = UINT64_C(1) << 32;
    return copy ? fp_mix(salted, FIRST + copy) : salted;
}

/* Copies are processed in pieces on the stack. */
static void copies(const fp_signature *signature, const fp_features *features, uint64_t *value) {
    enum { PIECE = 256 };
    uint64_t piece[PIECE], salt = fp_signature_salt(signature);
    size_t held = 0, slots = (size_t)signature->slots;
    memset(value, 0xff, slots * sizeof *value);
    for (size_t f = 0; f < features->count; f++) {
        uint64_t salted = features->hash[f] ^ salt, weight = (uint64_t)features->weight[f];
        for (uint64_t copy = 0; copy < weight; copy++) {
            piece[held++] = copy_of(salted, copy);
            if (held < PIECE) continue;
            fp_least_products(piece, held, value, slots);
            held = 0;
        }
    }
    fp_least_products(piece, held, value, slots);
    if (features->count) fp_signature_finish(value, slots);
}

static fp_status samples(const fp_signature *signature, const fp_features *features, fp_arena *scratch, uint64_t *value,
                         fp_error *error) {
    uint64_t salt = fp_signature_salt(signature);
    uint64_t *salted = FP_NEED(fp_arena_raw(scratch, features->count, sizeof *salted), error);
    float *level = FP_NEED(fp_arena_raw(scratch, features->count, sizeof *level), error);
    for (size_t f = 0; f < features->count; f++) salted[f] = features->hash[f] ^ salt;
    fp_consistent_levels(features->weight, features->count, level);
    fp_consistent(salted, level, features->count, value, (size_t)signature->slots);
    return FP_OK;
}

static fp_status values(const fp_instance *self, const fp_features *features, fp_arena *scratch, uint64_t *value,
                        fp_error *error) {
    if (!self->whole) return samples(self->parameters, features, scratch, value, error);
    copies(self->parameters, features, value);
    return FP_OK;
}

FP_SIGNATURE_FUNCTIONS(values)

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                         fp_error *error) {
    fp_signature_explain_weights(document, to);
    return fp_signature_explain(self, document, values, scratch, to, error);
}

const fp_algorithm fp_algorithm_weightedminhash = {
    FP_SIGNATURE_MEMBERS,
    .needs = FP_NEEDS_FEATURES,
    .name = "weightedminhash",
    .summary =
        "n consistent samples of the weighted features; the share of equal slots estimates the weighted Jaccard coefficient",
    .citation =
        "Ioffe, Improved consistent sampling, weighted minhash and L1 sketching, ICDM 2010, algorithm 1 (P[slots agree] = Σmin/Σmax); "
        "whole weights: minhash (Broder 1997) of multisets, a feature of weight w as w elements",
    .features = "features=chars:3,weight=tf",
    FP_SIGNATURE_PARAMETERS,
    .measure = "weighted Jaccard",
    .law = fp_signature_law,
    .counterpart = "jaccard:measure=weighted",
};
