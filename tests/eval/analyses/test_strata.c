/* SPDX-License-Identifier: GPL-3.0-or-later
 * Strata: buckets of length, the pairs that belong to each, and figures that equal those of a corpus that holds nothing
 * else. */
#include "eval/analyses/stratum.h"
#include "tests/support.h"
#include "text/unicode/utf8.h"

#include "tests/eval/made_pairs.h"

/* ---- Buckets ---- */

static size_t choose(const size_t *length, const fp_pair *pairs, size_t count, size_t *bounds) {
    size_t bound_count;
    ASSERT_GOOD(fp_buckets_choose(length, pairs, count, NULL, bounds, &bound_count, &test_error));
    assert_true(bound_count < FP_BUCKETS_MOST);
    return bound_count;
}

static void buckets_by_hand(void **state) {
    (void)state;
    enum { COUNT = 600 };
    static size_t length[COUNT];
    static fp_pair pairs[COUNT];
    size_t bounds[FP_BUCKETS_MOST];
    for (uint32_t i = 0; i < COUNT; i++) {
        length[i] = (i * 7) % COUNT + 1;
        pairs[i] = (fp_pair){0, 1, i % 2};
    }
    assert_int_equal(choose(length, pairs, COUNT, bounds), 5);
    for (size_t b = 0; b < 5; b++) assert_int_equal(bounds[b], 100 * (b + 1));
    /* From 38 on: the quantiles 138, 238, … lie within a quarter of a bucket of 150, 250, …, and of no rounder number.
     */
    for (size_t i = 0; i < COUNT; i++) length[i] += 37;
    assert_int_equal(choose(length, pairs, COUNT, bounds), 5);
    for (size_t b = 0; b < 5; b++) assert_int_equal(bounds[b], 150 + 100 * b);
    /* All lengths within 60 characters: bounds are as round as that allows. */
    for (size_t i = 0; i < COUNT; i++) length[i] = 1000 + (i * 7) % 60;
    assert_int_equal(choose(length, pairs, COUNT, bounds), 5);
    for (size_t b = 0; b < 5; b++) assert_int_equal(bounds[b], 1010 + 10 * b);
    /* Even lengths from 993 to 1112 in three buckets, whose first bound may lie from 1023 to 1043: no multiple of 50
     * does, and of the multiples of 20 one does, which is rounder than the nearer 1030. The second: from 1063 to 1083.
     */
    for (size_t i = 0; i < COUNT; i++) length[i] = 993 + i * 3 / 5;
    assert_int_equal(choose(length, pairs, 200, bounds), 2);
    assert_true(bounds[0] == 1040 && bounds[1] == 1080);
    /* 200 pairs make three buckets; 59 or one length make none. */
    for (size_t i = 0; i < COUNT; i++) length[i] = i + 1;
    assert_int_equal(choose(length, pairs, 200, bounds), 2);
    assert_int_equal(choose(length, pairs, 59, bounds), 0);
    for (size_t i = 0; i < COUNT; i++) length[i] = 77;
    assert_int_equal(choose(length, pairs, COUNT, bounds), 0);
    /* Ten duplicates are too few for two buckets. */
    for (uint32_t i = 0; i < COUNT; i++) {
        length[i] = i + 1;
        pairs[i].label = i % 60 == 0;
    }
    assert_int_equal(choose(length, pairs, COUNT, bounds), 0);
    /* One is too few as well; none leaves the pairs of the other label, which are enough. */
    for (uint32_t i = 0; i < COUNT; i++) pairs[i].label = i == 0;
    assert_int_equal(choose(length, pairs, COUNT, bounds), 0);
    pairs[0].label = 0;
    assert_int_equal(choose(length, pairs, COUNT, bounds), 5);
    for (uint32_t i = 0; i < COUNT; i++) pairs[i].label = 1;
    assert_int_equal(choose(length, pairs, COUNT, bounds), 5);
}

/* Skewed lengths with many ties: bounds ascend, no bucket is empty, and none has more than twice its share of weight
 * and of the most frequent length. */
