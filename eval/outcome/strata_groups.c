/* SPDX-License-Identifier: GPL-3.0-or-later
 * All pairs by length. */
#include "eval/outcome/strata_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "eval/experiment/experiment.h"

/* ---- The longest documents ---- */

typedef struct item {
    size_t length;
    uint32_t document;
} item;

/* The corpus with its longest documents first. */
typedef struct order {
    item *items;
    fp_corpus corpus;
    fp_measurement measurement; /* its sketches in that order, and which of them say nothing */
} order;

static int longest_first(const void *left, const void *right) {
    const item *a = left, *b = right;
    if (a->length != b->length) return a->length > b->length ? -1 : 1;
    return FP_ORDER(a->document, b->document);
}

static fp_status order_sketches(const fp_sketches *from, const item *items, fp_arena *arena, fp_sketches *to,
                                fp_error *error) {
    size_t count = from->count, total = 0;
    size_t *offset = fp_arena_raw(arena, count + 1, sizeof *offset), *size = fp_arena_raw(arena, count, sizeof *size);
    if (!offset || !size) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        offset[i] = total;
        size[i] = fp_sketches_at(from, items[i].document).size;
        total += from->stride ? from->stride : (size[i] + 7) / 8 * 8;
    }
    offset[count] = total;
    unsigned char *data = fp_arena_alloc(arena, total, 1);
    if (!data) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++) memcpy(data + offset[i], fp_sketches_at(from, items[i].document).data, size[i]);
    *to = (fp_sketches){.count = count, .stride = from->stride, .data = data};
    if (from->stride) return FP_OK;
    to->offset = offset;
    to->size = size;
    return FP_OK;
}

static fp_status order_silent(const fp_measurement *from, const item *items, size_t count, fp_arena *arena,
                              fp_measurement *to, fp_error *error) {
    if (!from->silent) return FP_OK;
    bool *silent = fp_arena_raw(arena, count, sizeof *silent);
    if (!silent) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++) silent[i] = from->silent[items[i].document];
    to->silent = silent;
    return FP_OK;
}

static fp_status make_order(const fp_corpus *corpus, const fp_measurement *measurement, fp_arena *arena, order *to,
                            fp_error *error) {
    size_t count = corpus->document_count;
    uint32_t *group = fp_arena_raw(arena, count, sizeof *group);
    to->items = fp_arena_raw(arena, count, sizeof *to->items);
    if (!group || !to->items) return fp_no_memory(error);
    for (uint32_t i = 0; i < count; i++) to->items[i] = (item){corpus->documents[i].characters, i};
    qsort(to->items, count, sizeof *to->items, longest_first);
    for (size_t i = 0; i < count; i++) group[i] = corpus->group[to->items[i].document];
    to->corpus = *corpus;
    to->corpus.documents = NULL; /* sketches and groups are all that distances are made of */
    to->corpus.group = group;
    to->measurement = (fp_measurement){.arm = measurement->arm};
    FP_TRY(order_silent(measurement, to->items, count, arena, &to->measurement, error));
    return order_sketches(&measurement->sketches, to->items, arena, &to->measurement.sketches, error);
}

/* ---- Counting ---- */

/* All pairs of the first `count` documents. */
static fp_status count_longest(const order *from, size_t count, const fp_progress *progress, fp_arena *arena,
                               fp_histogram *histogram, fp_error *error) {
    fp_corpus part = from->corpus;
    fp_measurement measurement = from->measurement;
    part.document_count = measurement.sketches.count = count;
    for (size_t i = 0; i < count && measurement.silent; i++) measurement.silent_count += measurement.silent[i];
    fp_stage stage = {.corpus = &part, .progress = progress};
    fp_status status = fp_stage_distances(&stage, &measurement, arena, error);
    *histogram = measurement.histogram;
    return status;
}

/* Takes the pairs of `part` off those of `whole`, both finished. Fewer pairs lie on the same grid, or a finer one: a
 * distance is rounded up as those of `whole` were. */
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

