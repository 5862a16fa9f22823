/* SPDX-License-Identifier: GPL-3.0-or-later
 * Robustness of arms to corruptions, one corpus at a time. */
#include "eval/analyses/robustness.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "eval/experiment/experiment.h"
#include "eval/measures/histogram.h"
#include "eval/analyses/copies.h"

/* The values of every arm, hash seed and cell of a corpus, and their replicates. */
typedef struct kept_corpus {
    fp_cell_figures *figures;    /* [lanes · cells] */
    fp_cell_figures *replicates; /* [lanes · cells · replicates] */
} kept_corpus;

typedef struct study {
    const fp_copy_cell *cells;
    size_t cell_count, corpus_count;
    const fp_robustness_options *options;
    fp_seeded_arms arms;
    kept_corpus *kept; /* [corpus_count] */
    fp_robust_threshold *thresholds;
    fp_robust_part *parts;
    /* Over all corpora: positives and negatives of a cell. */
    uint64_t positives, negatives;
    uint64_t *sites, *changes; /* [cells] */
    size_t units;
    fp_robustness *made;
    fp_arena *arena;
} study;

/* ---- Figures of a cell in one pass over its pairs ---- */

FP_COMPARES(by_distance, fp_cell_pair,
            FP_ORDER(a->distance, b->distance) ?: FP_ORDER(a->unit, b->unit) ?: FP_ORDER(a->label, b->label));

void fp_cell_pairs_sort(fp_cell_pair *pairs, size_t count) {
    if (count) qsort(pairs, count, sizeof *pairs, by_distance);
}

fp_cell_figures fp_cell_figures_of(const fp_cell_pair *pairs, size_t count, const uint8_t *weight, double precision) {
    fp_confusion called = {0};
    uint64_t positives = 0, reached = 0, tp = 0, all = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t times = weight ? weight[pairs[i].unit] : 1;
        uint64_t duplicate = pairs[i].label ? times : 0;
        positives += duplicate;
        if (pairs[i].called) {
            called.tp += duplicate;
            called.fp += times - duplicate;
        } else {
            called.fn += duplicate;
            called.tn += times - duplicate;
        }
        tp += duplicate;
        all += times;
        bool last = i + 1 == count || pairs[i + 1].distance > pairs[i].distance; /* equal distances go together */
        if (last && all && (double)tp >= precision * (double)all) reached = tp;
    }
    if (!positives) return (fp_cell_figures){NAN, NAN};
    return (fp_cell_figures){fp_f1(called), (double)reached / (double)positives};
}

/* ---- One corpus ---- */

typedef struct measured {
    const study *in;
    const fp_copied_corpus *of;
    const fp_measurement *measurements; /* [lanes] */
    double *thresholds;                 /* [lanes · 2] one per fold */
    const uint8_t *weights;             /* [replicates · units] how often each unit is resampled */
    kept_corpus *to;
} measured;

/* Index: 2 · lane + fold. The threshold with the best F1 over the pairs of the other fold, in all cells. */
static fp_status tune_lane(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const measured *with = context;
    const fp_copied_corpus *of = with->of;
    const double *distances = with->measurements[index / 2].distances;
    fp_histogram histogram = {.limit = FP_HISTOGRAM_LIMIT, .like = arena};
    fp_curve curve;
    fp_status status = FP_OK;
    for (size_t i = 0; i < of->count; i++) {
        if (of->fold[of->unit[i]] == index % 2) continue;
        size_t end = fp_copied_pair(of, i, with->in->cell_count);
        for (size_t p = of->first[i]; p < end && status == FP_OK; p++)
            status = fp_histogram_add(&histogram, distances[p], of->corpus.pairs[p].label, error);
    }
    fp_histogram_finish(&histogram);
    if (status == FP_OK) status = fp_curve_make(&histogram, arena, &curve, error);
    if (status == FP_OK) with->thresholds[index] = curve.best_threshold;
    fp_histogram_free(&histogram);
    return status;
}

/* Index: lane · cells + cell. */
static fp_status measure_cell(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const measured *with = context;
    const fp_copied_corpus *of = with->of;
    size_t lane = index / with->in->cell_count, cell = index % with->in->cell_count, room = 0, count = 0;
    size_t replicates = with->in->options->replicates;
    for (size_t i = 0; i < of->count; i++) room += 1 + of->negatives[i];
    fp_cell_pair *pairs = FP_NEED(fp_arena_raw(arena, room, sizeof *pairs), error);
    for (size_t i = 0; i < of->count; i++) {
        double threshold = with->thresholds[2 * lane + of->fold[of->unit[i]]];
        size_t first = fp_copied_pair(of, i, cell);
        for (size_t p = first; p <= first + of->negatives[i]; p++) {
            double distance = with->measurements[lane].distances[p];
            pairs[count++] = (fp_cell_pair){distance, of->unit[i], of->corpus.pairs[p].label, distance <= threshold};
        }
    }
    fp_cell_pairs_sort(pairs, count);
    double precision = with->in->options->precision;
    with->to->figures[index] = fp_cell_figures_of(pairs, count, NULL, precision);
    for (size_t b = 0; b < replicates; b++)
        with->to->replicates[index * replicates + b] =
            fp_cell_figures_of(pairs, count, with->weights + b * of->unit_count, precision);
    return FP_OK;
}

