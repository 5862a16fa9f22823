/* SPDX-License-Identifier: GPL-3.0-or-later
 * Arenas: a chain of blocks, each twice the last, filled from the front and released together. */
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* With the address sanitizer, arenas poison the free parts of their blocks and a gap between two pieces, so that an
 * overrun from one piece into the next is detected. */
#if defined(__SANITIZE_ADDRESS__)
#define FP_POISONS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FP_POISONS 1
#endif
#endif

#ifdef FP_POISONS
#include <sanitizer/asan_interface.h>
enum { FP_POISON_GAP = 16 }; /* bytes after a piece */
#define FP_POISON(place, size) ASAN_POISON_MEMORY_REGION(place, size)
#define FP_UNPOISON(place, size) ASAN_UNPOISON_MEMORY_REGION(place, size)
#else
enum { FP_POISON_GAP = 0 };
#define FP_POISON(place, size) ((void)(place), (void)(size))
#define FP_UNPOISON(place, size) ((void)(place), (void)(size))
#endif

enum { FIRST_BLOCK = 64 * 1024, ALIGNMENT = 64, SMALL_ALIGNMENT = 16 };

typedef struct block {
    struct block *next;
    size_t capacity; /* bytes after this header */
    size_t used;     /* of `capacity`, alignment included */
} block;

/* A growing piece is a separate allocation, linked in a list. */
typedef struct growing {
    struct growing *before, *next;
    size_t size;
} growing;

struct fp_arena {
    fp_allocator from;
    block *first;
    block *current; /* later blocks are empty */
    growing *growing;
    size_t used;
};

/* ---- Memory sources ---- */

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

/* ---- Arenas ---- */

static fp_arena *make_arena(const fp_allocator *from) {
    fp_arena *made = from->allocate(from->context, sizeof *made);
    if (made) *made = (fp_arena){.from = *from};
    return made;
}

fp_arena *fp_arena_new(void) { return make_arena(&DEFAULT); }
fp_arena *fp_arena_new_like(const fp_arena *arena) { return make_arena(allocator_of(arena)); }

fp_status fp_arena_new_with(const fp_allocator *allocator, fp_arena **arena, fp_error *error) {
    fp_allocator from;
    *arena = NULL;
    FP_TRY(fp_sized_copy(&from, sizeof from, allocator, "fp_allocator", error));
    if (!allocator) from = DEFAULT;
    if (!from.allocate || !from.resize || !from.release)
        return fp_fail(error, FP_ERROR_RANGE, "fp_allocator: allocate, resize and release must all be there");
    *arena = make_arena(&from);
    return *arena ? FP_OK : fp_no_memory(error);
}

/* ---- Blocks ---- */

/* The capacity excludes the header and includes room to align the first piece: allocators align to 16. */
static block *block_new(const fp_allocator *from, size_t capacity) {
    if (capacity > SIZE_MAX - sizeof(block) - ALIGNMENT) return NULL;
    capacity += ALIGNMENT;
    block *made = from->allocate(from->context, sizeof(block) + capacity);
    if (!made) return NULL;
    *made = (block){.capacity = capacity};
    FP_POISON(made + 1, capacity);
    return made;
}

static void block_empty(block *whole) {
    FP_POISON(whole + 1, whole->used);
    whole->used = 0;
}

/* Unpoisons the block first: the allocator gets it as it was. */
static void block_release(const fp_arena *arena, block *whole) {
    FP_UNPOISON(whole + 1, whole->capacity);
    fp_memory_release(arena, whole);
}

/* The place of `size` bytes in the block, or NULL when they do not fit. */
static void *block_take(block *from, size_t size, size_t alignment) {
    char *bytes = (char *)(from + 1);
    size_t begin = from->used ? from->used + FP_POISON_GAP : 0;
    size_t start = begin + (size_t)(-((uintptr_t)bytes + begin) & (alignment - 1));
    if (start > from->capacity || size > from->capacity - start) return NULL;
    from->used = start + size;
    FP_UNPOISON(bytes + start, size);
    return bytes + start;
}

void *fp_arena_raw(fp_arena *arena, size_t count, size_t size) {
    if (size && count > SIZE_MAX / size) return NULL;
    size_t total = count * size;
    size_t alignment = total >= ALIGNMENT ? ALIGNMENT : SMALL_ALIGNMENT;
    arena->used += total;
    while (arena->current) {
        void *place = block_take(arena->current, total, alignment);
        if (place) return place;
        block *next = arena->current->next;
        if (!next) break;
        block_empty(next);
        arena->current = next;
    }
    size_t capacity = arena->current ? arena->current->capacity * 2 : FIRST_BLOCK;
    if (capacity < total) capacity = total;
    block *made = block_new(&arena->from, capacity);
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

/* ---- Growing pieces ---- */

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

/* ---- Reset and release ---- */

void fp_arena_reset(fp_arena *arena) {
    release_growing(arena);
    arena->current = arena->first;
    if (arena->first) block_empty(arena->first);
    /* Later blocks are emptied when they are reached; poisoning must happen now. */
    for (block *at = arena->first; FP_POISON_GAP > 0 && at; at = at->next) block_empty(at);
    arena->used = 0;
}

size_t fp_arena_used(const fp_arena *arena) { return arena->used; }

void fp_arena_free(fp_arena *arena) {
    if (!arena) return;
    release_growing(arena);
    for (block *at = arena->first; at;) {
        block *next = at->next;
        block_release(arena, at);
        at = next;
    }
    fp_memory_release(&(fp_arena){.from = arena->from}, arena);
}
