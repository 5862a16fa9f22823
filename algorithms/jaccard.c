/* SPDX-License-Identifier: GPL-3.0-or-later
 * The Jaccard coefficient of k-shingle sets, exactly: the sketch is the sorted set of the term hashes. measure=weighted
 * is the coefficient of the weights, Σmin/Σmax over the union, and measure=probability that of the weights as shares,
 * whatever the totals. Sketches of these two have a weight after each hash; the other measures ignore weights. Two
 * empty sets are equal (distance 0); an empty set and a non-empty one are at the largest distance. */
#include <math.h>

#include "algorithms/families/law.h"
#include "algorithms/families/sets.h"
#include "algorithms/kernels/distance_kernels.h"

enum { WEIGHTED = FP_CONTAINMENT + 1, PROBABILITY };

typedef struct jaccard_parameters {
    int64_t measure;
} jaccard_parameters;

static const char *const MEASURES[] = {FP_SET_MEASURES, "weighted", "probability", NULL};

static const fp_parameter PARAMETERS[] = {
    {"measure", FP_CHOICE, "",
     "resemblance |A∩B|/|A∪B|, overlap |A∩B|/min(|A|, |B|), containment, the mean of |A∩B|/|A| and |A∩B|/|B|, weighted "
     "Σmin/Σmax, or probability, the same of shares of the weight (choose a weight=)",
     "resemblance", 0, 0, MEASURES, offsetof(jaccard_parameters, measure)},
    {0},
};

static int64_t measure_of(const fp_instance *self) { return ((const jaccard_parameters *)self->parameters)->measure; }
static bool weighs(const fp_instance *self) { return measure_of(self) >= WEIGHTED; }

static fp_status layout(const void *opaque, fp_layout *out, fp_error *error) {
    (void)error;
    const jaccard_parameters *parameters = opaque;
    fp_set_layout_of(parameters->measure == WEIGHTED      ? "weighted Jaccard"
                     : parameters->measure == PROBABILITY ? "probability Jaccard"
                                                          : fp_set_measure_name(parameters->measure),
                     out);
    return FP_OK;
}

static fp_status weighted_sketch(const fp_features *features, fp_arena *scratch, fp_sketch *out, fp_error *error) {
    fp_weighted_term *terms;
    FP_TRY(fp_weighted_terms(features, scratch, &terms, error));
    *out = (fp_sketch){.data = terms, .size = features->count * sizeof *terms};
    return FP_OK;
}

static fp_status sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *out,
                        fp_error *error) {
    size_t count = document->features.count;
    if (weighs(self)) return weighted_sketch(&document->features, scratch, out, error);
    uint64_t *set = FP_NEED(fp_arena_raw(scratch, count, sizeof *set), error);
    for (size_t i = 0; i < count; i++) set[i] = document->features.hash[i];
    FP_TRY(fp_set_sort(set, count, scratch, error));
    *out = (fp_sketch){.data = set, .size = count * sizeof *set};
    return FP_OK;
}

/* The sum of the smaller weights of common hashes, in the order of the hashes. */
static double smaller_weights(const fp_weighted_term *a, size_t a_count, const fp_weighted_term *b, size_t b_count) {
    double sum = 0;
    size_t i = 0, j = 0;
    while (i < a_count && j < b_count) {
        uint64_t left = a[i].hash, right = b[j].hash;
        if (left == right) sum += a[i].weight < b[j].weight ? a[i].weight : b[j].weight;
        i += left <= right;
        j += right <= left;
    }
    return sum;
}

/* A set, or a vector with the sum of its weights. */
static fp_join vector(const fp_instance *self, fp_sketch sketched, fp_vector *out) {
    if (!weighs(self)) {
        *out = (fp_vector){.count = sketched.size / sizeof(uint64_t), .step = sizeof(uint64_t), .key = sketched.data};
        return FP_JOIN_COUNT;
    }
    const fp_weighted_term *terms = sketched.data;
    *out = (fp_vector){
        .count = sketched.size / sizeof *terms, .step = sizeof *terms, .key = &terms->hash, .value = &terms->weight};
    for (size_t i = 0; i < out->count; i++) out->total += terms[i].weight;
    return FP_JOIN_MINIMUM;
}

/* Σmin/Σmax. Σmax is the sum of all weights minus Σmin; it is at least half of that sum, so that nothing cancels. */
static double weighted_distance(const fp_vector *a, const fp_vector *b, double low) {
    if (a->count == 0 && b->count == 0) return 0;
    double likeness = low / (a->total + b->total - low);
    return fp_rounded(64 * (1 - likeness));
}

/* J_P = Σ over the common features of 1/Σ_d max(a(d)/a, b(d)/b). */
static double probability_distance(const fp_vector *a, const fp_vector *b) {
    const fp_weighted_term *left = (const void *)a->key, *right = (const void *)b->key;
    double likeness = 0;
    for (size_t i = 0, j = 0; i < a->count && j < b->count;) {
        uint64_t one = left[i].hash, other = right[j].hash;
        if (one == other) {
            double sum = 0;
            for (size_t k = 0, l = 0; k < a->count || l < b->count;) {
                bool of_left = l == b->count || (k < a->count && left[k].hash <= right[l].hash);
                bool of_right = k == a->count || (l < b->count && right[l].hash <= left[k].hash);
                sum += fmax(of_left ? left[k].weight / left[i].weight : 0,
                            of_right ? right[l].weight / right[j].weight : 0);
                k += of_left;
                l += of_right;
            }
            likeness += 1 / sum;
        }
        i += one <= other;
        j += other <= one;
    }
    if (!a->count && !b->count) return 0;
    return fp_rounded(64 * (1 - fmin(likeness, 1)));
}

