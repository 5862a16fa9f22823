/* SPDX-License-Identifier: GPL-3.0-or-later
 * An example plug-in, built outside the tree against the installed header:
 *
 *     cc -shared -fPIC -o rarest.so rarest.c $(pkg-config --cflags fplab)
 *     fplab eval --plugin ./rarest.so --arm rarest:keep=8 --corpus my-texts
 *
 * The fingerprint is the k features with the largest weights (with weight=idf, the rarest words); the distance is the
 * share of them that the other document does not have, scaled to 64. */
#include <stdlib.h>
#include <string.h>

#include <fplab.h>

typedef struct rarest_parameters {
    int64_t keep;
} rarest_parameters;

static const fp_parameter PARAMETERS[] = {
    {"keep", FP_INTEGER, "features", "features kept", "16", 1, 1000, NULL, offsetof(rarest_parameters, keep)},
    {0},
};

static fp_status layout(const void *parameters, fp_layout *out, fp_error *error) {
    (void)parameters;
    (void)error;
    *out = (fp_layout){.maximum = 64, .scale = "features of 64"};
    return FP_OK;
}

typedef struct weighed {
    double weight;
    uint64_t hash;
} weighed;

static int heaviest_first(const void *left, const void *right) {
    const weighed *a = left, *b = right;
    if (a->weight != b->weight) return a->weight < b->weight ? 1 : -1;
    return (a->hash > b->hash) - (a->hash < b->hash);
}

static fp_status sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *out,
                        fp_error *error) {
    const rarest_parameters *parameters = self->parameters;
    size_t count = document->features.count, keep = (size_t)parameters->keep;
    weighed *all = fp_arena_alloc(scratch, count, sizeof *all);
    uint64_t *kept = fp_arena_alloc(scratch, keep, sizeof *kept);
    if (!all || !kept) return fp_fail(error, FP_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++) all[i] = (weighed){document->features.weight[i], document->features.hash[i]};
    if (count) qsort(all, count, sizeof *all, heaviest_first);
    if (keep > count) keep = count;
    for (size_t i = 0; i < keep; i++) kept[i] = all[i].hash;
    *out = (fp_sketch){.data = kept, .size = keep * sizeof *kept};
    return FP_OK;
}

static double distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    (void)self;
    const uint64_t *left = a.data, *right = b.data;
    size_t left_count = a.size / 8, right_count = b.size / 8, both = 0;
    for (size_t i = 0; i < left_count; i++)
        for (size_t j = 0; j < right_count; j++) both += left[i] == right[j];
    size_t larger = left_count > right_count ? left_count : right_count;
    return larger ? 64 * (1 - (double)both / (double)larger) : 0;
}

const fp_algorithm fp_plugin = {
    .abi = FP_ABI_VERSION,
    .needs = FP_NEEDS_FEATURES,
    .name = "rarest",
    .summary = "the k heaviest features",
    .citation = "an example of a plug-in",
    .features = "features=words,weight=idf",
    .parameters_size = sizeof(rarest_parameters),
    .parameters = PARAMETERS,
    .layout = layout,
    .sketch = sketch,
    .distance = distance,
};
