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
    void *start; /* as the allocator gave it: pieces are aligned here */
} piece;

/* A piece that grows stands by itself, in a list. */
typedef struct growing {
    struct growing *before, *next;
    size_t size;
} growing;

struct fp_arena {
    fp_allocator from;
    piece *first;
    growing *growing;
    size_t used;
};

static void *allocate(void *context, size_t size) {
    (void)context;
    return malloc(size);
}

static void *resize(void *context, void *place, size_t size) {
    (void)context;
    return realloc(place, size);
}

static void release(void *context, void *place) {
    (void)context;
    free(place);
}

static const fp_allocator DEFAULT = {sizeof(fp_allocator), NULL, allocate, resize, release};

static const fp_allocator *allocator_of(const fp_arena *arena) { return arena ? &arena->from : &DEFAULT; }

static fp_arena *make_arena(const fp_allocator *from) {
    fp_arena *made = from->allocate(from->context, sizeof *made);
    if (made) *made = (fp_arena){.from = *from};
    return made;
}

fp_arena *fp_arena_new(void) { return make_arena(&DEFAULT); }
fp_arena *fp_arena_new_like(const fp_arena *arena) { return make_arena(allocator_of(arena)); }

fp_status fp_arena_new_with(const fp_allocator *allocator, fp_arena **arena, fp_error *error) {
    *arena = make_arena(allocator ? allocator : &DEFAULT);
    return *arena ? FP_OK : fp_no_memory(error);
}

void *fp_memory_take(const fp_arena *like, size_t count, size_t size) {
    const fp_allocator *from = allocator_of(like);
    if (size && count > SIZE_MAX / size) return NULL;
    size_t total = count && size ? count * size : 1;
    void *place = from->allocate(from->context, total);
    return place ? memset(place, 0, total) : NULL;
}

void *fp_memory_resize(const fp_arena *like, void *place, size_t size) {
    const fp_allocator *from = allocator_of(like);
    return place ? from->resize(from->context, place, size) : from->allocate(from->context, size);
}

void fp_memory_release(const fp_arena *like, void *place) {
    const fp_allocator *from = allocator_of(like);
    if (place) from->release(from->context, place);
}

void *fp_arena_raw(fp_arena *arena, size_t count, size_t size) {
    if (size && count > (SIZE_MAX - 3 * ALIGNMENT) / size) return NULL;
    char *start = arena->from.allocate(arena->from.context, count * size + 2 * ALIGNMENT);
    if (!start) return NULL;
    piece *made = (piece *)(start + (-(uintptr_t)start & (ALIGNMENT - 1)));
    *made = (piece){arena->first, start};
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
    growing *made = fp_memory_resize(arena, old, GROWING_HEADER + size);
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
        fp_memory_release(arena, arena->growing);
        arena->growing = next;
    }
}

void fp_arena_reset(fp_arena *arena) {
    release_growing(arena);
    while (arena->first) {
        piece *next = arena->first->next;
        fp_memory_release(arena, arena->first->start);
        arena->first = next;
    }
    arena->used = 0;
}

size_t fp_arena_used(const fp_arena *arena) { return arena->used; }

void fp_arena_free(fp_arena *arena) {
    if (!arena) return;
    fp_arena_reset(arena);
    arena->from.release(arena->from.context, arena);
}
