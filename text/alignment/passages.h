/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * passages.h - common runs joined to passages.
 */
#ifndef FP_PASSAGES_H
#define FP_PASSAGES_H

#include "text/alignment/alignment.h"

/* A passage in symbols: runs of both texts, ascending, none touching the next. */
typedef struct fp_chain {
    size_t count;
    fp_run *run; /* [count] */
    size_t same; /* sum of their lengths */
} fp_chain;

typedef struct fp_chains {
    size_t count;
    fp_chain *chain; /* [count] */
} fp_chains;

/* The longest run first, grown as alignment.h says; kept where its common symbols weigh `least` or more. */
fp_status fp_passages_choose(const fp_symbols *a, const fp_symbols *b, const fp_runs *runs, uint32_t seed_weight,
                             uint32_t least, fp_arena *arena, fp_chains *out, fp_error *error);

#endif
