/* SPDX-License-Identifier: GPL-3.0-or-later
 * Random projection onto k directions (Johnson, Lindenstrauss). Coordinate j is Σ weight × coordinate of the term in
 * direction j, divided by √k so that lengths are kept on average. The sketch is the k coordinates as 32-bit floats; the
 * distance is the angle between the projected vectors, which tends to that between the term vectors as k grows, with
 * standard error sin θ/√k. Two zero vectors are equal; a zero vector is orthogonal to all others. */
#include <math.h>
#include <string.h>

#include "algorithms/families/signs.h"
#include "algorithms/families/sets.h"
#include "algorithms/families/law.h"
#include "base/explanation.h"

enum { MOST = 4096, SHOWN = 16 };

typedef struct projection_parameters {
    int64_t coordinates;
    int64_t kind; /* fp_direction */
    int64_t seed;
    const char *directions; /* given by hand, or none */
} projection_parameters;

static const char *const KINDS[] = {"gaussian", "rademacher", "sparse", NULL};

static const fp_parameter PARAMETERS[] = {
    {"coordinates", FP_INTEGER, "coordinates", "number of directions", "64", 1, MOST, NULL,
     offsetof(projection_parameters, coordinates)},
    {"kind", FP_CHOICE, "", "directions: gaussian; rademacher (+1, -1); sparse (two thirds 0, else +√3, -√3)",
     "gaussian", 0, 0, KINDS, offsetof(projection_parameters, kind)},
    FP_SEED_PARAMETER("seed of the directions", projection_parameters, seed),
    {"directions", FP_TEXT, "",
     "given by hand instead: each term, normalised, with its coordinates (x:1;y:-1 for one direction), or none; needs hash=xxh3 without a seed",
     "none", 0, 0, NULL, offsetof(projection_parameters, directions)},
    {0},
};

static size_t coordinates_of(const fp_instance *self) {
    const projection_parameters *parameters = self->parameters;
    return (size_t)parameters->coordinates;
}

static bool is_given(const projection_parameters *parameters) { return strcmp(parameters->directions, "none") != 0; }

/* ---- Directions given by hand, for examples: "x:1 0;y:-1 2" is one coordinate in each of two directions for the terms
 * x and y. Other terms have the coordinate 0 in all of them. Terms are identified by their XXH3 with seed 0, the
 * default term hash. The text is parsed again for each term: examples are small ---- */

/* Takes the next "term:numbers" from *rest; false at the end. */
static bool next_term(fp_string *rest, fp_string *term, fp_string *numbers) {
    fp_string item;
    if (!fp_next_field(rest, ';', &item)) return false;
    *numbers = item;
    fp_next_field(numbers, ':', term);
    return true;
}

/* Parses the number at the start of `text`, after spaces; moves `text` past it. */
static bool next_number(fp_string *text, double *number) {
    size_t length = 0;
    while (text->length && *text->data == ' ') text->data++, text->length--;
    while (length < text->length && text->data[length] != ' ') length++;
    if (!fp_string_real((fp_string){text->data, length}, number)) return false;
    text->data += length;
    text->length -= length;
    return true;
}

static fp_status check_numbers(fp_string term, fp_string numbers, size_t count, fp_error *error) {
    double number;
    size_t found = 0;
    if (!numbers.data || !term.length)
        return fp_fail(error, FP_ERROR_SYNTAX, "directions: expected term:number, not \"%.*s\"", (int)term.length,
                       term.data);
    while (next_number(&numbers, &number)) found++;
    if (numbers.length)
        return fp_fail(error, FP_ERROR_SYNTAX, "directions: \"%.*s\" is not a number", (int)numbers.length,
                       numbers.data);
    if (found != count)
        return fp_fail(error, FP_ERROR_RANGE, "directions: %.*s has %zu numbers, but coordinates=%zu", (int)term.length,
                       term.data, found, count);
    return FP_OK;
}

/* Every term once, with `count` numbers. */
static fp_status check_given(const char *text, size_t count, fp_error *error) {
    fp_string rest = fp_string_of(text), term, numbers;
    while (next_term(&rest, &term, &numbers)) {
        fp_string later = rest, other, ignored;
        FP_TRY(check_numbers(term, numbers, count, error));
        while (later.data && next_term(&later, &other, &ignored)) {
            if (fp_string_equal(term, other))
                return fp_fail(error, FP_ERROR_DUPLICATE, "directions: %.*s is named twice", (int)term.length,
                               term.data);
        }
    }
    return FP_OK;
}

