/* SPDX-License-Identifier: GPL-3.0-or-later
 * Counted arms taken out of a sample, passed over, and put back. */
#include "eval/experiment/drawing/whole_pass.h"

size_t fp_whole_arm_count(const fp_measurement *measurements, size_t arm_count) {
    size_t count = 0;
    for (size_t a = 0; a < arm_count; a++) count += measurements[a].whole;
    return count;
}

static void put_joint(const fp_counted_pairs *of, const size_t *which, size_t arm_count, fp_joint_sums to) {
    for (size_t i = 0; i < of->arm_count; i++) {
        for (size_t j = 0; j < of->arm_count; j++) {
            size_t from = i * of->arm_count + j, at = which[i] * arm_count + which[j];
            to.dyads[at] = of->joint[from];
            to.noise[at] = of->joint_noise[from];
            to.pairs[at] = of->joint_pairs[from];
        }
    }
}

fp_status fp_whole_pass_run(const fp_unit_pass *pass, fp_arena *arena, fp_counted_pairs *counted, fp_counted_arm *arms,
                            fp_joint_sums joint, fp_error *error) {
    size_t count = fp_whole_arm_count(pass->measurements, counted->arm_count), at = 0;
    size_t *which = fp_arena_raw(arena, count, sizeof *which);
    fp_measurement *measurements = fp_arena_raw(arena, count, sizeof *measurements);
    fp_counted_arm *own = fp_arena_raw(arena, count, sizeof *own);
    if (!which || !measurements || !own) return fp_no_memory(error);
    for (size_t a = 0; a < counted->arm_count; a++) {
        if (!pass->measurements[a].whole) continue;
        which[at] = a;
        measurements[at] = pass->measurements[a];
        own[at++] = arms[a];
    }
    fp_counted_pairs those = *counted;
    fp_unit_pass pass_of = {measurements, pass->column_units, pass->progress};
    those.arm_count = count;
    FP_TRY(fp_unit_pass_run(&pass_of, arena, &those, own, error));
    for (size_t i = 0; i < count; i++) arms[which[i]] = own[i];
    put_joint(&those, which, counted->arm_count, joint);
    counted->sampled = those.sampled;
    return FP_OK;
}
