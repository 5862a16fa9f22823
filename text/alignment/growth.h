/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * growth.h - one run grown to both sides: over gaps to further runs, and beyond the last of them.
 */
#ifndef FP_GROWTH_H
#define FP_GROWTH_H

#include "text/alignment/lcs.h"
#include "text/alignment/runs.h"

/* Gaps have at most FP_LCS_WINDOW symbols of either text. */
typedef struct fp_growth {
    const fp_symbols *text[2]; /* a, b */
    const fp_runs *runs;
    uint64_t *taken[2]; /* a bit a symbol, and 64 more: in a passage already */
    size_t *first;      /* [blocks + 1] of 64 symbols of b: into `which` */
    uint32_t *which;    /* the runs that touch the block */
    size_t work;        /* windows that may still be looked at */
    /* The chain that is being made: parts, ascending, with gaps between them. A part may be empty: a gap ends there. */
    fp_run *part;
    size_t count, room;
    fp_arena *arena;
} fp_growth;

/* Runs by the blocks of b that they touch; nothing is taken. */
fp_status fp_growth_open(const fp_symbols *a, const fp_symbols *b, const fp_runs *runs, fp_arena *arena, fp_growth *out,
                         fp_error *error);
/* Grows `anchor`, whose symbols are free, into growth->part[0 … count). */
fp_status fp_growth_make(fp_growth *growth, fp_run anchor, fp_error *error);

/* 64 bits of a row of bits that is 64 bits longer than any `at` asked for. */
static inline uint64_t fp_bits_from(const uint64_t *bits, size_t at) {
    return at % 64 ? bits[at / 64] >> at % 64 | bits[at / 64 + 1] << (64 - at % 64) : bits[at / 64];
}

#endif