/* coordinate[0 … count) of the term with this hash. */
static void given_of(const char *text, uint64_t hash, size_t count, double *coordinate) {
    fp_string rest = fp_string_of(text), term, numbers;
    for (size_t j = 0; j < count; j++) coordinate[j] = 0;
    while (next_term(&rest, &term, &numbers)) {
        if (fp_xxh3(term.data, term.length, 0) != hash) continue;
        for (size_t j = 0; j < count && next_number(&numbers, coordinate + j);) j++;
    }
}

/* ---- Sketches ---- */

static fp_status layout(const void *opaque, fp_layout *out, fp_error *error) {
    const projection_parameters *parameters = opaque;
    if (is_given(parameters)) FP_TRY(check_given(parameters->directions, (size_t)parameters->coordinates, error));
    size_t bytes = (size_t)parameters->coordinates * sizeof(float);
    *out = (fp_layout){.bytes = (bytes + 7) / 8 * 8, .payload = (double)bytes, .maximum = 64, .scale = "bits of 64"};
    return FP_OK;
}

/* The coordinates of one term in directions block·64 … block·64 + 63. */
static void coordinates(const fp_instance *self, uint64_t hash, size_t block, double coordinate[FP_DIRECTION_BLOCK]) {
    const projection_parameters *parameters = self->parameters;
    if (!is_given(parameters)) {
        fp_directions_of((fp_direction)parameters->kind, (uint64_t)parameters->seed, hash, block, coordinate);
        return;
    }
    double all[MOST];
    size_t count = coordinates_of(self), first = block * FP_DIRECTION_BLOCK;
    given_of(parameters->directions, hash, count, all);
    for (size_t j = 0; j < FP_DIRECTION_BLOCK; j++) coordinate[j] = first + j < count ? all[first + j] : 0;
}

static void project(const fp_instance *self, const fp_features *features, size_t blocks, double *sum) {
    const projection_parameters *parameters = self->parameters;
    if (!is_given(parameters)) {
        fp_directions_project((fp_direction)parameters->kind, (uint64_t)parameters->seed, features, blocks, sum);
        return;
    }
    for (size_t i = 0; i < features->count; i++) {
        for (size_t block = 0; block < blocks; block++) {
            double coordinate[FP_DIRECTION_BLOCK];
            coordinates(self, features->hash[i], block, coordinate);
            for (size_t j = 0; j < FP_DIRECTION_BLOCK; j++)
                sum[block * FP_DIRECTION_BLOCK + j] += features->weight[i] * coordinate[j];
        }
    }
}

static fp_status sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *out,
                        fp_error *error) {
    size_t count = coordinates_of(self), blocks = (count + FP_DIRECTION_BLOCK - 1) / FP_DIRECTION_BLOCK;
    double *sum = FP_NEED(fp_arena_alloc(scratch, blocks * FP_DIRECTION_BLOCK, sizeof *sum), error);
    float *coordinate = FP_NEED(fp_arena_alloc(scratch, self->layout.bytes, 1), error);
    project(self, &document->features, blocks, sum);
    for (size_t j = 0; j < count; j++) coordinate[j] = (float)(sum[j] / sqrt((double)count));
    *out = (fp_sketch){.data = coordinate, .size = self->layout.bytes};
    return FP_OK;
}

/* ---- Distance ---- */

static double norm(const float *vector, size_t count) {
    double squares = 0;
    for (size_t j = 0; j < count; j++) squares += (double)vector[j] * (double)vector[j];
    return sqrt(squares);
}

/* θ = 2·atan2(| |v|u − |u|v |, | |v|u + |u|v |) (Kahan 2006, section 12): exact where arccos is not, near 0 and π. */
static double distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    const float *u = a.data, *v = b.data;
    size_t count = coordinates_of(self);
    double u_norm = norm(u, count), v_norm = norm(v, count), apart = 0, together = 0;
    if (u_norm == 0 || v_norm == 0) return u_norm == v_norm ? 0 : 32;
    for (size_t j = 0; j < count; j++) {
        double left = v_norm * (double)u[j], right = u_norm * (double)v[j];
        apart += (left - right) * (left - right);
        together += (left + right) * (left + right);
    }
    return fp_rounded(64 * 2 * atan2(sqrt(apart), sqrt(together)) / M_PI);
}

