/* SPDX-License-Identifier: GPL-3.0-or-later
 * Inference on one stratum of the pairs. */
#include "eval/analyses/stratum.h"

#include <math.h>
#include <stdlib.h>
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

typedef struct work {
    const sampled_part *from;
    const fp_inference_options *options;
    const size_t *listed; /* [options->threshold_count] positions of the thresholds in those of the bootstrap */
    fp_stratum_arm *arms;
    fp_estimate *further; /* [arms · options->further_count] */
    fp_estimate *at;      /* [arms · measures_of(options) · options->threshold_count] */
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

static fp_status estimate(const work *job, size_t arm, fp_measure measure, fp_arena *scratch, fp_estimate *out,
                          fp_error *error) {
    return fp_bootstrap_estimate(&job->from->bootstrap, arm, measure, job->options->method, job->options->confidence,
                                 scratch, out, error);
}

static const fp_estimate NOT_DEFINED = {.value = NAN, .interval = {NAN, NAN}, .error = NAN};

/* `place`: the best threshold, or the number of thresholds if there is none. */
static fp_status estimate_further(const work *job, size_t arm, size_t place, fp_arena *scratch, fp_error *error) {
    for (size_t k = 0; k < job->options->further_count; k++) {
        fp_measure measure = job->options->further[k];
        fp_estimate *out = job->further + arm * job->options->further_count + k;
        measure.threshold = place;
        *out = NOT_DEFINED;
        if (fp_measure_at_threshold(measure.row) && place == job->from->bootstrap.options.threshold_count) continue;
        FP_TRY(estimate(job, arm, measure, scratch, out, error));
    }
    return FP_OK;
}

static fp_status estimate_whole(const work *job, size_t arm, fp_arena *scratch, fp_error *error) {
    const fp_bootstrap *bootstrap = &job->from->bootstrap;
    fp_stratum_arm *out = job->arms + arm;
    fp_measure average_precision = {.row = &fp_measure_average_precision}, best_f1 = {.row = &fp_measure_best_f1};
    FP_TRY(estimate(job, arm, average_precision, scratch, &out->average_precision, error));
    FP_TRY(estimate(job, arm, best_f1, scratch, &out->best_f1, error));
    FP_TRY(fp_best_threshold(bootstrap, arm, job->options->confidence, scratch, &out->best_threshold, error));
    size_t place = fp_threshold_position(bootstrap->options.thresholds, bootstrap->options.threshold_count,
                                         out->best_threshold.value);
    out->precision = out->recall = out->specificity = NOT_DEFINED;
    FP_TRY(estimate_further(job, arm, place, scratch, error));
    if (place == bootstrap->options.threshold_count) return FP_OK;
    FP_TRY(estimate(job, arm, (fp_measure){.row = &fp_measure_precision, .threshold = place}, scratch, &out->precision,
                    error));
    FP_TRY(
        estimate(job, arm, (fp_measure){.row = &fp_measure_recall, .threshold = place}, scratch, &out->recall, error));
    return estimate(job, arm, (fp_measure){.row = &fp_measure_specificity, .threshold = place}, scratch,
                    &out->specificity, error);
}

/* Piece `index` is one arm at one threshold; later pieces are the other measures of one arm. */
static fp_status estimate_piece(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    const work *job = context;
    size_t thresholds = job->options->threshold_count, cells = job->from->bootstrap.arm_count * thresholds;
    if (index >= cells) return estimate_whole(job, index - cells, scratch, error);
    size_t arm = index / thresholds, t = index % thresholds, measures = measures_of(job->options);
    for (size_t k = 0; k < measures; k++) {
        fp_measure measure = measure_at(job->options, k);
        measure.threshold = job->listed[t];
        if (!fp_measure_at_threshold(measure.row)) continue;
        FP_TRY(estimate(job, arm, measure, scratch, job->at + (arm * measures + k) * thresholds + t, error));
    }
    return FP_OK;
}

static fp_status open_work(work *job, size_t arms, fp_arena *arena, fp_arena *scratch, fp_error *error) {
    const fp_bootstrap *bootstrap = &job->from->bootstrap;
    size_t thresholds = job->options->threshold_count, further = job->options->further_count,
           cells = measures_of(job->options) * thresholds;
    size_t *listed = FP_NEED(fp_arena_raw(scratch, thresholds, sizeof *listed), error);
    fp_confusion *counts = FP_NEED(fp_arena_raw(arena, arms * thresholds, sizeof *counts), error);
    job->arms = FP_NEED(fp_arena_alloc(arena, arms, sizeof *job->arms), error);
    job->further = FP_NEED(fp_arena_alloc(arena, arms * further, sizeof *job->further), error);
    job->at = FP_NEED(fp_arena_alloc(arena, arms * cells, sizeof *job->at), error);
    job->listed = listed;
    for (size_t t = 0; t < thresholds; t++)
        listed[t] = fp_threshold_position(bootstrap->options.thresholds, bootstrap->options.threshold_count,
                                          job->options->thresholds[t]);
    for (size_t arm = 0; arm < arms; arm++) {
        for (size_t t = 0; t < thresholds; t++)
            counts[arm * thresholds + t] = fp_bootstrap_counts(bootstrap, bootstrap->replicates, arm, listed[t]);
        job->arms[arm] = (fp_stratum_arm){
            .further = job->further + arm * further, .counts = counts + arm * thresholds, .at = job->at + arm * cells};
    }
    return FP_OK;
}

fp_status fp_stratum_infer(const fp_outcome *outcome, const fp_strata *strata, size_t stratum,
                           const fp_inference_options *options, const fp_progress *progress, fp_arena *arena,
                           fp_stratum *out, fp_error *error) {
    FP_SCRATCH(scratch, arena, error);
    const fp_corpus *corpus = outcome->corpus;
    size_t arms = outcome->count;
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
    work job = {.from = &from, .options = options};
    FP_TRY(open_work(&job, arms, arena, scratch, error));
    out->arms = job.arms;
    return fp_parallel_in(scratch, arms * (options->threshold_count + 1), estimate_piece, &job, "intervals of strata",
                          progress, error);
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

/* ---- The longest documents ---- */

typedef struct item {
    size_t length;
    uint32_t document;
} item;

/* The corpus with its longest documents first. */
typedef struct order {
    item *items;
    fp_corpus corpus;
    fp_measurement measurement; /* its sketches in that order, and which of them are empty */
} order;

FP_COMPARES(longest_first, item, FP_ORDER(b->length, a->length) ?: FP_ORDER(a->document, b->document));

static fp_status order_sketches(const fp_sketches *from, const item *items, fp_arena *arena, fp_sketches *to,
                                fp_error *error) {
    size_t count = from->count, total = 0;
    size_t *offset = FP_NEED(fp_arena_raw(arena, count + 1, sizeof *offset), error),
           *size = FP_NEED(fp_arena_raw(arena, count, sizeof *size), error);
    for (size_t i = 0; i < count; i++) {
        offset[i] = total;
        size[i] = fp_sketches_at(from, items[i].document).size;
        total += from->stride ? from->stride : (size[i] + 7) / 8 * 8;
    }
    offset[count] = total;
    unsigned char *data = FP_NEED(fp_arena_alloc(arena, total, 1), error);
    for (size_t i = 0; i < count; i++) memcpy(data + offset[i], fp_sketches_at(from, items[i].document).data, size[i]);
    *to = (fp_sketches){.count = count, .stride = from->stride, .data = data};
    if (from->stride) return FP_OK;
    to->offset = offset;
    to->size = size;
    return FP_OK;
}

static fp_status make_order(const fp_corpus *corpus, const fp_measurement *measurement, fp_arena *arena, order *to,
                            fp_error *error) {
    size_t count = corpus->document_count;
    uint32_t *group = FP_NEED(fp_arena_raw(arena, count, sizeof *group), error);
    to->items = FP_NEED(fp_arena_raw(arena, count, sizeof *to->items), error);
    for (uint32_t i = 0; i < count; i++) to->items[i] = (item){corpus->documents[i].characters, i};
    qsort(to->items, count, sizeof *to->items, longest_first);
    for (size_t i = 0; i < count; i++) group[i] = corpus->group[to->items[i].document];
    to->corpus = *corpus;
    to->corpus.documents = NULL; /* distances need only sketches and groups */
    to->corpus.group = group;
    to->measurement = (fp_measurement){.arm = measurement->arm};
    if (measurement->empty) {
        bool *empty = FP_NEED(fp_arena_raw(arena, count, sizeof *empty), error);
        for (size_t i = 0; i < count; i++) empty[i] = measurement->empty[to->items[i].document];
        to->measurement.empty = empty;
    }
    return order_sketches(&measurement->sketches, to->items, arena, &to->measurement.sketches, error);
}

/* ---- Counting ---- */

/* All pairs of the first `count` documents. */
static fp_status count_longest(const order *from, size_t count, const fp_progress *progress, fp_arena *arena,
                               fp_histogram *histogram, fp_error *error) {
    fp_corpus part = from->corpus;
    fp_measurement measurement = from->measurement;
    part.document_count = measurement.sketches.count = count;
    for (size_t i = 0; i < count && measurement.empty; i++) measurement.empty_count += measurement.empty[i];
    fp_stage stage = {.corpus = &part, .progress = progress};
    fp_status status = fp_stage_distances(&stage, &measurement, arena, error);
    *histogram = measurement.histogram;
    return status;
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
    order ordered;
    FP_TRY(make_order(corpus, measurement, scratch, &ordered, error));
    for (size_t s = 0; s < strata->count; s++) {
        size_t low = s ? strata->bounds[s - 1] : 0, count = 0;
        while (count < corpus->document_count && ordered.items[count].length >= low) count++;
        FP_TRY(count_longest(&ordered, count, progress, scratch, each + s, error));
        if (s) take_off(each + s - 1, each + s);
    }
    return FP_OK;
}

/* ---- Measures ---- */

/* A measure without an interval: all pairs are counted, and they depend on each other. */
static fp_estimate plain(double value) {
    return (fp_estimate){
        .value = value, .interval = {NAN, NAN}, .method = FP_METHOD_MID_P, .error = NAN, .trials = NAN, .units = NAN};
}

/* A measure of the histogram: over the range, or at the threshold with the best F1, if there is one. */
static fp_status measure_best(fp_measure measure, const fp_histogram *histogram, double best, fp_empty empty,
                              fp_estimate *out, fp_error *error) {
    double value = NAN;
    if (!fp_measure_at_threshold(measure.row)) FP_TRY(fp_measure_of_histogram(measure, histogram, &value, error));
    else if (!isnan(best)) value = fp_measure_of(measure, fp_confusion_at(histogram, best), empty);
    *out = plain(value);
    return FP_OK;
}

static fp_status fill_arm(const fp_histogram *histogram, const fp_inference_options *options, fp_arena *arena,
                          fp_stratum *stratum, fp_stratum_arm *out, fp_error *error) {
    static const fp_measure PRECISION = {.row = &fp_measure_precision}, RECALL = {.row = &fp_measure_recall},
                            SPECIFICITY = {.row = &fp_measure_specificity};
    size_t thresholds = options->threshold_count, measures = measures_of(options);
    fp_curve curve;
    FP_TRY(fp_curve_make(histogram, arena, &curve, error));
    fp_confusion *counts = FP_NEED(fp_arena_raw(arena, thresholds, sizeof *counts), error);
    fp_estimate *at = FP_NEED(fp_arena_raw(arena, measures, thresholds * sizeof *at), error),
                *further = FP_NEED(fp_arena_raw(arena, options->further_count, sizeof *further), error);
    for (size_t t = 0; t < thresholds; t++) {
        counts[t] = fp_confusion_at(histogram, options->thresholds[t]);
        for (size_t k = 0; k < measures; k++)
            at[k * thresholds + t] = plain(fp_measure_of(measure_at(options, k), counts[t], options->empty));
    }
    stratum->positives = curve.positives;
    stratum->negatives = curve.negatives;
    stratum->pairs = curve.positives + curve.negatives;
    double best = curve.best_threshold;
    *out = (fp_stratum_arm){.average_precision = plain(curve.average_precision),
                            .best_f1 = plain(curve.best_f1),
                            .best_threshold = plain(best),
                            .further = further,
                            .counts = counts,
                            .at = at};
    FP_TRY(measure_best(PRECISION, histogram, best, FP_EMPTY_NA, &out->precision, error));
    FP_TRY(measure_best(RECALL, histogram, best, FP_EMPTY_NA, &out->recall, error));
    FP_TRY(measure_best(SPECIFICITY, histogram, best, FP_EMPTY_NA, &out->specificity, error));
    for (size_t k = 0; k < options->further_count; k++)
        FP_TRY(measure_best(options->further[k], histogram, best, options->empty, further + k, error));
    return FP_OK;
}

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
        for (size_t s = 0; s < strata->count && status == FP_OK; s++)
            status = fill_arm(each + s, options, arena, all + s, arms + s * arm_count + arm, error);
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
