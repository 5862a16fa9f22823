/* SPDX-License-Identifier: GPL-3.0-or-later
 * What an index brings of pairs of a similarity: on sets made for each similarity, where the share must be within
 * binomial error of the S-curve; on the shipped corpus, against look-ups. */
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "eval/analyses/index_curve.h"
#include "pairs/banding.h"
#include "tests/eval/counterparts.h"
#include "tests/support.h"
#include "tests/eval/whole_trials.h"

/* ---- Sets of a known similarity ---- */

enum { UNION = 40, STEPS = 10, PAIRS_EACH = 500, PAIRS = STEPS * PAIRS_EACH };

/* Pair p shares 2, 6, 10, … 38 of its 40 features. */
static size_t shared_by(size_t pair) { return 4 * (pair / PAIRS_EACH) + 2; }
static double jaccard_of(size_t pair) { return (double)shared_by(pair) / UNION; }
/* Both sets have the shared features and half of the others. */
static double cosine_of(size_t pair) { return 2 * (double)shared_by(pair) / (double)(shared_by(pair) + UNION); }

/* The exact measure of a pair, written down beside both of its documents. */
static double written(const fp_instance *self, fp_sketch a, fp_sketch b) {
    (void)self;
    assert_true(*(const double *)a.data == *(const double *)b.data);
    return 1 - *(const double *)a.data;
}
static double one_less(const fp_instance *self, double distance) {
    (void)self;
    return 1 - distance;
}
static const fp_algorithm WRITTEN = {
    .name = "written", .measure = "written", .similarity = one_less, .distance = written};

typedef struct world {
    fp_arena *arena;
    fp_corpus corpus;
    fp_pair pairs[PAIRS];
    uint32_t group[2 * PAIRS];
    double exact[2 * PAIRS], distance[2][PAIRS];
    fp_arm written;
    fp_measurement measured[2]; /* the arm, and the exact measure */
    const fp_measurement *of_arm[1];
    fp_counterparts counterparts;
    fp_recall_loss lost;
} world;

static void sketch_pair(const fp_measurement *of, unsigned char *data, size_t pair, fp_arena *scratch) {
    uint64_t hash[UNION];
    double weight[UNION];
    for (size_t side = 0; side < 2; side++) {
        size_t count = 0;
        for (size_t f = 0; f < UNION; f++) {
            if (f >= shared_by(pair) && f % 2 != side) continue;
            hash[count] = fp_mix(pair, f);
            weight[count++] = 1;
        }
        fp_sketch made = test_sketch_of(of->arm, hash, weight, count, scratch);
        memcpy(data + (2 * pair + side) * of->sketches.stride, made.data, of->sketches.stride);
    }
}

/* Features differ from pair to pair, which is as good as other hash functions for each, and every document has one
 * partner: pairs are independent. Every third is a duplicate, and a group. */
