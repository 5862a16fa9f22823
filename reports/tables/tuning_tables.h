/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tuning_tables.h - what a tuning found, as sentences and tables.
 */
#ifndef FP_TUNING_TABLES_H
#define FP_TUNING_TABLES_H

#include "eval/tuning/tune.h"
#include "reports/tables/table.h"

typedef struct fp_tuning {
    const fp_corpus *corpus;
    const fp_tuned *tuned;
    const char *const *written; /* [arm_count] specifications as the user would type them */
} fp_tuning;

/* One or two sentences to act on: the arm, the threshold, precision and recall; or that no arm shows the precision
 * asked for, what is missing, and what can be shown. */
const char *fp_tuning_advice(const fp_tuning *tuning, fp_arena *arena);
/* What to make of it, a line each: what the figures are of, how the choices agree, how the naive choice looks, what was
 * sampled and resampled, who is not shown to differ. */
const char *fp_tuning_remarks(const fp_tuning *tuning, fp_arena *arena);

/* The leaderboard and the folds are the same in every
 * run. */
fp_table *fp_tuning_leaderboard(const fp_tuning *tuning, fp_arena *arena); /* leaderboard.tsv */
fp_table *fp_tuning_pareto(const fp_tuning *tuning, fp_arena *arena);      /* pareto.tsv */
fp_table *fp_tuning_folds(const fp_tuning *tuning, fp_arena *arena);       /* folds.tsv */

/* For a person: the first `most` arms, and the front. */
fp_table *fp_tuning_short_leaderboard(const fp_tuning *tuning, size_t most, fp_arena *arena);
fp_table *fp_tuning_front(const fp_tuning *tuning, fp_arena *arena);

#endif
