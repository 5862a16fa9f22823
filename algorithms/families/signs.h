/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * signs.h - shared by fingerprints whose bit j is the sign of a linear sum: sum j = Σ weight of a term × coefficient j
 * of that term. SimHash takes the coefficients from the bits of the term hashes, hyperplanes from random directions.
 */
#ifndef FP_SIGNS_H
#define FP_SIGNS_H

#include "algorithms/kernels/hamming.h"
#include "base/base.h"

enum { FP_SIGNS_MOST = 1024 };

/* The bit of a sum that is exactly 0. */
typedef enum fp_tie { FP_TIE_ZERO, FP_TIE_ONE, FP_TIE_ALTERNATE } fp_tie;
extern const char *const fp_tie_names[];

/* The data of a query: its bits, or also the sums whose signs they are (Dong, Charikar, Li, Asymmetric distance
 * estimation with sketches for similarity search in high-dimensional spaces, SIGIR 2008; Li, Sign-full random
 * projections, AAAI 2019). */
enum { FP_QUERY_BITS, FP_QUERY_REAL };
extern const char *const fp_query_names[];

/* First member of the parameter struct of every algorithm of the family. */
typedef struct fp_signs {
    int64_t bits;
    int64_t tie;
    int64_t query;
    int64_t seed;
} fp_signs;

/* Rows of the parameter table. */
#define FP_TIE_PARAMETER                                                                                         \
    {                                                                                                            \
        "tie", FP_CHOICE, "", "the bit of a sum that is exactly 0; alternate gives 0 to even bits and 1 to odd", \
            "zero", 0, 0, fp_tie_names, offsetof(fp_signs, tie)                                                  \
    }
#define FP_QUERY_CITED                                                                                         \
    "; query=real: Dong, Charikar, Li, Asymmetric distance estimation with sketches for similarity search in " \
    "high-dimensional spaces, SIGIR 2008 (weighted by |sum|; both directions averaged); Li, Sign-full random " \
    "projections, AAAI 2019"
#define FP_QUERY_PARAMETER                                                                                                  \
    {                                                                                                                       \
        "query", FP_CHOICE, "",                                                                                             \
            "what a query knows of itself: its bits, or the real sums behind them, which are not stored; distances of two " \
            "texts are the mean of both directions",                                                                        \
            "bits", 0, 0, fp_query_names, offsetof(fp_signs, query)                                                         \
    }

/* fp_algorithm.layout. Fingerprints are compared by differing bits (FP_QUERY_BITS). With FP_QUERY_REAL these bits are
 * the stored side. The other side is a weight per bit: a uint32_t in proportion to the size of its sum, all together
 * 2³⁰ up to rounding; 1 each if all sums are 0. */
fp_status fp_signs_layout(const void *parameters, fp_layout *layout, fp_error *error);
/* Bits of a fingerprint, and the 64-bit words that hold them. */
static inline size_t fp_signs_bits(const fp_instance *self) { return (size_t)self->layout.maximum; }
static inline size_t fp_signs_words(const fp_instance *self) { return (fp_signs_bits(self) + 63) / 64; }
/* The signs of sum[0 … bits): 1 above 0, 0 below, `tie` at 0; and the weights if the layout has them. */
fp_status fp_signs_sketch(const fp_instance *self, const double *sum, int64_t tie, fp_arena *arena, fp_sketch *sketch,
                          fp_error *error);

/* fp_algorithm.distance. Differing bits; or, for queries with weights, n·θ/π with cos θ = 1 − 2X. X is the mean of both
 * directions, each the share of the weights at differing bits. E[X] = (1 − cos θ)/2 for sums at the angle θ (law.c), so
 * that a distance means the same cosine as that many differing bits. Rounded to a multiple of 2⁻³². */
double fp_signs_distance(const fp_instance *self, fp_sketch a, fp_sketch b);
/* The same for one direction. */
void fp_signs_query_distances(const fp_instance *self, fp_sketch query, const fp_sketches *stored, size_t first,
                              size_t count, double within, double *out);

/* fp_algorithm.similarity and .law if P[bit differs] = θ/π for vectors at angle θ (Charikar 2002, section 3): the
 * cosine, and the binomial law, or fp_law_weighted. */
double fp_signs_similarity(const fp_instance *self, double distance);
double fp_signs_law(const fp_instance *self, double cosine, double h);

/* ---- Explanations; bits are named r1, r2, … from the highest to the lowest, as fingerprints are written ---- */

