/* SPDX-License-Identifier: GPL-3.0-or-later
 * Bounds of buckets, against the rule of stratum.h asked of every number there is. */
#include "eval/analyses/strata.h"

#include <math.h>

#include "tests/support.h"

enum { MOST = 512 };

static size_t length[MOST];
static fp_pair pairs[MOST];

/* The weight at lengths below one: either label weighs half, or the only one all. */
static double below(size_t count, size_t bound) {
    double held[2] = {0, 0}, all[2] = {0, 0}, weight = 0;
    for (size_t i = 0; i < count; i++) {
        all[pairs[i].label]++;
        held[pairs[i].label] += length[i] < bound;
    }
    for (size_t label = 0; label < 2; label++)
        if (all[label] > 0) weight += held[label] / all[label] * (all[1 - label] > 0 ? 0.5 : 1);
    return weight;
}

/* The smallest length that occurs with at least that share below it, or the largest. */
static size_t quantile(size_t count, double share) {
    size_t found = SIZE_MAX, largest = 0;
    for (size_t i = 0; i < count; i++) {
        if (length[i] > largest) largest = length[i];
        if (length[i] < found && below(count, length[i]) >= share) found = length[i];
    }
    return found == SIZE_MAX ? largest : found;
}

/* Of the multiples of the largest unit that has any from `low` to `high`, the nearest, and the larger of two. */
static size_t roundest(size_t low, size_t middle, size_t high) {
    for (size_t power = 1000000; power; power /= 10)
        for (size_t factor = 5; factor; factor /= 2) { /* 5, 2, 1 */
            double nearest = INFINITY;
            size_t found = 0, unit = power * factor;
            for (size_t at = (low + unit - 1) / unit * unit; at <= high; at += unit)
                if (fabs((double)at - (double)middle) <= nearest)
                    nearest = fabs((double)at - (double)middle), found = at;
            if (nearest < INFINITY) return found;
        }
    return middle;
}

static size_t between(size_t count, size_t low, size_t high) {
    size_t held = 0;
    for (size_t i = 0; i < count; i++) held += length[i] >= low && length[i] < high;
    return held;
}

static void check(size_t count, size_t positives) {
    size_t rarer = positives == 0 || positives == count ? count
                   : positives < count - positives      ? positives
                                                        : count - positives;
    size_t buckets =
        (size_t)fmin(FP_BUCKETS_MOST, fmin((double)(count / FP_BUCKET_PAIRS), (double)(rarer / FP_BUCKET_LABEL)));
    size_t wanted[FP_BUCKETS_MOST], kept = 0, bounds[FP_BUCKETS_MOST], found;
    for (double i = 1; i < (double)buckets; i++) {
        double all = (double)buckets;
        size_t bound =
            roundest(quantile(count, (i - 0.25) / all), quantile(count, i / all), quantile(count, (i + 0.25) / all));
        if (between(count, kept ? wanted[kept - 1] : 0, bound) && between(count, bound, SIZE_MAX))
            wanted[kept++] = bound;
    }
    ASSERT_GOOD(fp_buckets_choose(length, pairs, count, NULL, bounds, &found, &test_error));
    if (found != kept) fail_msg("%zu bounds of %zu pairs, not %zu", found, count, kept);
    for (size_t b = 0; b < kept; b++)
        if (bounds[b] != wanted[b]) fail_msg("bound %zu is %zu, not %zu", b, bounds[b], wanted[b]);
}

/* Numbers of either label that are powers of two, so that shares are exact in any order. */
static void bounds_follow_the_rule(void **state) {
    (void)state;
    static const size_t LABELS[][2] = {{256, 256}, {64, 256}, {32, 128}, {16, 64}, {256, 16}, {256, 0},
                                       {0, 128},   {8, 256},  {64, 64},  {1, 0},   {0, 0},    {32, 32}};
    for (uint64_t seed = 0; seed < 200; seed++) {
        const size_t *labels = LABELS[seed % (sizeof LABELS / sizeof *LABELS)];
        size_t count = labels[0] + labels[1], spread = (size_t[]){3, 40, 700, 5000, 1}[seed % 5],
               from = seed % 7 * seed;
        for (size_t i = 0; i < count; i++) {
            double random = (double)(fp_mix(i, seed) >> 11) * 0x1p-53;
            length[i] = from + (size_t)((double)spread * (seed % 2 ? random : random * random * random));
            pairs[i] = (fp_pair){0, 1, i < labels[0]};
        }
        check(count, labels[0]);
    }
}

/* Of groups the buckets are chosen by the documents that have a duplicate: 60 pairs to a bucket, however they are
 * labelled. */
static void groups_are_divided_by_their_members(void **state) {
    (void)state;
    for (uint32_t members = 0; members <= 180; members += 30) {
        fp_arena *arena = fp_arena_new();
        static fp_corpus_document documents[MOST];
        static uint32_t group[MOST];
        fp_corpus corpus = {.name = "made", .truth = FP_TRUTH_GROUPS, .document_count = MOST, .group = group};
        size_t used = 0, bounds[FP_BUCKETS_MOST], count;
        fp_strata strata;
        for (uint32_t i = 0; i < MOST; i++) { /* twos, then groups of one, then none */
            documents[i].characters = fp_mix(i, members) % 1000;
            group[i] = i < members ? i / 2 : i % 2 ? i : UINT32_MAX;
            if (i >= members) continue;
            length[used] = documents[i].characters;
            pairs[used++] = (fp_pair){0, 1, 1};
        }
        corpus.documents = documents;
        corpus.group_count = MOST;
        ASSERT_GOOD(fp_buckets_choose(length, pairs, used, arena, bounds, &count, &test_error));
        ASSERT_GOOD(fp_strata_make(&corpus, "length", NULL, 0, arena, &strata, &test_error));
        assert_int_equal(count > 0, members >= 120);
        assert_int_equal(strata.count, count + 1);
        for (size_t b = 0; b < count; b++) assert_int_equal(strata.bounds[b], bounds[b]);
        fp_arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_follow_the_rule),
                                       cmocka_unit_test(groups_are_divided_by_their_members)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
