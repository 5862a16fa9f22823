/* SPDX-License-Identifier: GPL-3.0-or-later
 * Bands for an arm and a threshold. */
#include "index/collection/arm_bands.h"

#include <math.h>

bool fp_layout_takes_bands(const fp_layout *layout) {
    return layout->bits == 0 && layout->slots > 0 && layout->slots <= FP_BANDING_SLOTS && layout->slot_bits <= 64;
}

fp_status fp_arm_bands(const fp_arm *arm, double within, double recall, fp_banding *banding, fp_error *error) {
    const fp_layout *layout = fp_arm_layout(arm);
    double similarity = fp_arm_similarity(arm, floor(within));
    *banding = floor(within) > 0 ? (fp_banding){(unsigned)layout->slots, 1} : (fp_banding){1, (unsigned)layout->slots};
    bool by_curve = *fp_arm_measure(arm) && recall < 1 && similarity > 0 && similarity < 1;
    return by_curve ? fp_band_choose(layout, similarity, recall, banding, error) : FP_OK;
}

double fp_arm_bands_recall(const fp_arm *arm, fp_banding banding, double distance) {
    const fp_layout *layout = fp_arm_layout(arm);
    double differing = floor(distance);
    return differing < banding.bands ? 1 : fp_banding_probability(banding, 1 - differing / (double)layout->slots);
}
