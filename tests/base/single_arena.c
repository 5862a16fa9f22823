/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arenas that allocate every piece by itself, in place of base/arena.c: a program linked with them meets a failure at
 * every place where the other asks its arena, not only where a block is full.
 */
#include <stdlib.h>
#include <string.h>

#include "fplab.h"

enum { ALIGNMENT = 64 };

typedef struct piece {
    struct piece *next;
} piece;

struct fp_arena {
    piece *first;
    size_t used;
};

fp_arena *fp_arena_new(void) { return calloc(1, sizeof(fp_arena)); }

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

void fp_arena_reset(fp_arena *arena) {
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
