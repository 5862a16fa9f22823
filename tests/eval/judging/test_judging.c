/* SPDX-License-Identifier: GPL-3.0-or-later
 * Judged samples: intervals and kappa against published figures, estimates against sums by hand, draws against
 * counting. */
#include <math.h>

#include "eval/judging/judging.h"
#include "tests/support.h"

static void assert_close(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%.8f is not %.8f", value, expected);
}

/* ---- Intervals ---- */

static fp_judged_share share_of(int successes, int trials) {
    return (fp_judged_share){(double)successes / trials, trials};
}

/* Newcombe, Statistics in Medicine 17, 1998, 857–872, table I, method 3 (the score interval of one proportion). */
static void one_stratum_is_wilson(void **state) {
    (void)state;
    static const struct {
        int successes, trials;
        double low, high;
    } CASES[] = {{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}};
    for (size_t i = 0; i < 4; i++) {
        fp_judged_share share = share_of(CASES[i].successes, CASES[i].trials);
        fp_interval found = fp_judged_sum_interval((double[]){1}, &share, 1, FP_JUDGED_SCORE, 0.95);
        assert_close(found.low, CASES[i].low, 6e-5);
        assert_close(found.high, CASES[i].high, 6e-5);
    }
}

/* Newcombe, Statistics in Medicine 17, 1998, 873–890, table II, method 5 (Mee's interval of a difference), all eight
 * examples. */
static void a_difference_is_mee(void **state) {
    (void)state;
    static const struct {
        int first, of_first, second, of_second;
        double low, high;
    } CASES[] = {{56, 70, 48, 80, 0.0533, 0.3377}, {9, 10, 3, 10, 0.1821, 0.8370},  {6, 7, 2, 7, 0.0544, 0.8478},
                 {5, 56, 0, 29, -0.0313, 0.1926},  {0, 10, 0, 20, -0.1611, 0.2775}, {0, 10, 0, 10, -0.2775, 0.2775},
                 {10, 10, 0, 20, 0.7225, 1},       {10, 10, 0, 10, 0.6777, 1}};
    for (size_t i = 0; i < 8; i++) {
        fp_judged_share shares[] = {share_of(CASES[i].first, CASES[i].of_first),
                                    share_of(CASES[i].second, CASES[i].of_second)};
        fp_interval found = fp_judged_sum_interval((double[]){1, -1}, shares, 2, FP_JUDGED_SCORE, 0.95);
        assert_close(found.low, CASES[i].low, 6e-5);
        assert_close(found.high, CASES[i].high, 6e-5);
    }
}

/* A quotient A/(A + B) in [l, h] is a ratio A/B in [l/(1 − l), h/(1 − h)]. 7/34 and 1/34: R's PropCIs::riskscoreci and
 * Fagerland, Lydersen, Laake 2015; 36/40 and 16/80: Koopman's own example (Biometrics 40, 1984). */
static void a_part_is_koopman(void **state) {
    (void)state;
    fp_judged_share perondi[] = {share_of(7, 34), share_of(1, 34)}, koopman[] = {share_of(36, 40), share_of(16, 80)};
    fp_interval found = fp_judged_part_interval((double[]){1, 1}, perondi, 1, 2, FP_JUDGED_SCORE, 0.95);
    assert_close(found.low / (1 - found.low), 1.220853, 1e-6);
    assert_close(found.high / (1 - found.high), 42.575718, 1e-5);
    found = fp_judged_part_interval((double[]){5, 5}, koopman, 1, 2, FP_JUDGED_SCORE, 0.95);
    assert_close(found.low / (1 - found.low), 2.94, 0.005);
    assert_close(found.high / (1 - found.high), 7.15, 0.005);
}

