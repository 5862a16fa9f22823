/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * form.h - input formats: each is one struct, listed in forms.def. A form defines how a file is split into records, and
 * makes an entry of a record; a form without `cut` treats a file as one text.
 */
#ifndef FP_FORM_H
#define FP_FORM_H

#include "corpora/readers/csv.h"
#include "corpora/readers/entries.h"

/* A file being read. */
typedef struct fp_form_input {
    const fp_entries_options *options;
    const char *path, *name;    /* path as given, or "-"; name without directories and .gz or .zst */
    const char *prefix;         /* of generated ids */
    fp_csv csv;                 /* how the rows of a table are split */
    const char *const *columns; /* [column_count] names of the columns, for a form with a head */
    size_t column_count;
    const size_t *place; /* [FP_ENTRY_FIELDS + length of options->more] the column of each field; SIZE_MAX: none */
} fp_form_input;

struct fp_form {
    const char *name;    /* value of --from */
    const char *summary; /* description for users */
    const char *endings; /* file name endings, separated by blanks: " .csv "; "" none */
    bool alone;          /* an ending also counts for a file named on the command line, not only in directories */
    bool decoded;        /* records are text, which --encoding converts before they are split */
    bool object;         /* a record is a JSON object, which represents the entry unchanged */
    char separator;      /* of a table's fields; options->separator replaces a comma. 0: no table */
    /* How a file is split. NULL: a file is one text, and is opened in its turn. For tables any other value: fp_csv_cut
     * splits them, with the separator of the options. */
    const fp_record_cut *cut;
    /* The field names of the first record: columns of a table, members of an object; terminated by NULL. NULL: records
     * have no names. */
    fp_status (*names)(const fp_form_input *input, fp_string record, fp_arena *arena, const char *const **names,
                       size_t *count, fp_error *error);
    /* Reads the first record, which holds column names and is not an entry. Lives in `arena`. NULL: no such record. */
    fp_status (*head)(fp_form_input *input, fp_string record, fp_arena *arena, fp_error *error);
    /* Makes the entry of a record, whose line, input and row are set; thread-safe. Its strings are in the record or in
     * `kept`. *none: the record is valid but not a text. Errors have their byte in the record. */
    fp_status (*read)(const fp_form_input *input, fp_arena *scratch, fp_arena *kept, fp_entry *to, bool *none,
                      fp_error *error);
};

/* The form with that --from name, or NULL; and by position, NULL past the end. */
const fp_form *fp_form_find(const char *name);
const fp_form *fp_form_at(size_t position);
/* The form for the ending of a file name, or NULL. `listed`: the file was found in a directory. */
const fp_form *fp_form_guess(const char *name, bool listed);

/* Detects the form from the first records of a file, [count] lines of UTF-8, if the name does not determine it. JSON
 * objects with a text: jsonl. FP_ERROR_UNKNOWN for a table that begins with column names, since the user must state its
 * separator and columns, and for objects without a text. Anything else leaves *form unchanged. */
fp_status fp_form_recognise(const fp_entries_options *options, const fp_line *lines, size_t count, fp_arena *arena,
                            const fp_form **form, fp_error *error);

/* ---- Helpers for implementing a form ---- */

/* The name of a field, from the options or the default. */
const char *fp_form_field(const fp_entries_options *options, fp_entry_field field);
/* "a, b, c": the names, cut after the twentieth; NULL: no memory. */
const char *fp_form_list_names(const char *const *names, size_t count, fp_arena *arena);
/* The position of the column of that name; SIZE_MAX: there is none, or the name is empty. FP_ERROR_DUPLICATE. */
fp_status fp_form_find_column(const char *const *names, size_t count, const char *name, size_t *place, fp_error *error);
/* Sets a field of the entry: checks the value, and sets derived members. Errors: FP_ERROR_SYNTAX (an invalid id or
 * time), _ENCODING. */
fp_status fp_form_set(fp_entry *to, fp_entry_field field, fp_string value, fp_error *error);
/* Gives an entry without an id the id "PREFIXrow". */
fp_status fp_form_number(const fp_form_input *input, fp_arena *kept, fp_entry *to, fp_error *error);
/* Writes the JSON line of an entry that was not read from a JSON object. From a row: every column, as `fields`
 * [input->column_count], and an id if no column holds one. With `fields` NULL: {"id":…,"title":…,"text":…}. */
fp_status fp_form_write_line(const fp_form_input *input, const fp_string *fields, fp_arena *kept, fp_entry *to,
                             fp_error *error);
/* FP_ERROR_ENCODING at the first byte that is not UTF-8. */
fp_status fp_form_check_utf8(fp_string text, fp_error *error);

#endif
