/* SPDX-License-Identifier: GPL-3.0-or-later
 * MinHash with n independent hash functions. Slot i holds the smallest value of the i-th function over the document's set of features; two slots
 * agree with probability J, the Jaccard coefficient of the sets. Weights are not read. An empty set has every slot at the
 * largest value: it equals another empty set and differs from all others. */
#include <string.h>

#include "algorithms/law.h"
#include "base/base.h"

enum { MOST_SLOTS = 4096 };

typedef struct minhash_parameters {
    int64_t slots;
    int64_t width; /* index into WIDTHS */
    int64_t seed;
} minhash_parameters;

static const char *const WIDTHS[] = {"32", "64", NULL};

static const fp_parameter PARAMETERS[] = {
    {"slots", FP_INTEGER, "slots", "number of hash functions", "64", 1, MOST_SLOTS, NULL, offsetof(minhash_parameters, slots)},
    {"width", FP_CHOICE, "bits", "bits kept of each minimum", "32", 0, 0, WIDTHS, offsetof(minhash_parameters, width)},
    {"seed", FP_INTEGER, "", "seed of the hash functions", "1", 0, 9e15, NULL, offsetof(minhash_parameters, seed)},
    {0},
};

static size_t slot_bytes(const minhash_parameters *parameters) { return parameters->width == 0 ? 4 : 8; }

static fp_status layout(const void *opaque, fp_layout *out, fp_error *error) {
    (void)error;
    const minhash_parameters *parameters = opaque;
    size_t slots = (size_t)parameters->slots, bytes = slots * slot_bytes(parameters);
    *out = (fp_layout){.bytes = (bytes + 7) / 8 * 8, .payload = (double)bytes, .maximum = (double)slots, .integral = true};
    snprintf(out->scale, sizeof out->scale, "slots of %zu", slots);
    return FP_OK;
}

/* minimum[i] over the set of fp_mix(hash, seed-th family, i). Occurrences that repeat change nothing. */
static void minima(const minhash_parameters *parameters, const fp_features *features, uint64_t *minimum) {
    size_t slots = (size_t)parameters->slots;
    uint64_t salt = fp_mix((uint64_t)parameters->seed, 0);
    memset(minimum, 0xff, slots * sizeof *minimum);
    for (size_t f = 0; f < features->count; f++) {
        uint64_t value = features->hash[f] ^ salt;
        for (size_t i = 0; i < slots; i++) {
            uint64_t candidate = fp_mix(value, i);
            minimum[i] = candidate < minimum[i] ? candidate : minimum[i];
        }
    }
}

static fp_status sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *out, fp_error *error) {
    const minhash_parameters *parameters = self->parameters;
    size_t slots = (size_t)parameters->slots;
    uint64_t *minimum = fp_arena_raw(scratch, slots, sizeof *minimum);
    if (!minimum) return fp_no_memory(error);
    minima(parameters, &document->features, minimum);
    *out = (fp_sketch){minimum, self->layout.bytes};
    if (slot_bytes(parameters) == 8) return FP_OK;
    uint32_t *narrow = fp_arena_alloc(scratch, self->layout.bytes, 1);
    if (!narrow) return fp_no_memory(error);
    for (size_t i = 0; i < slots; i++) narrow[i] = (uint32_t)(minimum[i] >> 32);
    out->data = narrow;
    return FP_OK;
}

static double distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    const minhash_parameters *parameters = self->parameters;
    size_t slots = (size_t)parameters->slots, differing = 0;
    if (slot_bytes(parameters) == 8) {
        const uint64_t *left = a.data, *right = b.data;
        for (size_t i = 0; i < slots; i++) differing += left[i] != right[i];
    } else {
        const uint32_t *left = a.data, *right = b.data;
        for (size_t i = 0; i < slots; i++) differing += left[i] != right[i];
    }
    return (double)differing;
}

static double similarity(const fp_instance *self, double d) { return 1 - d / self->layout.maximum; }

static double law(const fp_instance *self, double jaccard, double h) {
    return fp_law_binomial(h, 1 - jaccard, (unsigned)self->layout.maximum);
}

const fp_algorithm fp_algorithm_minhash = {
    .abi = FP_ABI_VERSION,
    .needs = FP_NEEDS_FEATURES,
    .name = "minhash",
    .summary = "n smallest hashes of the shingle set; the share of equal slots estimates the Jaccard coefficient",
    .citation = "Broder, On the resemblance and containment of documents, 1997; Broder, Charikar, Frieze, Mitzenmacher, Min-wise independent "
                "permutations, STOC 1998, equation 1 (P[slots agree] = J)",
    .features = "features=chars:3,weight=binary",
    .parameters_size = sizeof(minhash_parameters),
    .parameters = PARAMETERS,
    .layout = layout,
    .sketch = sketch,
    .distance = distance,
    .measure = "Jaccard",
    .similarity = similarity,
    .law = law,
};
