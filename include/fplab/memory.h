/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab/memory.h - regions of memory.
 */
#ifndef FPLAB_MEMORY_H
#define FPLAB_MEMORY_H 1

#include <stddef.h>
#include <fplab/version.h>

FP_BEGIN

/* A region of memory that is released all at once. One thread at a time. */
typedef struct fp_arena fp_arena;

/* NULL when there is no memory. */
fp_arena *fp_arena_new(void);
/* `count` × `size` bytes, zeroed, aligned to 64 bytes when the product is 64 or more and to 16 otherwise. NULL when the
 * product overflows or there is no memory. A zero product gives a valid pointer to nothing. */
void *fp_arena_alloc(fp_arena *arena, size_t count, size_t size);
/* The same, not zeroed: for buffers that are filled at once. */
void *fp_arena_raw(fp_arena *arena, size_t count, size_t size);
/* Forgets every allocation and keeps the memory for the next ones. */
void fp_arena_reset(fp_arena *arena);
/* Bytes handed out since the last reset. */
size_t fp_arena_used(const fp_arena *arena);
/* `arena` may be NULL. */
void fp_arena_free(fp_arena *arena);

FP_END

#endif
