/* SPDX-License-Identifier: GPL-3.0-or-later
 * Checks of external algorithms' descriptions; features, distances and similarities of an arm. */
#include "algorithms/arms/arm.h"

#include <math.h>
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
    const fp_learning *learning = fp_learning_of(algorithm);
    const fp_acceleration *acceleration = fp_acceleration_of(algorithm);
    const bool learns = learning->begin != NULL;
    const struct {
        bool broken;
        const char *what;
    } RULES[] = {
        {!algorithm->measure != !algorithm->similarity, "only one of measure and similarity"},
        {!acceleration->vector != !acceleration->joined, "only one of vector and joined"},
        {learns != (learning->read != NULL) || learns != (learning->add != NULL) || learns != (learning->end != NULL),
         "only some of begin, read, add and end of fp_learning"},
        {!learning->write_model != !learning->read_model, "only one of write_model and read_model"},
        {!learning->write_state != !learning->add_state, "only one of write_state and add_state"},
        {acceleration->joined_many && !acceleration->joined, "joined_many and no joined"},
        {learns && learning->open, "both open and begin"},
        {algorithm->counterpart && !algorithm->measure, "a counterpart and no measure"},
    };
    for (size_t i = 0; i < sizeof RULES / sizeof *RULES; i++)
        if (RULES[i].broken) return fp_fail(error, FP_ERROR_ABI, "%s has %s", algorithm->name, RULES[i].what);
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
    if (algorithm->abi != FP_ABI_VERSION)
        return fp_fail(error, FP_ERROR_ABI, "built for interface version %u, this program has version %u; recompile it",
                       algorithm->abi, FP_ABI_VERSION);
    if (!good_name(algorithm->name))
        return fp_fail(error, FP_ERROR_RANGE, "the algorithm's name is not of the form [a-z0-9_]+");
    FP_TRY(check_slots(algorithm, error));
    return check_table(algorithm, like, error);
}

/* ---- Features ---- */

fp_status fp_arm_features(const fp_arm *arm, fp_string text, fp_arena *out, fp_features *features, fp_error *error) {
    fp_document document;
    FP_TRY(fp_arm_ready(arm, error));
    FP_TRY(fp_arm_read(arm, text, out, &document, error));
    *features = document.features;
    return FP_OK;
}

/* ---- Distances ---- */

double fp_arm_distance(const fp_arm *arm, fp_sketch a, fp_sketch b) {
    if (a.empty || b.empty) return arm->instance.layout.maximum;
    return arm->instance.algorithm->distance(&arm->instance, fp_arm_trimmed(arm, a), fp_arm_trimmed(arm, b));
}

/* Half of the first-level cache; longer sketches are compared one at a time. */
enum { BLOCK_BYTES = 16384 };

/* Kernels read contiguous sketches: columns of records are copied, a block at a time. */
static void distances_of_column(const fp_arm *arm, fp_sketch query, const fp_sketches *many, size_t first, size_t count,
                                double *out) {
    uint64_t block[BLOCK_BYTES / sizeof(uint64_t)];
    const size_t bytes = arm->instance.layout.bytes, most = BLOCK_BYTES / bytes;
    for (size_t done = 0; done < count;) {
        size_t some = count - done < most ? count - done : most;
        for (size_t i = 0; i < some; i++)
            memcpy((unsigned char *)block + i * bytes, fp_sketches_at(many, first + done + i).data, bytes);
        fp_sketches packed = {.count = some, .stride = bytes, .data = (const unsigned char *)block};
        fp_acceleration_of(arm->instance.algorithm)->distances(&arm->instance, query, &packed, 0, some, out + done);
        done += some;
    }
}

void fp_arm_distances(const fp_arm *arm, fp_sketch query, const fp_sketches *many, size_t first, size_t count,
                      double *out) {
    const fp_acceleration *acceleration = fp_acceleration_of(arm->instance.algorithm);
    query = fp_arm_trimmed(arm, query);
    const size_t bytes = arm->instance.layout.bytes;
    if (acceleration->distances && many->stride == bytes)
        acceleration->distances(&arm->instance, query, many, first, count, out);
    else if (acceleration->distances && bytes && bytes <= BLOCK_BYTES)
        distances_of_column(arm, query, many, first, count, out);
    else
        for (size_t i = 0; i < count; i++) out[i] = fp_arm_distance(arm, query, fp_sketches_at(many, first + i));
    for (size_t i = 0; i < count; i++)
        if (query.empty || (many->empty && many->empty[first + i])) out[i] = arm->instance.layout.maximum;
}

