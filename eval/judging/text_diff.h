/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * text_diff.h - differences of two texts, for a person who compares them.
 */
#ifndef FP_TEXT_DIFF_H
#define FP_TEXT_DIFF_H

#include "base/base.h"

/* A run of both texts: equal in both, or the text of one that replaces the text of the other (one of the two may be
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
 * stretch the script is still correct, but no longer the shortest. Short coincidences between two differences (no
 * letter or digit, or one or two characters that are fewer than those on both sides) count as different. Lives in
 * `arena`. FP_ERROR_RANGE: for texts of more than 2²⁹ bytes. */
fp_status fp_diff_make(fp_string a, fp_string b, fp_arena *arena, fp_diff *diff, fp_error *error);

enum { FP_DIFF_EFFORT = 512 };

#endif
