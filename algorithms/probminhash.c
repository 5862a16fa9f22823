/* SPDX-License-Identifier: GPL-3.0-or-later
 * ProbMinHash and SetSketch. Every feature generates a Poisson process of points in random slots; a slot keeps its
 * first point, so that first points of different slots are independent. A feature stops when its next point is later
 * than the first points of all slots.
 *
 * ProbMinHash: a feature of weight w has the rate w per slot, and a slot keeps the feature that came first. Two slots
 * agree with probability J_P = Σ_d 1/Σ_d' max(a(d')/a(d), b(d')/b(d)), the probability Jaccard similarity, which does
 * not change when all the weights of a document are multiplied by a number. The number of differing slots is binomial.
 *
 * SetSketch: all features have the rate `RATE`, and a slot keeps ⌊1 − log_base x⌋ of the time x of its first point, at
 * least 1: 16 bits. J is the maximum-likelihood estimate from the numbers of slots where the one, the other or neither
 * sketch is larger, with the cardinalities estimated from each sketch alone (Ertl, equations 12 and 13). The estimate
 * has no closed distribution, so no law is given; by the paper its variance is near that of minhash for base near 1,
 * and for larger bases greater the closer the sets are. Two sketches of one set are at distance 0.
 *
 * Logarithms are computed here by operations that are rounded correctly: all machines agree to the last bit. For an
 * empty set all slots are 0. Two empty sets are equal; an empty set is at the largest distance from all other sets. */
#include <math.h>
#include <string.h>

#include "algorithms/families/law.h"
#include "algorithms/families/sets.h"
#include "algorithms/families/signature.h"

/* ln x for normal x > 0: the series of 2·artanh(s), s = (m − 1)/(m + 1), for √½ ≤ m < √2; the first omitted term is
 * below 2⁻⁵⁶ of it. */
static double natural_logarithm(double x) {
    enum { TERMS = 12 };
    static const double SHARE[TERMS] = {1,        1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9,  1.0 / 11,
                                        1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21, 1.0 / 23};
    int exponent;
    double m = frexp(x, &exponent);
    if (m < 0.70710678118654752) m *= 2, exponent--;
    double s = (m - 1) / (m + 1), square = s * s, sum = 0;
    for (int k = TERMS; k-- > 0;) sum = sum * square + SHARE[k];
    return 2 * s * sum + exponent * 0.69314718055994531;
}

/* For each slot the time of its first point, INFINITY if there is none, and the feature that generated it. */
typedef struct first_points {
    double *time;
    uint32_t *feature;
} first_points;

static double latest_of(const first_points *points, size_t slots) {
    double latest = 0;
    for (size_t i = 0; i < slots; i++) latest = points->time[i] > latest ? points->time[i] : latest;
    return latest;
}

/* The points of feature f, a process of the rate `rate` over all slots together, until no point can be the first of a
 * slot. *latest is the latest first point of all slots, or an older value of it: these times never grow. */
static void throw_points(uint64_t seed, uint32_t f, double rate, size_t slots, double *latest, first_points *points) {
    double time = 0;
    size_t changes = 0;
    for (uint64_t point = 0;; point++) {
        if (changes == slots) *latest = latest_of(points, slots), changes = 0;
        double uniform = ((double)(fp_mix(seed, 2 * point) >> 12) + 0.5) * 0x1p-52;
        /* −ln(1 − u) ≥ u + u²/2: most features end here, without a logarithm. */
        if ((time + uniform + uniform * uniform / 2) / rate >= *latest) break;
        time -= natural_logarithm(1 - uniform);
        if (time / rate >= *latest) break;
        size_t slot = (size_t)((fp_mix(seed, 2 * point + 1) >> 32) * slots >> 32);
        if (time / rate >= points->time[slot]) continue;
        points->time[slot] = time / rate;
        points->feature[slot] = f;
        changes++;
    }
    if (changes) *latest = latest_of(points, slots);
}

/* rate may be NULL: 1 for each feature. */
static fp_status first_of_all(uint64_t salt, const fp_features *features, const double *rate, size_t slots,
                              fp_arena *scratch, first_points *points, fp_error *error) {
    *points = (first_points){fp_arena_raw(scratch, slots, sizeof *points->time),
                             fp_arena_raw(scratch, slots, sizeof *points->feature)};
    if (!points->time || !points->feature) return fp_no_memory(error);
    double latest = INFINITY;
    for (size_t i = 0; i < slots; i++) points->time[i] = INFINITY;
    for (size_t f = 0; f < features->count; f++)
        throw_points(features->hash[f] ^ salt, (uint32_t)f, rate ? rate[f] : 1, slots, &latest, points);
    return FP_OK;
}

