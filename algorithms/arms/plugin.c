/* SPDX-License-Identifier: GPL-3.0-or-later
 * Algorithms from shared objects. */
#include <dlfcn.h>
#include <string.h>

#include "algorithms/arms/check.h"

static fp_status refuse(void *handle, const char *file, fp_error *error) {
    if (handle) dlclose(handle);
    return fp_at(error, file, SIZE_MAX, SIZE_MAX);
}

fp_status fp_plugin_load(const char *file, const fp_algorithm **algorithm, fp_error *error) {
    fp_error ignored;
    if (!error) error = &ignored;
    char path[4096];
    /* Without a slash dlopen would search the library path. */
    if (snprintf(path, sizeof path, "%s%s", strchr(file, '/') ? "" : "./", file) >= (int)sizeof path)
        return fp_fail(error, FP_ERROR_RANGE, "the path is longer than %zu bytes", sizeof path - 1);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        const char *reason = dlerror();
        fp_fail(error, FP_ERROR_IO, "cannot load the plug-in: %s", reason ? reason : "unknown reason");
        return refuse(NULL, file, error);
    }
    const fp_algorithm *found = dlsym(handle, "fp_plugin");
    if (!found) {
        fp_fail(error, FP_ERROR_ABI, "not a plug-in: it does not export fp_plugin");
        return refuse(handle, file, error);
    }
    if (fp_algorithm_check(found, error) != FP_OK) return refuse(handle, file, error);
    if (fp_algorithm_find(found->name, NULL)) {
        fp_fail(error, FP_ERROR_DUPLICATE, "the plug-in is called %s, as a built-in algorithm is", found->name);
        return refuse(handle, file, error);
    }
    *algorithm = found;
    return FP_OK;
}
