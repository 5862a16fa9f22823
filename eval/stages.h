/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stages.h - the stages of an experiment between a corpus and the sketches, each run over threads and timed.
 */
#ifndef FP_STAGES_H
#define FP_STAGES_H

#include "eval/experiment.h"

/* Treated texts of a corpus under one text specification. */
typedef struct fp_corpus_texts {
    fp_text *texts; /* [document_count] */
    double seconds;
} fp_corpus_texts;

/* Documents as an algorithm reads them, under one feature specification. */
typedef struct fp_corpus_features {
    fp_document *documents; /* [document_count] */
    const fp_idf *idf;      /* NULL when none was learned */
    double seconds;
} fp_corpus_features;

/* Everything that the stages share. */
typedef struct fp_stage {
    const fp_corpus *corpus;
    const fp_progress *progress;
} fp_stage;

/* `wanted`: parts of fp_text. The arm gives the text specification. Results live in `arenas`. */
fp_status fp_stage_texts(const fp_stage *stage, const fp_arm *arm, unsigned wanted, fp_arenas *arenas, fp_arena *arena,
                         fp_corpus_texts *out, fp_error *error);
/* Also learns the IDF where the specification asks for it, into `arena`. */
fp_status fp_stage_features(const fp_stage *stage, const fp_arm *arm, const fp_corpus_texts *texts, fp_arenas *arenas, fp_arena *arena,
                            fp_corpus_features *out, fp_error *error);
/* Fits the arm where it learns and sketches every document; sketches live in `arena`. */
fp_status fp_stage_sketches(const fp_stage *stage, fp_arm *arm, const fp_corpus_features *features, fp_arena *arena,
                            fp_measurement *out, fp_error *error);
/* Distances of every pair of the ground truth into the histogram. */
fp_status fp_stage_distances(const fp_stage *stage, fp_measurement *measurement, fp_arena *arena, fp_error *error);

#endif
