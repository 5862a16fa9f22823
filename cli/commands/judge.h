/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * judge.h - the parts of `fplab judge`.
 */
#ifndef FP_CLI_JUDGE_H
#define FP_CLI_JUDGE_H

#include "cli/cli.h"
#include "eval/judging/judging.h"

typedef struct fp_judge_options {
    const char *corpus, *arm, *choice, *distances, *out;
    fp_unsure unsure;
    fp_table_format format;
    long long per_distance, seed, width, context, from;
    double confidence;
    bool skip_bad;
} fp_judge_options;

/* ---- Estimates (cli/commands/judge_estimate.c) ---- */

#define FP_JUDGE_UNSURE "leave-out negative positive" /* fp_unsure */

/* `paths` ends with NULL. Both return the exit status. */
int fp_judge_estimate(const fp_judge_options *options, const char *const *paths, fp_arena *arena);
int fp_judge_agreement(const fp_judge_options *options, const char *const *paths, fp_arena *arena);

/* ---- The walk (cli/commands/judge_walk.c) ---- */

/* Walks a person, or a pipe with one answer a line, through a sheet. Returns the exit status. */
int fp_judge_walk(const fp_command *command, const fp_judge_options *options, const char *path, fp_arena *arena);

#endif
