/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pooling adjacent violators. */
#include "eval/decision/isotonic.h"

/* Whether the first share is larger: no division, so that equal shares are equal. */
static bool falls(const fp_pool *first, const fp_pool *second) {
    return (double)first->positives * (double)second->negatives > (double)second->positives * (double)first->negatives;
}

static void join(fp_pool *into, const fp_pool *next) {
    into->to = next->to;
    into->positives += next->positives;
    into->negatives += next->negatives;
}

size_t fp_pools_make(const fp_bar *bars, size_t count, fp_pool *pools) {
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        if (bars[i].positives + bars[i].negatives == 0) continue;
        pools[made++] = (fp_pool){bars[i].distance, bars[i].distance, bars[i].positives, bars[i].negatives};
        while (made > 1 && !falls(pools + made - 2, pools + made - 1)) {
            join(pools + made - 2, pools + made - 1);
            made--;
        }
    }
    return made;
}

const fp_pool *fp_pool_at(const fp_pool *pools, size_t count, double distance) {
    size_t low = 0, high = count; /* pools[low] is the answer, or one before it */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (pools[middle].from <= distance) low = middle;
        else high = middle;
    }
    return count ? pools + low : NULL;
}

double fp_share_restated(double share, double own, double stated) {
    double of_positives = share * stated * (1 - own), of_negatives = (1 - share) * own * (1 - stated);
    return of_positives / (of_positives + of_negatives);
}
