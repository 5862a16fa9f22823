/* SPDX-License-Identifier: GPL-3.0-or-later
 * Random hyperplanes. Bit j is the side of the j-th random hyperplane on which the document's term vector lies: the
 * sign of Σ weight × coordinate of the term in direction j. For Gaussian directions two documents at angle θ differ in
 * each bit with probability exactly θ/π, independently of the other bits; for ±1 directions approximately, unless a few
 * terms outweigh the rest. A Gaussian coordinate is one of 65,536 quantiles of the normal distribution, chosen by its
 * own 16 bits; moments up to the fourth are those of the distribution to 2·10⁻³ (tests/algorithms/test_simhash_laws.c).
 * An empty document has only ties. */
#include <string.h>

#include "algorithms/families/sets.h"
#include "algorithms/families/signs.h"

typedef struct hyperplane_parameters {
    int64_t bits;
    int64_t kind; /* index into KINDS */
    int64_t tie;
    int64_t query;
    int64_t seed;
} hyperplane_parameters;

static const char *const KINDS[] = {"gaussian", "rademacher", NULL};
static const fp_direction DIRECTIONS[] = {FP_DIRECTION_TABULATED, FP_DIRECTION_RADEMACHER};

static const fp_parameter PARAMETERS[] = {
    {"bits", FP_INTEGER, "bits", "number of hyperplanes", "64", 4, FP_SIGNS_MOST, NULL,
     offsetof(hyperplane_parameters, bits)},
    {"kind", FP_CHOICE, "", "coordinates of the directions: gaussian, or rademacher (+1 and -1)", "gaussian", 0, 0,
     KINDS, offsetof(hyperplane_parameters, kind)},
    FP_TIE_PARAMETER(hyperplane_parameters, tie),
    FP_QUERY_PARAMETER(hyperplane_parameters, query),
    FP_SEED_PARAMETER("seed of the directions", hyperplane_parameters, seed),
    {0},
};

static fp_status layout(const void *opaque, fp_layout *out, fp_error *error) {
    (void)error;
    const hyperplane_parameters *parameters = opaque;
    fp_signs_layout((size_t)parameters->bits, parameters->query, out);
    return FP_OK;
}

static void project(const fp_instance *self, const fp_features *features, double sum[FP_SIGNS_MOST]) {
    const hyperplane_parameters *parameters = self->parameters;
    size_t blocks = fp_signs_words(self);
    memset(sum, 0, blocks * FP_DIRECTION_BLOCK * sizeof *sum);
    fp_directions_project(DIRECTIONS[parameters->kind], (uint64_t)parameters->seed, features, blocks, sum);
}

static fp_status sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *out,
                        fp_error *error) {
    const hyperplane_parameters *parameters = self->parameters;
    double sum[FP_SIGNS_MOST];
    project(self, &document->features, sum);
    return fp_signs_sketch(self, sum, parameters->tie, scratch, out, error);
}

/* ---- Explanations ---- */

static void coefficients(const fp_instance *self, uint64_t hash, double *coefficient) {
    const hyperplane_parameters *parameters = self->parameters;
    for (size_t block = 0; block < fp_signs_words(self); block++)
        fp_directions_of(DIRECTIONS[parameters->kind], (uint64_t)parameters->seed, hash, block,
                         coefficient + block * FP_DIRECTION_BLOCK);
}

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                         fp_error *error) {
    const hyperplane_parameters *parameters = self->parameters;
    const fp_features *features = &document->features;
    double sum[FP_SIGNS_MOST], coordinate[FP_SIGNS_MOST];
    fp_sketch made;
    FP_TRY(sketch(self, document, scratch, &made, error));
    project(self, features, sum);
    fp_explain_step(to, "directions");
    fp_explain_line(
        to,
        "The coordinate of a term in each of %zu directions is generated from its hash and the seed, so that no "
        "matrix is stored.",
        fp_signs_bits(self));
    fp_explain_table(to, "term|>weight|coordinates");
    for (size_t i = 0; i < features->count; i++) {
        coefficients(self, features->hash[i], coordinate);
        fp_explain_term(to, features, i);
        fp_explain_cell(to, "%.6g", features->weight[i]);
        fp_signs_explain_numbers(to, coordinate, fp_signs_bits(self), scratch);
    }
    fp_explain_step(to, "sums of weight times coordinate");
    fp_explain_table(to, "sums");
    fp_signs_explain_numbers(to, sum, fp_signs_bits(self), scratch);
    fp_explain_step(to, "signs: on which side of each hyperplane");
    fp_explain_line(to, "A sum of exactly 0 follows tie=%s.", fp_tie_names[parameters->tie]);
    fp_explain_table(to, "fingerprint");
    fp_signs_explain_bits(to, made.data, fp_signs_bits(self), scratch);
    fp_signs_explain_query(self, made, scratch, to);
    return FP_OK;
}

static fp_status explain_pair(const fp_instance *self, const fp_document *a, const fp_document *b, fp_arena *scratch,
                              fp_explanation *to, fp_error *error) {
    double margin[2][FP_SIGNS_MOST];
    fp_signs_side side[2] = {{&a->features, margin[0], 1, {0}}, {&b->features, margin[1], 1, {0}}};
    FP_TRY(sketch(self, a, scratch, &side[0].sketch, error));
    FP_TRY(sketch(self, b, scratch, &side[1].sketch, error));
    for (int i = 0; i < 2; i++) project(self, side[i].features, margin[i]);
    return fp_signs_explain_pair(self, coefficients, side, side + 1, scratch, to, error);
}

const fp_algorithm fp_algorithm_hyperplane = {
    FP_SIGNS_MEMBERS,
    .needs = FP_NEEDS_FEATURES,
    .name = "hyperplane",
    .summary = "signs of random projections: on which side of each random hyperplane the term vector lies",
    .citation = "Charikar, Similarity estimation techniques from rounding algorithms, STOC 2002, section 3 (P[bit "
                "differs] = θ/π); Goemans, "
                "Williamson, JACM 42(6), 1995, lemma 3.2" FP_QUERY_CITED,
    .features = "features=chars:3,weight=tf",
    .parameters_size = sizeof(hyperplane_parameters),
    .parameters = PARAMETERS,
    .layout = layout,
};
