/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * band_keys.h - MinHash LSH (Broder 1997; Indyk, Motwani, STOC 1998): which sketches of slots may be similar, by bands.
 *
 * The first bands·rows slots of a sketch form bands of `rows` slots. The key of a band is XXH3-64 of its slots, each as
 * eight bytes with the lowest first, with the number of the band as seed. Sketches that have the same key in some band
 * are candidates: with probability 1 − (1 − s^r)^b where slots agree with probability s (pairs/banding.h). Bands that
 * differ have one key by chance with 2^-64.
 */
#ifndef FP_BAND_KEYS_H
#define FP_BAND_KEYS_H

#include "algorithms/arms/arm.h"
#include "base/parallel.h"
#include "pairs/banding.h"

/* ---- Slots as numbers, whatever way a layout packs them ---- */

/* Slots first … first + count − 1. */
void fp_slot_values(const fp_layout *layout, const void *sketch, size_t first, size_t count, uint64_t *values);

/* ---- Which bands ---- */

enum { FP_BANDS_MOST = 4096 };

/* Whether a layout is of slots, as many as bands are made of. */
bool fp_layout_takes_bands(const fp_layout *layout);

/* The bands with the fewest candidates with which pairs right at the distance `within` are candidates with probability
 * `recall`, by the S-curve. Pairs at distance 0 need one band of all slots. Where every pair must be found (a recall of
 * 1), where the slots of the arm do not agree as often as texts are similar, or where no bands reach the recall, each
 * slot is a band: that misses none that has a slot in common. The layout takes bands. FP_ERROR_MEMORY. */
fp_status fp_arm_bands(const fp_arm *arm, double within, double recall, fp_banding *banding, fp_error *error);

/* P[a pair at the distance is a candidate]: 1 where fewer slots differ than there are bands, the S-curve elsewhere. */
double fp_arm_bands_recall(const fp_arm *arm, fp_banding banding, double distance);

/* ---- Keys ---- */

/* keys[bands] of a sketch. */
void fp_band_keys(const fp_layout *layout, fp_banding banding, const void *sketch, uint64_t *keys);
/* keys[bands·count] of all sketches, band after band, over threads. Errors as of fp_band_pairs. */
fp_status fp_band_keys_each(const fp_layout *layout, fp_banding banding, const fp_sketches *sketches, uint64_t *keys,
                            const fp_arenas *arenas, const fp_progress *progress, fp_error *error);

/* ---- All pairs ---- */

typedef struct fp_band_pair {
    uint32_t a, b; /* a < b */
} fp_band_pair;

/* Several threads call it at once; `pairs` is gone afterwards. A failure ends the search. */
typedef fp_status (*fp_tell_band_pairs)(void *context, const fp_band_pair *pairs, size_t count, fp_error *error);

/* All pairs of sketches with a key in common, each once, told in the first band that brings it: in batches of no
 * particular order, with 8 bytes of memory a sketch and band, and about 40 a sketch. *candidates (may be NULL) is how
 * many were told. The arenas are reset. FP_ERROR_RANGE: a layout without slots, a banding that takes more slots than
 * there are or more than FP_BANDS_MOST bands, sketches of another size, 2^32 − 1 of them or more; and what `tell`
 * returns. */
fp_status fp_band_pairs(const fp_layout *layout, fp_banding banding, const fp_sketches *sketches,
                        fp_tell_band_pairs tell, void *context, const fp_arenas *arenas, const fp_progress *progress,
                        uint64_t *candidates, fp_error *error);

#endif
