/* SPDX-License-Identifier: GPL-3.0-or-later
 * Weighted MinHash by improved consistent weighted sampling. Slot i samples a feature x with probability proportional
 * to its weight, together with a number that tells where in 0 … weight the sample fell; two slots agree with
 * probability Σ min(w, w')/Σ max(w, w'), the weighted Jaccard coefficient, exactly and independently, so that the
 * differing slots are binomial. With equal weights it is minhash. Multiplying all the weights of one document by a
 * number changes the coefficient; weight=tf counts occurrences. An empty set has every slot at the largest value. */
#include "algorithms/kernels/consistent.h"
#include "algorithms/families/signature.h"

static fp_status values(const fp_instance *self, const fp_features *features, fp_arena *scratch, uint64_t *value,
                        fp_error *error) {
    const fp_signature *signature = self->parameters;
    uint64_t salt = fp_signature_salt(signature);
    uint64_t *salted = fp_arena_raw(scratch, features->count, sizeof *salted);
    if (!salted) return fp_no_memory(error);
    for (size_t f = 0; f < features->count; f++) salted[f] = features->hash[f] ^ salt;
    fp_consistent(salted, features->weight, features->count, value, (size_t)signature->slots);
    return FP_OK;
}

FP_SIGNATURE_FUNCTIONS(values)

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                         fp_error *error) {
    const fp_features *features = &document->features;
    double total = 0;
    for (size_t f = 0; f < features->count; f++) total += features->weight[f];
    fp_explain_step(to, "weights");
    fp_explain_line(to, "Every slot takes one feature, with a chance that is its share of the weight.");
    fp_explain_table(to, "term|>weight|>share");
    for (size_t f = 0; f < features->count; f++) {
        fp_string term = fp_features_term(features, f);
        fp_explain_cell(to, "%.*s", (int)term.length, term.data);
        fp_explain_cell(to, "%.6g", features->weight[f]);
        fp_explain_cell(to, "%.4f", features->weight[f] / total);
    }
    return fp_signature_tell(self, document, values, scratch, to, error);
}

const fp_algorithm fp_algorithm_weightedminhash = {
    FP_SIGNATURE_MEMBERS,
    .name = "weightedminhash",
    .summary =
        "n consistent samples of the weighted features; the share of equal slots estimates the weighted Jaccard coefficient",
    .citation =
        "Ioffe, Improved consistent sampling, weighted minhash and L1 sketching, ICDM 2010, algorithm 1 (P[slots agree] = Σmin/Σmax)",
    .features = "features=chars:3,weight=tf",
    .parameters_size = sizeof(fp_signature),
    .parameters = fp_signature_parameters,
    .layout = fp_signature_layout,
    .explain = explain,
    .measure = "weighted Jaccard",
    .law = fp_signature_law,
    .counterpart = "jaccard:measure=weighted",
};