void fp_arm_query_distances(const fp_arm *arm, fp_sketch query, const fp_sketches *stored, size_t first, size_t count,
                            double within, double *out) {
    const fp_instance *instance = &arm->instance;
    const double largest = instance->layout.maximum <= within ? instance->layout.maximum : INFINITY;
    if (query.empty) {
        for (size_t i = 0; i < count; i++) out[i] = largest;
        return;
    }
    if (instance->layout.stored)
        instance->algorithm->query_distances(instance, query, stored, first, count, within, out);
    else {
        fp_arm_distances(arm, query, stored, first, count, out);
        for (size_t i = 0; i < count; i++) out[i] = out[i] <= within ? out[i] : INFINITY;
    }
    for (size_t i = 0; i < count && stored->empty; i++)
        if (stored->empty[first + i]) out[i] = largest;
}

void fp_arm_distance_block(const fp_arm *arm, const fp_sketches *rows, size_t first_row, size_t row_count,
                           const fp_sketches *columns, size_t first_column, size_t column_count, double *out) {
    for (size_t i = 0; i < row_count; i++)
        fp_arm_distances(arm, fp_sketches_at(rows, first_row + i), columns, first_column, column_count,
                         out + i * column_count);
}

/* ---- Invalid distances ---- */

/* Bytes of an id that a message shows. */
static int shown(fp_string id) { return id.length < 80 ? (int)id.length : 80; }

fp_status fp_arm_distance_refuse(const fp_arm *arm, double value, fp_string a, fp_string b, fp_error *error) {
    return fp_fail(error, FP_ERROR_RANGE,
                   "the arm %.150s gives %.*s and %.*s the distance %g, and distances go from 0 to %g", arm->name,
                   shown(a), a.data, shown(b), b.data, isnan(value) ? NAN : value, arm->instance.layout.maximum);
}

fp_status fp_arm_distance_checked(const fp_arm *arm, fp_string id_a, fp_sketch a, fp_string id_b, fp_sketch b,
                                  double *distance, fp_error *error) {
    a.empty = b.empty = false; /* the algorithm's own value is checked */
    const double there = fp_arm_distance(arm, a, b), back = fp_arm_distance(arm, b, a);
    if (!fp_arm_distance_good(arm, there)) return fp_arm_distance_refuse(arm, there, id_a, id_b, error);
    if (there != back)
        return fp_fail(error, FP_ERROR_RANGE,
                       "the arm %.150s gives %.*s and %.*s the distance %g, and %g in the other order", arm->name,
                       shown(id_a), id_a.data, shown(id_b), id_b.data, there, back);
    const fp_sketch sketch[2] = {a, b};
    const fp_string id[2] = {id_a, id_b};
    for (int i = 0; i < 2; i++) {
        double own = fp_arm_distance(arm, sketch[i], sketch[i]);
        if (own != 0)
            return fp_fail(error, FP_ERROR_RANGE, "the arm %.150s gives %.*s and itself the distance %g, not 0",
                           arm->name, shown(id[i]), id[i].data, own);
    }
    *distance = there;
    return FP_OK;
}

/* ---- Meaning of distances ---- */

const char *fp_arm_measure(const fp_arm *arm) {
    const fp_instance *instance = &arm->instance;
    if (!instance->algorithm->similarity) return "";
    return instance->layout.measure[0] ? instance->layout.measure : instance->algorithm->measure;
}

double fp_arm_similarity(const fp_arm *arm, double distance) {
    const fp_instance *instance = &arm->instance;
    return instance->algorithm->similarity ? instance->algorithm->similarity(instance, distance) : NAN;
}

double fp_arm_law(const fp_arm *arm, double similarity, double h) {
    const fp_instance *instance = &arm->instance;
    return instance->algorithm->law ? instance->algorithm->law(instance, similarity, h) : NAN;
}
