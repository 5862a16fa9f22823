/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * alignment.h - the inside of fplab/alignment.h, which says what is compared and what a passage is: a text made ready
 * for many, its symbols, runs and chains of them.
 */
#ifndef FP_ALIGNMENT_H
#define FP_ALIGNMENT_H

#include <fplab/alignment.h>

#include "base/base.h"

/* A text made ready to be compared with many: a query. Opaque. */
typedef struct fp_alignment_text fp_alignment_text;
/* `text` must be valid UTF-8 (fp_utf8_check) under 4 GiB, and stay where it is; `least`: 0 for FP_ALIGNMENT_LEAST, else
 * from FP_ALIGNMENT_LEAST_LEAST to FP_ALIGNMENT_LEAST_MOST. Lives in `arena`, about 24 bytes a character.
 * FP_ERROR_RANGE, FP_ERROR_MEMORY. */
fp_status fp_alignment_open(fp_string text, size_t least, fp_arena *arena, const fp_alignment_text **opened,
                            fp_error *error);
/* Aligns it with `b`, a text as above; *out lives in `arena`, what it took to make it as well. */
fp_status fp_align_with(const fp_alignment_text *a, fp_string b, fp_arena *arena, fp_alignment *out, fp_error *error);

/* ---- a text as an alignment sees it: the characters that are compared, folded, with their places. ---- */

typedef struct fp_symbols {
    fp_string text;         /* as given */
    size_t count;           /* compared characters; under 2³² */
    const uint32_t *code;   /* [count] folded */
    const uint32_t *place;  /* [count] number of the code point in the text */
    const uint32_t *byte;   /* [count] where it begins */
    const uint32_t *weight; /* [count + 1] of all before: 2 for a wide letter (Han, kana, hangul, …), 1 for others */
} fp_symbols;

/* ----
 * common runs of two texts, found from seeds: slices of six wide letters or twelve other symbols (by
 * fp_symbols.weight) that both have, extended as far as they go.
 *
 * Bounds on any input of n and m symbols. At most FP_SEED_TRIES places of a are tried for each place of b, the first
 * ones of those whose seed hashes alike; no seed is looked up inside a run of FP_RUN_LONG symbols or more that was
 * found; a diagonal is never compared twice. All comparisons together end at FP_RUN_WORK · (n + m) symbols and
 * FP_RUN_MOST · (n + m) runs, where the search stops with what it has: a text of one character against itself needs
 * FP_SEED_TRIES · n. So time and memory are O(n + m) whatever the texts.
 */

enum { FP_SEED_WEIGHT = 12, FP_SEED_TRIES = 16, FP_RUN_LONG = 64, FP_RUN_WORK = 1024, FP_RUN_MOST = 4 };

/* a[a … a + length − 1] equals b[b … b + length − 1]. */
typedef struct fp_run {
    uint32_t a, b, length;
} fp_run;

typedef struct fp_runs {
    size_t count;
    fp_run *run; /* [count] each maximal on its diagonal, in the order of their seeds in b */
} fp_runs;

/* ----
 * the longest common subsequence of two windows of at most 64 symbols, 64 cells of the table a word
 * (Crochemore, Iliopoulos, Pinzon, Reid, A fast and practical bit-vector algorithm for the longest common subsequence
 * problem, Information Processing Letters 80, 2001; the form of Hyyrö, Bit-parallel LCS-length computation revisited,
 * AWOCA 2004): V' = (V + (V & M)) | (V & ~M), where M marks the symbols of a that equal the next of b. Bit i of a row
 * is 0 where one symbol more of a makes the subsequence one longer.
 * ---- */

enum { FP_LCS_WINDOW = 64 };

typedef struct fp_lcs {
    size_t a_count, b_count;
    uint64_t row[FP_LCS_WINDOW + 1]; /* [b_count + 1] after so many symbols of b */
} fp_lcs;

/* Symbols are taken from `a` and `b` upwards, or downwards (a[0], a[−1], …) where `step` is −1; both at most
 * FP_LCS_WINDOW. */
void fp_lcs_fill(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count, ptrdiff_t step, fp_lcs *out);

/* The length for the first i symbols of a and j of b. */
static inline size_t fp_lcs_length(const fp_lcs *of, size_t i, size_t j) {
    uint64_t zeros = ~of->row[j];
    return (size_t)__builtin_popcountll(i < 64 ? zeros & (((uint64_t)1 << i) - 1) : zeros);
}

/* The i and j with the largest 3·length − i − j, which is +1 for a common symbol and −1 for any other; of equal ones
 * the first j, then the first i. Returns it; 0 with i = j = 0 where nothing is larger. */
size_t fp_lcs_best(const fp_lcs *of, size_t *i, size_t *j);

/* The pairs of one longest common subsequence of all of a and b, ascending: pair k is symbol a_at[k] of a and b_at[k]
 * of b. Returns how many. */
size_t fp_lcs_pairs(const fp_lcs *of, uint8_t a_at[FP_LCS_WINDOW], uint8_t b_at[FP_LCS_WINDOW]);

/* ---- one run grown to both sides: over gaps to further runs, and beyond the last of them. ---- */

/* Gaps have at most FP_LCS_WINDOW symbols of either text. */
typedef struct fp_growth {
    const fp_symbols *text[2]; /* a, b */
    const fp_runs *runs;
    uint64_t *taken[2]; /* a bit a symbol, and 64 more: in a passage already */
    size_t *first;      /* [blocks + 1] of 64 symbols of b: into `which` */
    uint32_t *which;    /* the runs that touch the block */
    size_t work;        /* windows that may still be looked at */
    /* The chain that is being made: parts, ascending, with gaps between them. A part may be empty: a gap ends there. */
    fp_run *part;
    size_t count, room;
    fp_arena *arena;
} fp_growth;

/* Runs by the blocks of b that they touch; nothing is taken. */
fp_status fp_growth_open(const fp_symbols *a, const fp_symbols *b, const fp_runs *runs, fp_arena *arena, fp_growth *out,
                         fp_error *error);
/* Grows `anchor`, whose symbols are free, into growth->part[0 … count). */
fp_status fp_growth_make(fp_growth *growth, fp_run anchor, fp_error *error);

/* ---- common runs joined to passages. ---- */

/* A passage in symbols: runs of both texts, ascending, none touching the next. */
typedef struct fp_chain {
    size_t count;
    fp_run *run; /* [count] */
    size_t same; /* sum of their lengths */
} fp_chain;

typedef struct fp_chains {
    size_t count;
    fp_chain *chain; /* [count] */
} fp_chains;

/* The longest run first, grown as alignment.h says; kept where its common symbols weigh `least` or more. */
fp_status fp_passages_choose(const fp_symbols *a, const fp_symbols *b, const fp_runs *runs, uint32_t seed_weight,
                             uint32_t least, fp_arena *arena, fp_chains *out, fp_error *error);

/* 64 bits of a row of bits that is 64 bits longer than any `at` asked for. */
static inline uint64_t fp_bits_from(const uint64_t *bits, size_t at) {
    return at % 64 ? bits[at / 64] >> at % 64 | bits[at / 64 + 1] << (64 - at % 64) : bits[at / 64];
}

#endif
