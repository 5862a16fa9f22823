/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * near_pairs.h - the nearest negatives among all pairs of a corpus whose truth is its groups: as many as may be
 * listed, in whole distances. They decide precision at small thresholds, and a sample would miss them; farther
 * negatives are frequent at every distance. They are found in the pass that counts all pairs.
 */
#ifndef FP_NEAR_PAIRS_H
#define FP_NEAR_PAIRS_H

#include <stddef.h>
#include <stdint.h>

#include "eval/experiment/experiment.h"
#include "eval/experiment/groups.h"

typedef struct fp_near_pair {
    uint32_t a, b; /* a < b */
    double distance;
} fp_near_pair;

typedef struct fp_near_pairs {
    double limit; /* all pairs within it are listed; negative: no pair is listed */
    size_t count;
    const fp_near_pair *pairs; /* [count] ascending by a, then b */
} fp_near_pairs;

/* One arm's list while it grows: at most 32·`most` bytes for each thread. Zeroed: no list. */
typedef struct fp_near_finder {
    const fp_corpus *corpus;
    const fp_measurement *measurement;
    size_t most;
    double below; /* only pairs at smaller distances will be added */
    bool off;     /* distances may be slightly inexact without changing the list; they are recomputed at the end */
    bool repeats; /* not all pairs are added, and a pair may be added more than once */
    size_t threads;
    struct fp_near_found *each; /* [threads] */
} fp_near_finder;

/* `each` is made in `arena`; what it holds is released by fp_near_finder_free. */
fp_status fp_near_finder_open(const fp_corpus *corpus, const fp_measurement *measurement, size_t most, size_t threads,
                              fp_arena *arena, fp_near_finder *finder, fp_error *error);
/* From now on only pairs at smaller distances will be added. Call before the pass. */
void fp_near_finder_cut(fp_near_finder *finder, double below);
/* Pairs beyond it are not needed by this thread; negative: no pair is needed. It never rises. */
double fp_near_finder_limit(const fp_near_finder *finder, size_t thread);
/* From now on the thread needs no pair beyond this limit: within the next larger distance there are too many. */
void fp_near_finder_lower(fp_near_finder *finder, size_t thread, double limit);
/* Adds a pair of the pass; each pair once, in any order and by any thread. Ignores pairs inside groups and pairs of
 * empty sketches. */
fp_status fp_near_finder_add(fp_near_finder *finder, size_t thread, size_t a, size_t b, double distance,
                             fp_error *error);
/* The list in `arena`, when the pass is over and the measurement's histogram finished (not read if pairs repeat): at
 * most the nearest `most`, in whole distances, each once. Same list for any number of threads. */
fp_status fp_near_finder_close(fp_near_finder *finder, fp_arena *arena, fp_near_pairs *near, fp_error *error);
void fp_near_finder_free(fp_near_finder *finder);

/* ---- The units that have near pairs with each other, under any arm ---- */

typedef struct fp_near_units {
    const size_t *begin;   /* [unit count + 1] into other */
    const uint32_t *other; /* ascending for each unit, from both sides */
} fp_near_units;

/* From the lists of all arms. In `arena`. */
fp_status fp_near_units_make(const fp_unit_list *units, const fp_measurement *measurements, size_t arm_count,
                             fp_arena *arena, fp_near_units *near, fp_error *error);

#endif
