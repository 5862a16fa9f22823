/* SPDX-License-Identifier: GPL-3.0-or-later
 * The sketch of the controls. */
#include "algorithms/families/control.h"

fp_status fp_control_layout(const void *parameters, fp_layout *layout, fp_error *error) {
    (void)parameters;
    (void)error;
    *layout = (fp_layout){.bytes = 8, .maximum = 64, .integral = true, .scale = "bits of 64"};
    return FP_OK;
}

fp_status fp_control_sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *sketch,
                            fp_error *error) {
    (void)self;
    uint64_t *identity = fp_arena_raw(scratch, 1, sizeof *identity);
    if (!identity) return fp_no_memory(error);
    *identity = fp_xxh3(document->id.data, document->id.length, 0);
    *sketch = (fp_sketch){identity, sizeof *identity};
    return FP_OK;
}
