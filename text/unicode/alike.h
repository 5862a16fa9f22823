/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * alike.h - Han characters that are taken for one another: by sound, by look, or by chance.
 *
 * Characters are those of the Table of General Standard Chinese Characters (Unihan's kTGH, 8,105) and of the first
 * level of Big5 (5,401).
 *
 * By sound: characters with the same toneless pinyin syllable in Rime's simplified pinyin dictionary, weighed by how
 * often they are typed for it; rows under weight 20 there are mostly slips, and no choice. A traditional character
 * reads and weighs as its simplified one.
 *
 * By look: Cangjie codes spell the parts of a character, so that similar codes mean similar shapes (Liu, Lai, Tien,
 * Chuang, Wu, Lee: Visually and Phonologically Similar Characters in Incorrect Chinese Words, ACM TALIP 10(2), 2011).
 * Two characters are alike when their codes (Unihan's kCangjie) are at most one letter apart, changed, left out or
 * exchanged with its neighbour; when at least three of the four corners are the same (kFourCornerCode), and all four
 * where a code has fewer than three letters; and when they differ by at most two strokes (kTotalStrokes), there by at
 * most one. So are those that Unihan marks as easily taken for one another (kSpoofingVariant). Each
 * weighs as often as it is written.
 *
 * Thread-safe: constant tables.
 */
#ifndef FP_ALIKE_H
#define FP_ALIKE_H

#include "base/base.h"

/* Where characters are in use, as a set. */
typedef enum fp_script { FP_SCRIPT_SIMPLIFIED = 1, FP_SCRIPT_TRADITIONAL = 2 } fp_script;

/* Which of both the text is written in: traditional where more of its characters are in use there alone than in the
 * other alone. */
fp_script fp_script_of(fp_string text);

/* A character that stands in for another one: one that is in use in `script`, drawn by weight with the 64 random bits
 * of `random`. 0 where there is none, and never the character itself. */

/* Of the same sound: that of the reading whose pinyin begins with the letter `initial`; 0 or a letter that none begins
 * with: of the usual reading. */
uint32_t fp_draw_homophone(uint32_t code, char initial, fp_script script, uint64_t random);
uint32_t fp_draw_lookalike(uint32_t code, fp_script script, uint64_t random);
/* Any, by how often it is written. */
uint32_t fp_draw_character(uint32_t code, fp_script script, uint64_t random);

#endif
