/* SPDX-License-Identifier: GPL-3.0-or-later
 * The table of figures. */
#include "reports/plots/plot_figures.h"

#include <string.h>

#include "reports/plots/plot_tables.h"

#define TABLE(name) (1u << FP_PLOT_##name)

const fp_plot_figure fp_plot_figures[] = {
    {"thresholds", TABLE(RESULTS) | TABLE(SUMMARY) | TABLE(CURVES), "precision and recall at each threshold"},
    {"precision_recall", TABLE(SUMMARY) | TABLE(CURVES), "precision against recall, with marks at thresholds"},
    {"roc", TABLE(SUMMARY) | TABLE(CURVES), "recall against false positives, a panel an arm"},
    {"f1", TABLE(SUMMARY) | TABLE(CURVES), "F1 at each threshold"},
    {"quality", TABLE(SUMMARY), "best F1 against bytes and time, with the front"},
    {"histograms", TABLE(HISTOGRAMS), "distances of positive and negative pairs"},
    {"lengths", TABLE(STRATA), "best threshold by length (eval --by length)"},
    {"strata", TABLE(STRATA), "best threshold by any other field (eval --by FIELD)"},
    {"edits", TABLE(EDITS), "distance against the share of edits (eval --by length)"},
    {"prevalence", TABLE(PREVALENCE) | TABLE(SUMMARY), "precision where duplicates are rare (eval --prevalence)"},
    {"theory", TABLE(THEORY), "precision and recall beside their law (eval --theory)"},
    {"theory_distance", TABLE(THEORY_BINS) | TABLE(THEORY_LAW),
     "distance against the exact similarity, beside its law (eval --theory)"},
    {"lost", TABLE(LOST_BEST), "where recall is lost, at the best threshold (eval --lost)"},
    {"lost_thresholds", TABLE(LOST), "where recall is lost, at each threshold (eval --lost)"},
    {"index", TABLE(INDEX) | TABLE(INDEX_CURVE),
     "which pairs become candidates of the index, by similarity (eval --lost)"},
    {"gain", TABLE(GAIN) | TABLE(SUMMARY), "precision gain against recall gain (eval --gain)"},
    {"cost", TABLE(COSTS) | TABLE(COST_CURVE) | TABLE(SUMMARY),
     "what thresholds cost, by what a missed duplicate costs (eval --costs)"},
    {"calibration", TABLE(CALIBRATION), "probability of a duplicate at each distance (eval --calibrate)"},
    {"reliability", TABLE(RELIABILITY), "whether the probabilities hold on pairs held out (eval --calibrate)"},
    {"ranks", TABLE(RANKS), "mean ranks of the arms over corpora (eval with two corpora or more)"},
    {"pareto", TABLE(PARETO), "quality against bytes and time (tune)"},
    {"banding", TABLE(BANDING), "the curve of a banding (plan)"},
    {"designs", TABLE(DESIGNS), "cost of a query against memory, for designs of an index (plan)"},
    {"by_day", TABLE(BY_DAY), "new texts and duplicates by day (track)"},
    {"by_source", TABLE(BY_SOURCE), "new texts and duplicates of the largest sources (track)"},
    {"sizes", TABLE(CLUSTER_SIZES), "how many clusters there are of each size (cluster)"},
    {"robustness", TABLE(ROBUSTNESS), "F1 and recall of each arm under each kind of corruption (robustness)"},
    {NULL, 0, NULL}};

static bool same_name(const char *a, const char *b) {
    for (; *a && *b; a++, b++)
        if (*a != *b && !((*a == '-' || *a == '_') && (*b == '-' || *b == '_'))) return false;
    return *a == *b;
}

fp_status fp_plot_figure_find(const char *name, const fp_plot_figure **figure, fp_error *error) {
    const char *names[sizeof fp_plot_figures / sizeof *fp_plot_figures];
    size_t count = 0;
    for (const fp_plot_figure *it = fp_plot_figures; it->name; it++) {
        *figure = it;
        if (same_name(it->name, name)) return FP_OK;
        names[count++] = it->name;
    }
    names[count] = NULL;
    const char *nearest = fp_nearest(name, names);
    if (!nearest) return fp_fail(error, FP_ERROR_UNKNOWN, "there is no figure %s", name);
    char shown[32];
    snprintf(shown, sizeof shown, "%s", nearest);
    for (char *at = shown; *at; at++)
        if (*at == '_') *at = '-';
    return fp_fail(error, FP_ERROR_UNKNOWN, "there is no figure %s; did you mean %s?", name, shown);
}

const char *fp_plot_figure_name(const fp_plot_figure *figure, fp_arena *arena) {
    char *name = fp_format(arena, "%s", figure->name);
    for (char *at = name; at && *at; at++)
        if (*at == '_') *at = '-';
    return name;
}

const char *fp_plot_figure_tables(const fp_plot_figure *figure, fp_arena *arena) {
    char *names = fp_format(arena, "%s", "");
    for (int table = 0; names && table < FP_PLOT_TABLES; table++)
        if (figure->tables >> table & 1)
            names = fp_format(arena, "%s%s%s", names, *names ? ", " : "", fp_plot_table_names[table]);
    return names;
}
