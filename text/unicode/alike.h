/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * alike.h - Han characters that replace one another: by sound, by look, or at random.
 *
 * Characters are those of the Table of General Standard Chinese Characters (Unihan's kTGH, 8,105) and of the first
 * level of Big5 (5,401).
 *
 * By sound: characters with the same toneless pinyin syllable in Rime's simplified pinyin dictionary, weighted by how
 * often they are typed for it; rows under weight 20 there are mostly mistakes and are excluded. A traditional character
 * has the readings and weights of its simplified one.
 *
 * By look: Cangjie codes spell the parts of a character, so similar codes mean similar shapes (Liu, Lai, Tien, Chuang,
 * Wu, Lee: Visually and Phonologically Similar Characters in Incorrect Chinese Words, ACM TALIP 10(2), 2011). Two
 * characters look alike if all of these hold: their codes (Unihan's kCangjie) differ by at most one letter, changed,
 * deleted or swapped with its neighbour; at least three of the four corners are equal (kFourCornerCode), or all four if
 * a code has fewer than three letters; they differ by at most two strokes (kTotalStrokes), or by at most one in that
 * case. Pairs that Unihan lists as confusable (kSpoofingVariant) also look alike. Each character is weighted by its
 * frequency.
 *
 * Thread-safe: constant tables.
 */
#ifndef FP_ALIKE_H
#define FP_ALIKE_H

#include "base/base.h"

/* Where a character is in use, as a set. */
typedef enum fp_script { FP_SCRIPT_SIMPLIFIED = 1, FP_SCRIPT_TRADITIONAL = 2 } fp_script;

/* The script of the text: traditional if more of its characters are in use only there than only in simplified text. */
fp_script fp_script_of(fp_string text);

/* The functions below return a replacement that is in use in `script`, sampled by weight with the 64 random bits of
 * `random`, never the character itself; 0 if there is no other. */

/* fp_draw_homophone: same sound, for the reading whose pinyin begins with the letter `initial`; if that is 0 or matches
 * no reading, for the most common reading. */
uint32_t fp_draw_homophone(uint32_t code, char initial, fp_script script, uint64_t random);
uint32_t fp_draw_lookalike(uint32_t code, fp_script script, uint64_t random);
/* Any character, by frequency. */
uint32_t fp_draw_character(uint32_t code, fp_script script, uint64_t random);

#endif
