/* SPDX-License-Identifier: GPL-3.0-or-later
 * MinHash with n hash functions. Slot i holds the smallest value of the i-th function, a product of the mixed hash
 * (minima.c), over the document's set of features. Two slots agree with probability J, the Jaccard coefficient of the
 * sets, and independently, so that the number of differing slots is binomial. With b > 0 the lowest b bits of each slot
 * are kept; slots that differ agree in them with probability 2⁻ᵇ (Li and König, theorem 1, for sets that are small in a
 * universe of 2⁶⁴). Weights are ignored. For an empty set every slot has the largest value: it equals other empty sets
 * and differs from all others, except for these chance agreements. */
#include <math.h>
#include <string.h>

#include "algorithms/families/law.h"
#include "algorithms/families/sets.h"
#include "algorithms/families/signature.h"
#include "algorithms/families/signs.h"
#include "algorithms/kernels/sketch_kernels.h"

typedef struct minhash_parameters {
    fp_signature signature;
    int64_t query;
} minhash_parameters;

static const fp_parameter PARAMETERS[] = {
    FP_SIGNATURE_ROWS,
    {"query", FP_CHOICE, "",
     "a query's slots: as stored, or with their two smallest values, which are not stored; "
     "distances of two texts are the mean of both directions",
     "bits", 0, 0, fp_query_names, offsetof(minhash_parameters, query)},
    {0},
};

static fp_status values(const fp_instance *self, const fp_features *features, fp_arena *scratch, uint64_t *value,
                        fp_error *error) {
    const fp_signature *signature = self->parameters;
    size_t count;
    const uint64_t *salted = FP_NEED(fp_signature_salted(signature, features, scratch, &count), error);
    memset(value, 0xff, (size_t)signature->slots * sizeof *value);
    if (count == 0) return FP_OK;
    fp_least_products(salted, count, value, (size_t)signature->slots);
    fp_signature_finish(value, (size_t)signature->slots);
    return FP_OK;
}

/* ---- query=real: the two smallest values of each slot of the query A against b bits of a stored slot of B ----
 *
 * A has a features, the share c of them is also in B, and B has r·a others, so that J = c/(1 + r). The values of A's
 * features in a slot are uniform: in the unit 1/a, e = −a·ln(1 − u), the smallest e₁ < e₂ < … are a Poisson process.
 * The stored slot is A's k-th value if that feature is in B, those before it are not, and no other value of B is below
 * it:
 *
 *     wₖ = P[B has A's k-th | e] = c·(1 − c)ᵏ⁻¹·exp(−r·eₖ),
 *     P[stored bits = m | e] = Σₖ wₖ·[m = bits of A's k-th] + (1 − Σₖ wₖ)·2⁻ᵇ,   k = 1, 2.
 *
 * Without the values, E[w₁] = c/(1 + r) = J gives Li and König's theorem 1. A stored slot adds the derivative of the
 * logarithm of this probability in the direction ∂/∂c − ρ·∂/∂r at c = r = 1/2 (J = 1/3). With ρ = 2¹⁻ᵇ that is, within
 * 0.1 in ρ, the direction of the efficient score of J for unknown r, so that sets of different sizes bias the estimate
 * little. ĉ is the c at which the sum equals its expectation, given the query's values and sets of equal size, r = 1 −
 * c. The expectation grows with c, and at c = 1 it is what the query's own slots add. More than two values add 1%
 * (docs/eight-bytes.md). */

enum { STEPS = 32, SCALE = 1 << 20, FAR = 1000 };

/* What a sketch with two sides holds. */
typedef struct sides {
    void *value[2];    /* the smallest values of the slots, as they are stored, and the next */
    int64_t *expected; /* [STEPS + 1] expectations of the sum in units of 1/SCALE, at c = 0, 1/STEPS, … 1 */
    int32_t *gain[2];  /* [slots] in the same unit: the term of a stored slot equal to the value, minus that of a slot
                          equal to neither */
} sides;

static sides sides_of(const fp_slots_form *form, const void *sketch) {
    unsigned char *at = (unsigned char *)(uintptr_t)sketch;
    sides of = {.value = {at, at + form->bytes}, .expected = (int64_t *)(void *)(at + 2 * form->bytes)};
    of.gain[0] = (int32_t *)(void *)(of.expected + STEPS + 1);
    of.gain[1] = of.gain[0] + form->slots;
    return of;
}

