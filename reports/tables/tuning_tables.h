/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tuning_tables.h - results of tuning, as sentences and tables.
 */
#ifndef FP_TUNING_TABLES_H
#define FP_TUNING_TABLES_H

#include "eval/tuning/tune.h"
#include "reports/tables/table.h"

typedef struct fp_tuning {
    const fp_corpus *corpus;
    const fp_tuned *tuned;
    const char *const *written; /* [arm_count] specifications as typed by the user */
} fp_tuning;

/* Advice in one or two sentences: the arm, the threshold, precision and recall; or that no arm shows the requested
 * precision, what is missing, and what can be shown. */
const char *fp_tuning_advice(const fp_tuning *tuning, fp_arena *arena);
/* Remarks, one line each: the basis of the figures, the agreement of the choices, the naive choice, sampling and
 * resampling, and arms without a significant difference. */
const char *fp_tuning_remarks(const fp_tuning *tuning, fp_arena *arena);

/* The leaderboard and the folds do not differ between runs. */
fp_table *fp_tuning_leaderboard(const fp_tuning *tuning, fp_arena *arena); /* leaderboard.tsv */
fp_table *fp_tuning_pareto(const fp_tuning *tuning, fp_arena *arena);      /* pareto.tsv */
fp_table *fp_tuning_folds(const fp_tuning *tuning, fp_arena *arena);       /* folds.tsv */

/* Readable tables: the first `most` arms, and the front. */
fp_table *fp_tuning_short_leaderboard(const fp_tuning *tuning, size_t most, fp_arena *arena);
fp_table *fp_tuning_front(const fp_tuning *tuning, fp_arena *arena);

#endif
