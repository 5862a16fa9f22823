/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * judgements.h - the labelled pairs that an arm classifies correctly at a threshold that was not chosen on them.
 *
 * Cross-fitting: units are dealt to folds (sampling_units.h). A pair in folds i and j gets the threshold with the
 * largest F1 over the pairs that touch neither fold, the smallest distance that reaches it. One deal is partly chance;
 * so there are several, and a pair is called when it is within most of their thresholds, their median (Chernozhukov et
 * al., Econometrics Journal 21, 2018, section 3.4). Deals are deterministic and do not depend on the order of pairs or
 * documents.
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

/* The threshold of an arm; not read if it is cross-fitted. */
typedef struct fp_threshold_at {
    fp_threshold_source source;
    double threshold;
} fp_threshold_at;

typedef struct fp_judgements {
    fp_threshold_source source;
    double low, high;  /* thresholds, from the smallest to the largest that was chosen */
    const bool *right; /* [pair_count]; NULL: fewer than three units, or no positives to choose on */
} fp_judgements;

enum { FP_CROSS_FIT_FOLDS = 5, FP_CROSS_FIT_DEALINGS = 15 };

/* The pairs of a bootstrap, and the ids that decide how units are dealt. */
typedef struct fp_known_pairs {
    const fp_pair *pairs;
    const fp_corpus_document *documents; /* NULL: positions instead of ids */
} fp_known_pairs;

/* judgements[arm_count]; the replicates of `bootstrap` are not read. `at`: [arm_count], or NULL: all are cross-fitted.
 * Everything lives in `arena`. */
fp_status fp_judgements_make(const fp_bootstrap *bootstrap, fp_known_pairs known, const fp_threshold_at *at,
                             const fp_progress *progress, fp_arena *arena, fp_judgements *judgements, fp_error *error);

#endif