static fp_status layout(const void *opaque, fp_layout *out, fp_error *error) {
    const minhash_parameters *parameters = opaque;
    FP_TRY(fp_signature_layout(opaque, out, error));
    if (parameters->query != FP_QUERY_REAL) return FP_OK;
    out->stored = out->bytes;
    out->bytes = 2 * out->bytes + (STEPS + 1) * sizeof(int64_t) + 2 * out->slots * sizeof(int32_t);
    out->bits = out->slots = 0;
    out->integral = out->planar = false;
    return FP_OK;
}

static double bits_chance(const fp_signature *signature) {
    return ldexp(1, -(int)(signature->b ? signature->b : signature->width == 1 ? 64 : 32));
}

static void weigh_slot(const double e[2], double chance, bool same, double gain[2]) {
    double h[2] = {exp(-e[0] / 2), exp(-e[1] / 2)}, rho = 2 * chance, w[2] = {h[0] / 2, h[1] / 4},
           d[2] = {(1 + rho * e[0] / 2) * h[0], rho * e[1] / 4 * h[1]}, rest = 1 - w[0] - w[1], lost = -d[0] - d[1];
    gain[0] = (d[0] + chance * lost + (same ? d[1] : 0)) / (w[0] + chance * rest + (same ? w[1] : 0)) - lost / rest;
    gain[1] = same ? 0 : (d[1] + chance * lost) / (w[1] + chance * rest) - lost / rest;
}

/* Fills `of` from the values least[slots] and second[slots] of `count` features. */
static void weigh(const fp_signature *signature, const uint64_t *least, const uint64_t *second, size_t count,
                  sides of) {
    double chance = bits_chance(signature), expected[STEPS] = {0};
    int64_t own = 0;
    for (size_t i = 0; i < (size_t)signature->slots; i++) {
        const uint64_t value[2] = {least[i], second[i]};
        uint64_t kept[2];
        double e[2], gain[2], step[2], power[2] = {1, 1};
        for (int k = 0; k < 2; k++) {
            e[k] = fmin(-(double)count * log1p(-fp_hash_fraction(value[k])), FAR);
            kept[k] = fp_signature_kept(signature, value[k] ^ value[k] >> 32);
            step[k] = exp(-e[k] / STEPS);
        }
        bool same = kept[0] == kept[1];
        weigh_slot(e, chance, same, gain);
        for (int k = 0; k < 2; k++) gain[k] = of.gain[k][i] = (int32_t)nearbyint(gain[k] * SCALE);
        own += of.gain[0][i];
        for (int j = STEPS - 1; j >= 0; j--) {
            double c = (double)j / STEPS, w[2];
            for (int k = 0; k < 2; k++) power[k] *= step[k], w[k] = c * (k ? 1 - c : 1) * power[k];
            double rest = chance * (1 - w[0] - w[1]);
            expected[j] += gain[0] * (w[0] + rest + (same ? w[1] : 0)) + gain[1] * (w[1] + rest);
        }
    }
    of.expected[STEPS] = own;
    for (int j = STEPS - 1; j >= 0; j--) {
        of.expected[j] = llrint(expected[j]);
        if (of.expected[j] > of.expected[j + 1]) of.expected[j] = of.expected[j + 1];
    }
}

static fp_status sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *out,
                        fp_error *error) {
    const fp_signature *signature = self->parameters;
    if (!self->layout.stored) return fp_signature_sketch(self, document, values, scratch, out, error);
    fp_slots_form form = fp_signature_form(signature);
    size_t count, slots = form.slots;
    uint64_t *salted = fp_signature_salted(signature, &document->features, scratch, &count),
             *value = fp_arena_raw(scratch, 3 * slots, sizeof *value);
    void *made = fp_arena_alloc(scratch, self->layout.bytes, 1);
    if (!salted || !value || !made) return fp_no_memory(error);
    sides of = sides_of(&form, made);
    FP_TRY(fp_set_sort(salted, count, scratch, error));
    count = fp_set_unique(salted, count);
    fp_two_least_kernels[fp_cpu_chosen()](salted, count, value, value + slots, slots);
    weigh(signature, value, value + slots, count, of);
    for (int k = 0; k < 2; k++) {
        memcpy(value + 2 * slots, value + (size_t)k * slots, slots * sizeof *value);
        if (count) fp_signature_finish(value + 2 * slots, slots);
        fp_signature_pack(&form, value + 2 * slots, of.value[k]);
    }
    *out = (fp_sketch){.data = made, .size = self->layout.bytes};
    return FP_OK;
}

