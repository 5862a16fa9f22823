/* SPDX-License-Identifier: GPL-3.0-or-later
 * Frequencies from counts at hand. */
#ifndef FP_TEST_IDF_LEARN_H
#define FP_TEST_IDF_LEARN_H

#include "text/features/spec.h"

/* From the counts of `documents` documents; lives in `arena`. */
static inline fp_status test_idf_learn(const fp_counts *counts, size_t documents, fp_arena *arena, const fp_idf **idf,
                                       fp_error *error) {
    fp_tally *tally;
    FP_TRY(fp_tally_open(arena, &tally, error));
    fp_status status = FP_OK;
    for (size_t d = 0; d < documents && status == FP_OK; d++)
        status = fp_tally_add(tally, counts[d].hash, counts[d].count, error);
    if (status == FP_OK) status = fp_tally_idf(tally, arena, idf, error);
    fp_tally_close(tally);
    return status;
}

#endif
