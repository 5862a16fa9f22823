/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * whole_arms.h - arms whose pairs are all counted though those of others are drawn. Kernels compare two fingerprints of
 * bits in fractions of a nanosecond, so that all pairs of a million documents are a matter of seconds: the counts of
 * such an arm are exact at every threshold, and its intervals hold the documents alone.
 */
#ifndef FP_WHOLE_ARMS_H
#define FP_WHOLE_ARMS_H

#include <stdbool.h>
#include <stdint.h>

#include "algorithms/arms/arm.h"

/* The usual limit of what counting all pairs of an arm may cost, in comparisons of 64-bit words: about ten minutes of a
 * processor that does 25·10⁹ in a second. 64 bits are counted in corpora of up to 5.9 million documents, 64 slots up to
 * 1.4 million, 128 slots up to 1.0 million. */
#define FP_WHOLE_WORDS (UINT64_C(1) << 44)

/* Whether all pairs of so many sketches take no more than `most_words` comparisons of words; a slot takes as long as a
 * quarter of a word, and the rest of a signature as a whole one. Never for what is neither bits nor slots. */
bool fp_arm_counts_whole(const fp_layout *layout, uint64_t documents, uint64_t most_words);

#endif
