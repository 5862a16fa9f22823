/* SPDX-License-Identifier: GPL-3.0-or-later
 * An arm learns its model from documents at hand, without a pipeline. */
#ifndef FP_TEST_ARM_LEARN_H
#define FP_TEST_ARM_LEARN_H

#include "algorithms/arms/arm.h"

static inline fp_status test_learn_all(fp_arm *arm, const fp_training *training, const fp_document *documents,
                                       size_t count, fp_arena *states, fp_arena *scratch, fp_arena *arena,
                                       fp_error *error) {
    const fp_instance *self = &arm->instance;
    void *state;
    size_t told = 0;
    FP_TRY(fp_learning_of(self->algorithm)->begin(self, training, states, &state, error));
    for (size_t i = 0; i < count; i++) {
        fp_sketch read;
        fp_arena_reset(scratch);
        FP_TRY(fp_learning_of(self->algorithm)->read(self, documents + i, scratch, &read, error));
        FP_TRY(fp_learning_of(self->algorithm)->add(self, state, read, states, error));
        told += fp_arm_finds(arm, documents + i);
    }
    return fp_arm_take_model(arm, state, told, arena, error);
}

/* Learns a model, where one must be learned; it lives in `arena`. */
static inline fp_status test_arm_learn(fp_arm *arm, const fp_training *training, const fp_document *documents,
                                       size_t count, fp_arena *arena, fp_error *error) {
    if (!fp_arm_fits(arm)) return FP_OK;
    fp_arena *states = fp_arena_new(), *scratch = fp_arena_new();
    fp_status status = states && scratch
                           ? test_learn_all(arm, training, documents, count, states, scratch, arena, error)
                           : fp_no_memory(error);
    fp_arena_free(states);
    fp_arena_free(scratch);
    return status;
}

#endif
