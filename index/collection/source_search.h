/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * source_search.h - finds the texts of a collection that a text, or a part of it, was copied from, by voting of
 * granules (index/votes) and alignment of the best candidates (text/alignment). Requires a collection in a file that
 * keeps texts, and an arm with granules (index/votes.h).
 *
 * A merge stores the index of granules; opening a search indexes later records in memory.
 */
#ifndef FP_SOURCE_SEARCH_H
#define FP_SOURCE_SEARCH_H

#include "index/collection/collection.h"
#include "index/votes.h"
#include "text/alignment/alignment.h"

typedef struct fp_source_search fp_source_search; /* one thread at a time */

/* FP_ERROR_UNKNOWN: the arm has no granules. FP_ERROR_EMPTY: texts are not kept. Close with fp_source_search_close,
 * which accepts NULL. */
fp_status fp_source_search_open(fp_collection *collection, fp_source_search **search, fp_error *error);
void fp_source_search_close(fp_source_search *search);

/* Options of a look-up. */
typedef struct fp_source_question {
    size_t most;  /* maximum number of sources, at least 1 */
    double least; /* minimum share of the text in a source, by alignment; in [0, 1] */
} fp_source_question;

typedef struct fp_source {
    uint64_t number;
    fp_record record;         /* with its text */
    size_t hits, sampled;     /* granules in the source; granules looked up */
    double chance;            /* expected number of texts with as many by chance */
    const fp_ballot_hit *hit; /* [hits] the granules and their places */
    fp_alignment alignment;   /* of the query and the source's text */
} fp_source;

/* The sources of a text, the largest share first, in `arena`. */
fp_status fp_sources_of(fp_source_search *search, fp_string text, const fp_source_question *question, fp_arena *arena,
                        const fp_source **sources, size_t *count, fp_error *error);

#endif
