/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study.h - the inside of a study of robustness: what is kept of each corpus, and put together in the end.
 */
#ifndef FP_STUDY_H
#define FP_STUDY_H

#include "eval/outcome/seeded_arms.h"
#include "eval/robustness/cell_replicates.h"
#include "eval/robustness/robustness.h"

/* What is kept of a corpus: the figures of every arm, hash seed and cell, and their replicates. */
typedef struct fp_kept_corpus {
    fp_cell_figures *figures;    /* [lanes · cells] */
    fp_cell_figures *replicates; /* [lanes · cells · replicates] */
    size_t units;
    uint64_t positives, negatives; /* of a cell */
    size_t *sites, *changes;       /* [cells] */
} fp_kept_corpus;

typedef struct fp_study {
    const fp_copy_cell *cells;
    size_t cell_count, corpus_count;
    const fp_robustness_options *options;
    fp_seeded_arms arms;
    fp_kept_corpus *kept; /* [corpus_count] */
    fp_robust_threshold *thresholds;
    size_t threshold_count;
    fp_robust_part *parts;
    fp_robustness *made;
    fp_arena *arena;
} fp_study;

/* Means over corpora and hash seeds, with their intervals, into in->made. */
fp_status fp_study_sum_up(fp_study *in, fp_error *error);

#endif
