/* SPDX-License-Identifier: GPL-3.0-or-later
 * Documents, clusters and prevalence: against published examples, scikit-learn, and the definitions by brute force. */
#include <math.h>

#include "eval/statistics/proportion_interval.h"
#include "base/disjoint_sets.h"
#include "eval/evaluation/levels.h"
#include "eval/statistics/two_rates.h"
#include "tests/support.h"

static bool near(double a, double b, double within) { return fabs(a - b) <= within; }

static void compare(const uint32_t *truth, const uint32_t *found, size_t count, fp_empty empty,
                    double figures[FP_AGREEMENT_KINDS]) {
    fp_arena *arena = fp_arena_new();
    fp_contingency contingency;
    ASSERT_GOOD(fp_contingency_make(truth, found, count, arena, &contingency, &test_error));
    ASSERT_GOOD(fp_agreement_of(&contingency, NULL, empty, arena, figures, &test_error));
    fp_arena_free(arena);
}

/* ---- Forest ---- */

static void forest_finds_components(void **state) {
    (void)state;
    enum { COUNT = 200 };
    fp_arena *arena = fp_arena_new();
    fp_disjoint_sets forest;
    ASSERT_GOOD(fp_disjoint_sets_make(COUNT, arena, &forest, &test_error));
    uint32_t label[COUNT]; /* by repeated relabelling */
    for (uint32_t i = 0; i < COUNT; i++) label[i] = i;
    for (uint64_t i = 0; i < 140; i++) {
        uint32_t a = (uint32_t)fp_mix(i, 1) % COUNT, b = (uint32_t)fp_mix(i, 2) % COUNT,
                 low = label[a] < label[b] ? label[a] : label[b];
        uint32_t high = label[a] < label[b] ? label[b] : label[a];
        assert_int_equal(fp_disjoint_sets_join(&forest, a, b), low != high);
        for (size_t j = 0; j < COUNT; j++)
            if (label[j] == high) label[j] = low;
    }
    for (uint32_t i = 0; i < COUNT; i++) assert_int_equal(fp_disjoint_sets_find(&forest, i), label[i]);
    fp_arena_free(arena);
}

/* ---- Clusters ---- */

/* Bagga and Baldwin, Entity-based cross-document coreferencing using the vector space model, COLING-ACL 1998, section
 * 4: truth {1…5} {6, 7} {8…12}; joining the pair with the last five gives a B-cubed precision of 76%, joining the two
 * fives 58%, and recall is 100% both times. */
static void bagga_and_baldwin(void **state) {
    (void)state;
    static const uint32_t TRUTH[12] = {1, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3},
                          FIRST[12] = {1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2};
    static const uint32_t SECOND[12] = {1, 1, 1, 1, 1, 2, 2, 1, 1, 1, 1, 1};
    double figures[FP_AGREEMENT_KINDS];
    compare(TRUTH, FIRST, 12, FP_EMPTY_NA, figures);
    assert_true(near(figures[FP_AGREEMENT_BCUBED_PRECISION], 16.0 / 21, 1e-12) &&
                figures[FP_AGREEMENT_BCUBED_RECALL] == 1);
    double mild = figures[FP_AGREEMENT_PAIR_PRECISION];
    compare(TRUTH, SECOND, 12, FP_EMPTY_NA, figures);
    assert_true(near(figures[FP_AGREEMENT_BCUBED_PRECISION], 7.0 / 12, 1e-12) &&
                figures[FP_AGREEMENT_BCUBED_RECALL] == 1);
    /* Over-merging costs: 21 right of 31 pairs, and 21 of 46. */
    assert_true(near(mild, 21.0 / 31, 1e-12) && near(figures[FP_AGREEMENT_PAIR_PRECISION], 21.0 / 46, 1e-12));
}

/* python3 -c 'from sklearn.metrics import adjusted_rand_score as r, pair_confusion_matrix as p; a = [k*k % 7 for k in
 * range(60)]; b = [(k*k + k//5) % 5 for k in range(60)]; print(r(a, b), p(a, b)/2)'; the first two in scikit-learn's
 * documentation and tests; B-cubed of the third in the tests of ELKI (BCubedTest.java). */
