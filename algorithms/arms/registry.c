/* SPDX-License-Identifier: GPL-3.0-or-later
 * The registry of algorithms, made from algorithms.def. */
#include <string.h>

#include "base/base.h"

#define ALGORITHM(name, family) extern const fp_algorithm fp_algorithm_##name;
#include "algorithms/algorithms.def"
#undef ALGORITHM

static const fp_algorithm *const REGISTRY[] = {
#define ALGORITHM(name, family) &fp_algorithm_##name,
#include "algorithms/algorithms.def"
#undef ALGORITHM
};

enum { COUNT = sizeof REGISTRY / sizeof *REGISTRY };

static const char *const FAMILIES[] = {
#define ALGORITHM(name, family) family,
#include "algorithms/algorithms.def"
#undef ALGORITHM
};

const char *fp_algorithm_family(size_t index) { return index < COUNT ? FAMILIES[index] : NULL; }

const fp_algorithm *fp_algorithm_at(size_t index) { return index < COUNT ? REGISTRY[index] : NULL; }

const fp_algorithm *fp_algorithm_find(const char *name, fp_error *error) {
    const char *names[COUNT + 1] = {0};
    for (size_t i = 0; i < COUNT; i++) {
        if (strcmp(REGISTRY[i]->name, name) == 0) return REGISTRY[i];
        names[i] = REGISTRY[i]->name;
    }
    const char *nearest = fp_nearest(name, names);
    if (nearest) fp_fail(error, FP_ERROR_UNKNOWN, "unknown algorithm %s; did you mean %s?", name, nearest);
    else fp_fail(error, FP_ERROR_UNKNOWN, "unknown algorithm %s; `fplab algorithms` lists them", name);
    return NULL;
}
