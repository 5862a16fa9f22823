/* SPDX-License-Identifier: GPL-3.0-or-later
 * Precision against prevalence: --prevalence. */
#include "reports/analyses/analysis_outcomes.h"

#include <math.h>

#include "base/parallel.h"
#include "reports/analyses/analyses.h"
#include "eval/evaluation/counting.h"
#include "eval/statistics/measure_interval.h"
#include "eval/statistics/counted.h"

typedef struct work {
    const fp_analysed *of;
    fp_prevalence_outcome *out;
    fp_bootstrap bootstrap;
    fp_method method; /* the requested one, or the default if there are no replicates */
    fp_prevalence_arm *arms;
    fp_prevalence_point *points;
} work;

static double confidence_of(const work *job) { return job->of->questions->inference.confidence; }

/* Piece `index` is one arm at one threshold. */
static fp_status fill_curve(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    const work *job = context;
    const fp_prevalence_outcome *out = job->out;
    size_t arm = index / out->threshold_count, threshold = index % out->threshold_count;
    fp_prevalence_point *points = job->points + index * out->prevalence_count;
    fp_prevalence_options options = {out->prevalences, out->prevalence_count, job->method, confidence_of(job)};
    return fp_prevalence_points(&job->bootstrap, arm, threshold, &options, scratch, points, error);
}

static fp_status fill_arm(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    const work *job = context;
    const fp_prevalence_outcome *out = job->out;
    fp_prevalence_arm *arm = job->arms + index;
    arm->points = job->points + index * out->threshold_count * out->prevalence_count;
    arm->best =
        fp_threshold_position(out->thresholds, out->threshold_count, job->of->outcome->curves[index].best_threshold);
    arm->own = (fp_estimate){.value = NAN, .interval = {NAN, NAN}};
    if (arm->best == out->threshold_count) return FP_OK;
    fp_measure measure = {.row = &fp_measure_precision, .threshold = arm->best};
    return fp_bootstrap_estimate(&job->bootstrap, index, measure, job->method, confidence_of(job), scratch, &arm->own,
                                 error);
}

/* ---- One corpus ---- */

/* Observed counts, and replicates if requested. */
static fp_status observe(work *job, fp_error *error) {
    const fp_analysed *of = job->of;
    const fp_outcome *outcome = of->outcome;
    const fp_corpus *corpus = outcome->corpus;
    fp_bootstrap_options drawing = fp_inference_drawing(&of->questions->inference, NULL, 0);
    drawing.thresholds = job->out->thresholds, drawing.threshold_count = job->out->threshold_count;
    drawing.further = outcome->further;
    if (corpus->truth == FP_TRUTH_PAIRS) {
        fp_paired_distances paired = {
            corpus->pairs, FP_NEED(fp_distances_of(outcome->measurements, outcome->lane_count, of->arena), error),
            outcome->count};
        return fp_bootstrap_run(&outcome->inference->resample, &paired, &drawing, of->progress, of->arena,
                                &job->bootstrap, error);
    }
    fp_resample *resample = FP_NEED(fp_arena_alloc(of->arena, 1, sizeof *resample), error);
    if (fp_method_draws(job->method)) job->method = FP_METHOD_MID_P; /* nothing to resample */
    return fp_counting_observe(corpus, outcome->measurements, outcome->count, NULL, &drawing, of->progress, of->arena,
                               resample, &job->bootstrap, error);
}

static fp_status list_points(const fp_analysed *of, fp_prevalence_outcome *out, fp_error *error) {
    const fp_inference_options *options = &of->questions->inference;
    const fp_outcome *outcome = of->outcome;
    double *best = FP_NEED(fp_arena_raw(of->arena, outcome->count, sizeof *best), error), *thresholds,
           *prevalences = FP_NEED(fp_arena_raw(of->arena, FP_PREVALENCE_GRID, sizeof *prevalences), error);
    for (size_t arm = 0; arm < outcome->count; arm++) best[arm] = outcome->curves[arm].best_threshold;
    FP_TRY(fp_thresholds_merge(options->thresholds, options->threshold_count, best, outcome->count, of->arena,
                               &thresholds, &out->threshold_count, error));
    out->thresholds = thresholds;
    out->prevalence_count = fp_prevalence_grid(options->prevalence, prevalences);
    out->prevalences = prevalences;
    out->stated = fp_threshold_position(prevalences, out->prevalence_count, options->prevalence);
    return FP_OK;
}

static fp_status run(const fp_analysed *of, const void **found, fp_error *error) {
    fp_prevalence_outcome *out = FP_NEED(fp_arena_alloc(of->arena, 1, sizeof *out), error);
    *found = out;
    FP_TRY(list_points(of, out, error));
    work job = {.of = of, .out = out, .method = of->questions->inference.method};
    size_t cells = of->outcome->count * out->threshold_count;
    job.points = FP_NEED(fp_arena_raw(of->arena, cells * out->prevalence_count, sizeof *job.points), error);
    out->arms = job.arms = FP_NEED(fp_arena_alloc(of->arena, of->outcome->count, sizeof *job.arms), error);
    FP_TRY(observe(&job, error));
    FP_TRY(fp_parallel_in(of->arena, cells, fill_curve, &job, "prevalence", of->progress, error));
    return fp_parallel_in(of->arena, of->outcome->count, fill_arm, &job, "prevalence", of->progress, error);
}

