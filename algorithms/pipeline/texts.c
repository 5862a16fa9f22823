/* SPDX-License-Identifier: GPL-3.0-or-later
 * Batches of texts, one ahead. */
#include "algorithms/pipeline/texts.h"

#include <string.h>

/* ---- One ahead ---- */

fp_status fp_texts_open(fp_texts *texts, const fp_text_source *source, bool ahead, const fp_arena *like,
                        fp_error *error) {
    *texts = (fp_texts){.source = source, .ahead = ahead};
    for (size_t s = 0; ahead && s < 2; s++) {
        texts->side[s].arena = fp_arena_new_like(like);
        if (texts->side[s].arena) continue;
        fp_texts_close(texts);
        return fp_no_memory(error);
    }
    return FP_OK;
}

void fp_texts_close(fp_texts *texts) {
    for (size_t s = 0; s < 2; s++) {
        fp_arena_free(texts->side[s].arena);
        texts->side[s].arena = NULL;
    }
}

/* Copies of `count` strings, one behind the other; NULL when there is no memory. */
static const fp_string *copy_strings(const fp_string *from, size_t count, fp_arena *arena) {
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) bytes += from[i].length;
    fp_string *made = fp_arena_raw(arena, count, sizeof *made);
    char *to = fp_arena_raw(arena, bytes, 1);
    for (size_t i = 0; made && to && i < count; to += from[i++].length) {
        made[i] = (fp_string){to, from[i].length};
        if (from[i].length) memcpy(to, from[i].data, from[i].length);
    }
    return to ? made : NULL;
}

static fp_status read_batch(fp_texts *texts, fp_texts_side *to) {
    fp_text_batch *batch = &to->batch;
    if (to->arena) fp_arena_reset(to->arena);
    FP_TRY(texts->source->next(texts->source->context, batch, &to->error));
    if (!texts->ahead || batch->count == 0) return FP_OK;
    batch->text = copy_strings(batch->text, batch->count, to->arena);
    bool named = batch->id != NULL;
    if (named) batch->id = copy_strings(batch->id, batch->count, to->arena);
    return batch->text && (batch->id || !named) ? FP_OK : fp_no_memory(&to->error);
}

void fp_texts_read(fp_texts *texts) {
    fp_texts_side *to = texts->side + texts->next;
    to->status = read_batch(texts, to);
    texts->read = true;
}

fp_status fp_texts_next(fp_texts *texts, fp_text_batch *batch, fp_error *error) {
    if (!texts->read) fp_texts_read(texts);
    fp_texts_side *from = texts->side + texts->next;
    texts->read = false;
    if (texts->ahead) texts->next = 1 - texts->next;
    *batch = from->batch;
    if (from->status != FP_OK && error) *error = from->error;
    return from->status;
}

fp_status fp_texts_rewind(fp_texts *texts, fp_error *error) {
    texts->read = false;
    if (texts->source->rewind) return texts->source->rewind(texts->source->context, error);
    return fp_fail(error, FP_ERROR_IO, "what is read once cannot be learned from and sketched");
}

/* ---- Strings ---- */

enum { BATCH = 1024, BYTES = 1 << 20 };

static fp_status next_strings(void *context, fp_text_batch *batch, fp_error *error) {
    (void)error;
    fp_string_source *from = context;
    size_t count = 0, left = from->count - from->next;
    for (size_t bytes = 0; count < left && count < BATCH && bytes < BYTES; count++)
        bytes += from->texts[from->next + count].length;
    *batch = (fp_text_batch){.first = from->next, .count = count, .text = from->texts + from->next};
    if (from->ids) batch->id = from->ids + from->next;
    from->next += count;
    return FP_OK;
}

static fp_status first_strings(void *context, fp_error *error) {
    (void)error;
    fp_string_source *from = context;
    from->next = 0;
    return FP_OK;
}

fp_text_source fp_source_of_strings(fp_string_source *strings) {
    return (fp_text_source){.context = strings, .count = strings->count, .next = next_strings, .rewind = first_strings};
}
