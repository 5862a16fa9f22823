/* SPDX-License-Identifier: GPL-3.0-or-later
 * Masks as runs, and choices. */
#include "index/key_bits.h"

fp_status fp_key_bits_cut(const uint64_t *mask, size_t words, fp_arena *arena, fp_key_bits *key, fp_error *error) {
    size_t count = 0;
    for (size_t w = 0; w < words; w++) count += (size_t)__builtin_popcountll(mask[w] & ~(mask[w] << 1));
    fp_bit_run *runs = fp_arena_raw(arena, count, sizeof *runs);
    if (!runs) return fp_no_memory(error);
    *key = (fp_key_bits){.runs = runs};
    for (size_t w = 0; w < words; w++) {
        for (uint64_t rest = mask[w]; rest;) {
            unsigned shift = (unsigned)__builtin_ctzll(rest);
            uint64_t from = rest >> shift;
            unsigned width = ~from ? (unsigned)__builtin_ctzll(~from) : 64;
            uint64_t of = (width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1) << shift;
            runs[key->run_count++] = (fp_bit_run){of, (uint32_t)w, (uint8_t)shift, (uint8_t)width};
            rest &= ~of;
            key->bits += width;
        }
    }
    return FP_OK;
}

unsigned fp_mask_bits(const uint64_t *mask, size_t words) {
    unsigned bits = 0;
    for (size_t w = 0; w < words; w++) bits += (unsigned)__builtin_popcountll(mask[w]);
    return bits;
}

void fp_mask_keep_lowest(uint64_t *mask, size_t words, unsigned bits) {
    for (size_t w = 0; w < words; w++) {
        unsigned here = (unsigned)__builtin_popcountll(mask[w]);
        for (; here > bits; here--) mask[w] &= ~(UINT64_C(1) << (63 - __builtin_clzll(mask[w])));
        bits -= here;
    }
}

bool fp_next_choice(unsigned *chosen, unsigned count, unsigned of) {
    unsigned at = count;
    while (at > 0 && chosen[at - 1] == of - count + at - 1) at--;
    if (at == 0) return false;
    chosen[at - 1]++;
    for (; at < count; at++) chosen[at] = chosen[at - 1] + 1;
    return true;
}
