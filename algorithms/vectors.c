/* SPDX-License-Identifier: GPL-3.0-or-later
 * Dense vectors from an external encoder: a matrix of float32, one row per document, and the documents' ids. They are
 * compared by their exact angle (distance 64·θ/π), or by fingerprints of it: bit j is the side of the j-th random
 * direction on which the vector lies. For Gaussian directions (hyperplane) two vectors at angle θ differ in each bit
 * with probability exactly θ/π; for directions of +1 and −1 (simhash, as hashes of terms give them) approximately,
 * unless a few dimensions outweigh the rest. A vector of zeros has no angle: its sketch is empty.
 *
 * Files are read once, when the arm is parsed. They take 4 bytes per number and 8 per dimension and direction. */
#include <math.h>
#include <string.h>

#include "algorithms/families/law.h"
#include "algorithms/families/signs.h"
#include "algorithms/kernels/distance_kernels.h"
#include "algorithms/kernels/hamming.h"
#include "base/map.h"
#include "base/npy.h"
#include "text/unicode/utf8.h"

enum { SKETCH_COSINE, SKETCH_HYPERPLANE, SKETCH_SIMHASH };

typedef struct vectors_parameters {
    const char *file, *ids;
    int64_t sketch;
    int64_t bits;
    int64_t seed;
} vectors_parameters;

static const char *const SKETCHES[] = {"cosine", "hyperplane", "simhash", NULL};

static const fp_parameter PARAMETERS[] = {
    {"file", FP_FILE, "", "the vectors: a .npy file of float32, a row a document", "", 0, 0, NULL,
     offsetof(vectors_parameters, file)},
    {"ids", FP_FILE, "", "the id of the document of each row, one a line", "", 0, 0, NULL,
     offsetof(vectors_parameters, ids)},
    {"sketch", FP_CHOICE, "",
     "the vector itself (cosine), or signs of its sums along Gaussian directions (hyperplane), or along directions of "
     "+1 and -1 (simhash)",
     "cosine", 0, 0, SKETCHES, offsetof(vectors_parameters, sketch)},
    {"bits", FP_INTEGER, "bits", "number of directions", "64", 4, FP_SIGNS_MOST, NULL,
     offsetof(vectors_parameters, bits)},
    FP_SEED_PARAMETER("seed of the directions", vectors_parameters, seed),
    {0},
};

typedef struct known_vectors {
    fp_npy matrix;
    fp_string *id;      /* [matrix.rows] */
    fp_map rows;        /* by hash of the id */
    double *directions; /* [matrix.columns][blocks · 64] if there are bits */
} known_vectors;

static fp_status layout(const void *opaque, fp_layout *out, fp_error *error) {
    const vectors_parameters *parameters = opaque;
    if (parameters->sketch != SKETCH_COSINE)
        return fp_signs_layout(&(fp_signs){.bits = parameters->bits, .query = FP_QUERY_BITS}, out, error);
    if (parameters->bits != 64 || parameters->seed != 0)
        return fp_fail(error, FP_ERROR_RANGE, "bits and seed go with sketch=hyperplane or sketch=simhash");
    *out = (fp_layout){.maximum = 64, .scale = "bits of 64"};
    return FP_OK;
}

/* ---- Reading ---- */

static fp_status take_id(known_vectors *to, size_t row, fp_string id, fp_error *error) {
    uint64_t hash = fp_xxh3(id.data, id.length, 0);
    uint32_t other = fp_map_get(&to->rows, hash);
    if (fp_utf8_check(id) < id.length) return fp_fail(error, FP_ERROR_ENCODING, "invalid UTF-8");
    if (other != FP_MAP_NONE && fp_string_equal(to->id[other], id))
        return fp_fail(error, FP_ERROR_DUPLICATE, "duplicate id %.*s, also on line %u",
                       id.length < 100 ? (int)id.length : 100, id.data, other + 1);
    if (other != FP_MAP_NONE)
        return fp_fail(error, FP_ERROR_DUPLICATE, "this id and that in line %u have the same hash", other + 1);
    fp_map_put(&to->rows, hash, (uint32_t)row);
    to->id[row] = id;
    return FP_OK;
}

