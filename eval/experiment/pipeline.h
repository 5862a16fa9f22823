/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pipeline.h - the stages of an experiment between a corpus and the sketches, each run over threads and timed.
 */
#ifndef FP_PIPELINE_H
#define FP_PIPELINE_H

#include "eval/experiment/experiment.h"

/* Treated texts of a corpus under one text specification. */
typedef struct fp_corpus_texts {
    fp_text *texts; /* [document_count] */
    double seconds;
} fp_corpus_texts;

/* Units and counts under one feature specification: all that features are made of but the weights. */
typedef struct fp_corpus_counts {
    fp_units *units;   /* [document_count]; NULL when the arm reads no features */
    fp_counts *counts; /* [document_count] */
    double seconds;
} fp_corpus_counts;

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
    const bool *training; /* [document_count] the documents that IDF and models are learned from; NULL: all */
    const bool *sketched; /* [document_count] the documents that are sketched, the others stay empty; NULL: all */
} fp_stage;

/* `wanted`: parts of fp_text. The arm gives the text specification. Results live in `arenas`. */
fp_status fp_stage_texts(const fp_stage *stage, const fp_arm *arm, unsigned wanted, fp_arenas *arenas, fp_arena *arena,
                         fp_corpus_texts *out, fp_error *error);
/* Without weights, so that several IDF can follow. */
fp_status fp_stage_counts(const fp_stage *stage, const fp_arm *arm, const fp_corpus_texts *texts, fp_arenas *arenas,
                          fp_arena *arena, fp_corpus_counts *out, fp_error *error);
/* Learns the IDF from the training documents where the specification asks for it, into `arena`, and weighs every
 * document. */
fp_status fp_stage_weights(const fp_stage *stage, const fp_arm *arm, const fp_corpus_texts *texts,
                           const fp_corpus_counts *counts, fp_arenas *arenas, fp_arena *arena, fp_corpus_features *out,
                           fp_error *error);
/* Both in one. */
fp_status fp_stage_features(const fp_stage *stage, const fp_arm *arm, const fp_corpus_texts *texts, fp_arenas *arenas,
                            fp_arena *arena, fp_corpus_features *out, fp_error *error);
/* Fits the arm to the training documents where it learns, and sketches; model and sketches live in `arena`. */
fp_status fp_stage_sketches(const fp_stage *stage, fp_arm *arm, const fp_corpus_features *features, fp_arena *arena,
                            fp_measurement *out, fp_error *error);
/* Distances of every pair of the ground truth into the histogram. */
fp_status fp_stage_distances(const fp_stage *stage, fp_measurement *measurement, fp_arena *arena, fp_error *error);

#endif