/* Two strata with equal shares and trials in proportion to their weights are one stratum. */
static void like_strata_are_one(void **state) {
    (void)state;
    fp_judged_share apart[] = {share_of(0, 50), share_of(0, 150)}, together = share_of(0, 200);
    fp_interval two = fp_judged_sum_interval((double[]){0.25, 0.75}, apart, 2, FP_JUDGED_SCORE, 0.95);
    fp_interval one = fp_judged_sum_interval((double[]){1}, &together, 1, FP_JUDGED_SCORE, 0.95);
    assert_true(two.low == 0);
    assert_close(two.high, one.high, 1e-9);
}

/* One failure of 15, and 1 − p = 0.01: the standardised excess is (1/15 − 0.01)/√(0.01·0.99/15) = 2.205747, the
 * skewness 0.98/√(15·0.01·0.99) = 2.543097, so that z is 1.576364, where 2.205747 = z + 2.543097(z² − 1)/6;
 * below 1.95996: 0.99 is not refuted. The other limit is the score's. Where both answers are many the two rules agree.
 */
static void one_rare_answer_is_no_proof(void **state) {
    (void)state;
    fp_judged_share rare = share_of(14, 15), many = share_of(4000, 9000);
    fp_interval score = fp_judged_sum_interval((double[]){1}, &rare, 1, FP_JUDGED_SCORE, 0.95);
    fp_interval both = fp_judged_sum_interval((double[]){1}, &rare, 1, FP_JUDGED_SCORE_OR_UNSKEWED, 0.95);
    assert_true(score.high < 0.99 && both.high > 0.99 && both.high < 1);
    assert_close(both.low, score.low, 1e-9);
    double level = 1 - 2 * 0.0574710166; /* two-sided, of that z */
    fp_interval at = fp_judged_sum_interval((double[]){1}, &rare, 1, FP_JUDGED_SCORE_OR_UNSKEWED, level);
    assert_close(at.high, 0.99, 1e-8);
    score = fp_judged_sum_interval((double[]){1}, &many, 1, FP_JUDGED_SCORE, 0.95);
    both = fp_judged_sum_interval((double[]){1}, &many, 1, FP_JUDGED_SCORE_OR_UNSKEWED, 0.95);
    assert_true(both.low <= score.low && score.high <= both.high);
    assert_close(both.low, score.low, 1e-4);
    assert_close(both.high, score.high, 1e-4);
}

static void what_is_known_has_no_width(void **state) {
    (void)state;
    assert_true(isinf(fp_judged_trials(7, 7)));
    assert_close(fp_judged_trials(10, 100), 11, 1e-12); /* 10·99/90 */
    fp_judged_share shares[] = {{0.25, INFINITY}, {0.75, INFINITY}};
    fp_interval sum = fp_judged_sum_interval((double[]){4, 8}, shares, 2, FP_JUDGED_SCORE, 0.95);
    fp_interval part = fp_judged_part_interval((double[]){4, 8}, shares, 1, 2, FP_JUDGED_SCORE, 0.95);
    assert_close(sum.low, 7, 1e-9);
    assert_close(sum.high, 7, 1e-9);
    assert_close(part.low, 1.0 / 7, 1e-9);
    assert_close(part.high, 1.0 / 7, 1e-9);
}

/* ---- Estimates ---- */

static const fp_judged_stratum STRATA[] = {{0, 10, 10}, {1, 0, 0}, {2, 100, 20}, {3, 1000, 20}};

static void estimate(const fp_judged_counts *counts, fp_unsure unsure, fp_judged_value *figures) {
    fp_arena *arena = fp_arena_new();
    ASSERT_GOOD(fp_judged_estimate(STRATA, counts, 4, unsure, 0.95, arena, figures, &test_error));
    fp_arena_free(arena);
}

/* 10 of 10, none of 0, 10 of 20 from 100, 1 of 20 from 1000: 10 + 50 + 50 duplicates of 1110 pairs. The variances of
 * the three sums, (1 − n/N)N²p(1 − p)/(n − 1), are 0, 2000/19 and 2450, so that recall at 2 is (60·110 + 2000/19)/(110²
 * + 2000/19 + 2450) = 2548/5569, and at 0 it is 10·110 of the same. */
