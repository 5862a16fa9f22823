/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arenas that allocate every piece by itself, in place of base/arena.c: a program linked with them meets a failure at
 * every place where the other asks its arena, not only where a block is full.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

enum { ALIGNMENT = 64 };

typedef struct piece {
    struct piece *next;
} piece;

/* A piece that grows stands by itself, in a list. */
typedef struct growing {
    struct growing *before, *next;
    size_t size;
} growing;

struct fp_arena {
    piece *first;
    growing *growing;
    size_t used;
};

fp_arena *fp_arena_new(void) { return calloc(1, sizeof(fp_arena)); }

/* The program has no allocator of its own. */
fp_arena *fp_arena_new_like(const fp_arena *arena) {
    (void)arena;
    return fp_arena_new();
}

fp_status fp_arena_new_with(const fp_allocator *allocator, fp_arena **arena, fp_error *error) {
    (void)allocator;
    *arena = fp_arena_new();
    return *arena ? FP_OK : fp_no_memory(error);
}

void *fp_memory_take(const fp_arena *like, size_t count, size_t size) {
    (void)like;
    return calloc(count, size);
}

void *fp_memory_resize(const fp_arena *like, void *place, size_t size) {
    (void)like;
    return realloc(place, size);
}

void fp_memory_release(const fp_arena *like, void *place) {
    (void)like;
    free(place);
}

void *fp_arena_raw(fp_arena *arena, size_t count, size_t size) {
    if (size && count > (SIZE_MAX - 3 * ALIGNMENT) / size) return NULL;
    size_t whole = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + ALIGNMENT;
    piece *made = aligned_alloc(ALIGNMENT, whole);
    if (!made) return NULL;
    made->next = arena->first;
    arena->first = made;
    arena->used += count * size;
    return (char *)made + ALIGNMENT;
}

void *fp_arena_alloc(fp_arena *arena, size_t count, size_t size) {
    void *made = fp_arena_raw(arena, count, size);
    if (made) memset(made, 0, count * size);
    return made;
}

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

void fp_arena_reset(fp_arena *arena) {
    release_growing(arena);
    while (arena->first) {
        piece *next = arena->first->next;
        free(arena->first);
        arena->first = next;
    }
    arena->used = 0;
}

size_t fp_arena_used(const fp_arena *arena) { return arena->used; }

void fp_arena_free(fp_arena *arena) {
    if (!arena) return;
    fp_arena_reset(arena);
    free(arena);
}
