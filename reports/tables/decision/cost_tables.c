/* SPDX-License-Identifier: GPL-3.0-or-later
 * Costs and gains as tables. */
#include "reports/tables/decision/cost_tables.h"

#include <math.h>

#include "eval/decision/gain.h"

static const fp_arm *arm_of(const fp_cost_outcome *of, size_t arm) { return of->outcome->measurements[arm].arm; }

/* A threshold, where there is one. */
static void add_threshold(fp_table *table, double threshold) {
    if (isnan(threshold)) fp_table_undefined(table);
    else fp_table_exact(table, threshold);
}

/* ---- Files ---- */

static void add_corner(fp_table *table, const fp_cost_corner *corner) {
    fp_table_exact(table, corner->threshold);
    fp_table_count(table, corner->tp);
    fp_table_count(table, corner->fp);
    fp_table_real(table, corner->fnr, 4);
    fp_table_real(table, corner->fpr, 4);
    fp_table_real(table, corner->from, 4);
    fp_table_real(table, corner->to, 4);
    fp_table_real(table, fp_cost_of(corner->fnr, corner->fpr, corner->from), 4);
    fp_table_real(table, fp_cost_of(corner->fnr, corner->fpr, corner->to), 4);
}

fp_table *fp_cost_curves(const fp_cost_outcome *outcomes, size_t count, fp_arena *arena) {
    fp_table *table =
        fp_table_new("corpus|arm|scale|>threshold|>tp|>fp|>fnr|>fpr|>pc_from|>pc_to|>cost_from|>cost_to", arena);
    for (size_t i = 0; table && i < count; i++) {
        for (size_t arm = 0; arm < outcomes[i].outcome->count; arm++) {
            for (size_t c = 0; c < outcomes[i].arms[arm].corner_count; c++) {
                fp_results_add_names(table, outcomes[i].outcome, arm, true);
                add_corner(table, outcomes[i].arms[arm].corners + c);
            }
        }
    }
    return table;
}

static void add_choice(fp_table *table, const fp_cost_choice *choice) {
    fp_table_exact(table, choice->ratio);
    fp_table_real(table, choice->probability, 4);
    add_threshold(table, choice->threshold);
    add_threshold(table, choice->low);
    add_threshold(table, choice->high);
    fp_table_count(table, choice->tp);
    fp_table_count(table, choice->fp);
    fp_table_figure(table, choice->cost, choice->interval, 4);
    add_threshold(table, choice->nearer);
    fp_table_real(table, choice->nearer_cost, 4);
    add_threshold(table, choice->farther);
    fp_table_real(table, choice->farther_cost, 4);
    fp_table_real(table, choice->probability, 4);
    fp_table_real(table, 1 - choice->probability, 4);
    fp_table_real(table, 1 / (1 + choice->ratio), 4);
}

fp_table *fp_cost_decisions(const fp_cost_outcome *outcomes, size_t count, fp_arena *arena) {
    fp_table *table = fp_table_new(
        "corpus|arm|scale|>prevalence|>ratio|>pc|>threshold|>threshold_low|>threshold_high|>tp|>fp|>cost|>cost_low|"
        ">cost_high|>nearer|>nearer_cost|>farther|>farther_cost|>call_nothing|>call_everything|>cut",
        arena);
    for (size_t i = 0; table && i < count; i++) {
        const fp_cost_outcome *of = outcomes + i;
        for (size_t row = 0; row < of->outcome->count * of->ratio_count; row++) {
            size_t arm = row / of->ratio_count;
            fp_results_add_names(table, of->outcome, arm, true);
            fp_table_exact(table, of->prevalence);
            add_choice(table, of->arms[arm].choices + row % of->ratio_count);
        }
    }
    return table;
}

/* ---- For a person ---- */

/* "5", "1/20" */
static const char *ratio_text(double ratio, fp_arena *arena) {
    double inverse = 1 / ratio;
    bool fraction = ratio < 1 && fabs(inverse - round(inverse)) < 1e-9 * inverse;
    return fraction ? fp_format(arena, "1/%.0f", round(inverse)) : fp_format(arena, "%g", ratio);
}

