/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * code_blocks.h - one small value for every Unicode code point, in two steps: an index of blocks of 64 code points, and
 * the blocks, with equal ones stored once.
 */
#ifndef FP_CODE_BLOCKS_H
#define FP_CODE_BLOCKS_H

enum { FP_CODE_BLOCK = 64, FP_CODE_BLOCKS = 0x110000 / FP_CODE_BLOCK };

/* The value of `code` (at most U+10FFFF) in a struct with members `index[FP_CODE_BLOCKS]` and
 * `block[…][FP_CODE_BLOCK]`. */
#define FP_CODE_VALUE(table, code) ((table)->block[(table)->index[(code) / FP_CODE_BLOCK]][(code) % FP_CODE_BLOCK])

#endif
