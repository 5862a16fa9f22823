/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * alignment.h - internals of fplab/alignment.h, which defines the comparison and passages: queries, symbols, runs and
 * chains of runs.
 */
#ifndef FP_ALIGNMENT_H
#define FP_ALIGNMENT_H

#include <fplab/alignment.h>

#include "base/base.h"

/* A query: a text prepared for comparison with many others. Opaque. */
typedef struct fp_alignment_text fp_alignment_text;
/* `text` must be valid UTF-8 (fp_utf8_check) under 4 GiB, and outlive the query; `least`: 0 for FP_ALIGNMENT_LEAST,
 * else from FP_ALIGNMENT_LEAST_LEAST to FP_ALIGNMENT_LEAST_MOST. Lives in `arena`, about 24 bytes a character.
 * FP_ERROR_RANGE, FP_ERROR_MEMORY. */
fp_status fp_alignment_open(fp_string text, size_t least, fp_arena *arena, const fp_alignment_text **opened,
                            fp_error *error);
/* Aligns the query with `b`, with the same conditions; *out and the working memory live in `arena`. */
fp_status fp_align_with(const fp_alignment_text *a, fp_string b, fp_arena *arena, fp_alignment *out, fp_error *error);

/* ---- Symbols: the compared characters of a text, folded, with their places ---- */

typedef struct fp_symbols {
    fp_string text;         /* the original text */
    size_t count;           /* compared characters; under 2³² */
    const uint32_t *code;   /* [count] folded */
    const uint32_t *place;  /* [count] number of the code point in the text */
    const uint32_t *byte;   /* [count] where it begins */
    const uint32_t *weight; /* [count + 1] total weight of all earlier symbols: 2 for a wide letter (Han, kana, hangul,
                               …), 1 for others */
} fp_symbols;

/* ---- Common runs of two texts, found from seeds: equal slices of six wide letters or twelve other symbols (by
 * fp_symbols.weight), extended as far as they match.
 *
 * Bounds on any input of n and m symbols. For each place of b at most FP_SEED_TRIES places of a are tried, the first
 * ones with the same seed hash. No seed is looked up inside a known run of FP_RUN_LONG symbols or more. A diagonal is
 * not searched again inside a known run. The search stops with its current result after comparing FP_RUN_WORK · (n + m)
 * symbols, or at FP_RUN_MOST · (n + m) runs: a text that repeats one character needs FP_SEED_TRIES · n against itself.
 * So time and memory are O(n + m) for all texts. ---- */

enum { FP_SEED_WEIGHT = 12, FP_SEED_TRIES = 16, FP_RUN_LONG = 64, FP_RUN_WORK = 1024, FP_RUN_MOST = 4 };

/* a[a … a + length − 1] equals b[b … b + length − 1]. */
typedef struct fp_run {
    uint32_t a, b, length;
} fp_run;

typedef struct fp_runs {
    size_t count;
    fp_run *run; /* [count] each maximal on its diagonal, in the order of their seeds in b */
} fp_runs;

/* ---- The longest common subsequence of two windows of at most 64 symbols, 64 cells of the table a word (Crochemore,
 * Iliopoulos, Pinzon, Reid, A fast and practical bit-vector algorithm for the longest common subsequence problem,
 * Information Processing Letters 80, 2001; in the form of Hyyrö, Bit-parallel LCS-length computation revisited, AWOCA
 * 2004): V' = (V + (V & M)) | (V & ~M), where M marks the symbols of a that equal the next symbol of b. Bit i of a row
 * is 0 if the next symbol of a makes the subsequence longer by one. ---- */

enum { FP_LCS_WINDOW = 64 };

typedef struct fp_lcs {
    size_t a_count, b_count;
    uint64_t row[FP_LCS_WINDOW + 1]; /* [b_count + 1] row j: after j symbols of b */
} fp_lcs;

/* Fills the table. Symbols are read from `a` and `b` upwards, or downwards (a[0], a[−1], …) if `step` is −1; at most
 * FP_LCS_WINDOW of each. */
void fp_lcs_fill(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count, ptrdiff_t step, fp_lcs *out);

/* The length for the first i symbols of a and j of b. */
static inline size_t fp_lcs_length(const fp_lcs *of, size_t i, size_t j) {
    uint64_t zeros = ~of->row[j];
    return (size_t)__builtin_popcountll(i < 64 ? zeros & (((uint64_t)1 << i) - 1) : zeros);
}

/* Finds the i and j with the largest 3·length − i − j, which is +1 for a common symbol and −1 for any other; ties by
 * the first j, then the first i. Returns that value; 0 with i = j = 0 if none is positive. */
size_t fp_lcs_best(const fp_lcs *of, size_t *i, size_t *j);

/* The pairs of a longest common subsequence of all of a and b, ascending: pair k is symbol a_at[k] of a and b_at[k] of
 * b. Returns their number. */
size_t fp_lcs_pairs(const fp_lcs *of, uint8_t a_at[FP_LCS_WINDOW], uint8_t b_at[FP_LCS_WINDOW]);

/* ---- Passages of common runs ---- */

/* A passage in symbols: runs of both texts, ascending, not adjacent. */
typedef struct fp_chain {
    size_t count;
    fp_run *run; /* [count] */
    size_t same; /* sum of their lengths */
} fp_chain;

typedef struct fp_chains {
    size_t count;
    fp_chain *chain; /* [count] */
} fp_chains;

/* Chooses passages: the longest run first, grown as fplab/alignment.h describes, and kept if its common symbols weigh
 * at least `least`. */
fp_status fp_passages_choose(const fp_symbols *a, const fp_symbols *b, const fp_runs *runs, uint32_t seed_weight,
                             uint32_t least, fp_arena *arena, fp_chains *out, fp_error *error);

#endif