/* Bit i is set if slot 64·word + i agrees. */
static uint64_t agreeing(const fp_slots_form *form, const void *a, const void *b, size_t word) {
    const uint64_t *x = a, *y = b;
    const uint32_t *narrow = a, *other = b;
    size_t first = word * 64, some = form->slots - first < 64 ? form->slots - first : 64;
    uint64_t differs = 0;
    for (size_t p = word * form->planes; p < (word + 1) * form->planes; p++) differs |= x[p] ^ y[p];
    for (size_t i = first; i < first + some && !form->planes; i++)
        differs |= (uint64_t)(form->wide ? x[i] != y[i] : narrow[i] != other[i]) << (i - first);
    return ~differs & (some < 64 ? (UINT64_C(1) << some) - 1 : UINT64_MAX);
}

/* The number of differing slots that corresponds to a sum. */
static double distance_of(const fp_instance *self, const int64_t *expected, int64_t sum) {
    int j = STEPS;
    while (j > 0 && expected[j] > sum) j--;
    if (j == STEPS) return 0;
    double step = (double)(expected[j + 1] - expected[j]),
           c = step > 0 ? (j + (double)(sum - expected[j]) / step) / STEPS : 0,
           differing = (c < 0 ? 1 - c / 2 : 2 * (1 - c) / (2 - c)) * fp_signature_chance(self->parameters);
    return fmin(differing, 1) * self->layout.maximum;
}

static double one_direction(const fp_instance *self, const fp_slots_form *form, const void *query, const void *stored) {
    sides of = sides_of(form, query);
    int64_t sum = 0;
    for (size_t word = 0; word * 64 < form->slots; word++)
        for (int k = 0; k < 2; k++)
            for (uint64_t agree = agreeing(form, of.value[k], stored, word); agree; agree &= agree - 1)
                sum += of.gain[k][word * 64 + (size_t)__builtin_ctzll(agree)];
    return distance_of(self, of.expected, sum);
}

static void query_distances(const fp_instance *self, fp_sketch query, const fp_sketches *stored, size_t first,
                            size_t count, double within, double *out) {
    fp_slots_form form = fp_signature_form(self->parameters);
    for (size_t i = 0; i < count; i++) {
        double distance = one_direction(self, &form, query.data, fp_sketches_at(stored, first + i).data);
        out[i] = distance <= within ? distance : INFINITY;
    }
}

static double distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    if (!self->layout.stored) return fp_signature_distance(self, a, b);
    fp_slots_form form = fp_signature_form(self->parameters);
    return (one_direction(self, &form, a.data, b.data) + one_direction(self, &form, b.data, a.data)) / 2;
}

static void distances(const fp_instance *self, fp_sketch query, const fp_sketches *many, size_t first, size_t count,
                      double *out) {
    if (!self->layout.stored) fp_signature_acceleration.distances(self, query, many, first, count, out);
    else
        for (size_t i = 0; i < count; i++) out[i] = distance(self, query, fp_sketches_at(many, first + i));
}

/* How many times as many slots query=bits needs for the same variance, by b up to 5 and J = 0, 1/4, … 1, for sets of
 * equal size. There is no closed form; simulated by tests/deep/laws/eight_bytes.py (minhash), within 2%, for many bits
 * and J near 0 within 10%. */
static double slots_saved(double jaccard, double chance) {
    static const double FACTOR[][5] = {{1.62, 1.35, 1.21, 1.07, 0.93},
                                       {1.71, 1.40, 1.25, 1.09, 0.95},
                                       {1.75, 1.41, 1.27, 1.11, 0.97},
                                       {1.78, 1.41, 1.28, 1.12, 0.98},
                                       {1.60, 1.42, 1.30, 1.15, 1.02}};
    const double *row = FACTOR[(size_t)fmin(-log2(chance), 5) - 1];
    size_t at = (size_t)fmax(0, fmin(4 * jaccard, 3));
    return row[at] + (4 * jaccard - (double)at) * (row[at + 1] - row[at]);
}

