/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tuning_run.h - run.json of a tuning.
 */
#ifndef FP_TUNING_RUN_H
#define FP_TUNING_RUN_H

#include "reports/tables/tuning/tuning_tables.h"

/* As fp_run_save, with what the tuning asked for, drew and left out. */
fp_status fp_tuning_run_save(const fp_tuning *tuning, int argument_count, const char *const *arguments,
                             const char *path, fp_error *error);

#endif
