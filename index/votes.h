/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * votes.h - an inverted index whose postings are votes: which documents have a granule, and where; and which documents
 * have most of a text's granules (Datagrand's fingerprint tracking: features to documents, hits counted, ranked, cut
 * off, and looked at once more; Zobel, Moffat, Inverted files for text search engines, ACM Computing Surveys 38(2),
 * 2006).
 */
#ifndef FP_VOTES_H
#define FP_VOTES_H

#include "base/parallel.h"
#include "index/granules.h"

/* ---- The index ---- */

/* Postings by ascending key, then document; no document comes twice under a key. */
typedef struct fp_vote_list {
    size_t count;
    const uint64_t *key;      /* [count] */
    const uint32_t *document; /* [count] */
    const uint32_t *place;    /* [count] where the key first stands in it */
} fp_vote_list;

/* Documents are numbered from 0 in the order in which they were added. */
typedef struct fp_votes {
    size_t document_count, posting_count;
    const uint32_t *granules; /* [document_count] different keys of each */
    fp_vote_list all;         /* in memory */
    /* Or elsewhere: a list that has all postings of a key, which lasts as long as the index; NULL: in memory. */
    fp_status (*some)(void *context, uint64_t key, fp_vote_list *some, fp_error *error);
    void *context;
} fp_votes;

typedef struct fp_votes_builder fp_votes_builder;
fp_status fp_votes_begin(const fp_arena *like, fp_votes_builder **builder, fp_error *error);
/* The next document. FP_ERROR_RANGE beyond 2³² − 2 documents or postings: make a further part. */
fp_status fp_votes_add(fp_votes_builder *builder, fp_granules granules, fp_error *error);
/* The index of all that was added, in `arena`; the builder ends in any case. */
fp_status fp_votes_end(fp_votes_builder *builder, fp_arena *arena, fp_votes *out, fp_error *error);
/* Ends the builder without an index. NULL is taken. */
void fp_votes_discard(fp_votes_builder *builder);

/* The postings of a key. Errors are those of `some`. */
fp_status fp_votes_find(const fp_votes *votes, uint64_t key, fp_vote_list *found, fp_error *error);

#endif
