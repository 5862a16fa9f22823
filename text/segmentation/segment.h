/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * segment.h - segmenters: valid UTF-8 text -> tokens. A segmenter is a const struct; a third one is one .c file and
 * one line in text/segmentation/segmenters.def.
 */
#ifndef FP_SEGMENT_H
#define FP_SEGMENT_H

#include "base/base.h"

/* A half-open range of bytes in the text that was cut. */
typedef struct fp_token {
    uint32_t begin, end;
} fp_token;

/* Tokens in text order. */
typedef struct fp_tokens {
    const fp_token *token;
    size_t count;
} fp_tokens;

/* What the user may choose; a segmenter ignores what it has no use for. */
typedef struct fp_segment_options {
    bool hmm;             /* jieba: guess unknown words */
    bool search;          /* finer cuts: words inside long words are emitted before them, as jieba's search mode does */
    bool join_numbers;    /* 51区 and 9架 stay whole */
    const char *userdict; /* "shipped", "none", or a file in jieba's format */
} fp_segment_options;

typedef struct fp_segmenter {
    const char *name;
    const char *summary;
    /* Makes the read-only state in `arena`, which outlives it. A broken row of a user dictionary: FP_ERROR_SYNTAX with
     * its file and line. */
    fp_status (*open)(const fp_segment_options *options, fp_arena *arena, const void **state, fp_error *error);
    /* Cuts the whole text into tokens that cover every byte (white space and punctuation are tokens too, so that the
     * output equals jieba's `cut`); with search mode tokens overlap. `tokens` live in `scratch`. Thread-safe on one
     * state; no allocation per token. A text over 4 GiB − 1 is FP_ERROR_RANGE. */
    fp_status (*cut)(const void *state, fp_string text, fp_arena *scratch, fp_tokens *tokens, fp_error *error);
} fp_segmenter;

/* The registered segmenters, by position; NULL past the end. */
const fp_segmenter *fp_segmenter_at(size_t index);

/* Joins a number with the single measure or unit behind it (a token that is a line of text/data/measures.txt), in
 * place, and returns the new count: 51/区 → 51区, 3.14/公里 → 3.14公里, 5/% → 5%. A number is a token of ASCII digits
 * with single points or commas between digits; where a segmenter cut it at a point, or at a comma before three digits,
 * its parts join too, but only with a measure behind them: 1/,/000/元 → 1,000元. Numbers in Chinese characters stay as
 * the segmenter has them. Tokens that white space parts are never joined. Tokens must not be empty nor overlap. Used by
 * segmenters when options.join_numbers is set. */
size_t fp_join_numbers(fp_string text, fp_token *tokens, size_t count);

#endif
