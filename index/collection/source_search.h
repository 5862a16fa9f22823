/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * source_search.h - where a text, or a part of it, was copied from, among the texts of a collection: granules are put
 * to the vote (index/votes), and what is left uncertain is aligned (text/alignment). For collections in a file that
 * keep their texts, and whose arm has granules with places (index/votes.h).
 *
 * A merge makes the index of granules of such a collection; what came since is indexed in memory when the search is
 * opened.
 */
#ifndef FP_SOURCE_SEARCH_H
#define FP_SOURCE_SEARCH_H

#include "index/collection/collection.h"
#include "index/votes.h"
#include "text/alignment/alignment.h"

typedef struct fp_source_search fp_source_search; /* one thread at a time */

/* FP_ERROR_UNKNOWN: an arm without granules; FP_ERROR_EMPTY: texts are not kept. The caller ends it with
 * fp_source_search_close, which takes NULL. */
fp_status fp_source_search_open(fp_collection *collection, fp_source_search **search, fp_error *error);
void fp_source_search_close(fp_source_search *search);

/* How a text is looked up. */
typedef struct fp_source_question {
    size_t most;  /* sources that are told, at least 1 */
    double least; /* the least share of the text that a source has, by alignment; in [0, 1] */
} fp_source_question;

typedef struct fp_source {
    uint64_t number;
    fp_record record;         /* with its text */
    size_t hits, sampled;     /* granules that it has, of those that were asked for */
    double chance;            /* texts of the collection expected to have as many by chance */
    const fp_ballot_hit *hit; /* [hits] which granules, and where */
    fp_alignment alignment;   /* of the text that asked, and its own */
} fp_source;

/* The sources of a text, the one with the largest share first, in `arena`. */
fp_status fp_sources_of(fp_source_search *search, fp_string text, const fp_source_question *question, fp_arena *arena,
                        const fp_source **sources, size_t *count, fp_error *error);

#endif
