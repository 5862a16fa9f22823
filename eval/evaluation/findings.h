/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * findings.h - a whole evaluation: arms on one corpus or several, and all that is asked about them. What is found is
 * here as data, ready to be written.
 */
#ifndef FP_FINDINGS_H
#define FP_FINDINGS_H

#include "eval/analysis/edits_outcome.h"
#include "eval/analysis/index_curve.h"
#include "eval/analysis/recall_loss_outcome.h"
#include "eval/analysis/theory_outcome.h"
#include "eval/decision/calibration_outcome.h"
#include "eval/decision/cost_outcome.h"
#include "eval/outcome/chosen_outcome.h"
#include "eval/outcome/clusters_outcome.h"
#include "eval/outcome/prevalence_outcome.h"
#include "eval/outcome/ranks_outcome.h"
#include "eval/outcome/retrieval_outcome.h"
#include "eval/outcome/strata_outcome.h"

/* What is asked. Everything pointed to must outlive the findings. */
typedef struct fp_questions {
    fp_level level; /* clusters are told of at cluster level */
    /* Thresholds, and how sure the measures are; with a prevalence, precision against the share of duplicates, too. */
    fp_inference_options inference;
    const fp_strata_choice *by; /* divide the pairs; NULL: do not */
    bool retrieval;             /* how well documents rank; not at document level */
    bool edits;                 /* distances against edits; the pairs are divided by length */
    bool theory;                /* laws beside measurements; of pairs */
    bool losses;                /* where recall is lost; not at document level */
    const fp_lsh_spec *index;   /* that pairs are looked up by; NULL: for each arm one that loses none */
    bool index_curves;          /* with losses: what the index brings, by similarity */
    const double *ratios;       /* [ratio_count] of costs, ascending: what thresholds cost; NULL: not asked */
    size_t ratio_count;
    bool calibration;   /* probabilities of distances; of labelled pairs */
    uint64_t negatives; /* of groups: so many negatives are drawn, by inference.seed (fp_stage); 0: all are counted */
} fp_questions;

/* The arms, parsed and not fitted: what they learn belongs to the corpus. */
typedef struct fp_contestants {
    size_t count;
    fp_arm *const *arms;
    const double *thresholds; /* [count] of arms that come with one of their own, NaN for others; NULL: none does */
    const fp_threshold_at *judged; /* [count] as in fp_inference_options */
} fp_contestants;

/* One entry a corpus in each list; NULL where it was not asked for. */
typedef struct fp_findings {
    const fp_questions *questions;
    size_t count; /* corpora */
    fp_outcome *outcomes;
    fp_chosen_outcome *chosen; /* NULL where no arm comes with a threshold */
    fp_clusters_outcome *clusters;
    fp_prevalence_outcome *prevalences;
    fp_retrieval_outcome *retrievals;
    fp_strata_outcome *strata;
    fp_edits_outcome *edits;
    fp_theory_outcome *theories;
    fp_recall_loss_outcome *losses;
    fp_index_outcome *indices;
    fp_cost_outcome *costs;
    fp_calibration_outcome *calibrations;
    const fp_ranks *ranks;           /* over all corpora; NULL where they cannot be ranked */
    const fp_rank_pairs *rank_pairs; /* the same */
} fp_findings;

/* Room for `most` corpora, in `arena`. */
fp_status fp_findings_open(const fp_questions *questions, size_t most, bool thresholds, fp_arena *arena,
                           fp_findings *findings, fp_error *error);

/* Measures the arms on the next corpus: findings->outcomes[findings->count − 1] has measurements and curves. Then all
 * else that is asked of that corpus. Everything lives in `arena` but what fp_findings_free releases, which is to be
 * called in any case. Errors as of the parts. Same findings for any number of threads. */
fp_status fp_findings_measure(fp_findings *findings, const fp_corpus *corpus, const fp_contestants *contestants,
                              const fp_progress *progress, fp_arena *arena, fp_error *error);
fp_status fp_findings_analyse(fp_findings *findings, const fp_contestants *contestants, const fp_progress *progress,
                              fp_arena *arena, fp_error *error);
/* Ranks the arms over all corpora that were measured, where they can be. */
fp_status fp_findings_rank(fp_findings *findings, fp_arena *arena, fp_error *error);

void fp_findings_free(fp_findings *findings);

#endif
