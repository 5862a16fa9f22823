/* SPDX-License-Identifier: GPL-3.0-or-later
 * The controls, whose sketch is only the document's identity.
 *
 * oracle is always right: it memorises the labels, so that precision and recall are 1 at every threshold; other results
 * show an error of the lab. constant calls every pair a duplicate: recall 1, precision the share of positives, at every
 * threshold. random guesses: distances are uniform on 0 … 64, whatever the texts; precision is the share of positives
 * and recall (h + 1)/65, within sampling bounds. */
#include <stdlib.h>

#include "algorithms/families/sets.h"
#include "base/map.h"

#define CONTROL_MEMBERS                                                                           \
    .abi = FP_ABI_VERSION, .citation = "a control of the lab, not a fingerprint", .features = "", \
    .layout = fp_control_layout, .sketch = fp_control_sketch

/* One key for both orders of a pair. */
static uint64_t pair_key(uint64_t a, uint64_t b) { return a < b ? fp_mix(a, b) : fp_mix(b, a); }

typedef struct labels {
    const fp_training *training;
    size_t count;       /* documents added so far, at most `most` */
    uint64_t *identity; /* [most] one more than the last document in a pair */
    size_t most;
} labels;

static fp_status learn_begin(const fp_instance *self, const fp_training *training, fp_arena *arena, void **state,
                             fp_error *error) {
    (void)self;
    labels *made = *state = fp_arena_alloc(arena, 1, sizeof *made);
    if (!made) return fp_no_memory(error);
    made->training = training;
    for (size_t i = 0; i < training->pair_count; i++) {
        size_t last = training->pairs[i].a > training->pairs[i].b ? training->pairs[i].a : training->pairs[i].b;
        if (made->most <= last) made->most = last + 1;
    }
    made->identity = fp_arena_alloc(arena, made->most, sizeof *made->identity);
    return made->identity ? FP_OK : fp_no_memory(error);
}

static fp_status learn_add(const fp_instance *self, void *state, fp_sketch read, fp_arena *arena, fp_error *error) {
    (void)self;
    (void)arena;
    (void)error;
    labels *to = state;
    if (to->count < to->most) to->identity[to->count++] = *(const uint64_t *)read.data;
    return FP_OK;
}

static fp_status learn_end(const fp_instance *self, void *state, fp_arena *arena, const void **model, fp_error *error) {
    (void)self;
    const labels *from = state;
    fp_map *positive = FP_NEED(fp_arena_alloc(arena, 1, sizeof *positive), error);
    if (from->count < from->most)
        return fp_fail(error, FP_ERROR_RANGE, "oracle: a pair names a document that does not exist");
    FP_TRY(fp_map_open(positive, from->training->pair_count, arena, error));
    for (size_t i = 0; i < from->training->pair_count; i++) {
        fp_pair pair = from->training->pairs[i];
        if (pair.label) fp_map_put(positive, pair_key(from->identity[pair.a], from->identity[pair.b]), 1);
    }
    *model = positive;
    return FP_OK;
}

/* The keys of the duplicates, ascending. */
static fp_status model_write(const fp_instance *self, fp_arena *arena, fp_string *bytes, fp_error *error) {
    const fp_map *positive = self->model;
    size_t count = 0;
    uint64_t *keys = FP_NEED(fp_arena_raw(arena, positive->mask + 1, sizeof *keys), error);
    for (size_t at = 0; at <= positive->mask; at++)
        if (positive->value[at] != FP_MAP_NONE) keys[count++] = positive->key[at];
    qsort(keys, count, sizeof *keys, fp_ascending_u64);
    return fp_bytes_of(keys, count, arena, bytes, error);
}

static fp_status model_read(const fp_instance *self, fp_string bytes, fp_arena *arena, const void **model,
                            fp_error *error) {
    (void)self;
    uint64_t *keys;
    size_t count;
    fp_map *positive = FP_NEED(fp_arena_alloc(arena, 1, sizeof *positive), error);
    FP_TRY(fp_integers_of_bytes(bytes, arena, &keys, &count, error));
    FP_TRY(fp_map_open(positive, count, arena, error));
    for (size_t i = 0; i < count; i++) fp_map_put(positive, keys[i], 1);
    *model = positive;
    return FP_OK;
}

static double oracle_distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    uint64_t left = *(const uint64_t *)a.data, right = *(const uint64_t *)b.data;
    if (left == right || fp_map_get(self->model, pair_key(left, right)) != FP_MAP_NONE) return 0;
    return self->layout.maximum;
}

static const fp_learning LEARNING = {
    .begin = learn_begin,
    .read = fp_control_sketch,
    .add = learn_add,
    .end = learn_end,
    .write_model = model_write,
    .read_model = model_read,
};

const fp_algorithm fp_algorithm_oracle = {
    CONTROL_MEMBERS,
    .needs = FP_NEEDS_PAIRS,
    .name = "oracle",
    .summary = "control: knows the labels; precision = recall = 1 at every threshold",
    .distance = oracle_distance,
    .learning = &LEARNING,
};

/* ---- Constant distance ---- */

static double constant_distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    (void)self;
    (void)a;
    (void)b;
    return 0;
}

const fp_algorithm fp_algorithm_constant = {
    CONTROL_MEMBERS,
    .name = "constant",
    .summary = "control: every distance is 0; recall 1, precision the share of positives",
    .distance = constant_distance,
};

/* ---- Random distances ---- */

typedef struct random_parameters {
    int64_t seed;
} random_parameters;

static const fp_parameter RANDOM[] = {
    FP_SEED_PARAMETER("seed of the guesses", random_parameters, seed),
    {0},
};

static double random_distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    const random_parameters *parameters = self->parameters;
    uint64_t left = *(const uint64_t *)a.data, right = *(const uint64_t *)b.data;
    if (left == right) return 0;
    uint64_t draw = fp_mix((left ^ right) + fp_mix(left & right, 1), (uint64_t)parameters->seed);
    return (double)((draw >> 32) * 65 >> 32);
}

static double random_law(const fp_instance *self, double similarity, double h) {
    (void)self;
    (void)similarity;
    return h < 0 ? 0 : h >= 64 ? 1 : ((double)(int)h + 1) / 65;
}

const fp_algorithm fp_algorithm_random = {
    CONTROL_MEMBERS,
    .name = "random",
    .summary = "control: distances are guesses; precision is the share of positives",
    .parameters_size = sizeof(random_parameters),
    .parameters = RANDOM,
    .distance = random_distance,
    .law = random_law,
};
