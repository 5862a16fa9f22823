/* SPDX-License-Identifier: GPL-3.0-or-later
 * The angle between sparse term vectors, exactly: distance 64·θ/π. The sketch is the unit vector: n term hashes in ascending order, then their n
 * weights. An empty vector equals another empty one and is orthogonal to all others. */
#include <math.h>
#include <stdlib.h>

#include "base/base.h"

static fp_status layout(const void *parameters, fp_layout *out, fp_error *error) {
    (void)parameters;
    (void)error;
    *out = (fp_layout){.maximum = 64, .scale = "bits of 64"};
    return FP_OK;
}

typedef struct coordinate {
    uint64_t hash;
    double weight;
} coordinate;

static int by_hash(const void *left, const void *right) {
    const coordinate *a = left, *b = right;
    return (a->hash > b->hash) - (a->hash < b->hash);
}

static fp_status sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *out, fp_error *error) {
    (void)self;
    const fp_features *features = &document->features;
    size_t count = features->count;
    coordinate *vector = fp_arena_raw(scratch, count, sizeof *vector);
    if (!vector) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++) vector[i] = (coordinate){features->hash[i], features->weight[i]};
    if (count) qsort(vector, count, sizeof *vector, by_hash);
    double squares = 0;
    for (size_t i = 0; i < count; i++) squares += vector[i].weight * vector[i].weight;
    double norm = sqrt(squares);
    for (size_t i = 0; i < count; i++) vector[i].weight /= norm;
    *out = (fp_sketch){vector, count * sizeof *vector};
    return FP_OK;
}

/* To a multiple of 2⁻³²: angles that are equal by their formula are equal here too, whatever the order of the sums, and so are ties. */
static double rounded(double distance) { return ldexp(nearbyint(ldexp(distance, 32)), -32); }

/* θ = 2·atan2(|u − v|, |u + v|) for unit vectors (Kahan 2006, section 12): exact where arccos is not, near 0 and π. */
static double distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    (void)self;
    const coordinate *u = a.data, *v = b.data;
    size_t u_count = a.size / sizeof *u, v_count = b.size / sizeof *v, i = 0, j = 0;
    if (u_count == 0 && v_count == 0) return 0;
    if (u_count == 0 || v_count == 0) return 32;
    double alone = 0, apart = 0, together = 0;
    while (i < u_count && j < v_count) {
        if (u[i].hash == v[j].hash) {
            double less = u[i].weight - v[j].weight, more = u[i].weight + v[j].weight;
            apart += less * less;
            together += more * more;
            i++, j++;
        } else if (u[i].hash < v[j].hash) {
            alone += u[i].weight * u[i].weight;
            i++;
        } else {
            alone += v[j].weight * v[j].weight;
            j++;
        }
    }
    for (; i < u_count; i++) alone += u[i].weight * u[i].weight;
    for (; j < v_count; j++) alone += v[j].weight * v[j].weight;
    return rounded(64 * 2 * atan2(sqrt(apart + alone), sqrt(together + alone)) / M_PI);
}

/* ---- Telling ---- */

static double norm_of(const fp_features *features) {
    double squares = 0;
    for (size_t i = 0; i < features->count; i++) squares += features->weight[i] * features->weight[i];
    return sqrt(squares);
}

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to, fp_error *error) {
    (void)self;
    (void)scratch;
    (void)error;
    const fp_features *features = &document->features;
    fp_explain_step(to, "term vector");
    fp_explain_table(to, "term|weight");
    for (size_t i = 0; i < features->count; i++) {
        fp_string term = fp_features_term(features, i);
        fp_explain_cell(to, "%.*s", (int)term.length, term.data);
        fp_explain_cell(to, "%.6g", features->weight[i]);
    }
    fp_explain_step(to, "norm");
    fp_explain_line(to, "root of the sum of squares: %.6g", norm_of(features));
    return FP_OK;
}

/* The weight of a term in a document; 0 when it does not hold it. */
static double weight_of(const fp_features *features, uint64_t hash) {
    for (size_t i = 0; i < features->count; i++)
        if (features->hash[i] == hash) return features->weight[i];
    return 0;
}

static void tell_term(fp_explanation *to, fp_string term, double a, double b) {
    fp_explain_cell(to, "%.*s", (int)term.length, term.data);
    fp_explain_cell(to, "%.6g", a);
    fp_explain_cell(to, "%.6g", b);
    fp_explain_cell(to, "%.6g", a * b);
}

static fp_status explain_pair(const fp_instance *self, const fp_document *a, const fp_document *b, fp_arena *scratch,
                              fp_explanation *to, fp_error *error) {
    (void)self;
    (void)scratch;
    (void)error;
    const fp_features *left = &a->features, *right = &b->features;
    double dot = 0;
    fp_explain_step(to, "vocabulary and products");
    fp_explain_table(to, "term|A|B|product");
    for (size_t i = 0; i < left->count; i++) {
        double other = weight_of(right, left->hash[i]);
        tell_term(to, fp_features_term(left, i), left->weight[i], other);
        dot += left->weight[i] * other;
    }
    for (size_t i = 0; i < right->count; i++)
        if (weight_of(left, right->hash[i]) == 0) tell_term(to, fp_features_term(right, i), 0, right->weight[i]);
    double left_norm = norm_of(left), right_norm = norm_of(right);
    fp_explain_step(to, "cosine");
    fp_explain_table(to, "dot product|norm of A|norm of B|cosine");
    fp_explain_cell(to, "%.6g", dot);
    fp_explain_cell(to, "√%.6g = %.6g", left_norm * left_norm, left_norm);
    fp_explain_cell(to, "√%.6g = %.6g", right_norm * right_norm, right_norm);
    if (left_norm > 0 && right_norm > 0) fp_explain_cell(to, "%.6g", dot / (left_norm * right_norm));
    else fp_explain_cell(to, "NA");
    return FP_OK;
}

static double similarity(const fp_instance *self, double d) { return cos(M_PI * d / self->layout.maximum); }

const fp_algorithm fp_algorithm_cosine = {
    .abi = FP_ABI_VERSION,
    .needs = FP_NEEDS_FEATURES,
    .name = "cosine",
    .summary = "exact angle between term-frequency or TF-IDF vectors",
    .citation = "Salton, Wong, Yang, A vector space model for automatic indexing, CACM 18(11), 1975; angle after Kahan, How futile are mindless "
                "assessments of roundoff, 2006, section 12",
    .features = "features=words,weight=tf",
    .layout = layout,
    .sketch = sketch,
    .distance = distance,
    .explain = explain,
    .explain_pair = explain_pair,
    .measure = "cosine",
    .similarity = similarity,
};