/* Multinomial, with as many samples as units. The weights of a corpus depend on its place and the seed. */
static uint8_t *sample_units(const study *in, size_t corpus, size_t units, fp_arena *arena) {
    size_t replicates = in->options->replicates;
    uint8_t *weights = fp_arena_alloc(arena, replicates * units, sizeof *weights);
    uint64_t key = fp_mix(in->options->seed, corpus);
    for (size_t b = 0; weights && b < replicates; b++)
        for (size_t u = 0; u < units; u++) {
            uint8_t *times = weights + b * units + fp_mix(fp_mix(key, b), u) % units;
            if (*times < UINT8_MAX) ++*times;
        }
    return weights;
}

static void note_thresholds(study *in, size_t corpus, size_t arm, size_t hash_seed, const double *thresholds) {
    size_t lane = fp_seed_lane(in->arms.further, arm, hash_seed);
    for (size_t fold = 0; fold < 2; fold++)
        in->thresholds[in->made->threshold_count++] =
            (fp_robust_threshold){arm, corpus, hash_seed, fold, thresholds[2 * lane + fold]};
}

static fp_status measure_pairs(study *in, size_t corpus, const fp_copied_corpus *of, const fp_measurement *measurements,
                               fp_arena *scratch, fp_error *error) {
    size_t lanes = in->arms.lane_count, items = lanes * in->cell_count;
    kept_corpus *to = &in->kept[corpus];
    to->figures = FP_NEED(fp_arena_raw(in->arena, items, sizeof *to->figures), error);
    to->replicates = FP_NEED(fp_arena_raw(in->arena, items * in->options->replicates, sizeof *to->replicates), error);
    double *thresholds = FP_NEED(fp_arena_raw(scratch, 2 * lanes, sizeof *thresholds), error);
    const uint8_t *weights = FP_NEED(sample_units(in, corpus, of->unit_count, scratch), error);
    measured with = {in, of, measurements, thresholds, weights, to};
    const fp_progress *progress = in->options->progress;
    FP_TRY(fp_parallel_in(scratch, 2 * lanes, tune_lane, &with, "thresholds", progress, error));
    FP_TRY(fp_parallel_in(scratch, items, measure_cell, &with, "cells", progress, error));
    for (size_t arm = 0; arm < in->arms.count; arm++) note_thresholds(in, corpus, arm, 0, thresholds);
    for (size_t arm = 0; arm < in->arms.count; arm++)
        for (size_t s = 1; s < fp_seed_count(in->arms.further, arm); s++)
            note_thresholds(in, corpus, arm, s, thresholds);
    return FP_OK;
}

static fp_status measure_copied(study *in, size_t corpus, const fp_copied_corpus *of, fp_arena *scratch,
                                fp_error *error) {
    size_t lanes = in->arms.lane_count;
    fp_measurement *measurements = FP_NEED(fp_arena_alloc(scratch, lanes, sizeof *measurements), error);
    in->units += of->unit_count;
    in->positives += of->count;
    for (size_t i = 0; i < of->count; i++) in->negatives += of->negatives[i];
    for (size_t c = 0; c < in->cell_count; c++) {
        in->sites[c] += of->sites[c];
        in->changes[c] += of->changes[c];
    }
    FP_TRY(fp_experiment(&of->corpus, in->arms.lanes, lanes, in->options->progress, scratch, measurements, error));
    fp_status status = measure_pairs(in, corpus, of, measurements, scratch, error);
    for (size_t l = 0; l < lanes; l++) fp_measurement_free(&measurements[l]);
    return status;
}

/* Sketches for the arm that chooses the negatives. */
static fp_status sketch_near(const fp_robustness_options *options, const fp_corpus *corpus, fp_arena *scratch,
                             fp_measurement *near, fp_error *error) {
    fp_arm *arm = options->near;
    FP_TRY(fp_arm_forget(arm, error));
    return fp_experiment_sketches(corpus, &arm, 1, options->progress, scratch, near, error);
}

