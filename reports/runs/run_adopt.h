/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * run_adopt.h - the files of a run in a second directory, so that something can be added to them.
 */
#ifndef FP_RUN_ADOPT_H
#define FP_RUN_ADOPT_H

#include "reports/runs/run_manifest.h"

/* Brings run.json, without its list of files, and the files that `manifest` names and that are as it says from the
 * directory `from` into `to`, where there are none: as second names, or copied where the file system has no such.
 * Those in `plots` only when `plots` is true. A file that was changed stays behind. FP_ERROR_IO, FP_ERROR_MEMORY. */
fp_status fp_run_adopt(const char *from, const fp_run_manifest *manifest, const char *to, bool plots, fp_arena *arena,
                       fp_error *error);

/* Copies a file as it is; the copy appears complete or not at all. FP_ERROR_IO, FP_ERROR_MEMORY. */
fp_status fp_run_copy(const char *from, const char *to, fp_error *error);

#endif
