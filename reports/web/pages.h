/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pages.h - pages that run the lab: a lesson about text fingerprints, and a playground.
 */
#ifndef FP_PAGES_H
#define FP_PAGES_H

#include "reports/web/frame.h"

/* Writes the lesson: its steps, exercises, a sheet to print, notes for the teacher. The caller checks the stream for
 * errors. */
fp_status fp_classroom_write(FILE *to, fp_frame_language language, fp_arena *arena, fp_error *error);

/* ----
 * a page to try the lab: two texts under every fingerprint while the reader types, and a small corpus evaluated in the
 * browser.
 */

/* Writes the page, whose module is read into `arena`. FP_ERROR_IO: the module is not built (fp_lab_module). The caller
 * checks the stream for errors. */
fp_status fp_playground_write(FILE *to, fp_frame_language language, fp_arena *arena, fp_error *error);

#endif