/* ---- ProbMinHash ---- */

static fp_status values(const fp_instance *self, const fp_features *features, fp_arena *scratch, uint64_t *value,
                        fp_error *error) {
    const fp_signature *signature = self->parameters;
    size_t slots = (size_t)signature->slots;
    uint64_t salt = fp_signature_salt(signature);
    first_points points;
    FP_TRY(first_of_all(salt, features, features->weight, slots, scratch, &points, error));
    for (size_t i = 0; i < slots; i++)
        value[i] = features->count ? fp_mix(features->hash[points.feature[i]] ^ salt, i) : UINT64_MAX;
    return FP_OK;
}

FP_SIGNATURE_FUNCTIONS(values)

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                         fp_error *error) {
    fp_signature_explain_weights(document, to);
    return fp_signature_explain(self, document, values, scratch, to, error);
}

const fp_algorithm fp_algorithm_probminhash = {
    FP_SIGNATURE_MEMBERS,
    .needs = FP_NEEDS_FEATURES,
    .name = "probminhash",
    .summary = "n samples of the features in proportion to their weights; equal slots estimate the probability Jaccard",
    .citation = "Ertl, ProbMinHash - a class of locality-sensitive hash algorithms for the (probability) Jaccard "
                "similarity, IEEE TKDE 34(7), 2022, algorithm 3 (ProbMinHash1; P[slots agree] = J_P)",
    .features = "features=chars:3,weight=tf",
    FP_SIGNATURE_PARAMETERS,
    .measure = "probability Jaccard",
    .law = fp_signature_law,
    .counterpart = "jaccard:measure=probability",
};

/* ---- SetSketch ---- */

typedef struct setsketch_parameters {
    int64_t slots;
    double base;
    int64_t seed;
} setsketch_parameters;

static const fp_parameter PARAMETERS[] = {
    {"slots", FP_INTEGER, "slots", "number of slots, 16 bits each", "64", 1, FP_MOST_SLOTS, NULL,
     offsetof(setsketch_parameters, slots)},
    {"base", FP_REAL, "", "how coarse a slot is: near 1 as minhash, 2 as HyperLogLog", "1.001", 1.0005, 2, NULL,
     offsetof(setsketch_parameters, base)},
    FP_SEED_PARAMETER("seed of the hash functions", setsketch_parameters, seed),
    {0},
};

static const double RATE = 20; /* the paper's a */

static size_t padded(size_t slots) { return (slots + 3) / 4 * 4; } /* sketches are multiples of 8 bytes */

static fp_status set_layout(const void *opaque, fp_layout *out, fp_error *error) {
    const setsketch_parameters *parameters = opaque;
    (void)error;
    *out = (fp_layout){.bytes = 2 * padded((size_t)parameters->slots),
                       .payload = 2 * (double)parameters->slots,
                       .maximum = 64,
                       .scale = "slots of 64"};
    return FP_OK;
}

static fp_status set_sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *out,
                            fp_error *error) {
    const setsketch_parameters *parameters = self->parameters;
    size_t slots = (size_t)parameters->slots;
    uint16_t *kept = fp_arena_alloc(scratch, padded(slots), sizeof *kept);
    first_points points;
    if (!kept) return fp_no_memory(error);
    FP_TRY(
        first_of_all(fp_mix((uint64_t)parameters->seed, 0), &document->features, NULL, slots, scratch, &points, error));
    double unit = natural_logarithm(parameters->base);
    for (size_t i = 0; document->features.count && i < slots; i++) {
        /* Unit rate over all slots; the rate RATE of each slot is slots·RATE times that. */
        double time = points.time[i] / (RATE * (double)slots);
        double level = floor(1 - natural_logarithm(time) / unit);
        kept[i] = level <= 0 ? 1 : level >= UINT16_MAX ? UINT16_MAX : (uint16_t)level;
    }
    *out = (fp_sketch){.data = kept, .size = 2 * padded(slots)};
    return FP_OK;
}

static bool set_is_empty(const fp_instance *self, fp_sketch sketched) {
    (void)self;
    return *(const uint16_t *)sketched.data == 0;
}

static double power(double base, unsigned exponent) {
    double value = 1;
    for (; exponent; exponent >>= 1, base *= base)
        if (exponent & 1) value *= base;
    return value;
}