static void estimate_by_hand(void **state) {
    (void)state;
    fp_judged_value f[4];
    estimate((fp_judged_counts[]){{{10, 0, 0, 0}}, {{0}}, {{10, 10, 0, 0}}, {{1, 19, 0, 0}}}, FP_UNSURE_LEAVE_OUT, f);
    static const double PRECISION[] = {1, 1, 60.0 / 110, 110.0 / 1110},
                        RATIO[] = {10.0 / 110, 10.0 / 110, 60.0 / 110, 1},
                        RECALL[] = {418.0 / 5569, 418.0 / 5569, 2548.0 / 5569, 1};
    static const uint64_t WITHIN[] = {10, 10, 110, 1110};
    for (size_t s = 0; s < 4; s++) {
        assert_close(f[s].precision, PRECISION[s], 1e-12);
        assert_close(f[s].recall_ratio, RATIO[s], 1e-12);
        assert_close(f[s].recall, RECALL[s], 1e-12);
        assert_int_equal(f[s].within, WITHIN[s]);
        assert_true(f[s].precision_interval.low <= f[s].precision && f[s].precision <= f[s].precision_interval.high);
        assert_true(f[s].recall_interval.low <= f[s].recall && f[s].recall <= f[s].recall_interval.high);
    }
    assert_true(f[0].precision_interval.low == 1); /* all of stratum 0 is known */
    assert_true(f[2].precision_interval.low >= 20.0 / 110 && f[2].precision_interval.high <= 100.0 / 110);
    assert_close(f[3].duplicates, 110, 1e-9);
}

/* 4 of stratum 2 unsure: 8 duplicate, 8 not. Left out: they stand for 20 of the 100 pairs. */
static void unsure_by_hand(void **state) {
    (void)state;
    const fp_judged_counts counts[] = {{{10, 0, 0, 0}}, {{0}}, {{8, 8, 4, 0}}, {{1, 19, 0, 0}}};
    fp_judged_value f[4];
    estimate(counts, FP_UNSURE_LEAVE_OUT, f);
    assert_close(f[2].precision, (10 + 40) / 90.0, 1e-12);
    assert_close(f[2].recall_ratio, 50.0 / 100, 1e-12);
    assert_close(f[2].recall, 7628.0 / 18803, 1e-12); /* variances 256/3 and 2450 */
    estimate(counts, FP_UNSURE_NEGATIVE, f);
    assert_close(f[2].precision, (10 + 40) / 110.0, 1e-12);
    estimate(counts, FP_UNSURE_POSITIVE, f);
    assert_close(f[2].precision, (10 + 60) / 110.0, 1e-12);
    assert_close(f[2].recall_ratio, 70.0 / 120, 1e-12);
    assert_close(f[2].recall, 16152.0 / 32207, 1e-12);
}

static double choose(unsigned n, unsigned k) {
    double ways = 1;
    for (unsigned i = 0; i < k; i++) ways = ways * (n - i) / (i + 1);
    return ways;
}

/* How many of n drawn from N, of which D are duplicates. */
static double chance_of(unsigned found, unsigned drawn, unsigned duplicates, unsigned pairs) {
    if (found > duplicates) return 0;
    return choose(duplicates, found) * choose(pairs - duplicates, drawn - found) / choose(pairs, drawn);
}

/* The means over all samples of 10 of 20 pairs, 12 of them duplicates, and 10 of 60, 6 of them: the quotient is off by
 * 0.05355, the estimate by 0.02284 (the same sums in whole numbers, by another program). */
