/* SPDX-License-Identifier: GPL-3.0-or-later
 * McNemar's test at thresholds that are stated. */
#include "tests/deep/intervals/worlds/population.h"

#if !__has_include("eval/statistics/difference.h")
double mcnemar_of(const cell *of, const sample *drawn, const fp_resample *resample, const fp_bootstrap *bootstrap,
                  slot at, fp_arena *scratch) {
    fp_error error = {0};
    fp_mcnemar test;
    (void)of;
    (void)drawn;
    (void)resample;
    check(fp_mcnemar_of(bootstrap, at.arm, 0, at.second, 0, scratch, &test, &error), &error);
    return test.p;
}
#else
#include "eval/statistics/difference.h"

double mcnemar_of(const cell *of, const sample *drawn, const fp_resample *resample, const fp_bootstrap *bootstrap,
                  slot at, fp_arena *scratch) {
    fp_error error = {0};
    fp_mcnemar test;
    size_t arms[] = {at.arm, at.second};
    bool *right[2];
    (void)bootstrap;
    for (size_t k = 0; k < 2; k++) {
        double threshold = of->thresholds[arms[k]][0];
        right[k] = fp_arena_raw(scratch, drawn->count, sizeof **right);
        for (size_t i = 0; i < drawn->count; i++)
            right[k][i] = (drawn->distance[arms[k]][i] <= threshold) == (drawn->pairs[i].label != 0);
    }
    check(fp_mcnemar_of(resample, right[0], right[1], scratch, &test, &error), &error);
    return test.p;
}
#endif
