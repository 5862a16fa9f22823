/* SPDX-License-Identifier: GPL-3.0-or-later
 * Documents and clusters of a sample. */
#include <math.h>

#include "tests/deep/intervals/worlds/default_method.h"
#include "tests/deep/intervals/worlds/population.h"

typedef struct level {
    const cell *of;
    const sample *drawn;
    size_t arm;
    uint64_t seed;
    fp_members members;
    fp_arena *arena, *scratch;
} level;

/* ---- Documents ---- */

static void run_documents(const level *on, fp_resample *resample, fp_bootstrap *bootstrap) {
    fp_error error = {0};
    const cell *of = on->of;
    double *nearest = fp_arena_raw(on->arena, on->members.count, sizeof *nearest);
    const double *distances = nearest;
    const fp_members *members = &on->members;
    fp_members_nearest(members, on->drawn->pairs, on->drawn->distance[on->arm], on->drawn->count, nearest);
    fp_bootstrap_options options = {.replicates = REPLICATES,
                                    .seed = on->seed,
                                    .thresholds = of->thresholds[on->arm],
                                    .threshold_count = of->threshold_count[on->arm],
                                    .ranked = of->figures + of->figure_count - 1,
                                    .ranked_count = !fp_measure_at_threshold(of->figures[of->figure_count - 1].row)};
    check(fp_resample_make(members->items, members->count, members->cluster, members->count, FP_SAMPLING_AUTO,
                           on->arena, resample, &error),
          &error);
    check(fp_bootstrap_run(resample, &(fp_paired_distances){members->items, &distances, 1}, &options, &ALONE, on->arena,
                           bootstrap, &error),
          &error);
}

/* Of the figures over the range: at the threshold with the best F1. */
static fp_cells counts_behind(const fp_bootstrap *from, fp_measure measure) {
    fp_cells best = {0};
    for (size_t t = 0; t < from->options.threshold_count; t++) {
        fp_confusion c = fp_bootstrap_counts(from, from->replicates, 0, t);
        fp_cells at = {(double)c.tp, (double)c.fp, (double)c.fn, (double)c.tn};
        if (fp_measure_at_threshold(measure.row) && t == measure.threshold) return at;
        if (t == 0 || at.tp * (best.tp + best.fp + best.fn) > best.tp * (at.tp + at.fp + at.fn)) best = at;
    }
    return best;
}

static finding *estimate_documents(const level *on, finding *to) {
    fp_error error = {0};
    fp_resample resample;
    fp_bootstrap bootstrap;
    fp_estimate e;
    run_documents(on, &resample, &bootstrap);
    for (size_t figure = 0; figure < on->of->figure_count; figure++) {
        fp_measure measure = on->of->figures[figure];
        size_t count = fp_measure_at_threshold(measure.row) ? on->of->threshold_count[on->arm] : 1;
        for (measure.threshold = 0; measure.threshold < count; measure.threshold++) {
            check(fp_bootstrap_estimate(&bootstrap, 0, measure, DEFAULT_METHOD, CONFIDENCE, on->scratch, &e, &error),
                  &error);
            fp_cells c = cell_successes(measure.row, counts_behind(&bootstrap, measure));
            *to++ = (finding){e.value, e.interval.low, e.interval.high, e.error, e.trials, e.units, NAN,
                              c.tp,    c.fp,           MARKED(&e),      0};
        }
    }
    return to;
}

/* ---- Clusters ---- */

/* True clusters found as they are (tp), joined with others (fp), and torn (fn); some are both. */
static fp_cells count_clusters(const fp_contingency *from, fp_arena *arena) {
    uint32_t *blocks = fp_arena_alloc(arena, from->found_count, sizeof *blocks);
    fp_cells counts = {0};
    for (size_t i = 0; i < from->block_count; i++) blocks[from->blocks[i].found]++;
    for (size_t i = 0, next; i < from->block_count; i = next) {
        bool joined = false;
        for (next = i; next < from->block_count && from->blocks[next].truth == from->blocks[i].truth; next++)
            joined |= blocks[from->blocks[next].found] > 1;
        counts.fp += joined;
        counts.fn += next > i + 1;
        counts.tp += !joined && next == i + 1;
    }
    return counts;
}

static double errors_of(fp_agreement_kind kind, fp_cells counts) {
    switch (kind) {
    case FP_AGREEMENT_BCUBED_PRECISION:
    case FP_AGREEMENT_PAIR_PRECISION: return counts.fp;
    case FP_AGREEMENT_BCUBED_RECALL:
    case FP_AGREEMENT_PAIR_RECALL: return counts.fn;
    default: return counts.fp + counts.fn;
    }
}

static void estimate_partition(const level *on, size_t t, finding *to) {
    fp_error error = {0};
    fp_contingency contingency;
    fp_agreements agreements;
    fp_estimate e;
    size_t count = on->of->threshold_count[on->arm];
    uint32_t *found = fp_arena_raw(on->arena, on->members.count, sizeof *found);
    check(fp_members_link(&on->members, on->drawn->pairs, on->drawn->distance[on->arm], on->drawn->count,
                          on->of->thresholds[on->arm][t], on->arena, found, &error),
          &error);
    check(fp_contingency_make(on->members.cluster, found, on->members.count, on->arena, &contingency, &error), &error);
    check(fp_agreements_run(&contingency, 1, on->seed, FP_EMPTY_NA, &ALONE, on->arena, &agreements, &error), &error);
    fp_cells c = count_clusters(&contingency, on->arena);
    for (size_t kind = 0; kind < FP_AGREEMENT_KINDS; kind++) {
        check(fp_agreements_estimate(&agreements, (fp_agreement_kind)kind, DEFAULT_METHOD, CONFIDENCE, on->scratch, &e,
                                     &error),
              &error);
        to[kind * count + t] = (finding){e.value,
                                         e.interval.low,
                                         e.interval.high,
                                         e.error,
                                         e.trials,
                                         e.units,
                                         NAN,
                                         c.tp,
                                         errors_of((fp_agreement_kind)kind, c),
                                         MARKED(&e),
                                         0};
    }
}

finding *estimate_level(const cell *of, const sample *drawn, size_t arm, uint64_t seed, fp_arena *arena, finding *to) {
    fp_error error = {0};
    level on = {of, drawn, arm, seed, .arena = arena, .scratch = fp_arena_new()};
    check(fp_members_make(drawn->pairs, drawn->count, drawn->document_count, arena, &on.members, &error), &error);
    if (of->of->level == FP_LEVEL_DOCUMENT) {
        to = estimate_documents(&on, to);
    } else {
        for (size_t t = 0; t < of->threshold_count[arm]; t++) estimate_partition(&on, t, to);
        to += of->threshold_count[arm] * FP_AGREEMENT_KINDS;
    }
    fp_arena_free(on.scratch);
    return to;
}
