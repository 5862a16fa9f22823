/* SPDX-License-Identifier: GPL-3.0-or-later
 * Supershingles: the slots of minhash in groups, each group hashed to one number. A group agrees when all its slots do,
 * with probability J^size, so that the number of differing groups is Binomial(groups, 1 − J^size): a filter with a
 * steep edge. Broder's parameters are 6 groups of 14 slots, and two texts are called near-duplicates when two groups
 * agree (h ≤ 4), that is, share a megashingle, a pair of supershingles. Two empty sets are equal; an empty set and a
 * non-empty one differ in every group. */
#include <math.h>
#include <string.h>

#include "algorithms/families/law.h"
#include "algorithms/families/signature.h"
#include "algorithms/kernels/sketch_kernels.h"

typedef struct supershingles_parameters {
    fp_signature signature; /* slots: the groups */
    int64_t size;
} supershingles_parameters;

static const fp_parameter PARAMETERS[] = {
    {"groups", FP_INTEGER, "groups", "number of groups", "6", 1, 256, NULL,
     offsetof(supershingles_parameters, signature.slots)},
    {"size", FP_INTEGER, "slots", "slots of minhash in a group", "14", 1, 256, NULL,
     offsetof(supershingles_parameters, size)},
    FP_SIGNATURE_WIDTH("bits kept of each group", "64"),
    FP_SEED_PARAMETER("seed of the hash functions", fp_signature, seed),
    {0},
};

static fp_status values(const fp_instance *self, const fp_features *features, fp_arena *scratch, uint64_t *value,
                        fp_error *error) {
    const supershingles_parameters *parameters = self->parameters;
    size_t groups = (size_t)parameters->signature.slots, size = (size_t)parameters->size, count;
    const uint64_t *salted = FP_NEED(fp_signature_salted(&parameters->signature, features, scratch, &count), error);
    uint64_t *slot = FP_NEED(fp_arena_raw(scratch, groups * size, sizeof *slot), error);
    memset(slot, 0xff, groups * size * sizeof *slot);
    if (count) {
        fp_least_products(salted, count, slot, groups * size);
        fp_signature_finish(slot, groups * size);
    }
    for (size_t g = 0; g < groups; g++) {
        value[g] = UINT64_MAX;
        for (size_t i = 0; count && i < size; i++) value[g] = fp_mix(value[g] ^ slot[g * size + i], i);
    }
    return FP_OK;
}

FP_SIGNATURE_SKETCH(values)

static double similarity(const fp_instance *self, double distance) {
    const supershingles_parameters *parameters = self->parameters;
    return pow(1 - distance / self->layout.maximum, 1 / (double)parameters->size);
}

static double law(const fp_instance *self, double jaccard, double h) {
    const supershingles_parameters *parameters = self->parameters;
    return fp_law_binomial(h, 1 - pow(jaccard, (double)parameters->size), (unsigned)parameters->signature.slots);
}

/* ---- Explanations ---- */

static void explain_groups(const supershingles_parameters *parameters, const uint64_t *a, const uint64_t *b,
                           fp_explanation *to) {
    size_t agreeing = 0, groups = (size_t)parameters->signature.slots;
    fp_explain_step(to, "groups");
    fp_explain_line(to, "%zu slots of minhash in %zu groups of %d; each group is hashed to one number.",
                    groups * (size_t)parameters->size, groups, (int)parameters->size);
    fp_explain_table(to, b ? ">group|A|B|agree" : ">group|hash");
    for (size_t g = 0; g < groups; g++) {
        fp_explain_cell(to, "%zu", g + 1);
        fp_explain_cell(to, "%016llx", (unsigned long long)a[g]);
        if (!b) continue;
        fp_explain_cell(to, "%016llx", (unsigned long long)b[g]);
        fp_explain_cell(to, "%s", a[g] == b[g] ? "yes" : "");
        agreeing += a[g] == b[g];
    }
    if (b) fp_explain_line(to, "%zu of %zu groups agree.", agreeing, groups);
}

static fp_status explain_pair(const fp_instance *self, const fp_document *a, const fp_document *b, fp_arena *scratch,
                              fp_explanation *to, fp_error *error) {
    const supershingles_parameters *parameters = self->parameters;
    size_t groups = (size_t)parameters->signature.slots;
    uint64_t *left = FP_NEED(fp_arena_raw(scratch, 2 * groups, sizeof *left), error);
    FP_TRY(values(self, &a->features, scratch, left, error));
    if (b) FP_TRY(values(self, &b->features, scratch, left + groups, error));
    explain_groups(parameters, left, b ? left + groups : NULL, to);
    return FP_OK;
}

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                         fp_error *error) {
    return explain_pair(self, document, NULL, scratch, to, error);
}

const fp_algorithm fp_algorithm_supershingles = {
    .abi = FP_ABI_VERSION,
    .needs = FP_NEEDS_FEATURES | FP_MARKS_FEATURES,
    .name = "supershingles",
    .summary = "minhash slots hashed in groups; a group agrees with probability J^size, a steep filter",
    .citation = "Broder, Identifying and filtering near-duplicate documents, CPM 2000, section 4 (84 slots as 6 "
                "supershingles of 14; two of six agree)",
    .features = "features=words:3,weight=binary",
    .parameters_size = sizeof(supershingles_parameters),
    .parameters = PARAMETERS,
    .layout = fp_signature_layout,
    .sketch = sketch,
    .distance = fp_signature_distance,
    .explain = explain,
    .explain_pair = explain_pair,
    .measure = "Jaccard",
    .similarity = similarity,
    .law = law,
    .counterpart = "jaccard",
    .acceleration = &fp_signature_acceleration,
};
