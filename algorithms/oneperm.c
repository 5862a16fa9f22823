/* SPDX-License-Identifier: GPL-3.0-or-later
 * MinHash with one hash function. The range of the function, fp_mix(hash xor salt, 0), is divided into n bins of equal
 * width; slot i holds the smallest value in bin i. The slot of an empty bin copies that of a non-empty one; bins are
 * tried in an order that depends on the slot and not on the set (optimal densification). Two slots agree with
 * probability J exactly, also for sets far smaller than n. The slots are not independent: with f features in the union,
 * of which a are common, and m bins that hold any of them, the variance of the agreeing slots is E[S]·J + (n² −
 * E[S])·J·(a − 1)/(f − 1) − n²J²,   S = (n − m)(1 − 1/m) + n²/m, below that of minhash, nJ(1 − J), when f is well above
 * n (by the factor 1 − (n − 1)/(f − 1) when no bin is empty), above it when bins are empty. The law depends on f, so
 * none is given. For an empty set every slot has the largest value. */
#include <string.h>

#include "algorithms/families/sets.h"
#include "algorithms/families/signature.h"

/* Equal shares of the range of a 64-bit value, for n < 2³². */
static size_t bin_of(uint64_t value, size_t bins) { return (size_t)((value >> 32) * bins >> 32); }

/* The smallest value of each bin, UINT64_MAX for empty ones; returns the number of filled bins. */
static size_t fill_bins(const fp_signature *signature, const fp_features *features, uint64_t *value) {
    size_t bins = (size_t)signature->slots, filled = 0;
    uint64_t salt = fp_signature_salt(signature);
    memset(value, 0xff, bins * sizeof *value);
    for (size_t f = 0; f < features->count; f++) {
        uint64_t mixed = fp_mix(features->hash[f] ^ salt, 0);
        uint64_t *least = value + bin_of(mixed, bins);
        filled += *least == UINT64_MAX;
        *least = mixed < *least ? mixed : *least;
    }
    return filled;
}

/* The bin that slot i copies: n/m trials on average, so that a set of one or two features needs n² trials, some 50 ms
 * at n = 4096. */
static size_t donor_of(size_t i, const uint64_t *value, size_t bins, uint64_t salt) {
    uint64_t own = fp_mix(salt, i), trial = 1;
    size_t bin = i;
    while (value[bin] == UINT64_MAX) bin = bin_of(fp_mix(own, trial++), bins);
    return bin;
}

static fp_status values(const fp_instance *self, const fp_features *features, fp_arena *scratch, uint64_t *value,
                        fp_error *error) {
    const fp_signature *signature = self->parameters;
    size_t bins = (size_t)signature->slots;
    uint64_t *own = FP_NEED(fp_arena_raw(scratch, bins, sizeof *own), error);
    size_t filled = fill_bins(signature, features, own);
    if (filled == 0 || filled == bins) {
        memcpy(value, own, bins * sizeof *value);
        return FP_OK;
    }
    for (size_t i = 0; i < bins; i++) value[i] = own[donor_of(i, own, bins, fp_signature_salt(signature))];
    return FP_OK;
}

FP_SIGNATURE_FUNCTIONS(values)

/* ---- Explanations ---- */

static void explain_bins(const fp_signature *signature, const fp_features *features, const uint64_t *least,
                         fp_explanation *to) {
    size_t bins = (size_t)signature->slots;
    fp_explain_step(to, "bins");
    fp_explain_line(
        to, "One hash function; the bin is the hash times %zu, rounded up. The smallest of a bin is marked *.", bins);
    fp_explain_table(to, "term|hash|>bin");
    for (size_t f = 0; f < features->count; f++) {
        uint64_t mixed = fp_mix(features->hash[f] ^ fp_signature_salt(signature), 0);
        size_t bin = bin_of(mixed, bins);
        fp_explain_term(to, features, f);
        fp_explain_cell(to, "%.6f%s", fp_hash_fraction(mixed), mixed == least[bin] ? "*" : "");
        fp_explain_cell(to, "%zu", bin + 1);
    }
}

static void explain_donors(const fp_signature *signature, const uint64_t *least, fp_explanation *to) {
    size_t bins = (size_t)signature->slots;
    fp_explain_step(to, "empty bins");
    fp_explain_line(
        to,
        "The slot of an empty bin copies a bin that is not empty, in an order that is the same for every document.");
    fp_explain_table(to, ">slot|>copies bin");
    for (size_t i = 0; i < bins; i++) {
        if (least[i] != UINT64_MAX) continue;
        fp_explain_cell(to, "%zu", i + 1);
        fp_explain_cell(to, "%zu", donor_of(i, least, bins, fp_signature_salt(signature)) + 1);
    }
}

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                         fp_error *error) {
    const fp_signature *signature = self->parameters;
    const fp_features *features = &document->features;
    uint64_t *least = FP_NEED(fp_arena_raw(scratch, (size_t)signature->slots, sizeof *least), error);
    size_t filled = fill_bins(signature, features, least);
    explain_bins(signature, features, least, to);
    if (filled > 0 && filled < (size_t)signature->slots) explain_donors(signature, least, to);
    /* A single feature fills every slot, so that it is found as the winner of the slots that it gave. */
    return fp_signature_explain(self, document, values, scratch, to, error);
}

const fp_algorithm fp_algorithm_oneperm = {
    FP_SIGNATURE_MEMBERS,
    .needs = FP_NEEDS_FEATURES | FP_MARKS_FEATURES,
    .name = "oneperm",
    .summary = "minhash from one hash function cut into n bins, empty bins filled by optimal densification",
    .citation =
        "Li, Owen, Zhang, One permutation hashing, NIPS 2012; Shrivastava, Optimal densification for fast and accurate minwise "
        "hashing, ICML 2017, algorithm 1 (P[slots agree] = J; no law in J alone: the variance depends on the size of the sets)",
    .features = "features=chars:3,weight=binary",
    FP_SIGNATURE_PARAMETERS,
    .measure = "Jaccard",
    .counterpart = "jaccard",
};
