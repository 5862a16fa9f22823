/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * form.h - the forms in which texts come: each is one struct, listed in forms.def. A form says how a file is cut into
 * records, and makes an entry of a record; a form that cuts nothing takes a file for one text.
 */
#ifndef FP_FORM_H
#define FP_FORM_H

#include "corpora/line_blocks.h"
#include "corpora/readers/entries.h"

/* A file that is being read. */
typedef struct fp_form_input {
    const fp_entries_options *options;
    const char *path, *name;    /* as it was given, "-"; without directories and .gz or .zst */
    const char *prefix;         /* of ids that are made up */
    const char *const *columns; /* [column_count] of a form with a head: what its columns are called */
    size_t column_count;
    const size_t *place; /* [FP_ENTRY_FIELDS + those of options->more] the column of each field; SIZE_MAX: none */
} fp_form_input;

struct fp_form {
    const char *name;    /* of --from */
    const char *summary; /* for a person */
    const char *endings; /* of names, each between blanks: " .csv "; "" none */
    bool alone;          /* an ending counts for a file that is named by itself, too, not in directories alone */
    bool decoded;        /* records are text, which --encoding converts before they are cut */
    bool object;         /* a record is a JSON object, which stands for the entry as it is */
    /* How a file is cut; NULL: a file is one text, and is opened in its turn. */
    const fp_record_cut *(*cut)(const fp_entries_options *options);
    /* What the first record calls its fields: columns of a table, members of an object; ended by NULL. NULL: records
     * have no names. */
    fp_status (*names)(const fp_form_input *input, fp_string record, fp_arena *arena, const char *const **names,
                       size_t *count, fp_error *error);
    /* Takes the first record, which is no entry: the names of columns. NULL: there is no such. Lives in `arena`. */
    fp_status (*head)(fp_form_input *input, fp_string record, fp_arena *arena, fp_error *error);
    /* Makes the entry of a record, whose line, input and row are set; thread-safe. What it points to is in the record
     * or in `kept`. *none: the record is of something else, and no text. Errors have their byte in the record. */
    fp_status (*read)(const fp_form_input *input, fp_arena *scratch, fp_arena *kept, fp_entry *to, bool *none,
                      fp_error *error);
};

/* The one that --from names, NULL where none is called so; and by position, NULL behind the last. */
const fp_form *fp_form_find(const char *name);
const fp_form *fp_form_at(size_t position);
/* By the ending of a name; NULL where no form has it. `listed`: of a file that a directory was found to hold. */
const fp_form *fp_form_guess(const char *name, bool listed);

/* By the first records of a file, [count] lines of UTF-8, where the name says nothing. JSON objects with a text: jsonl.
 * Rows of a table, with the names of columns first: FP_ERROR_UNKNOWN, since its separator and its columns are the
 * user's to say; so are objects without a text. All else leaves *form. */
fp_status fp_form_recognise(const fp_entries_options *options, const fp_line *lines, size_t count, fp_arena *arena,
                            const fp_form **form, fp_error *error);

/* ---- For those who write a form ---- */

/* The name of a field as the user has it. */
const char *fp_form_field(const fp_entries_options *options, fp_entry_field field);
/* The entry has the value of a field: checks it, and sets what hangs on it. Errors: FP_ERROR_SYNTAX (an id that is
 * none, a time), _ENCODING. */
fp_status fp_form_set(fp_entry *to, fp_entry_field field, fp_string value, fp_error *error);
/* An entry that has no id gets "PREFIXrow". */
fp_status fp_form_number(const fp_form_input *input, fp_arena *kept, fp_entry *to, fp_error *error);
/* Gives an entry that was not read from a JSON object a JSON line. From a row: every column, as `fields`
 * [input->column_count], and an id if no column holds one. With `fields` NULL: {"id":…,"title":…,"text":…}. */
fp_status fp_form_write_line(const fp_form_input *input, const fp_string *fields, fp_arena *kept, fp_entry *to,
                             fp_error *error);
/* FP_ERROR_ENCODING at the first byte that is not UTF-8. */
fp_status fp_form_check_utf8(fp_string text, fp_error *error);

#endif
