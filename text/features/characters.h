/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * characters.h - the hash of each of many short slices of one text.
 */
#ifndef FP_CHARACTERS_H
#define FP_CHARACTERS_H

#include "base/base.h"

/* hash[i] = XXH3-64 of data[begin[i] … end[i]), without a seed, i < count. Slices that begin one after the other are
 * fast; any are right. The same on every level of the processor. */
void fp_window_hash(const char *data, const uint32_t *begin, const uint32_t *end, size_t count, uint64_t *hash);

#endif
