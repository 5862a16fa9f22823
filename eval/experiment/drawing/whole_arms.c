/* SPDX-License-Identifier: GPL-3.0-or-later
 * What it costs to count all pairs. */
#include "eval/experiment/drawing/whole_arms.h"

#include "eval/experiment/groups.h"

enum { WORD_BITS = 64, SLOTS_OF_A_WORD = 4 };

static uint64_t words_of(const fp_layout *layout) {
    if (layout->bits) return (layout->bits + WORD_BITS - 1) / WORD_BITS;
    return 1 + layout->slots / SLOTS_OF_A_WORD;
}

bool fp_arm_counts_whole(const fp_layout *layout, uint64_t documents, uint64_t most_words) {
    return (layout->bits || layout->slots) && fp_pairs_of(documents) <= most_words / words_of(layout);
}
