/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * entry_inputs.h - the files that entries are read from, each with its format: named files, the documents of a corpus,
 * and the files of a directory.
 */
#ifndef FP_ENTRY_INPUTS_H
#define FP_ENTRY_INPUTS_H

#include "corpora/readers/form.h"

typedef struct fp_entry_input {
    const fp_form *form;
    fp_form_input as;
    const char *wrong;      /* why it cannot be read; NULL: no known problem */
    bool listed;            /* found in a directory: opened in its turn, and closed after it */
    bool stream;            /* cannot be read twice */
    bool corpus;            /* docs.jsonl of a corpus, which is UTF-8 */
    bool headed;            /* its head was read in this pass */
    bool recognised;        /* its format was detected by its first records */
    fp_line_blocks *blocks; /* NULL: not open, or a file that is one text */
} fp_entry_input;

typedef struct fp_entry_inputs {
    const fp_entries_options *options;
    fp_arena *arena;
    size_t count, room;
    fp_entry_input *list; /* [count] */
} fp_entry_inputs;

/* Appends the files of a path, "-" for standard input. Named files are opened now; those of a directory in their turn,
 * ordered by name: regular files and the targets of symbolic links below it, whose names do not begin with a dot.
 * fp_entry_inputs_close closes open files, after a failure too. */
fp_status fp_entry_inputs_add(fp_entry_inputs *to, const char *path, fp_error *error);
void fp_entry_inputs_close(fp_entry_inputs *inputs);

/* Opens a file that is split into records. */
fp_status fp_entry_input_open(const fp_entry_inputs *in, fp_entry_input *input, fp_error *error);

#endif
