/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * theory_outcome.h - the law of every arm beside its measurement.
 */
#ifndef FP_THEORY_OUTCOME_H
#define FP_THEORY_OUTCOME_H

#include "eval/analysis/theory.h"
#include "eval/outcome/outcome.h"

/* What keeps an arm from having a theory. */
typedef enum fp_theory_lack {
    FP_THEORY_COMPLETE,
    FP_THEORY_NO_LAW,         /* the algorithm states none */
    FP_THEORY_NO_COUNTERPART, /* no arm measures exactly what it estimates */
    FP_THEORY_GROUPS          /* the corpus has no labelled pairs */
} fp_theory_lack;

/* The law at one similarity. */
typedef struct fp_theory_point {
    double similarity, mean, deviation;
} fp_theory_point;

typedef struct fp_theory_arm {
    fp_theory_lack lack;
    const fp_arm *counterpart; /* NULL where it lacks */
    fp_theory theory;          /* empty where something lacks */
    size_t point_count;        /* the law over the similarities that occur, evenly over its own scale, where an angle is
                                  as good as a cosine */
    const fp_theory_point *points;
} fp_theory_arm;

/* The arms of one outcome. */
typedef struct fp_theory_outcome {
    const fp_outcome *outcome; /* with counterparts, of pairs */
    fp_theory_arm *arms;       /* [outcome->count] */
} fp_theory_outcome;

/* Options as of the outcome's own inference. Everything lives in `arena`. */
fp_status fp_theory_outcome_make(const fp_outcome *outcome, const fp_inference_options *options,
                                 const fp_progress *progress, fp_arena *arena, fp_theory_outcome *theory,
                                 fp_error *error);

#endif
