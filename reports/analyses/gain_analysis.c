/* SPDX-License-Identifier: GPL-3.0-or-later
 * Precision–recall–gain curves: --gain. Computed from the curves of every evaluation. */
#include <math.h>

#include "reports/analyses/analyses.h"
#include "eval/analyses/cost.h"

/* The area, with its interval if one was estimated. */
static fp_estimate area_of(const fp_outcome *outcome, size_t arm) {
    fp_estimate none = {.value = NAN, .interval = {NAN, NAN}};
    fp_measure area;
    if (fp_measure_find("precision_recall_gain_area", 0, &area, NULL) != FP_OK) return none;
    const fp_estimate *found = fp_inference_of(outcome->inference, area.row, arm);
    if (found) return *found;
    if (fp_measure_of_histogram(area, &outcome->measurements[arm].histogram, &none.value, NULL) != FP_OK)
        none.value = NAN;
    return none;
}

static void add_rows(fp_table *table, const fp_found_arm *of) {
    const fp_curve *curve = of->outcome->curves + of->arm;
    fp_gain_point *points = fp_arena_raw(of->arena, curve->count + 1, sizeof *points);
    size_t count = fp_gain_points(curve, points);
    fp_estimate area = area_of(of->outcome, of->arm);
    for (size_t i = 0; i < count; i++) {
        fp_results_add_names(table, of->outcome, of->arm, false);
        FP_TABLE_PUT(table, points[i].distance, points[i].precision_gain, points[i].recall_gain, points[i].f1_gain);
        FP_TABLE_FIGURE(table, area);
    }
}

static const char COLUMNS[] = "corpus|arm|>distance;e|>precision_gain;d|>recall_gain;d|>f1_gain|>area;ldD";

const fp_analysis fp_analysis_gain = {
    .name = "gain",
    .example = "--gain",
    .title = {"Precision–recall–gain", "精确率–召回率增益"},
    .options = {{.name = "gain", .help = "also the area under precision–recall–gain, and its curve"}},
    .measure = "precision_recall_gain_area",
    .tables = {{.name = "gain", .columns = COLUMNS, .rows = add_rows}},
    .figures = {{"gain", "summary, gain", "precision gain against recall gain (eval --gain)"}}};