/* Exact for Gaussian directions; approximate for the others. */
static double law(const fp_instance *self, double cosine, double h) {
    return fp_law_projected(h / self->layout.maximum, cosine, (unsigned)coordinates_of(self));
}

/* ---- Explanations ---- */

static const char *text(const fp_instance *self, fp_sketch sketched, fp_arena *arena) {
    enum { WIDEST = 32 };
    const float *coordinate = sketched.data;
    size_t count = coordinates_of(self), used = 0;
    char *out = fp_arena_alloc(arena, count, WIDEST);
    for (size_t j = 0; out && j < count; j++) {
        int wrote = snprintf(out + used, WIDEST, "%s%.6g", j ? " " : "", (double)coordinate[j] + 0.0);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    return out;
}

/* "7·1 + 3·(-1)": the products in coordinate j, before the division by √k. */
static void explain_products(const fp_instance *self, const fp_features *features, size_t j, fp_arena *scratch,
                             fp_explanation *to) {
    enum { WIDEST = 48 };
    char *out = fp_arena_alloc(scratch, features->count + 1, WIDEST);
    size_t used = 0;
    for (size_t i = 0; out && i < features->count; i++) {
        double coordinate[FP_DIRECTION_BLOCK];
        coordinates(self, features->hash[i], j / FP_DIRECTION_BLOCK, coordinate);
        double value = coordinate[j % FP_DIRECTION_BLOCK];
        int wrote = snprintf(out + used, WIDEST, value < 0 ? "%s%.6g·(%.6g)" : "%s%.6g·%.6g", i ? " + " : "",
                             features->weight[i], value);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    if (!out) to->failed = true;
    fp_explain_cell(to, "%s", out ? out : "");
}

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                         fp_error *error) {
    const fp_features *features = &document->features;
    size_t count = coordinates_of(self), shown = count < SHOWN ? count : SHOWN;
    fp_sketch made;
    FP_TRY(sketch(self, document, scratch, &made, error));
    fp_explain_step(to, "term vector");
    fp_explain_table(to, "term|>weight");
    for (size_t i = 0; i < features->count; i++) {
        fp_explain_term(to, features, i);
        fp_explain_cell(to, "%.6g", features->weight[i]);
    }
    fp_explain_step(to, "projection");
    fp_explain_line(
        to,
        "One coordinate for each of %zu directions instead of one for each term: the sum of weight times the "
        "term's coordinate in the "
        "direction, divided by √%zu.",
        count, count);
    if (shown < count) fp_explain_line(to, "The first %zu:", shown);
    fp_explain_table(to, ">direction|products|>coordinate");
    for (size_t j = 0; j < shown; j++) {
        fp_explain_cell(to, "%zu", j + 1);
        explain_products(self, features, j, scratch, to);
        fp_explain_cell(to, "%.6g", (double)((const float *)made.data)[j] + 0.0);
    }
    return FP_OK;
}

const fp_algorithm fp_algorithm_projection = {
    .abi = FP_ABI_VERSION,
    .needs = FP_NEEDS_FEATURES,
    .name = "projection",
    .summary = "angle between random projections of the term vectors onto a few real coordinates",
    .citation =
        "Johnson, Lindenstrauss, Extensions of Lipschitz mappings into a Hilbert space, 1984; Achlioptas, "
        "Database-friendly random projections, "
        "JCSS 66(4), 2003, theorem 1.1 (rademacher, sparse); angle after Kahan, 2006, section 12; law after Fisher, 1915",
    .features = "features=chars:3,weight=tf",
    .parameters_size = sizeof(projection_parameters),
    .parameters = PARAMETERS,
    .layout = layout,
    .sketch = sketch,
    .distance = distance,
    .text = text,
    .explain = explain,
    .measure = "cosine",
    .similarity = fp_signs_similarity,
    .law = law,
    .counterpart = "cosine",
};
