/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * classroom.h - a lesson about text fingerprints as one page, which runs the lab itself.
 */
#ifndef FP_CLASSROOM_H
#define FP_CLASSROOM_H

#include "reports/frame/frame.h"

/* Writes the lesson: its steps, exercises, a sheet to print, notes for the teacher. The stream's errors are the
 * caller's to look for. */
fp_status fp_classroom_write(FILE *to, fp_frame_language language, fp_arena *arena, fp_error *error);

#endif
