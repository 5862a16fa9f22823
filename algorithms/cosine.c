/* SPDX-License-Identifier: GPL-3.0-or-later
 * The angle between sparse term vectors, exactly: distance 64·θ/π. The sketch is the unit vector: n term hashes in
 * ascending order, each with its weight. Two empty vectors are equal; an empty vector is orthogonal to all others. */
#include "algorithms/arms/arm.h"

#include <math.h>

#include "algorithms/families/law.h"
#include "algorithms/families/sets.h"
#include "algorithms/families/signs.h"
#include "algorithms/kernels/distance_kernels.h"

static fp_status layout(const void *parameters, fp_layout *out, fp_error *error) {
    (void)parameters;
    (void)error;
    *out = (fp_layout){.maximum = 64, .scale = "bits of 64"};
    return FP_OK;
}

static fp_status sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *out,
                        fp_error *error) {
    (void)self;
    const fp_features *features = &document->features;
    size_t count = features->count;
    fp_weighted_term *vector;
    FP_TRY(fp_weighted_terms(features, scratch, &vector, error));
    double squares = 0;
    for (size_t i = 0; i < count; i++) squares += vector[i].weight * vector[i].weight;
    double norm = sqrt(squares);
    for (size_t i = 0; i < count; i++) vector[i].weight /= norm;
    *out = (fp_sketch){.data = vector, .size = count * sizeof *vector};
    return FP_OK;
}

static double rounded(double angle) { return fp_rounded(64 * angle / M_PI); }

static fp_join vector(const fp_instance *self, fp_sketch sketched, fp_vector *out) {
    (void)self;
    const fp_weighted_term *first = sketched.data;
    *out = (fp_vector){
        .count = sketched.size / sizeof *first, .step = sizeof *first, .key = &first->hash, .value = &first->weight};
    return FP_JOIN_PRODUCT;
}

/* θ = 2·atan2(|u − v|, |u + v|) (Kahan 2006, section 12), with |u ± v|² = 2 ± 2u·v for unit vectors. If u·v is near 1,
 * 2 − 2u·v cancels, and the caller must use `distance`. Up to NEAR a relative error e of u·v moves θ by cot θ·e <
 * 7.1·e. For n terms, the errors of the product and of the norms are at most 2n·2⁻⁵³ together: 1.6·10⁻¹² in θ for 1,000
 * terms, or 3.2·10⁻¹¹ on the scale of 64, where distances are multiples of 2.3·10⁻¹⁰. */
static double joined(const fp_instance *self, const fp_vector *a, const fp_vector *b, double dot) {
    static const double NEAR = 0.99;
    (void)self;
    if (a->count == 0 && b->count == 0) return 0;
    if (dot > NEAR) return NAN;
    return rounded(2 * atan2(sqrt(2 - 2 * dot), sqrt(2 + 2 * dot)));
}

/* For u·v ≤ 0.99: cot θ·off < 7.1·off in θ, and half of 2⁻³² for each rounding; the result is twice that. */
double fp_cosine_moves(const fp_instance *instance, double off) {
    static const double COT = 7.1;
    if (instance->algorithm->sketch != sketch) return INFINITY;
    return 2 * (64 / M_PI * COT * off + 0x1p-32);
}

static void joined_many(const fp_instance *self, const fp_vector *one, const fp_vector *others, const uint32_t *which,
                        size_t count, double *dot) {
    enum { BLOCK = 256 };
    double angle[BLOCK];
    for (size_t begin = 0; begin < count; begin += BLOCK) {
        size_t some = count - begin < BLOCK ? count - begin : BLOCK;
        fp_angles_kernels[fp_cpu_chosen()](dot + begin, some, angle);
        for (size_t i = 0; i < some; i++) {
            double *at = dot + begin + i;
            *at = isnan(angle[i]) ? joined(self, one, others + which[begin + i], *at) : angle[i];
        }
    }
}

static double dot_product(const fp_weighted_term *u, size_t u_count, const fp_weighted_term *v, size_t v_count) {
    double sum = 0;
    size_t i = 0, j = 0;
    while (i < u_count && j < v_count) {
        uint64_t left = u[i].hash, right = v[j].hash;
        if (left == right) sum += u[i].weight * v[j].weight;
        i += left <= right;
        j += right <= left;
    }
    return sum;
}

