/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * text_diff.h - where two texts differ, for a person who compares them.
 */
#ifndef FP_TEXT_DIFF_H
#define FP_TEXT_DIFF_H

#include "base/base.h"

/* A stretch of both texts: the same in both, or what one has instead of what the other has (one of the two may be
 * empty). */
typedef struct fp_diff_run {
    bool same;
    fp_string a, b;
} fp_diff_run;

typedef struct fp_diff {
    size_t count;
    const fp_diff_run *runs; /* [count]: in order they make up both texts; `same` alternates */
} fp_diff;

/* Compares valid UTF-8 by words of alphabetic scripts and by single characters otherwise: a shortest script of
 * insertions and deletions (Myers, Algorithmica 1, 1986, in linear space). Past `FP_DIFF_EFFORT` differences in one
 * stretch the script is no longer the shortest, but still right. Short coincidences between two differences (no letter
 * or digit, or one or two characters that are fewer than those on both sides) count as different. Lives in `arena`.
 * Texts of more than 2²⁹ bytes: FP_ERROR_RANGE. */
fp_status fp_diff_make(fp_string a, fp_string b, fp_arena *arena, fp_diff *diff, fp_error *error);

enum { FP_DIFF_EFFORT = 512 };

#endif
