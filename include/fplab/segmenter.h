/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab/segmenter.h - segmenters: valid UTF-8 text to tokens.
 */
#ifndef FPLAB_SEGMENTER_H
#define FPLAB_SEGMENTER_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fplab/memory.h>
#include <fplab/status.h>
#include <fplab/text.h>

FP_BEGIN

/* A half-open range of bytes in the text that was cut. */
typedef struct fp_token {
    uint32_t begin, end;
} fp_token;

/* Tokens in text order. */
typedef struct fp_tokens {
    const fp_token *token;
    size_t count;
} fp_tokens;

/* User options; a segmenter ignores those that do not apply to it. Created by the library. */
typedef struct fp_segment_options {
    bool hmm;             /* jieba: guess unknown words */
    bool search;          /* finer cuts: words inside long words are emitted before them, as jieba's search mode does */
    bool join_numbers;    /* keep 51区 and 9架 whole */
    const char *userdict; /* "shipped", "none", or a file in jieba's format */
} fp_segment_options;

/* Constant data and functions without hidden state. A program adds its own through fp_extensions (fp_arm_parse). */
typedef struct fp_segmenter {
    const char *name;    /* lower case, [a-z0-9_]+ */
    const char *summary; /* one line */
    /* Creates the read-only state in `arena`, which outlives it. FP_ERROR_SYNTAX, with file and line: a broken row of a
     * user dictionary. NULL: there is no state to create, and `state` is NULL. */
    fp_status (*open)(const fp_segment_options *options, fp_arena *arena, const void **state, fp_error *error);
    /* Cuts the whole text into tokens, in `scratch`: ascending by their begin, not empty, never inside a character.
     * White space and punctuation are tokens too, so that tokens cover every byte. In search mode tokens may overlap,
     * and jieba, against this order, emits a long word after the words inside it. Tokens of external segmenters are
     * checked, with their order: FP_ERROR_RANGE. Thread-safe on one state. A text over 4 GiB − 1 is FP_ERROR_RANGE. */
    fp_status (*cut)(const void *state, fp_string text, fp_arena *scratch, fp_tokens *tokens, fp_error *error);
} fp_segmenter;

/* The registered segmenters, by position; NULL past the end. */
const fp_segmenter *fp_segmenter_at(size_t index);

FP_END

#endif
