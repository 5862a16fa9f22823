/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sets.h - sketches that are sets of 64-bit hashes, in ascending order.
 */
#ifndef FP_SETS_H
#define FP_SETS_H

#include "base/base.h"

/* How two sets are compared. */
typedef enum fp_set_measure { FP_RESEMBLANCE, FP_OVERLAP, FP_CONTAINMENT } fp_set_measure;
#define FP_SET_MEASURES "resemblance", "overlap", "containment"
/* The name of the similarity behind the distances if it is not the resemblance; else NULL. */
const char *fp_set_measure_name(int64_t measure);
/* fp_algorithm.layout of sets: distances are shares of 64. */
fp_status fp_set_layout(const void *parameters, fp_layout *layout, fp_error *error);
/* The same layout; sets layout->measure if `measure` is not NULL. */
void fp_set_layout_of(const char *measure, fp_layout *layout);

/* Sorts hashes in place, in linear time if they are uniform up to their maximum. `scratch` holds 16 bytes a hash. */
fp_status fp_set_sort(uint64_t *set, size_t count, fp_arena *scratch, fp_error *error);
/* Drops repeats from sorted hashes, in place; returns how many are left. */
size_t fp_set_unique(uint64_t *sorted, size_t count);
/* The hash of a feature from its term hash, for a parameter `seed`. */
static inline uint64_t fp_set_hash(int64_t seed, uint64_t hash) { return fp_mix(hash ^ fp_mix((uint64_t)seed, 0), 0); }
/* |A ∩ B|. */
size_t fp_set_shared(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count);
/* fp_set_likeness from |A ∩ B|. */
double fp_set_ratio(fp_set_measure measure, size_t both, size_t a_count, size_t b_count);
/* |A ∩ B|/|A ∪ B|; the overlap coefficient |A ∩ B|/min(|A|, |B|); or the mean of the containments |A ∩ B|/|A| and |A ∩
 * B|/|B|, which is symmetric. It is 1 for two empty sets and 0 for an empty set and a non-empty one. */
double fp_set_likeness(fp_set_measure measure, const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count);
/* fp_algorithm.text: the hashes in hexadecimal, joined by hyphens. */
const char *fp_set_text(const fp_instance *self, fp_sketch set, fp_arena *arena);

/* fp_algorithm.similarity of distances that are scaled shares: 1 − d/maximum. */
double fp_set_similarity(const fp_instance *self, double distance);

/* ---- Weighted features ---- */

typedef struct fp_weighted_term {
    uint64_t hash;
    double weight;
} fp_weighted_term;
/* *terms: [features->count] by hash, ascending. */
fp_status fp_weighted_terms(const fp_features *features, fp_arena *arena, fp_weighted_term **terms, fp_error *error);
/* The weight of a feature in a document; 0 if the document does not have it. */
double fp_weight_of(const fp_features *features, uint64_t hash);
/* Writes a table of every feature's hash as a number from 0 to 1, with a star up to the hash `largest`. */
void fp_set_explain_hashes(fp_explanation *to, const fp_features *features, int64_t seed, uint64_t largest);
/* Writes the text of the i-th feature, or its hash if the text is unknown, as a cell of an explanation. */
void fp_explain_term(fp_explanation *to, const fp_features *features, size_t i);

/* ---- Shared by the three controls: a sketch that is only the document's identity. ---- */

/* 8 bytes, distances 0 … 64. */
fp_status fp_control_layout(const void *parameters, fp_layout *layout, fp_error *error);
/* XXH3 of the document's id. */
fp_status fp_control_sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *sketch,
                            fp_error *error);

/* ---- The places (bits or slots) of a sketch whose distance counts those that differ. ---- */

/* The number of places; 0 if the distance counts no places, or only the algorithm knows where they are. */
size_t fp_places(const fp_instance *instance);

/* Bit j % 64 of differs[j / 64] is set if place j of the two sketches differs; unused bits are 0. fp_places must be >
 * 0. */
void fp_places_differing(const fp_instance *instance, fp_sketch a, fp_sketch b, uint64_t *differs);

#endif
