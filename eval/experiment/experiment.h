/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * experiment.h - runs arms over a corpus: sketches through the pipeline (algorithms/arms/pipeline.h), then distances
 * of every pair of the ground truth into one histogram for each arm.
 */
#ifndef FP_EXPERIMENT_H
#define FP_EXPERIMENT_H

#include <math.h>
#include <string.h>

#include "algorithms/arms/arm.h"
#include "algorithms/arms/pipeline.h"
#include "base/parallel.h"
#include "corpora/corpus.h"
#include "eval/measures/histogram.h"
#include "eval/statistics/interval.h"
#include "pairs/posting_tile.h"

/* The measurement of one arm on one corpus. */
typedef struct fp_measurement {
    fp_arm *arm;          /* fitted to the corpus */
    fp_sketches sketches; /* of every document, in corpus order */
    /* The documents with empty sketches (fp_sketch.empty): they have the largest distance from every other document.
     * NULL: no such documents. */
    const bool *empty; /* [document_count] */
    size_t empty_count;
    double bytes_per_document;
    double sketch_seconds; /* raw text to sketches, without reading; every arm pays for shared stages */
    double sketch_slices[FP_PIPELINE_SLICES]; /* the same by slices of the corpus */
    double distance_seconds;
    fp_histogram histogram;           /* finished; released by fp_measurement_free */
    const double *distances;          /* of labelled pairs [pair_count], or of those of `sample`; NULL if pairs are only
                                         counted */
    const struct fp_near_pairs *near; /* for groups, if requested; else NULL */
    /* For groups, where negatives are sampled: the sample, the same for all arms; else NULL. */
    const struct fp_sampled_pairs *sample;
    bool whole; /* all pairs of this arm were counted, although other arms use a sample */
} fp_measurement;

/* Student's interval of sketch_seconds from the slices, valid for this corpus, time and machine: their spread includes
 * other load on the machine and differences between texts. NaN for fewer than two documents a slice. */
fp_interval fp_measurement_sketch_interval(const fp_measurement *measurement, double confidence);

/* Whether the sketch of a document, or of either of two, is empty. */
static inline bool fp_measurement_empty(const fp_measurement *measurement, size_t a, size_t b) {
    return measurement->empty && (measurement->empty[a] || measurement->empty[b]);
}

/* The distance of two documents of the corpus. */
static inline double fp_measurement_distance(const fp_measurement *measurement, size_t a, size_t b) {
    const fp_instance *instance = &measurement->arm->instance;
    if (fp_measurement_empty(measurement, a, b)) return instance->layout.maximum;
    return instance->algorithm->distance(instance, fp_sketches_at(&measurement->sketches, a),
                                         fp_sketches_at(&measurement->sketches, b));
}

/* The similarity that an exact measure gives for a pair at a distance: −1 … 1. */
static inline double fp_measurement_similarity(const fp_measurement *exact, double distance) {
    double similarity = exact->arm->instance.algorithm->similarity(&exact->arm->instance, distance);
    return isnan(similarity) ? similarity : similarity < -1 ? -1 : similarity > 1 ? 1 : similarity;
}

/* Pairs from any source: structs that begin with the two documents (fp_pair, fp_near_pair, fp_sampled_pair),
 * `stride` bytes from one to the next. */
typedef struct fp_pair_list {
    const void *first;
    size_t count, stride;
} fp_pair_list;
#define FP_PAIR_LIST(pairs, count) ((fp_pair_list){(pairs), (count), sizeof *(pairs)})

/* The documents of a pair; its label is not read. */
static inline fp_pair fp_pair_in(const fp_pair_list *list, size_t i) {
    uint32_t documents[2];
    memcpy(documents, (const char *)list->first + i * list->stride, sizeof documents);
    return (fp_pair){documents[0], documents[1], 0};
}

/* Their distances; distances[count]. FP_ERROR_RANGE, with the pair's ids: when one is invalid
 * (fp_arm_distance_good). */
fp_status fp_pairs_measure(const fp_corpus *corpus, const fp_measurement *measurement, fp_pair_list pairs,
                           const fp_arenas *arenas, const char *stage, const fp_progress *progress, double *distances,
                           fp_error *error);
/* Sets the distances of labelled pairs in the measurement, and counts them in its histogram, which must be empty. */
fp_status fp_measurement_count(fp_measurement *measurement, const fp_pair *pairs, const double *distances, size_t count,
                               fp_error *error);

