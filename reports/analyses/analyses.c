/* SPDX-License-Identifier: GPL-3.0-or-later
 * All analyses. */
#include "reports/analyses/analyses.h"

#define ROW(name) &fp_analysis_##name,
const fp_analysis *const fp_analyses[] = {FP_ANALYSES(ROW) NULL};

/* ---- Tables ---- */

const fp_schema *fp_schema_at(int at) {
    if (at < FP_FILES) return fp_schemas + at;
    at -= FP_FILES;
    for (const fp_analysis *const *it = fp_analyses; *it; it++)
        for (const fp_schema *table = (*it)->tables; table->name; table++)
            if (at-- == 0) return table;
    return NULL;
}

const fp_schema *fp_schema_find(fp_string name) {
    int at = 0;
    while (fp_schema_at(at) && !fp_string_equal(fp_string_of(fp_schema_at(at)->name), name)) at++;
    return fp_schema_at(at);
}

double fp_assumed_prevalence(const fp_outcome *outcome, const fp_inference_options *options) {
    return options->prevalence > 0 ? options->prevalence : fp_results_prevalence(outcome, 0);
}

/* ---- Terminal output ---- */

const char *fp_brief_first_seed(const fp_brief *to) { return fp_sources_any(to->results) ? " (first hash seed)" : ""; }

const char *fp_brief_share(fp_brief *to, const fp_outcome *outcome) {
    double own = fp_results_prevalence(outcome, 0), assumed = fp_assumed_prevalence(outcome, to->results->inference);
    return fp_format(to->arena, "%.3g of the %s are duplicates%s", assumed, fp_results_counted(to->results->level),
                     assumed == own ? ", as in the set" : "");
}
