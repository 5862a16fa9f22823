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

/* Read-only, for any number of threads. Documents are numbered from 0 in the order in which they were added. */
typedef struct fp_votes {
    size_t document_count, key_count, posting_count;
    const uint64_t *key;       /* [key_count] ascending */
    const uint32_t *first;     /* [key_count + 1] into the postings */
    const uint32_t *document;  /* [posting_count] ascending for each key, no document twice */
    const uint32_t *place;     /* [posting_count] where the key first stands in it */
    const uint32_t *granules;  /* [document_count] different keys of each */
    const uint32_t *directory; /* [FP_VOTES_DIRECTORY + 1] the first key with those uppermost bits */
} fp_votes;
enum { FP_VOTES_DIRECTORY_BITS = 16, FP_VOTES_DIRECTORY = 1 << FP_VOTES_DIRECTORY_BITS };

typedef struct fp_votes_builder fp_votes_builder;
fp_status fp_votes_begin(const fp_arena *like, fp_votes_builder **builder, fp_error *error);
/* The next document. FP_ERROR_RANGE beyond 2³² − 2 documents or postings: make a further part. */
fp_status fp_votes_add(fp_votes_builder *builder, fp_granules granules, fp_error *error);
/* The index of all that was added, in `arena`; the builder ends in any case. */
fp_status fp_votes_end(fp_votes_builder *builder, fp_arena *arena, fp_votes *out, fp_error *error);
/* Ends the builder without an index. NULL is taken. */
void fp_votes_discard(fp_votes_builder *builder);

/* The postings of a key: first … first + count − 1, all there are. count 0: no document has it. */
typedef struct fp_posting_range {
    size_t first, count;
} fp_posting_range;
fp_posting_range fp_votes_find(const fp_votes *votes, uint64_t key);

/* ---- In a file (pairs/tables/section_file.h) ---- */

#define FP_VOTES_KIND "votes"
enum { FP_VOTES_VERSION = 1 };

/* Errors as of fp_section_writer_close. */
fp_status fp_votes_save(const fp_votes *votes, const char *path, fp_error *error);
/* Mapped, and read as it is asked for; sections are checked for their lengths alone (fp_section_file_verify reads all).
 * A file that was changed behind its checksums may give wrong answers, and leads nowhere outside of itself. */
typedef struct fp_section_file fp_section_file;
fp_status fp_votes_open(const char *path, const fp_arena *like, fp_section_file **file, fp_votes *out, fp_error *error);

#endif
