/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * positions.h - the places of a sketch whose distance counts those that differ: bits, or slots.
 */
#ifndef FP_POSITIONS_H
#define FP_POSITIONS_H

#include "base/base.h"

/* How many there are, or 0: the distance counts no places, or they lie where only the algorithm knows. */
size_t fp_places(const fp_instance *instance);

/* Bit j of differs[j / 64] says whether place j of two sketches differs; unused bits are 0. Only where fp_places is not
 * 0. */
void fp_places_differing(const fp_instance *instance, fp_sketch a, fp_sketch b, uint64_t *differs);

#endif
