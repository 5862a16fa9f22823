/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * run_origin.h - where, when and with what a run was made, as members of run.json.
 */
#ifndef FP_RUN_ORIGIN_H
#define FP_RUN_ORIGIN_H

#include "corpora/json_writer.h"

/* A name of the file system, as a string; one that is not UTF-8 as {"percent": "…"}. */
void fp_run_put_bytes(fp_json_writer *json, const char *name, const char *bytes, fp_arena *arena);

/* Version, commit, date, the directory the program ran in, and what it was built from. */
void fp_run_put_origin(fp_json_writer *json, fp_arena *arena);

/* Processor, threads, kernel and libraries. */
void fp_run_put_machine(fp_json_writer *json);

#endif
