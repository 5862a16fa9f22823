/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * merge.h - several corpora as one. A document that stands in two of them with the same id, text and group is one; an
 * id or a group that means different things in two is a clash.
 */
#ifndef FP_MERGE_H
#define FP_MERGE_H

#include "corpora/importing/corpus_writer.h"

typedef struct fp_merge {
    const fp_corpus *corpora; /* [count] whole, read with the field "group" */
    size_t count;
    bool prefix; /* ids and groups that clash get the name of their corpus in front, "NAME:"; else they are an error */
    /* Told of each pair that has another label in an earlier corpus; may be NULL. */
    void (*conflict)(void *context, fp_string a, fp_string b, bool kept, const char *corpus);
    void *context;
} fp_merge;

typedef struct fp_merged {
    size_t documents, pairs, positives; /* written */
    size_t same;                        /* documents left out: they were there */
    size_t renamed, groups_renamed;
    size_t repeated;  /* pairs left out: they were there, with the same label */
    size_t conflicts; /* … with the other label: the first stays */
} fp_merged;

/* Writes all to `writer`, which the caller finishes. Memory holds ids and groups of all, no texts. FP_ERROR_DUPLICATE
 * for a clash, with the id or group; errors as of fp_corpus_each_line. `arena` is for what is needed meanwhile. */
fp_status fp_merge_run(const fp_merge *merge, fp_corpus_writer *writer, fp_arena *arena, fp_merged *made,
                       fp_error *error);

#endif
