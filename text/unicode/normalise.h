/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * normalise.h - raw UTF-8 to normalised text: Unicode NFKC with case folding (NFKC_Casefold) and radicals, then Han
 * folding.
 *
 * Rules:
 * - Invalid UTF-8 is an error at its byte offset.
 * - A byte-order mark, zero-width characters, variation selectors (also those of ideographs and emoji), joiners, the
 *   soft hyphen and the other default ignorables are removed everywhere (NFKC_Casefold).
 * - Line ends (LF, CR LF, CR, VT, FF, NEL, U+2028, U+2029) become one U+000A each. NUL, tab and every other control
 *   character become one U+0020 each. U+0020 and U+000A are thus the only ASCII white space in normalised text.
 * - Full-width forms become half-width (，becomes a comma, U+3000 a space) and half-width katakana full-width (NFKC); …
 *   becomes three full stops; 。、「」《》 and curly quotes stay.
 * - Radicals (U+2E80 to U+2FDF) become their Equivalent_Unified_Ideograph (Unicode 15), including those of NFKC: ⻄
 *   becomes 西.
 * - ○ among Chinese digits becomes 〇 (text/unicode/han_digits.h).
 * - Private-use characters, unassigned code points, emoji (with skin tones and flags) and combining marks are kept,
 *   marks composed (NFC).
 * - Normalising twice changes nothing.
 */
#ifndef FP_NORMALISE_H
#define FP_NORMALISE_H

#include "base/base.h"

typedef enum fp_han { FP_HAN_KEEP, FP_HAN_SIMPLIFIED } fp_han;

/* Normalises `raw` into `arena`. On invalid UTF-8: FP_ERROR_ENCODING with error->byte = offset in `raw` (no file, no
 * line). With FP_HAN_SIMPLIFIED, OpenCC's t2s phrases (longest match first) and characters are then applied
 * (text/unicode/han.h). Japanese and Korean lines are not folded: those in which kana and hangul make up a quarter or
 * more of the Han, kana and hangul letters. So a Chinese text that quotes a Japanese word is folded, and a copied
 * paragraph gets the same treatment in any document. */
fp_status fp_normalise(fp_string raw, fp_han han, fp_arena *arena, fp_string *text, fp_error *error);

/* The NFKC_Casefold of a single code point, for callers that must preserve positions: U+0020 and U+000A for controls
 * and line ends as above, 0 for a default ignorable, and the code point itself if it becomes several. */
uint32_t fp_normalise_code(uint32_t code);

#endif
