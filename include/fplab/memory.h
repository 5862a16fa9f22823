/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab/memory.h - arenas.
 */
#ifndef FPLAB_MEMORY_H
#define FPLAB_MEMORY_H 1

#include <stddef.h>
#include <fplab/status.h>

FP_BEGIN

/* A region of memory that is released all at once. One thread at a time. */
typedef struct fp_arena fp_arena;

/* A source of memory. All three functions are required. Several threads call them at once, including threads that the
 * library starts. They must neither call the library nor leave by longjmp. May grow at the end. */
typedef struct fp_allocator {
    size_t size; /* sizeof(fp_allocator) */
    void *context;
    /* `size` bytes, 1 or more, aligned to 16; NULL when out of memory. */
    void *(*allocate)(void *context, size_t size);
    /* Like realloc: `place` is not NULL, and is unchanged if the result is NULL. */
    void *(*resize)(void *context, void *place, size_t size);
    /* `place` is not NULL. */
    void (*release)(void *context, void *place);
} fp_allocator;

/* Makes an arena on malloc; NULL when out of memory. */
fp_arena *fp_arena_new(void);
/* Makes an arena on an allocator, which is copied; its context must outlive the arena. NULL: malloc. Temporary memory
 * of the library comes from the allocator of the arena, arm, corpus or evaluation that it works for. FP_ERROR_RANGE for
 * a missing function, FP_ERROR_ABI, FP_ERROR_MEMORY.
 *
 * Other libraries allocate their own memory elsewhere: zlib, Zstandard, ICU, GSL, and the C library for files,
 * directories, threads and plug-ins. */
fp_status fp_arena_new_with(const fp_allocator *allocator, fp_arena **arena, fp_error *error);
/* Makes an arena with the memory source of `arena`, which is only read; NULL: malloc. For an algorithm's own memory.
 * NULL when out of memory. */
fp_arena *fp_arena_new_like(const fp_arena *arena);
/* `count` × `size` bytes, zeroed, aligned to 64 bytes when the product is 64 or more and to 16 otherwise. NULL when the
 * product overflows or there is no memory. A zero product gives a valid pointer to nothing. */
void *fp_arena_alloc(fp_arena *arena, size_t count, size_t size);
/* The same, not zeroed: for buffers that are filled at once. */
void *fp_arena_raw(fp_arena *arena, size_t count, size_t size);
/* Invalidates every allocation and keeps the memory for the next ones. */
void fp_arena_reset(fp_arena *arena);
/* Bytes allocated since the last reset. */
size_t fp_arena_used(const fp_arena *arena);
/* `arena` may be NULL. */
void fp_arena_free(fp_arena *arena);

FP_END

#endif
