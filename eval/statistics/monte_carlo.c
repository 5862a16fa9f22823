/* SPDX-License-Identifier: GPL-3.0-or-later
 * Whether Holm's decisions rest on enough replicates. */
#include "eval/statistics/monte_carlo.h"

#include <gsl/gsl_sort.h>
#include <math.h>

static size_t count_unsettled(const fp_drawn_tests *tests, const size_t *order, size_t defined, double level) {
    size_t unsettled = 0;
    for (size_t k = 0; k < defined; k++) {
        double p = tests->p[order[k]], error = tests->error[order[k]], bound = level / (double)(defined - k);
        bool settled = fabs(p - bound) > FP_SETTLED_ERRORS * error;
        unsettled += !settled;
        if (settled && p >= bound) break;
    }
    return unsettled;
}

/* NaN sorts behind all numbers. */
fp_status fp_holm_unsettled(const fp_drawn_tests *tests, double level, const fp_arena *like, size_t *unsettled,
                            fp_error *error) {
    fp_arena *scratch = fp_arena_new_like(like);
    double *value = scratch ? fp_arena_raw(scratch, tests->count, sizeof *value) : NULL;
    size_t *order = scratch ? fp_arena_raw(scratch, tests->count, sizeof *order) : NULL, defined = 0;
    fp_status status = value && order ? FP_OK : fp_no_memory(error);
    if (status == FP_OK) {
        for (size_t i = 0; i < tests->count; i++) {
            value[i] = isnan(tests->p[i]) ? INFINITY : tests->p[i];
            defined += isnan(tests->p[i]) ? 0 : 1;
        }
        gsl_sort_index(order, value, 1, tests->count);
        *unsettled = count_unsettled(tests, order, defined, level);
    }
    fp_arena_free(scratch);
    return status;
}
