/* SPDX-License-Identifier: GPL-3.0-or-later
 * The control that says duplicate to every pair: recall 1, precision the share of positives, at every threshold. */
#include "algorithms/families/sets.h"

static double distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    (void)self;
    (void)a;
    (void)b;
    return 0;
}

const fp_algorithm fp_algorithm_constant = {
    .abi = FP_ABI_VERSION,
    .name = "constant",
    .summary = "control: every distance is 0; recall 1, precision the share of positives",
    .citation = "a control of the lab, not a fingerprint",
    .features = "",
    .layout = fp_control_layout,
    .sketch = fp_control_sketch,
    .distance = distance,
};
