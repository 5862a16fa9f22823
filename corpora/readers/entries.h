/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * entries.h - streams texts and their metadata, block by block, from files of any format in forms.def. Memory holds one
 * block, so a stream may have any length; ids are not compared across blocks.
 */
#ifndef FP_ENTRIES_H
#define FP_ENTRIES_H

#include "base/parallel.h"
#include "base/text_source.h"
#include "base/time_text.h"
#include "corpora/readers/html.h"

/* Fields of a text. */
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

/* One text. Strings are empty if unknown. */
typedef struct fp_entry {
    /* Indexed by fp_entry_field. A missing id is replaced by file and row, "news.txt:17", or by the name of a page. */
    union {
        fp_string field[FP_ENTRY_FIELDS];
        struct {
            fp_string id, text, group, language, title, url, source, time_text, rank;
        };
    };
    const fp_string *more; /* values of the fields in options->more */
    int64_t time;          /* FP_TIME_NONE if unknown */
    size_t characters;
    fp_string line;       /* the source line if that is a JSON object or a line; else the entry written as an object */
    size_t input, row;    /* number of the input, and of its line, from 1 */
    const char *encoding; /* encoding of the file, if it is one text and options->encoding was used; or NULL */
} fp_entry;

/* The default limit for a line or a record of a file, unpacked: 256 MiB. A packed file can be a single line that does
 * not fit into memory. */
#define FP_MOST_LINE_BYTES ((size_t)256 << 20)

typedef struct fp_form fp_form; /* declared in corpora/readers/form.h */

typedef struct fp_entries_options {
    /* Format of the files; NULL: detected by name (fp_form_guess), else by the first records (fp_form_recognise). A
     * directory with a docs.jsonl is a corpus, whose documents are read. For any other directory all files in it and
     * below it are read, in the order of their names, each by its extension, or as one text. */
    const fp_form *form;
    const char *glob; /* reads only the files of a directory whose name, or path if the pattern has a slash, matches */
    const char *name[FP_ENTRY_FIELDS]; /* names of JSON members and columns; NULL: fp_entry_field_name; "": none */
    const char *const *more;           /* names of additional fields, terminated by NULL; or NULL */
    const char *const *columns; /* csv, tsv: names of the columns, terminated by NULL; NULL: the first row has them */
    char separator;             /* csv: ',' or ';'; 0: ',' */
    bool no_quotes;             /* csv, tsv: quotation marks are ordinary characters */
    const char *encoding;       /* of files, except web archives and corpora; NULL: UTF-8, and for pages the declared
                                   encoding */
    const char *prefix;         /* prefix of generated ids; NULL: the file's name and a colon */
    fp_html_keep keep;          /* for pages */
    bool skip_bad;              /* skip and count bad records */
    size_t most_bytes;          /* of each line, text or page, unpacked; 0: FP_MOST_LINE_BYTES, FP_MOST_BYTES */
    void (*skipped)(void *context, const fp_error *error); /* called for each bad record; may be NULL */
    void *context;
    const fp_progress *progress; /* may be NULL */
} fp_entries_options;

/* "id", "text", "group", "lang", "title", "url", "source", "time", "" (FP_ENTRY_RANK has no default name). */
const char *fp_entry_field_name(fp_entry_field field);

typedef struct fp_entries fp_entries;

/* Opens `inputs` ("-": standard input); `inputs` and `options` must outlive the entries. Packed files are unpacked. The
 * caller closes them with fp_entries_close. FP_ERROR_IO names the first that cannot be opened; FP_ERROR_EMPTY: a
 * directory without a matching file. */
fp_status fp_entries_open(const char *const *inputs, size_t count, const fp_entries_options *options, fp_arena *arena,
                          fp_entries **entries, fp_error *error);
void fp_entries_close(fp_entries *entries);

/* The field names in the first record of the first input: columns of a table, members of an object. *count is 0 if
 * records have no names, or there is no record. Call before reading. Errors have file, line and byte. */
fp_status fp_entries_columns(fp_entries *entries, const char *const **names, size_t *count, fp_error *error);
/* Sets options->name and ->more after fp_entries_columns. Call before reading. */
void fp_entries_name(fp_entries *entries, const char *const name[FP_ENTRY_FIELDS], const char *const *more);

/* The texts. Can be read again if every input can. Errors have file, line and byte: FP_ERROR_SYNTAX for a record that
 * violates its format, FP_ERROR_ENCODING, FP_ERROR_DUPLICATE (members of an object). */
fp_text_source fp_entries_source(fp_entries *entries);
/* The entry at this position, which must be in the source's current batch. */
const fp_entry *fp_entries_at(const fp_entries *entries, size_t position);
/* The file of an input of fp_entry. */
const char *fp_entries_path(const fp_entries *entries, size_t input);
/* The format of the first input from *input on that was detected by its first records, rather than by its name or the
 * options; *input is set to it. NULL: no such input. */
const char *fp_entries_recognised(const fp_entries *entries, size_t *input);
/* The number of bad records skipped in this pass. */
size_t fp_entries_skipped(const fp_entries *entries);
/* Encodings of the files read so far, if options->encoding is set. */
typedef struct fp_encoding_count {
    char name[64];
    size_t files;
} fp_encoding_count;
const fp_encoding_count *fp_entries_encodings(const fp_entries *entries, size_t *count);

/* Whether every input has lines that are JSON objects, or every input has plain texts: selected entries can then be
 * written to one file of that format. */
bool fp_entries_alike(const fp_entries *entries, bool *objects);

#endif
