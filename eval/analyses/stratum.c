/* SPDX-License-Identifier: GPL-3.0-or-later
 * Inference on one stratum of the pairs. */
#include "eval/analyses/stratum.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "eval/experiment/experiment.h"

/* The pairs of the stratum with their distances, as a complete set of pairs. */
typedef struct sampled_part {
    size_t count;
    fp_pair *pairs;
    double **distances; /* [lanes] */
    fp_resample resample;
    fp_bootstrap bootstrap;
} sampled_part;

/* A measure at a threshold: precision, recall, F1, then the further ones. */
static fp_measure measure_at(const fp_inference_options *options, size_t k) {
    static const fp_measure_row *const USUAL[FP_STRATUM_USUAL] = {&fp_measure_precision, &fp_measure_recall,
                                                                  &fp_measure_f1};
    return k < FP_STRATUM_USUAL ? (fp_measure){.row = USUAL[k]} : options->further[k - FP_STRATUM_USUAL];
}

static size_t measures_of(const fp_inference_options *options) { return FP_STRATUM_USUAL + options->further_count; }

/* One stratum: replicates of its listed pairs, or counts of all its pairs. */
typedef struct work {
    const fp_inference_options *options;
    const fp_bootstrap *bootstrap; /* NULL: counted */
    const fp_histogram *counted;   /* of a single arm */
    size_t arm_count;
    fp_stratum_arm *arms; /* [arm_count] */
    fp_confusion *counts; /* [arm_count · options->threshold_count] */
    fp_estimate *further; /* [arm_count · options->further_count] */
    fp_estimate *at;      /* [arm_count · measures_of(options) · options->threshold_count] */
} work;

/* ---- The pairs ---- */

static fp_status take(const fp_outcome *outcome, const size_t *members, size_t count, fp_arena *arena, sampled_part *to,
                      fp_error *error) {
    *to = (sampled_part){.count = count,
                         .pairs = FP_NEED(fp_arena_raw(arena, count, sizeof *to->pairs), error),
                         .distances = FP_NEED(fp_arena_raw(arena, outcome->lane_count, sizeof *to->distances), error)};
    for (size_t i = 0; i < count; i++) to->pairs[i] = outcome->corpus->pairs[members[i]];
    for (size_t lane = 0; lane < outcome->lane_count; lane++) {
        to->distances[lane] = FP_NEED(fp_arena_raw(arena, count, sizeof **to->distances), error);
        for (size_t i = 0; i < count; i++) to->distances[lane][i] = outcome->measurements[lane].distances[members[i]];
    }
    return FP_OK;
}

/* The observed threshold with the largest F1. */
static fp_status find_best(const sampled_part *from, const fp_outcome *outcome, fp_arena *arena, double *best,
                           fp_error *error) {
    static const fp_measure BEST = {.row = &fp_measure_best_threshold};
    const fp_bootstrap_options none = {.ranked = &BEST, .ranked_count = 1};
    fp_bootstrap observed;
    FP_TRY(fp_bootstrap_run(&from->resample,
                            &(fp_paired_distances){from->pairs, (const double *const *)from->distances, outcome->count},
                            &none, NULL, arena, &observed, error));
    for (size_t arm = 0; arm < outcome->count; arm++) best[arm] = fp_bootstrap_value(&observed, 0, arm, BEST);
    return FP_OK;
}

/* The measures over the range that replicates must compute besides the counts. */
static fp_status list_ranked(const fp_inference_options *options, fp_arena *arena, fp_bootstrap_options *drawing,
                             fp_error *error) {
    static const fp_measure_row *const ALWAYS[] = {&fp_measure_average_precision, &fp_measure_best_f1,
                                                   &fp_measure_best_threshold};
    size_t always = sizeof ALWAYS / sizeof *ALWAYS;
    fp_measure *ranked = FP_NEED(fp_arena_alloc(arena, always + options->further_count, sizeof *ranked), error);
    drawing->ranked = ranked;
    for (size_t i = 0; i < always; i++) ranked[drawing->ranked_count++].row = ALWAYS[i];
    for (size_t i = 0; i < options->further_count; i++)
        if (!fp_measure_at_threshold(options->further[i].row)) ranked[drawing->ranked_count++] = options->further[i];
    return FP_OK;
}

