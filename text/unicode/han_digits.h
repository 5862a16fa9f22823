/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * han_digits.h - Chinese digits, and the circle ○ (U+25CB) that many texts have instead of 〇 (U+3007).
 */
#ifndef FP_HAN_DIGITS_H
#define FP_HAN_DIGITS_H

#include "base/base.h"

/* 〇 零 一 to 九. */
bool fp_is_han_digit(uint32_t code);

/* Replaces ○ by 〇 where it means zero, from byte `from` of valid UTF-8 on, in place: in a run of Chinese digits
 * (〇零一二两兩三四五六七八九十百千万萬亿億) and ○, each ○ after the first digit, if the run has another digit (二○○八,
 * 一千○一夜) or is followed by 年 月 日 号 號 (二○○○年). 三○公司, 张○○ and ○一、 stay. */
void fp_fold_circles(char *text, size_t length, size_t from);

#endif
