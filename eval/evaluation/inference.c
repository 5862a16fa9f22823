/* SPDX-License-Identifier: GPL-3.0-or-later
 * Intervals and comparisons of all arms on one corpus, from one set of replicates. */
#include "eval/evaluation/inference.h"

#include <math.h>

#include "base/parallel.h"
#include "eval/experiment/sampled_pairs.h"
#include "eval/evaluation/counting.h"
#include "eval/statistics/counted.h"
#include "eval/statistics/simultaneous.h"

/* ---- Measures ---- */

static bool is_listed(const fp_measured *measures, size_t count, const fp_measure *measure) {
    for (size_t i = 0; i < count; i++)
        if (fp_measure_same(&measures[i].measure, measure)) return true;
    return false;
}

static bool is_usual(const fp_measure_row *row, const fp_inference_options *options) {
    return row->usual && (!row->parameter.is_prevalence || options->prevalence > 0);
}

/* The measures to estimate, without room for their estimates yet. */
static fp_status list_measures(const fp_inference_options *options, fp_arena *arena, fp_measured **measures,
                               size_t *count, fp_error *error) {
    size_t rows = 0;
    const fp_measure_row *row;
    while (fp_measure_listed(rows)) rows++;
    fp_measured *list = FP_NEED(fp_arena_alloc(arena, rows + options->further_count, sizeof *list), error);
    *measures = list;
    *count = 0;
    for (size_t i = 0; (row = fp_measure_listed(i)); i++)
        if (is_usual(row, options))
            list[(*count)++].measure =
                (fp_measure){.row = row, .parameter = row->parameter.is_prevalence ? options->prevalence : 0};
    for (size_t i = 0; i < options->further_count; i++)
        if (!is_listed(list, *count, options->further + i)) list[(*count)++].measure = options->further[i];
    return FP_OK;
}

const fp_estimate *fp_inference_at(const fp_inference *inference, size_t position, size_t arm) {
    const fp_measured *of = inference->measures + position;
    return of->estimate + arm * (fp_measure_at_threshold(of->measure.row) ? inference->threshold_count : 1);
}

const fp_estimate *fp_inference_of(const fp_inference *inference, const fp_measure_row *row, size_t arm) {
    for (size_t i = 0; i < inference->measure_count; i++)
        if (inference->measures[i].measure.row == row) return fp_inference_at(inference, i, arm);
    return NULL;
}

const fp_interval *fp_inference_band(const fp_inference *inference, size_t position, size_t arm) {
    const fp_interval *band = inference->measures[position].band;
    return band ? band + arm * inference->threshold_count : NULL;
}

typedef struct work {
    const fp_bootstrap *bootstrap;
    const fp_inference_options *options;
    size_t measure_count;
    fp_measured *measures; /* [measure_count] */
    fp_comparison *comparisons;
    const fp_judgements *judgements; /* [arm_count]; NULL where pairs are counted */
    fp_method method;                /* the requested one; mid-p where there can be no replicates */
} work;

/* Work item `index`: one arm at one threshold; after those, one arm's measures over the range. */
static fp_status estimate_piece(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    const work *job = context;
    size_t thresholds = job->bootstrap->options.threshold_count, cells = job->bootstrap->arm_count * thresholds;
    bool whole = index >= cells;
    size_t arm = whole ? index - cells : index / thresholds;
    for (size_t k = 0; k < job->measure_count; k++) {
        fp_measure measure = job->measures[k].measure;
        if (fp_measure_at_threshold(measure.row) == whole) continue;
        measure.threshold = whole ? 0 : index % thresholds;
        FP_TRY(fp_bootstrap_estimate(job->bootstrap, arm, measure, job->method, job->options->confidence, scratch,
                                     job->measures[k].estimate + (whole ? arm : index), error));
    }
    return FP_OK;
}

/* Work item `index`: one measure of one arm at all thresholds. */
static fp_status band_piece(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    const work *job = context;
    size_t k = index % job->measure_count, arm = index / job->measure_count;
    if (!job->measures[k].band) return FP_OK;
    fp_simultaneous_options options = {job->method, job->options->confidence, job->options->seed};
    return fp_simultaneous_band(job->bootstrap, arm, job->measures[k].measure, &options, scratch,
                                job->measures[k].band + arm * job->bootstrap->options.threshold_count, error);
}

