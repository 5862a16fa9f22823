/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * recipe.h - public sets of labelled texts that a user may have on disk: which files they come in, and how those are
 * read. Nothing of a set ships with the lab. recipes.def lists them.
 */
#ifndef FP_RECIPE_H
#define FP_RECIPE_H

#include "base/base.h"

enum { FP_RECIPE_FILES = 8 };

/* A file of a set. */
typedef struct fp_recipe_file {
    const char *names; /* paths below the directory, each between blanks: the first that is there is read */
    const char *kind;  /* of its pairs */
    size_t rows;       /* as its authors count them; 0: they do not say */
} fp_recipe_file;

typedef struct fp_recipe {
    const char *name, *title;
    const char *source;   /* paper or address */
    const char *licence;  /* what its authors allow */
    const char *language; /* of all texts */
    fp_recipe_file files[FP_RECIPE_FILES];
    const char *form;          /* of --from */
    const char *columns;       /* of files without names of columns, between commas; NULL: the first row has them */
    bool no_quotes;            /* marks are characters like others */
    const char *a, *b, *label; /* fields */
    const char *id_a, *id_b;   /* NULL: texts are numbered */
    const char *yes, *no;      /* labels, each between blanks */
    size_t texts;     /* of a set of groups, as its authors count them: its files are texts, each directory is a
                       * group, and there are no files to name and no fields; 0: a set of pairs */
    const char *note; /* what a user should know; NULL: nothing */
} fp_recipe;

const fp_recipe *fp_recipe_find(const char *name);
const fp_recipe *fp_recipe_at(size_t position); /* NULL behind the last */

/* The files of the set that are there below `directory`: paths[i] of recipe->files[i], NULL where it is not there.
 * FP_ERROR_IO where there is none, with the names that are looked for. */
fp_status fp_recipe_paths(const fp_recipe *recipe, const char *directory, fp_arena *arena,
                          const char *paths[FP_RECIPE_FILES], fp_error *error);

#endif
