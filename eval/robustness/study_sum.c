/* SPDX-License-Identifier: GPL-3.0-or-later
 * Corpora and hash seeds put together. */
#include <gsl/gsl_sort.h>
#include <math.h>

#include "eval/robustness/study.h"

static size_t lane_of(const fp_study *in, size_t arm, size_t hash_seed) {
    return hash_seed ? in->arms.further[arm].first + hash_seed - 1 : arm;
}

static size_t seeds_of(const fp_study *in, size_t arm) { return 1 + in->arms.further[arm].count; }

/* What a replicate draws of corpora and hash seeds, by place: the same for all arms and cells. */
static size_t drawn(const fp_study *in, size_t replicate, uint64_t stream, size_t draw, size_t count) {
    return (size_t)(fp_mix(fp_mix(fp_mix(in->options->seed, stream), replicate), draw) % count);
}

enum { STREAM_OF_CORPORA = 1000, STREAM_OF_SEEDS = 1001 };

/* The mean over drawn corpora and seeds of one replicate; NaN where none is defined. */
static fp_cell_figures replicate_of(const fp_study *in, size_t arm, size_t cell, size_t replicate) {
    size_t seeds = seeds_of(in, arm), replicates = in->options->replicates, f1_count = 0, recall_count = 0;
    double f1 = 0, recall = 0;
    for (size_t c = 0; c < in->corpus_count; c++) {
        size_t corpus = drawn(in, replicate, STREAM_OF_CORPORA, c, in->corpus_count);
        for (size_t s = 0; s < seeds; s++) {
            size_t lane = lane_of(in, arm, drawn(in, replicate, STREAM_OF_SEEDS, s, seeds));
            fp_cell_figures of = in->kept[corpus].replicates[(lane * in->cell_count + cell) * replicates + replicate];
            if (!isnan(of.f1)) f1 += of.f1, f1_count++;
            if (!isnan(of.recall)) recall += of.recall, recall_count++;
        }
    }
    return (fp_cell_figures){f1_count ? f1 / (double)f1_count : NAN,
                             recall_count ? recall / (double)recall_count : NAN};
}

/* The percentiles; of values that are all 0 or all 1 the exact bound for as many units. */
static fp_robust_value interval_of(double value, double *replicates, size_t count, size_t units, double confidence) {
    size_t kept = 0;
    for (size_t b = 0; b < count; b++)
        if (!isnan(replicates[b])) replicates[kept++] = replicates[b];
    if (isnan(value) || !kept) return (fp_robust_value){value, NAN, NAN};
    gsl_sort(replicates, 1, kept);
    double tail = (1 - confidence) / 2, low = replicates[(size_t)(tail * (double)(kept - 1))],
           high = replicates[(size_t)ceil((1 - tail) * (double)(kept - 1))], bound = pow(tail, 1 / (double)units);
    if (low == high && value >= 1) low = bound;
    if (low == high && value <= 0) high = 1 - bound;
    return (fp_robust_value){value, low < value ? low : value, high > value ? high : value};
}

/* The plain means, from the figures of every part. */
static fp_cell_figures mean_of(fp_study *in, size_t arm, size_t cell) {
    fp_robustness *made = in->made;
    double f1 = 0, recall = 0;
    size_t count = 0;
    for (size_t c = 0; c < in->corpus_count; c++)
        for (size_t s = 0; s < seeds_of(in, arm); s++) {
            fp_cell_figures of = in->kept[c].figures[lane_of(in, arm, s) * in->cell_count + cell];
            in->parts[made->part_count++] = (fp_robust_part){arm, cell, c, s, of.f1, of.recall};
            f1 += of.f1;
            recall += of.recall;
            count++;
        }
    return (fp_cell_figures){f1 / (double)count, recall / (double)count};
}

static fp_robust_cell sum_cell(fp_study *in, size_t arm, size_t cell, double *f1, double *recall) {
    size_t units = 0, replicates = in->options->replicates;
    fp_robust_cell made = {.arm = arm, .cell = cell};
    fp_cell_figures mean = mean_of(in, arm, cell);
    for (size_t c = 0; c < in->corpus_count; c++) {
        units += in->kept[c].units;
        made.positives += in->kept[c].positives;
        made.negatives += in->kept[c].negatives;
        made.sites += in->kept[c].sites[cell];
        made.changes += in->kept[c].changes[cell];
    }
    for (size_t b = 0; b < replicates; b++) {
        fp_cell_figures of = replicate_of(in, arm, cell, b);
        f1[b] = of.f1;
        recall[b] = of.recall;
    }
    made.f1 = interval_of(mean.f1, f1, replicates, units, in->options->confidence);
    made.recall = interval_of(mean.recall, recall, replicates, units, in->options->confidence);
    return made;
}

fp_status fp_study_sum_up(fp_study *in, fp_error *error) {
    fp_robustness *made = in->made;
    size_t arms = in->arms.count, parts = in->arms.lane_count * in->corpus_count * in->cell_count;
    fp_robust_cell *results = fp_arena_raw(in->arena, arms * in->cell_count, sizeof *results);
    double *f1 = fp_arena_raw(in->arena, in->options->replicates, sizeof *f1),
           *recall = fp_arena_raw(in->arena, in->options->replicates, sizeof *recall);
    in->parts = fp_arena_raw(in->arena, parts, sizeof *in->parts);
    if (!results || !f1 || !recall || !in->parts) return fp_no_memory(error);
    for (size_t a = 0; a < arms; a++)
        for (size_t c = 0; c < in->cell_count; c++) results[a * in->cell_count + c] = sum_cell(in, a, c, f1, recall);
    made->results = results;
    made->parts = in->parts;
    made->thresholds = in->thresholds;
    made->threshold_count = in->threshold_count;
    return FP_OK;
}
