/* SPDX-License-Identifier: GPL-3.0-or-later
 * Arenas: a chain of blocks, each twice the last, filled from the front and released together. */
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

enum { FIRST_BLOCK = 64 * 1024, ALIGNMENT = 64, SMALL_ALIGNMENT = 16 };

typedef struct block {
    struct block *next;
    size_t capacity; /* bytes behind this header */
    size_t used;
} block;

/* A piece that grows stands by itself, in a list. */
typedef struct growing {
    struct growing *before, *next;
    size_t size;
} growing;

struct fp_arena {
    block *first;
    block *current; /* blocks behind it are empty */
    growing *growing;
    size_t used;
};

static const size_t HEADER = (sizeof(block) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

static block *block_new(size_t capacity) {
    if (capacity > SIZE_MAX - HEADER - ALIGNMENT) return NULL;
    size_t size = (HEADER + capacity + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    block *made = aligned_alloc(ALIGNMENT, size);
    if (!made) return NULL;
    *made = (block){.capacity = size - HEADER};
    return made;
}

fp_arena *fp_arena_new(void) { return calloc(1, sizeof(fp_arena)); }

/* The place of `size` bytes in the block, or NULL when they do not fit. */
static void *block_take(block *from, size_t size, size_t alignment) {
    size_t start = (from->used + alignment - 1) / alignment * alignment;
    if (start > from->capacity || size > from->capacity - start) return NULL;
    from->used = start + size;
    return (char *)from + HEADER + start;
}

void *fp_arena_raw(fp_arena *arena, size_t count, size_t size) {
    if (size && count > SIZE_MAX / size) return NULL;
    size_t total = count * size;
    size_t alignment = total >= ALIGNMENT ? ALIGNMENT : SMALL_ALIGNMENT;
    arena->used += total;
    while (arena->current) {
        void *place = block_take(arena->current, total, alignment);
        if (place) return place;
        if (!arena->current->next) break;
        arena->current = arena->current->next;
        arena->current->used = 0;
    }
    size_t capacity = arena->current ? arena->current->capacity * 2 : FIRST_BLOCK;
    if (capacity < total) capacity = total;
    block *made = block_new(capacity);
    if (!made) return NULL;
    if (arena->current) arena->current->next = made;
    else arena->first = made;
    arena->current = made;
    return block_take(made, total, alignment);
}

void *fp_arena_alloc(fp_arena *arena, size_t count, size_t size) {
    void *place = fp_arena_raw(arena, count, size);
    if (place) memset(place, 0, count * size);
    return place;
}

/* ---- What grows ---- */

static const size_t GROWING_HEADER = (sizeof(growing) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

void *fp_arena_grow(fp_arena *arena, void *place, size_t size) {
    growing *old = place ? (growing *)((char *)place - GROWING_HEADER) : NULL;
    if (size > SIZE_MAX - GROWING_HEADER) return NULL;
    growing *made = realloc(old, GROWING_HEADER + size);
    if (!made) return NULL;
    if (!old) *made = (growing){.next = arena->growing};
    *(made->before ? &made->before->next : &arena->growing) = made;
    if (made->next) made->next->before = made;
    arena->used += size - made->size;
    made->size = size;
    return (char *)made + GROWING_HEADER;
}

static void release_growing(fp_arena *arena) {
    while (arena->growing) {
        growing *next = arena->growing->next;
        free(arena->growing);
        arena->growing = next;
    }
}

/* ---- All of it ---- */

void fp_arena_reset(fp_arena *arena) {
    release_growing(arena);
    arena->current = arena->first;
    if (arena->first) arena->first->used = 0;
    arena->used = 0;
}

size_t fp_arena_used(const fp_arena *arena) { return arena->used; }

void fp_arena_free(fp_arena *arena) {
    if (!arena) return;
    release_growing(arena);
    for (block *at = arena->first; at;) {
        block *next = at->next;
        free(at);
        at = next;
    }
    free(arena);
}
