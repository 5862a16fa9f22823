/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * robustness.h - how robust fingerprints are to corruptions: every arm with every kind at every rate, over corpora and
 * hash seeds.
 *
 * Every document of each corpus is copied once per cell (a kind at a rate). A positive pair is a document and its copy;
 * its negatives are the copy with `negatives` documents of other units of the same fold, the same in all cells:
 * sampled, or the nearest under an arm. Units (documents connected by groups and duplicates) are assigned to two folds
 * by their ids and the seed.
 *
 * An arm has one threshold per fold, for all cells, because in use the corruption of a text is unknown: the one with
 * the largest F1 over the pairs of the other fold. F1 of a cell is that of its pairs of both folds under these
 * thresholds. Recall at precision 0.95 is the largest recall at a distance at which precision is 0.95 or more, or 0.
 * Both depend on the number of negatives per positive.
 *
 * Values are means over corpora and hash seeds. Their intervals are percentiles over replicates in which corpora, units
 * within each corpus, and hash seeds are resampled, while the copies and the thresholds stay fixed. If all replicates
 * are equal and the value is 0 or 1, the interval is the exact one for that many units without an exception (Clopper,
 * Pearson, Biometrika 26, 1934).
 */
#ifndef FP_ROBUSTNESS_H
#define FP_ROBUSTNESS_H

#include "eval/analyses/copies.h"
#include "eval/experiment/arm_list.h"
#include "eval/statistics/interval.h"

typedef struct fp_robustness_options {
    uint64_t seed;
    size_t documents;  /* at most, per corpus; sampled by their ids; 0: all */
    size_t negatives;  /* per copy */
    fp_arm *near;      /* negatives are the nearest under this arm, which must not be one of the arms; NULL: sampled */
    size_t hash_seeds; /* of arms without a fixed seed */
    size_t replicates;
    double confidence, precision; /* 0.95 and 0.95 */
    const fp_progress *progress;  /* may be NULL */
} fp_robustness_options;

enum { FP_ROBUSTNESS_CORPORA = 32, FP_ROBUSTNESS_SEEDS = 16, FP_ROBUSTNESS_NEGATIVES = 1000 };

/* A value with its interval; NaN if not defined. */
typedef struct fp_robust_value {
    double value;
    fp_interval interval;
} fp_robust_value;

/* One arm in one cell. */
typedef struct fp_robust_cell {
    size_t arm, cell;
    uint64_t positives, negatives; /* of one seed, over all corpora */
    uint64_t sites, changes;       /* over all corpora */
    fp_robust_value f1, recall;    /* recall: at the precision of the options */
} fp_robust_cell;

/* The same on one corpus under one hash seed, without an interval. */
typedef struct fp_robust_part {
    size_t arm, cell, corpus, hash_seed;
    double f1, recall;
} fp_robust_part;

typedef struct fp_robust_threshold {
    size_t arm, corpus, hash_seed, fold;
    double threshold; /* chosen on the other fold */
} fp_robust_threshold;

typedef struct fp_robustness {
    const fp_copy_cell *cells; /* those that apply to every corpus */
    fp_arm *const *arms;
    size_t cell_count, arm_count, corpus_count;
    const char *const *corpora;      /* names */
    const size_t *documents, *units; /* [corpus_count] of the sampled documents */
    size_t skipped_count;            /* cells that do not apply to some corpus */
    const fp_copy_cell *skipped;
    const fp_robust_cell *results; /* [arm_count · cell_count] arm by arm */
    size_t part_count, threshold_count;
    const fp_robust_part *parts;
    const fp_robust_threshold *thresholds;
} fp_robustness;

/* Cells whose kind does not apply to one of the corpora are left out, since values are means over corpora. If none is
 * left, returns the error of fp_copies_open. Arms are parsed, not fitted; arms[i] may be fitted afterwards. Corpora
 * need no labels. All texts of a corpus and of its copies are in memory, one corpus at a time. Same results for any
 * number of threads. Lives in `arena`. Errors as of fp_copies_open and fp_experiment; FP_ERROR_EMPTY: a corpus has
 * fewer than four units. */
fp_status fp_robustness_run(const fp_corpus *const *corpora, size_t corpus_count, fp_arm *const *arms, size_t arm_count,
                            const fp_copy_cell *cells, size_t cell_count, const fp_robustness_options *options,
                            fp_arena *arena, fp_robustness *made, fp_error *error);

/* ---- One arm with one hash seed in one cell: its values, with or without resampled units ---- */

/* A pair of the cell. */
typedef struct fp_cell_pair {
    double distance;
    uint32_t unit; /* of the copy */
    uint8_t label;
    uint8_t called; /* at most the threshold of its fold */
} fp_cell_pair;

typedef struct fp_cell_figures {
    double f1, recall; /* NaN without positives */
} fp_cell_figures;

/* Sorts by distance, as fp_cell_figures_of requires. */
void fp_cell_pairs_sort(fp_cell_pair *pairs, size_t count);

/* F1 of the called pairs, and the largest recall at a distance at which precision is at least `precision`, or 0. Each
 * pair counts as often as its unit was resampled: weight[unit]; NULL: once. */
fp_cell_figures fp_cell_figures_of(const fp_cell_pair *pairs, size_t count, const uint8_t *weight, double precision);

#endif
