/* SPDX-License-Identifier: GPL-3.0-or-later
 * The table of figures. */
#include "reports/plots/plot_figures.h"

#include <string.h>

#include "reports/analyses/analyses.h"

static const fp_figure FIRST[] = {{"thresholds", "results, summary, curves", "precision and recall at each threshold"},
                                  {"precision_recall", "summary, curves",
                                   "precision against recall, with marks at thresholds"},
                                  {"roc", "summary, curves", "recall against false positives, a panel an arm"},
                                  {"f1", "summary, curves", "F1 at each threshold"},
                                  {"quality", "summary", "best F1 against bytes and time, with the front"},
                                  {"histograms", "histograms", "distances of positive and negative pairs"},
                                  {"lengths", "strata", "best threshold by length (eval --by length)"},
                                  {"strata", "strata", "best threshold by any other field (eval --by FIELD)"},
                                  {"edits", "edits", "distance against the share of edits (eval --by length)"}},
                       LAST[] = {
                           {"ranks", "ranks", "mean ranks of the arms over corpora (eval with two corpora or more)"},
                           {"pareto", "pareto", "quality against bytes and time (tune)"},
                           {"banding", "banding", "the curve of a banding (plan)"},
                           {"designs", "designs", "cost of a query against memory, for designs of an index (plan)"},
                           {"by_day", "by-day", "new texts and duplicates by day (track)"},
                           {"by_source", "by-source", "new texts and duplicates of the largest sources (track)"},
                           {"sizes", "cluster-sizes", "how many clusters there are of each size (cluster)"},
                           {"robustness", "robustness",
                            "F1 and recall of each arm under each kind of corruption (robustness)"}};
enum { FIRST_COUNT = sizeof FIRST / sizeof *FIRST, LAST_COUNT = sizeof LAST / sizeof *LAST, MOST_FIGURES = 64 };

const fp_figure *fp_plot_figure_at(size_t at) {
    if (at < FIRST_COUNT) return FIRST + at;
    at -= FIRST_COUNT;
    for (const fp_analysis *const *it = fp_analyses; *it; it++)
        for (size_t i = 0; i < FP_ANALYSIS_FIGURES && (*it)->figures[i].name; i++)
            if (at-- == 0) return (*it)->figures + i;
    return at < LAST_COUNT ? LAST + at : NULL;
}

static bool same_name(const char *a, const char *b) {
    for (; *a && *b; a++, b++)
        if (*a != *b && !((*a == '-' || *a == '_') && (*b == '-' || *b == '_'))) return false;
    return *a == *b;
}

fp_status fp_plot_figure_find(const char *name, const fp_figure **figure, fp_error *error) {
    const char *names[MOST_FIGURES] = {NULL};
    for (size_t i = 0; (*figure = fp_plot_figure_at(i)); i++) {
        if (same_name((*figure)->name, name)) return FP_OK;
        names[i] = (*figure)->name;
    }
    const char *nearest = fp_nearest(name, names);
    if (!nearest) return fp_fail(error, FP_ERROR_UNKNOWN, "there is no figure %s", name);
    char shown[32];
    snprintf(shown, sizeof shown, "%s", nearest);
    for (char *at = shown; *at; at++)
        if (*at == '_') *at = '-';
    return fp_fail(error, FP_ERROR_UNKNOWN, "there is no figure %s; did you mean %s?", name, shown);
}

const char *fp_plot_figure_name(const fp_figure *figure, fp_arena *arena) {
    char *name = fp_format(arena, "%s", figure->name);
    for (char *at = name; at && *at; at++)
        if (*at == '_') *at = '-';
    return name;
}