static void open_world(world *made, const char *spec, const char *index, double (*exact)(size_t pair)) {
    memset(made, 0, sizeof *made);
    made->arena = fp_arena_new();
    made->written = (fp_arm){.name = "written", .instance = {.algorithm = &WRITTEN, .layout = {.maximum = 1}}};
    made->measured[0].arm = test_arm(spec, NULL, 0, made->arena);
    made->measured[1].arm = &made->written;
    size_t stride = fp_arm_layout(made->measured[0].arm)->bytes;
    unsigned char *data = fp_arena_alloc(made->arena, 2 * PAIRS, stride);
    made->measured[0].sketches = (fp_sketches){.count = 2 * PAIRS, .stride = stride, .data = data};
    made->measured[1].sketches =
        (fp_sketches){.count = 2 * PAIRS, .stride = sizeof(double), .data = (const unsigned char *)made->exact};
    fp_arena *scratch = fp_arena_new();
    for (size_t p = 0; p < PAIRS; p++) {
        made->pairs[p] = (fp_pair){(uint32_t)(2 * p), (uint32_t)(2 * p + 1), p % 3 == 0};
        made->group[2 * p] = made->group[2 * p + 1] = p % 3 == 0 ? (uint32_t)made->corpus.group_count++ : UINT32_MAX;
        made->exact[2 * p] = made->exact[2 * p + 1] = exact(p);
        fp_arena_reset(scratch);
        sketch_pair(made->measured, data, p, scratch);
    }
    fp_arena_free(scratch);
    size_t groups = made->corpus.group_count;
    made->corpus = (fp_corpus){.name = "made",
                               .truth = FP_TRUTH_PAIRS,
                               .pairs = made->pairs,
                               .pair_count = PAIRS,
                               .document_count = 2 * PAIRS,
                               .group = made->group,
                               .group_count = groups};
    for (size_t m = 0; m < 2; m++) {
        for (size_t p = 0; p < PAIRS; p++)
            made->distance[m][p] = fp_measurement_distance(made->measured + m, made->pairs[p].a, made->pairs[p].b);
        made->measured[m].distances = made->distance[m];
    }
    made->of_arm[0] = made->measured + 1;
    made->counterparts = (fp_counterparts){.arm_count = 1, .of_arm = made->of_arm};
    fp_lsh_spec asked;
    ASSERT_GOOD(fp_lsh_parse(index, made->arena, &asked, &test_error));
    ASSERT_GOOD(fp_recall_loss_make(
        &(fp_outcome){
            .corpus = &made->corpus, .count = 1, .measurements = made->measured, .counterparts = &made->counterparts},
        &asked, NULL, NULL, made->arena, &made->lost, &test_error));
}

static fp_index_curve curve_over(const fp_progress *progress, const world *of) {
    fp_index_curve curve;
    ASSERT_GOOD(fp_index_curve_make(&of->lost, 0, 0.95, progress, of->arena, &curve, &test_error));
    return curve;
}

static fp_index_curve curve_of(const world *of) { return curve_over(NULL, of); }

static size_t tenth(double similarity) { return (size_t)floor(similarity * 10 + 1e-9); }

typedef struct row {
    const char *arm, *index;
    double (*exact)(size_t pair);
    fp_banding banding;
    unsigned slot_bits, bits, blocks, agree; /* of bands the slots, of blocks the bits */
} row;

/* The formulas, chosen by hand: Jaccard to slots, the cosine's angle to bits. */
static double probability(const row *of, double similarity) {
    if (of->banding.bands) return fp_banding_probability(of->banding, fp_banding_slot(similarity, of->slot_bits));
    double differs = of->exact == cosine_of ? acos(similarity) / M_PI : 1 - fp_banding_slot(similarity, of->slot_bits);
    return fp_blocks_agreeing(of->bits, of->blocks, of->agree, differs);
}

/* The sum of independent trials of unlike probabilities varies less than a binomial number of their mean (Hoeffding
 * 1956), so that the limits are wide enough. */
static void check_bin(const row *of, const fp_index_bin *bin, size_t number, size_t step) {
    double expected = 0, similarity = 0;
    size_t count = 0;
    for (size_t p = 0; p < PAIRS; p += step) {
        if (tenth(of->exact(p)) != number) continue;
        count++;
        expected += probability(of, of->exact(p));
        similarity += of->exact(p);
    }
    assert_int_equal(bin->pairs, count);
    assert_true(fabs(bin->low - (double)number / 10) < 1e-12 && fabs(bin->high - (double)(number + 1) / 10) < 1e-12);
    expected /= (double)count;
    if (!(fabs(bin->expected - expected) < 1e-9))
        fail_msg("%s, %s: %g expected, not %g", of->arm, of->index, bin->expected, expected);
    assert_true(fabs(bin->similarity - similarity / (double)count) < 1e-9);
    unsigned found = (unsigned)lrint(bin->brought.value * (double)count);
    if (gsl_cdf_binomial_P(found, fmin(1, expected), (unsigned)count) < 1e-6 ||
        (found && gsl_cdf_binomial_Q(found - 1, fmin(1, expected), (unsigned)count) < 1e-6))
        fail_msg("%s, %s at %zu tenths: %u of %zu found, %g expected", of->arm, of->index, number, found, count,
                 expected * (double)count);
    fp_interval independent = mid_p_of(found, count, 0.95);
    assert_true(fabs(bin->brought.interval.low - independent.low) < 1e-9 &&
                fabs(bin->brought.interval.high - independent.high) < 1e-9);
}

