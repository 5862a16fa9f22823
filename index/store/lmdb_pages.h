/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lmdb_pages.h - the pages of LMDB's file, read without trusting them. LMDB believes what it reads: a damaged page may
 * end the process. Here every offset is looked at before it is followed; what cannot be is told, and passed over.
 *
 * Pages of LMDB's data version 1 (0.9), as this machine writes them. A head of 16 bytes: its number (8), 2 unused, what
 * it is (2), then where its list of node offsets ends (2) and where its nodes begin (2), or how many pages it takes
 * (4). A node: 8 bytes of lengths and flags, the key, the value; of a branch the lengths hold the number of a page.
 */
#ifndef FP_LMDB_PAGES_H
#define FP_LMDB_PAGES_H

#include <stdio.h>

#include "index/store/store_engine.h"

typedef struct fp_lmdb_tree {
    const char *name;
    uint64_t root; /* FP_LMDB_NO_PAGE: empty */
    uint64_t entries;
    unsigned depth;
    unsigned flags; /* of LMDB: how its keys are compared, whether a key has several values */
    bool numbers;   /* its keys are numbers of this machine, 8 bytes each */
    bool tables;    /* its values are trees */
} fp_lmdb_tree;
#define FP_LMDB_NO_PAGE UINT64_MAX

typedef struct fp_lmdb_pages {
    const unsigned char *bytes; /* the file */
    size_t length;
    size_t page;         /* bytes of one */
    uint64_t last;       /* the last page in use */
    uint64_t commit;     /* whose state this is */
    fp_lmdb_tree free;   /* of pages that may be written over */
    fp_lmdb_tree names;  /* of the tables */
    fp_store_tell *tell; /* of damage; NULL: it is passed over */
    unsigned char *used; /* [last + 1] whether a page was met; NULL: nobody asks */
} fp_lmdb_pages;

/* The file as it is after one of its last two commits. FP_ERROR_SYNTAX: it is none, or its head is damaged;
 * FP_ERROR_IO: that commit is not there (any more). `commit` 0: the last one. The caller ends it with
 * fp_lmdb_pages_close. */
fp_status fp_lmdb_pages_open(int file, uint64_t commit, fp_lmdb_pages *pages, fp_error *error);
void fp_lmdb_pages_close(fp_lmdb_pages *pages);

/* Whether both heads are such: LMDB takes the later one as it stands, and divides by the length of its pages. */
bool fp_lmdb_pages_heads(const fp_lmdb_pages *pages);

/* A table of that name; false: there is none, or what leads to it is damaged. */
bool fp_lmdb_pages_table(const fp_lmdb_pages *pages, const char *name, fp_lmdb_tree *tree);

/* Goes through a tree in the order of its keys. What is damaged is told and passed over. */
enum { FP_LMDB_DEPTH = 32 };
typedef struct fp_lmdb_cursor {
    const fp_lmdb_pages *pages;
    fp_lmdb_tree tree;
    unsigned depth; /* of the page that it stands in, from 1; 0: at the end */
    struct {
        const unsigned char *page;
        unsigned at, count;
        fp_string from, below; /* of its keys: from ≤ key < below; data NULL: no bound */
    } level[FP_LMDB_DEPTH];
    fp_string key, value;
} fp_lmdb_cursor;
/* To the first entry whose key is not less than `from`, and to the next one; false: there is none. */
bool fp_lmdb_cursor_seek(fp_lmdb_cursor *cursor, const fp_lmdb_pages *pages, const fp_lmdb_tree *tree, fp_string from);
bool fp_lmdb_cursor_next(fp_lmdb_cursor *cursor);

/* Every page of every tree, without its records: tells each that is damaged, pages that are in use and free at once,
 * and trees that hold another number of entries than they say. */
fp_status fp_lmdb_pages_walk(fp_lmdb_pages *pages, const fp_arena *like, fp_error *error);

#endif