static fp_status read_ids(const vectors_parameters *parameters, known_vectors *to, fp_arena *arena, fp_error *error) {
    fp_string content, rest, id;
    size_t rows = to->matrix.rows, line = 0;
    FP_TRY(fp_read_file(parameters->ids, arena, &content, error));
    FP_TRY(fp_map_open(&to->rows, rows, arena, error));
    to->id = FP_NEED(fp_arena_raw(arena, rows, sizeof *to->id), error);
    for (rest = content; fp_next_line(&rest, &id); line++) {
        if (line >= rows) continue;
        fp_status status = take_id(to, line, id, error);
        if (status != FP_OK) return fp_at(error, status, parameters->ids, line + 1, (size_t)(id.data - content.data));
    }
    if (line == rows) return FP_OK;
    fp_fail(error, FP_ERROR_SYNTAX, "holds %zu id%s, but %s has %zu vector%s", line, line == 1 ? "" : "s",
            parameters->file, rows, rows == 1 ? "" : "s");
    return fp_at(error, FP_ERROR_SYNTAX, parameters->ids, SIZE_MAX, SIZE_MAX);
}

/* The hash of a dimension is its mixed number. */
static fp_status make_directions(const fp_instance *self, known_vectors *to, fp_arena *arena, fp_error *error) {
    const vectors_parameters *parameters = self->parameters;
    size_t blocks = self->layout.bytes / 8, columns = to->matrix.columns;
    fp_direction kind = parameters->sketch == SKETCH_SIMHASH ? FP_DIRECTION_RADEMACHER : FP_DIRECTION_GAUSSIAN;
    if (columns > SIZE_MAX / (FP_SIGNS_MOST * sizeof(double))) return fp_no_memory(error);
    to->directions = FP_NEED(fp_arena_raw(arena, columns * blocks * FP_DIRECTION_BLOCK, sizeof *to->directions), error);
    for (size_t i = 0; i < columns * blocks; i++)
        fp_directions_of(kind, (uint64_t)parameters->seed, fp_mix(i / blocks, 0), i % blocks,
                         to->directions + i * FP_DIRECTION_BLOCK);
    return FP_OK;
}

static fp_status open_vectors(const fp_instance *self, fp_arena *arena, const void **model, fp_error *error) {
    const vectors_parameters *parameters = self->parameters;
    known_vectors *vectors = FP_NEED(fp_arena_alloc(arena, 1, sizeof *vectors), error);
    FP_TRY(fp_npy_read(parameters->file, arena, &vectors->matrix, error));
    FP_TRY(read_ids(parameters, vectors, arena, error));
    if (parameters->sketch != SKETCH_COSINE) FP_TRY(make_directions(self, vectors, arena, error));
    *model = vectors;
    return FP_OK;
}

/* ---- Sketches ---- */

/* Sketch for the exact angle: the squared norm, then the vector. */
typedef struct exact_vector {
    double squares;
    float value[];
} exact_vector;

static double product(const float *a, const float *b, size_t count) {
    return fp_dense_dot_kernels[fp_cpu_chosen()](a, b, count);
}

static fp_status find(const fp_instance *self, fp_string id, const float **vector, fp_error *error) {
    const vectors_parameters *parameters = self->parameters;
    const known_vectors *vectors = self->model;
    uint32_t row = fp_map_get(&vectors->rows, fp_xxh3(id.data, id.length, 0));
    if (row == FP_MAP_NONE || !fp_string_equal(vectors->id[row], id))
        return fp_fail(error, FP_ERROR_UNKNOWN, "it has no vector: %s does not hold the id %.*s", parameters->ids,
                       id.length < 80 ? (int)id.length : 80, id.data);
    *vector = vectors->matrix.values + row * vectors->matrix.columns;
    return FP_OK;
}

static fp_status sketch_vector(const float *vector, size_t columns, fp_arena *scratch, fp_sketch *out,
                               fp_error *error) {
    size_t size = sizeof(exact_vector) + columns * sizeof *vector;
    exact_vector *made = FP_NEED(fp_arena_raw(scratch, size, 1), error);
    made->squares = product(vector, vector, columns);
    memcpy(made->value, vector, columns * sizeof *vector);
    *out = (fp_sketch){.data = made, .size = made->squares > 0 ? size : 0};
    return FP_OK;
}

