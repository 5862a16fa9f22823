/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pooling adjacent violators. */
#include "eval/decision/isotonic.h"

#include <math.h>

/* Whether the first share is larger: no division, so that equal shares are equal. */
static bool falls(const fp_pool *first, const fp_pool *second) {
    return (double)first->positives * (double)second->negatives > (double)second->positives * (double)first->negatives;
}

static void join(fp_pool *into, const fp_pool *next) {
    into->to = next->to;
    into->positives += next->positives;
    into->negatives += next->negatives;
}

/* Adds a distance behind the pools, and pools on. */
static size_t append(fp_pool *pools, size_t made, fp_pool next) {
    pools[made++] = next;
    while (made > 1 && !falls(pools + made - 2, pools + made - 1)) {
        join(pools + made - 2, pools + made - 1);
        made--;
    }
    return made;
}

size_t fp_pools_make(const fp_bar *bars, size_t count, fp_pool *pools) {
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        fp_pool next = {bars[i].distance, bars[i].distance, bars[i].positives, bars[i].negatives};
        if (next.positives + next.negatives) made = append(pools, made, next);
    }
    return made;
}

/* What is added to a pool at either end can only join it with its neighbours: a pool is one because no part of it in
 * front has a larger share than the rest, and a pair that is no duplicate in front makes none larger. */
size_t fp_pools_guarded(const fp_bar *bars, size_t count, fp_pool *pools) {
    size_t plain = fp_pools_make(bars, count, pools), made = 0;
    for (size_t i = 0; i < plain; i++) {
        fp_pool next = pools[i];
        next.negatives = 2 * next.negatives + (i == 0);
        next.positives = 2 * next.positives + (i + 1 == plain);
        made = append(pools, made, next);
    }
    return made;
}

double fp_pool_share(const fp_pool *pool) {
    return (double)pool->positives / (double)(pool->positives + pool->negatives);
}

double fp_pools_share(const fp_pool *pools, size_t count) {
    fp_pool all = {0};
    for (size_t i = 0; i < count; i++) join(&all, pools + i);
    return fp_pool_share(&all);
}

/* The last pool that begins at or before a distance, or the first. */
static size_t find_pool(const fp_pool *pools, size_t count, double distance) {
    size_t low = 0, high = count; /* pools[low] is the answer, or one before it */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (pools[middle].from <= distance) low = middle;
        else high = middle;
    }
    return low;
}

const fp_pool *fp_pool_at(const fp_pool *pools, size_t count, double distance) {
    const fp_pool *found = pools + find_pool(pools, count, distance);
    return count && found->from <= distance && distance <= found->to ? found : NULL;
}

double fp_pools_share_at(const fp_pool *pools, size_t count, double distance) {
    if (!count) return NAN;
    const fp_pool *nearer = pools + find_pool(pools, count, distance), *farther = nearer + 1;
    if (distance <= nearer->to || farther == pools + count) return fp_pool_share(nearer);
    double part = (distance - nearer->to) / (farther->from - nearer->to);
    return fp_pool_share(nearer) + part * (fp_pool_share(farther) - fp_pool_share(nearer));
}

double fp_share_restated(double share, double own, double stated) {
    double of_positives = share * stated * (1 - own), of_negatives = (1 - share) * own * (1 - stated);
    return of_positives / (of_positives + of_negatives);
}
