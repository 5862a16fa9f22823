/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fixed.h - what a run that is repeated takes in the place of what its command line says: arms, corpora, and --out.
 */
#ifndef FP_CLI_FIXED_H
#define FP_CLI_FIXED_H

#include "cli/cli.h"

typedef struct fp_cli_fixed {
    size_t count;
    const char *const *specs, *const *names; /* [count] */
    size_t corpus_count;
    const char *const *corpora, *const *corpus_names; /* [corpus_count] paths, in the order of the command line */
    const char *out;
    bool force; /* with --force */
} fp_cli_fixed;

/* Copied; NULL ends it. */
void fp_cli_fix(const fp_cli_fixed *fixed);
/* Whether arms are fixed. */
bool fp_cli_arms_are_fixed(void);
/* The path of the corpus that the command line names as number `index`, from 0: the fixed one, or `path` itself. */
const char *fp_cli_fixed_corpus(size_t index, const char *path);
/* What the corpus of a fixed path is called; NULL: as it says itself. */
const char *fp_cli_fixed_name(const char *path);
/* NULL where --out is as the command line says. */
const fp_cli_fixed *fp_cli_fixed_out(void);
/* The fixed arms, under their names. Returns −1, or the exit status. */
int fp_cli_fixed_arms(fp_arena *arena, fp_arm ***arms, size_t *count);

#endif