static void chosen_buckets_are_balanced(void **state) {
    (void)state;
    enum { COUNT = 2000 };
    static size_t length[COUNT];
    static fp_pair pairs[COUNT];
    for (uint64_t seed = 0; seed < 200; seed++) {
        size_t bounds[FP_BUCKETS_MOST + 1], positives = 0;
        double spread = 0.3 + (double)(seed % 10) / 4;
        for (uint32_t i = 0; i < COUNT; i++) {
            double normal = 0;
            for (uint64_t k = 0; k < 12; k++) normal += (double)(fp_mix(i * 12 + k, seed) >> 11) * 0x1p-53;
            length[i] = (size_t)exp(4 + spread * (normal - 6));
            pairs[i] = (fp_pair){0, 1, fp_mix(i, seed + 1000) % 5 == 0};
            positives += pairs[i].label;
        }
        size_t count = choose(length, pairs, COUNT, bounds);
        assert_true(count >= 1);
        for (size_t b = 0; b <= count; b++) {
            double weight = 0;
            size_t held = 0, low = b ? bounds[b - 1] : 0, high = b < count ? bounds[b] : SIZE_MAX, frequent = 0;
            for (size_t i = 0; i < COUNT; i++) {
                if (length[i] < low || length[i] >= high) continue;
                held++;
                weight += 0.5 / (double)(pairs[i].label ? positives : COUNT - positives);
                size_t same = 0;
                for (size_t j = 0; j < COUNT && seed < 3; j++) same += length[j] == length[i];
                if (same > frequent) frequent = same;
            }
            assert_true(held > 0 && low < high);
            if (seed < 3) assert_true(weight < 1.5 / 6 + 2.5 * (double)frequent / COUNT);
        }
    }
}

static void given_buckets_are_kept(void **state) {
    (void)state;
    static const char *const TEXTS[] = {"一二三", "一二三四五", "一二三四五六七八九十", "十", "abcdef"};
    static const fp_pair PAIRS[] = {{0, 1, 1}, {1, 2, 0}, {2, 3, 1}, {4, 2, 0}};
    static const uint32_t EXPECTED[] = {1, 2, 0, 2};
    fp_corpus_document documents[5];
    for (int i = 0; i < 5; i++)
        documents[i] = (fp_corpus_document){.characters = fp_utf8_count(fp_string_of(TEXTS[i]))};
    fp_corpus corpus = {.name = "c",
                        .truth = FP_TRUTH_PAIRS,
                        .document_count = 5,
                        .documents = documents,
                        .pair_count = 4,
                        .pairs = PAIRS};
    fp_arena *arena = fp_arena_new();
    fp_strata strata;
    ASSERT_GOOD(fp_strata_make(&corpus, "length", (size_t[]){3, 5, 6000}, 3, arena, &strata, &test_error));
    static const char *const NAMES[] = {"0-2", "3-4", "5-5999", "6000+"};
    assert_int_equal(strata.count, 4);
    for (size_t s = 0; s < 4; s++) assert_string_equal(strata.names[s], NAMES[s]);
    for (size_t i = 0; i < 4; i++) assert_int_equal(strata.of_pair[i], EXPECTED[i]);
    ASSERT_GOOD(fp_strata_make(&corpus, "length", NULL, 0, arena, &strata, &test_error));
    assert_int_equal(strata.count, 1); /* four pairs: one bucket */
    fp_arena_free(arena);
}

/* ---- The best threshold ---- */