static void correction_leaves_less_bias(void **state) {
    (void)state;
    static const fp_judged_stratum TWO[] = {{0, 20, 10}, {1, 60, 10}};
    double ratio = 0, recall = 0, truth = 12.0 / 18;
    for (unsigned a = 2; a <= 10; a++) { /* 8 of 20 are none */
        for (unsigned b = 0; b <= 6; b++) {
            double chance = chance_of(a, 10, 12, 20) * chance_of(b, 10, 6, 60);
            fp_judged_value f[2];
            fp_arena *arena = fp_arena_new();
            ASSERT_GOOD(fp_judged_estimate(TWO, (fp_judged_counts[]){{{a, 10 - a, 0, 0}}, {{b, 10 - b, 0, 0}}}, 2,
                                           FP_UNSURE_LEAVE_OUT, 0.95, arena, f, &test_error));
            fp_arena_free(arena);
            assert_true(f[0].recall >= 0 && f[0].recall <= f[1].recall && f[1].recall == 1);
            assert_true(f[0].recall_interval.low <= f[0].recall && f[0].recall <= f[0].recall_interval.high);
            ratio += chance * f[0].recall_ratio;
            recall += chance * f[0].recall;
        }
    }
    assert_close(ratio - truth, 0.05354977, 1e-8);
    assert_close(recall - truth, 0.02283929, 1e-8);
}

static void unjudged_is_not_a_number(void **state) {
    (void)state;
    fp_judged_value f[4];
    estimate((fp_judged_counts[]){{{10, 0, 0, 0}}, {{0}}, {{0, 0, 0, 20}}, {{1, 4, 0, 15}}}, FP_UNSURE_LEAVE_OUT, f);
    assert_true(f[0].precision == 1 && isnan(f[0].recall));
    assert_true(isnan(f[2].precision) && isnan(f[2].precision_interval.low) && isnan(f[3].precision) &&
                isnan(f[3].recall));
    estimate((fp_judged_counts[]){{{0, 0, 10, 0}}, {{0}}, {{0, 20, 0, 0}}, {{0, 20, 0, 0}}}, FP_UNSURE_LEAVE_OUT, f);
    assert_true(isnan(f[0].precision) && f[2].precision == 0 && isnan(f[3].recall) && isnan(f[3].recall_interval.high));
    assert_true(f[2].precision_interval.high > 0.05); /* twenty failures are not certainty */
}

/* ---- Kappa ---- */

static void assert_kappa(fp_kappa_table table, double kappa, double error, double low, double high, double tolerance) {
    fp_kappa found;
    fp_kappa_make(&table, 0.95, &found);
    assert_close(found.kappa, kappa, tolerance);
    assert_close(found.error, error, tolerance);
    assert_close(found.interval.low, low, tolerance);
    assert_close(found.interval.high, high, tolerance);
}

static void kappa_is_that_of_the_books(void **state) {
    (void)state;
    /* SAS PROC FREQ, as statsmodels' tests quote it; the second from J. Uebersax's page on SAS, with an answer that the
     * first judge never gives. */
    assert_kappa((fp_kappa_table){{{0, 4, 1}, {0, 8, 0}, {0, 1, 5}}}, 0.4842, 0.1380, 0.2137, 0.7547, 6e-5);
    assert_kappa((fp_kappa_table){{{0, 0, 0}, {5, 16, 3}, {8, 12, 28}}}, 0.3333, 0.0814, 0.1738, 0.4929, 6e-5);
    /* Two classes only: an example of Stata's and R's inferr. */
    assert_kappa((fp_kappa_table){{{172, 7, 0}, {6, 15, 0}, {0, 0, 0}}}, 0.6613, 0.0873, 0.4901, 0.8324, 6e-5);
    /* Agresti, Winner, Chance 10, 1997: the films of Siskel and Ebert. */
    assert_kappa((fp_kappa_table){{{24, 8, 13}, {8, 13, 11}, {10, 9, 64}}}, 0.389, 0.060, 0.27, 0.51, 5e-3);
    /* Cohen 1960: 0.70 observed, 0.41 expected, kappa 0.492. */
    fp_kappa cohen;
    fp_kappa_make(&(fp_kappa_table){{{88, 14, 18}, {10, 40, 10}, {2, 6, 12}}}, 0.95, &cohen);
    assert_close(cohen.agreement, 0.70, 1e-12);
    assert_close(cohen.expected, 0.41, 1e-12);
    assert_close(cohen.kappa, 0.492, 5e-4);
}