static fp_status count_all(const fp_corpus *corpus, const fp_strata *strata, const fp_measurement *measurement,
                           const fp_progress *progress, fp_arena *scratch, fp_histogram *each, fp_error *error) {
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

fp_status fp_strata_count_groups(const fp_corpus *corpus, const fp_strata *strata, const fp_measurement *measurement,
                                 const fp_progress *progress, fp_histogram *each, fp_error *error) {
    memset(each, 0, strata->count * sizeof *each);
    fp_arena *scratch = fp_arena_new_like(corpus->memory);
    if (!scratch) return fp_no_memory(error);
    fp_status status = count_all(corpus, strata, measurement, progress, scratch, each, error);
    fp_arena_free(scratch);
    return status;
}

/* ---- Measures ---- */

/* All pairs are counted, and depend on one another: a measure without an interval. */
static fp_estimate plain(double value) {
    return (fp_estimate){
        .value = value, .interval = {NAN, NAN}, .method = FP_METHOD_MID_P, .error = NAN, .trials = NAN, .units = NAN};
}

/* `best`: the threshold with the best F1, or NaN. */
static fp_status fill_further(const fp_histogram *histogram, const fp_inference_options *options, double best,
                              fp_arena *arena, fp_stratum_arm *out, fp_error *error) {
    size_t thresholds = options->threshold_count;
    fp_estimate *further = fp_arena_alloc(arena, options->further_count, sizeof *further),
                *at = fp_arena_alloc(arena, options->further_count * thresholds, sizeof *at);
    if (!further || !at) return fp_no_memory(error);
    out->further = further;
    out->further_at = at;
    for (size_t k = 0; k < options->further_count; k++) {
        fp_measure measure = options->further[k];
        double value = NAN;
        for (size_t t = 0; t < thresholds; t++)
            at[k * thresholds + t] =
                plain(fp_measure_of(measure, fp_confusion_at(histogram, options->thresholds[t]), options->empty));
        if (!fp_measure_at_threshold(measure.row)) FP_TRY(fp_measure_of_histogram(measure, histogram, &value, error));
        else if (!isnan(best)) value = fp_measure_of(measure, fp_confusion_at(histogram, best), options->empty);
        further[k] = plain(value);
    }
    return FP_OK;
}

static const fp_measure_row *const AT_THRESHOLD[] = {&fp_measure_precision, &fp_measure_recall, &fp_measure_f1};
enum { USUAL = sizeof AT_THRESHOLD / sizeof *AT_THRESHOLD };

static fp_status fill_arm(const fp_histogram *histogram, const fp_inference_options *options, fp_arena *arena,
                          fp_stratum *stratum, fp_stratum_arm *out, fp_error *error) {
    size_t thresholds = options->threshold_count;
    fp_curve curve;
    FP_TRY(fp_curve_make(histogram, arena, &curve, error));
    fp_cells *counts = fp_arena_alloc(arena, thresholds, sizeof *counts);
    fp_estimate *at = fp_arena_raw(arena, thresholds, USUAL * sizeof *at);
    if (!counts || !at) return fp_no_memory(error);
    for (size_t t = 0; t < thresholds; t++) {
        fp_confusion own = fp_confusion_at(histogram, options->thresholds[t]);
        fp_cells_add(counts + t, own);
        for (size_t k = 0; k < USUAL; k++)
            at[k * thresholds + t] = plain(fp_measure_of((fp_measure){.row = AT_THRESHOLD[k]}, own, options->empty));
    }
    stratum->positives = curve.positives;
    stratum->negatives = curve.negatives;
    stratum->pairs = curve.positives + curve.negatives;
    fp_confusion best =
        isnan(curve.best_threshold) ? (fp_confusion){0} : fp_confusion_at(histogram, curve.best_threshold);
    *out = (fp_stratum_arm){.average_precision = plain(curve.average_precision),
                            .best_f1 = plain(curve.best_f1),
                            .best_threshold = plain(curve.best_threshold),
                            .precision = plain(fp_precision(best)),
                            .recall = plain(fp_recall(best)),
                            .specificity =
                                plain(fp_measure_of((fp_measure){.row = &fp_measure_specificity}, best, FP_EMPTY_NA)),
                            .counts = counts,
                            .precision_at = at,
                            .recall_at = at + thresholds,
                            .f1_at = at + 2 * thresholds};
    return fill_further(histogram, options, curve.best_threshold, arena, out, error);
}

fp_status fp_strata_infer_groups(const fp_outcome *outcome, const fp_strata *strata,
                                 const fp_inference_options *options, const fp_progress *progress, fp_arena *arena,
                                 fp_stratum *all, fp_error *error) {
    size_t arm_count = outcome->count;
    fp_histogram *each = fp_arena_alloc(arena, strata->count, sizeof *each);
    fp_stratum_arm *arms = fp_arena_alloc(arena, strata->count * arm_count, sizeof *arms);
    if (!each || !arms) return fp_no_memory(error);
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
