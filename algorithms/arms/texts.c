/* SPDX-License-Identifier: GPL-3.0-or-later
 * Batches of texts, one ahead. */
#include "algorithms/arms/texts.h"

#include <string.h>

/* ---- Reading one batch ahead ---- */

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

/* Contiguous copies of `count` strings; NULL when memory runs out. */
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
    return fp_fail(error, FP_ERROR_IO,
                   "a source that can be read only once cannot be used for both fitting and sketching");
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

/* ---- Cache of texts between passes; a text for which there is no room is not kept ---- */

fp_status fp_text_cache_open(fp_text_cache *cache, size_t most, size_t specifications, const fp_arena *like,
                             fp_error *error) {
    *cache = (fp_text_cache){.lock = PTHREAD_MUTEX_INITIALIZER, .arena = fp_arena_new_like(like), .most = most};
    if (cache->arena) cache->each = fp_arena_raw(cache->arena, specifications, sizeof *cache->each);
    return cache->each ? FP_OK : fp_no_memory(error);
}

void fp_text_cache_close(fp_text_cache *cache) {
    fp_arena_free(cache->arena);
    pthread_mutex_destroy(&cache->lock);
}

fp_cached_texts *fp_text_cache_find(fp_text_cache *cache, const fp_arm *arm, bool make) {
    for (size_t i = 0; i < cache->count; i++)
        if (fp_arm_same_text(cache->each[i].arm, arm)) return cache->each + i;
    if (!make) return NULL;
    cache->each[cache->count] = (fp_cached_texts){.arm = arm};
    return cache->each + cache->count++;
}

void fp_text_cache_expect(fp_text_cache *cache, fp_cached_texts *texts, size_t end) {
    if (end <= texts->room || fp_arena_used(cache->arena) >= cache->most) return;
    size_t room = end > texts->room * 2 ? end : texts->room * 2;
    fp_text *larger = fp_arena_grow(cache->arena, texts->texts, room * sizeof *larger);
    if (!larger) return;
    memset(larger + texts->room, 0, (room - texts->room) * sizeof *larger);
    texts->texts = larger;
    texts->room = room;
}

/* Space for the bytes of tokens, text and initials, in this order; NULL if the cache is full. */
static char *take_room(fp_text_cache *cache, size_t bytes) {
    char *room = NULL;
    pthread_mutex_lock(&cache->lock);
    size_t used = fp_arena_used(cache->arena);
    if (used < cache->most && bytes < cache->most - used) room = fp_arena_raw(cache->arena, bytes, 1);
    pthread_mutex_unlock(&cache->lock);
    return room;
}

static fp_string copy_string(fp_string from, char *to) {
    if (from.length) memcpy(to, from.data, from.length);
    return (fp_string){to, from.length};
}

void fp_text_cache_keep(fp_text_cache *cache, fp_cached_texts *to, size_t position, const fp_text *text) {
    size_t tokens = text->tokens.count * sizeof *text->tokens.token;
    if (position >= to->room) return;
    char *room = take_room(cache, tokens + text->text.length + text->initials.length);
    if (!room) return;
    if (tokens) memcpy(room, text->tokens.token, tokens);
    to->texts[position].tokens = (fp_tokens){(const fp_token *)(const void *)room, text->tokens.count};
    to->texts[position].initials = copy_string(text->initials, room + tokens + text->text.length);
    to->texts[position].text = copy_string(text->text, room + tokens);
}
