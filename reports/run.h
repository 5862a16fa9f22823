/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * run.h - run.json: all that is needed to repeat an evaluation.
 */
#ifndef FP_RUN_H
#define FP_RUN_H

#include "reports/results.h"

/* Writes version, command line, arms in full, corpora with checksums, definitions, processor, kernel, libraries and data tables. */
fp_status fp_run_save(const fp_results *results, int argument_count, const char *const *arguments, const char *path, fp_error *error);

#endif
