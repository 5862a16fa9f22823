/* SPDX-License-Identifier: GPL-3.0-or-later
 * Algorithms from shared objects. */
#include <dlfcn.h>
#include <string.h>

#include "algorithms/arms/arm.h"

/* Accepts the exported algorithm if it is valid. */
static fp_status take(const fp_algorithm *found, fp_arena *arena, const fp_algorithm **algorithm, fp_error *error) {
    if (!found) return fp_fail(error, FP_ERROR_ABI, "not a plug-in: it does not export fp_plugin");
    FP_TRY(fp_algorithm_check(found, arena, error));
    *algorithm = found;
    if (!fp_algorithm_find(found->name, NULL)) return FP_OK;
    return fp_fail(error, FP_ERROR_DUPLICATE, "the plug-in is called %s, which is the name of a built-in algorithm",
                   found->name);
}

fp_status fp_plugin_load(const char *file, fp_arena *arena, const fp_algorithm **algorithm, fp_error *error) {
    char path[4096];
    /* Without a slash dlopen would search the library path. */
    if (snprintf(path, sizeof path, "%s%s", strchr(file, '/') ? "" : "./", file) >= (int)sizeof path)
        return fp_fail(error, FP_ERROR_RANGE, "the path is longer than %zu bytes", sizeof path - 1);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        const char *reason = dlerror();
        fp_fail(error, FP_ERROR_IO, "cannot load the plug-in: %s", reason ? reason : "unknown reason");
        return fp_at(error, FP_ERROR_IO, file, SIZE_MAX, SIZE_MAX);
    }
    fp_status status = take(dlsym(handle, "fp_plugin"), arena, algorithm, error);
    if (status == FP_OK) return FP_OK;
    dlclose(handle);
    return fp_at(error, status, file, SIZE_MAX, SIZE_MAX);
}
