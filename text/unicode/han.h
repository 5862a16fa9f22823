/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * han.h - Han folding: traditional to simplified characters like OpenCC's t2s, by phrases (longest match first, from
 * left to right) and by characters, with the first candidate if there are several; and the forms of Taiwan and Hong
 * Kong, from OpenCC's variants.
 *
 * A variant and its traditional form become one simplified character: 衞 and 衛 give 卫, 擡 and 抬 give 抬; 看著 gives
 * 看着, and 著名 stays. Unlike OpenCC's tw2s and hk2s, this suits texts of any place; the rule is in
 * text/tables/compile_han_variants.c. In simplified text it changes 著 only as a single-character word.
 *
 * The quotation marks of traditional text, 「」 and 『』, become those of GB/T 15834, “” and ‘’.
 *
 * Folding twice changes nothing, which OpenCC does not guarantee. So the result differs from OpenCC's where OpenCC
 * would change its own output again: the result of a phrase is a phrase too (畢昇 gives 毕昇, and 毕昇 stays, where
 * OpenCC makes 毕升 of it), a chain of characters is followed to its end (薴 and 苧 both give 苎), and a line whose
 * folded form would still change is folded again (迴覆 gives 回覆, which is a phrase, and so 回复).
 *
 * Every character becomes exactly one character.
 */
#ifndef FP_HAN_H
#define FP_HAN_H

#include "base/base.h"

/* Folds valid UTF-8. Returns `text` itself if nothing changes; else the result lives in `arena`. With `foreign`, a line
 * (up to U+000A) is not folded if kana and hangul make up a quarter or more of its Han, kana and hangul letters;
 * without it all lines are folded. */
fp_status fp_han_fold(fp_string text, bool foreign, fp_arena *arena, fp_string *folded, fp_error *error);

/* The same for a text that folds to itself before byte `from`, which begins a character. */
fp_status fp_han_fold_from(fp_string text, size_t from, bool foreign, fp_arena *arena, fp_string *folded,
                           fp_error *error);

/* The replacement of a single code point; the code point itself if it does not change. */
uint32_t fp_han_fold_code(uint32_t code);

#endif
