/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * set.h - public sets whose files are no tables of pairs: a function each reads the files and hands out documents with
 * groups, or labelled pairs, one after the other.
 */
#ifndef FP_SET_H
#define FP_SET_H

#include "corpora/importing/import.h"

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
