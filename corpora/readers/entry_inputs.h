/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * entry_inputs.h - the files that entries are read from: those that were named, the documents of a corpus, and the
 * files of a directory, each with its form.
 */
#ifndef FP_ENTRY_INPUTS_H
#define FP_ENTRY_INPUTS_H

#include "base/base.h"
#include "corpora/readers/entries.h"
#include "corpora/readers/form.h"
#include "corpora/read.h"

typedef struct fp_entry_input {
    const fp_form *form;
    fp_form_input as;
    const char *wrong; /* why it cannot be read; NULL: nothing is known against it */
    bool listed;       /* of a directory: it is opened in its turn, and closed behind it */
    bool stream;       /* cannot be read again */
    bool corpus;       /* docs.jsonl, which is UTF-8 */
    bool headed;       /* its head was taken in this pass */
    bool recognised;   /* its form was recognised by its first records */
    /* The first block, read to recognise the form or the columns, not handed out yet; `first_read` until then. */
    bool first_read;
    const fp_line *first_lines;
    size_t first_count;
    fp_error first_failure; /* code FP_OK: none */
    fp_line_blocks *blocks; /* NULL: a file that is one text, or not open */
} fp_entry_input;

typedef struct fp_entry_inputs {
    const fp_entries_options *options;
    fp_arena *arena;
    size_t count, room;
    fp_entry_input *list; /* [count] */
} fp_entry_inputs;

/* The files of a path, "-" for standard input, behind those that are there. Files that were named are open already;
 * those of a directory are opened in their turn. What is open is closed by fp_entry_inputs_close, after a failure too.
 */
fp_status fp_entry_inputs_add(fp_entry_inputs *to, const char *path, fp_error *error);
void fp_entry_inputs_close(fp_entry_inputs *inputs);

/* The blocks of a file that is cut into records. */
fp_status fp_entry_input_open(const fp_entry_inputs *in, fp_entry_input *input, fp_error *error);
/* Reads the first block of an open file, unless it was; fp_entry_input_next hands it out, and its failure, in its turn.
 * FP_ERROR_MEMORY alone. */
fp_status fp_entry_input_first(fp_entry_input *from, fp_error *error);
/* The next block of an open file, as fp_line_blocks_next. */
fp_status fp_entry_input_next(fp_entry_input *from, const fp_line **lines, size_t *count, fp_error *error);

/* ---- the files of a directory and of those below it, in the order of their names. ---- */

typedef struct fp_listed_file {
    const char *path, *name; /* the name is the path from the directory on */
    const char *wrong;       /* why it cannot be read; NULL: nothing is known against it */
} fp_listed_file;

/* Lists regular files and what symbolic links lead to; names that begin with a dot are passed over. `glob` (fnmatch;
 * may be NULL) is matched with the file's own name, or with `name` where the pattern has a slash. A link that leads
 * back to a directory it stands in, and a directory that cannot be read, are listed with what is wrong. FP_ERROR_IO. */
fp_status fp_list_files(const char *directory, const char *glob, fp_arena *arena, fp_listed_file **files, size_t *count,
                        fp_error *error);

#endif
