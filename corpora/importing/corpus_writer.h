/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * corpus_writer.h - writes a corpus document by document: docs.jsonl, pairs.tsv and MANIFEST.json in an existing
 * directory. The files appear when all is written.
 */
#ifndef FP_CORPUS_WRITER_H
#define FP_CORPUS_WRITER_H

#include "corpora/corpus.h"
#include "corpora/json_writer.h"

typedef struct fp_corpus_writer fp_corpus_writer;

/* Opens the output. `directory` must outlive the writer, which lives in `arena`. FP_ERROR_IO. */
fp_status fp_corpus_writer_open(const char *directory, fp_arena *arena, fp_corpus_writer **writer, fp_error *error);
/* Gives up: nothing appears. Accepts NULL, and a finished writer. */
void fp_corpus_writer_discard(fp_corpus_writer *writer);

/* A member besides id, text, group and lang; an empty value is not written. */
typedef struct fp_corpus_member {
    const char *name;
    fp_string value;
} fp_corpus_member;

/* All except id and text may be empty. */
typedef struct fp_corpus_written {
    fp_string id, text, group, language;
    const fp_corpus_member *members; /* [member_count] */
    size_t member_count;
    /* Writes members that are not strings, after the others. May be NULL. */
    void (*more)(const void *context, fp_json_writer *json);
    const void *context;
} fp_corpus_written;

/* Strings are UTF-8. Ids must be unique; the reader of the corpus checks this. */
fp_status fp_corpus_writer_document(fp_corpus_writer *writer, const fp_corpus_written *document, fp_error *error);
/* Writes a document as a line of JSON without its line end, as fp_corpus_row_parse reads it. */
fp_status fp_corpus_writer_line(fp_corpus_writer *writer, fp_string line, fp_error *error);
/* The documents may be written before or after; the kind may be empty. */
fp_status fp_corpus_writer_pair(fp_corpus_writer *writer, fp_string a, fp_string b, bool label, fp_string kind,
                                fp_error *error);

/* Content of the manifest besides counts and checksums; a NULL member is omitted. */
typedef struct fp_corpus_described {
    const char *name, *language, *source, *licence, *description;
} fp_corpus_described;

/* Closes the files, reads the corpus again to check it, and writes the manifest. Errors of fp_corpus_read. */
fp_status fp_corpus_writer_finish(fp_corpus_writer *writer, const fp_corpus_described *described, fp_error *error);

#endif
