/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * recall_loss.h - where recall is lost: each positive pair of a corpus, at a threshold h, is found or lost at one
 * place.
 *
 *   found              its sketches are within h, and the index brings it
 *   by the index       within h, but no look-up brings it: a full scan would have found it
 *   by the sketch      beyond h, though the exact measure (fp_algorithm.counterpart) is within: it differs in more
 *                      places than its similarity lets expect
 *   by the similarity  the exact measure is beyond h too: no fingerprint of this measure, however long, finds it here
 *
 * The exact measure is within h when the true similarity is at least what h stands for, fp_algorithm.similarity(h).
 * That falls with h and is the inverse of the expected distance, f·θ/π for f signs and n(1 − J)(1 − 2^−b) for n slots
 * of b bits, so that it says the same as: the expected distance is at most h. It needs no law; where there is one, that
 * is its mean.
 *
 * Some pairs are found though the exact measure is beyond h: the sketch came out lucky. They are part of those found
 * and counted once more on their own, since they are why a sketch can have more recall than the measure that it
 * estimates.
 *
 * An arm that is itself exact loses by the similarity alone. Where nothing exact stands beside an arm, sketch and
 * similarity cannot be told apart: lost by the measure. Where there is no index over an arm's sketches
 * (fp_lsh_places), a full scan is meant.
 */
#ifndef FP_RECALL_LOSS_H
#define FP_RECALL_LOSS_H

#include <math.h>
#include <stddef.h>

#include "eval/evaluation/outcome.h"
#include "eval/statistics/proportion_interval.h"
#include "pairs/lsh_tables.h"

typedef enum fp_loss {
    FP_LOSS_NONE, /* found */
    FP_LOSS_INDEX,
    FP_LOSS_SKETCH,
    FP_LOSS_SIMILARITY,
    FP_LOSS_MEASURE,
    FP_LOSSES,                /* every pair is in one of those above */
    FP_LOSS_LUCK = FP_LOSSES, /* found though the exact measure is beyond */
    FP_LOSS_COLUMNS
} fp_loss;

/* One arm, before a threshold is named. */
typedef struct fp_recall_loss_arm {
    const fp_measurement *measurement;
    const fp_measurement *counterpart; /* NULL where there is none */
    bool exact;                        /* the arm is what others estimate */
    const fp_lsh *tables;              /* NULL: a full scan */
    const char *index;                 /* its specification, "" without one */
    double reach;                      /* every pair within this distance is brought; NaN without an index */
    const double *distance;            /* [positive_count] */
    const double *similarity;          /* [positive_count] true; NULL without a counterpart */
    const bool *brought;               /* [positive_count] by a look-up; NULL without an index */
    uint64_t candidate_pairs;          /* pairs of documents with a key in common */
} fp_recall_loss_arm;

typedef struct fp_recall_loss {
    const fp_corpus *corpus;
    size_t positive_count;
    const fp_pair *positives;
    const uint32_t *labelled; /* [positive_count] position among the pairs of `resample` */
    fp_resample resample; /* of the labelled pairs, or of the pairs inside groups; pair_count 0 when there are none */
    size_t arm_count;
    const fp_recall_loss_arm *arms;
} fp_recall_loss;

/* Pairs inside groups that can be listed. */
enum { FP_RECALL_LOSS_MOST = 10000000 };

/* Of the outcome, corpus, measurements and counterparts are read, which may be NULL. Builds an index over all sketches
 * of each arm that can have one; asks it for every document; and measures every positive pair. The index is `spec`;
 * when that is NULL, the one that brings every pair within the distance within[outcome->count] says for the arm (a full
 * scan where no index does); when that is NULL too, the default of the layout. The corpus has pairs or groups.
 * FP_ERROR_RANGE when `spec` does not fit an arm (which is named) or groups hold more than FP_RECALL_LOSS_MOST pairs.
 * Same figures for any number of threads. Everything lives in `arena`. */
fp_status fp_recall_loss_make(const fp_outcome *outcome, const fp_lsh_spec *spec, const double *within,
                              const fp_progress *progress, fp_arena *arena, fp_recall_loss *lost, fp_error *error);

/* Whether a class can hold a pair of this arm. */
bool fp_recall_loss_applies(const fp_recall_loss_arm *arm, fp_loss loss);