/* All pairs; and, where groups are the truth, the pairs inside them. */
static void shares_follow_the_curve(void **state) {
    (void)state;
    static const row ROWS[] = {
        {"minhash", "banding:bands=16,rows=4", jaccard_of, {16, 4}, 0, 0, 0, 0},
        {"minhash:slots=100,b=2", "banding:bands=12,rows=8", jaccard_of, {12, 8}, 2, 0, 0, 0},
        {"minhash:slots=128,b=1", "pigeonhole:blocks=12,agree=2", jaccard_of, {0, 0}, 1, 128, 12, 2},
        {"hyperplane", "pigeonhole:blocks=6", cosine_of, {0, 0}, 0, 64, 6, 1},
        {"hyperplane", "pigeonhole:blocks=10,agree=3", cosine_of, {0, 0}, 0, 64, 10, 3},
        {"simhash:bits=128", "pigeonhole:blocks=14,agree=2", cosine_of, {0, 0}, 0, 128, 14, 2}};
    world *made = malloc(sizeof *made);
    assert_non_null(made);
    for (size_t r = 0; r < sizeof ROWS / sizeof *ROWS; r++) {
        open_world(made, ROWS[r].arm, ROWS[r].index, ROWS[r].exact);
        for (int grouped = 0; grouped < 2; grouped++) {
            made->corpus.truth = grouped ? FP_TRUTH_GROUPS : FP_TRUTH_PAIRS;
            if (grouped) {
                fp_lsh_spec asked;
                ASSERT_GOOD(fp_lsh_parse(ROWS[r].index, made->arena, &asked, &test_error));
                ASSERT_GOOD(fp_recall_loss_make(&(fp_outcome){.corpus = &made->corpus,
                                                              .count = 1,
                                                              .measurements = made->measured,
                                                              .counterparts = &made->counterparts},
                                                &asked, NULL, NULL, made->arena, &made->lost, &test_error));
            }
            fp_index_curve curve = curve_of(made);
            size_t pairs = 0;
            for (size_t b = 0; b < curve.bin_count; b++) {
                check_bin(ROWS + r, curve.bins + b, tenth(curve.bins[b].similarity), grouped ? 3 : 1);
                assert_true(b == 0 || curve.bins[b].low > curve.bins[b - 1].low);
                pairs += curve.bins[b].pairs;
            }
            assert_int_equal(pairs, grouped ? (PAIRS + 2) / 3 : PAIRS);
            assert_true(curve.bin_count >= 8 && curve.bins[0].brought.value < 0.5 &&
                        curve.bins[curve.bin_count - 1].brought.value > 0.5);
        }
        fp_arena_free(made->arena);
    }
    free(made);
}

static void any_number_of_threads_counts_the_same(void **state) {
    (void)state;
    world *made = malloc(sizeof *made);
    assert_non_null(made);
    open_world(made, "minhash", "banding:bands=16,rows=4", jaccard_of);
    fp_index_curve alone = curve_over(&(fp_progress){.threads = 1}, made);
    fp_index_curve many = curve_over(&(fp_progress){.threads = 5}, made);
    assert_int_equal(alone.bin_count, many.bin_count);
    assert_memory_equal(alone.bins, many.bins, alone.bin_count * sizeof *alone.bins);
    fp_arena_free(made->arena);
    free(made);
}