static void rand_index_of_scikit_learn(void **state) {
    (void)state;
    double figures[FP_AGREEMENT_KINDS];
    compare((uint32_t[]){0, 0, 1, 1}, (uint32_t[]){0, 0, 1, 2}, 4, FP_EMPTY_NA, figures);
    assert_true(near(figures[FP_AGREEMENT_RAND], 0.5714285714285714, 1e-12));
    compare((uint32_t[]){0, 0, 0, 1, 1, 1}, (uint32_t[]){0, 4, 0, 4, 2, 2}, 6, FP_EMPTY_NA, figures);
    assert_true(near(figures[FP_AGREEMENT_RAND], 0.24242424242424243, 1e-12));
    static const uint32_t A[17] = {1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3},
                          B[17] = {1, 1, 1, 1, 2, 1, 2, 2, 2, 2, 3, 1, 3, 3, 3, 2, 2};
    compare(A, B, 17, FP_EMPTY_NA, figures);
    assert_true(near(figures[FP_AGREEMENT_RAND], 0.2669404517453799, 1e-12));
    assert_true(near(figures[FP_AGREEMENT_BCUBED_PRECISION], 0.57843137254902, 1e-13));
    assert_true(near(figures[FP_AGREEMENT_BCUBED_RECALL], 0.584313725490196, 1e-13));
    uint32_t a[60], b[60];
    for (uint32_t k = 0; k < 60; k++) {
        a[k] = k * k % 7;
        b[k] = (k * k + k / 5) % 5;
    }
    compare(a, b, 60, FP_EMPTY_NA, figures);
    assert_true(near(figures[FP_AGREEMENT_RAND], 0.004812956077607527, 1e-12));
    assert_true(near(figures[FP_AGREEMENT_PAIR_PRECISION], 85.0 / (85 + 248), 1e-12));
    assert_true(near(figures[FP_AGREEMENT_PAIR_RECALL], 85.0 / (85 + 359), 1e-12));
}

/* Nothing joined: precision is what the rule says; recall is 0, or undefined where there is nothing to join. */
static void empty_predictions_follow_the_rule(void **state) {
    (void)state;
    static const uint32_t ALONE[4] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}, TWINS[4] = {0, 0, 1, 1};
    static const double WORTH[3] = {NAN, 0, 1};
    double figures[FP_AGREEMENT_KINDS];
    for (int rule = FP_EMPTY_NA; rule <= FP_EMPTY_ONE; rule++) {
        compare(TWINS, ALONE, 4, (fp_empty)rule, figures);
        double precision = figures[FP_AGREEMENT_PAIR_PRECISION], f1 = figures[FP_AGREEMENT_PAIR_F1];
        assert_true(figures[FP_AGREEMENT_RAND] == 0 && figures[FP_AGREEMENT_PAIR_RECALL] == 0);
        assert_true(f1 == 0 && (rule == FP_EMPTY_NA ? isnan(precision) : precision == WORTH[rule]));
        compare(ALONE, ALONE, 4, (fp_empty)rule, figures);
        double rand = figures[FP_AGREEMENT_RAND];
        assert_true(isnan(figures[FP_AGREEMENT_PAIR_RECALL]) && isnan(figures[FP_AGREEMENT_PAIR_F1]) &&
                    (rule == FP_EMPTY_NA ? isnan(rand) : rand == WORTH[rule]));
        fp_confusion nothing = {.fn = 3, .tn = 5}, no_positives = {.tn = 5};
        precision = fp_measure_of((fp_measure){.row = &fp_measure_precision}, nothing, (fp_empty)rule);
        f1 = fp_measure_of((fp_measure){.row = &fp_measure_f1}, nothing, (fp_empty)rule);
        assert_true(f1 == 0 && (rule == FP_EMPTY_NA ? isnan(precision) : precision == WORTH[rule]));
        assert_true(isnan(fp_measure_of((fp_measure){.row = &fp_measure_f1}, no_positives, (fp_empty)rule)));
        assert_true(fp_measure_of((fp_measure){.row = &fp_measure_none_precision}, nothing, (fp_empty)rule) == 0.625);
    }
}

/* With multiplicities, against documents written out as often and compared two by two: copies of one true cluster are
 * different clusters and do not meet. B-cubed precision takes the strangers that were drawn over the found cluster as
 * it was found. */
