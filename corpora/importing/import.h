/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * import.h - texts of any form (readers/entries.h) into a corpus: a document an entry, or a labelled pair of two texts
 * an entry. The columns of a table are found by their names.
 */
#ifndef FP_IMPORT_H
#define FP_IMPORT_H

#include "corpora/importing/corpus_writer.h"
#include "corpora/readers/entries.h"

/* What an entry says beside its text: positions in options->more; SIZE_MAX: nothing. */
typedef struct fp_import_pair {
    size_t other;             /* the second text */
    size_t label, kind;       /* a pair has no kind of its own: that of its input */
    size_t id, other_id;      /* of the texts; else they are numbered */
    const char *const *kinds; /* of inputs; NULL: the file's name without its endings */
    fp_string pattern[2];     /* of a label that says 0, 1: one of the words between blanks; empty, of 0: all others */
    bool first_stays;         /* of rows that contradict each other the first is kept; else FP_ERROR_DUPLICATE */
} fp_import_pair;

/* Words of labels in tables that people make: is_duplicate, judgements, Chinese. ASCII letters of a label are lowered
 * before it is compared with words. */
#define FP_IMPORT_NEGATIVE FP_LABEL_NEGATIVE
#define FP_IMPORT_POSITIVE FP_LABEL_POSITIVE

typedef struct fp_import {
    fp_entries *entries;
    fp_corpus_writer *writer;
    const fp_import_pair *pair;      /* NULL: an entry is a document */
    fp_string language;              /* of documents that state none */
    bool group_by_directory;         /* a file's directory is the group of its text */
    const fp_corpus_member *members; /* [member_count] their values are those of options->more from `first` on */
    size_t member_count, first;
    bool skip_bad;
    void (*skipped)(void *context, const fp_error *error);
    void *context;
    const fp_progress *progress;
    size_t *rows; /* of each input, added to; NULL: not wanted */
    fp_arena *arena;
} fp_import;

typedef struct fp_imported {
    size_t rows;      /* read */
    size_t documents; /* written */
    size_t pairs, positives;
    size_t positive_rows;       /* read, whose label says so */
    size_t groups, group_pairs; /* with documents in them; pairs within them */
    size_t bad;                 /* left out: an id that was there, a label that is none */
    size_t empty;               /* pairs left out: a text is empty */
    size_t same;                /* … both texts are the same */
    size_t repeated;            /* … the pair was there, with the same label */
    size_t conflicts;           /* … rows with the other label than an earlier one */
} fp_imported;

/* Texts are the same where their bytes are; each becomes one document. FP_ERROR_DUPLICATE: an id that was there, a pair
 * that has the other label in an earlier row (with skip_bad no row of it is kept); FP_ERROR_SYNTAX: a label that is
 * none; FP_ERROR_EMPTY: nothing was left; what the entries and the writer say. */
fp_status fp_import_run(const fp_import *import, fp_imported *made, fp_error *error);

static inline char fp_ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/* ---- which columns hold what ---- */

typedef enum fp_import_column {
    FP_COLUMN_TEXT_A,
    FP_COLUMN_TEXT_B,
    FP_COLUMN_LABEL,
    FP_COLUMN_TEXT,
    FP_COLUMN_GROUP
} fp_import_column;
enum { FP_COLUMNS = FP_COLUMN_GROUP + 1 };

/* "text-a", "text-b", "label", "text", "group": as options are called. */
extern const char *const fp_column_options[FP_COLUMNS];

/* Finds them among names[count]: those that the user has named, wanted[i], else by usual names, where letters may be
 * upper or lower case, and blanks, _ and - make no difference. at[i] is the position; SIZE_MAX: none. Either text-a,
 * text-b and label are found, or text, and group where there is one. FP_ERROR_UNKNOWN: some are missing, or two would
 * do; the message lists the columns and names the option. */
fp_status fp_columns_find(const char *const *names, size_t count, const char *const wanted[FP_COLUMNS],
                          size_t at[FP_COLUMNS], fp_arena *arena, fp_error *error);

#endif
