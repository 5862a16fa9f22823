/* SPDX-License-Identifier: GPL-3.0-or-later
 * The longest common subsequence of two windows, one word a row. */
#include "text/alignment/alignment.h"

#include <string.h>

/* Positions of each symbol in a, by open addressing, at most a quarter full. */
enum { SLOTS = 4 * FP_LCS_WINDOW };

typedef struct places {
    uint64_t mask[SLOTS]; /* 0: free slot */
    uint32_t symbol[SLOTS];
} places;

static size_t slot_of(const places *of, uint32_t symbol) {
    size_t slot = (symbol * 0x9e3779b1u) >> 24;
    while (of->mask[slot] && of->symbol[slot] != symbol) slot = (slot + 1) % SLOTS;
    return slot;
}

void fp_lcs_fill(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count, ptrdiff_t step, fp_lcs *out) {
    places at;
    memset(at.mask, 0, sizeof at.mask);
    for (size_t i = 0; i < a_count; i++) {
        size_t slot = slot_of(&at, a[(ptrdiff_t)i * step]);
        at.symbol[slot] = a[(ptrdiff_t)i * step];
        at.mask[slot] |= (uint64_t)1 << i;
    }
    uint64_t row = ~(uint64_t)0;
    out->a_count = a_count;
    out->b_count = b_count;
    out->row[0] = row;
    for (size_t j = 0; j < b_count; j++) {
        uint64_t equal = at.mask[slot_of(&at, b[(ptrdiff_t)j * step])];
        row = (row + (row & equal)) | (row & ~equal);
        out->row[j + 1] = row;
    }
}

size_t fp_lcs_best(const fp_lcs *of, size_t *i, size_t *j) {
    size_t best = 0;
    *i = *j = 0;
    for (size_t row = 1; row <= of->b_count; row++) {
        size_t length = 0; /* grows at each zero bit */
        for (uint64_t zeros = ~of->row[row]; zeros; zeros &= zeros - 1) {
            size_t behind = (size_t)__builtin_ctzll(zeros) + 1, plus = 3 * ++length;
            if (plus <= behind + row + best) continue;
            best = plus - behind - row;
            *i = behind;
            *j = row;
        }
    }
    return best;
}

size_t fp_lcs_pairs(const fp_lcs *of, uint8_t a_at[FP_LCS_WINDOW], uint8_t b_at[FP_LCS_WINDOW]) {
    size_t i = of->a_count, j = of->b_count, length = fp_lcs_length(of, i, j), left = length;
    while (left) {
        if (of->row[j] >> (i - 1) & 1) {
            i--;
        } else if (fp_lcs_length(of, i, j - 1) == left) {
            j--;
        } else {
            left--;
            a_at[left] = (uint8_t)--i;
            b_at[left] = (uint8_t)--j;
        }
    }
    return length;
}
