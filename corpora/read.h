/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * read.h - a corpus that is being read: what its two files share.
 */
#ifndef FP_READ_H
#define FP_READ_H

#include "corpora/corpus.h"
#include "corpora/row.h"

/* With the options that decide what a bad row does. */
typedef struct fp_corpus_reading {
    const fp_corpus_options *options;
    fp_arena *arena;
    fp_corpus *corpus;
    fp_numbering ids; /* numbered as the documents are */
    fp_error *error;
} fp_corpus_reading;

/* A row that cannot be taken, told by in->error: left out and counted, or the end. */
fp_status fp_corpus_bad_row(fp_corpus_reading *in, const char *path, size_t row);

/* The first of docs.jsonl, docs.jsonl.gz and docs.jsonl.zst that is there; docs.jsonl when none is. NULL when there is
 * no memory. */
const char *fp_corpus_documents_path(const char *directory, fp_arena *arena);

fp_status fp_corpus_read_documents(fp_corpus_reading *in);
/* Nothing where there is no pairs.tsv. */
fp_status fp_corpus_read_pairs(fp_corpus_reading *in);

static inline size_t fp_corpus_most_bytes(const fp_corpus_options *options) {
    return options->most_bytes ? options->most_bytes : FP_MOST_BYTES;
}

#endif
