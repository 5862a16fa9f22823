/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * votes.h - an inverted index from granules to documents and places, and a search by voting for the documents that have
 * most of a text's granules (Datagrand's fingerprint tracking: look up features, count hits, rank, cut off, verify;
 * Zobel, Moffat, Inverted files for text search engines, ACM Computing Surveys 38(2), 2006).
 */
#ifndef FP_VOTES_H
#define FP_VOTES_H

#include "algorithms/arms/arm.h"
#include "base/parallel.h"

/* ---- Granules: keys of a text with their places, stored in an index or looked up. By arm:
 *
 * - pinyin:granule=n: the fingerprint of each window of n initials. The index stores the windows of the arm, one every
 *   n·(1 − overlap) initials. A query looks up every window, at each initial, so that it finds a passage copied to any
 *   place of a text: of a passage of m initials, all windows inside it;
 * - winnowing: the features that windows select;
 * - jaccard: every feature: shingles of characters or words, or words;
 * - sentences: the k longest sentences.
 *
 * Places count characters of the arm's input: initials; else the text whose slices are the features: normalised, with
 * white space folded, words joined by one space. ---- */

typedef struct fp_granule {
    uint64_t key;      /* uniformly distributed, for every hash of the arm */
    uint32_t from, to; /* in characters; `to` is exclusive */
} fp_granule;

typedef struct fp_granules {
    size_t count;
    const fp_granule *at; /* [count] in order of place; a key may repeat */
    size_t for_one;       /* granules looked up for each stored one: the step of stored windows; 0 means 1 */
} fp_granules;

/* FP_ERROR_UNKNOWN: the arm has no granules with places. */
fp_status fp_granules_check(const fp_arm *arm, fp_error *error);

typedef enum fp_granule_use { FP_GRANULES_STORED, FP_GRANULES_ASKED } fp_granule_use;
/* The granules of a text (valid UTF-8, not normalised), in `arena`. The arm must be fitted and pass fp_granules_check.
 * Thread-safe. */
fp_status fp_granules_of(const fp_arm *arm, fp_string text, fp_granule_use use, fp_arena *arena, fp_granules *out,
                         fp_error *error);

/* ---- The index ---- */

/* Postings in ascending order of key, then document; a document occurs at most once for a key. */
typedef struct fp_vote_list {
    size_t count;
    const uint64_t *key;      /* [count] */
    const uint32_t *document; /* [count] */
    const uint32_t *place;    /* [count] first place of the key in the document */
} fp_vote_list;

/* Documents are numbered from 0 in the order of addition. */
typedef struct fp_votes {
    size_t document_count, posting_count;
    const uint32_t *granules; /* [document_count] distinct keys of each */
    fp_vote_list all;         /* in memory */
    /* Returns all postings of a key, valid as long as the index, if they are elsewhere; NULL: in memory. */
    fp_status (*some)(void *context, uint64_t key, fp_vote_list *some, fp_error *error);
    void *context;
} fp_votes;

typedef struct fp_votes_builder fp_votes_builder;
/* Lives in `arena`, which stores all documents added. */
fp_status fp_votes_begin(fp_arena *arena, fp_votes_builder **builder, fp_error *error);
/* Adds the next document. FP_ERROR_RANGE: more than 2³² − 2 documents or postings; then start another part. */
fp_status fp_votes_add(fp_votes_builder *builder, fp_granules granules, fp_error *error);
/* Builds the index of all added documents in `arena`, which must not be the builder's. */
fp_status fp_votes_end(const fp_votes_builder *builder, fp_arena *arena, fp_votes *out, fp_error *error);

/* Finds the postings of a key. Returns the errors of `some`. */
fp_status fp_votes_find(const fp_votes *votes, uint64_t key, fp_vote_list *found, fp_error *error);

