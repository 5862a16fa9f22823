/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * arm_list.h - many arms from one line: "simhash|minhash:features=words|chars:3,weight=tf|tfidf" is the product of all
 * alternatives, in the order in which they are written, the last varying fastest.
 */
#ifndef FP_ARM_LIST_H
#define FP_ARM_LIST_H

#include "algorithms/arms/arm.h"
#include "corpora/corpus.h"
#include "eval/statistics/hash_seeds.h"

typedef struct fp_grid {
    size_t count;
    fp_arm **arms; /* [count], labelled by what varies: the algorithm, and the keys that have alternatives */
    const char *const *written; /* [count] the full specification of each arm, from which it can be made again */
} fp_grid;

enum { FP_GRID_MOST = 20000 }; /* arms, at some 30 KB each before anything is measured */

/* Makes the arms of the NULL-terminated list of specifications, in `arena`; `plugins` are the algorithms of
 * fp_extensions. FP_ERROR_SYNTAX: an empty alternative, a key without "=", a duplicate key, or name=… for several arms;
 * FP_ERROR_RANGE: more than FP_GRID_MOST; FP_ERROR_DUPLICATE: two arms differ only in name; errors of fp_arm_parse.
 * Errors quote the specification. If the labels of two specifications are equal, both arms get their full specification
 * as label. */
fp_status fp_grid_expand(const char *const *specs, const fp_algorithm *const *plugins, fp_arena *arena, fp_grid *grid,
                         fp_error *error);

/* ---- Arms with copies under further hash seeds, which share texts, features and weights ---- */

/* Default number of hash seeds, and the largest corpus for it: a corpus with more documents gets one seed, to limit
 * the number of sketches and passes. */
enum { FP_HASH_SEEDS = 10, FP_HASH_SEEDS_MOST = 1000, FP_HASH_SEEDS_DOCUMENTS = 50000 };

/* The same for every arm whose specification gives no seed (fp_arm.seed). Zeroed: the default. */
typedef struct fp_hash_seeds {
    size_t count;   /* 0: the default */
    bool from;      /* use `first` as the first seed; otherwise the arm's own */
    uint64_t first; /* the other seeds follow consecutively */
} fp_hash_seeds;

/* Number of hash seeds for a corpus. FP_ERROR_RANGE: for several seeds when all pairs of groups are counted, and for
 * more than the maximum. */
fp_status fp_hash_seeds_for(const fp_corpus *corpus, const fp_hash_seeds *asked, size_t *count, fp_error *error);

typedef struct fp_seeded_arms {
    size_t count;                    /* arms */
    size_t lane_count;               /* all together */
    fp_arm **lanes;                  /* [lane_count] the arms, then their further seeds */
    const fp_further_seeds *further; /* [count] */
} fp_seeded_arms;

/* Makes the arms under these seeds, for a known count. Arms with a fixed seed, and NULL arms, occur once. Parsed,
 * not fitted; everything lives in `arena`. */
fp_status fp_seeded_arms_make(fp_arm *const *arms, size_t count, const fp_hash_seeds *seeds, fp_arena *arena,
                              fp_seeded_arms *out, fp_error *error);

#endif