static void multiplicities_write_documents_out(void **state) {
    (void)state;
    enum { COUNT = 60, TRUTH = 20, MOST = 400 };
    fp_arena *arena = fp_arena_new();
    uint32_t truth[COUNT], found[COUNT], multiplicity[TRUTH];
    for (uint32_t i = 0; i < COUNT; i++) {
        truth[i] = i % TRUTH;
        found[i] = fp_mix(i, 3) % 4 ? truth[i] : (uint32_t)(fp_mix(i, 4) % TRUTH);
    }
    fp_contingency contingency;
    ASSERT_GOOD(fp_contingency_make(truth, found, COUNT, arena, &contingency, &test_error));
    assert_int_equal(contingency.truth_count, TRUTH);
    for (uint32_t i = 0; i < TRUTH; i++) multiplicity[i] = fp_mix(i, 5) % 4;
    uint32_t of[MOST], copy[MOST], n = 0;
    for (uint32_t i = 0; i < COUNT; i++)
        for (uint32_t k = 0; k < multiplicity[truth[i]]; k++) {
            of[n] = i;
            copy[n++] = k;
        }
    double both = 0, in_truth = 0, in_found = 0, all = 0, precision = 0, recall = 0;
    for (uint32_t x = 0; x < n; x++) {
        double cluster = 0, strangers = 0, hits = 0, size = 0;
        for (uint32_t y = 0; y < COUNT; y++) cluster += found[y] == found[of[x]];
        for (uint32_t y = 0; y < n; y++) {
            bool same_truth = truth[of[x]] == truth[of[y]] && copy[x] == copy[y],
                 other_copy = truth[of[x]] == truth[of[y]] && copy[x] != copy[y];
            bool same_found = found[of[x]] == found[of[y]];
            if (other_copy) continue;
            size += same_truth;
            hits += same_found && same_truth;
            strangers += same_found && !same_truth;
            if (y <= x) continue;
            all++;
            both += same_found && same_truth;
            in_truth += same_truth;
            in_found += same_found;
        }
        precision += (1 - strangers / cluster) / n;
        recall += hits / size / n;
    }
    double figures[FP_AGREEMENT_KINDS], expected = in_truth * in_found / all;
    ASSERT_GOOD(fp_agreement_of(&contingency, multiplicity, FP_EMPTY_NA, arena, figures, &test_error));
    assert_true(near(figures[FP_AGREEMENT_PAIR_PRECISION], both / in_found, 1e-12) &&
                near(figures[FP_AGREEMENT_PAIR_RECALL], both / in_truth, 1e-12));
    assert_true(near(figures[FP_AGREEMENT_RAND], (both - expected) / ((in_truth + in_found) / 2 - expected), 1e-12));
    assert_true(near(figures[FP_AGREEMENT_BCUBED_PRECISION], precision, 1e-12) &&
                near(figures[FP_AGREEMENT_BCUBED_RECALL], recall, 1e-12));
    assert_true(near(figures[FP_AGREEMENT_BCUBED_F1], 2 * precision * recall / (precision + recall), 1e-12));
    fp_arena_free(arena);
}

