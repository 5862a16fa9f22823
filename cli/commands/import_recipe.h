/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * import_recipe.h - public sets on the command line: where their files are, and their counts beside what was read.
 */
#ifndef FP_IMPORT_RECIPE_H
#define FP_IMPORT_RECIPE_H

#include "base/output.h"
#include "cli/cli.h"
#include "corpora/importing/import.h"
#include "corpora/importing/recipe.h"

typedef struct fp_importing_recipe {
    const fp_recipe *recipe; /* NULL: none is asked for */
    const char *directory;
    const char *paths[FP_RECIPE_FILES];      /* of its files; NULL: not there */
    const char *inputs[FP_RECIPE_FILES + 1]; /* that entries are read of; NULL behind the last */
    const char *kinds[FP_RECIPE_FILES];      /* of inputs */
    size_t rows[FP_RECIPE_FILES];            /* of inputs, or of the files that a script reads */
    /* Of a script: what it wrote, until it is open, and what it left out. */
    fp_temporary_directory written;
    size_t empty, same, passed, bad;
} fp_importing_recipe;

/* The recipe and its files in the one directory of `inputs`; a file that is not there is reported. Returns −1, or the
 * exit status. */
int fp_importing_recipe_find(const fp_command *command, const char *name, const char *const *inputs, fp_arena *arena,
                             fp_importing_recipe *to);
/* Runs the script of a set that has one: its input is what that wrote, in to->written, which the caller closes. Returns
 * −1, or the exit status. */
int fp_importing_recipe_run(fp_importing_recipe *to, bool skip_bad, fp_arena *arena);
/* What was read and written, `bad` rows left out, beside what the authors count. Returns the exit status. */
int fp_importing_recipe_tell(fp_importing_recipe *of, const fp_imported *made, size_t bad, fp_arena *arena,
                             fp_table_format format);
/* All recipes, their files and counts. Returns the exit status. */
int fp_importing_recipes_list(fp_table_format format, fp_arena *arena);

#endif
