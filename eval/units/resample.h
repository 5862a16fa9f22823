/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * resample.h - what is drawn with replacement when labelled pairs are resampled, and the weight that each pair gets
 * from a draw.
 *
 * Pairs that share a document are not independent, and pairs whose documents are connected are not either: in the same
 * groups, or connected by duplicates (sampling_units.h). These units are the nodes and pairs the edges of a graph.
 * Three cases:
 *
 * - no node is in two pairs: the pairs are independent and are drawn themselves (Efron 1979);
 * - the graph falls into many parts that are not connected: the parts are independent and are drawn whole, a cluster
 *   bootstrap (Davison, Hinkley 1997, section 3.8);
 * - otherwise the nodes are drawn, and a pair gets the product of the multiplicities of its two nodes, or the
 *   multiplicity of its one node when both documents lie in the same unit (Snijders, Borgatti, Connections 22, 1999;
 *   for exchangeable arrays Davezies, D'Haultfœuille, Guyonvarch, Annals of Statistics 49, 2021). No resampling of
 *   nodes gives the right variance for every kind of dependence (McCullagh, Bernoulli 6, 2000), and the product counts
 *   what is peculiar to a pair up to three times (Owen, Annals of Applied Statistics 1, 2007); dyadic_variance.h holds
 *   the correction.
 */
#ifndef FP_RESAMPLE_H
#define FP_RESAMPLE_H

#include <gsl/gsl_rng.h>

#include "base/base.h"
#include "eval/units/sampling_units.h"

typedef struct fp_resample {
    fp_sampling_unit unit;   /* never FP_SAMPLING_AUTO */
    fp_sampling_units nodes; /* of the graph */
    bool alone;              /* every pair is a document with itself: documents are counted (levels.h) */
    bool crossing;           /* some pair lies across two units: weights are products */
    size_t pair_count;
    size_t unit_count;
    const uint32_t *first; /* [pair_count] units of a pair's documents; equal inside one unit */
    const uint32_t *second;
    size_t dyad_count;         /* distinct unordered couples (first, second) */
    const uint32_t *dyad;      /* [pair_count] */
    const uint32_t *dyad_pair; /* [dyad_count] one pair of each */
    size_t document_count;     /* documents in the pairs */
    size_t shared_documents;   /* documents in two pairs or more */
    size_t busiest;            /* pairs of the document that is in most */
    size_t part_count;         /* connected parts of the graph */
    double effective_parts;    /* (Σ n)²/Σ n² over the pairs n of each part (Kish 1965) */
} fp_resample;

/* With fewer effective parts the nodes are drawn instead. */
enum { FP_RESAMPLE_PARTS = 50 };

/* Looks at `count` pairs of documents below `document_count`. `group` (may be NULL): group of each document, UINT32_MAX
 * for none. `unit`: FP_SAMPLING_AUTO, or a unit to insist on (FP_SAMPLING_GROUP: the nodes, whatever they are).
 * Everything lives in `arena`. FP_ERROR_EMPTY without pairs. */
fp_status fp_resample_make(const fp_pair *pairs, size_t count, const uint32_t *group, size_t document_count,
                           fp_sampling_unit unit, fp_arena *arena, fp_resample *resample, fp_error *error);
/* The same of some of the pairs of a corpus, whose units come from all of them: two pairs of a part may be connected
 * through one outside it. */
fp_status fp_resample_part(const fp_sampling_units *nodes, const fp_pair *pairs, size_t count, fp_arena *arena,
                           fp_resample *resample, fp_error *error);

/* Draws unit_count units with replacement (Mersenne Twister of Matsumoto and Nishimura 1998, seeded from `seed` and
 * `replicate` alone) and writes how often each came; multiplicity[unit_count]. `scratch` is not reset. */
fp_status fp_resample_draw(const fp_resample *resample, uint64_t seed, uint64_t replicate, fp_arena *scratch,
                           uint32_t *multiplicity, fp_error *error);
/* The weight of each pair; weight[pair_count]. */
void fp_resample_weigh(const fp_resample *resample, const uint32_t *multiplicity, uint32_t *weight);

/* The sum of the values of the pairs that touch each unit; sum[unit_count]. */
void fp_resample_sum(const fp_resample *resample, const double *value, double *sum);
/* (Σ n)²/Σ n²: how many of one size they are worth (Kish 1965); 0 of none. */
double fp_effective_count(const double *size, size_t count);

/* One or two sentences for a report: whether pairs share documents, and what is resampled. NULL when there is no
 * memory. */
const char *fp_resample_describe(const fp_resample *resample, fp_arena *arena);

/* ---- GSL's Mersenne Twister (Matsumoto, Nishimura, ACM TOMACS 8, 1998) in an arena. ---- */

/* gsl_rng_alloc would abort where there is no memory. The same numbers for the same seed and stream; not to be
 * freed. */
fp_status fp_generator_open(uint64_t seed, uint64_t stream, fp_arena *arena, gsl_rng *generator, fp_error *error);

/* ----
 * all pairs of n documents as numbers, and numbers in a random order: a simple random sample without
 * replacement that needs no list to be drawn from.
 */

typedef struct fp_numbered_pair {
    size_t first, second; /* first < second */
} fp_numbered_pair;

/* Pairs of `count` documents, at least two, are numbered row by row: (0, 1), (0, 2) … (n − 2, n − 1). */
fp_numbered_pair fp_pair_at(size_t count, uint64_t number);

/* The place of `value` in an order of 0 … total − 1 that the seed draws; another value, another place. */
uint64_t fp_number_permuted(uint64_t value, uint64_t total, uint64_t seed);

#endif
