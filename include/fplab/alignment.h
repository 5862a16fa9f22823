/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab/alignment.h - common passages of two texts, with their places and their share of each text; used by `fplab
 * align`.
 *
 * The characters (code points) of the texts are compared without normalising the whole text. Each character is folded
 * alone, so that places do not change: case, width and compatibility forms where NFKC_Casefold maps one code point to
 * one, then Han by character (fp_han_fold_code). White space, controls and default ignorables are skipped and counted
 * nowhere, so line breaks do not matter. "Characters" below are those that are compared; places count all.
 *
 * A passage is a local alignment: +1 for a character in both texts, −1 for each character in only one (a substitution
 * is −2), so at least two thirds of a passage are the same. The method is that of text-reuse tools (seed, extend, join:
 * Altschul et al., Basic local alignment search tool, J. Mol. Biol. 215, 1990; Smith, Cordell, Dillon, Infectious
 * texts, 2013). Common runs of six Han characters or twelve others are seeds, extended as far as they match. The
 * longest comes first. It takes the next run on either side as long as that gains more than the gap loses, over gaps of
 * up to 64 characters, and extends beyond its last runs as far as the score grows. A bit-parallel longest common
 * subsequence aligns the text between two runs. No character is in two passages.
 *
 * Time is bounded on any input of n and m characters, including a text that repeats one character: O(n + m) comparisons
 * for the runs, sorting them, and at most n + m windows of 64 × 64 to join them. If hostile texts need more, the
 * passages found so far are returned. Functions are thread-safe; results are the same on any machine.
 */
#ifndef FPLAB_ALIGNMENT_H
#define FPLAB_ALIGNMENT_H 1

#include <fplab/memory.h>
#include <fplab/status.h>
#include <fplab/text.h>

FP_BEGIN

/* The shortest passage by default: 12 Han characters, 24 others, or an equivalent mix (a character that is not Han,
 * kana or hangul counts half). Only characters in both texts count. */
enum { FP_ALIGNMENT_LEAST = 12, FP_ALIGNMENT_LEAST_LEAST = 2, FP_ALIGNMENT_LEAST_MOST = 1000000 };

/* A stretch that is in both texts, as bytes of the given texts: [0] of a, [1] of b. White space inside may differ. */
typedef struct fp_common_run {
    size_t begin[2], end[2];
} fp_common_run;

typedef struct fp_passage {
    size_t from[2], to[2];     /* code points of a and of b, from 0; `to` is exclusive */
    size_t begin[2], end[2];   /* the same in bytes */
    size_t characters[2];      /* compared characters in it */
    size_t same;               /* characters in both texts, aligned */
    size_t run_count;          /* > 0 */
    const fp_common_run *runs; /* [run_count] ascending in both texts; text between two runs is in only one of them */
} fp_passage;

typedef struct fp_alignment {
    size_t count;
    const fp_passage *passages; /* [count] most common characters first; ties by place in a */
    size_t characters[2];       /* compared characters of each text */
    size_t same;                /* sum over the passages */
    double share[2];            /* same / characters of each; 0 for a text without characters */
} fp_alignment;

/* Aligns two texts under 4 GiB. `least`: 0 for FP_ALIGNMENT_LEAST, else from FP_ALIGNMENT_LEAST_LEAST to
 * FP_ALIGNMENT_LEAST_MOST. *out lives in `arena`, with about 24 bytes a character and the working memory. It contains
 * no pointer into the texts. FP_ERROR_ENCODING with the byte and the text that is not UTF-8; FP_ERROR_RANGE. */
fp_status fp_align(fp_string a, fp_string b, size_t least, fp_arena *arena, fp_alignment *out, fp_error *error);

FP_END

#endif
