/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stats.h - what a corpus is made of: how long its texts are, by language, kind and group, and what its labels are.
 */
#ifndef FP_CORPUS_STATS_H
#define FP_CORPUS_STATS_H

#include "corpora/corpus.h"

enum { FP_STATS_QUANTILES = 5, FP_STATS_BINS = 16, FP_STATS_CLASSES = 100, FP_STATS_GROUPS = 10 };

/* Documents of a class with their lengths, or pairs or groups, which have none. */
typedef struct fp_stat {
    const char *of;  /* "documents", "lang", "kind", "group", "positive", "negative", "group size" */
    fp_string value; /* of that; empty: of all, or that none is stated */
    size_t count;
    double share;                          /* of all documents, of all pairs, of all groups */
    bool lengths;                          /* what follows is there */
    size_t characters[FP_STATS_QUANTILES]; /* least, quartiles, most: at place ⌊q·n⌋ from 0 */
    size_t
        bins[FP_STATS_BINS]; /* from the shortest to the longest of the corpus, as wide as one another in logarithms */
} fp_stat;

typedef struct fp_stats {
    size_t count;
    const fp_stat *stats;
    size_t more_groups; /* beyond the FP_STATS_GROUPS that hold most documents, which are listed */
} fp_stats;

/* The corpus was read with the fields "lang" and "group". A kind's documents are those of its pairs; of languages and
 * kinds the FP_STATS_CLASSES that come first in the corpus are told. Lives in `arena`. */
fp_status fp_stats_make(const fp_corpus *corpus, fp_arena *arena, fp_stats *made, fp_error *error);

#endif
