/* SPDX-License-Identifier: GPL-3.0-or-later
 * The same arm with other hash functions. */
#include "algorithms/arms/arm.h"

static fp_status copy_parameters(const fp_arm *arm, fp_arm *copy, fp_error *error) {
    size_t size = arm->instance.algorithm->parameters_size;
    copy->parameters = fp_arena_raw(copy->arena, size, 1);
    if (!copy->parameters) return fp_no_memory(error);
    memcpy(copy->parameters, arm->parameters, size);
    copy->instance.parameters = copy->parameters;
    return FP_OK;
}

uint64_t fp_arm_own_seed(const fp_arm *arm) {
    int64_t seed;
    memcpy(&seed, (const char *)arm->parameters + arm->seed->offset, sizeof seed);
    return (uint64_t)seed;
}

static fp_status set_seed(fp_arm *copy, uint64_t seed, fp_error *error) {
    char value[24];
    snprintf(value, sizeof value, "%llu", (unsigned long long)seed);
    return fp_parameter_set(copy->seed, fp_string_of(value), copy->parameters, copy->arena, error);
}

fp_status fp_arm_settle_seed(fp_arm *arm, fp_error *error) {
    fp_arm other = *arm;
    fp_error refused = {0};
    fp_layout layout;
    if (!arm->seed) return FP_OK;
    FP_TRY(copy_parameters(arm, &other, error));
    FP_TRY(set_seed(&other, fp_arm_own_seed(arm) + 1, error));
    if (arm->instance.algorithm->layout(other.parameters, &layout, &refused) == FP_OK) return FP_OK;
    arm->seed = NULL;
    arm->any_seed = arm->spec;
    return FP_OK;
}

fp_status fp_arm_reseed(const fp_arm *arm, uint64_t seed, fp_arena *arena, fp_arm **out, fp_error *error) {
    fp_arm *copy = fp_arena_alloc(arena, 1, sizeof *copy);
    if (!copy) return fp_no_memory(error);
    *copy = *arm;
    copy->arena = arena;
    FP_TRY(copy_parameters(arm, copy, error));
    FP_TRY(set_seed(copy, seed, error));
    FP_TRY(fp_arm_write_canonical(copy, error));
    const fp_algorithm *algorithm = arm->instance.algorithm;
    if (algorithm->open) FP_TRY(algorithm->open(&copy->instance, arena, &copy->opened, error));
    *out = copy;
    return fp_arm_forget(copy, error);
}
