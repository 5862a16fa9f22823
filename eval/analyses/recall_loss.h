/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * recall_loss.h - where recall is lost: each positive pair of a corpus, at a threshold h, is found, or lost at one
 * stage.
 *
 *   found              its sketches are within h, and the index finds it
 *   by the index       within h, but no look-up finds it: a full scan would
 *   by the sketch      beyond h, although the exact measure (fp_algorithm.counterpart) is within: it differs in more
 *                      places than expected at its similarity
 *   by the similarity  the exact measure is beyond h too: no fingerprint of this measure, however long, finds it here
 *
 * The exact measure is within h when the true similarity is at least fp_algorithm.similarity(h), that is, when the
 * expected distance is at most h. Pairs found by luck, with the sketch within h and the exact measure beyond it, are
 * part of the found ones and are also counted separately: because of them a sketch can have more recall than the
 * measure that it estimates.
 *
 * An arm that is itself exact loses pairs only by the similarity. An arm without an exact counterpart loses them by the
 * measure: sketch and similarity cannot be distinguished. Without an index for its sketches (fp_lsh_places), a full
 * scan is assumed.
 */
#ifndef FP_RECALL_LOSS_H
#define FP_RECALL_LOSS_H

#include "eval/evaluation/outcome.h"
#include "eval/statistics/proportion_interval.h"
#include "pairs/lsh_tables.h"

typedef enum fp_loss {
    FP_LOSS_NONE, /* found */
    FP_LOSS_INDEX,
    FP_LOSS_SKETCH,
    FP_LOSS_SIMILARITY,
    FP_LOSS_MEASURE,
    FP_LOSSES,                /* every pair is in one of the classes above */
    FP_LOSS_LUCK = FP_LOSSES, /* found although the exact measure is beyond h */
    FP_LOSS_COLUMNS
} fp_loss;

/* One arm, for any threshold. */
typedef struct fp_recall_loss_arm {
    const fp_measurement *measurement;
    const fp_measurement *counterpart; /* NULL: no counterpart */
    bool exact;                        /* other arms estimate this one */
    const fp_lsh *tables;              /* NULL: a full scan */
    const char *index;                 /* its specification, "" without one */
    double reach;                      /* the index finds every pair within this distance; NaN without an index */
    const double *distance;            /* [pair_count] */
    const double *similarity;          /* [pair_count] true; NULL without a counterpart */
    const bool *brought;               /* [pair_count] positives found by a look-up; NULL without an index */
    uint64_t candidate_pairs;          /* pairs of documents with a key in common */
} fp_recall_loss_arm;

typedef struct fp_recall_loss {
    const fp_corpus *corpus;
    size_t pair_count, positive_count;
    const fp_pair *pairs; /* [pair_count] the labelled ones, or those inside groups */
    fp_resample resample; /* of them; empty when there are none */
    size_t arm_count;
    const fp_recall_loss_arm *arms;
} fp_recall_loss;

/* The largest number of pairs inside groups that are listed. */
enum { FP_RECALL_LOSS_MOST = 10000000 };

/* Reads of the outcome the corpus, which has pairs or groups, measurements and counterparts (may be NULL), with their
 * distances if pairs are listed. Indexes the sketches of each arm by `spec`; NULL: by the index that finds every pair
 * within the distance within[arm], within[outcome->count] (a full scan if none does). FP_ERROR_RANGE: `spec` does not
 * fit an arm (the message names it), or groups hold more than FP_RECALL_LOSS_MOST pairs. Same results for any number of
 * threads. Everything lives in `arena`. */
fp_status fp_recall_loss_make(const fp_outcome *outcome, const fp_lsh_spec *spec, const double *within,
                              const fp_progress *progress, fp_arena *arena, fp_recall_loss *lost, fp_error *error);

/* Whether a class can contain a pair of this arm. */
bool fp_recall_loss_applies(const fp_recall_loss_arm *arm, fp_loss loss);

/* One arm at one threshold. */
typedef struct fp_recall_loss_row {
    size_t arm;
    double threshold;
    uint64_t count[FP_LOSS_COLUMNS];
    fp_proportion share[FP_LOSS_COLUMNS]; /* of the positives; NaN when there are none */
} fp_recall_loss_row;

/* Fills rows[count]; the caller sets their arm and threshold. Intervals at `confidence` in (0, 1) as in
 * proportion_interval.h, with the same dependence among labelled pairs as for recall. */
fp_status fp_recall_loss_fill(const fp_recall_loss *lost, double confidence, const fp_progress *progress,
                              fp_arena *arena, fp_recall_loss_row *rows, size_t count, fp_error *error);

/* Whether an index that loses nothing within a distance was requested but none exists: a full scan instead. */
bool fp_recall_loss_needs_scan(const fp_recall_loss_arm *arm);
/* Mean candidates of a query by a document of the corpus, not counting itself; NaN without an index. */
double fp_recall_loss_candidates(const fp_recall_loss_arm *arm);

#endif
