/* SPDX-License-Identifier: GPL-3.0-or-later
 * The Jaccard coefficient of k-shingle sets, exactly: the sketch is the sorted set of the term hashes. Weights are not read. Two empty sets are
 * equal (distance 0); an empty set and another are at the largest distance. */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

enum { RESEMBLANCE, CONTAINMENT };

typedef struct jaccard_parameters {
    int64_t measure;
} jaccard_parameters;

static const char *const MEASURES[] = {"resemblance", "containment", NULL};

static const fp_parameter PARAMETERS[] = {
    {"measure", FP_CHOICE, "", "resemblance |A∩B|/|A∪B|, or containment |A∩B|/min(|A|, |B|)", "resemblance", 0, 0, MEASURES,
     offsetof(jaccard_parameters, measure)},
    {0},
};

static fp_status layout(const void *parameters, fp_layout *out, fp_error *error) {
    (void)parameters;
    (void)error;
    *out = (fp_layout){.maximum = 64, .scale = "slots of 64"};
    return FP_OK;
}

static int ascending(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static fp_status sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *out, fp_error *error) {
    (void)self;
    size_t count = document->features.count;
    uint64_t *set = fp_arena_raw(scratch, count, sizeof *set);
    if (!set) return fp_no_memory(error);
    if (count) {
        memcpy(set, document->features.hash, count * sizeof *set);
        qsort(set, count, sizeof *set, ascending);
    }
    *out = (fp_sketch){set, count * sizeof *set};
    return FP_OK;
}

/* |A ∩ B| by a merge without branches on the data. */
static size_t shared(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count) {
    size_t i = 0, j = 0, both = 0;
    while (i < a_count && j < b_count) {
        uint64_t left = a[i], right = b[j];
        both += left == right;
        i += left <= right;
        j += right <= left;
    }
    return both;
}

static double distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    const jaccard_parameters *parameters = self->parameters;
    size_t a_count = a.size / 8, b_count = b.size / 8;
    if (a_count == 0 && b_count == 0) return 0;
    size_t both = shared(a.data, a_count, b.data, b_count);
    size_t smaller = a_count < b_count ? a_count : b_count;
    size_t whole = parameters->measure == CONTAINMENT ? smaller : a_count + b_count - both;
    return whole ? 64 * (1 - (double)both / (double)whole) : 64;
}

static double similarity(const fp_instance *self, double d) { return 1 - d / self->layout.maximum; }

const fp_algorithm fp_algorithm_jaccard = {
    .abi = FP_ABI_VERSION,
    .needs = FP_NEEDS_FEATURES,
    .name = "jaccard",
    .summary = "exact Jaccard coefficient of the k-shingle sets",
    .citation = "Broder, On the resemblance and containment of documents, SEQUENCES 1997, section 2; containment here is taken of the smaller set, so "
                "that it is symmetric",
    .features = "features=chars:3,weight=binary",
    .parameters_size = sizeof(jaccard_parameters),
    .parameters = PARAMETERS,
    .layout = layout,
    .sketch = sketch,
    .distance = distance,
    .measure = "Jaccard",
    .similarity = similarity,
};
