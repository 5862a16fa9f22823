/* SPDX-License-Identifier: GPL-3.0-or-later
 * Quantiles of length, rounded. */
#include "eval/outcome/buckets.h"

#include <stdlib.h>

#include "base/order.h"

/* The pairs of one length. */
typedef struct step {
    size_t length;
    double below; /* share of the weight at smaller lengths */
} step;

typedef struct item {
    size_t length;
    bool positive;
} item;

static int by_length(const void *left, const void *right) {
    const item *a = left, *b = right;
    return FP_ORDER(a->length, b->length);
}

static size_t minimum(size_t a, size_t b) { return a < b ? a : b; }

static size_t bucket_count(size_t pairs, size_t positives) {
    size_t rarer = minimum(positives, pairs - positives);
    if (rarer == 0) rarer = pairs;
    size_t count = minimum(pairs / FP_BUCKET_PAIRS, rarer / FP_BUCKET_LABEL);
    return minimum(count, FP_BUCKETS_MOST);
}

/* Distinct lengths, ascending. Either label weighs half; a label that does not occur, nothing. */
static size_t make_steps(const item *items, size_t count, size_t positives, step *steps) {
    double share = positives == 0 || positives == count ? 1 : 0.5, below = 0;
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || items[i].length != items[i - 1].length) steps[used++] = (step){items[i].length, below};
        below += share / (double)(items[i].positive ? positives : count - positives);
    }
    return used;
}

/* The smallest length below which there is at least that share. */
static size_t quantile(const step *steps, size_t count, double share) {
    for (size_t i = 0; i < count; i++)
        if (steps[i].below >= share) return steps[i].length;
    return steps[count - 1].length;
}

static size_t nearest_multiple(size_t value, size_t of) { return (value + of / 2) / of * of; }

/* The roundest number from `low` to `high`, near `middle`, which lies between the two. */
static size_t roundest(size_t low, size_t middle, size_t high) {
    static const size_t FACTOR[] = {5, 2, 1};
    size_t power = 1;
    while (power <= high / 10) power *= 10;
    for (; power; power /= 10) {
        for (int i = 0; i < 3; i++) {
            size_t unit = power * FACTOR[i], found = nearest_multiple(middle, unit);
            if (found > high) found -= unit;
            if (found < low) found += unit;
            if (found >= low && found <= high) return found;
        }
    }
    return middle;
}

static void place_bounds(const step *steps, size_t step_count, size_t buckets, size_t *bounds, size_t *count) {
    size_t before = 0; /* the first step at or above the bound before */
    for (size_t i = 1; i < buckets; i++) {
        double at = (double)i, all = (double)buckets;
        size_t low = quantile(steps, step_count, (at - 0.25) / all), middle = quantile(steps, step_count, at / all),
               high = quantile(steps, step_count, (at + 0.25) / all);
        size_t bound = roundest(low, middle, high), first = before;
        while (first < step_count && steps[first].length < bound) first++;
        if (first == before || first == step_count) continue; /* would leave an empty bucket */
        bounds[(*count)++] = bound;
        before = first;
    }
}

fp_status fp_buckets_choose(const size_t *length, const fp_pair *pairs, size_t pair_count, const fp_arena *like,
                            size_t *bounds, size_t *count, fp_error *error) {
    *count = 0;
    fp_arena *scratch = fp_arena_new_like(like);
    item *items = scratch ? fp_arena_raw(scratch, pair_count, sizeof *items) : NULL;
    step *steps = items ? fp_arena_raw(scratch, pair_count, sizeof *steps) : NULL;
    if (!steps) {
        fp_arena_free(scratch);
        return fp_no_memory(error);
    }
    size_t positives = 0;
    for (size_t i = 0; i < pair_count; i++) {
        items[i] = (item){length[i], pairs[i].label != 0};
        positives += items[i].positive;
    }
    qsort(items, pair_count, sizeof *items, by_length);
    if (pair_count == 0) {
        fp_arena_free(scratch);
        return FP_OK;
    }
    size_t step_count = make_steps(items, pair_count, positives, steps);
    place_bounds(steps, step_count, bucket_count(pair_count, positives), bounds, count);
    fp_arena_free(scratch);
    return FP_OK;
}
