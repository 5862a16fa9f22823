/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * convert.h - a corpus in one table, for programs that read no corpora.
 */
#ifndef FP_CONVERT_H
#define FP_CONVERT_H

#include "corpora/corpus.h"

typedef enum fp_convert_form {
    FP_CONVERT_TSV, /* a header; tabs and line ends inside a text become blanks */
    FP_CONVERT_CSV, /* RFC 4180, with a header: every text is kept as it is */
    FP_CONVERT_JSONL
} fp_convert_form;

typedef struct fp_converting {
    const fp_corpus *corpus; /* read with the fields "lang" and "group" */
    fp_convert_form form;
    bool ids; /* of pairs, their ids, too: id_a, id_b */
    FILE *stream;
    size_t changed; /* filled: texts that tabs or line ends were taken out of */
} fp_converting;

/* Rows of id, text, lang, group, one for each document, from a pass over the file. The label of a JSON object is a
 * number, all else a string. Errors of the stream stay with it. Errors as of fp_corpus_source. */
fp_status fp_convert_documents(fp_converting *convert, fp_error *error);
/* Rows of text_a, text_b, label, kind, one for each labelled pair. All texts in pairs are in memory. FP_ERROR_EMPTY for
 * a corpus without pairs.tsv. */
fp_status fp_convert_pairs(fp_converting *convert, fp_arena *arena, fp_error *error);

#endif
