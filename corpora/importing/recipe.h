/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * recipe.h - public sets of labelled texts that a user may have on disk: which files they come in, and how those are
 * read. Nothing of a set ships with the lab. recipes.def lists them.
 */
#ifndef FP_RECIPE_H
#define FP_RECIPE_H

#include "corpora/importing/import.h"

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
    /* One that a function reads: */
    fp_set_read *read;
    const char *keep; /* a field of its documents beside the usual ones; NULL: none */
    /* One of groups: */
    bool groups; /* texts, and no pairs; without files and `read`, all below the directory, each directory a group */
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

/* ----
 * public sets whose files are no tables of pairs: a function each reads the files and hands out documents with
 * groups, or labelled pairs, one after the other.
 */

/* A document; or a pair of two, where `other` is there. Strings are UTF-8 and live until the call returns. */
typedef struct fp_set_row {
    fp_string id, text, group;
    fp_string other_id, other; /* other.data is NULL: a document */
    fp_string kind;            /* of a pair */
    bool label;
    fp_string kept;   /* of a document: what its recipe keeps */
    size_t file, row; /* which of the set's files, and which of its lines or records, from 1 */
} fp_set_row;

/* What a reader is given. */
typedef struct fp_set {
    const char *name;
    const char *directory;    /* of the set */
    const char *const *paths; /* [FP_RECIPE_FILES] of its files; NULL: it is not there */
    const char *const *kinds; /* [FP_RECIPE_FILES] what its recipe calls them */
    size_t most_bytes;        /* of each file, unpacked */
    fp_arena *arena;          /* goes when all is read */
    fp_imported *made;        /* readers count what they leave out: `same`, `passed` */
    size_t *rows;             /* of each file, counted by those who read it */
    void *context;
    fp_status (*row)(void *context, const fp_set_row *row, fp_error *error);
    bool (*bad)(void *context, const fp_error *error); /* told of what is wrong; false: that, or a row, is the end */
} fp_set;

/* A file that belongs to the one before it. FP_ERROR_IO where it is not there. */
fp_status fp_set_needs(const fp_set *set, size_t file, const char *name, fp_error *error);

/* Something is wrong with a record, `why` says what, and where unless it says a file already: told, so that the next
 * one may be read (FP_OK), or the end. */
fp_status fp_set_bad(const fp_set *set, fp_status code, fp_error *why, size_t file, size_t row, fp_error *error);

/* A text that is a file is called as it, without its ending. */
fp_string fp_set_id(fp_string name);

/* Pairs of numbers, whose ends belong to one group. Begins as {0}; lives in the set's arena. */
typedef struct fp_set_links {
    uint32_t (*at)[2]; /* [count] */
    size_t count, room;
} fp_set_links;
fp_status fp_set_link(const fp_set *set, fp_set_links *links, uint32_t a, uint32_t b, fp_error *error);

/* Sentences with their corrections, which are a group. What is the same, byte by byte, is one document, and groups that
 * share one are one. */
typedef struct fp_set_sentences fp_set_sentences;
/* `fill` adds them all; then they are handed out. */
fp_status fp_set_sentences_read(const fp_set *set, fp_status (*fill)(fp_set_sentences *to, fp_error *error),
                                fp_error *error);
const fp_set *fp_set_sentences_of(const fp_set_sentences *sentences);
/* Copied. Where both are the same they are counted and left out. */
fp_status fp_set_sentences_add(fp_set_sentences *to, fp_string id, fp_string written, fp_string corrected, size_t file,
                               size_t row, fp_error *error);

/* recipes.def says which files each reads, and its own file how they look. */
fp_status fp_set_sighan(const fp_set *set, fp_error *error);
fp_status fp_set_sighan_pairs(const fp_set *set, fp_error *error);
fp_status fp_set_clough_stevenson(const fp_set *set, fp_error *error);
fp_status fp_set_pan(const fp_set *set, fp_error *error);
fp_status fp_set_news_copy(const fp_set *set, fp_error *error);
fp_status fp_set_core(const fp_set *set, fp_error *error);
fp_status fp_set_scancode(const fp_set *set, fp_error *error);

#endif