/* One cell: the bits. */
void fp_signs_explain_bits(fp_explanation *to, const uint64_t *words, size_t bits, fp_arena *scratch);
/* One cell: numbers, from that of the highest bit to that of the lowest. */
void fp_signs_explain_numbers(fp_explanation *to, const double *number, size_t bits, fp_arena *scratch);

/* The last step: the fingerprint; for a sketch with two sides, both sides. */
void fp_signs_explain_reduction(const fp_instance *self, const char *step, fp_sketch made, fp_arena *scratch,
                                fp_explanation *to);

/* ---- An algorithm of the family ---- */

/* Adds up the features: sum[0 … bits), zeroed, with room for a multiple of 64. */
typedef void (*fp_signs_sums)(const fp_instance *self, const fp_features *features, double *sum);

/* What one feature of weight 1 adds: coefficient[0 … bits), with room for a multiple of 64. */
void fp_signs_coefficients(const fp_instance *self, fp_signs_sums sums, uint64_t hash, double *coefficient);
/* Σw; the number of features if they have no weights. */
double fp_signs_total_weight(const fp_features *features);
/* The numbers whose signs the bits are: the sums, or, with a learned centre (self->model: [bits]) and unless the
 * document is empty, sum/Σw minus the centre. Returns the factor from sums to margins: 1 or 1/Σw. */
double fp_signs_margins(const fp_instance *self, fp_signs_sums sums, const fp_features *features, double *margin);
/* fp_algorithm.sketch and .explain_pair. The pair: the bits in which two fingerprints differ, their margins, and the
 * terms that decide them. */
fp_status fp_signs_of_sums(const fp_instance *self, fp_signs_sums sums, const fp_features *features, fp_arena *scratch,
                           fp_sketch *sketch, fp_error *error);
fp_status fp_signs_explain_pair(const fp_instance *self, fp_signs_sums sums, const fp_features *a, const fp_features *b,
                                fp_arena *scratch, fp_explanation *to, fp_error *error);

#define FP_SIGNS_FUNCTIONS(sums)                                                                                     \
    static fp_status sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *out, \
                            fp_error *error) {                                                                       \
        return fp_signs_of_sums(self, sums, &document->features, scratch, out, error);                               \
    }                                                                                                                \
    static fp_status explain_pair(const fp_instance *self, const fp_document *a, const fp_document *b,               \
                                  fp_arena *scratch, fp_explanation *to, fp_error *error) {                          \
        return fp_signs_explain_pair(self, sums, &a->features, &b->features, scratch, to, error);                    \
    }

/* ---- Random directions in the space of all terms. The coordinate of a term in direction j is a function of the term's
 * hash, the seed and j, so that no matrix is stored and all documents use the same directions. Only +, −, ·, / and √
 * are used, which IEEE 754 rounds alike everywhere: the same coordinates on every machine, whatever its mathematical
 * library.
 */

typedef enum fp_direction {
    FP_DIRECTION_GAUSSIAN,   /* standard normal */
    FP_DIRECTION_RADEMACHER, /* +1 or −1, each with probability 1/2 */
    FP_DIRECTION_SPARSE,     /* +√3 or −√3, each with probability 1/6, else 0 (Achlioptas 2003, theorem 1.1) */
    FP_DIRECTION_TABULATED   /* one of 65,536 quantiles of the standard normal distribution, all equally likely */
} fp_direction;

/* Coordinates are made in blocks. */
enum { FP_DIRECTION_BLOCK = 64 };

/* The coordinates of one term in directions block·64 … block·64 + 63. */
void fp_directions_of(fp_direction kind, uint64_t seed, uint64_t hash, size_t block,
                      double coordinate[FP_DIRECTION_BLOCK]);

/* sum[j] += weight · coordinate of the term in direction j, over all features, for blocks·64 directions. sum: [blocks
 * · 64]. */
void fp_directions_project(fp_direction kind, uint64_t seed, const fp_features *features, size_t blocks, double *sum);

/* The members of fp_algorithm shared by all sketches that are signs of sums of features. */
#define FP_SIGNS_MEMBERS                                                                                  \
    .abi = FP_ABI_VERSION, .sketch = sketch, .distance = fp_signs_distance,                               \
    .query_distances = fp_signs_query_distances, .explain = explain, .explain_pair = explain_pair,        \
    .measure = "cosine", .similarity = fp_signs_similarity, .law = fp_signs_law, .counterpart = "cosine", \
    .acceleration = &fp_signs_acceleration
extern const fp_acceleration fp_signs_acceleration;

#endif
