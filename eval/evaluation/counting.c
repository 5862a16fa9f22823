/* SPDX-License-Identifier: GPL-3.0-or-later
 * Counts all pairs of groups for the measures with a variance. */
#include "eval/evaluation/counting.h"

#include <math.h>

/* ---- Functionals ---- */

static fp_confusion counts_at(const fp_ranked *ranked, size_t reach) {
    fp_confusion counts = {0, 0, ranked->positives, ranked->negatives};
    for (size_t bin = 0; bin < reach; bin++) {
        counts.fp += ranked->cells[2 * bin];
        counts.tp += ranked->cells[2 * bin + 1];
    }
    counts.fn -= counts.tp;
    counts.tn -= counts.fp;
    return counts;
}

static void fill_at(const fp_ranked *ranked, fp_measure measure, size_t reach, double *each) {
    fp_confusion counts = counts_at(ranked, reach);
    if (isnan(fp_measure_of(measure, counts, FP_EMPTY_NA))) return;
    fp_cells by = fp_measure_gradient(measure, counts);
    for (size_t bin = 0; bin < ranked->bin_count; bin++) {
        each[2 * bin] = bin < reach ? by.fp : by.tn;
        each[2 * bin + 1] = bin < reach ? by.tp : by.fn;
    }
}

/* The values of one functional, [2·bin_count]; 0 where it is not defined. */
static fp_status fill_one(const fp_counted_arm *arm, const fp_ranked *ranked, const fp_measure *measure, double *each,
                          fp_error *error) {
    const fp_measure_row *row = measure->row;
    for (size_t i = 0; i < 2 * ranked->bin_count; i++) each[i] = 0;
    if (fp_measure_at_threshold(row)) {
        fill_at(ranked, *measure, arm->reach[measure->threshold], each);
        return FP_OK;
    }
    if (!row->influence) return fp_fail(error, FP_ERROR_RANGE, "how %s varies is not known", row->name);
    double value = fp_counted_fits(ranked) ? row->over_range(ranked) : NAN;
    if (!isnan(value)) row->influence(ranked, value, each);
    for (size_t i = 0; i < 2 * ranked->bin_count; i++)
        if (!ranked->cells[i]) each[i] = 0;
    return FP_OK;
}

static fp_status make_values(const fp_counting *counting, const fp_ranked *ranked, fp_arena *arena, fp_arena *scratch,
                             fp_counted_arm *arm, fp_error *error) {
    size_t places = 2 * arm->bin_count, functionals = counting->functional_count;
    double *value = FP_NEED(fp_arena_raw(arena, places, functionals * sizeof *value), error),
           *each = FP_NEED(fp_arena_raw(scratch, places, sizeof *each), error);
    for (size_t k = 0; k < functionals; k++) {
        FP_TRY(fill_one(arm, ranked, counting->functionals + k, each, error));
        for (size_t i = 0; i < places; i++) value[i * functionals + k] = each[i];
    }
    arm->value = value;
    return FP_OK;
}

/* ---- The sample ---- */

static bool is_drawn(const fp_counting *counting) { return counting->measurements->sample; }

/* If pairs are sampled: that of the arms for which all pairs are counted. */
static bool is_sampled(const fp_counting *counting) {
    bool counts = !is_drawn(counting) || fp_whole_arm_count(counting->measurements, counting->arm_count);
    return counts && counting->corpus->document_count > counting->most_documents;
}

/* The near dyads of all arms together are measured under every arm. */
size_t fp_counting_near(const fp_corpus *corpus, size_t arm_count) {
    enum { MOST = 1 << 15 };
    bool wanted = corpus->truth == FP_TRUTH_GROUPS && corpus->document_count > FP_COUNTING_DOCUMENTS;
    return wanted && arm_count ? MOST / arm_count : 0;
}

/* All units, or the first that hold so many documents that the error of a sum of squares, over m columns of U units,
 * is within 1/FINE of what independent pairs alone give: √(2U)/m, if their number is as Poisson's law has it. */
