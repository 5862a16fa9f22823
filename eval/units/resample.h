/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * resample.h - the units that a bootstrap of labelled pairs resamples, and the weight of each pair in a replicate.
 *
 * Pairs are dependent if they share a document, or if their documents are connected by groups or duplicates
 * (sampling_units.h). These units are the nodes and pairs the edges of a graph. Three cases:
 *
 * - no node is in two pairs: the pairs are independent and are resampled themselves (Efron 1979);
 * - the graph has many connected parts: the parts are resampled whole, a cluster bootstrap (Davison, Hinkley 1997,
 *   section 3.8);
 * - otherwise the nodes are resampled, and a pair gets the product of the multiplicities of its two nodes, or the
 *   multiplicity of its one node (Snijders, Borgatti, Connections 22, 1999; for exchangeable arrays Davezies,
 *   D'Haultfœuille, Guyonvarch, Annals of Statistics 49, 2021). No resampling of nodes gives the right variance for
 *   every dependence (McCullagh, Bernoulli 6, 2000), and the product counts the variance of a single pair up to three
 *   times (Owen, Annals of Applied Statistics 1, 2007); dyadic_variance.h has the correction.
 */
#ifndef FP_RESAMPLE_H
#define FP_RESAMPLE_H

#include <gsl/gsl_rng.h>

#include "base/base.h"
#include "eval/units/sampling_units.h"

typedef struct fp_resample {
    fp_sampling_unit unit;   /* never FP_SAMPLING_AUTO */
    fp_sampling_units nodes; /* of the graph */
    bool alone;              /* every pair is a document with itself (levels.h) */
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

/* With fewer effective parts the nodes are resampled instead. */
enum { FP_RESAMPLE_PARTS = 50 };

/* Examines `count` pairs of documents below `document_count`. `group` (may be NULL): group of each document, UINT32_MAX
 * for none. `unit`: FP_SAMPLING_AUTO, or a required unit (FP_SAMPLING_GROUP: the nodes, whatever they are). Everything
 * lives in `arena`. FP_ERROR_EMPTY without pairs. */
fp_status fp_resample_make(const fp_pair *pairs, size_t count, const uint32_t *group, size_t document_count,
                           fp_sampling_unit unit, fp_arena *arena, fp_resample *resample, fp_error *error);
/* The same for a subset of the pairs of a corpus. Units come from all pairs: two pairs of a part may be connected
 * through one outside it. */
fp_status fp_resample_part(const fp_sampling_units *nodes, const fp_pair *pairs, size_t count, fp_arena *arena,
                           fp_resample *resample, fp_error *error);

/* Samples unit_count units with replacement, seeded from `seed` and `replicate` alone; multiplicity[unit_count].
 * `scratch` is not reset. */
fp_status fp_resample_draw(const fp_resample *resample, uint64_t seed, uint64_t replicate, fp_arena *scratch,
                           uint32_t *multiplicity, fp_error *error);
/* The weight of each pair; weight[pair_count]. */
void fp_resample_weigh(const fp_resample *resample, const uint32_t *multiplicity, uint32_t *weight);

/* The sum of the values of the pairs that touch each unit; sum[unit_count]. */
void fp_resample_sum(const fp_resample *resample, const double *value, double *sum);
/* (Σ n)²/Σ n²: the effective number of parts of equal size (Kish 1965); 0 if there are none. */
double fp_effective_count(const double *size, size_t count);

/* One or two sentences for a report: whether pairs share documents, and what is resampled. NULL: out of memory. */
const char *fp_resample_describe(const fp_resample *resample, fp_arena *arena);

/* ---- GSL's Mersenne Twister (Matsumoto, Nishimura, ACM TOMACS 8, 1998) in an arena. ---- */

/* gsl_rng_alloc aborts when out of memory. The same numbers for the same seed and stream; must not be freed. */
fp_status fp_generator_open(uint64_t seed, uint64_t stream, fp_arena *arena, gsl_rng *generator, fp_error *error);

/* ---- Pairs of n documents as numbers, in random order: a simple random sample without a list in memory ---- */

typedef struct fp_numbered_pair {
    size_t first, second; /* first < second */
} fp_numbered_pair;

/* Pairs of `count` documents, at least two, are numbered row by row: (0, 1), (0, 2) … (n − 2, n − 1). */
fp_numbered_pair fp_pair_at(size_t count, uint64_t number);

/* The position of `value` in a random permutation of 0 … total − 1 chosen by the seed; distinct for distinct values. */
uint64_t fp_number_permuted(uint64_t value, uint64_t total, uint64_t seed);

#endif
