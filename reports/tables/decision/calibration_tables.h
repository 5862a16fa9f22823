/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * calibration_tables.h - tables of the probability of a duplicate at a distance, and of whether it holds.
 */
#ifndef FP_CALIBRATION_TABLES_H
#define FP_CALIBRATION_TABLES_H

#include "eval/decision/calibration_outcome.h"
#include "reports/tables/results.h"

/* calibration.tsv: corpus arm scale prevalence distance probability probability_low probability_high pool_from pool_to
 * pool_pairs pool_duplicates; the last four are NA where no pair lies: between two pools, or beyond all. At the
 * set's own share of duplicates probabilities are linear from row to row. NULL when there is no memory, here and
 * below. */
fp_table *fp_calibration_table(const fp_calibration_outcome *outcomes, size_t count, fp_arena *arena);
/* reliability.tsv: corpus arm prevalence bin pairs duplicates predicted observed observed_low observed_high. */
fp_table *fp_reliability_table(const fp_calibration_outcome *outcomes, size_t count, fp_arena *arena);
/* calibration-scores.tsv: corpus arm prevalence brier miscalibration discrimination uncertainty calibration_error; arms
 * that were tried alone. */
fp_table *fp_calibration_scores(const fp_calibration_outcome *outcomes, size_t count, fp_arena *arena);
/* For a person: one corpus, a column for each threshold; for each arm the probability at that distance, and its limits;
 * "~" marks one that is interpolated. */
fp_table *fp_calibration_short(const fp_results *results, const fp_calibration_outcome *outcome, fp_arena *arena);
/* Whether it marks any. */
bool fp_calibration_interpolated(const fp_results *results, const fp_calibration_outcome *outcome);

#endif
