/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * theory_tables.h - the law of each arm beside its measurement, as tables.
 */
#ifndef FP_THEORY_TABLES_H
#define FP_THEORY_TABLES_H

#include "eval/analysis/theory_outcome.h"
#include "reports/tables/results.h"

/* Tables over all outcomes; arms that lack something have no rows. Each is NULL when there is no memory. */

/* theory.tsv: corpus arm scale threshold, then recall and precision, each measured with its interval and expected, then
 * true and false positives counted and expected. */
fp_table *fp_theory_thresholds(const fp_results *results, const fp_theory_outcome *theories, fp_arena *arena);
/* theory-distances.tsv: corpus arm scale distance positives positives_expected negatives negatives_expected. */
fp_table *fp_theory_distances(const fp_results *results, const fp_theory_outcome *theories, fp_arena *arena);
/* theory-bins.tsv: a row a tenth of similarity. */
fp_table *fp_theory_similarities(const fp_results *results, const fp_theory_outcome *theories, fp_arena *arena);
/* theory-law.tsv: corpus arm similarity mean deviation: the law over the similarities that occur, for a curve. */
fp_table *fp_theory_curves(const fp_results *results, const fp_theory_outcome *theories, fp_arena *arena);
/* theory-fit.tsv: the tests of eval/analysis/fit.h with a verdict. */
fp_table *fp_theory_fits(const fp_results *results, const fp_theory_outcome *theories, fp_arena *arena);

/* For a person: the verdicts of one outcome; without rows when no arm has a theory. */
fp_table *fp_theory_short(const fp_results *results, const fp_theory_outcome *theory, fp_arena *arena);
/* Lines that name the arms without theory, and why; empty when all have one. NULL when there is no memory. */
const char *fp_theory_lacks(const fp_theory_outcome *theory, fp_arena *arena);

#endif
