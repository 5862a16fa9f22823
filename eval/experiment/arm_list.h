/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * arm_list.h - many arms from one line: "simhash|minhash:features=words|chars:3,weight=tf|tfidf" is the product of all
 * alternatives, in the order in which they are written, the last varying fastest.
 */
#ifndef FP_ARM_LIST_H
#define FP_ARM_LIST_H

#include "algorithms/arms/arm.h"
#include "corpora/corpus.h"
#include "eval/statistics/dyadic_variance.h"

typedef struct fp_grid {
    size_t count;
    fp_arm **arms; /* [count], labelled by what varies: the algorithm, and the keys that have alternatives */
    const char *const *written; /* [count] all that was written for the arm: a specification that makes it again */
} fp_grid;

enum { FP_GRID_MOST = 20000 }; /* arms, at some 30 KB each before anything is measured */

/* How many arms the NULL-terminated list of specifications stands for, without making them. FP_ERROR_SYNTAX for an
 * alternative that is empty, a key without "=" or a duplicate one; FP_ERROR_RANGE beyond FP_GRID_MOST. Errors
 * quote the specification. */
fp_status fp_grid_count(const char *const *specs, size_t *count, fp_error *error);

/* Makes the arms, in `arena`; `plugins` are the algorithms of fp_extensions. Also fails when an arm does (a key that
 * its algorithm does not have, a value out of bounds), and with FP_ERROR_DUPLICATE when two arms are the same under
 * other names. Where the labels of two specifications would be equal, both arms are called by all that was written.
 * name=… is for a specification of one arm. */
fp_status fp_grid_expand(const char *const *specs, const fp_algorithm *const *plugins, fp_arena *arena, fp_grid *grid,
                         fp_error *error);

/* ----
 * arms, and the same arms under further seeds of their hash functions: side by side, so that texts,
 * features and weights are made once for all of them.
 */

/* The seeds of an evaluation that says nothing else, and how many documents it may have: with more it has one seed, so
 * that sketches and passes are not many times as many. */
enum { FP_HASH_SEEDS = 10, FP_HASH_SEEDS_MOST = 1000, FP_HASH_SEEDS_DOCUMENTS = 50000 };

/* The same for every arm that leaves its seed open (fp_arm.seed). Zeroed: the default. */
typedef struct fp_hash_seeds {
    size_t count;   /* 0: the default */
    bool from;      /* the first is `first`; otherwise it is the arm's own */
    uint64_t first; /* the others follow it, one by one */
} fp_hash_seeds;

/* How many that are on a corpus. FP_ERROR_RANGE for several where all pairs of groups are counted, and for more than
 * the most. */
fp_status fp_hash_seeds_for(const fp_corpus *corpus, const fp_hash_seeds *asked, size_t *count, fp_error *error);

typedef struct fp_seeded_arms {
    size_t count;                    /* arms */
    size_t lane_count;               /* all together */
    fp_arm **lanes;                  /* [lane_count] the arms, then their further seeds */
    const fp_further_seeds *further; /* [count] */
} fp_seeded_arms;

/* The arms under those seeds, whose number is known. Arms that do not leave theirs open, and those that are NULL, stand
 * once. Parsed, not fitted; everything lives in `arena`. */
fp_status fp_seeded_arms_make(fp_arm *const *arms, size_t count, const fp_hash_seeds *seeds, fp_arena *arena,
                              fp_seeded_arms *out, fp_error *error);

#endif