/* ---- The ballot: finds the documents that have most of a text's granules. ----
 *
 * - Sample: of g distinct granules, all up to n (`all_up_to`), and n + √(n(g − n)) if there are more. The error of an
 *   estimated share depends only on the sample size; a longer text needs more because its copied part can be a smaller
 *   share of it. The sample takes the smallest mixed keys, independently of their places: the same text always looks up
 *   the same granules, and a copied passage the same ones at any place.
 * - Stop granules are skipped and replaced by others: those in more than `stop_share` of the documents and in more than
 *   FP_BALLOT_STOP_LEAST. They cost most and carry least information. Otherwise the sample ignores the frequency of a
 *   key: the rarest keys would find only what is in a single document, and miss a source that was copied before.
 * - Hits are sampled keys that a document has. Documents are ranked by hits, ties by number.
 * - Cut-off: drops what chance explains. If each sampled key were assigned to documents at random in proportion to
 *   their granules, document d of g_d granules would have λ = Σ_k f_k·g_d/G hits on average (f_k documents have key k;
 *   G is the sum of all g_d), approximately Poisson distributed, with an upper tail never below that of such a sum
 *   (Hoeffding, On the distribution of the number of successes in independent trials, 1956; Anderson, Samuels, Some
 *   inequalities among binomial and Poisson probabilities, 1967). Overlapping granules hit together, in clumps, and the
 *   clumps are Poisson distributed (Aldous, Probability approximations via the Poisson clumping heuristic, 1989). So of
 *   h hits, only the a hits that do not overlap in the text are counted, and λ·a/h are expected. `chance` of a document
 *   is documents × P[Poisson(λ·a/h) ≥ a], like the E-value of BLAST. */

enum { FP_BALLOT_STOP_LEAST = 16 };

typedef struct fp_ballot_options {
    size_t all_up_to;  /* n: 256 */
    double stop_share; /* 0.05 */
    double chance; /* most documents expected by chance: 1: alignment drops chance matches; without it 0.01 is safer */
    size_t most;   /* documents reported: 10 */
    const uint64_t *deleted; /* one bit a document: skip it; NULL: none */
} fp_ballot_options;
extern const fp_ballot_options fp_ballot_defaults;

/* The number of granules to look up, of so many distinct ones. */
size_t fp_ballot_sample(size_t granules, size_t all_up_to);

/* A granule in both texts: its place in the query, and its first place in the document. */
typedef struct fp_ballot_hit {
    uint64_t key;
    uint32_t from, to;
    uint32_t place;
} fp_ballot_hit;

typedef struct fp_ballot_match {
    size_t document;
    size_t hit_count;         /* sampled keys in the document */
    const fp_ballot_hit *hit; /* [hit_count] in the order of the query */
    size_t apart;             /* hits that do not overlap */
    double share;             /* hits·for_one/sampled, at most 1: the estimated share of the text in the document */
    double chance;            /* expected number of documents with as many non-overlapping hits by chance */
} fp_ballot_match;

typedef struct fp_ballot {
    size_t different, sampled, stopped; /* granules of the text; `stopped` ones were looked up and skipped */
    size_t count;
    fp_ballot_match *match; /* [count] by rank */
} fp_ballot;

/* One thread's counters, for the documents of all parts; in `arena`. */
typedef struct fp_ballot_room {
    uint32_t *hits; /* [documents] 0 between ballots */
    size_t documents;
} fp_ballot_room;
fp_status fp_ballot_room_open(size_t documents, fp_arena *arena, fp_ballot_room *room, fp_error *error);

/* Runs the ballot of a text's granules over the parts of an index, whose documents are numbered consecutively: a large
 * part that was built, and a small one of later additions. *out lives in `arena`. `options` NULL: the defaults. */
fp_status fp_ballot_hold(const fp_votes *const *parts, size_t part_count, fp_granules asked,
                         const fp_ballot_options *options, fp_ballot_room *room, fp_arena *arena, fp_ballot *out,
                         fp_error *error);

#endif
