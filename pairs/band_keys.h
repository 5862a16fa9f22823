/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * band_keys.h - MinHash LSH (Broder 1997; Indyk, Motwani, STOC 1998): candidate pairs of slot sketches by banding.
 *
 * The first bands·rows slots of a sketch form bands of `rows` slots. The key of a band is XXH3-64 of its slots, each as
 * eight little-endian bytes, with the number of the band as seed. Two sketches are candidates if they have the same key
 * in some band. If slots agree with probability s, the probability of that is 1 − (1 − s^r)^b (pairs/banding.h).
 * Different bands have the same key by chance with probability 2^-64.
 */
#ifndef FP_BAND_KEYS_H
#define FP_BAND_KEYS_H

#include "algorithms/arms/arm.h"
#include "pairs/banding.h"
#include "pairs/block_pairs.h"

/* ---- Slots as numbers, for every packing of a layout ---- */

/* Writes slots first … first + count − 1 to values[count]. */
void fp_slot_values(const fp_layout *layout, const void *sketch, size_t first, size_t count, uint64_t *values);

/* ---- Choice of bands ---- */

enum { FP_BANDS_MOST = 4096 };

/* Whether a layout has slots, in a number and width that bands can use. */
bool fp_layout_takes_bands(const fp_layout *layout);

/* Chooses the bands with the fewest candidates such that a pair at exactly the distance `within` is a candidate with at
 * least the probability `recall`, by the S-curve. Distance 0 needs one band of all slots. Each slot becomes a band if
 * recall is 1 (every pair must be found), if the slots of the arm do not agree as often as texts are similar, or if no
 * bands reach the recall: then every pair with a common slot is found. The layout must take bands. FP_ERROR_MEMORY. */
fp_status fp_arm_bands(const fp_arm *arm, double within, double recall, fp_banding *banding, fp_error *error);

/* P[a pair at the distance is a candidate]: 1 if fewer slots differ than there are bands, else the S-curve. */
double fp_arm_bands_recall(const fp_arm *arm, fp_banding banding, double distance);

/* ---- Keys ---- */

/* Computes keys[bands] of a sketch. */
void fp_band_keys(const fp_layout *layout, fp_banding banding, const void *sketch, uint64_t *keys);
/* Computes keys[bands·count] of all sketches, band after band, on several threads. Errors: see fp_band_pairs. */
fp_status fp_band_keys_each(const fp_layout *layout, fp_banding banding, const fp_sketches *sketches, uint64_t *keys,
                            const fp_arenas *arenas, const fp_progress *progress, fp_error *error);

/* ---- All pairs ---- */

/* Reports all pairs of sketches with a common key, each once, in the first band that yields it, with .distance 0, in
 * batches of no particular order. Needs 8 bytes a sketch and band, and about 20 a sketch. *candidates (may be NULL):
 * the number of reported pairs. Resets the arenas. FP_ERROR_RANGE: a layout without slots, a banding of more slots than
 * there are or more than FP_BANDS_MOST bands, sketches of another size, 2^32 − 1 sketches or more. Also returns the
 * errors of `take`. */
fp_status fp_band_pairs(const fp_layout *layout, fp_banding banding, const fp_sketches *sketches,
                        fp_take_found_pairs take, void *context, const fp_arenas *arenas, const fp_progress *progress,
                        uint64_t *candidates, fp_error *error);

#endif