static fp_status measure_corpus(study *in, size_t number, const fp_corpus *corpus, size_t *documents, size_t *units,
                                fp_error *error) {
    const fp_robustness_options *options = in->options;
    fp_copies copies;
    fp_copied_corpus of;
    fp_measurement near;
    FP_SCRATCH(scratch, in->arena, error);
    FP_TRY(fp_copies_open(corpus, in->cells, in->cell_count, options->seed, NULL, scratch, &copies, error));
    for (size_t l = 0; l < in->arms.lane_count && number; l++) FP_TRY(fp_arm_forget(in->arms.lanes[l], error));
    if (options->near) FP_TRY(sketch_near(options, corpus, scratch, &near, error));
    fp_status status = fp_copied_corpus_make(&copies, options->documents, options->negatives,
                                             options->near ? &near : NULL, options->progress, scratch, &of, error);
    if (options->near) fp_measurement_free(&near);
    FP_TRY(status);
    *documents = of.count;
    *units = of.unit_count;
    status = measure_copied(in, number, &of, scratch, error);
    fp_copied_corpus_close(&of);
    return status;
}

/* ---- Cells that apply ---- */

static fp_status find_lack(const fp_corpus *corpus, uint64_t seed, const fp_arena *like, unsigned *lack,
                           fp_error *error) {
    fp_copies copies;
    FP_SCRATCH(scratch, like, error);
    FP_TRY(fp_copies_open(corpus, NULL, 0, seed, NULL, scratch, &copies, error));
    *lack |= fp_copies_lack(&copies);
    return FP_OK;
}

/* Keeps the cells that apply to every corpus. If none does, keeps all: the first corpus then reports the error. */
static fp_status choose_cells(const fp_corpus *const *corpora, const fp_copy_cell *cells, size_t count, study *in,
                              fp_error *error) {
    unsigned lack = 0;
    fp_copy_cell *kept = FP_NEED(fp_arena_raw(in->arena, count, sizeof *kept), error),
                 *skipped = FP_NEED(fp_arena_raw(in->arena, count, sizeof *skipped), error);
    for (size_t c = 0; c < in->corpus_count; c++)
        FP_TRY(find_lack(corpora[c], in->options->seed, in->arena, &lack, error));
    in->made->skipped = skipped;
    in->cells = kept;
    for (size_t i = 0; i < count; i++) {
        if (cells[i].corruption.needs & lack) skipped[in->made->skipped_count++] = cells[i];
        else kept[in->cell_count++] = cells[i];
    }
    if (in->cell_count) return FP_OK;
    in->cells = cells;
    in->cell_count = count;
    return FP_OK;
}

/* ---- Means over corpora and hash seeds ---- */

/* The corpora and hash seeds that a replicate resamples, by place: the same for all arms and cells. */
static size_t sampled(const study *in, size_t replicate, uint64_t stream, size_t draw, size_t count) {
    return (size_t)(fp_mix(fp_mix(fp_mix(in->options->seed, stream), replicate), draw) % count);
}

enum { STREAM_OF_CORPORA = 1000, STREAM_OF_SEEDS = 1001 };

/* The mean over the resampled corpora and seeds of one replicate; NaN if none is defined. */
static fp_cell_figures replicate_of(const study *in, size_t arm, size_t cell, size_t replicate) {
    size_t seeds = fp_seed_count(in->arms.further, arm), replicates = in->options->replicates, f1_count = 0,
           recall_count = 0;
    double f1 = 0, recall = 0;
    for (size_t c = 0; c < in->corpus_count; c++) {
        size_t corpus = sampled(in, replicate, STREAM_OF_CORPORA, c, in->corpus_count);
        for (size_t s = 0; s < seeds; s++) {
            size_t lane = fp_seed_lane(in->arms.further, arm, sampled(in, replicate, STREAM_OF_SEEDS, s, seeds));
            fp_cell_figures of = in->kept[corpus].replicates[(lane * in->cell_count + cell) * replicates + replicate];
            if (!isnan(of.f1)) f1 += of.f1, f1_count++;
            if (!isnan(of.recall)) recall += of.recall, recall_count++;
        }
    }
    return (fp_cell_figures){f1_count ? f1 / (double)f1_count : NAN,
                             recall_count ? recall / (double)recall_count : NAN};
}

/* The percentiles; if all values are 0 or all are 1, the exact bound for that many units. */
static fp_robust_value interval_of(const study *in, double value, double *replicates) {
    size_t kept = 0;
    for (size_t b = 0; b < in->options->replicates; b++)
        if (!isnan(replicates[b])) replicates[kept++] = replicates[b];
    if (isnan(value) || !kept) return (fp_robust_value){value, {NAN, NAN}};
    gsl_sort(replicates, 1, kept);
    double tail = (1 - in->options->confidence) / 2, low = replicates[(size_t)(tail * (double)(kept - 1))],
           high = replicates[(size_t)ceil((1 - tail) * (double)(kept - 1))], bound = pow(tail, 1 / (double)in->units);
    if (low == high && value >= 1) low = bound;
    if (low == high && value <= 0) high = 1 - bound;
    return (fp_robust_value){value, {fmin(low, value), fmax(high, value)}};
}