/* ---- Comparisons ---- */

fp_measure fp_inference_compared(const fp_inference_options *options) {
    return options->compared.row ? options->compared : (fp_measure){.row = &fp_measure_average_precision};
}

double fp_inference_margin(const fp_inference_options *options) {
    return options->margin > 0 ? options->margin : FP_EQUIVALENCE_MARGIN;
}

double fp_inference_detect(const fp_inference_options *options) {
    return options->detect > 0 ? options->detect : fp_inference_margin(options);
}

/* From the narrower interval of two one-sided tests. */
static fp_status find_equivalence(const work *job, fp_comparison *pair, fp_arena *scratch, fp_error *error) {
    fp_measure measure = fp_inference_compared(job->options);
    double confidence = job->options->confidence;
    fp_difference narrow;
    FP_TRY(fp_difference_of(job->bootstrap, (fp_side){pair->first, measure}, (fp_side){pair->second, measure},
                            job->method, fp_equivalence_confidence(confidence), scratch, &narrow, error));
    fp_estimated found = {narrow.value, narrow.error, narrow.seeds.variance, narrow.interval,
                          (double)job->bootstrap->resample->unit_count};
    size_t arms = job->bootstrap->arm_count;
    fp_equivalence_options how = {confidence, fp_inference_margin(job->options), arms * (arms - 1) / 2};
    pair->equivalence = fp_equivalence_of(&found, &how);
    pair->sample_size = fp_sample_size_of(&found, narrow.freedom, &how, fp_inference_detect(job->options));
    return FP_OK;
}

static fp_status compare_piece(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    const work *job = context;
    fp_comparison *pair = job->comparisons + index;
    fp_measure measure = fp_inference_compared(job->options);
    FP_TRY(fp_difference_of(job->bootstrap, (fp_side){pair->first, measure}, (fp_side){pair->second, measure},
                            job->method, job->options->confidence, scratch, &pair->difference, error));
    FP_TRY(find_equivalence(job, pair, scratch, error));
    pair->mcnemar = (fp_mcnemar){.p = NAN};
    if (!job->judgements) return FP_OK;
    const bool *first = job->judgements[pair->first].right, *second = job->judgements[pair->second].right;
    if (!first || !second) return FP_OK;
    fp_arena_reset(scratch);
    return fp_mcnemar_of(job->bootstrap->resample, first, second, scratch, &pair->mcnemar, error);
}

/* Holm's decisions, and how many of those on differences more replicates might change. */
static fp_status decide(const work *job, size_t count, const fp_arena *like, size_t *unsettled, fp_error *error) {
    FP_SCRATCH(scratch, like, error);
    fp_comparison *pairs = job->comparisons;
    double *p = FP_NEED(fp_arena_raw(scratch, count, sizeof *p), error),
           *errors = FP_NEED(fp_arena_raw(scratch, count, sizeof *errors), error);
    for (size_t i = 0; i < count; i++) {
        p[i] = pairs[i].difference.p;
        errors[i] = pairs[i].difference.p_error;
    }
    FP_TRY(
        fp_holm_unsettled(&(fp_drawn_tests){p, errors, count}, 1 - job->options->confidence, like, unsettled, error));
    FP_TRY(fp_holm(p, count, like, p, error));
    for (size_t i = 0; i < count; i++) pairs[i].adjusted = p[i];
    for (size_t i = 0; i < count; i++) p[i] = pairs[i].mcnemar.p;
    FP_TRY(fp_holm(p, count, like, p, error));
    for (size_t i = 0; i < count; i++) pairs[i].mcnemar_adjusted = p[i];
    return FP_OK;
}

