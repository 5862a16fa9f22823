/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * run_place.h - putting a complete run in the place of another (the second half of run_directory.h).
 */
#ifndef FP_RUN_PLACE_H
#define FP_RUN_PLACE_H

#include "reports/runs/run_directory.h"

/* The directory that says that moving one by one has begun: the earlier run's run.json is put there first. */
#define FP_RUN_MOVING ".moving"

/* Moves the files of `from` into `to` one by one: the earlier run.json goes first, the new one comes last, so that in
 * between there is none. Goes on where it was cut short. Fills kept and removed of `run` unless it is NULL. */
fp_status fp_run_move(const char *from, const char *to, fp_run_directory *run, fp_arena *arena, fp_error *error);

/* Exchanges the directories, after the files of the user in `to` have got a second name in `from`. *done is false, and
 * nothing has happened, where that cannot be: fp_run_move will do. */
fp_status fp_run_exchange(const char *from, const char *to, fp_run_directory *run, bool *done, fp_arena *arena,
                          fp_error *error);

/* Ends a directory that a run was exchanged for: its own files go, any file of the user that has no other name is moved
 * into `to`. */
void fp_run_settle(const char *from, const char *to, fp_arena *arena);

/* Removes a directory of a run that was never complete, with all files in it. */
void fp_run_remove(const char *directory);

#endif
