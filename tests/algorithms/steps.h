/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * steps.h - the steps of an explanation by their titles. Include it last.
 */
#ifndef FP_TEST_STEPS_H
#define FP_TEST_STEPS_H

#include "base/explanation.h"
#include "tests/support.h"

/* Fails the test if there is no such step. */
static inline const fp_explain_step_data *step_called(const fp_explanation *explanation, const char *title) {
    for (const fp_explain_step_data *step = explanation->first; step; step = step->next)
        if (strcmp(step->title, title) == 0) return step;
    fail_msg("no step %s", title);
    return NULL;
}

#endif