/* Compares, and adds replicates until every verdict is settled or their largest number is reached. */
static fp_status compare_all(work *job, fp_bootstrap *bootstrap, fp_arenas *arenas, const fp_progress *progress,
                             fp_arena *arena, fp_inference *inference, fp_error *error) {
    size_t count = inference->comparison_count;
    size_t most = fp_bootstrap_affordable(bootstrap, job->options->most_replicates);
    for (;;) {
        FP_TRY(fp_parallel(count, arenas, true, compare_piece, job, "differences", progress, error));
        FP_TRY(decide(job, count, arena, &inference->unsettled, error));
        if (!inference->unsettled || !bootstrap->replicates || bootstrap->replicates >= most) return FP_OK;
        size_t next = bootstrap->replicates < most / 2 ? 2 * bootstrap->replicates : most;
        FP_TRY(fp_bootstrap_extend(bootstrap, next, progress, arena, error));
    }
}

/* ---- All ---- */

static fp_status open_work(work *job, size_t arms, size_t thresholds, fp_arena *arena, fp_inference *inference,
                           fp_error *error) {
    size_t count = arms * (arms - 1) / 2;
    FP_TRY(list_measures(job->options, arena, &job->measures, &job->measure_count, error));
    for (fp_measured *of = job->measures; of < job->measures + job->measure_count; of++) {
        bool at_threshold = fp_measure_at_threshold(of->measure.row);
        size_t cells = at_threshold ? arms * thresholds : arms;
        of->estimate = FP_NEED(fp_arena_alloc(arena, cells, sizeof *of->estimate), error);
        if (at_threshold && !job->options->without_bands)
            of->band = FP_NEED(fp_arena_alloc(arena, cells, sizeof *of->band), error);
    }
    inference->measures = job->measures;
    inference->measure_count = job->measure_count;
    job->comparisons = FP_NEED(fp_arena_alloc(arena, count, sizeof *job->comparisons), error);
    fp_comparison *next = job->comparisons;
    for (size_t a = 0; a < arms; a++)
        for (size_t b = a + 1; b < arms; b++) *next++ = (fp_comparison){.first = a, .second = b};
    return FP_OK;
}

/* For comparisons: nothing for a single arm. */
static fp_status judge(work *job, const fp_corpus *corpus, const fp_progress *progress, fp_arena *arena,
                       fp_inference *inference, fp_error *error) {
    if (inference->arm_count < 2) return FP_OK;
    fp_judgements *judgements = FP_NEED(fp_arena_alloc(arena, inference->arm_count, sizeof *judgements), error);
    inference->judgements = job->judgements = judgements;
    return fp_judgements_make(job->bootstrap, (fp_known_pairs){corpus->pairs, corpus->documents}, job->options->judged,
                              progress, arena, judgements, error);
}

/* The measures over the range that every replicate must have. */
static fp_status list_ranked(const work *job, fp_arena *arena, fp_bootstrap_options *drawing, fp_error *error) {
    fp_measure compared = fp_inference_compared(job->options);
    fp_measure *ranked = FP_NEED(fp_arena_alloc(arena, job->measure_count + 1, sizeof *ranked), error);
    drawing->ranked = ranked;
    for (size_t k = 0; k < job->measure_count; k++)
        if (!fp_measure_at_threshold(job->measures[k].measure.row))
            ranked[drawing->ranked_count++] = job->measures[k].measure;
    if (!fp_measure_at_threshold(compared.row) && !is_listed(job->measures, job->measure_count, &compared))
        ranked[drawing->ranked_count++] = compared;
    return FP_OK;
}

fp_bootstrap_options fp_inference_drawing(const fp_inference_options *options, const fp_measure *ranked, size_t count) {
    return (fp_bootstrap_options){.replicates = fp_method_draws(options->method) ? options->replicates : 0,
                                  .seed = options->seed,
                                  .thresholds = options->thresholds,
                                  .threshold_count = options->threshold_count,
                                  .empty = options->empty,
                                  .ranked = ranked,
                                  .ranked_count = count,
                                  .further = options->further_seeds};
}

static fp_status infer(work *job, fp_bootstrap *bootstrap, const fp_progress *progress, fp_arena *arena,
                       fp_inference *inference, fp_error *error) {
    size_t arms = inference->arm_count, pieces = arms * inference->threshold_count + arms;
    FP_ARENAS(arenas, progress, arena, error);
    inference->comparison_count = arms * (arms - 1) / 2;
    FP_TRY(compare_all(job, bootstrap, &arenas, progress, arena, inference, error));
    FP_TRY(fp_parallel(pieces, &arenas, true, estimate_piece, job, "intervals", progress, error));
    FP_TRY(fp_parallel(arms * job->measure_count, &arenas, true, band_piece, job, "bands", progress, error));
    inference->comparisons = job->comparisons;
    inference->replicates = bootstrap->replicates;
    return FP_OK;
}