/* One arm at one threshold. */
typedef struct fp_recall_loss_row {
    size_t arm;
    double threshold;
    uint64_t count[FP_LOSS_COLUMNS];
    fp_proportion share[FP_LOSS_COLUMNS]; /* of the positives; NaN when there are none */
} fp_recall_loss_row;

/* Fills rows[count], whose arm and threshold are set. Intervals at `confidence` in (0, 1) as in proportion_interval.h,
 * with the dependence among the labelled pairs that recall has too. */
fp_status fp_recall_loss_fill(const fp_recall_loss *lost, double confidence, const fp_progress *progress,
                              fp_arena *arena, fp_recall_loss_row *rows, size_t count, fp_error *error);

/* Whether the index was to be one that loses nothing within a distance, and none does: a full scan instead. */
bool fp_recall_loss_needs_scan(const fp_recall_loss_arm *arm);
/* Mean candidates of a query by a document of the corpus, itself apart; NaN without an index. */
double fp_recall_loss_candidates(const fp_recall_loss_arm *arm);

/* ---- similarities in bins of a tenth, from −1 to 1: round figures are easier to read than equal counts. ---- */

enum { FP_SIMILARITY_BINS = 20 };

/* Similarities come by way of an exact distance, so that 0.7 may stand a last digit below. The last bin has 1 too. */
static inline size_t fp_similarity_bin_of(double similarity) {
    double place = floor((similarity + 1 + 1e-12) * 10);
    return (size_t)fmax(0, fmin(FP_SIMILARITY_BINS - 1, place));
}

/* Where a bin begins; bin FP_SIMILARITY_BINS begins where the last one ends. */
static inline double fp_similarity_bin_low(size_t bin) { return ((double)bin - FP_SIMILARITY_BINS / 2.0) / 10; }

/* ----
 * how often an index brings a pair of a given similarity, measured beside expected.
 *
 * Where a place of two sketches differs with a probability d that is known from the true similarity, and places are
 * independent, the index brings the pair with the probability fp_lsh_probability(d): over the similarity a curve
 * shaped like an S. d is the expected distance over the number of places; fp_algorithm. similarity is the inverse of
 * the expected distance (eval/analyses/recall_loss.h), so that d = θ/π for signs and (1 − J)(1 − 2^−b) for slots of b
 * bits.
 *
 * Measured is whether the sketches of a pair have a key in common (fp_lsh_meet), which is whether a look-up by one
 * brings the other. All labelled pairs of a corpus count, duplicates or not: the curve knows no labels. Where groups
 * are the truth and not listed as pairs, the pairs inside groups count alone.
 */

/* Pairs whose exact similarity is at least `low` and below `high`; the last bin has 1 too. */
typedef struct fp_index_bin {
    double low, high;
    size_t pairs;
    double similarity;     /* mean */
    fp_proportion brought; /* as in proportion_interval.h */
    double expected;       /* mean of the probability at each pair's own similarity */
} fp_index_bin;

enum { FP_INDEX_POINTS = 201 };

typedef struct fp_index_curve {
    size_t bin_count; /* of eval/analyses/recall_loss.h, with a pair or more, ascending */
    const fp_index_bin *bins;
} fp_index_curve;

/* The similarity of point i < FP_INDEX_POINTS of a curve: from 0 to 1, evenly; of a cosine over the angle, since the
 * curve is steep near 1. */
double fp_index_curve_similarity(const fp_recall_loss_arm *arm, size_t i);
/* Whether an arm has such a curve: an index, and something exact beside it. */
bool fp_index_curve_applies(const fp_recall_loss_arm *arm);
/* The probability at a similarity, of the arm's index or of another `form` over its sketches; the arm has a curve. */
double fp_index_curve_at(const fp_recall_loss_arm *arm, const fp_lsh_form *form, double similarity);

/* Bins of one arm; none where it has no curve. A pair of which the arm reads nothing is as dissimilar as can be, and
 * its equal sketches of nothing do not count as brought. Intervals as of fp_recall_loss_fill. Same figures for any
 * number of threads. Everything lives in `arena`. */
fp_status fp_index_curve_make(const fp_recall_loss *lost, size_t arm, double confidence, const fp_progress *progress,
                              fp_arena *arena, fp_index_curve *curve, fp_error *error);

#endif
