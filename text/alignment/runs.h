/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * runs.h - common runs of two texts, found from seeds: slices of six wide letters or twelve other symbols (by
 * fp_symbols.weight) that both have, extended as far as they go.
 *
 * Bounds on any input of n and m symbols. At most FP_SEED_TRIES places of a are tried for each place of b, the first
 * ones of those whose seed hashes alike; no seed is looked up inside a run of FP_RUN_LONG symbols or more that was
 * found; a diagonal is never compared twice. All comparisons together end at FP_RUN_WORK · (n + m) symbols and
 * FP_RUN_MOST · (n + m) runs, where the search stops with what it has: a text of one character against itself needs
 * FP_SEED_TRIES · n. So time and memory are O(n + m) whatever the texts.
 */
#ifndef FP_RUNS_H
#define FP_RUNS_H

#include "text/alignment/symbols.h"

enum { FP_SEED_WEIGHT = 12, FP_SEED_TRIES = 16, FP_RUN_LONG = 64, FP_RUN_WORK = 1024, FP_RUN_MOST = 4 };

/* a[a … a + length − 1] equals b[b … b + length − 1]. */
typedef struct fp_run {
    uint32_t a, b, length;
} fp_run;

/* Where the seeds of a text stand: chains of equal hash buckets, ascending. */
typedef struct fp_seeds {
    uint32_t weight;      /* of a seed: FP_SEED_WEIGHT, or that of the shortest passage where it is less */
    uint32_t mask;        /* buckets − 1 */
    const uint32_t *head; /* [mask + 1] first place, UINT32_MAX: none */
    const uint32_t *next; /* [count] */
} fp_seeds;
fp_status fp_seeds_make(const fp_symbols *a, uint32_t weight, fp_arena *arena, fp_seeds *out, fp_error *error);

typedef struct fp_runs {
    size_t count;
    fp_run *run; /* [count] each maximal on its diagonal, in the order of their seeds in b */
} fp_runs;
fp_status fp_runs_find(const fp_symbols *a, const fp_seeds *seeds, const fp_symbols *b, fp_arena *arena, fp_runs *out,
                       fp_error *error);

#endif
