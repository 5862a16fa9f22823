/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * findings.h - a whole evaluation: arms on one corpus or several, and all requested analyses. The results are data,
 * ready to be written.
 */
#ifndef FP_FINDINGS_H
#define FP_FINDINGS_H

#include "eval/analyses/edits.h"
#include "eval/evaluation/analysis.h"
#include "eval/evaluation/outcome.h"
#include "eval/analyses/ranks.h"
#include "eval/analyses/stratum.h"

/* A requested analysis, with the settings that its check made. */
typedef struct fp_asked {
    const fp_analysis *analysis;
    const void *settings;
} fp_asked;

/* The requested work. Everything pointed to must outlive the findings. */
typedef struct fp_questions {
    fp_level level;
    fp_inference_options inference; /* thresholds, and how sure the measures are */
    const fp_strata_choice *by;     /* divide the pairs; NULL: do not */
    bool edits;                     /* distances against edits; the pairs are divided by length */
    bool saved;                     /* tables are written into files, also those that the terminal does not show */
    const fp_asked *asked;          /* [asked_count] */
    size_t asked_count;
    uint64_t negatives; /* of groups: number of negatives sampled with inference.seed (fp_stage); 0: all are counted */
} fp_questions;

/* The arms, parsed and not fitted: the corpus owns what they learn. */
typedef struct fp_contestants {
    size_t count;
    fp_arm *const *arms;
    const double *thresholds; /* [count] of arms that come with one of their own, NaN for others; NULL: none does */
    const fp_threshold_at *judged; /* [count] as in fp_inference_options */
} fp_contestants;

/* One entry per corpus in each list; NULL if not requested. */
typedef struct fp_findings {
    const fp_questions *questions;
    size_t count; /* corpora */
    fp_outcome *outcomes;
    fp_chosen_outcome *best;   /* every arm at the threshold of its best F1 */
    fp_chosen_outcome *chosen; /* NULL where no arm comes with a threshold */
    fp_strata_outcome *strata;
    fp_edits_outcome *edits;
    size_t most;                     /* corpora */
    const void **found;              /* [asked_count·most] by analyses, one after the other (fp_findings_of) */
    const fp_ranks *ranks;           /* over all corpora; NULL where they cannot be ranked */
    const fp_rank_pairs *rank_pairs; /* the same */
} fp_findings;

/* Room for `most` corpora, in `arena`. */
fp_status fp_findings_open(const fp_questions *questions, size_t most, bool thresholds, fp_arena *arena,
                           fp_findings *findings, fp_error *error);

/* Measures the arms on the next corpus: findings->outcomes[findings->count − 1] has measurements and curves. Then runs
 * all other requested work for that corpus. Everything lives in `arena` except what fp_findings_free releases; call it
 * in any case. Errors as of the parts. Same results for any number of threads. */
fp_status fp_findings_measure(fp_findings *findings, const fp_corpus *corpus, const fp_contestants *contestants,
                              const fp_progress *progress, fp_arena *arena, fp_error *error);
fp_status fp_findings_analyse(fp_findings *findings, const fp_contestants *contestants, const fp_progress *progress,
                              fp_arena *arena, fp_error *error);
/* Ranks the arms over all measured corpora, if possible. */
fp_status fp_findings_rank(fp_findings *findings, fp_arena *arena, fp_error *error);

/* What the analysis asked[at] found, [count]. */
const void *const *fp_findings_of(const fp_findings *findings, size_t at);

void fp_findings_free(fp_findings *findings);

#endif
