/* SPDX-License-Identifier: GPL-3.0-or-later
 * Checks of an algorithm's description, for code that nobody here wrote. */
#include "algorithms/arms/check.h"

#include <string.h>

static bool good_name(const char *name) {
    return name && *name && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(name);
}

static fp_status check_slots(const fp_algorithm *algorithm, fp_error *error) {
    const char *missing = !algorithm->summary    ? "summary"
                          : !algorithm->citation ? "citation"
                          : !algorithm->features ? "features"
                          : !algorithm->layout   ? "layout"
                          : !algorithm->sketch   ? "sketch"
                          : !algorithm->distance ? "distance"
                                                 : NULL;
    if (missing) return fp_fail(error, FP_ERROR_ABI, "%s lacks %s", algorithm->name, missing);
    if (!algorithm->measure != !algorithm->similarity)
        return fp_fail(error, FP_ERROR_ABI, "%s has only one of measure and similarity", algorithm->name);
    if (!algorithm->vector != !algorithm->joined)
        return fp_fail(error, FP_ERROR_ABI, "%s has only one of vector and joined", algorithm->name);
    bool learns = algorithm->learn_begin != NULL;
    if (learns != (algorithm->learn_read != NULL) || learns != (algorithm->learn_add != NULL) ||
        learns != (algorithm->learn_end != NULL))
        return fp_fail(error, FP_ERROR_ABI, "%s has only some of learn_begin, learn_read, learn_add and learn_end",
                       algorithm->name);
    if (!algorithm->model_write != !algorithm->model_read)
        return fp_fail(error, FP_ERROR_ABI, "%s has only one of model_write and model_read", algorithm->name);
    if (algorithm->joined_many && !algorithm->joined)
        return fp_fail(error, FP_ERROR_ABI, "%s has joined_many and no joined", algorithm->name);
    if (learns && algorithm->open)
        return fp_fail(error, FP_ERROR_ABI, "%s has both open and learn_begin", algorithm->name);
    if (algorithm->counterpart && !algorithm->measure)
        return fp_fail(error, FP_ERROR_ABI, "%s has a counterpart and no measure", algorithm->name);
    return FP_OK;
}

static size_t value_size(fp_type type) { return type == FP_TEXT || type == FP_FILE ? sizeof(const char *) : 8; }

static fp_status check_row(const fp_algorithm *algorithm, const fp_parameter *row, void *values, fp_arena *arena,
                           fp_error *error) {
    const char *name = algorithm->name;
    if (!good_name(row->name) || !row->unit || !row->help || !row->initial)
        return fp_fail(error, FP_ERROR_RANGE, "%s: a parameter lacks its name, unit, help or default", name);
    if (row->type > FP_FILE)
        return fp_fail(error, FP_ERROR_RANGE, "%s: parameter %s has an unknown type", name, row->name);
    if (row->offset > algorithm->parameters_size || algorithm->parameters_size - row->offset < value_size(row->type))
        return fp_fail(error, FP_ERROR_RANGE, "%s: parameter %s lies outside the parameter struct", name, row->name);
    if (row->type == FP_CHOICE && (!row->choices || !row->choices[0]))
        return fp_fail(error, FP_ERROR_RANGE, "%s: parameter %s has no choices", name, row->name);
    if ((row->type == FP_INTEGER || row->type == FP_REAL) && !(row->minimum <= row->maximum))
        return fp_fail(error, FP_ERROR_RANGE, "%s: parameter %s has a minimum above its maximum", name, row->name);
    fp_error reason = {0};
    if (fp_parameter_set(row, fp_string_of(row->initial), values, arena, &reason) == FP_OK) return FP_OK;
    return fp_fail(error, FP_ERROR_RANGE, "%s: the default of %s breaks its own bounds: %s", name, row->name,
                   reason.message);
}

static fp_status check_table(const fp_algorithm *algorithm, const fp_arena *like, fp_error *error) {
    fp_arena *arena = fp_arena_new_like(like);
    void *values = arena ? fp_arena_alloc(arena, 1, algorithm->parameters_size) : NULL;
    fp_status status = values ? FP_OK : fp_no_memory(error);
    for (const fp_parameter *row = algorithm->parameters; status == FP_OK && row && row->name; row++)
        status = check_row(algorithm, row, values, arena, error);
    fp_arena_free(arena);
    return status;
}

fp_status fp_algorithm_check(const fp_algorithm *algorithm, const fp_arena *like, fp_error *error) {
    if (!good_name(algorithm->name))
        return fp_fail(error, FP_ERROR_RANGE, "the algorithm's name is not of the form [a-z0-9_]+");
    FP_TRY(check_slots(algorithm, error));
    return check_table(algorithm, like, error);
}

/* ---- Versions of the interface ---- */

/* What fp_algorithm was as long as in each version: to where the next one begins. */
static size_t size_of(uint32_t abi) { return abi < 6 ? offsetof(fp_algorithm, model_write) : sizeof(fp_algorithm); }

fp_status fp_algorithm_adopt(const fp_algorithm *given, fp_arena *arena, const fp_algorithm **whole, fp_error *error) {
    if (given->abi < FP_ABI_OLDEST || given->abi > FP_ABI_VERSION)
        return fp_fail(error, FP_ERROR_ABI, "built for interface version %u; this program takes versions %u to %u",
                       given->abi, FP_ABI_OLDEST, FP_ABI_VERSION);
    *whole = given;
    if (given->abi == FP_ABI_VERSION) return FP_OK;
    fp_algorithm *copy = fp_arena_alloc(arena, 1, sizeof *copy);
    if (!copy) return fp_no_memory(error);
    memcpy(copy, given, size_of(given->abi));
    *whole = copy;
    return FP_OK;
}