static void kappa_at_the_edges(void **state) {
    (void)state;
    fp_kappa found;
    fp_kappa_make(&(fp_kappa_table){{{0}}}, 0.95, &found);
    assert_true(isnan(found.kappa) && found.pairs == 0);
    fp_kappa_make(&(fp_kappa_table){{{9, 0, 0}, {0, 0, 0}, {0, 0, 0}}}, 0.95, &found);
    assert_true(isnan(found.kappa) && found.agreement == 1);
    fp_kappa_make(&(fp_kappa_table){{{9, 0, 0}, {0, 4, 0}, {0, 0, 0}}}, 0.95, &found);
    assert_true(found.kappa == 1 && isnan(found.error) && isnan(found.interval.low));
}

/* ---- Draws ---- */

enum { DOCUMENTS = 1300, LAST = 4 };

/* Sketches of `bits` random bits, so that small distances are many. */
static fp_measurement make_sketches(size_t count, unsigned bits, fp_arena *arena) {
    uint64_t *data = fp_arena_alloc(arena, count, sizeof *data);
    for (size_t i = 0; i < count; i++) data[i] = fp_mix(99, i) & ((UINT64_C(1) << bits) - 1);
    fp_measurement made = {.arm = test_arm("simhash:bits=64,weight=tf", NULL, 0, arena)};
    made.sketches = (fp_sketches){.count = count, .stride = sizeof *data, .data = (const unsigned char *)data};
    return made;
}

static size_t distance_of(const fp_measurement *of, size_t a, size_t b) {
    uint64_t left, right;
    memcpy(&left, fp_sketches_at(&of->sketches, a).data, sizeof left);
    memcpy(&right, fp_sketches_at(&of->sketches, b).data, sizeof right);
    return (size_t)__builtin_popcountll(left ^ right);
}

static void draws_are_what_counting_says(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_measurement of = make_sketches(DOCUMENTS, 12, arena);
    uint64_t population[LAST + 1] = {0};
    for (size_t a = 0; a < DOCUMENTS; a++)
        for (size_t b = a + 1; b < DOCUMENTS; b++)
            if (distance_of(&of, a, b) <= LAST) population[distance_of(&of, a, b)]++;
    fp_judged_options options = {.first = 0, .last = LAST, .per_stratum = 400, .seed = 5};
    fp_judged_sample sample;
    ASSERT_GOOD(fp_judged_draw(&of, &options, NULL, arena, &sample, &test_error));
    size_t drawn[LAST + 1] = {0};
    for (size_t s = 0; s <= LAST; s++) assert_int_equal(sample.strata[s].population, population[s]);
    for (size_t i = 0; i < sample.pair_count; i++) {
        const fp_judged_drawn *pair = sample.pairs + i;
        assert_true(pair->a < pair->b && pair->b < DOCUMENTS);
        assert_true((double)distance_of(&of, pair->a, pair->b) == pair->distance &&
                    (size_t)pair->distance == pair->stratum);
        drawn[pair->stratum]++;
        for (size_t j = 0; j < i; j++) assert_false(sample.pairs[j].a == pair->a && sample.pairs[j].b == pair->b);
    }
    for (size_t s = 0; s <= LAST; s++) {
        assert_int_equal(sample.strata[s].drawn, population[s] < 400 ? population[s] : 400);
        assert_int_equal(drawn[s], sample.strata[s].drawn);
    }
    assert_true(population[0] < 400 && population[LAST] > 400);
    fp_arena_free(arena);
}

static void threads_do_not_matter(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_measurement of = make_sketches(DOCUMENTS, 12, arena);
    fp_judged_options options = {.first = 1, .last = LAST, .per_stratum = 30, .seed = 5};
    fp_judged_sample one, seven, other;
    ASSERT_GOOD(fp_judged_draw(&of, &options, &(fp_progress){.threads = 1}, arena, &one, &test_error));
    ASSERT_GOOD(fp_judged_draw(&of, &options, &(fp_progress){.threads = 7}, arena, &seven, &test_error));
    assert_int_equal(one.pair_count, seven.pair_count);
    assert_memory_equal(one.pairs, seven.pairs, one.pair_count * sizeof *one.pairs);
    options.seed = 6;
    ASSERT_GOOD(fp_judged_draw(&of, &options, NULL, arena, &other, &test_error));
    assert_true(memcmp(one.pairs, other.pairs, one.pair_count * sizeof *one.pairs) != 0);
    fp_arena_free(arena);
}