/* Merges the requested thresholds and the best ones of the arms into one list. */
static fp_status draw(const fp_outcome *outcome, sampled_part *from, const fp_inference_options *options,
                      const fp_progress *progress, fp_arena *arena, fp_error *error) {
    const fp_corpus *corpus = outcome->corpus;
    size_t arms = outcome->count;
    double *best = FP_NEED(fp_arena_raw(arena, arms, sizeof *best), error), *thresholds;
    fp_bootstrap_options drawing = {
        .replicates = options->replicates, .seed = options->seed, .empty = options->empty, .further = outcome->further};
    const fp_labelled_documents all = {corpus->document_count, corpus->group, corpus->pair_count, corpus->pairs};
    fp_sampling_units units;
    FP_TRY(fp_sampling_units_make(&all, arena, arena, &units, error));
    FP_TRY(fp_resample_part(&units, from->pairs, from->count, arena, &from->resample, error));
    FP_TRY(find_best(from, outcome, arena, best, error));
    FP_TRY(list_ranked(options, arena, &drawing, error));
    FP_TRY(fp_thresholds_merge(options->thresholds, options->threshold_count, best, arms, arena, &thresholds,
                               &drawing.threshold_count, error));
    drawing.thresholds = thresholds;
    return fp_bootstrap_run(&from->resample,
                            &(fp_paired_distances){from->pairs, (const double *const *)from->distances, arms}, &drawing,
                            progress, arena, &from->bootstrap, error);
}

/* ---- The measures ---- */

static size_t position_of(const work *job, double threshold) {
    const fp_bootstrap_options *options = &job->bootstrap->options;
    return fp_threshold_position(options->thresholds, options->threshold_count, threshold);
}

/* A measure over the range, or at a threshold; NaN: there is none. All pairs of groups depend on each other: counted
 * measures have no interval. */
static fp_status estimate(const work *job, size_t arm, fp_measure measure, double threshold, fp_arena *scratch,
                          fp_estimate *out, fp_error *error) {
    const fp_inference_options *options = job->options;
    bool at = fp_measure_at_threshold(measure.row);
    *out = (fp_estimate){.value = NAN, .interval = {NAN, NAN}, .error = NAN};
    if (at && isnan(threshold)) return FP_OK;
    if (job->bootstrap) {
        measure.threshold = position_of(job, threshold);
        return fp_bootstrap_estimate(job->bootstrap, arm, measure, options->method, options->confidence, scratch, out,
                                     error);
    }
    if (!at) return fp_measure_of_histogram(measure, job->counted, &out->value, error);
    out->value = fp_measure_of(measure, fp_confusion_at(job->counted, threshold), options->empty);
    return FP_OK;
}

/* Average precision, the best F1 and its threshold. fp_measure_of_histogram refuses very many pairs, a curve does not.
 */
static fp_status estimate_curve(const work *job, size_t arm, fp_arena *scratch, fp_error *error) {
    static const fp_measure AVERAGE_PRECISION = {.row = &fp_measure_average_precision},
                            BEST_F1 = {.row = &fp_measure_best_f1};
    fp_stratum_arm *out = job->arms + arm;
    if (job->bootstrap) {
        FP_TRY(estimate(job, arm, AVERAGE_PRECISION, NAN, scratch, &out->average_precision, error));
        FP_TRY(estimate(job, arm, BEST_F1, NAN, scratch, &out->best_f1, error));
        return fp_best_threshold(job->bootstrap, arm, job->options->confidence, scratch, &out->best_threshold, error);
    }
    fp_curve curve;
    FP_TRY(fp_curve_make(job->counted, scratch, &curve, error));
    const fp_estimate plain = {.interval = {NAN, NAN}, .error = NAN};
    out->average_precision = out->best_f1 = out->best_threshold = plain;
    out->average_precision.value = curve.average_precision;
    out->best_f1.value = curve.best_f1;
    out->best_threshold.value = curve.best_threshold;
    return FP_OK;
}