static fp_status sketch_signs(const fp_instance *self, const float *vector, fp_arena *scratch, fp_sketch *out,
                              fp_error *error) {
    const known_vectors *vectors = self->model;
    size_t width = self->layout.bytes * 8;
    double sum[FP_SIGNS_MOST] = {0};
    bool zeros = true;
    for (size_t i = 0; i < vectors->matrix.columns; i++) {
        zeros &= vector[i] == 0;
        fp_dense_product_kernels[fp_cpu_chosen()](vector[i], vectors->directions + i * width, width, sum);
    }
    FP_TRY(fp_signs_sketch(self, sum, FP_TIE_ZERO, scratch, out, error));
    if (zeros) out->size = 0;
    return FP_OK;
}

static fp_status sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *out,
                        fp_error *error) {
    const known_vectors *vectors = self->model;
    const float *vector = NULL;
    FP_TRY(find(self, document->id, &vector, error));
    return self->layout.bits ? sketch_signs(self, vector, scratch, out, error)
                             : sketch_vector(vector, vectors->matrix.columns, scratch, out, error);
}

/* ---- Distances ---- */

/* The angle from the difference and the sum of the unit vectors: accurate when they are nearly equal or opposite, where
 * the product is not. */
static double near_angle(const exact_vector *a, const exact_vector *b, size_t count) {
    double left = sqrt(a->squares), right = sqrt(b->squares), apart = 0, together = 0;
    for (size_t i = 0; i < count; i++) {
        double u = (double)a->value[i] / left, v = (double)b->value[i] / right;
        apart += (u - v) * (u - v);
        together += (u + v) * (u + v);
    }
    return 2 * atan2(sqrt(apart), sqrt(together));
}

/* As in algorithms/cosine.c: θ = 2·atan2(|u − v|, |u + v|), with |u ± v|² = 2 ± 2u·v away from ±1. */
static double angle(fp_sketch a, fp_sketch b) {
    static const double NEAR = 0.99;
    const exact_vector *left = a.data, *right = b.data;
    if (a.size == 0 || b.size == 0) return a.size == b.size ? 0 : 32;
    size_t count = (a.size - sizeof *left) / sizeof *left->value;
    double cosine = product(left->value, right->value, count) / sqrt(left->squares * right->squares);
    double theta =
        fabs(cosine) > NEAR ? near_angle(left, right, count) : 2 * atan2(sqrt(2 - 2 * cosine), sqrt(2 + 2 * cosine));
    return fp_rounded(64 * theta / M_PI);
}

static double distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    return self->layout.bits ? fp_hamming_distance(self, a, b) : angle(a, b);
}

static void distances(const fp_instance *self, fp_sketch query, const fp_sketches *many, size_t first, size_t count,
                      double *out) {
    if (self->layout.bits) fp_hamming_distances(self, query, many, first, count, out);
    else
        for (size_t i = 0; i < count; i++) out[i] = angle(query, fp_sketches_at(many, first + i));
}

/* The exact angle has no variance. */
static double law(const fp_instance *self, double cosine, double h) {
    if (self->layout.bits) return fp_signs_law(self, cosine, h);
    return 64 * acos(cosine) / M_PI <= h ? 1 : 0;
}

static const fp_learning LEARNING = {
    .open = open_vectors,
};

static const fp_acceleration ACCELERATION = {
    .distances = distances,
};

const fp_algorithm fp_algorithm_vectors = {
    .abi = FP_ABI_VERSION,
    .name = "vectors",
    .summary = "dense vectors of any encoder: their angle, or signs of random projections of it",
    .citation = "Charikar, Similarity estimation techniques from rounding algorithms, STOC 2002, section 3 (P[bit "
                "differs] = θ/π); angle after Kahan, How futile are mindless assessments of roundoff, 2006, section 12",
    .features = "",
    .parameters_size = sizeof(vectors_parameters),
    .parameters = PARAMETERS,
    .layout = layout,
    .sketch = sketch,
    .distance = distance,
    .measure = "cosine",
    .similarity = fp_signs_similarity,
    .law = law,
    .counterpart = "vectors:sketch=cosine",
    .learning = &LEARNING,
    .acceleration = &ACCELERATION,
};