static double law(const fp_instance *self, double similarity, double h) {
    const fp_signature *signature = self->parameters;
    if (!self->layout.stored) return fp_signature_law(self, similarity, h);
    double n = (double)signature->slots, differs = (1 - similarity) * fp_signature_chance(signature),
           variance = differs * (1 - differs) / n / slots_saved(similarity, bits_chance(signature));
    /* P[largest distance]: neither value of either side equals the other's smallest, not even by chance. */
    double every = pow((1 - similarity) * (1 - similarity) * pow(fp_signature_chance(signature), 3), n);
    return fp_law_share(h / n, differs, variance, pow(1 - differs, n), every);
}

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                         fp_error *error) {
    fp_slots_form form = fp_signature_form(self->parameters);
    fp_sketch made;
    FP_TRY(fp_signature_explain_matrix(self, document, values, scratch, to, error));
    FP_TRY(fp_signature_explain(self, document, values, scratch, to, error));
    if (!self->layout.stored) return FP_OK;
    FP_TRY(sketch(self, document, scratch, &made, error));
    sides of = sides_of(&form, made.data);
    fp_explain_step(to, "query=real: what a query knows beyond its stored slots");
    fp_explain_line(
        to,
        "The slots above are stored (%zu bytes). A query also has the next smallest value of each slot, and "
        "what a stored slot says that equals either (%zu bytes, not stored): the smaller a value, the "
        "likelier it is shared.",
        self->layout.stored, self->layout.bytes - self->layout.stored);
    fp_explain_table(to, ">slot|>equals the smallest|>equals the next");
    for (size_t i = 0; i < form.slots; i++) {
        fp_explain_cell(to, "%zu", i + 1);
        for (int k = 0; k < 2; k++) fp_explain_cell(to, "%.3f", (double)of.gain[k][i] / SCALE);
    }
    return FP_OK;
}

static fp_status explain_pair(const fp_instance *self, const fp_document *a, const fp_document *b, fp_arena *scratch,
                              fp_explanation *to, fp_error *error) {
    fp_slots_form form = fp_signature_form(self->parameters);
    fp_sketch made[2];
    FP_TRY(fp_signature_explain_pair(self, a, b, values, scratch, to, error));
    if (!self->layout.stored) return FP_OK;
    for (int i = 0; i < 2; i++) FP_TRY(sketch(self, i ? b : a, scratch, made + i, error));
    fp_explain_line(to, "A against what is stored of B is %.6g of %zu slots, B against what is stored of A %.6g.",
                    one_direction(self, &form, made[0].data, made[1].data), form.slots,
                    one_direction(self, &form, made[1].data, made[0].data));
    return FP_OK;
}

static const fp_acceleration ACCELERATION = {.distances = distances};

const fp_algorithm fp_algorithm_minhash = {
    .abi = FP_ABI_VERSION,
    .sketch = sketch,
    .distance = distance,
    .query_distances = query_distances,
    .similarity = fp_signature_similarity,
    .explain = explain,
    .explain_pair = explain_pair,
    .acceleration = &ACCELERATION,
    .needs = FP_NEEDS_FEATURES | FP_MARKS_FEATURES,
    .name = "minhash",
    .summary = "n smallest hashes of the shingle set; the share of equal slots estimates the Jaccard coefficient",
    .citation =
        "Broder, On the resemblance and containment of documents, 1997; Broder, Charikar, Frieze, Mitzenmacher, Min-wise independent "
        "permutations, STOC 1998, equation 1 (P[slots agree] = J); b > 0: Li, König, b-bit minwise hashing, WWW 2010, theorem 1 "
        "(P[bits agree] = 2⁻ᵇ + (1 − 2⁻ᵇ)J); query=real is fplab's",
    .features = "features=chars:3,weight=binary",
    .parameters_size = sizeof(minhash_parameters),
    .parameters = PARAMETERS,
    .layout = layout,
    .measure = "Jaccard",
    .law = law,
    .counterpart = "jaccard",
};
