/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * playground.h - a page to try the lab in: two texts under every fingerprint while one types, and a small corpus
 * evaluated in the browser.
 */
#ifndef FP_PLAYGROUND_H
#define FP_PLAYGROUND_H

#include "reports/frame/frame.h"

/* Writes the page, whose module is read into `arena`. FP_ERROR_IO where it is not built (fp_lab_module). The stream's
 * errors are the caller's to look for. */
fp_status fp_playground_write(FILE *to, fp_frame_language language, fp_arena *arena, fp_error *error);

#endif
