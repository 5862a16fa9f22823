/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * recipe.h - public sets of labelled texts that a user may have on disk: which files they come in, and how those are
 * read. Nothing of a set ships with the lab. recipes.def lists them.
 */
#ifndef FP_RECIPE_H
#define FP_RECIPE_H

#include "base/base.h"

enum { FP_RECIPE_FILES = 12 };

/* A file of a set, or a directory of files. */
typedef struct fp_recipe_file {
    const char *names; /* paths below the directory, each between blanks: the first that is there is read */
    const char *kind;  /* of its pairs */
    size_t rows;       /* as its authors count them; 0: they do not say */
    bool beside;       /* belongs to the one before, and has no rows of its own */
} fp_recipe_file;

typedef struct fp_recipe {
    const char *name, *title;
    const char *source;   /* paper or address */
    const char *licence;  /* what its authors allow */
    const char *language; /* of all texts */
    fp_recipe_file files[FP_RECIPE_FILES];
    /* A set of pairs in tables: */
    const char *form;          /* of --from */
    const char *columns;       /* of files without names of columns, between commas; NULL: the first row has them */
    bool no_quotes;            /* marks are characters like others */
    const char *a, *b, *label; /* fields */
    const char *id_a, *id_b;   /* NULL: texts are numbered */
    const char *yes, *no;      /* labels, each between blanks */
    const char *kind;          /* a field; NULL: that of the file */
    /* One that is no table: */
    bool script;      /* sets.py reads it, and writes JSON lines with the fields above, or documents with groups */
    const char *keep; /* a field of its documents beside the usual ones; NULL: none */
    /* One of groups: */
    bool groups; /* texts, and no pairs; without files, all below the directory, each directory a group */
    /* What its authors count; 0: they do not say. */
    size_t documents, positives; /* positives: pairs that are duplicates, of rows or within groups */
    const char *counted;         /* who says so, and whether it was looked up there */
    const char *note;            /* what a user should know; NULL: nothing */
} fp_recipe;

const fp_recipe *fp_recipe_find(const char *name);
const fp_recipe *fp_recipe_at(size_t position); /* NULL behind the last */

/* The names of its files, with commas between them; NULL when there is no memory. */
const char *fp_recipe_files(const fp_recipe *recipe, fp_arena *arena);
/* The files of the set that are there below `directory`: paths[i] of recipe->files[i], NULL where it is not there.
 * FP_ERROR_IO where there is none, with the names that are looked for. */
fp_status fp_recipe_paths(const fp_recipe *recipe, const char *directory, fp_arena *arena,
                          const char *paths[FP_RECIPE_FILES], fp_error *error);
/* The arguments that run sets.py, ended by NULL: the set's files as JSON lines into the file `to`, none of more than
 * `most` bytes unpacked; `skip_bad` leaves out what is wrong with a record. FP_ERROR_MEMORY. */
fp_status fp_recipe_script(const fp_recipe *recipe, const char *directory, const char *const paths[FP_RECIPE_FILES],
                           const char *to, bool skip_bad, size_t most, fp_arena *arena, const char *const **arguments,
                           fp_error *error);

#endif