static double joined(const fp_instance *self, const fp_vector *a, const fp_vector *b, double sum) {
    if (measure_of(self) == PROBABILITY) return sum > 0 ? NAN : a->count || b->count ? 64 : 0;
    if (weighs(self)) return weighted_distance(a, b, sum);
    return 64 * (1 - fp_set_ratio((fp_set_measure)measure_of(self), (size_t)sum, a->count, b->count));
}

/* fp_set_ratio of two sets that are not empty. */
static void joined_many(const fp_instance *self, const fp_vector *one, const fp_vector *others, const uint32_t *which,
                        size_t count, double *sum) {
    enum { BLOCK = 256 };
    double size[BLOCK];
    if (measure_of(self) != FP_RESEMBLANCE) {
        for (size_t i = 0; i < count; i++) sum[i] = joined(self, one, others + which[i], sum[i]);
        return;
    }
    for (size_t begin = 0; begin < count; begin += BLOCK) {
        size_t some = count - begin < BLOCK ? count - begin : BLOCK;
        for (size_t i = 0; i < some; i++) size[i] = (double)others[which[begin + i]].count;
        fp_set_ratio_kernels[fp_cpu_chosen()]((double)one->count, size, some, sum + begin);
    }
}

static double distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    fp_vector left, right;
    vector(self, a, &left);
    vector(self, b, &right);
    if (measure_of(self) == PROBABILITY) return probability_distance(&left, &right);
    double sum = weighs(self) ? smaller_weights(a.data, left.count, b.data, right.count)
                              : (double)fp_set_shared(a.data, left.count, b.data, right.count);
    return joined(self, &left, &right, sum);
}

/* ---- Explanations ---- */

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                         fp_error *error) {
    const fp_features *features = &document->features;
    (void)scratch;
    (void)error;
    fp_explain_step(to, "set");
    fp_explain_line(to, "%zu features, each counted once%s.", features->count, weighs(self) ? ", with its weight" : "");
    fp_explain_table(to, weighs(self) ? "term|>weight|hash" : "term|hash");
    for (size_t i = 0; i < features->count; i++) {
        fp_explain_term(to, features, i);
        if (weighs(self)) fp_explain_cell(to, "%.6g", features->weight[i]);
        fp_explain_cell(to, "%016llx", (unsigned long long)features->hash[i]);
    }
    return FP_OK;
}

static void explain_row(const fp_features *features, size_t i, double a, double b, bool weighted, fp_explanation *to) {
    fp_explain_term(to, features, i);
    if (weighted) {
        fp_explain_cell(to, "%.6g", a);
        fp_explain_cell(to, "%.6g", b);
        return;
    }
    fp_explain_cell(to, "%s", a > 0 ? "x" : "");
    fp_explain_cell(to, "%s", b > 0 ? "x" : "");
}

static fp_status explain_pair(const fp_instance *self, const fp_document *a, const fp_document *b, fp_arena *scratch,
                              fp_explanation *to, fp_error *error) {
    const fp_features *left = &a->features, *right = &b->features;
    double low = 0, high = 0;
    size_t both = 0;
    (void)scratch;
    (void)error;
    fp_explain_step(to, "union");
    fp_explain_table(to, "term|>A|>B");
    for (size_t i = 0; i < left->count; i++) {
        double own = left->weight[i], other = fp_weight_of(right, left->hash[i]);
        explain_row(left, i, own, other, weighs(self), to);
        both += other > 0;
        low += fmin(own, other);
        high += fmax(own, other);
    }
    for (size_t i = 0; i < right->count; i++) {
        if (fp_weight_of(left, right->hash[i]) > 0) continue;
        explain_row(right, i, 0, right->weight[i], weighs(self), to);
        high += right->weight[i];
    }
    fp_explain_step(to, "coefficient");
    if (measure_of(self) == PROBABILITY)
        fp_explain_line(to, "Every common feature d counts 1/Σ max(a'/a(d), b'/b(d)), the sum over all features.");
    else if (weighs(self)) fp_explain_line(to, "Sum of the smaller weights %.6g, of the larger %.6g.", low, high);
    else
        fp_explain_line(to, "A has %zu features, B %zu; %zu are in both, %zu in at least one.", left->count,
                        right->count, both, left->count + right->count - both);
    return FP_OK;
}

static const fp_acceleration ACCELERATION = {
    .vector = vector,
    .joined = joined,
    .joined_many = joined_many,
};

const fp_algorithm fp_algorithm_jaccard = {
    .abi = FP_ABI_VERSION,
    .needs = FP_NEEDS_FEATURES,
    .name = "jaccard",
    .summary = "exact Jaccard coefficient of the k-shingle sets",
    .citation = "Broder, On the resemblance and containment of documents, SEQUENCES 1997, section 2; containment here "
                "is the mean of both directions; weighted: Σmin/Σmax, as in Ioffe, ICDM 2010; probability: Moulton, "
                "Jiang, Maximally consistent sampling and the Jaccard index of probability distributions, ICDM 2018",
    .features = "features=chars:3,weight=binary",
    .parameters_size = sizeof(jaccard_parameters),
    .parameters = PARAMETERS,
    .layout = layout,
    .sketch = sketch,
    .distance = distance,
    .explain = explain,
    .explain_pair = explain_pair,
    .measure = "Jaccard",
    .similarity = fp_set_similarity,
    .acceleration = &ACCELERATION,
};
