/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * band_keys.h - the slots of a sketch as numbers, whatever way its layout packs them.
 */
#ifndef FP_BAND_KEYS_H
#define FP_BAND_KEYS_H

#include "base/base.h"

/* FP_ERROR_RANGE unless the layout has slots of at most 64 bits, and the sketches (may be NULL) are of its size and
 * fewer than 2^32 − 1. */
fp_status fp_slots_check(const fp_layout *layout, const fp_sketches *sketches, fp_error *error);

/* Slots first … first + count − 1. */
void fp_slot_values(const fp_layout *layout, const void *sketch, size_t first, size_t count, uint64_t *values);

#endif
