/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * merge.h - merges several corpora into one. A document with the same id, text and group in two corpora is written
 * once; an id or a group with different meanings in two corpora is a clash.
 */
#ifndef FP_MERGE_H
#define FP_MERGE_H

#include "corpora/importing/corpus_writer.h"

typedef struct fp_merge {
    const fp_corpus *corpora; /* [count] whole, read with the field "group" */
    size_t count;
    bool prefix; /* ids and groups that clash are prefixed with the name of their corpus, "NAME:"; else they are an
                    error */
    /* Called for each pair that has another label in an earlier corpus; may be NULL. */
    void (*conflict)(void *context, fp_string a, fp_string b, bool kept, const char *corpus);
    void *context;
} fp_merge;

typedef struct fp_merged {
    size_t documents, pairs, positives; /* written */
    size_t same;                        /* documents skipped: repeated */
    size_t renamed, groups_renamed;
    size_t repeated;  /* pairs skipped: repeated with the same label */
    size_t conflicts; /* … with the other label: the first is kept */
} fp_merged;

/* Writes everything to `writer`, which the caller finishes. Memory holds the ids and groups of all corpora, but no
 * texts. FP_ERROR_DUPLICATE for a clash, with the id or group; errors as for fp_corpus_each_line. `arena` holds
 * temporary data. */
fp_status fp_merge_run(const fp_merge *merge, fp_corpus_writer *writer, fp_arena *arena, fp_merged *made,
                       fp_error *error);

#endif
