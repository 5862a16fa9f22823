/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * recipe.h - recipes for public labelled data sets that a user may have on disk: the names of their files and how to
 * read them. fplab ships no data of a set. recipes.def lists them.
 */
#ifndef FP_RECIPE_H
#define FP_RECIPE_H

#include "base/base.h"

enum { FP_RECIPE_FILES = 12 };

/* A file of a set, or a directory of files. */
typedef struct fp_recipe_file {
    const char *names; /* paths below the directory, separated by blanks: the first that exists is read */
    const char *kind;  /* kind of its pairs */
    size_t rows;       /* count stated by its authors; 0: not stated */
    bool beside;       /* belongs to the previous file, and adds no rows */
} fp_recipe_file;

typedef struct fp_recipe {
    const char *name, *title;
    const char *source;   /* paper or address */
    const char *licence;  /* terms of use */
    const char *language; /* of all texts */
    fp_recipe_file files[FP_RECIPE_FILES];
    /* For pairs in tables: */
    const char *form;          /* value of --from */
    const char *columns;       /* column names, separated by commas, for files without a header row; NULL: the first row
                                  has them */
    bool no_quotes;            /* quotation marks are ordinary characters */
    const char *a, *b, *label; /* fields */
    const char *id_a, *id_b;   /* NULL: texts are numbered */
    const char *yes, *no;      /* label words, separated by blanks */
    const char *kind;          /* a field; NULL: the kind of the file */
    /* For other formats: */
    bool script;      /* sets.py reads the set, and writes JSON lines with the fields above, or documents with groups */
    const char *keep; /* an additional field of its documents to keep, or NULL */
    /* For groups: */
    bool groups; /* texts without pairs; without `files`: all files below the directory, and each directory is a
                    group */
    /* Counts stated by its authors; 0: not stated. */
    size_t documents, positives; /* positives: pairs that are duplicates, of rows or within groups */
    const char *counted;         /* source of the counts, and whether they were looked up there */
    const char *note;            /* a remark for users, or NULL */
} fp_recipe;

const fp_recipe *fp_recipe_find(const char *name);
const fp_recipe *fp_recipe_at(size_t position); /* NULL after the last */

/* The names of its files, separated by commas; NULL when out of memory. */
const char *fp_recipe_files(const fp_recipe *recipe, fp_arena *arena);
/* Finds the files of the set below `directory`: paths[i] of recipe->files[i], NULL if it is missing. FP_ERROR_IO, with
 * the expected names, if all are missing. */
fp_status fp_recipe_paths(const fp_recipe *recipe, const char *directory, fp_arena *arena,
                          const char *paths[FP_RECIPE_FILES], fp_error *error);
/* The arguments, terminated by NULL, of a command that runs sets.py: it writes the set's files as JSON lines to the
 * file `to`, and refuses files of more than `most` bytes, unpacked; `skip_bad` skips bad records. FP_ERROR_MEMORY. */
fp_status fp_recipe_script(const fp_recipe *recipe, const char *directory, const char *const paths[FP_RECIPE_FILES],
                           const char *to, bool skip_bad, size_t most, fp_arena *arena, const char *const **arguments,
                           fp_error *error);

#endif
