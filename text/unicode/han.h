/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * han.h - Han folding: traditional to simplified characters as OpenCC's t2s does it, by phrases (longest match first,
 * from left to right) and by characters, first candidate when there are several; and what Taiwan and Hong Kong write
 * otherwise, from OpenCC's variants.
 *
 * Variants do not go the way of OpenCC's tw2s and hk2s, each of which suits texts of one place only. Where a variant
 * and the form it stands for fold to two characters, the one that GB 2312 holds is taken for both: 衞 and 衛 give 卫,
 * 擡 and 抬 give 抬. Where GB 2312 holds both (着 and 著, 么 and 幺, 颚 and 腭, 鲇 and 鲶), the one that is commoner in
 * jieba's dictionary stands for both, except in the words that have the other one there or in OpenCC's phrases: 看著
 * gives 看着, and 著名 stays. In simplified text that touches 著 only where it stands alone.
 *
 * The quotation marks of traditional text, 「」 and 『』, become those of GB/T 15834, “” and ‘’.
 *
 * Folding twice changes nothing, which OpenCC does not promise. So it departs from OpenCC where OpenCC would change its
 * own output again: what comes out of a phrase is a phrase too (畢昇 gives 毕昇, and 毕昇 stays, where OpenCC makes
 * 毕升 of it), a chain of characters is followed to its end (薴 and 苧 both give 苎), and a line whose folded form
 * would still change is folded on (迴覆 gives 回覆, which is a phrase, and so 回复).
 *
 * Every character becomes exactly one character.
 */
#ifndef FP_HAN_H
#define FP_HAN_H

#include "base/base.h"

/* Folds valid UTF-8. `text` itself is given back when nothing changes; else the result lives in `arena`. With
 * `foreign`, each line (up to U+000A) in which kana and hangul make up a quarter or more of the letters of Han, kana
 * and hangul is left alone; without it no line is looked at. */
fp_status fp_han_fold(fp_string text, bool foreign, fp_arena *arena, fp_string *folded, fp_error *error);

/* The same, of a text that folds to itself before byte `from`, which begins a character. */
fp_status fp_han_fold_from(fp_string text, size_t from, bool foreign, fp_arena *arena, fp_string *folded,
                           fp_error *error);

/* What the code point becomes by itself; the code point when it does not change. */
uint32_t fp_han_fold_code(uint32_t code);

#endif
