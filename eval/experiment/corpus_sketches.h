/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * corpus_sketches.h - the documents of a corpus through the pipeline (algorithms/pipeline/pipeline.h): what an
 * experiment measures and what tuning measures, on some documents learned and on others tried.
 */
#ifndef FP_CORPUS_SKETCHES_H
#define FP_CORPUS_SKETCHES_H

#include "algorithms/pipeline/pipeline.h"
#include "eval/experiment/experiment.h"

/* Arms learn from their training documents and sketch theirs. Where one asks for labels (FP_NEEDS_PAIRS), it gets the
 * labelled pairs, or the pairs inside groups, both of whose documents it learns from. measurements[i] is of arms[i],
 * but for distances; models and sketches live in `arena`. */
fp_status fp_corpus_sketches(const fp_corpus *corpus, fp_pipeline_arm *arms, size_t count, const fp_progress *progress,
                             fp_arena *arena, fp_measurement *measurements, fp_error *error);

#endif
