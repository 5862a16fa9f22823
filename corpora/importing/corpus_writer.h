/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * corpus_writer.h - a corpus that is written, document by document: docs.jsonl, pairs.tsv and MANIFEST.json in a
 * directory that is there. The files appear when all is written.
 */
#ifndef FP_CORPUS_WRITER_H
#define FP_CORPUS_WRITER_H

#include "corpora/corpus.h"
#include "corpora/json_writer.h"

typedef struct fp_corpus_writer fp_corpus_writer;

/* `directory` and what is written live in memory from `arena`. FP_ERROR_IO. */
fp_status fp_corpus_writer_open(const char *directory, fp_arena *arena, fp_corpus_writer **writer, fp_error *error);
/* Gives up: nothing appears. Takes NULL, and one that was finished. */
void fp_corpus_writer_discard(fp_corpus_writer *writer);

/* A member beside id, text, group and lang; an empty value is not written. */
typedef struct fp_corpus_member {
    const char *name;
    fp_string value;
} fp_corpus_member;

/* Empty: none, but for id and text. */
typedef struct fp_corpus_written {
    fp_string id, text, group, language;
    const fp_corpus_member *members; /* [member_count] */
    size_t member_count;
    /* Writes members that are no texts, behind the others; NULL: there are none. */
    void (*more)(const void *context, fp_json_writer *json);
    const void *context;
} fp_corpus_written;

/* Strings are UTF-8; ids differ, which the reader of the corpus checks. */
fp_status fp_corpus_writer_document(fp_corpus_writer *writer, const fp_corpus_written *document, fp_error *error);
/* A document as a line of JSON without its end, as fp_corpus_row_parse takes it. */
fp_status fp_corpus_writer_line(fp_corpus_writer *writer, fp_string line, fp_error *error);
/* Of documents that are written before or after; an empty kind is none. */
fp_status fp_corpus_writer_pair(fp_corpus_writer *writer, fp_string a, fp_string b, bool label, fp_string kind,
                                fp_error *error);

/* What the manifest says beside counts and checksums; NULL: nothing. */
typedef struct fp_corpus_described {
    const char *name, *language, *source, *licence, *description;
} fp_corpus_described;

/* Ends the files, reads the corpus once more, so that it is one, and describes it. What fp_corpus_read says. */
fp_status fp_corpus_writer_finish(fp_corpus_writer *writer, const fp_corpus_described *described, fp_error *error);

/* ---- the documents of a corpus as they stand in their file, with all members, to be written again. ---- */

/* The line of a document, without its end, lasts until it returns. */
typedef fp_status fp_corpus_line_visit(void *context, size_t document, fp_string line, fp_error *error);

/* Calls `visit` for every document in order, from one pass over the file. The corpus is whole (no part), and its file
 * can be read twice: FP_ERROR_IO for one that was a pipe, or that has changed. Stops at the first status that is not
 * FP_OK, and returns it. */
fp_status fp_corpus_each_line(const fp_corpus *corpus, fp_corpus_line_visit *visit, void *context, fp_error *error);

#endif
