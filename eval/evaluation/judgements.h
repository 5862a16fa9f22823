/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * judgements.h - which labelled pairs an arm judges rightly at a threshold that was not chosen on them: one that is
 * stated, or else one chosen on other units.
 *
 * Cross-fitting: units are dealt into folds (sampling_units.h). For a pair whose units lie in folds i and j the
 * threshold is the one with the largest F1 over the pairs that touch neither fold, the smallest distance that reaches
 * it; all distances are tried, whatever thresholds are tabulated. What one dealing says is partly its luck: there are
 * several, and a pair is called when it is at most of their thresholds, that is within their median (over repeated
 * splits: Chernozhukov et al., Econometrics Journal 21, 2018, section 3.4). Dealings are always the same, and do not
 * depend on the order of pairs or documents.
 */
#ifndef FP_JUDGEMENTS_H
#define FP_JUDGEMENTS_H

#include "corpora/corpus.h"
#include "eval/statistics/bootstrap.h"

typedef enum fp_threshold_source {
    FP_THRESHOLD_CROSS_FITTED,
    FP_THRESHOLD_STATED,
    FP_THRESHOLD_CHOICE
} fp_threshold_source;
/* "cross-fitted", "stated", "choice". */
const char *fp_threshold_source_name(fp_threshold_source source);

/* The threshold of an arm; not read where it is cross-fitted. */
typedef struct fp_threshold_at {
    fp_threshold_source source;
    double threshold;
} fp_threshold_at;

typedef struct fp_judgements {
    fp_threshold_source source;
    double low, high;  /* thresholds, from the smallest to the largest that was chosen */
    const bool *right; /* [pair_count]; NULL where none can be chosen: fewer than three units, or no positives to choose
                          on */
} fp_judgements;

enum { FP_CROSS_FIT_FOLDS = 5, FP_CROSS_FIT_DEALINGS = 15 };

/* The pairs of a bootstrap, and what their documents are known by. */
typedef struct fp_known_pairs {
    const fp_pair *pairs;
    const fp_corpus_document *documents; /* whose ids; NULL: their places */
} fp_known_pairs;

/* judgements[arm_count] of the arms of `bootstrap`, whose replicates are not read. `at`: [arm_count], or NULL: all are
 * cross-fitted. Everything lives in `arena`. */
fp_status fp_judgements_make(const fp_bootstrap *bootstrap, fp_known_pairs known, const fp_threshold_at *at,
                             const fp_progress *progress, fp_arena *arena, fp_judgements *judgements, fp_error *error);

#endif
