/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * import.h - imports texts of any format (readers/entries.h) into a corpus: each entry is a document, or a labelled
 * pair of two texts. Columns of a table are found by their names.
 */
#ifndef FP_IMPORT_H
#define FP_IMPORT_H

#include "corpora/importing/corpus_writer.h"
#include "corpora/readers/entries.h"

/* Fields of an entry besides its text, as positions in options->more; SIZE_MAX: absent. */
typedef struct fp_import_pair {
    size_t other;             /* the second text */
    size_t label, kind;       /* a pair without a kind gets that of its input */
    size_t id, other_id;      /* ids of the texts; if absent, texts are numbered */
    const char *const *kinds; /* of the inputs; NULL: the file's name without its extensions */
    fp_string pattern[2];     /* words for the labels 0 and 1, separated by blanks; empty for 0: all other words. ASCII
                                 letters of a label are lowered before the comparison */
    bool first_stays;         /* of contradictory rows the first is kept; else they are FP_ERROR_DUPLICATE */
} fp_import_pair;

typedef struct fp_import {
    fp_entries *entries;
    fp_corpus_writer *writer;
    const fp_import_pair *pair;      /* NULL: an entry is a document */
    fp_string language;              /* of documents that state none */
    bool group_by_directory;         /* the directory of a file becomes the group of its text */
    const fp_corpus_member *members; /* [member_count] their values are options->more from `first` on */
    size_t member_count, first;
    bool skip_bad;
    void (*skipped)(void *context, const fp_error *error);
    void *context;
    const fp_progress *progress;
    size_t *rows; /* number of rows of each input, which is incremented; NULL: not wanted */
    fp_arena *arena;
} fp_import;

typedef struct fp_imported {
    size_t rows;      /* read */
    size_t documents; /* written */
    size_t pairs, positives;
    size_t positive_rows;       /* rows read with a positive label */
    size_t groups, group_pairs; /* groups with documents; pairs within them */
    size_t bad;                 /* skipped: duplicate id, invalid label */
    size_t empty;               /* pairs skipped: a text is empty */
    size_t same;                /* … both texts are equal */
    size_t repeated;            /* … the pair is repeated with the same label */
    size_t conflicts;           /* … rows that contradict an earlier label */
} fp_imported;

/* Runs the import. Texts with equal bytes become one document. FP_ERROR_DUPLICATE: a repeated id, or a pair with
 * another label in an earlier row (with skip_bad all its rows are dropped); FP_ERROR_SYNTAX: an invalid label;
 * FP_ERROR_EMPTY: no row is left; errors of the entries and the writer. */
fp_status fp_import_run(const fp_import *import, fp_imported *made, fp_error *error);

static inline char fp_ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/* ---- Finding columns ---- */

typedef enum fp_import_column {
    FP_COLUMN_TEXT_A,
    FP_COLUMN_TEXT_B,
    FP_COLUMN_LABEL,
    FP_COLUMN_TEXT,
    FP_COLUMN_GROUP
} fp_import_column;
enum { FP_COLUMNS = FP_COLUMN_GROUP + 1 };

/* Finds the columns among names[count]: by the user's name, wanted[i], else by usual names, ignoring case, blanks, _
 * and -. at[i] is the position; SIZE_MAX: not found. It finds either text-a, text-b and label, or text, and group if
 * there is one. FP_ERROR_UNKNOWN: a column is missing or ambiguous; the message lists the columns and names the
 * option. */
fp_status fp_columns_find(const char *const *names, size_t count, const char *const wanted[FP_COLUMNS],
                          size_t at[FP_COLUMNS], fp_arena *arena, fp_error *error);

#endif
