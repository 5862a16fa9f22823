/* SPDX-License-Identifier: GPL-3.0-or-later
 * The texts of a corpus, a batch after the other. */
#include "corpora/corpus.h"

enum { BATCH = 1024 };

typedef struct reading {
    const fp_corpus *corpus;
    size_t next;
    fp_string text[BATCH], id[BATCH];
} reading;

static fp_status next_batch(void *context, fp_text_batch *batch, fp_error *error) {
    (void)error;
    reading *at = context;
    size_t left = at->corpus->document_count - at->next, count = left < BATCH ? left : BATCH;
    for (size_t i = 0; i < count; i++) {
        at->text[i] = at->corpus->documents[at->next + i].text;
        at->id[i] = at->corpus->documents[at->next + i].id;
    }
    *batch = (fp_text_batch){.first = at->next, .count = count, .text = at->text, .id = at->id};
    at->next += count;
    return FP_OK;
}

static fp_status start_again(void *context, fp_error *error) {
    (void)error;
    reading *at = context;
    at->next = 0;
    return FP_OK;
}

fp_status fp_corpus_source(const fp_corpus *corpus, fp_arena *arena, fp_text_source *source, fp_error *error) {
    reading *at = fp_arena_alloc(arena, 1, sizeof *at);
    if (!at) return fp_no_memory(error);
    at->corpus = corpus;
    *source = (fp_text_source){.context = at,
                               .count = corpus->document_count,
                               .name = corpus->path,
                               .next = next_batch,
                               .rewind = start_again};
    return FP_OK;
}
