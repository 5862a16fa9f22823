/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * repeated.h - exact substring duplicates: spans of at least a number of characters that occurred before, in an earlier
 * text or earlier in the same (Lee et al., Deduplicating training data makes language models better, ACL 2022, section
 * 4.1, which finds them by a suffix array). Here every window of that many characters is looked up among those before
 * it, by a rolling hash (Karp, Rabin 1987) and then byte for byte: the same spans, in one pass over the texts and 12 to
 * 24 bytes a character.
 */
#ifndef FP_REPEATED_H
#define FP_REPEATED_H

#include "base/base.h"

typedef struct fp_repeated fp_repeated;

/* `window`: characters, 1 or more; `characters`: of all texts that will be looked at. In `arena`. */
fp_status fp_repeated_open(size_t window, size_t characters, fp_arena *arena, fp_repeated **repeated, fp_error *error);

/* A span that occurred before, as far as the text before goes on in the same way. */
typedef struct fp_repeated_span {
    size_t begin, end; /* bytes of the text */
    uint32_t text;     /* which text had it first, by the order in which they were looked at */
    size_t at;         /* byte of that text */
} fp_repeated_span;

/* The spans of the next text, ascending by their ends, in `scratch`; they may overlap. The text, valid UTF-8 below 4
 * GiB, must stay where it is. */
fp_status fp_repeated_next(fp_repeated *repeated, fp_string text, fp_arena *scratch, const fp_repeated_span **spans,
                           size_t *count, fp_error *error);

/* What is left of a text without the sentences of which every character lies in a span, in `arena`: whole sentences
 * alone go (text/features/sentences.h), with the white space behind them. *removed: how many went. */
fp_status fp_repeated_without(fp_string text, const fp_repeated_span *spans, size_t count, fp_arena *arena,
                              fp_string *left, size_t *removed, fp_error *error);

#endif
