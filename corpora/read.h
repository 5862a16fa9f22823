/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * read.h - shared state of the two readers of a corpus directory.
 */
#ifndef FP_READ_H
#define FP_READ_H

#include "corpora/corpus.h"
#include "corpora/row.h"

/* A corpus during reading; the options decide how bad rows are handled. */
typedef struct fp_corpus_reading {
    const fp_corpus_opening *options;
    fp_arena *arena;
    fp_corpus *corpus;
    fp_numbering ids; /* numbered in document order */
    fp_error *error;
} fp_corpus_reading;

/* Handles a bad row with error in->error: skips and counts it, or fails. */
fp_status fp_corpus_bad_row(fp_corpus_reading *in, const char *path, size_t row);

/* The first of docs.jsonl, docs.jsonl.gz and docs.jsonl.zst that exists, else docs.jsonl. NULL when there is no
 * memory. */
const char *fp_corpus_documents_path(const char *directory, fp_arena *arena);

fp_status fp_corpus_read_documents(fp_corpus_reading *in);
/* Does nothing if there is no pairs.tsv. */
fp_status fp_corpus_read_pairs(fp_corpus_reading *in);

static inline size_t fp_corpus_most_bytes(const fp_corpus_opening *options) {
    return options->most_bytes ? options->most_bytes : FP_MOST_BYTES;
}

#endif