static fp_status estimate_whole(const work *job, size_t arm, fp_arena *scratch, fp_error *error) {
    static const fp_measure PRECISION = {.row = &fp_measure_precision}, RECALL = {.row = &fp_measure_recall},
                            SPECIFICITY = {.row = &fp_measure_specificity};
    const fp_inference_options *options = job->options;
    fp_stratum_arm *out = job->arms + arm;
    FP_TRY(estimate_curve(job, arm, scratch, error));
    double best = out->best_threshold.value;
    FP_TRY(estimate(job, arm, PRECISION, best, scratch, &out->precision, error));
    FP_TRY(estimate(job, arm, RECALL, best, scratch, &out->recall, error));
    FP_TRY(estimate(job, arm, SPECIFICITY, best, scratch, &out->specificity, error));
    for (size_t k = 0; k < options->further_count; k++)
        FP_TRY(estimate(job, arm, options->further[k], best, scratch, job->further + arm * options->further_count + k,
                        error));
    return FP_OK;
}

/* Piece `index` is one arm at one threshold; later pieces are the other measures of one arm. */
static fp_status estimate_piece(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    const work *job = context;
    size_t thresholds = job->options->threshold_count, cells = job->arm_count * thresholds;
    if (index >= cells) return estimate_whole(job, index - cells, scratch, error);
    size_t arm = index / thresholds, t = index % thresholds, measures = measures_of(job->options);
    double threshold = job->options->thresholds[t];
    job->counts[index] = job->bootstrap ? fp_bootstrap_counts(job->bootstrap, job->bootstrap->replicates, arm,
                                                              position_of(job, threshold))
                                        : fp_confusion_at(job->counted, threshold);
    for (size_t k = 0; k < measures; k++) {
        fp_measure measure = measure_at(job->options, k);
        if (fp_measure_at_threshold(measure.row))
            FP_TRY(estimate(job, arm, measure, threshold, scratch, job->at + (arm * measures + k) * thresholds + t,
                            error));
    }
    return FP_OK;
}

/* Fills job->arms. */
static fp_status fill(work *job, const fp_progress *progress, fp_arena *arena, fp_error *error) {
    size_t count = job->arm_count, thresholds = job->options->threshold_count, further = job->options->further_count,
           cells = measures_of(job->options) * thresholds;
    job->counts = FP_NEED(fp_arena_raw(arena, count * thresholds, sizeof *job->counts), error);
    job->further = FP_NEED(fp_arena_alloc(arena, count * further, sizeof *job->further), error);
    job->at = FP_NEED(fp_arena_alloc(arena, count * cells, sizeof *job->at), error);
    for (size_t arm = 0; arm < count; arm++)
        job->arms[arm] = (fp_stratum_arm){.further = job->further + arm * further,
                                          .counts = job->counts + arm * thresholds,
                                          .at = job->at + arm * cells};
    return fp_parallel_in(arena, count * (thresholds + 1), estimate_piece, job, "intervals of strata", progress, error);
}

fp_status fp_stratum_infer(const fp_outcome *outcome, const fp_strata *strata, size_t stratum,
                           const fp_inference_options *options, const fp_progress *progress, fp_arena *arena,
                           fp_stratum *out, fp_error *error) {
    FP_SCRATCH(scratch, arena, error);
    const fp_corpus *corpus = outcome->corpus;
    size_t *members, count;
    sampled_part from;
    FP_TRY(fp_stratum_select(corpus, strata, stratum, scratch, &members, &count, error));
    *out = (fp_stratum){.replicates = options->replicates};
    for (size_t i = 0; i < count; i++) {
        bool own = strata->of_pair[members[i]] == stratum;
        out->pairs += own;
        *(!own ? &out->joined : corpus->pairs[members[i]].label ? &out->positives : &out->negatives) += 1;
    }
    if (out->pairs == 0) return FP_OK;
    FP_TRY(take(outcome, members, count, scratch, &from, error));
    FP_TRY(draw(outcome, &from, options, progress, scratch, error));
    out->unit = from.resample.unit;
    work job = {options, .bootstrap = &from.bootstrap, .arm_count = outcome->count};
    out->arms = job.arms = FP_NEED(fp_arena_alloc(arena, outcome->count, sizeof *job.arms), error);
    return fill(&job, progress, arena, error);
}

