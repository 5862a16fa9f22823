/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a program asks of an arm beside sketches: features, distances, and what they say. */
#include <math.h>
#include <string.h>

#include "algorithms/arms/arm.h"

fp_status fp_arm_features(const fp_arm *arm, fp_string text, fp_arena *out, fp_features *features, fp_error *error) {
    fp_document document;
    FP_TRY(fp_arm_ready(arm, error));
    FP_TRY(fp_arm_read(arm, text, out, &document, error));
    *features = document.features;
    return FP_OK;
}

/* ---- Distances ---- */

double fp_arm_distance(const fp_arm *arm, fp_sketch a, fp_sketch b) {
    return arm->instance.algorithm->distance(&arm->instance, fp_arm_trimmed(arm, a), fp_arm_trimmed(arm, b));
}

/* Half of the nearest cache; longer sketches are compared one by one. */
enum { BLOCK_BYTES = 16384 };

/* Kernels read sketches that lie side by side: columns of records are copied, a block at a time. */
static void distances_of_column(const fp_arm *arm, fp_sketch query, const fp_sketches *many, size_t first, size_t count,
                                double *out) {
    uint64_t block[BLOCK_BYTES / sizeof(uint64_t)];
    const size_t bytes = arm->instance.layout.bytes, most = BLOCK_BYTES / bytes;
    for (size_t done = 0; done < count;) {
        size_t some = count - done < most ? count - done : most;
        for (size_t i = 0; i < some; i++)
            memcpy((unsigned char *)block + i * bytes, fp_sketches_at(many, first + done + i).data, bytes);
        fp_sketches packed = {.count = some, .stride = bytes, .data = (const unsigned char *)block};
        arm->instance.algorithm->distances(&arm->instance, query, &packed, 0, some, out + done);
        done += some;
    }
}

void fp_arm_distances(const fp_arm *arm, fp_sketch query, const fp_sketches *many, size_t first, size_t count,
                      double *out) {
    const fp_algorithm *algorithm = arm->instance.algorithm;
    query = fp_arm_trimmed(arm, query);
    const size_t bytes = arm->instance.layout.bytes;
    if (algorithm->distances && many->stride == bytes)
        algorithm->distances(&arm->instance, query, many, first, count, out);
    else if (algorithm->distances && bytes && bytes <= BLOCK_BYTES)
        distances_of_column(arm, query, many, first, count, out);
    else
        for (size_t i = 0; i < count; i++) out[i] = fp_arm_distance(arm, query, fp_sketches_at(many, first + i));
}

void fp_arm_distance_block(const fp_arm *arm, const fp_sketches *rows, size_t first_row, size_t row_count,
                           const fp_sketches *columns, size_t first_column, size_t column_count, double *out) {
    for (size_t i = 0; i < row_count; i++)
        fp_arm_distances(arm, fp_sketches_at(rows, first_row + i), columns, first_column, column_count,
                         out + i * column_count);
}

/* ---- Distances that are none ---- */

/* The ids, and as much of a long one as a line holds. */
static int shown(fp_string id) { return id.length < 80 ? (int)id.length : 80; }

fp_status fp_arm_distance_refuse(const fp_arm *arm, double value, fp_string a, fp_string b, fp_error *error) {
    return fp_fail(error, FP_ERROR_RANGE,
                   "the arm %.150s gives %.*s and %.*s the distance %g, and distances go from 0 to %g", arm->name,
                   shown(a), a.data, shown(b), b.data, isnan(value) ? NAN : value, arm->instance.layout.maximum);
}

fp_status fp_arm_distance_checked(const fp_arm *arm, fp_string id_a, fp_sketch a, fp_string id_b, fp_sketch b,
                                  double *distance, fp_error *error) {
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

/* ---- What they say ---- */

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
