/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tracking.h - matches each new text against all earlier ones, and stores the match.
 */
#ifndef FP_TRACKING_H
#define FP_TRACKING_H

#include "index/collection/collection.h"

typedef struct fp_tracking {
    fp_collection *collection;
    double within;
    int64_t window; /* milliseconds: texts further apart in time, or without a time, do not match; 0: no limit */
    bool aligns;    /* reports common passages, if the collection keeps texts */
    double least;   /* with `aligns`: minimum share of the text in an earlier one; 0: no minimum */
} fp_tracking;

/* The result for one text. */
typedef struct fp_tracked {
    uint64_t number;    /* of its record */
    uint64_t earlier;   /* the nearest record, the oldest of several; 0: the text is new */
    fp_record original; /* that record, in the arena */
    double distance, similarity;
    double shared;      /* share of its characters in passages common with that record; NaN: not aligned */
    fp_string passages; /* as in fp_record_match, in the arena; empty: not aligned */
    size_t near;        /* records within distance and window, before alignment */
    uint64_t cluster;
} fp_tracked;

/* Looks a text up, adds it, stores the match and joins their clusters. Call inside a transaction. `text` is used for
 * alignment. */
fp_status fp_track(const fp_tracking *tracking, fp_record *record, fp_sketch sketch, fp_string text, fp_arena *arena,
                   fp_tracked *tracked, fp_error *error);

#endif