static fp_status draw_listed(work *job, const fp_corpus *corpus, const fp_measurement *measurements,
                             const fp_bootstrap_options *drawing, const fp_progress *progress, fp_arena *arena,
                             fp_bootstrap *bootstrap, fp_inference *inference, fp_error *error) {
    size_t arms = inference->arm_count, lanes = fp_lane_count(drawing->further, arms);
    const double **distances = FP_NEED(fp_distances_of(measurements, lanes, arena), error);
    FP_TRY(fp_resample_make(corpus->pairs, corpus->pair_count, corpus->group, corpus->document_count, FP_SAMPLING_AUTO,
                            arena, &inference->resample, error));
    FP_TRY(fp_bootstrap_run(&inference->resample, &(fp_paired_distances){corpus->pairs, distances, arms}, drawing,
                            progress, arena, bootstrap, error));
    return judge(job, corpus, progress, arena, inference, error);
}

/* The sample, for reports. */
static fp_status describe_sample(const fp_measurement *measurements, size_t arm_count, fp_arena *arena,
                                 fp_inference *inference, fp_error *error) {
    const fp_sampled_pairs *sample = measurements->sample;
    fp_drawn_sample *of = FP_NEED(fp_arena_alloc(arena, 1, sizeof *of), error);
    bool *whole = FP_NEED(fp_arena_alloc(arena, arm_count, sizeof *whole), error);
    const char *counted = "";
    for (size_t a = 0; a < arm_count && counted; a++) {
        if (!(whole[a] = measurements[a].whole)) continue;
        counted =
            FP_NEED(fp_format(arena, "%s%s%s", counted, *counted ? ", " : "", fp_arm_name(measurements[a].arm)), error);
    }
    *of = (fp_drawn_sample){
        sample->negatives, sample->near_count, sample->random_count, sample->weight, sample->seed, whole, counted};
    inference->drawn = of;
    return FP_OK;
}

static fp_status count_all(work *job, const fp_corpus *corpus, const fp_measurement *measurements,
                           const fp_bootstrap_options *drawing, const fp_progress *progress, fp_arena *arena,
                           fp_bootstrap *bootstrap, fp_inference *inference, fp_error *error) {
    size_t arms = inference->arm_count;
    fp_measure compared = fp_inference_compared(job->options);
    FP_TRY(fp_counting_observe(corpus, measurements, arms, &compared, drawing, progress, arena, &inference->resample,
                               bootstrap, error));
    const fp_counted_pairs *counted = bootstrap->counted;
    inference->counted = true;
    inference->wanted_draws = fp_method_draws(job->method);
    if (measurements->sample) FP_TRY(describe_sample(measurements, arms, arena, inference, error));
    inference->sampled_units = counted->sampled ? counted->column_units : 0;
    for (size_t a = 0; a < arms; a++)
        inference->beyond |= !fp_counted_fits(
            &(fp_ranked){.positives = bootstrap->totals[a].positives, .negatives = bootstrap->totals[a].negatives});
    if (inference->wanted_draws) job->method = FP_METHOD_MID_P;
    return FP_OK;
}

fp_status fp_inference_make(const fp_corpus *corpus, const fp_measurement *measurements, size_t arm_count,
                            const fp_inference_options *options, const fp_progress *progress, fp_arena *arena,
                            fp_inference *inference, fp_error *error) {
    fp_bootstrap *bootstrap = FP_NEED(fp_arena_alloc(arena, 1, sizeof *bootstrap), error);
    fp_bootstrap_options drawing = fp_inference_drawing(options, NULL, 0);
    work job = {.bootstrap = bootstrap, .options = options, .method = options->method};
    *inference = (fp_inference){.arm_count = arm_count, .threshold_count = options->threshold_count};
    FP_TRY(open_work(&job, arm_count, options->threshold_count, arena, inference, error));
    FP_TRY(list_ranked(&job, arena, &drawing, error));
    if (corpus->truth == FP_TRUTH_GROUPS)
        FP_TRY(count_all(&job, corpus, measurements, &drawing, progress, arena, bootstrap, inference, error));
    else FP_TRY(draw_listed(&job, corpus, measurements, &drawing, progress, arena, bootstrap, inference, error));
    return infer(&job, bootstrap, progress, arena, inference, error);
}

