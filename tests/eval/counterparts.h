/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * counterparts.h - the exact measures of arms that are already measured, for tests.
 */
#ifndef FP_TEST_COUNTERPARTS_H
#define FP_TEST_COUNTERPARTS_H

#include "eval/experiment/corpus_sketches.h"
#include "tests/support.h"

static inline void measure_counterparts(const fp_corpus *corpus, const fp_measurement *measured, size_t count,
                                        fp_arena *arena, fp_counterparts *counterparts) {
    fp_arm **arms = fp_arena_alloc(arena, count, sizeof *arms);
    fp_measurement *further = fp_arena_alloc(arena, count, sizeof *further);
    for (size_t i = 0; i < count; i++) arms[i] = measured[i].arm;
    ASSERT_GOOD(fp_counterparts_find(arms, count, measured, further, arena, counterparts, &test_error));
    if (counterparts->further_count)
        ASSERT_GOOD(
            fp_experiment(corpus, counterparts->arms, counterparts->further_count, NULL, arena, further, &test_error));
}

#endif