/* ---- The analysis ---- */

static fp_status check(const fp_analysis_values *given, fp_questions *questions, fp_arena *arena, const void **settings,
                       fp_error *error) {
    (void)arena, (void)settings;
    double *prevalence = &questions->inference.prevalence;
    if (fp_parse_real(*given->text, prevalence) && *prevalence > 0 && *prevalence < 1) return FP_OK;
    return fp_fail(error, FP_ERROR_RANGE, "--prevalence takes a number above 0 and below 1, not %s", *given->text);
}

/* The listed thresholds, and the best of the arm. */
static void add_rows(fp_table *table, const fp_found_arm *of) {
    const fp_prevalence_outcome *found = of->found;
    const fp_prevalence_arm *arm = found->arms + of->arm;
    const fp_inference_options *options = of->results->inference;
    for (size_t i = 0; i < found->threshold_count * found->prevalence_count; i++) {
        size_t at = i / found->prevalence_count, share = i % found->prevalence_count;
        double threshold = found->thresholds[at];
        const fp_prevalence_point *point = arm->points + i;
        size_t listed = fp_threshold_position(options->thresholds, options->threshold_count, threshold);
        if (at != arm->best && listed == options->threshold_count) continue;
        fp_results_add_names(table, of->outcome, of->arm, true);
        FP_TABLE_PUT(table, threshold, at == arm->best, point->prevalence, share == found->stated);
        FP_TABLE_FIGURE(table, point->precision);
    }
}

/* Each arm at its best threshold, at the prevalence of the set and at the stated one. */
static fp_table *summarise(const fp_outcome *outcome, const fp_prevalence_outcome *of, fp_arena *arena) {
    static const fp_estimate NONE = {.value = NAN};
    const char *columns = fp_format(arena, "arm|>threshold|>at %.3g (the set);3|>at %g;3",
                                    fp_results_prevalence(outcome, 0), of->prevalences[of->stated]);
    fp_table *table = fp_table_of(columns, arena);
    for (size_t i = 0; i < outcome->count; i++) {
        const fp_prevalence_arm *measures = of->arms + i;
        const fp_arm *arm = outcome->measurements[i].arm;
        bool any = measures->best < of->threshold_count;
        fp_table_text(table, fp_arm_name(arm));
        fp_table_real(table, any ? of->thresholds[measures->best] : NAN, fp_arm_layout(arm)->integral ? 0 : 2);
        FP_TABLE_FIGURE(table, measures->own);
        FP_TABLE_FIGURE(table,
                        any ? measures->points[measures->best * of->prevalence_count + of->stated].precision : NONE);
    }
    return table;
}

static void brief(fp_brief *to) {
    for (size_t i = 0; i < to->results->count; i++) {
        to->print(fp_format(
            to->arena,
            "\n%s: precision by the share of duplicates among all %s, each arm at its best F1, with %.0f%% intervals\n",
            to->results->outcomes[i].corpus->name, fp_results_counted(to->results->level),
            to->results->confidence * 100));
        to->show(summarise(to->results->outcomes + i, to->found[i], to->arena));
    }
}

/* Keeps, at the best threshold, prevalences that are powers of ten, and the stated one. */
static bool keeps(double (*real)(const void *row, const char *column), const void *row) {
    double power = log10(real(row, "prevalence"));
    return real(row, "best") == 1 && (real(row, "stated") == 1 || fabs(power - round(power)) < 1e-9);
}

static const char COLUMNS[] = "corpus|arm|scale|>threshold;esd|>best;d|>prevalence;esd|>stated;d|>precision;lsdD%";

const fp_analysis fp_analysis_prevalence = {
    .name = "prevalence",
    .example = "--prevalence 0.001",
    .title = {"Prevalence", "重复占比"},
    .text =
        {"Precision that the same two error rates give where duplicates are rarer, at the threshold of the best F1.",
         "在最佳 F1 的阈值下，若重复更少见，同样的两类错误率对应的精确率。"},
    .options = {{.name = "prevalence",
                 .takes = FP_TAKES_ONE,
                 .help = "also precision when this share of pairs are duplicates, and against any share",
                 .argument = "SHARE"}},
    .check = check,
    .run = run,
    .brief = brief,
    .tables = {{.name = "prevalence", .columns = COLUMNS, .rows = add_rows, .every_arm = true, .keeps = keeps}},
    .figures = {{"prevalence", "summary, prevalence", "precision where duplicates are rare (eval --prevalence)"}}};
