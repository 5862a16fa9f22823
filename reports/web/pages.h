/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pages.h - a lesson about text fingerprints as one page, which runs the lab itself.
 */
#ifndef FP_PAGES_H
#define FP_PAGES_H

#include "reports/web/frame.h"

/* Writes the lesson: its steps, exercises, a sheet to print, notes for the teacher. The stream's errors are the
 * caller's to look for. */
fp_status fp_classroom_write(FILE *to, fp_frame_language language, fp_arena *arena, fp_error *error);

/* ----
 * a page to try the lab in: two texts under every fingerprint while one types, and a small corpus
 * evaluated in the browser.
 */

/* Writes the page, whose module is read into `arena`. FP_ERROR_IO where it is not built (fp_lab_module). The stream's
 * errors are the caller's to look for. */
fp_status fp_playground_write(FILE *to, fp_frame_language language, fp_arena *arena, fp_error *error);

#endif
