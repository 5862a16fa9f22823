/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * strata_groups.h - strata of length where the truth is groups: all pairs of documents, counted and never listed.
 */
#ifndef FP_STRATA_GROUPS_H
#define FP_STRATA_GROUPS_H

#include "eval/outcome/outcome.h"
#include "eval/outcome/stratum.h"

/* The pairs of measurement->arm whose shorter document lies in each stratum; each[strata->count] are finished
 * histograms, released by the caller in any case. Documents of a length or more are a corpus in which no shorter one
 * occurs, so that a stratum is what is counted from its lower bound on less what is counted from the next: with K
 * strata at most K times the work of all pairs. */
fp_status fp_strata_count_groups(const fp_corpus *corpus, const fp_strata *strata, const fp_measurement *measurement,
                                 const fp_progress *progress, fp_histogram *each, fp_error *error);

/* The measures of fp_stratum for every stratum; all[strata->count]. All pairs are taken as independent: intervals are
 * mid-p, and measures over the whole range, like the best threshold, have none. */
fp_status fp_strata_infer_groups(const fp_outcome *outcome, const fp_strata *strata,
                                 const fp_inference_options *options, const fp_progress *progress, fp_arena *arena,
                                 fp_stratum *all, fp_error *error);

#endif
