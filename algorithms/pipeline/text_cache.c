/* SPDX-License-Identifier: GPL-3.0-or-later
 * Texts that are kept from one pass to the next. A copy that cannot be had is done without. */
#include "algorithms/pipeline/text_cache.h"

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

/* The bytes of tokens, text and initials, one after the other; NULL where there is no room. */
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
