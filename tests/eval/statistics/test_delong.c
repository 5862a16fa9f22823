/* SPDX-License-Identifier: GPL-3.0-or-later
 * The variance of the area under the ROC curve beside DeLong's of independent pairs, as pROC computes it, and beside
 * Obuchowski's of clustered ones, added up here couple by couple. */
#include "eval/statistics/spread.h"
#include "tests/support.h"

#include "tests/eval/made_pairs.h"

typedef struct area {
    double value, *influence; /* [pairs] */
} area;

static area area_of(const set *from, const fp_resample *resample, fp_arena *arena) {
    fp_bootstrap bootstrap;
    const fp_measure measure = {.row = &fp_measure_roc_area};
    run_set_over(NULL, from, resample, 0, arena, &bootstrap);
    area of = {fp_bootstrap_value(&bootstrap, 0, 0, measure), fp_arena_alloc(arena, from->count, sizeof(double))};
    influence_of(&bootstrap, 0, measure, arena, of.influence);
    return of;
}

/* pROC 1.18.0 (Debian r-cran-proc), auc and var(method = "delong") of roc(direction = ">"): duplicates, then others. */
static void independent_pairs_have_delongs_variance(void **state) {
    (void)state;
    static const struct {
        size_t positives, count;
        double distance[20], area, variance;
    } KNOWN[] = {{8,
                  19,
                  {2, 5, 5, 7, 9, 12, 12, 15, 4, 9, 12, 13, 15, 18, 20, 20, 23, 25, 30},
                  0.84090909090909094,
                  0.0089073568476977574},
                 {10,
                  18,
                  {1, 1, 2, 3, 3, 3, 4, 6, 8, 10, 10, 7, 8, 10, 11, 11, 12, 14},
                  0.94374999999999998,
                  0.0023549107142857139}};
    for (size_t k = 0; k < sizeof KNOWN / sizeof *KNOWN; k++) {
        fp_arena *arena = fp_arena_new();
        set *from = fp_arena_alloc(arena, 1, sizeof *from);
        fp_resample resample;
        make_set(from, APART, KNOWN[k].count, 0, 1);
        for (size_t i = 0; i < from->count; i++) {
            from->pairs[i].label = i < KNOWN[k].positives;
            from->distance[0][i] = KNOWN[k].distance[i];
        }
        resample_set(from, NULL, FP_SAMPLING_AUTO, arena, &resample);
        assert_int_equal(resample.unit, FP_SAMPLING_PAIR);
        area of = area_of(from, &resample, arena);
        double sum[2] = {0, 0}, n[2] = {(double)(from->count - KNOWN[k].positives), (double)KNOWN[k].positives};
        for (size_t i = 0; i < from->count; i++) sum[from->pairs[i].label] += of.influence[i] * of.influence[i];
        assert_true(near(of.value, KNOWN[k].area, 1e-14));
        /* DeLong divides by n − 1 where influence values divide by n. */
        assert_true(near(sum[0] * n[0] / (n[0] - 1) + sum[1] * n[1] / (n[1] - 1), KNOWN[k].variance, 1e-14));
        fp_arena_free(arena);
    }
}

/* Obuchowski (1997), section 2: with the placement values of cluster k summed over its duplicates, a_k, and its other
 * pairs, b_k, each less the area, K/(K − 1)·Σ (a_k/P + b_k/N)²: S10, S01 and S11 in one. */
static double by_obuchowski(const set *from, size_t clusters, double value) {
    double sum = 0, n[2] = {0, 0};
    for (size_t i = 0; i < from->count; i++) n[from->pairs[i].label]++;
    for (size_t k = 0; k < clusters; k++) {
        double own[2] = {0, 0};
        for (size_t i = 9 * k; i < 9 * (k + 1) && i < from->count; i++) {
            double placed = 0;
            bool label = from->pairs[i].label;
            for (size_t j = 0; j < from->count; j++) {
                double mine = from->distance[0][i], other = from->distance[0][j];
                if (from->pairs[j].label == label) continue;
                placed += mine == other ? 0.5 : (mine < other) == label;
            }
            own[label] += placed / n[!label] - value;
        }
        sum += (own[0] / n[0] + own[1] / n[1]) * (own[0] / n[0] + own[1] / n[1]);
    }
    return sum * (double)clusters / (double)(clusters - 1);
}

static void clustered_pairs_have_obuchowskis_variance(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        fp_arena *arena = fp_arena_new();
        set *from = fp_arena_alloc(arena, 1, sizeof *from);
        fp_resample resample;
        fp_dyadic spread;
        make_set(from, STARS, 360, 0, seed);
        resample_set(from, NULL, FP_SAMPLING_PART, arena, &resample);
        area of = area_of(from, &resample, arena);
        ASSERT_GOOD(fp_dyadic_of(&resample, of.influence, NULL, arena, &spread, &test_error));
        double wanted = by_obuchowski(from, 40, of.value), units = (double)spread.units;
        assert_int_equal(spread.units, 40);
        assert_true(wanted > 1e-5);
        if (!near(spread.variance * units / (units - 1), wanted, 1e-12 * wanted))
            fail_msg("seed %d: %.12g, not %.12g", (int)seed, spread.variance * units / (units - 1), wanted);
        fp_arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(independent_pairs_have_delongs_variance),
                                       cmocka_unit_test(clustered_pairs_have_obuchowskis_variance)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
