/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * granules.h - a text as keys with places: what an inverted index with votes (votes.h) is made of, and asked for. The
 * arm says what they are:
 *
 *     pinyin:granule=n   the fingerprint of each window of n initials. Stored are those that the arm cuts, one every
 *                        n·(1 − overlap) initials; asked for is every window, at each initial, so that a passage is
 * found wherever in a text it was copied to: of a passage of m initials, all windows inside it winnowing          the
 * features that windows select jaccard            every feature: shingles of characters or words, or words sentences
 * the k longest sentences
 *
 * Places count characters of what the arm reads: initials; else the text of which features are slices, normalised, with
 * white space folded, words joined by one space.
 */
#ifndef FP_GRANULES_H
#define FP_GRANULES_H

#include "algorithms/arms/arm.h"

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

#endif