/* Proportional to the estimated cardinality (equation 12): 1/Σ base^−K. */
static double cardinality(const setsketch_parameters *parameters, const uint16_t *kept) {
    double sum = 0;
    for (size_t i = 0; i < (size_t)parameters->slots; i++) sum += power(1 / parameters->base, kept[i]);
    return 1 / sum;
}

/* −log_base(1 − x·(base − 1)/base). */
static double larger_by(double x, double base) {
    return -natural_logarithm(1 - x * (base - 1) / base) / natural_logarithm(base);
}

/* The derivative in J of the log-likelihood of the numbers of slots where the first is larger, the second, neither. */
static double slope(double j, double u, double v, const double count[3], double base) {
    double share = (base - 1) / base, unit = natural_logarithm(base);
    double first = larger_by(u - v * j, base), second = larger_by(v - u * j, base), neither = 1 - first - second;
    double d_first = -v * share / unit / (1 - (u - v * j) * share);
    double d_second = -u * share / unit / (1 - (v - u * j) * share);
    double sum = 0;
    if (count[0] > 0) sum += count[0] * d_first / first;
    if (count[1] > 0) sum += count[1] * d_second / second;
    if (count[2] > 0) sum -= count[2] * (d_first + d_second) / neither;
    return sum;
}

/* The likelihood is strictly concave in J from 0 to min(u/v, v/u): its slope is 0 once, or has one sign. */
static double most_likely(double u, double v, const double count[3], double base) {
    double low = 0, high = u < v ? u / v : v / u;
    if (!(slope(low, u, v, count, base) > 0)) return low;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (slope(middle, u, v, count, base) > 0) low = middle;
        else high = middle;
    }
    return low;
}

static double set_distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    const setsketch_parameters *parameters = self->parameters;
    const uint16_t *left = a.data, *right = b.data;
    size_t slots = (size_t)parameters->slots;
    double count[3] = {0};
    if (!*left || !*right) return *left == *right ? 0 : 64;
    for (size_t i = 0; i < slots; i++) count[left[i] == right[i] ? 2 : left[i] < right[i]]++;
    if (count[2] == (double)slots) return 0;
    double of_left = cardinality(parameters, left), of_right = cardinality(parameters, right);
    if (of_left > of_right) { /* the same order of operations for both orders of the pair */
        double held = of_left, larger = count[0];
        of_left = of_right, of_right = held;
        count[0] = count[1], count[1] = larger;
    }
    double u = of_left / (of_left + of_right);
    double j = most_likely(u, 1 - u, count, parameters->base);
    return fp_rounded(64 * (1 - j));
}

static fp_status set_explain(const fp_instance *self, const fp_document *document, fp_arena *scratch,
                             fp_explanation *to, fp_error *error) {
    const setsketch_parameters *parameters = self->parameters;
    fp_sketch made;
    FP_TRY(set_sketch(self, document, scratch, &made, error));
    const uint16_t *kept = made.data;
    double scale =
        (1 - 1 / parameters->base) / (RATE * natural_logarithm(parameters->base)) * (double)parameters->slots;
    fp_explain_step(to, "slots");
    fp_explain_line(to, "%zu features; the slots estimate %.1f.", document->features.count,
                    document->features.count ? scale * cardinality(parameters, kept) : 0.0);
    fp_explain_table(to, ">slot|>kept|first point");
    for (size_t i = 0; i < (size_t)parameters->slots && document->features.count; i++) {
        fp_explain_cell(to, "%zu", i + 1);
        fp_explain_cell(to, "%u", kept[i]);
        fp_explain_cell(to, "%.3g", power(1 / parameters->base, kept[i]));
    }
    return FP_OK;
}

const fp_algorithm fp_algorithm_setsketch = {
    .abi = FP_ABI_VERSION,
    .needs = FP_NEEDS_FEATURES | FP_MARKS_FEATURES,
    .name = "setsketch",
    .summary = "logarithms of slot minima: between minhash and HyperLogLog; estimates Jaccard and cardinality",
    .citation = "Ertl, SetSketch: filling the gap between MinHash and HyperLogLog, PVLDB 14(11), 2021 (SetSketch1; "
                "cardinality, equation 12; Jaccard by maximum likelihood, section 3.2)",
    .features = "features=chars:3,weight=binary",
    .parameters_size = sizeof(setsketch_parameters),
    .parameters = PARAMETERS,
    .layout = set_layout,
    .sketch = set_sketch,
    .distance = set_distance,
    .is_empty = set_is_empty,
    .explain = set_explain,
    .measure = "Jaccard",
    .similarity = fp_set_similarity,
    .counterpart = "jaccard",
};