/* ---- The cost ---- */

fp_status fp_strata_replicates(const fp_corpus *corpus, const fp_strata *strata, size_t lane_count, size_t asked,
                               fp_arena *scratch, size_t *replicates, fp_error *error) {
    size_t(*own)[2] = FP_NEED(fp_arena_alloc(scratch, strata->count, sizeof *own), error), all[2] = {0, 0};
    double weights = 0;
    for (size_t i = 0; i < corpus->pair_count; i++) {
        own[strata->of_pair[i]][corpus->pairs[i].label]++;
        all[corpus->pairs[i].label]++;
    }
    for (size_t s = 0; s < strata->count; s++)
        for (int label = 0; label < 2; label++)
            if (own[s][0] + own[s][1]) weights += (double)(own[s][label] ? own[s][label] : all[label]);
    double most = FP_STRATA_DRAWS / fmax(1, weights * (double)lane_count);
    *replicates = (double)asked <= most ? asked : most > FP_STRATA_REPLICATES ? (size_t)most : FP_STRATA_REPLICATES;
    if (*replicates > asked) *replicates = asked;
    return FP_OK;
}

/* ---- Counting ---- */

/* The documents of at least `least` characters: what distances need of them, sketches and groups. */
static fp_status take_longest(const fp_corpus *corpus, const fp_measurement *from, size_t least, fp_arena *arena,
                              fp_corpus *part, fp_measurement *to, fp_error *error) {
    const fp_sketches *sketches = &from->sketches;
    size_t count = 0, all = corpus->document_count, stride = sketches->stride,
           *offset = FP_NEED(fp_arena_raw(arena, all + 1, sizeof *offset), error),
           *size = FP_NEED(fp_arena_raw(arena, all, sizeof *size), error);
    uint32_t *group = FP_NEED(fp_arena_raw(arena, all, sizeof *group), error);
    bool *empty = FP_NEED(fp_arena_raw(arena, all, sizeof *empty), error);
    unsigned char *data = FP_NEED(fp_arena_raw(arena, all, stride), error);
    *to = (fp_measurement){.arm = from->arm, .empty = from->empty ? empty : NULL};
    for (size_t i = 0; i < all; i++) {
        if (corpus->documents[i].characters < least) continue;
        fp_sketch sketch = fp_sketches_at(sketches, i);
        group[count] = corpus->group[i];
        to->empty_count += empty[count] = from->empty && from->empty[i];
        offset[count] = (size_t)((const unsigned char *)sketch.data - sketches->data);
        size[count] = sketch.size;
        if (stride) memcpy(data + count * stride, sketch.data, stride);
        count++;
    }
    *part = *corpus;
    part->documents = NULL;
    part->document_count = count;
    part->group = group;
    to->sketches = stride ? (fp_sketches){.count = count, .stride = stride, .data = data}
                          : (fp_sketches){.count = count, .data = sketches->data, .offset = offset, .size = size};
    return FP_OK;
}

/* Subtracts the pairs of `part` from those of `whole`; both are finished. The smaller one has the same grid or a finer
 * one: its distances are rounded up to the grid of `whole`. */
static void take_off(fp_histogram *whole, const fp_histogram *part) {
    size_t bar = 0, kept = 0;
    for (size_t i = 0; i < part->count; i++) {
        double distance =
            whole->step > 0 ? ceil(part->bars[i].distance / whole->step) * whole->step : part->bars[i].distance;
        while (bar + 1 < whole->count && whole->bars[bar].distance < distance) bar++;
        whole->bars[bar].positives -= part->bars[i].positives;
        whole->bars[bar].negatives -= part->bars[i].negatives;
    }
    for (size_t i = 0; i < whole->count; i++)
        if (whole->bars[i].positives || whole->bars[i].negatives) whole->bars[kept++] = whole->bars[i];
    whole->count = kept;
}

