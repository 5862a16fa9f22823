/* SPDX-License-Identifier: GPL-3.0-or-later
 * Bottom-k (KMV): the k smallest hashes of the feature set, ascending; all hashes of a smaller set. Broder calls it the
 * sketch of the k least elements of a random permutation; Mash and sourmash (num=k) keep the same. The k smallest
 * hashes of two sketches together are a random sample of the union without replacement, and the share of them in both
 * sketches is an unbiased estimate of J. The variance is J(1 − J)/k·(u − k)/(u − 1) for a union of u > k features, 0
 * for a smaller one: it depends on u, so there is no law in J alone. Mash's distance for features chars:K is −ln(2J/(1
 * + J))/K, a function of this one. Two empty sets are equal, an empty and a non-empty one are at the largest
 * distance. */
#include "algorithms/families/sets.h"

typedef struct bottomk_parameters {
    int64_t k;
    int64_t seed;
} bottomk_parameters;

static const fp_parameter PARAMETERS[] = {
    {"k", FP_INTEGER, "hashes", "how many of the smallest hashes are kept", "64", 1, 1 << 20, NULL,
     offsetof(bottomk_parameters, k)},
    FP_SEED_PARAMETER("seed of the hash function", bottomk_parameters, seed),
    {0},
};

static fp_status sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *out,
                        fp_error *error) {
    const bottomk_parameters *parameters = self->parameters;
    const fp_features *features = &document->features;
    uint64_t *set = FP_NEED(fp_arena_raw(scratch, features->count, sizeof *set), error);
    for (size_t f = 0; f < features->count; f++) set[f] = fp_set_hash(parameters->seed, features->hash[f]);
    FP_TRY(fp_set_sort(set, features->count, scratch, error));
    size_t count = fp_set_unique(set, features->count), k = (size_t)parameters->k;
    *out = (fp_sketch){.data = set, .size = (count < k ? count : k) * sizeof *set};
    return FP_OK;
}

/* The k smallest hashes of both sketches together: returns their number; *shared: the number that both have. */
static size_t smallest_of_both(size_t k, fp_sketch a, fp_sketch b, size_t *shared) {
    const uint64_t *left = a.data, *right = b.data;
    size_t i = 0, j = 0, taken = 0, left_count = a.size / 8, right_count = b.size / 8;
    for (*shared = 0; taken < k && (i < left_count || j < right_count); taken++) {
        bool of_left = j == right_count || (i < left_count && left[i] <= right[j]);
        bool of_right = i == left_count || (j < right_count && right[j] <= left[i]);
        i += of_left;
        j += of_right;
        *shared += of_left && of_right;
    }
    return taken;
}

static double distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    const bottomk_parameters *parameters = self->parameters;
    size_t shared, taken = smallest_of_both((size_t)parameters->k, a, b, &shared);
    return taken ? 64 * (double)(taken - shared) / (double)taken : 0;
}

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                         fp_error *error) {
    const bottomk_parameters *parameters = self->parameters;
    fp_sketch made;
    FP_TRY(sketch(self, document, scratch, &made, error));
    size_t count = made.size / 8;
    uint64_t largest = count ? ((const uint64_t *)made.data)[count - 1] : 0;
    fp_explain_step(to, "hashes");
    fp_explain_line(to, "Every feature is hashed to a number from 0 to 1; the %zu smallest are kept, marked *.", count);
    fp_set_explain_hashes(to, &document->features, parameters->seed, largest);
    return FP_OK;
}

static fp_status explain_pair(const fp_instance *self, const fp_document *a, const fp_document *b, fp_arena *scratch,
                              fp_explanation *to, fp_error *error) {
    const bottomk_parameters *parameters = self->parameters;
    fp_sketch left, right;
    size_t shared;
    FP_TRY(sketch(self, a, scratch, &left, error));
    FP_TRY(sketch(self, b, scratch, &right, error));
    size_t taken = smallest_of_both((size_t)parameters->k, left, right, &shared);
    fp_explain_step(to, "the smallest hashes of both");
    fp_explain_line(to,
                    "Of the %zu smallest hashes of A and B together, %zu are in both: the Jaccard coefficient is "
                    "estimated as %.4f.",
                    taken, shared, taken ? (double)shared / (double)taken : 1.0);
    return FP_OK;
}

const fp_algorithm fp_algorithm_bottomk = {
    .abi = FP_ABI_VERSION,
    .needs = FP_NEEDS_FEATURES | FP_MARKS_FEATURES,
    .name = "bottomk",
    .summary = "the k smallest hashes of the shingle set (KMV); a sample of the union of two sets without replacement",
    .citation = "Broder, On the resemblance and containment of documents, SEQUENCES 1997, section 4 (the s smallest, "
                "unbiased); Ondov et al., Mash, Genome Biology 17:132, 2016, equation 4 (Mash distance)",
    .features = "features=chars:3,weight=binary",
    .parameters_size = sizeof(bottomk_parameters),
    .parameters = PARAMETERS,
    .layout = fp_set_layout,
    .sketch = sketch,
    .distance = distance,
    .text = fp_set_text,
    .explain = explain,
    .explain_pair = explain_pair,
    .measure = "Jaccard",
    .similarity = fp_set_similarity,
    .counterpart = "jaccard",
};
