/* SPDX-License-Identifier: GPL-3.0-or-later
 * Slots as numbers. */
#include "index/bands/slot_values.h"

#include <string.h>

fp_status fp_slots_check(const fp_layout *layout, const fp_sketches *sketches, fp_error *error) {
    if (layout->slots == 0 || layout->slot_bits < 1 || layout->slot_bits > 64)
        return fp_fail(error, FP_ERROR_RANGE, "bands need sketches of slots, as MinHash has them");
    if (!sketches) return FP_OK;
    if (sketches->count && sketches->stride != layout->bytes)
        return fp_fail(error, FP_ERROR_RANGE, "sketches of %zu bytes do not fit a layout of %zu", sketches->stride,
                       layout->bytes);
    if (sketches->count >= UINT32_MAX)
        return fp_fail(error, FP_ERROR_RANGE, "%zu documents are too many for one index", sketches->count);
    return FP_OK;
}

static uint64_t packed(const uint64_t *words, size_t i, size_t width) {
    size_t word = i * width / 64, shift = i * width % 64;
    uint64_t value = words[word] >> shift;
    if (shift + width > 64) value |= words[word + 1] << (64 - shift);
    return width == 64 ? value : value & ((UINT64_C(1) << width) - 1);
}

static uint64_t planar(const uint64_t *words, size_t i, size_t width) {
    uint64_t value = 0;
    for (size_t p = 0; p < width; p++) value |= (words[i / 64 * width + p] >> i % 64 & 1) << p;
    return value;
}

void fp_slot_values(const fp_layout *layout, const void *sketch, size_t first, size_t count, uint64_t *values) {
    const uint32_t *integers = sketch; /* of 32 bits: integers of their own, whatever the order of their bytes */
    size_t width = layout->slot_bits;
    for (size_t i = first; i < first + count; i++)
        *values++ = layout->planar ? planar(sketch, i, width) : width == 32 ? integers[i] : packed(sketch, i, width);
}
