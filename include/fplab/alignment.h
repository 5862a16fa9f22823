/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab/alignment.h - what two texts have in common: passages, with their places, and their share of each text; what
 * `fplab align` shows.
 *
 * Compared are the characters (code points) of the texts as they stand, each folded by itself, so that places stay:
 * case, width and compatibility forms where NFKC_Casefold makes one code point of one, then Han by character
 * (fp_han_fold_code). White space, controls and default ignorables are passed over: how lines are broken does not
 * matter, and such characters count nowhere. "Characters" below are those that are compared; places count all.
 *
 * A passage is a local alignment: +1 for a character that both have, −1 for each that only one has (a substitution
 * is −2), so that of a passage at least two thirds are the same. Found as tools of text reuse do it (seed, extend,
 * join: Altschul et al., Basic local alignment search tool, J. Mol. Biol. 215, 1990; Smith, Cordell, Dillon, Infectious
 * texts, 2013): common runs of six Han characters or twelve others are seeds, extended as far as they go; the longest
 * comes first, takes the next run on either side as long as that gains more than the gap loses, gaps of up to 64
 * characters, and reaches beyond its last runs as far as the score grows. What lies between two runs is aligned by a
 * bit-parallel longest common subsequence. No character is in two passages.
 *
 * Time is bounded on any input of n and m characters, a text of one character included: O(n + m) comparisons for the
 * runs, sorting them, and at most n + m windows of 64 × 64 to join them. Hostile texts that
 * need more get the passages that were found until then. Functions are thread-safe; results are the same on any
 * machine.
 */
#ifndef FPLAB_ALIGNMENT_H
#define FPLAB_ALIGNMENT_H 1

#include <fplab/memory.h>
#include <fplab/status.h>
#include <fplab/text.h>

FP_BEGIN

/* The shortest passage, where none is given: 12 Han characters, or 24 others, or as many together (a character that is
 * neither Han, kana nor hangul counts half). Of characters that both texts have. */
enum { FP_ALIGNMENT_LEAST = 12, FP_ALIGNMENT_LEAST_LEAST = 2, FP_ALIGNMENT_LEAST_MOST = 1000000 };

/* A stretch that both texts have, in bytes of the texts as given: [0] of a, [1] of b. White space inside may differ. */
typedef struct fp_common_run {
    size_t begin[2], end[2];
} fp_common_run;

typedef struct fp_passage {
    size_t from[2], to[2];     /* code points of a and of b, from 0; `to` stands behind the last */
    size_t begin[2], end[2];   /* the same in bytes */
    size_t characters[2];      /* compared characters in it */
    size_t same;               /* characters that both have, aligned */
    size_t run_count;          /* > 0 */
    const fp_common_run *runs; /* [run_count] ascending in both; what lies between two is in one text alone */
} fp_passage;

typedef struct fp_alignment {
    size_t count;
    const fp_passage *passages; /* [count] the most same characters first; ties by place in a */
    size_t characters[2];       /* compared characters of each text */
    size_t same;                /* sum over the passages */
    double share[2];            /* same / characters of each; 0 for a text without any */
} fp_alignment;

/* Aligns two texts under 4 GiB; `least`: 0 for FP_ALIGNMENT_LEAST, else from FP_ALIGNMENT_LEAST_LEAST to
 * FP_ALIGNMENT_LEAST_MOST. *out lives in `arena`, about 24 bytes a character and what it took to make it. It points to
 * nothing of the texts. FP_ERROR_ENCODING with the byte, and which text, for one that is not UTF-8; FP_ERROR_RANGE. */
fp_status fp_align(fp_string a, fp_string b, size_t least, fp_arena *arena, fp_alignment *out, fp_error *error);

FP_END

#endif
