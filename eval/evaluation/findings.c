/* SPDX-License-Identifier: GPL-3.0-or-later
 * An evaluation, part by part. */
#include "eval/evaluation/findings.h"

#include "eval/evaluation/levels.h"
#include "eval/evaluation/counting.h"

fp_status fp_findings_open(const fp_questions *questions, size_t most, bool thresholds, fp_arena *arena,
                           fp_findings *findings, fp_error *error) {
    *findings = (fp_findings){.questions = questions, .most = most};
    findings->outcomes = FP_NEED(fp_arena_alloc(arena, most, sizeof *findings->outcomes), error);
    findings->best = FP_NEED(fp_arena_alloc(arena, most, sizeof *findings->best), error);
    if (thresholds) findings->chosen = FP_NEED(fp_arena_alloc(arena, most, sizeof *findings->chosen), error);
    if (questions->by) findings->strata = FP_NEED(fp_arena_alloc(arena, most, sizeof *findings->strata), error);
    if (questions->edits) findings->edits = FP_NEED(fp_arena_alloc(arena, most, sizeof *findings->edits), error);
    findings->found = FP_NEED(fp_arena_alloc(arena, most * questions->asked_count, sizeof *findings->found), error);
    return FP_OK;
}

/* The pictures of quality have the bound where the exact measure of the listed pairs costs little. */
static bool wants_bounds(const fp_questions *questions, const fp_corpus *corpus) {
    return questions->saved && questions->level == FP_LEVEL_PAIR && corpus->truth == FP_TRUTH_PAIRS &&
           corpus->document_count <= FP_HASH_SEEDS_DOCUMENTS;
}

/* Edits compare with the exact measure pair by pair. */
static bool wants_counterparts(const fp_findings *findings, const fp_corpus *corpus) {
    const fp_questions *questions = findings->questions;
    for (size_t i = 0; i < questions->asked_count; i++)
        if (questions->asked[i].analysis->needs & FP_NEEDS_EXACT) return true;
    return (findings->edits && corpus->truth == FP_TRUTH_PAIRS) || wants_bounds(questions, corpus);
}

fp_status fp_findings_measure(fp_findings *findings, const fp_corpus *corpus, const fp_contestants *contestants,
                              const fp_progress *progress, fp_arena *arena, fp_error *error) {
    uint64_t negatives;
    FP_TRY(fp_corpus_view_draws(corpus, findings->questions->negatives, &negatives, error));
    fp_stage stage = {corpus, progress, fp_counting_near(corpus, contestants->count), negatives,
                      findings->questions->inference.seed};
    fp_level level = findings->questions->level;
    bool exact = level != FP_LEVEL_DOCUMENT && wants_counterparts(findings, corpus);
    fp_contest contest = {.count = contestants->count,
                          .arms = contestants->arms,
                          .hash_seeds = findings->questions->inference.hash_seeds,
                          .level = level,
                          .exact = exact};
    FP_TRY(fp_outcome_measure(&stage, &contest, arena, findings->outcomes + findings->count, error));
    findings->count++;
    return FP_OK;
}

static fp_status divide(fp_findings *findings, size_t of, const fp_progress *progress, fp_arena *arena,
                        fp_error *error) {
    const fp_questions *asked = findings->questions;
    FP_TRY(fp_strata_outcome_make(findings->outcomes + of, asked->by, &asked->inference, progress, arena,
                                  findings->strata + of, error));
    if (!findings->edits) return FP_OK;
    return fp_edits_outcome_make(findings->strata + of, asked->inference.confidence, progress, arena,
                                 findings->edits + of, error);
}

static fp_status run_analyses(fp_findings *findings, const fp_contestants *contestants, const fp_progress *progress,
                              fp_arena *arena, fp_error *error) {
    const fp_questions *questions = findings->questions;
    size_t at = findings->count - 1;
    for (size_t i = 0; i < questions->asked_count; i++) {
        const fp_asked *asked = questions->asked + i;
        fp_analysed of = {findings->outcomes + at, questions, asked->settings,
                          contestants->thresholds, progress,  arena};
        if (asked->analysis->run) FP_TRY(asked->analysis->run(&of, findings->found + i * findings->most + at, error));
    }
    return FP_OK;
}

fp_status fp_findings_analyse(fp_findings *findings, const fp_contestants *contestants, const fp_progress *progress,
                              fp_arena *arena, fp_error *error) {
    const fp_inference_options *inference = &findings->questions->inference;
    size_t of = findings->count - 1;
    fp_outcome *outcome = findings->outcomes + of;
    fp_inference_options judged = *inference;
    judged.judged = contestants->judged;
    FP_TRY(fp_outcome_infer(outcome, &judged, progress, arena, error));
    if (wants_bounds(findings->questions, outcome->corpus))
        FP_TRY(fp_outcome_bound(outcome, inference->seed, progress, arena, error));
    FP_TRY(fp_best_outcome_make(outcome, inference, progress, arena, findings->best + of, error));
    if (findings->chosen)
        FP_TRY(fp_chosen_outcome_make(outcome, contestants->thresholds, inference, progress, arena,
                                      findings->chosen + of, error));
    FP_TRY(run_analyses(findings, contestants, progress, arena, error));
    return findings->strata ? divide(findings, of, progress, arena, error) : FP_OK;
}

fp_status fp_findings_rank(fp_findings *findings, fp_arena *arena, fp_error *error) {
    if (!fp_ranks_outcome_can(findings->outcomes, findings->count)) return FP_OK;
    fp_ranks *ranks = FP_NEED(fp_arena_alloc(arena, 1, sizeof *ranks), error);
    fp_rank_pairs *pairs = FP_NEED(fp_arena_alloc(arena, 1, sizeof *pairs), error);
    const fp_inference_options *inference = &findings->questions->inference;
    fp_bayes_options bayes = {fp_inference_margin(inference), inference->seed, FP_BAYES_DRAWS};
    FP_TRY(fp_ranks_outcome_make(findings->outcomes, findings->count, inference->confidence, arena, ranks, error));
    FP_TRY(fp_rank_pairs_make(ranks, &bayes, arena, pairs, error));
    findings->ranks = ranks;
    findings->rank_pairs = pairs;
    return FP_OK;
}

const void *const *fp_findings_of(const fp_findings *findings, size_t at) {
    return findings->found + at * findings->most;
}

void fp_findings_free(fp_findings *findings) {
    for (size_t i = 0; i < findings->count; i++) fp_outcome_free(findings->outcomes + i);
    findings->count = 0;
}
