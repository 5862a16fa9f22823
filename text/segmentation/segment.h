/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * segment.h - shared functions of segmenters. A segmenter is a const struct (fplab/segmenter.h); a new one is one .c
 * file and one line in text/segmentation/segmenters.def.
 */
#ifndef FP_SEGMENT_H
#define FP_SEGMENT_H

#include "base/base.h"

/* Joins a number with a single following measure or unit (a token that is a line of text/data/measures.txt), in place,
 * and returns the new count: 51/区 → 51区, 3.14/公里 → 3.14公里, 5/% → 5%. A number is a token of ASCII digits with
 * single points or commas between digits. If a segmenter cut it at a point, or at a comma before three digits, its
 * parts are joined too, but only if a measure follows: 1/,/000/元 → 1,000元. Numbers in Chinese characters stay as cut.
 * Tokens separated by white space are never joined. Tokens must not be empty nor overlap. Segmenters call it if
 * options.join_numbers is set. */
size_t fp_join_numbers(fp_string text, fp_token *tokens, size_t count);

/* FP_ERROR_RANGE, with the segmenter and the token, if tokens violate the contract of fp_segmenter.cut. */
fp_status fp_tokens_check(const fp_segmenter *segmenter, fp_string text, fp_tokens tokens, fp_error *error);

#endif