/* Settings of the distances, shared by all arms. */
typedef struct fp_stage {
    const fp_corpus *corpus;
    const fp_progress *progress;
    size_t near_most;   /* all pairs: number of nearest pairs to list (near_pairs.h); 0: no list */
    uint64_t negatives; /* groups: number of sampled negatives (sampled_pairs.h), fewer than there are, for the arms
                           whose pairs are not all counted; 0: all pairs are counted under every arm */
    uint64_t seed;      /* of that sample */
} fp_stage;

/* Runs `count` arms (parsed, not fitted) on the corpus, whose truth must not be FP_TRUTH_NONE. measurements[i]
 * belongs to arms[i]. If all pairs of every arm are counted, nothing is sampled and stage->negatives has no effect.
 * Everything except the histograms lives in `arena`. Same figures for any number of threads. On failure nothing is
 * left to release. */
fp_status fp_experiment_staged(const fp_stage *stage, fp_arm *const *arms, size_t count, fp_arena *arena,
                               fp_measurement *measurements, fp_error *error);
/* The same without a list of near pairs. */
fp_status fp_experiment(const fp_corpus *corpus, fp_arm *const *arms, size_t count, const fp_progress *progress,
                        fp_arena *arena, fp_measurement *measurements, fp_error *error);

/* Only the sketches: the corpus may be unlabelled; histogram and distances stay empty. */
fp_status fp_experiment_sketches(const fp_corpus *corpus, fp_arm *const *arms, size_t count,
                                 const fp_progress *progress, fp_arena *arena, fp_measurement *measurements,
                                 fp_error *error);

/* Counts the distances of every pair of the ground truth in the histogram of one arm, which must have sketches. */
fp_status fp_stage_distances(const fp_stage *stage, fp_measurement *measurement, fp_arena *arena, fp_error *error);

void fp_measurement_free(fp_measurement *measurement);
/* The distances of each, [count] in `arena`; NULL entries where pairs are only counted. NULL: out of memory. */
const double **fp_distances_of(const fp_measurement *measurements, size_t count, fp_arena *arena);

/* ---- The distances of one document to many, by the fastest method of the algorithm ---- */

/* Documents in an order; the first ones are the columns. */
typedef struct fp_column_order {
    const uint32_t *document; /* [rows] every document once */
    size_t rows;
    size_t columns; /* ≤ rows */
} fp_column_order;

typedef struct fp_columns {
    const fp_measurement *measurement;
    fp_column_order order;
    fp_sketches near; /* the columns side by side, for fp_acceleration.distances */
    size_t empty_count;
    const uint32_t *empty; /* [empty_count] columns with empty sketches */
    /* Sparse vectors: */
    const fp_vector *vectors; /* [rows] */
    fp_join join;
    size_t longest;         /* keys of a vector */
    fp_posting_terms terms; /* of the columns */
    fp_entry_table entries; /* likewise */
    size_t tile_count;
    fp_posting_tile *tiles;
    double apart; /* the distance of two documents that share nothing, unless both are empty */
} fp_columns;

/* Keeps references to the measurement, which must have sketches, and to the order. Made in `arena`, except what
 * fp_columns_free releases, also on failure. */
fp_status fp_columns_open(const fp_measurement *measurement, fp_column_order order, fp_arena *arena,
                          fp_columns *columns, fp_error *error);
void fp_columns_free(fp_columns *columns);

/* Working memory of a thread. */
typedef struct fp_column_room {
    uint32_t *which; /* [columns] */
    double *sum;     /* [columns] */
    fp_entry_table row;
    uint32_t *from; /* [longest] */
} fp_column_room;
fp_status fp_column_room_make(const fp_columns *columns, fp_arena *arena, fp_column_room *room, fp_error *error);

/* The distances of the document in place `row` of the order to all columns, itself among them; distance[columns].
 * Thread-safe. */
void fp_columns_distances(const fp_columns *columns, size_t row, fp_column_room *room, double *distance);

/* Converts the sums of a vector with vectors[other[count]] to distances, as `joined` defines; NaN for those that
 * must be computed by `distance`. */
void fp_join_sums(const fp_instance *instance, const fp_vector *own, const fp_vector *vectors, const uint32_t *other,
                  size_t count, double *sum);

#endif
