/* SPDX-License-Identifier: GPL-3.0-or-later
 * Random hyperplanes. Bit j is the side of the j-th random hyperplane on which the document's term vector lies: the
 * sign of Σ weight × coordinate of the term in direction j. For Gaussian directions two documents at angle θ differ in
 * each bit with probability exactly θ/π, independently of the other bits; for ±1 directions approximately, unless a few
 * terms outweigh the rest. A Gaussian coordinate is one of 65,536 quantiles of the normal distribution, chosen by its
 * own 16 bits; moments up to the fourth are those of the distribution to 2·10⁻³ (tests/algorithms/test_simhash_laws.c).
 * An empty document has only ties. */
#include "algorithms/families/sets.h"
#include "algorithms/families/signs.h"

typedef struct hyperplane_parameters {
    fp_signs signs;
    int64_t kind; /* index into KINDS */
} hyperplane_parameters;

static const char *const KINDS[] = {"gaussian", "rademacher", NULL};
static const fp_direction DIRECTIONS[] = {FP_DIRECTION_TABULATED, FP_DIRECTION_RADEMACHER};

static const fp_parameter PARAMETERS[] = {
    {"bits", FP_INTEGER, "bits", "number of hyperplanes", "64", 4, FP_SIGNS_MOST, NULL, offsetof(fp_signs, bits)},
    {"kind", FP_CHOICE, "", "coordinates of the directions: gaussian, or rademacher (+1 and -1)", "gaussian", 0, 0,
     KINDS, offsetof(hyperplane_parameters, kind)},
    FP_TIE_PARAMETER,
    FP_QUERY_PARAMETER,
    FP_SEED_PARAMETER("seed of the directions", fp_signs, seed),
    {0},
};

static void sums(const fp_instance *self, const fp_features *features, double *sum) {
    const hyperplane_parameters *parameters = self->parameters;
    fp_directions_project(DIRECTIONS[parameters->kind], (uint64_t)parameters->signs.seed, features,
                          fp_signs_words(self), sum);
}

FP_SIGNS_FUNCTIONS(sums)

/* ---- Explanations ---- */

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                         fp_error *error) {
    const fp_features *features = &document->features;
    double sum[FP_SIGNS_MOST] = {0}, coordinate[FP_SIGNS_MOST];
    fp_sketch made;
    FP_TRY(sketch(self, document, scratch, &made, error));
    sums(self, features, sum);
    fp_explain_step(to, "directions");
    fp_explain_line(
        to,
        "The coordinate of a term in each of %zu directions is generated from its hash and the seed, so that no "
        "matrix is stored.",
        fp_signs_bits(self));
    fp_explain_table(to, "term|>weight|coordinates");
    for (size_t i = 0; i < features->count; i++) {
        fp_signs_coefficients(self, sums, features->hash[i], coordinate);
        fp_explain_term(to, features, i);
        fp_explain_cell(to, "%.6g", features->weight[i]);
        fp_signs_explain_numbers(to, coordinate, fp_signs_bits(self), scratch);
    }
    fp_explain_step(to, "sums of weight times coordinate");
    fp_explain_table(to, "sums");
    fp_signs_explain_numbers(to, sum, fp_signs_bits(self), scratch);
    fp_signs_explain_reduction(self, "signs: on which side of each hyperplane", made, scratch, to);
    return FP_OK;
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
    .layout = fp_signs_layout,
};