double fp_inference_weight(const fp_inference *inference, size_t arm) {
    return inference->drawn && !inference->drawn->whole[arm] ? inference->drawn->weight : 1;
}

/* ---- In words ---- */

static const char *describe_drawn(const fp_inference *inference, fp_arena *arena) {
    const fp_drawn_sample *of = inference->drawn;
    return fp_format(
        arena,
        "Of the %llu non-duplicate pairs of %zu documents, %llu near ones and a sample of %llu others (seed %llu) are "
        "measured, each weighted by the inverse of its sampling probability, at most %.*f; all duplicates are measured. "
        "Pairs are not independent: intervals use the weighted dyadic-robust variance over %zu groups (a document "
        "without a group is its own), which includes the sampling error.",
        (unsigned long long)of->all, inference->resample.document_count, (unsigned long long)of->near,
        (unsigned long long)of->drawn, (unsigned long long)of->seed, of->weight < 100 ? 2 : 0, of->weight,
        inference->resample.unit_count);
}

/* Arms that need no sample. */
static const char *describe_whole(const fp_drawn_sample *of, const char *from, fp_arena *arena) {
    if (!*of->counted) return "";
    return fp_format(arena,
                     " All pairs of %s are counted: these figures are exact, and their intervals cover the documents "
                     "alone; comparisons with other arms include the sampling error.%s",
                     of->counted, from);
}

static const char *describe_counted(const fp_inference *inference, fp_arena *arena) {
    size_t units = inference->resample.unit_count, sampled = inference->sampled_units;
    const char *from =
        sampled ? fp_format(arena, " Each group is paired with those it has near pairs with, and with a sample of %zu.",
                            sampled)
                : "";
    const char *draws =
        inference->wanted_draws ? " There are too many pairs for a bootstrap: intervals are mid-p." : "";
    const char *beyond = inference->beyond
                             ? " There are too many duplicates for counts of 64 bits: figures over the range of "
                               "distances have no interval."
                             : "";
    if (!from) return NULL;
    if (inference->drawn && units > 1) {
        const char *drawn = describe_drawn(inference, arena), *whole = describe_whole(inference->drawn, from, arena);
        draws = inference->wanted_draws ? " A sample has no bootstrap: intervals are mid-p." : "";
        return drawn && whole ? fp_format(arena, "%s%s%s%s", drawn, whole, draws, beyond) : NULL;
    }
    if (units < 2) return "All documents are in one group: without independent units there are no intervals.";
    return fp_format(arena,
                     "All pairs of %zu documents are counted. They are not independent: intervals use the "
                     "dyadic-robust variance over %zu groups (a document without a group is its own).%s%s%s",
                     inference->resample.document_count, units, from, draws, beyond);
}

static const char *describe_seeds(const fp_inference *inference, fp_arena *arena) {
    if (inference->hashed_count == 0) return "";
    if (inference->hash_seeds == 1)
        return " Arms with a hash seed are measured with one seed only: no interval covers what another seed would "
               "change.";
    return fp_format(arena,
                     " At a threshold, counts and intervals are those of each arm's own hash seed, for new documents. "
                     "Average precision, ROC area, best F1 and differences are means over %zu hash seeds; their "
                     "intervals include the choice of the seed.",
                     inference->hash_seeds);
}

const char *fp_inference_describe(const fp_inference *inference, fp_arena *arena) {
    const char *seeds = describe_seeds(inference, arena);
    if (!seeds) return NULL;
    const char *units =
        inference->counted ? describe_counted(inference, arena) : fp_resample_describe(&inference->resample, arena);
    return units ? fp_format(arena, "%s%s", units, seeds) : NULL;
}
