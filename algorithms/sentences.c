/* SPDX-License-Identifier: GPL-3.0-or-later
 * The k longest sentences. The sketch is the set of the hashes of the k heaviest features, in ascending order; with the
 * default features a feature is a sentence and its weight its length in characters (weight=length). Of equally long
 * sentences the one with the smaller hash is kept, so that the order of the sentences does not matter. A document with
 * fewer than k sentences keeps all. With n the larger of the two counts (k, for long documents) and m sentences in
 * both, the distance is n − m scaled to 64: 64·(1 − m/n). Two empty documents are equal (distance 0); an empty one and
 * a non-empty one are at the largest distance. */
#include <stdlib.h>

#include "algorithms/families/sets.h"

typedef struct sentences_parameters {
    int64_t k;
} sentences_parameters;

static const fp_parameter PARAMETERS[] = {
    {"k", FP_INTEGER, "sentences", "how many of the longest sentences are kept", "8", 1, 1024, NULL,
     offsetof(sentences_parameters, k)},
    {0},
};

/* ---- The longest sentences ---- */

typedef struct sentence {
    double length;
    uint64_t hash;
} sentence;

FP_COMPARES(longest_first, sentence, FP_ORDER(b->length, a->length) ?: FP_ORDER(a->hash, b->hash));

static fp_status sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *out,
                        fp_error *error) {
    const sentences_parameters *parameters = self->parameters;
    const fp_features *features = &document->features;
    size_t count = features->count, kept = count < (size_t)parameters->k ? count : (size_t)parameters->k;
    sentence *all = FP_NEED(fp_arena_raw(scratch, count, sizeof *all), error);
    uint64_t *hash = FP_NEED(fp_arena_raw(scratch, kept, sizeof *hash), error);
    for (size_t i = 0; i < count; i++) all[i] = (sentence){features->weight[i], features->hash[i]};
    if (kept < count) qsort(all, count, sizeof *all, longest_first);
    for (size_t i = 0; i < kept; i++) hash[i] = all[i].hash;
    if (kept) qsort(hash, kept, sizeof *hash, fp_ascending_u64);
    *out = (fp_sketch){.data = hash, .size = kept * sizeof *hash};
    return FP_OK;
}

static double distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    (void)self;
    size_t left = a.size / 8, right = b.size / 8, larger = left > right ? left : right;
    size_t matches = fp_set_shared(a.data, left, b.data, right);
    return larger ? 64 * (double)(larger - matches) / (double)larger : 0;
}

/* ---- Explanations ---- */

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                         fp_error *error) {
    const sentences_parameters *parameters = self->parameters;
    const fp_features *features = &document->features;
    fp_sketch made;
    FP_TRY(sketch(self, document, scratch, &made, error));
    fp_explain_step(to, "sentences, and the longest of them");
    fp_explain_line(to, "k = %lld. The fingerprint is the set of the hashes of the sentences that are kept.",
                    (long long)parameters->k);
    fp_explain_table(to, "sentence|>characters|hash|kept");
    for (size_t i = 0; i < features->count; i++) {
        bool kept = made.size && bsearch(features->hash + i, made.data, made.size / 8, 8, fp_ascending_u64);
        fp_explain_term(to, features, i);
        fp_explain_cell(to, "%.6g", features->weight[i]);
        fp_explain_cell(to, "%016llx", (unsigned long long)features->hash[i]);
        fp_explain_cell(to, "%s", kept ? "yes" : "no");
    }
    return FP_OK;
}

const fp_algorithm fp_algorithm_sentences = {
    .abi = FP_ABI_VERSION,
    .needs = FP_NEEDS_FEATURES,
    .name = "sentences",
    .summary = "hashes of the k longest sentences; the share of them that two texts have in common",
    .citation = "the signature of longest sentences in Datagrand's overview of text fingerprints; distance 64(1 − m/n) "
                "stated by fplab",
    .features = "features=sentences,weight=length",
    .parameters_size = sizeof(sentences_parameters),
    .parameters = PARAMETERS,
    .layout = fp_set_layout,
    .sketch = sketch,
    .distance = distance,
    .text = fp_set_text,
    .explain = explain,
    .measure = "shared sentences",
    .similarity = fp_set_similarity,
};
