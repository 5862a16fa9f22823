/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * evaluation.h - the internal structure of an evaluation of the programming interface (fplab/eval.h).
 */
#ifndef FP_EVALUATION_H
#define FP_EVALUATION_H

#include "eval/evaluation/outcome.h"

/* An entrant: an arm, or distances of pairs. */
typedef struct fp_entrant {
    const char *name;
    fp_arm *arm;             /* NULL: distances */
    const double *distances; /* [corpus.pair_count] */
} fp_entrant;

struct fp_evaluation {
    fp_arena *arena;
    fp_corpus corpus; /* with small groups as the pairs that they mean */
    fp_level level;
    uint64_t negatives; /* sampled; 0: all are counted */
    fp_inference_options inference;
    fp_progress progress;
    size_t count, room;
    fp_entrant *entrants; /* [count] */
    bool has_run;
    fp_outcome outcome;
    const char *described;
};

#endif