/* The angle from |u − v| and |u + v| themselves. */
static double small_angle(const fp_weighted_term *u, size_t u_count, const fp_weighted_term *v, size_t v_count) {
    double apart = 0, together = 0;
    size_t i = 0, j = 0;
    while (i < u_count || j < v_count) {
        bool left = j == v_count || (i < u_count && u[i].hash <= v[j].hash),
             right = i == u_count || (j < v_count && v[j].hash <= u[i].hash);
        double of_u = left ? u[i].weight : 0, of_v = right ? v[j].weight : 0;
        apart += (of_u - of_v) * (of_u - of_v);
        together += (of_u + of_v) * (of_u + of_v);
        i += left;
        j += right;
    }
    return 2 * atan2(sqrt(apart), sqrt(together));
}

static double distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    fp_vector u, v;
    vector(self, a, &u);
    vector(self, b, &v);
    double angle = joined(self, &u, &v, dot_product(a.data, u.count, b.data, v.count));
    return isnan(angle) ? rounded(small_angle(a.data, u.count, b.data, v.count)) : angle;
}

/* ---- Explanations ---- */

static double norm_of(const fp_features *features) {
    double squares = 0;
    for (size_t i = 0; i < features->count; i++) squares += features->weight[i] * features->weight[i];
    return sqrt(squares);
}

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                         fp_error *error) {
    (void)self;
    (void)scratch;
    (void)error;
    const fp_features *features = &document->features;
    fp_explain_step(to, "term vector");
    fp_explain_table(to, "term|>weight");
    for (size_t i = 0; i < features->count; i++) {
        fp_explain_term(to, features, i);
        fp_explain_cell(to, "%.6g", features->weight[i]);
    }
    fp_explain_step(to, "norm");
    fp_explain_line(to, "root of the sum of squares: %.6g", norm_of(features));
    return FP_OK;
}

static void explain_row(fp_explanation *to, const fp_features *features, size_t i, double a, double b) {
    fp_explain_term(to, features, i);
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
    fp_explain_table(to, "term|>A|>B|>product");
    for (size_t i = 0; i < left->count; i++) {
        double other = fp_weight_of(right, left->hash[i]);
        explain_row(to, left, i, left->weight[i], other);
        dot += left->weight[i] * other;
    }
    for (size_t i = 0; i < right->count; i++)
        if (fp_weight_of(left, right->hash[i]) == 0) explain_row(to, right, i, 0, right->weight[i]);
    double left_norm = norm_of(left), right_norm = norm_of(right);
    fp_explain_step(to, "cosine");
    fp_explain_table(to, ">dot product|norm of A|norm of B|>cosine");
    fp_explain_cell(to, "%.6g", dot);
    fp_explain_cell(to, "√%.6g = %.6g", left_norm * left_norm, left_norm);
    fp_explain_cell(to, "√%.6g = %.6g", right_norm * right_norm, right_norm);
    if (left_norm > 0 && right_norm > 0) fp_explain_cell(to, "%.6g", dot / (left_norm * right_norm));
    else fp_explain_cell(to, "NA");
    return FP_OK;
}

static const fp_acceleration ACCELERATION = {
    .vector = vector,
    .joined = joined,
    .joined_many = joined_many,
};

const fp_algorithm fp_algorithm_cosine = {
    .abi = FP_ABI_VERSION,
    .needs = FP_NEEDS_FEATURES,
    .name = "cosine",
    .summary = "exact angle between term-frequency or TF-IDF vectors",
    .citation = "Salton, Wong, Yang, A vector space model for automatic indexing, CACM 18(11), 1975; angle after "
                "Kahan, How futile are mindless assessments of roundoff, 2006, section 12",
    .features = "features=words,weight=tf",
    .layout = layout,
    .sketch = sketch,
    .distance = distance,
    .explain = explain,
    .explain_pair = explain_pair,
    .measure = "cosine",
    .similarity = fp_signs_similarity,
    .acceleration = &ACCELERATION,
};
