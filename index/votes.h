/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * votes.h - an inverted index whose postings are votes: which documents have a granule, and where; and which documents
 * have most of a text's granules (Datagrand's fingerprint tracking: features to documents, hits counted, ranked, cut
 * off, and looked at once more; Zobel, Moffat, Inverted files for text search engines, ACM Computing Surveys 38(2),
 * 2006).
 */
#ifndef FP_VOTES_H
#define FP_VOTES_H

#include "algorithms/arms/arm.h"
#include "base/parallel.h"

/* ---- Granules: a text as keys with places, which an index is made of, and asked for. By the arm, they are
 *
 * - pinyin:granule=n: the fingerprint of each window of n initials. Stored are those that the arm cuts, one every
 *   n·(1 − overlap) initials; asked for is every window, at each initial, so that a passage is found wherever in a text
 *   it was copied to: of a passage of m initials, all windows inside it;
 * - winnowing: the features that windows select;
 * - jaccard: every feature: shingles of characters or words, or words;
 * - sentences: the k longest sentences.
 *
 * Places count characters of what the arm reads: initials; else the text of which features are slices, normalised,
 * with white space folded, words joined by one space. ---- */

typedef struct fp_granule {
    uint64_t key;      /* evenly spread, whatever the arm's hash is */
    uint32_t from, to; /* characters, `to` behind the last */
} fp_granule;

typedef struct fp_granules {
    size_t count;
    const fp_granule *at; /* [count] in the order of their places; a key may come again */
    size_t for_one;       /* how many are asked for one that is stored: of windows, the step of those; 0 and 1: one */
} fp_granules;

/* FP_ERROR_UNKNOWN: the arm has no granules with places. */
fp_status fp_granules_check(const fp_arm *arm, fp_error *error);

typedef enum fp_granule_use { FP_GRANULES_STORED, FP_GRANULES_ASKED } fp_granule_use;
/* The granules of a text (valid UTF-8, not normalised), in `arena`, by an arm that fp_granules_check accepts and that
 * is fitted. Thread-safe. */
fp_status fp_granules_of(const fp_arm *arm, fp_string text, fp_granule_use use, fp_arena *arena, fp_granules *out,
                         fp_error *error);

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
/* Lives in `arena`, which holds all that is added. */
fp_status fp_votes_begin(fp_arena *arena, fp_votes_builder **builder, fp_error *error);
/* The next document. FP_ERROR_RANGE beyond 2³² − 2 documents or postings: make a further part. */
fp_status fp_votes_add(fp_votes_builder *builder, fp_granules granules, fp_error *error);
/* The index of all that was added, in `arena`, another one. */
fp_status fp_votes_end(const fp_votes_builder *builder, fp_arena *arena, fp_votes *out, fp_error *error);

/* The postings of a key. Errors are those of `some`. */
fp_status fp_votes_find(const fp_votes *votes, uint64_t key, fp_vote_list *found, fp_error *error);

/* ---- The ballot: a text's granules put to the vote, which documents have most of them. ----
 *
 * - Sampled are, of g different granules, all up to n (`all_up_to`), and n + √(n(g − n)) of more: the error of a share
 *   that is estimated falls with the sample's size alone, and what a longer text adds is that its copied part can be a
 *   smaller share of it. Which ones follows from their keys (the smallest of a mixing of them), not from their places,
 *   so that the same text always asks the same, and a copied passage is asked for in the same granules wherever it
 * stands.
 * - Stop granules are passed over, and others sampled instead: those that more than `stop_share` of the documents have,
 *   and more than FP_BALLOT_STOP_LEAST: they would cost most and tell least. Of what is left the sample takes no heed
 * of how rare a key is: the rarest first would hear what is in one document alone, and a source that has been copied
 * before not at all.
 * - Hits are sampled keys that a document has; documents rank by them, equal ones by their number.
 * - Cut off is what chance explains. Were each sampled key held by its documents at random, in proportion to their
 *   granules, then document d of g_d granules would have λ = Σ_k f_k·g_d/G of them on average (f_k documents have key
 * k; G is the sum of the g), nearly by a Poisson law, whose upper tail is never below that of such a sum (Hoeffding, On
 * the distribution of the number of successes in independent trials, 1956; Anderson, Samuels, Some inequalities among
 *   binomial and Poisson probabilities, 1967). Overlapping granules hit together: hits come in clumps, and it is the
 * clumps that are Poisson (Aldous, Probability approximations via the Poisson clumping heuristic, 1989). So of h hits
 * the a are counted whose places in the text do not overlap, and λ·a/h are expected. `chance` of a document is
 * documents × P[Poisson(λ·a/h) ≥ a], as BLAST's E. */

enum { FP_BALLOT_STOP_LEAST = 16 };

typedef struct fp_ballot_options {
    size_t all_up_to;  /* n: 256 */
    double stop_share; /* 0.05 */
    double chance; /* most documents expected by chance: 1: alignment drops what is chance; without it 0.01 is safer */
    size_t most;   /* documents told: 10 */
    const uint64_t *deleted; /* a bit a document, which is then passed over; NULL: none */
} fp_ballot_options;
extern const fp_ballot_options fp_ballot_defaults;

/* How many of so many different granules are asked for. */
size_t fp_ballot_sample(size_t granules, size_t all_up_to);

/* A granule that both have: where it stands in the text that asked, and where it first stands in the document. */
typedef struct fp_ballot_hit {
    uint64_t key;
    uint32_t from, to;
    uint32_t place;
} fp_ballot_hit;

typedef struct fp_ballot_match {
    size_t document;
    size_t hit_count;         /* sampled keys that it has */
    const fp_ballot_hit *hit; /* [hit_count] in the order of the text that asked */
    size_t apart;             /* of them that do not overlap */
    double share;             /* hits·for_one/sampled, at most 1: an estimate of the share of the text that it has */
    double chance;            /* documents expected to have as many hits apart by chance */
} fp_ballot_match;

typedef struct fp_ballot {
    size_t different, sampled, stopped; /* granules of the text; `stopped` were looked up and passed over */
    size_t count;
    fp_ballot_match *match; /* [count] by rank */
} fp_ballot;

/* One thread's memory for counting, for as many documents as there are in all parts; in `arena`. */
typedef struct fp_ballot_room {
    uint32_t *hits; /* [documents] 0 between ballots */
    size_t documents;
} fp_ballot_room;
fp_status fp_ballot_room_open(size_t documents, fp_arena *arena, fp_ballot_room *room, fp_error *error);

/* The ballot of a text's granules over the parts of an index, the documents of which are numbered on from part to part:
 * a large one that was built, and a small one of what came later. *out lives in `arena`. `options` NULL: the defaults.
 */
fp_status fp_ballot_hold(const fp_votes *const *parts, size_t part_count, fp_granules asked,
                         const fp_ballot_options *options, fp_ballot_room *room, fp_arena *arena, fp_ballot *out,
                         fp_error *error);

#endif