/* The mean over documents of equal true clusters has the error of a mean: the standard deviation over √clusters. */
static void cluster_intervals(void **state) {
    (void)state;
    enum { CLUSTERS = 100 };
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    uint32_t truth[2 * CLUSTERS], found[2 * CLUSTERS];
    for (uint32_t i = 0; i < 2 * CLUSTERS; i++) {
        truth[i] = i / 2;
        found[i] =
            i / 2 % 4 == 0 ? UINT32_MAX : i / 2; /* a quarter of the twins are not found: recall (25·½ + 75)/100 */
    }
    fp_contingency contingency;
    ASSERT_GOOD(fp_contingency_make(truth, found, 2 * CLUSTERS, arena, &contingency, &test_error));
    double first[2] = {0, 0};
    for (int threads = 1; threads <= 2; threads++) {
        fp_agreements agreements;
        fp_estimate estimate;
        fp_progress over = {.threads = threads};
        ASSERT_GOOD(fp_agreements_run(&contingency, 2000, 3, FP_EMPTY_NA, &over, arena, &agreements, &test_error));
        ASSERT_GOOD(fp_agreements_estimate(&agreements, FP_AGREEMENT_BCUBED_RECALL, FP_METHOD_PERCENTILE, 0.95, scratch,
                                           &estimate, &test_error));
        double error = sqrt(0.25 * 0.75) / 2 / sqrt(CLUSTERS);
        assert_true(estimate.value == 0.875 && near(estimate.error, error, 1e-12));
        assert_true(near(estimate.interval.low, 0.875 - 1.96 * error, 0.006) &&
                    near(estimate.interval.high, 0.875 + 1.96 * error, 0.006));
        if (threads == 2) assert_true(estimate.interval.low == first[0] && estimate.interval.high == first[1]);
        first[0] = estimate.interval.low;
        first[1] = estimate.interval.high;
        /* Never wrong, yet not certain. */
        ASSERT_GOOD(fp_agreements_estimate(&agreements, FP_AGREEMENT_BCUBED_PRECISION, FP_METHOD_BCA, 0.95, scratch,
                                           &estimate, &test_error));
        assert_true(estimate.value == 1 && estimate.interval.low < 1 && estimate.interval.high == 1);
    }
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

/* Every fourth true cluster of two documents is missed. B-cubed recall has no couples: by hand, a unit adds 2(r − R)/N,
 * r being its own recall, 1 or ½, and R = 0.875 that of all. */
static void error_of_clusters_by_hand(void **state) {
    (void)state;
    enum { CLUSTERS = 100, COUNT = 2 * CLUSTERS };
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    uint32_t truth[COUNT], found[COUNT];
    fp_contingency contingency;
    fp_agreements agreements;
    fp_estimate estimate;
    double variance = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        truth[i] = i / 2;
        found[i] = i / 2 % 4 == 0 ? UINT32_MAX : i / 2;
    }
    for (uint32_t u = 0; u < CLUSTERS; u++) variance += pow(2 * ((u % 4 ? 1 : 0.5) - 0.875) / COUNT, 2);
    ASSERT_GOOD(fp_contingency_make(truth, found, COUNT, arena, &contingency, &test_error));
    ASSERT_GOOD(fp_agreements_run(&contingency, 500, 3, FP_EMPTY_NA, NULL, arena, &agreements, &test_error));
    ASSERT_GOOD(fp_agreements_estimate(&agreements, FP_AGREEMENT_BCUBED_RECALL, FP_METHOD_MID_P, 0.95, scratch,
                                       &estimate, &test_error));
    assert_true(near(estimate.value, 0.875, 1e-12) && near(estimate.error, sqrt(variance), 1e-12));
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

/* Clusters with wrong links in chains: what is said of replicates is what they show, and the variance counts every two
 * of the parts a figure is made of that share a true or a found cluster. */
typedef struct piece {
    uint32_t first, second, found; /* true clusters, equal inside one; found cluster of two */
    double value;
} piece;

static double sum_shared(const piece *pieces, size_t count, double *total) {
    double sum = 0;
    for (size_t x = 0; x < count; x++) {
        *total += pieces[x].value * (pieces[x].first == pieces[x].second ? 1 : 2);
        for (size_t y = 0; y < count; y++) {
            const piece *a = pieces + x, *b = pieces + y;
            bool truth =
                a->first == b->first || a->first == b->second || a->second == b->first || a->second == b->second;
            bool found = a->first != a->second && b->first != b->second && a->found == b->found;
            if (truth || found) sum += a->value * b->value;
        }
    }
    return sum;
}

enum { TRIADS = 200, IN_TRIADS = 3 * TRIADS };

static void make_chains(uint32_t *truth, uint32_t *found) {
    for (uint32_t i = 0; i < IN_TRIADS; i++) {
        truth[i] = i / 3;
        found[i] = fp_mix(i, 9) % 6 == 0 ? 1000 + i
                   : truth[i] % 11 == 1  ? truth[i] - 1
                   : truth[i] % 11 == 4  ? truth[i] - 2
                                         : truth[i];
        if (truth[i] % 11 == 3) found[i] = truth[i] - 1;
    }
}

static void assert_stated_variance(const uint32_t *truth, const uint32_t *found, bool bcubed) {
    enum { REPLICATES = 4000 };
    fp_arena *arena = fp_arena_new();
    fp_contingency contingency;
    fp_agreements agreements;
    ASSERT_GOOD(fp_contingency_make(truth, found, IN_TRIADS, arena, &contingency, &test_error));
    ASSERT_GOOD(fp_agreements_run(&contingency, REPLICATES, 8, FP_EMPTY_NA, NULL, arena, &agreements, &test_error));
    for (size_t k = 0; k < FP_AGREEMENT_KINDS; k++) {
        double mean = 0, variance = 0;
        for (size_t i = 0; i < REPLICATES; i++) mean += agreements.values[i][k] / REPLICATES;
        for (size_t i = 0; i < REPLICATES; i++) variance += pow(agreements.values[i][k] - mean, 2) / (REPLICATES - 1);
        if (k == FP_AGREEMENT_RAND || k >= FP_AGREEMENT_PAIR_PRECISION || bcubed)
            assert_true(near(variance / agreements.spreads[k].resampled, 1, 0.12));
    }
    fp_arena_free(arena);
}

/* Also where everything is crowded into three found clusters: agreement by chance is large there, and B-cubed
 * precision, next to nothing, has no variance of first order. */
static void cluster_replicates_have_the_stated_variance(void **state) {
    (void)state;
    uint32_t truth[IN_TRIADS], found[IN_TRIADS];
    make_chains(truth, found);
    assert_stated_variance(truth, found, true);
    for (uint32_t i = 0; i < IN_TRIADS; i++) found[i] = fp_mix(i, 6) % 2 ? truth[i] % 3 : (uint32_t)(fp_mix(i, 7) % 3);
    assert_stated_variance(truth, found, false);
}

static void cluster_variance_counts_what_is_shared(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    uint32_t truth[IN_TRIADS], found[IN_TRIADS];
    make_chains(truth, found);
    fp_contingency contingency;
    fp_dyadic spreads[FP_AGREEMENT_KINDS];
    double figures[FP_AGREEMENT_KINDS];
    ASSERT_GOOD(fp_contingency_make(truth, found, IN_TRIADS, arena, &contingency, &test_error));
    ASSERT_GOOD(fp_agreement_of(&contingency, NULL, FP_EMPTY_NA, arena, figures, &test_error));
    ASSERT_GOOD(fp_agreement_spread(&contingency, arena, spreads, &test_error));
    piece *pairs = fp_arena_alloc(arena, 4000, sizeof *pairs), *cubes = fp_arena_alloc(arena, 4000, sizeof *cubes);
    double size[IN_TRIADS] = {0}, called = 0, precision = figures[FP_AGREEMENT_PAIR_PRECISION], total = 0;
    size_t count = 0;
    for (size_t i = 0; i < contingency.block_count; i++)
        size[contingency.blocks[i].found] += contingency.blocks[i].count;
    for (size_t j = 0; j < contingency.found_count; j++) called += size[j] * (size[j] - 1) / 2;
    for (size_t i = 0; i < contingency.block_count; i++) {
        fp_block a = contingency.blocks[i];
        double n = a.count;
        pairs[count] = (piece){a.truth, a.truth, a.found, (1 - precision) * n * (n - 1) / 2 / called};
        cubes[count++] =
            (piece){a.truth, a.truth, a.found, (1 - figures[FP_AGREEMENT_BCUBED_PRECISION]) * n / IN_TRIADS};
        for (size_t k = i + 1; k < contingency.block_count; k++) {
            fp_block b = contingency.blocks[k];
            if (a.found != b.found) continue;
            pairs[count] = (piece){a.truth, b.truth, a.found, -precision * n * b.count / called};
            cubes[count++] = (piece){a.truth, b.truth, a.found, -2 * n * b.count / size[a.found] / IN_TRIADS};
        }
    }
    double shared = sum_shared(pairs, count, &total);
    assert_true(near(spreads[FP_AGREEMENT_PAIR_PRECISION].variance, shared - total * total / TRIADS, 1e-9 * shared));
    total = 0;
    shared = sum_shared(cubes, count, &total);
    assert_true(near(spreads[FP_AGREEMENT_BCUBED_PRECISION].variance, shared - total * total / TRIADS, 1e-9 * shared));
    fp_arena_free(arena);
}

/* ---- Documents ---- */

/* Seven documents of ten occur; a–b and b–c are duplicates, d has none of its three pairs as one, e–f is one that is
 * missed, g is alone. By hand. */
static void documents_by_hand(void **state) {
    (void)state;
    enum { A = 1, B = 2, C = 4, D = 5, E = 7, F = 8, G = 9 };
    static const fp_pair PAIRS[] = {{A, B, 1}, {B, C, 1}, {A, C, 0}, {D, A, 0}, {D, E, 0}, {D, G, 0}, {E, F, 1}};
    static const double DISTANCES[] = {2, 3, 9, 20, 4, 30, 12};
    fp_arena *arena = fp_arena_new();
    fp_members members;
    ASSERT_GOOD(fp_members_make(PAIRS, 7, 10, arena, &members, &test_error));
    static const uint32_t DOCUMENT[7] = {A, B, C, D, E, F, G}, CLUSTER[7] = {0, 0, 0, 3, 4, 4, 6};
    static const double NEAREST[7] = {2, 2, 3, 4, 4, 12, 30};
    static const int HAS[7] = {1, 1, 1, 0, 1, 1, 0};
    double nearest[7];
    uint32_t found[7];
    assert_int_equal(members.count, 7);
    fp_members_nearest(&members, PAIRS, DISTANCES, 7, nearest);
    for (uint32_t i = 0; i < 7; i++) {
        assert_true(members.document[i] == DOCUMENT[i] && members.cluster[i] == CLUSTER[i] && nearest[i] == NEAREST[i]);
        assert_true(members.items[i].a == i && members.items[i].b == i && members.items[i].label == HAS[i]);
    }
    ASSERT_GOOD(fp_members_link(&members, PAIRS, DISTANCES, 7, 4, arena, found, &test_error));
    static const uint32_t LINKED[7] = {0, 0, 0, 3, 3, 5, 6};
    assert_memory_equal(found, LINKED, sizeof found);
    /* At 4: a, b, c and e are called rightly, d wrongly, f is missed, g is left alone rightly. */
    fp_resample resample;
    fp_bootstrap bootstrap;
    static const double LIMIT = 4;
    const double *distances = nearest;
    fp_bootstrap_options options = {.replicates = 50, .thresholds = &LIMIT, .threshold_count = 1};
    ASSERT_GOOD(fp_resample_make(members.items, members.count, members.cluster, members.count, FP_SAMPLING_AUTO, arena,
                                 &resample, &test_error));
    assert_true(resample.unit == FP_SAMPLING_GROUP && resample.unit_count == 4 && !resample.crossing);
    ASSERT_GOOD(fp_bootstrap_run(&resample, &(fp_paired_distances){members.items, &distances, 1}, &options, NULL, arena,
                                 &bootstrap, &test_error));
    fp_confusion c = fp_bootstrap_counts(&bootstrap, 50, 0, 0);
    assert_true(c.tp == 4 && c.fp == 1 && c.fn == 1 && c.tn == 1);
    assert_true(
        fp_bootstrap_value(&bootstrap, 50, 0, (fp_measure){.row = &fp_measure_none_precision, .threshold = 0}) == 0.5);
    assert_int_equal(fp_members_make(PAIRS, 0, 10, arena, &members, &test_error), FP_ERROR_EMPTY);
    fp_arena_free(arena);
}

/* ---- Prevalence ---- */

/* Casscells, Schoenberger, Graboys, New England Journal of Medicine 299, 1978: 1 in 1000, no misses, 5% false alarms:
 * about 2%. Gigerenzer and Hoffrage, Psychological Review 102, 1995: 1%, 80%, 9.6%: 7.8%. */
static void prevalence_examples(void **state) {
    (void)state;
    assert_true(near(fp_precision_at(1, 0.05, 0.001), 0.0196, 5e-5) &&
                near(fp_precision_at(0.8, 0.096, 0.01), 0.078, 5e-4));
    assert_true(isnan(fp_precision_at(0, 0, 0.1)) && isnan(fp_precision_at(0.5, NAN, 0.1)));
    static const double BAD[] = {0, 1, -0.1, 1.5, NAN, INFINITY};
    for (size_t i = 0; i < 6; i++) assert_true(isnan(fp_precision_at(0.5, 0.1, BAD[i])));
}

/* SciPy's brentq on (a − R·b)² = s², s² = da² + R²·db² − 2R·r·da·db, for the ratio R of 0.1 (0.06 to 0.17) to 0.8 (0.7
 * to 0.88) at r = 0 and 0.4, and of 0.02 (0.004 to 0.08) to 0.5 (0.35 to 0.66) at r = −0.3; then 1/(1 + 99 R). */
static void prevalence_intervals(void **state) {
    (void)state;
    static const double ROWS[][9] = {{.1, .06, .17, .8, .7, .88, 0, 0.04455792633215675, 0.11946819162915143},
                                     {.1, .06, .17, .8, .7, .88, .4, 0.04680041139616513, 0.1152190085363646},
                                     {.02, .004, .08, .5, .35, .66, -.3, 0.05127250916749529, 0.5827831833994807}};
    for (size_t i = 0; i < 3; i++) {
        const double *row = ROWS[i];
        fp_interval found = fp_precision_at_interval(row[3], (fp_interval){row[4], row[5]}, row[0],
                                                     (fp_interval){row[1], row[2]}, row[6], 0.01);
        assert_true(near(found.low, row[7], 1e-9) && near(found.high, row[8], 1e-9));
    }
    /* No false alarm seen: the upper limit is 1, the lower is not. */
    fp_interval found = fp_precision_at_interval(0.9, (fp_interval){0.8, 0.95}, 0, (fp_interval){0, 0.01}, 0, 0.001);
    assert_true(found.high == 1 && found.low > 0.05 && found.low < 0.1);
}

static void prevalence_curve(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    fp_pair pairs[200];
    double distances[200];
    for (uint32_t i = 0; i < 200; i++) {
        pairs[i] = (fp_pair){2 * i, 2 * i + 1, i % 2};
        distances[i] = i % 2 ? (i % 20 == 1 ? 9 : 1) : (i % 50 == 0 ? 1 : 9); /* TPR 0.9, FPR 0.04 */
    }
    fp_resample resample;
    fp_bootstrap bootstrap;
    static const double LIMIT = 5;
    const double *arm = distances;
    fp_bootstrap_options options = {.replicates = 300, .seed = 1, .thresholds = &LIMIT, .threshold_count = 1};
    ASSERT_GOOD(fp_resample_make(pairs, 200, NULL, 400, FP_SAMPLING_AUTO, arena, &resample, &test_error));
    ASSERT_GOOD(fp_bootstrap_run(&resample, &(fp_paired_distances){pairs, &arm, 1}, &options, NULL, arena, &bootstrap,
                                 &test_error));
    fp_prevalence_point points[5];
    static const double SHARES[] = {1e-4, 1e-3, 1e-2, 0.1, 0.5};
    ASSERT_GOOD(fp_prevalence_points(&bootstrap, 0, 0, &(fp_prevalence_options){SHARES, 5, FP_METHOD_MID_P, 0.95},
                                     scratch, points, &test_error));
    for (size_t i = 0; i < 5; i++) {
        double pi = SHARES[i];
        assert_true(points[i].prevalence == pi);
        assert_true(near(points[i].precision.value, 0.9 * pi / (0.9 * pi + 0.04 * (1 - pi)), 1e-12));
        assert_true(points[i].precision.interval.low < points[i].precision.value &&
                    points[i].precision.value < points[i].precision.interval.high);
        if (i) assert_true(points[i].precision.value > points[i - 1].precision.value);
    }
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forest_finds_components),
        cmocka_unit_test(bagga_and_baldwin),
        cmocka_unit_test(rand_index_of_scikit_learn),
        cmocka_unit_test(empty_predictions_follow_the_rule),
        cmocka_unit_test(multiplicities_write_documents_out),
        cmocka_unit_test(cluster_intervals),
        cmocka_unit_test(error_of_clusters_by_hand),
        cmocka_unit_test(cluster_replicates_have_the_stated_variance),
        cmocka_unit_test(cluster_variance_counts_what_is_shared),
        cmocka_unit_test(documents_by_hand),
        cmocka_unit_test(prevalence_examples),
        cmocka_unit_test(prevalence_intervals),
        cmocka_unit_test(prevalence_curve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