/* The unweighted means over the parts. */
static fp_cell_figures mean_of(study *in, size_t arm, size_t cell) {
    size_t seeds = fp_seed_count(in->arms.further, arm);
    double f1 = 0, recall = 0, count = (double)(in->corpus_count * seeds);
    for (size_t c = 0; c < in->corpus_count; c++)
        for (size_t s = 0; s < seeds; s++) {
            fp_cell_figures of = in->kept[c].figures[fp_seed_lane(in->arms.further, arm, s) * in->cell_count + cell];
            in->parts[in->made->part_count++] = (fp_robust_part){arm, cell, c, s, of.f1, of.recall};
            f1 += of.f1;
            recall += of.recall;
        }
    return (fp_cell_figures){f1 / count, recall / count};
}

static fp_robust_cell sum_cell(study *in, size_t arm, size_t cell, double *f1, double *recall) {
    fp_cell_figures mean = mean_of(in, arm, cell);
    for (size_t b = 0; b < in->options->replicates; b++) {
        fp_cell_figures of = replicate_of(in, arm, cell, b);
        f1[b] = of.f1;
        recall[b] = of.recall;
    }
    return (fp_robust_cell){.arm = arm,
                            .cell = cell,
                            .positives = in->positives,
                            .negatives = in->negatives,
                            .sites = in->sites[cell],
                            .changes = in->changes[cell],
                            .f1 = interval_of(in, mean.f1, f1),
                            .recall = interval_of(in, mean.recall, recall)};
}

/* Means over corpora and hash seeds, with their intervals, into in->made. */
static fp_status sum_up(study *in, fp_error *error) {
    fp_robustness *made = in->made;
    size_t arms = in->arms.count, parts = in->arms.lane_count * in->corpus_count * in->cell_count;
    fp_robust_cell *results = FP_NEED(fp_arena_raw(in->arena, arms * in->cell_count, sizeof *results), error);
    double *f1 = FP_NEED(fp_arena_raw(in->arena, in->options->replicates, sizeof *f1), error),
           *recall = FP_NEED(fp_arena_raw(in->arena, in->options->replicates, sizeof *recall), error);
    made->parts = in->parts = FP_NEED(fp_arena_raw(in->arena, parts, sizeof *in->parts), error);
    for (size_t a = 0; a < arms; a++)
        for (size_t c = 0; c < in->cell_count; c++) results[a * in->cell_count + c] = sum_cell(in, a, c, f1, recall);
    made->results = results;
    return FP_OK;
}

/* ---- All corpora ---- */

fp_status fp_robustness_run(const fp_corpus *const *corpora, size_t corpus_count, fp_arm *const *arms, size_t arm_count,
                            const fp_copy_cell *cells, size_t cell_count, const fp_robustness_options *options,
                            fp_arena *arena, fp_robustness *made, fp_error *error) {
    study in = {.corpus_count = corpus_count, .options = options, .made = made, .arena = arena};
    const fp_hash_seeds seeds = {.count = options->hash_seeds};
    *made = (fp_robustness){.arms = arms, .arm_count = arm_count, .corpus_count = corpus_count};
    FP_TRY(choose_cells(corpora, cells, cell_count, &in, error));
    FP_TRY(fp_seeded_arms_make(arms, arm_count, &seeds, arena, &in.arms, error));
    const char **names = FP_NEED(fp_arena_raw(arena, corpus_count, sizeof *names), error);
    size_t *documents = FP_NEED(fp_arena_alloc(arena, corpus_count, sizeof *documents), error),
           *units = FP_NEED(fp_arena_alloc(arena, corpus_count, sizeof *units), error);
    in.kept = FP_NEED(fp_arena_alloc(arena, corpus_count, sizeof *in.kept), error);
    in.sites = FP_NEED(fp_arena_alloc(arena, in.cell_count, sizeof *in.sites), error);
    in.changes = FP_NEED(fp_arena_alloc(arena, in.cell_count, sizeof *in.changes), error);
    in.thresholds = FP_NEED(fp_arena_raw(arena, 2 * in.arms.lane_count * corpus_count, sizeof *in.thresholds), error);
    made->cells = in.cells;
    made->cell_count = in.cell_count;
    made->corpora = names;
    made->documents = documents;
    made->units = units;
    made->thresholds = in.thresholds;
    for (size_t c = 0; c < corpus_count; c++) {
        names[c] = corpora[c]->name;
        FP_TRY(measure_corpus(&in, c, corpora[c], documents + c, units + c, error));
    }
    return sum_up(&in, error);
}
