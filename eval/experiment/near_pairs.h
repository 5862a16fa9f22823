/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * near_pairs.h - of all pairs of a corpus whose truth is its groups, those that a threshold can call or miss: the pairs
 * inside groups, and the others within a distance. They are few where all pairs are many, and precision, recall and F1
 * up to that distance depend on no other. They are found in the pass that counts all pairs.
 */
#ifndef FP_NEAR_PAIRS_H
#define FP_NEAR_PAIRS_H

#include <stdatomic.h>

#include "eval/experiment/experiment.h"
#include "eval/experiment/groups.h"

/* So many can be listed. */
enum { FP_NEAR_MOST = 1000000 };

typedef struct fp_near_pairs {
    double limit;
    bool complete; /* false: there are more than FP_NEAR_MOST; then the pairs inside groups alone are listed, or none
                      when they are too many */
    size_t count;
    const fp_pair *pairs;    /* [count] ascending by a, then b; a < b */
    const double *distances; /* [count] */
} fp_near_pairs;

/* One arm's list while it grows: at most 24 bytes a pair, however many threads find them. Zeroed: none is wanted. */
typedef struct fp_near_finder {
    const fp_corpus *corpus;
    const fp_measurement *measurement;
    double limit;
    bool wanted;
    size_t threads;
    struct fp_near_found *each; /* [threads] */
    _Atomic size_t count;       /* of the pairs found; beyond FP_NEAR_MOST no more are kept */
} fp_near_finder;

/* `each` is made in `arena`; what it holds is released by fp_near_finder_free. */
fp_status fp_near_finder_open(const fp_corpus *corpus, const fp_measurement *measurement, double limit, size_t threads,
                              fp_arena *arena, fp_near_finder *finder, fp_error *error);
/* Whether more pairs are of use. */
static inline bool fp_near_finder_wants(const fp_near_finder *finder) {
    return finder->wanted && atomic_load_explicit(&finder->count, memory_order_relaxed) <= FP_NEAR_MOST;
}
/* A pair within the limit, in the pass; each pair once, in any order and by any thread. Those inside groups, and those
 * of a document that says nothing, are passed over. */
fp_status fp_near_finder_add(fp_near_finder *finder, size_t thread, size_t a, size_t b, double distance,
                             fp_error *error);
/* From here on nothing is wanted: some pairs within the limit will not be told. */
void fp_near_finder_give_up(fp_near_finder *finder);
/* The list, in `arena`, when the pass is over: what was found, the pairs inside groups, and, where that is within the
 * limit, those of documents that say nothing. Same list for any number of threads. */
fp_status fp_near_finder_close(fp_near_finder *finder, const fp_groups *groups, fp_arena *arena, fp_near_pairs *near,
                               fp_error *error);
void fp_near_finder_free(fp_near_finder *finder);

/* The pairs within a limit of an arm whose sketches are there: the measurement's own list, or what of it is within;
 * where it has none that tells, another pass over all pairs. Everything lives in `arena`, or with the measurement. */
fp_status fp_near_pairs_list(const fp_stage *stage, const fp_measurement *measurement, fp_arena *arena,
                             fp_near_pairs *near, fp_error *error);

#endif