fp_status fp_strata_count_groups(const fp_corpus *corpus, const fp_strata *strata, const fp_measurement *measurement,
                                 const fp_progress *progress, fp_histogram *each, fp_error *error) {
    memset(each, 0, strata->count * sizeof *each);
    FP_SCRATCH(scratch, corpus->memory, error);
    for (size_t s = 0; s < strata->count; s++) {
        fp_corpus part;
        fp_measurement longest;
        const fp_stage stage = {.corpus = &part, .progress = progress};
        fp_arena_reset(scratch);
        FP_TRY(take_longest(corpus, measurement, s ? strata->bounds[s - 1] : 0, scratch, &part, &longest, error));
        fp_status status = fp_stage_distances(&stage, &longest, scratch, error);
        each[s] = longest.histogram;
        if (status != FP_OK) return status;
        if (s) take_off(each + s - 1, each + s);
    }
    return FP_OK;
}

/* ---- Measures ---- */

fp_status fp_strata_infer_groups(const fp_outcome *outcome, const fp_strata *strata,
                                 const fp_inference_options *options, const fp_progress *progress, fp_arena *arena,
                                 fp_stratum *all, fp_error *error) {
    size_t arm_count = outcome->count;
    fp_histogram *each = FP_NEED(fp_arena_alloc(arena, strata->count, sizeof *each), error);
    fp_stratum_arm *arms = FP_NEED(fp_arena_alloc(arena, strata->count * arm_count, sizeof *arms), error);
    for (size_t s = 0; s < strata->count; s++)
        all[s] = (fp_stratum){.unit = FP_SAMPLING_PAIR, .arms = arms + s * arm_count};
    for (size_t arm = 0; arm < arm_count; arm++) {
        fp_status status =
            fp_strata_count_groups(outcome->corpus, strata, outcome->measurements + arm, progress, each, error);
        for (size_t s = 0; s < strata->count && status == FP_OK; s++) {
            fp_confusion pairs = fp_confusion_at(each + s, INFINITY);
            all[s].positives = pairs.tp;
            all[s].negatives = pairs.fp;
            all[s].pairs = pairs.tp + pairs.fp;
            work job = {options, .counted = each + s, .arm_count = 1, .arms = arms + s * arm_count + arm};
            status = fill(&job, progress, arena, error);
        }
        for (size_t s = 0; s < strata->count; s++) fp_histogram_free(each + s);
        FP_TRY(status);
    }
    return FP_OK;
}

/* ---- Strata of one outcome ---- */

fp_status fp_strata_outcome_make(const fp_outcome *outcome, const fp_strata_choice *choice,
                                 const fp_inference_options *options, const fp_progress *progress, fp_arena *arena,
                                 fp_strata_outcome *out, fp_error *error) {
    *out = (fp_strata_outcome){.outcome = outcome};
    const fp_corpus *corpus = outcome->corpus;
    FP_TRY(fp_strata_make(corpus, choice->by, choice->bounds, choice->bound_count, arena, &out->strata, error));
    fp_stratum *each = FP_NEED(fp_arena_alloc(arena, out->strata.count, sizeof *each), error);
    out->each = each;
    out->replicates = options->replicates;
    if (corpus->truth == FP_TRUTH_GROUPS)
        return fp_strata_infer_groups(outcome, &out->strata, options, progress, arena, each, error);
    fp_inference_options drawing = *options;
    FP_TRY(fp_strata_replicates(corpus, &out->strata, outcome->lane_count, options->replicates, arena,
                                &drawing.replicates, error));
    for (size_t s = 0; s < out->strata.count; s++)
        FP_TRY(fp_stratum_infer(outcome, &out->strata, s, &drawing, progress, arena, each + s, error));
    out->replicates = drawing.replicates;
    return FP_OK;
}
