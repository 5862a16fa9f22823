/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * convert.h - exports a corpus to one table, for programs that cannot read corpora.
 */
#ifndef FP_CONVERT_H
#define FP_CONVERT_H

#include "corpora/corpus.h"

typedef enum fp_convert_form {
    FP_CONVERT_TSV, /* a header; tabs and line ends inside a text become blanks */
    FP_CONVERT_CSV, /* RFC 4180, with a header: texts are kept exactly */
    FP_CONVERT_JSONL
} fp_convert_form;

typedef struct fp_converting {
    const fp_corpus *corpus; /* read with the fields "lang" and "group" */
    fp_convert_form form;
    bool ids; /* for pairs: adds their ids, id_a and id_b */
    FILE *stream;
    size_t changed; /* output: number of texts from which tabs or line ends were removed */
} fp_converting;

/* Writes a row of id, text, lang, group for each document, in one pass over the file. In JSON the label is a number,
 * all other values are strings. Errors of the stream are left in it. Errors as for fp_corpus_source. */
fp_status fp_convert_documents(fp_converting *convert, fp_error *error);
/* Writes a row of text_a, text_b, label, kind for each labelled pair. Holds all texts of pairs in memory.
 * FP_ERROR_EMPTY for a corpus without pairs.tsv. */
fp_status fp_convert_pairs(fp_converting *convert, fp_arena *arena, fp_error *error);

#endif