static double plain_best(const set *of, size_t arm, const uint32_t *weight) {
    double best = NAN, largest = -1;
    for (double h = 0; h < 64; h += 0.5) { /* distances of made_pairs.h are multiples of a half */
        double tp = 0, fp = 0, positives = 0;
        for (size_t i = 0; i < of->count; i++) {
            double w = weight ? weight[i] : 1;
            if (of->pairs[i].label) positives += w;
            if (of->distance[arm][i] <= h) *(of->pairs[i].label ? &tp : &fp) += w;
        }
        if (positives == 0) return NAN;
        double f1 = 2 * tp / (tp + fp + positives);
        if (f1 <= largest) continue;
        largest = f1;
        best = h;
    }
    return best;
}

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The argmax of every replicate by plain counting, sorted; the limits are order statistics, taken outwards. */
static void best_threshold_by_brute_force(void **state) {
    (void)state;
    enum { REPLICATES = 400 };
    static const shape SHAPES[] = {APART, SHARED, GROUPED, STARS};
    for (size_t k = 0; k < 4; k++) {
        fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
        set *from = fp_arena_alloc(arena, 1, sizeof *from);
        fp_resample resample;
        fp_bootstrap bootstrap;
        make_set(from, SHAPES[k], 300, 81, 5 + k);
        resample_set(from, SHAPES[k] == GROUPED ? from->group : NULL, FP_SAMPLING_AUTO, arena, &resample);
        run_set(from, &resample, REPLICATES, arena, &bootstrap);
        uint32_t *drawn = fp_arena_raw(arena, resample.unit_count, sizeof *drawn),
                 *weight = fp_arena_raw(arena, from->count, sizeof *weight);
        for (size_t arm = 0; arm < 2; arm++) {
            double best[REPLICATES];
            fp_estimate estimate;
            for (size_t r = 0; r < REPLICATES; r++) {
                ASSERT_GOOD(fp_resample_draw(&resample, 7, r, scratch, drawn, &test_error));
                fp_resample_weigh(&resample, drawn, weight);
                best[r] = plain_best(from, arm, weight);
            }
            qsort(best, REPLICATES, sizeof *best, ascending);
            for (int from_end = 0; from_end < 199; from_end++) { /* tails between two order statistics */
                double confidence = 1 - 2 * (from_end + 0.5) / 399;
                ASSERT_GOOD(fp_best_threshold(&bootstrap, arm, confidence, scratch, &estimate, &test_error));
                assert_true(estimate.value == plain_best(from, arm, NULL) && estimate.undefined == 0);
                assert_true(estimate.interval.low == best[from_end] && estimate.interval.high == best[399 - from_end]);
            }
        }
        fp_arena_free(scratch);
        fp_arena_free(arena);
    }
}

