/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * entries.h - texts to work on, with what is known of each: from corpora, files of JSON objects, files of lines, and
 * HTML pages, one after the other, a block at a time. Nothing is held but the block, so that a stream may be as long as
 * it likes; ids are not compared with those of other blocks.
 */
#ifndef FP_ENTRIES_H
#define FP_ENTRIES_H

#include "base/parallel.h"
#include "base/text_source.h"
#include "base/time_text.h"
#include "corpora/html_text.h"

/* One text. Strings are empty where nothing is known. */
typedef struct fp_entry {
    fp_string id; /* of JSON its "id"; of a line its file and number, "news.txt:17"; of a page its file */
    fp_string text;
    fp_string title, url, source; /* of the fields that are named so */
    fp_string rank;               /* of the field that ranks */
    int64_t time;                 /* FP_TIME_NONE where nothing is known */
    size_t characters;
    fp_string line;    /* as it stands in the file; of a page as it would as a JSON object */
    size_t input, row; /* which input, and which of its lines, from 1 */
} fp_entry;

typedef enum fp_entries_form { FP_ENTRIES_GUESS, FP_ENTRIES_JSON, FP_ENTRIES_LINES, FP_ENTRIES_PAGES } fp_entries_form;

typedef struct fp_entries_options {
    /* What an input is: a directory is a corpus, and its docs.jsonl is read; a file whose name ends in .jsonl or .json,
     * packed or not, holds an object a line; one that ends in .html, .htm or .xhtml is a page, which is one text; else
     * each line is a text. The others say it of every file. */
    fp_entries_form form;
    const char *title, *url, *source, *time, *rank; /* names of JSON members; NULL: that name, and no rank */
    const char *prefix;                             /* before the ids of lines; NULL: the file's name and a colon */
    fp_html_keep keep;                              /* of pages */
    bool skip_bad;                                  /* leave bad lines out and count them */
    size_t most_bytes;                              /* of each file, unpacked; 0: FP_MOST_BYTES */
    void (*skipped)(void *context, const fp_error *error); /* told of each bad line; may be NULL */
    void *context;
    const fp_progress *progress; /* may be NULL */
} fp_entries_options;

typedef struct fp_entries fp_entries;

/* Opens `inputs` ("-": standard input), which live as long as the entries, as `options` does. What is packed is
 * unpacked. The caller ends it with fp_entries_close. FP_ERROR_IO names the first that cannot be opened. */
fp_status fp_entries_open(const char *const *inputs, size_t count, const fp_entries_options *options, fp_arena *arena,
                          fp_entries **entries, fp_error *error);
void fp_entries_close(fp_entries *entries);

/* The texts. Can be read again where every input can. Errors have file, line and byte: those of fp_corpus_open for a
 * line of JSON, FP_ERROR_SYNTAX for a time that is none, FP_ERROR_ENCODING. */
fp_text_source fp_entries_source(fp_entries *entries);
/* The one at this position, which is in the batch that the source handed out last. */
const fp_entry *fp_entries_at(const fp_entries *entries, size_t position);
/* Bad lines and pages that were left out since the beginning. */
size_t fp_entries_skipped(const fp_entries *entries);
/* Whether entries have lines that are JSON objects in every input, or texts in every input: then what is chosen of them
 * can be written into one file of that form. */
bool fp_entries_alike(const fp_entries *entries, fp_entries_form *form);

#endif
