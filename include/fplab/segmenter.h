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

/* What the user may choose; a segmenter ignores what it has no use for. Made by the lab. */
typedef struct fp_segment_options {
    bool hmm;             /* jieba: guess unknown words */
    bool search;          /* finer cuts: words inside long words are emitted before them, as jieba's search mode does */
    bool join_numbers;    /* 51区 and 9架 stay whole */
    const char *userdict; /* "shipped", "none", or a file in jieba's format */
} fp_segment_options;

/* Constant data and functions without hidden state. A program hands its own to fp_arm_parse_with. */
typedef struct fp_segmenter {
    const char *name;    /* lower case, [a-z0-9_]+ */
    const char *summary; /* one line */
    /* Makes the read-only state in `arena`, which outlives it. A broken row of a user dictionary: FP_ERROR_SYNTAX with
     * its file and line. NULL where there is none to make: `state` is then NULL. */
    fp_status (*open)(const fp_segment_options *options, fp_arena *arena, const void **state, fp_error *error);
    /* Cuts the whole text into tokens, in `scratch`: ascending by where they begin, none empty, none inside a
     * character. White space and punctuation are tokens too, so that they cover every byte; with search mode tokens may
     * overlap, and jieba's come behind those inside them. Of a segmenter from outside all but that is checked:
     * FP_ERROR_RANGE. Thread-safe on one state. A text over 4 GiB − 1 is FP_ERROR_RANGE. */
    fp_status (*cut)(const void *state, fp_string text, fp_arena *scratch, fp_tokens *tokens, fp_error *error);
} fp_segmenter;

/* The registered segmenters, by position; NULL past the end. */
const fp_segmenter *fp_segmenter_at(size_t index);

FP_END

#endif
