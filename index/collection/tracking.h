/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tracking.h - each new text against all that came before: what it is a near-duplicate of, noted in the store.
 */
#ifndef FP_TRACKING_H
#define FP_TRACKING_H

#include "index/collection/collection.h"

typedef struct fp_tracking {
    fp_collection *collection;
    double within;
    int64_t window; /* milliseconds: texts further apart in time do not match, nor those without a time; 0: none */
    bool aligns;    /* tells common passages, where the collection keeps texts */
    double least;   /* with `aligns`: an earlier text that has less of the text, as a share, is no match; 0: any is */
} fp_tracking;

/* What one text was found to be. */
typedef struct fp_tracked {
    uint64_t number;    /* of its record */
    uint64_t earlier;   /* the nearest record, the oldest among equals; 0: the text is new */
    fp_record original; /* that record, in the arena, where there is one */
    double distance, similarity;
    double shared;      /* share of its characters in passages that it has in common with that record; NaN: not told */
    fp_string passages; /* as in fp_record_match, in the arena; empty: not told */
    size_t near;        /* records within the distance and the window, before any is aligned */
    uint64_t cluster;
} fp_tracked;

/* Looks a text up, adds it, notes the match and joins their clusters; inside a transaction. `text` is the text itself,
 * for alignment. */
fp_status fp_track(const fp_tracking *tracking, fp_record *record, fp_sketch sketch, fp_string text, fp_arena *arena,
                   fp_tracked *tracked, fp_error *error);

#endif