/* Every pair of a stratum is as likely as any other, and so is every place in the order: chi-square over 3,000 seeds.
 * With ν degrees of freedom it stays below ν + 5√(2ν) but for one case in a million. */
static void every_pair_is_as_likely(void **state) {
    (void)state;
    enum { COUNT = 24, SEEDS = 3000, DRAWN = 5, STRATUM = 3, PLACES = 2 * DRAWN };
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    fp_measurement of = make_sketches(COUNT, 8, arena);
    size_t hits[COUNT][COUNT] = {{0}}, places[PLACES] = {0}, population = 0;
    fp_progress alone = {.threads = 1}; /* the draws are small */
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        fp_judged_options options = {.first = STRATUM, .last = STRATUM + 1, .per_stratum = DRAWN, .seed = seed};
        fp_judged_sample sample;
        fp_arena_reset(scratch);
        ASSERT_GOOD(fp_judged_draw(&of, &options, &alone, scratch, &sample, &test_error));
        population = sample.strata[0].population;
        assert_int_equal(sample.pair_count, PLACES);
        for (size_t i = 0; i < PLACES; i++) {
            if (sample.pairs[i].stratum != 0) continue;
            hits[sample.pairs[i].a][sample.pairs[i].b]++;
            places[i]++;
        }
    }
    double expected = (double)SEEDS * DRAWN / (double)population, square = 0, freedom = (double)population - 1;
    for (size_t a = 0; a < COUNT; a++)
        for (size_t b = a + 1; b < COUNT; b++)
            if (distance_of(&of, a, b) == STRATUM) square += pow((double)hits[a][b] - expected, 2) / expected;
    assert_true(square < freedom + 5 * sqrt(2 * freedom) && square > freedom - 5 * sqrt(2 * freedom));
    square = 0;
    for (size_t i = 0; i < PLACES; i++) square += pow((double)places[i] - SEEDS * 0.5, 2) / (SEEDS * 0.25);
    assert_true(square < PLACES + 5 * sqrt(2.0 * PLACES));
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

static void nothing_near_is_told(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_measurement of = make_sketches(4, 60, arena);
    fp_judged_options options = {.first = 0, .last = 2, .per_stratum = 5, .seed = 1};
    fp_judged_sample sample;
    assert_int_equal(fp_judged_draw(&of, &options, NULL, arena, &sample, &test_error), FP_ERROR_EMPTY);
    assert_string_equal(test_error.message, "no two of the 4 documents are at a distance of 0 to 2 (bits of 64)");
    of.sketches.count = 1;
    assert_int_equal(fp_judged_draw(&of, &options, NULL, arena, &sample, &test_error), FP_ERROR_EMPTY);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_stratum_is_wilson),
        cmocka_unit_test(a_difference_is_mee),
        cmocka_unit_test(a_part_is_koopman),
        cmocka_unit_test(like_strata_are_one),
        cmocka_unit_test(one_rare_answer_is_no_proof),
        cmocka_unit_test(what_is_known_has_no_width),
        cmocka_unit_test(estimate_by_hand),
        cmocka_unit_test(unsure_by_hand),
        cmocka_unit_test(correction_leaves_less_bias),
        cmocka_unit_test(unjudged_is_not_a_number),
        cmocka_unit_test(kappa_is_that_of_the_books),
        cmocka_unit_test(kappa_at_the_edges),
        cmocka_unit_test(draws_are_what_counting_says),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(every_pair_is_as_likely),
        cmocka_unit_test(nothing_near_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
