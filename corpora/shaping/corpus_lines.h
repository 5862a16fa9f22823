/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * corpus_lines.h - the documents of a corpus as they stand in their file, with all members, to be written again.
 */
#ifndef FP_CORPUS_LINES_H
#define FP_CORPUS_LINES_H

#include "corpora/corpus.h"

/* The line of a document, without its end, lasts until it returns. */
typedef fp_status fp_corpus_line_visit(void *context, size_t document, fp_string line, fp_error *error);

/* Calls `visit` for every document in order, from one pass over the file. The corpus is whole (no part), and its file
 * can be read twice: FP_ERROR_IO for one that was a pipe, or that has changed. Stops at the first status that is not
 * FP_OK, and returns it. */
fp_status fp_corpus_each_line(const fp_corpus *corpus, fp_corpus_line_visit *visit, void *context, fp_error *error);

#endif
