/* SPDX-License-Identifier: GPL-3.0-or-later
 * Two histograms, bar by bar. */
#ifndef FP_TEST_SAME_HISTOGRAM_H
#define FP_TEST_SAME_HISTOGRAM_H

#include "eval/measures/histogram.h"
#include "tests/support.h"

static inline void assert_same(const char *spec, const fp_histogram *expected, const fp_histogram *got) {
    if (expected->count != got->count) fail_msg("%s: %zu distances, not %zu", spec, got->count, expected->count);
    for (size_t i = 0; i < got->count; i++) {
        fp_bar a = expected->bars[i], b = got->bars[i];
        if (a.distance != b.distance || a.positives != b.positives || a.negatives != b.negatives)
            fail_msg("%s: %.17g %llu %llu, not %.17g %llu %llu", spec, b.distance, (unsigned long long)b.positives,
                     (unsigned long long)b.negatives, a.distance, (unsigned long long)a.positives,
                     (unsigned long long)a.negatives);
    }
}

#endif
