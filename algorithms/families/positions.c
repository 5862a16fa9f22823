/* SPDX-License-Identifier: GPL-3.0-or-later
 * Places of bit fingerprints and of slots, as fp_layout describes them. */
#include "algorithms/families/positions.h"

#include <string.h>

size_t fp_places(const fp_instance *instance) {
    return instance->layout.bits ? instance->layout.bits : instance->layout.slots;
}

/* The lowest `count` ≤ 64 bits from bit `first` of the words on. */
static uint64_t bits_at(const uint64_t *words, size_t first, size_t count) {
    size_t word = first / 64, shift = first % 64;
    uint64_t value = words[word] >> shift;
    if (shift + count > 64) value |= words[word + 1] << (64 - shift);
    return count < 64 ? value & (((uint64_t)1 << count) - 1) : value;
}

static void compare_slots(const fp_layout *layout, const uint64_t *a, const uint64_t *b, uint64_t *differs) {
    size_t width = layout->slot_bits;
    memset(differs, 0, (layout->slots + 63) / 64 * sizeof *differs);
    for (size_t i = 0; i < layout->slots; i++) {
        bool differ = false;
        if (layout->planar)
            for (size_t plane = 0; plane < width; plane++)
                differ |= (a[i / 64 * width + plane] ^ b[i / 64 * width + plane]) >> i % 64 & 1;
        else if (width == 32) differ = ((const uint32_t *)(const void *)a)[i] != ((const uint32_t *)(const void *)b)[i];
        else differ = bits_at(a, i * width, width) != bits_at(b, i * width, width);
        differs[i / 64] |= (uint64_t)differ << i % 64;
    }
}

void fp_places_differing(const fp_instance *instance, fp_sketch a, fp_sketch b, uint64_t *differs) {
    const fp_layout *layout = &instance->layout;
    const uint64_t *left = a.data, *right = b.data;
    if (!layout->bits) compare_slots(layout, left, right, differs);
    else
        for (size_t w = 0; w < (layout->bits + 63) / 64; w++) differs[w] = left[w] ^ right[w];
}
