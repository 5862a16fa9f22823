/* SPDX-License-Identifier: GPL-3.0-or-later
 * The control that guesses: distances are uniform on 0 … 64, whatever the texts. Precision is the share of positives
 * and recall (h + 1)/65, within sampling bounds. */
#include "algorithms/families/sets.h"

typedef struct random_parameters {
    int64_t seed;
} random_parameters;

static const fp_parameter PARAMETERS[] = {
    {"seed", FP_INTEGER, "", "seed of the guesses", "1", 0, 9e15, NULL, offsetof(random_parameters, seed)},
    {0},
};

static double distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    const random_parameters *parameters = self->parameters;
    uint64_t left = *(const uint64_t *)a.data, right = *(const uint64_t *)b.data;
    if (left == right) return 0;
    uint64_t draw = fp_mix((left ^ right) + fp_mix(left & right, 1), (uint64_t)parameters->seed);
    return (double)((draw >> 32) * 65 >> 32);
}

static double law(const fp_instance *self, double similarity, double h) {
    (void)self;
    (void)similarity;
    return h < 0 ? 0 : h >= 64 ? 1 : ((double)(int)h + 1) / 65;
}

const fp_algorithm fp_algorithm_random = {
    .abi = FP_ABI_VERSION,
    .name = "random",
    .summary = "control: distances are guesses; precision is the share of positives",
    .citation = "a control of the lab, not a fingerprint",
    .features = "",
    .parameters_size = sizeof(random_parameters),
    .parameters = PARAMETERS,
    .layout = fp_control_layout,
    .sketch = fp_control_sketch,
    .distance = distance,
    .law = law,
};