static const char *threshold_text(double threshold, bool whole, fp_arena *arena) {
    if (isnan(threshold)) return "NA";
    return threshold < 0 ? "none" : fp_format(arena, "%.*f", whole ? 0 : 2, threshold);
}

static const char *range_text(const fp_cost_choice *choice, bool whole, fp_arena *arena) {
    if (isnan(choice->low)) return "(NA)";
    const char *low = threshold_text(choice->low, whole, arena), *high = threshold_text(choice->high, whole, arena);
    return low && high ? fp_format(arena, "(%s–%s)", low, high) : NULL;
}

static void add_arm(fp_table *table, const fp_cost_outcome *of, size_t arm, fp_arena *arena) {
    const fp_cost_choice *choices = of->arms[arm].choices;
    bool whole = fp_arm_layout(arm_of(of, arm))->integral;
    fp_table_text(table, fp_arm_name(arm_of(of, arm)));
    for (size_t r = 0; r < of->ratio_count; r++)
        fp_table_text(table, threshold_text(choices[r].threshold, whole, arena));
    fp_table_text(table, "");
    for (size_t r = 0; r < of->ratio_count; r++) fp_table_text(table, range_text(choices + r, whole, arena));
    fp_table_text(table, "  at a cost of");
    for (size_t r = 0; r < of->ratio_count; r++)
        fp_table_text(table, isnan(choices[r].cost) ? "NA" : fp_format(arena, "%.3g", choices[r].cost));
}

/* What needs no arm. */
static void add_trivial(fp_table *table, const fp_cost_outcome *of, const char *name, bool everything,
                        fp_arena *arena) {
    fp_table_text(table, name);
    for (size_t r = 0; r < of->ratio_count; r++) {
        double probability = fp_cost_probability(of->prevalence, of->ratios[r]);
        fp_table_text(table, fp_format(arena, "%.3g", everything ? 1 - probability : probability));
    }
}

fp_table *fp_cost_short(const fp_cost_outcome *of, fp_arena *arena) {
    const char *columns = "call at h ≤";
    for (size_t r = 0; columns && r < of->ratio_count; r++) {
        const char *ratio = ratio_text(of->ratios[r], arena);
        columns = ratio ? fp_format(arena, "%s|>%s", columns, ratio) : NULL;
    }
    fp_table *table = columns ? fp_table_new(columns, arena) : NULL;
    for (size_t arm = 0; table && arm < of->outcome->count; arm++) add_arm(table, of, arm, arena);
    if (!table) return NULL;
    add_trivial(table, of, "cost of calling nothing", false, arena);
    add_trivial(table, of, "… everything", true, arena);
    return table;
}

/* ---- Gains ---- */

/* The area with its interval, where it was estimated. */
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

static bool add_gains(fp_table *table, const fp_outcome *outcome, size_t arm, fp_arena *arena) {
    const fp_curve *curve = outcome->curves + arm;
    fp_gain_point *points = fp_arena_raw(arena, curve->count + 1, sizeof *points);
    size_t count = points ? fp_gain_points(curve, points) : 0;
    fp_estimate area = area_of(outcome, arm);
    for (size_t i = 0; i < count; i++) {
        fp_results_add_names(table, outcome, arm, false);
        add_threshold(table, points[i].distance);
        fp_table_real(table, points[i].precision_gain, 4);
        fp_table_real(table, points[i].recall_gain, 4);
        fp_table_real(table, points[i].f1_gain, 4);
        fp_table_figure(table, area.value, area.interval, 4);
    }
    return points != NULL;
}

fp_table *fp_gain_table(const fp_results *results, fp_arena *arena) {
    fp_table *table =
        fp_table_new("corpus|arm|>distance|>precision_gain|>recall_gain|>f1_gain|>area|>area_low|>area_high", arena);
    for (size_t i = 0; table && i < results->count; i++)
        for (size_t arm = 0; arm < results->outcomes[i].count; arm++)
            if (!add_gains(table, results->outcomes + i, arm, arena)) return NULL;
    return table;
}
