/* SPDX-License-Identifier: GPL-3.0-or-later
 * MinHash with n hash functions. Slot i holds the smallest value of the i-th function, a product of the mixed hash
 * (minima.c), over the document's set of features; two slots agree with probability J, the Jaccard
 * coefficient of the sets, and independently, so that the differing slots are binomial. With b > 0 the lowest b bits of
 * each slot are kept, and slots that differ agree there with probability 2⁻ᵇ (Li and König, theorem 1, for sets that
 * are small in a universe of 2⁶⁴). Weights are not read. An empty set has every slot at the largest value: it equals
 * another empty set and differs from all others, but for those accidents. */
#include <string.h>

#include "algorithms/kernels/sketch_kernels.h"
#include "algorithms/families/signature.h"

static fp_status values(const fp_instance *self, const fp_features *features, fp_arena *scratch, uint64_t *value,
                        fp_error *error) {
    const fp_signature *signature = self->parameters;
    size_t count;
    const uint64_t *salted = fp_signature_salted(signature, features, scratch, &count);
    if (!salted) return fp_no_memory(error);
    memset(value, 0xff, (size_t)signature->slots * sizeof *value);
    if (count == 0) return FP_OK;
    fp_least_products(salted, count, value, (size_t)signature->slots);
    fp_signature_finish(value, (size_t)signature->slots);
    return FP_OK;
}

FP_SIGNATURE_FUNCTIONS(values)

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                         fp_error *error) {
    FP_TRY(fp_signature_tell_matrix(self, document, values, scratch, to, error));
    return fp_signature_tell(self, document, values, scratch, to, error);
}

const fp_algorithm fp_algorithm_minhash = {
    FP_SIGNATURE_MEMBERS,
    .needs = FP_NEEDS_FEATURES | FP_MARKS_FEATURES,
    .name = "minhash",
    .summary = "n smallest hashes of the shingle set; the share of equal slots estimates the Jaccard coefficient",
    .citation =
        "Broder, On the resemblance and containment of documents, 1997; Broder, Charikar, Frieze, Mitzenmacher, Min-wise independent "
        "permutations, STOC 1998, equation 1 (P[slots agree] = J); b > 0: Li, König, b-bit minwise hashing, WWW 2010, theorem 1 "
        "(P[bits agree] = 2⁻ᵇ + (1 − 2⁻ᵇ)J)",
    .features = "features=chars:3,weight=binary",
    FP_SIGNATURE_PARAMETERS,
    .measure = "Jaccard",
    .law = fp_signature_law,
    .counterpart = "jaccard",
};