static size_t columns_of(const fp_counting *counting, const fp_unit_list *units) {
    enum { FINE = 4 };
    double wanted = fmax((double)counting->most_documents / 4, FINE * sqrt(2 * (double)units->count));
    size_t count = is_sampled(counting) ? 0 : units->count;
    while (count < units->count && (double)units->begin[count] < wanted) count++;
    return count;
}

/* ---- All ---- */

static fp_status make_arm(const fp_counting *counting, size_t index, fp_arena *arena, fp_arena *scratch,
                          fp_counted_arm *arm, fp_error *error) {
    fp_ranked ranked;
    FP_TRY(fp_ranked_of_histogram(&counting->measurements[index].histogram, arena, &ranked, error));
    *arm = (fp_counted_arm){.bin_count = ranked.bin_count, .distance = ranked.distance, .cells = ranked.cells};
    arm->reach = FP_NEED(
        fp_bins_within(ranked.distance, ranked.bin_count, counting->thresholds, counting->threshold_count, arena),
        error);
    return make_values(counting, &ranked, arena, scratch, arm, error);
}

fp_status fp_counting_run(const fp_counting *counting, const fp_progress *progress, fp_arena *arena,
                          fp_counted_pairs *counted, fp_error *error) {
    fp_unit_list *units = FP_NEED(fp_arena_alloc(arena, 1, sizeof *units), error);
    fp_counted_arm *arms = FP_NEED(fp_arena_alloc(arena, counting->arm_count, sizeof *arms), error);
    FP_SCRATCH(scratch, arena, error);
    *counted = (fp_counted_pairs){.units = units,
                                  .arm_count = counting->arm_count,
                                  .threshold_count = counting->threshold_count,
                                  .functionals = counting->functionals,
                                  .functional_count = counting->functional_count};
    FP_TRY(fp_unit_list_make(counting->corpus, is_sampled(counting), counting->seed, arena, units, error));
    for (size_t i = 0; i < counting->arm_count; i++) {
        FP_TRY(make_arm(counting, i, arena, scratch, arms + i, error));
        fp_arena_reset(scratch);
    }
    counted->column_units = columns_of(counting, units);
    return (is_drawn(counting) ? fp_sampled_pass_run : fp_unit_pass_run)(counting->measurements, progress, arena,
                                                                         counted, arms, error);
}

/* ---- Observed values ---- */

/* The measure for comparing arms, then those over the range. */
static fp_status list_functionals(const fp_measure *compared, const fp_bootstrap_options *drawing, fp_arena *arena,
                                  fp_counting *counting, fp_error *error) {
    fp_measure *list = FP_NEED(fp_arena_raw(arena, drawing->ranked_count + 1, sizeof *list), error);
    counting->functionals = list;
    if (compared) list[counting->functional_count++] = *compared;
    for (const fp_measure *of = drawing->ranked; of < drawing->ranked + drawing->ranked_count; of++)
        if (!compared || !fp_measure_same(of, compared)) list[counting->functional_count++] = *of;
    return FP_OK;
}

fp_status fp_counting_observe(const fp_corpus *corpus, const fp_measurement *measurements, size_t arm_count,
                              const fp_measure *compared, const fp_bootstrap_options *drawing,
                              const fp_progress *progress, fp_arena *arena, fp_resample *resample,
                              fp_bootstrap *bootstrap, fp_error *error) {
    fp_counted_pairs *counted = FP_NEED(fp_arena_alloc(arena, 1, sizeof *counted), error);
    fp_counting counting = {.corpus = corpus,
                            .measurements = measurements,
                            .arm_count = arm_count,
                            .thresholds = drawing->thresholds,
                            .threshold_count = drawing->threshold_count,
                            .most_documents = FP_COUNTING_DOCUMENTS,
                            .seed = drawing->seed};
    FP_TRY(list_functionals(compared, drawing, arena, &counting, error));
    FP_TRY(fp_counting_run(&counting, progress, arena, counted, error));
    return fp_bootstrap_of_counted(counted, drawing, resample, arena, bootstrap, error);
}
