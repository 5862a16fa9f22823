/* SPDX-License-Identifier: GPL-3.0-or-later
 * The control that is always right: it memorises the labels in fit, so that precision and recall are 1 at every
 * threshold. A lab that shows anything else is broken. */
#include "algorithms/families/control.h"
#include "base/map.h"

/* One key for both orders of a pair. */
static uint64_t pair_key(uint64_t a, uint64_t b) { return a < b ? fp_mix(a, b) : fp_mix(b, a); }

static fp_status fit(const fp_instance *self, const fp_training *training, fp_arena *arena, const void **model,
                     fp_error *error) {
    (void)self;
    fp_map *positive = fp_arena_alloc(arena, 1, sizeof *positive);
    if (!positive) return fp_no_memory(error);
    FP_TRY(fp_map_open(positive, training->pair_count, arena, error));
    for (size_t i = 0; i < training->pair_count; i++) {
        const fp_pair *pair = training->pairs + i;
        if (!pair->label) continue;
        uint64_t a = fp_control_identity(training->documents + pair->a),
                 b = fp_control_identity(training->documents + pair->b);
        fp_map_put(positive, pair_key(a, b), 1);
    }
    *model = positive;
    return FP_OK;
}

static double distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    uint64_t left = *(const uint64_t *)a.data, right = *(const uint64_t *)b.data;
    if (left == right || fp_map_get(self->model, pair_key(left, right)) != FP_MAP_NONE) return 0;
    return self->layout.maximum;
}

const fp_algorithm fp_algorithm_oracle = {
    .abi = FP_ABI_VERSION,
    .needs = FP_NEEDS_PAIRS,
    .name = "oracle",
    .summary = "control: knows the labels; precision = recall = 1 at every threshold",
    .citation = "a control of the lab, not a fingerprint",
    .features = "",
    .layout = fp_control_layout,
    .fit = fit,
    .sketch = fp_control_sketch,
    .distance = distance,
};
