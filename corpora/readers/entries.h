/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * entries.h - streams texts and their metadata, a block at a time, from files of any form in forms.def. Memory holds
 * one block, so a stream may have any length; ids are not compared across blocks.
 */
#ifndef FP_ENTRIES_H
#define FP_ENTRIES_H

#include "base/parallel.h"
#include "base/text_source.h"
#include "base/time_text.h"
#include "corpora/readers/html.h"

/* What may be known of a text. */
typedef enum fp_entry_field {
    FP_ENTRY_ID,
    FP_ENTRY_TEXT,
    FP_ENTRY_GROUP,
    FP_ENTRY_LANGUAGE,
    FP_ENTRY_TITLE,
    FP_ENTRY_URL,
    FP_ENTRY_SOURCE,
    FP_ENTRY_TIME,
    FP_ENTRY_RANK,
    FP_ENTRY_FIELDS
} fp_entry_field;

/* One text. Strings are empty where nothing is known. */
typedef struct fp_entry {
    /* By fp_entry_field; an id that is not stated is made of file and row, "news.txt:17", or of the name of a page. */
    union {
        fp_string field[FP_ENTRY_FIELDS];
        struct {
            fp_string id, text, group, language, title, url, source, time_text, rank;
        };
    };
    const fp_string *more; /* of the fields that options->more names */
    int64_t time;          /* FP_TIME_NONE where nothing is known */
    size_t characters;
    fp_string line;    /* as it stands in the file where it is a JSON object or a line; else as it would as an object */
    size_t input, row; /* which input, and which of its lines, from 1 */
    const char
        *encoding; /* that the file was read as, where it is one text and options->encoding was heeded; or NULL */
} fp_entry;

/* The most bytes of a line or a record of a file, unpacked, unless another limit is given: 256 MiB. What is packed can
 * be one line that memory has no room for. */
#define FP_MOST_LINE_BYTES ((size_t)256 << 20)

typedef struct fp_form fp_form; /* corpora/readers/form.h */

typedef struct fp_entries_options {
    /* What files hold; NULL: by their names, as fp_form_guess says, else by their first records, as fp_form_recognise
     * says. A
     * directory with a docs.jsonl is a corpus, whose documents are read; of another directory all files are read, in
     * the order of their names, below it too, each by its ending, or as one text. */
    const fp_form *form;
    const char *glob; /* of a directory those whose name, or path where the pattern has a slash, matches it */
    const char *name[FP_ENTRY_FIELDS]; /* of JSON members and columns; NULL: that of fp_entry_field_name; "": none */
    const char *const *more;           /* names of other fields that are wanted, the last NULL; or NULL */
    const char *const *columns; /* csv, tsv: what columns are called, the last NULL; NULL: the first row says it */
    char separator;             /* csv: ',' or ';'; 0: ',' */
    bool no_quotes;             /* csv, tsv: quotation marks are characters like others */
    const char *encoding;       /* of files, but for web archives and corpora; NULL: UTF-8, and what pages say */
    const char *prefix;         /* before ids that are made up; NULL: the file's name and a colon */
    fp_html_keep keep;          /* of pages */
    bool skip_bad;              /* leave bad lines out and count them */
    size_t most_bytes;          /* of each line, text or page, unpacked; 0: FP_MOST_LINE_BYTES, FP_MOST_BYTES */
    void (*skipped)(void *context, const fp_error *error); /* told of each bad line; may be NULL */
    void *context;
    const fp_progress *progress; /* may be NULL */
} fp_entries_options;

/* "id", "text", "group", "lang", "title", "url", "source", "time", "" (no field ranks unless it is named). */
const char *fp_entry_field_name(fp_entry_field field);

typedef struct fp_entries fp_entries;

/* Opens `inputs` ("-": standard input), which live as long as the entries, as `options` does. What is packed is
 * unpacked. The caller ends it with fp_entries_close. FP_ERROR_IO names the first that cannot be opened;
 * FP_ERROR_EMPTY: a directory without a file that is wanted. */
fp_status fp_entries_open(const char *const *inputs, size_t count, const fp_entries_options *options, fp_arena *arena,
                          fp_entries **entries, fp_error *error);
void fp_entries_close(fp_entries *entries);

/* What the first record of the first input calls its fields: the columns of a table, the members of an object. *count
 * is 0 where records have no names, or there is none. Before anything is read. Errors have file, line and byte. */
fp_status fp_entries_columns(fp_entries *entries, const char *const **names, size_t *count, fp_error *error);
/* Which of them the fields are, as options->name and ->more would have said. Before anything is read. */
void fp_entries_name(fp_entries *entries, const char *const name[FP_ENTRY_FIELDS], const char *const *more);

/* The texts. Can be read again where every input can. Errors have file, line and byte: FP_ERROR_SYNTAX for what is not
 * of its form, FP_ERROR_ENCODING, FP_ERROR_DUPLICATE (members of an object). */
fp_text_source fp_entries_source(fp_entries *entries);
/* The one at this position, which is in the batch that the source handed out last. */
const fp_entry *fp_entries_at(const fp_entries *entries, size_t position);
/* The file of an input of fp_entry. */
const char *fp_entries_path(const fp_entries *entries, size_t input);
/* The form that the first input from *input on was recognised by, where its first records and not its name or the
 * options said it; *input is set to it. NULL: there is none. */
const char *fp_entries_recognised(const fp_entries *entries, size_t *input);
/* Bad lines and pages that were left out since the beginning. */
size_t fp_entries_skipped(const fp_entries *entries);
/* In which encodings files were read so far, where options->encoding is given. */
typedef struct fp_encoding_count {
    char name[64];
    size_t files;
} fp_encoding_count;
const fp_encoding_count *fp_entries_encodings(const fp_entries *entries, size_t *count);

/* Whether entries have lines that are JSON objects in every input, or texts in every input: then what is chosen of them
 * can be written into one file of that form. */
bool fp_entries_alike(const fp_entries *entries, bool *objects);

#endif