static void ends_of_the_curve(void **state) {
    (void)state;
    world *made = malloc(sizeof *made);
    assert_non_null(made);
    open_world(made, "hyperplane", "pigeonhole:blocks=4", cosine_of);
    assert_true(fp_index_curve_at(made->lost.arms, NULL, 1) == 1);
    assert_true(fabs(fp_index_curve_at(made->lost.arms, NULL, 0) - fp_blocks_probability(64, 4, 0.5)) < 1e-12);
    assert_true(fp_index_curve_at(made->lost.arms, NULL, -1) == 0);
    fp_arena_free(made->arena);
    open_world(made, "minhash:b=2", "banding:bands=16,rows=4", jaccard_of);
    assert_true(fp_index_curve_at(made->lost.arms, NULL, 1) == 1);
    assert_true(fabs(fp_index_curve_at(made->lost.arms, NULL, 0) - fp_banding_probability((fp_banding){16, 4}, 0.25)) <
                1e-12);
    fp_arena_free(made->arena);
    free(made);
}

/* ---- The shipped corpus ---- */

/* Arms without an index, or nothing exact beside them, or fitted, have no bins. Of the duplicates of each tenth,
 * look-ups bring what the keys say. */
static void keys_say_what_look_ups_bring(void **state) {
    (void)state;
    static const char *const specs[] = {"simhash",     "minhash:b=4",        "pinyin", "nilsimsa", "jaccard",
                                        "fracminhash", "simhash:center=mean"};
    enum { ARMS = sizeof specs / sizeof *specs };
    fp_arena *arena = fp_arena_new();
    fp_corpus corpus;
    fp_arm *arms[ARMS];
    fp_measurement measured[ARMS];
    fp_counterparts counterparts;
    fp_recall_loss lost;
    static const double within[ARMS] = {3, 3, 3, 3, 3, 3, 3};
    ASSERT_GOOD(fp_corpus_read("tests/data/newswire-zh", NULL, arena, &corpus, &test_error));
    for (size_t i = 0; i < ARMS; i++) ASSERT_GOOD(fp_arm_parse(specs[i], NULL, arena, arms + i, &test_error));
    ASSERT_GOOD(fp_experiment(&corpus, arms, ARMS, NULL, arena, measured, &test_error));
    measure_counterparts(&corpus, measured, ARMS, arena, &counterparts);
    ASSERT_GOOD(fp_recall_loss_make(
        &(fp_outcome){.corpus = &corpus, .count = ARMS, .measurements = measured, .counterparts = &counterparts}, NULL,
        within, NULL, arena, &lost, &test_error));
    for (size_t arm = 0; arm < ARMS; arm++) {
        fp_index_curve curve;
        ASSERT_GOOD(fp_index_curve_make(&lost, arm, 0.95, NULL, arena, &curve, &test_error));
        assert_int_equal(fp_index_curve_applies(lost.arms + arm), arm < 3);
        assert_int_equal(curve.bin_count > 0, arm < 3);
        size_t pairs = 0;
        for (size_t b = 0; b < curve.bin_count; b++) pairs += curve.bins[b].pairs;
        assert_int_equal(pairs, arm < 3 ? corpus.pair_count : 0);
        for (size_t i = 0; i < corpus.pair_count && arm < 3; i++) {
            const fp_sketches *sketches = &measured[arm].sketches;
            if (corpus.pairs[i].label != 1) continue;
            bool meet = fp_lsh_meet(lost.arms[arm].tables, fp_sketches_at(sketches, corpus.pairs[i].a),
                                    fp_sketches_at(sketches, corpus.pairs[i].b));
            assert_int_equal(meet, lost.arms[arm].brought[i]);
        }
    }
    fp_counterparts_free(&counterparts);
    for (size_t i = 0; i < ARMS; i++) fp_measurement_free(measured + i);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_follow_the_curve),
        cmocka_unit_test(any_number_of_threads_counts_the_same),
        cmocka_unit_test(ends_of_the_curve),
        cmocka_unit_test(keys_say_what_look_ups_bring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