/* Two thresholds with the same F1: the smaller. Without positives there is none. */
static void ties_take_the_smallest(void **state) {
    (void)state;
    static const double DISTANCES[] = {1, 2, 3, 4, 5};
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    fp_pair pairs[5];
    for (int none = 0; none < 2; none++) {
        static const uint8_t LABELS[] = {1, 0, 0, 1, 0}; /* F1: 2/3, 1/2, 2/5, 2/3, 4/7 */
        for (uint32_t i = 0; i < 5; i++) pairs[i] = (fp_pair){2 * i, 2 * i + 1, none ? 0 : LABELS[i]};
        fp_resample resample;
        fp_bootstrap bootstrap;
        fp_estimate estimate;
        ASSERT_GOOD(fp_resample_make(pairs, 5, NULL, 10, FP_SAMPLING_AUTO, arena, &resample, &test_error));
        const double *distances[] = {DISTANCES};
        static const fp_measure BEST = {.row = &fp_measure_best_threshold};
        fp_bootstrap_options options = {.replicates = 99, .seed = 1, .ranked = &BEST, .ranked_count = 1};
        ASSERT_GOOD(fp_bootstrap_run(&resample, &(fp_paired_distances){pairs, distances, 1}, &options, NULL, arena,
                                     &bootstrap, &test_error));
        ASSERT_GOOD(fp_best_threshold(&bootstrap, 0, 0.95, scratch, &estimate, &test_error));
        if (none) assert_true(isnan(estimate.value) && isnan(estimate.interval.low) && estimate.undefined == 99);
        else assert_true(estimate.value == 1 && estimate.interval.low >= 1 && estimate.undefined > 0);
    }
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

static void merged_thresholds_ascend(void **state) {
    (void)state;
    static const double FURTHER[] = {3.5, NAN, 2, 40, 3.5, 0};
    fp_arena *arena = fp_arena_new();
    double *merged;
    size_t count;
    ASSERT_GOOD(fp_thresholds_merge(LIMITS, LIMIT_COUNT, FURTHER, 6, arena, &merged, &count, &test_error));
    assert_int_equal(count, LIMIT_COUNT + 3);
    for (size_t i = 1; i < count; i++) assert_true(merged[i - 1] < merged[i]);
    assert_true(merged[0] == 0 && merged[4] == 3.5 && merged[count - 1] == 40);
    assert_int_equal(fp_threshold_position(merged, count, 3.5), 4);
    assert_int_equal(fp_threshold_position(merged, count, 3.4), count);
    assert_int_equal(fp_threshold_position(merged, count, NAN), count);
    fp_arena_free(arena);
}

/* ---- A stratum is a corpus ---- */

static bool same(const fp_estimate *a, const fp_estimate *b) {
    bool value = a->value == b->value || (isnan(a->value) && isnan(b->value));
    bool low = a->interval.low == b->interval.low || (isnan(a->interval.low) && isnan(b->interval.low));
    bool high = a->interval.high == b->interval.high || (isnan(a->interval.high) && isnan(b->interval.high));
    return value && low && high;
}

/* The pairs of a stratum, with those that join when it has one label, as a corpus of its own. Its groups are what hangs
 * together in the whole: two pairs may do so through one that is not here. */
static fp_corpus only(const set *from, const fp_corpus *all, const fp_strata *strata, size_t stratum, fp_arena *arena,
                      double **distances) {
    fp_pair *pairs = fp_arena_alloc(arena, from->count, sizeof *pairs);
    bool labels[2] = {false, false};
    fp_corpus alone = *all;
    alone.pair_count = 0;
    alone.pairs = pairs;
    for (size_t arm = 0; arm < 2; arm++) distances[arm] = fp_arena_alloc(arena, from->count, sizeof(double));
    for (size_t i = 0; i < from->count; i++)
        if (strata->of_pair[i] == stratum) labels[from->pairs[i].label] = true;
    for (size_t i = 0; i < from->count; i++) {
        if (strata->of_pair[i] != stratum && labels[from->pairs[i].label]) continue;
        for (size_t arm = 0; arm < 2; arm++) distances[arm][alone.pair_count] = from->distance[arm][i];
        pairs[alone.pair_count++] = from->pairs[i];
    }
    const fp_labelled_documents whole = {all->document_count, all->group, all->pair_count, all->pairs};
    fp_sampling_units units;
    ASSERT_GOOD(fp_sampling_units_make(&whole, arena, arena, &units, &test_error));
    if (units.kind != FP_SAMPLING_DOCUMENT) alone.group = units.units.of;
    return alone;
}

static void a_stratum_is_a_corpus(void **state) {
    (void)state;
    /* Of 14 documents duplicates connect nearly all, in the strata as well: documents are the units. */
    static const struct {
        shape shape;
        size_t documents;
        bool grouped;
        fp_sampling_unit unit;
    } WORLDS[] = {{APART, 0, false, FP_SAMPLING_PAIR},
                  {SHARED, 14, false, FP_SAMPLING_DOCUMENT},
                  {GROUPED, 90, true, FP_SAMPLING_GROUP},
                  {GROUPED, 90, false, FP_SAMPLING_COMPONENT},
                  {STARS, 0, false, FP_SAMPLING_COMPONENT}};
    static const fp_method METHODS[] = {FP_METHOD_MID_P, FP_METHOD_PERCENTILE};
    enum { STRATA = 3 };
    for (size_t k = 0; k < 10; k++) {
        fp_arena *arena = fp_arena_new();
        set *from = fp_arena_alloc(arena, 1, sizeof *from);
        make_set(from, WORLDS[k / 2].shape, 240, WORLDS[k / 2].documents, 31 + k);
        uint32_t *of_pair = fp_arena_alloc(arena, from->count, sizeof *of_pair);
        /* The third holds duplicates only. */
        for (size_t i = 0; i < from->count; i++)
            of_pair[i] = (uint32_t)(from->pairs[i].label && i % 4 == 0 ? 2 : i % 2);
        fp_corpus corpus = {.name = "c",
                            .truth = FP_TRUTH_PAIRS,
                            .document_count = from->documents,
                            .group = WORLDS[k / 2].grouped ? from->group : NULL,
                            .pair_count = from->count,
                            .pairs = from->pairs};
        fp_strata strata = {.by = "made", .count = STRATA, .of_pair = of_pair};
        fp_inference_options options = {.method = METHODS[k % 2],
                                        .confidence = 0.9,
                                        .replicates = 150,
                                        .seed = 3,
                                        .thresholds = LIMITS,
                                        .threshold_count = LIMIT_COUNT};
        fp_measurement measurements[] = {{.distances = from->distance[0]}, {.distances = from->distance[1]}};
        fp_outcome outcome = {.corpus = &corpus, .count = 2, .lane_count = 2, .measurements = measurements};
        for (size_t s = 0; s < STRATA; s++) {
            fp_stratum stratum;
            fp_inference alone;
            double *own[2];
            fp_corpus part = only(from, &corpus, &strata, s, arena, own);
            ASSERT_GOOD(fp_stratum_infer(&outcome, &strata, s, &options, NULL, arena, &stratum, &test_error));
            const fp_measurement measured[2] = {{.distances = own[0]}, {.distances = own[1]}};
            ASSERT_GOOD(fp_inference_make(&part, measured, 2, &options, NULL, arena, &alone, &test_error));
            assert_int_equal(stratum.positives + stratum.negatives, stratum.pairs);
            assert_int_equal(stratum.pairs + stratum.joined, part.pair_count);
            assert_int_equal(stratum.unit, WORLDS[k / 2].unit);
            assert_int_equal(alone.resample.unit,
                             stratum.unit == FP_SAMPLING_COMPONENT ? FP_SAMPLING_GROUP : stratum.unit);
            assert_true(s < 2 ? stratum.pairs == part.pair_count
                              : stratum.pairs < part.pair_count && stratum.pairs == stratum.positives);
            for (size_t arm = 0; arm < 2; arm++) {
                const fp_stratum_arm *figures = stratum.arms + arm;
                assert_true(
                    same(&figures->average_precision, fp_inference_of(&alone, &fp_measure_average_precision, arm)));
                assert_true(same(&figures->best_f1, fp_inference_of(&alone, &fp_measure_best_f1, arm)));
                for (size_t t = 0; t < LIMIT_COUNT; t++) {
                    assert_true(same(figures->at + t, fp_inference_of(&alone, &fp_measure_precision, arm) + t));
                    assert_true(
                        same(figures->at + LIMIT_COUNT + t, fp_inference_of(&alone, &fp_measure_recall, arm) + t));
                    assert_true(
                        same(figures->at + 2 * LIMIT_COUNT + t, fp_inference_of(&alone, &fp_measure_f1, arm) + t));
                    assert_true(fp_precision(figures->counts[t]) == figures->at[t].value ||
                                isnan(figures->at[t].value));
                }
                double p = figures->precision.value, r = figures->recall.value;
                assert_true(fabs(2 * p * r / (p + r) - figures->best_f1.value) < 1e-12);
                assert_true(figures->precision.interval.low <= p && p <= figures->precision.interval.high);
            }
        }
        fp_arena_free(arena);
    }
}

/* What would take too long takes fewer replicates, never fewer than stated, nor more than asked for. */
static void cost_is_bounded(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_pair *pairs = fp_arena_alloc(arena, 20000, sizeof *pairs);
    uint32_t *of_pair = fp_arena_alloc(arena, 20000, sizeof *of_pair);
    for (uint32_t i = 0; i < 20000; i++) {
        pairs[i] = (fp_pair){0, 1, i % 2};
        of_pair[i] = i / 2 % 1000; /* every stratum has both labels */
    }
    fp_corpus corpus = {.pair_count = 20000, .pairs = pairs};
    fp_strata strata = {.by = "made", .count = 1000, .of_pair = of_pair};
    size_t replicates;
    ASSERT_GOOD(fp_strata_replicates(&corpus, &strata, 5, 1000, arena, &replicates, &test_error));
    assert_int_equal(replicates, 1000);
    /* 1,000 strata of one label, each joined by 10,000 pairs: 10⁷ weights an arm. */
    for (uint32_t i = 0; i < 20000; i++) of_pair[i] = i % 1000;
    ASSERT_GOOD(fp_strata_replicates(&corpus, &strata, 1, 1000, arena, &replicates, &test_error));
    assert_true(replicates > 390 && replicates < 400); /* 4·10⁹/(10⁷ + 20,000) = 399 */
    ASSERT_GOOD(fp_strata_replicates(&corpus, &strata, 50, 1000, arena, &replicates, &test_error));
    assert_int_equal(replicates, FP_STRATA_REPLICATES);
    ASSERT_GOOD(fp_strata_replicates(&corpus, &strata, 50, 20, arena, &replicates, &test_error));
    assert_int_equal(replicates, 20);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buckets_by_hand),        cmocka_unit_test(chosen_buckets_are_balanced),
        cmocka_unit_test(given_buckets_are_kept), cmocka_unit_test(best_threshold_by_brute_force),
        cmocka_unit_test(ties_take_the_smallest), cmocka_unit_test(merged_thresholds_ascend),
        cmocka_unit_test(a_stratum_is_a_corpus),  cmocka_unit_test(cost_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
