/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * import.h - imports texts of any format (readers/entries.h) into a corpus: each entry is a document, or a labelled
 * pair of two texts, in columns that are found by their names. Merges corpora; exports one.
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

/* ---- Merging (merge.c). A document with the same id, text and group in two corpora is written once; an id or a group
 * with different meanings in two corpora is a clash. ---- */

typedef struct fp_merge {
    const fp_corpus *corpora; /* [count] whole, read with the field "group" */
    size_t count;
    bool prefix; /* ids and groups that clash are prefixed with the name of their corpus, "NAME:"; else they are an
                    error */
    /* Called for each pair that has another label in an earlier corpus; may be NULL. */
    void (*conflict)(void *context, fp_string a, fp_string b, bool kept, const char *corpus);
    void *context;
} fp_merge;

typedef struct fp_merged {
    size_t documents, pairs, positives; /* written */
    size_t same;                        /* documents skipped: repeated */
    size_t renamed, groups_renamed;
    size_t repeated;  /* pairs skipped: repeated with the same label */
    size_t conflicts; /* … with the other label: the first is kept */
} fp_merged;

/* Writes everything to `writer`, which the caller finishes. Memory holds the ids and groups of all corpora, but no
 * texts. FP_ERROR_DUPLICATE for a clash, with the id or group; errors as for fp_corpus_each_line. `arena` holds
 * temporary data. */
fp_status fp_merge_run(const fp_merge *merge, fp_corpus_writer *writer, fp_arena *arena, fp_merged *made,
                       fp_error *error);

/* ---- Exporting a corpus to one table, for programs that cannot read corpora (convert.c) ---- */

typedef enum fp_convert_form {
    FP_CONVERT_TSV, /* a header; tabs and line ends inside a text become blanks */
    FP_CONVERT_CSV, /* RFC 4180, with a header: texts are kept exactly */
    FP_CONVERT_JSONL
} fp_convert_form;

typedef struct fp_converting {
    const fp_corpus *corpus; /* read with the fields "lang" and "group" */
    fp_convert_form form;
    bool ids; /* for pairs: adds their ids, id_a and id_b */
    FILE *stream;
    size_t changed; /* output: number of texts from which tabs or line ends were removed */
} fp_converting;

/* Writes a row of id, text, lang, group for each document, in one pass over the file. In JSON the label is a number,
 * all other values are strings. Errors of the stream are left in it. Errors as for fp_corpus_source. */
fp_status fp_convert_documents(fp_converting *convert, fp_error *error);
/* Writes a row of text_a, text_b, label, kind for each labelled pair. Holds all texts of pairs in memory.
 * FP_ERROR_EMPTY for a corpus without pairs.tsv. */
fp_status fp_convert_pairs(fp_converting *convert, fp_arena *arena, fp_error *error);

#endif
