/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ballot.h - a text's granules put to the vote: which documents have most of them.
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
 * documents × P[Poisson(λ·a/h) ≥ a], as BLAST's E.
 */
#ifndef FP_BALLOT_H
#define FP_BALLOT_H

#include "index/votes.h"

enum { FP_BALLOT_STOP_LEAST = 16 };

typedef struct fp_ballot_options {
    size_t all_up_to;  /* n: 256 */
    double stop_share; /* 0.01 */
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
