/* SPDX-License-Identifier: GPL-3.0-or-later
 * Where recall is lost: on pairs made for each class, so that the counts are known, and on the shipped corpus, where
 * they must add up to what the evaluation says of recall. */
#include <math.h>

#include "algorithms/kernels/hamming.h"
#include "eval/evaluation/inference.h"
#include "eval/analyses/recall_loss.h"
#include "tests/eval/counterparts.h"
#include "tests/support.h"
#include "tests/eval/whole_trials.h"

/* ---- A world in which distances are written down ---- */

/* 64 bits, compared as simhash's are. */
static double angle(const fp_instance *self, double distance) { return cos(M_PI * distance / self->layout.maximum); }
static const fp_algorithm BITS = {
    .name = "bits", .measure = "cosine", .similarity = angle, .distance = fp_hamming_distance};
/* A number; the distance is how far numbers lie apart, on the scale of cosine. */
static double apart(const fp_instance *self, fp_sketch a, fp_sketch b) {
    (void)self;
    return fabs(*(const double *)a.data - *(const double *)b.data);
}
static const fp_algorithm NUMBER = {.name = "number", .measure = "cosine", .similarity = angle, .distance = apart};
static const fp_algorithm COSINE = {.name = "cosine", .measure = "cosine", .similarity = angle, .distance = apart};

enum { MOST_PAIRS = 64 };

typedef struct world {
    fp_corpus corpus;
    fp_pair pairs[MOST_PAIRS];
    uint32_t group[2 * MOST_PAIRS];
    uint64_t word[2 * MOST_PAIRS];
    double number[2 * MOST_PAIRS], distance[2][MOST_PAIRS];
    fp_arm arms[2];
    fp_measurement measured[2]; /* the bits, and the exact measure */
    const fp_measurement *of_arm[1];
    fp_counterparts counterparts;
} world;

static void open_world(world *made) {
    *made = (world){.corpus = {.name = "made", .truth = FP_TRUTH_PAIRS, .pairs = made->pairs}};
    made->arms[0] =
        (fp_arm){.name = "bits",
                 .instance = {.algorithm = &BITS, .layout = {.bytes = 8, .bits = 64, .maximum = 64, .integral = true}}};
    made->arms[1] = (fp_arm){.name = "number", .instance = {.algorithm = &NUMBER, .layout = {.maximum = 64}}};
    made->of_arm[0] = made->measured + 1;
    made->counterparts = (fp_counterparts){.arm_count = 1, .of_arm = made->of_arm};
}

/* Two documents of their own, unlike all others: the second has other bits where `flips` has ones, and lies `exact`
 * away. */
static void add_pair(world *to, int label, uint64_t flips, double exact) {
    size_t i = to->corpus.document_count;
    assert_true(i + 2 <= 2 * MOST_PAIRS);
    to->word[i] = fp_mix(i, 1);
    to->word[i + 1] = to->word[i] ^ flips;
    to->number[i] = (double)i;
    to->number[i + 1] = (double)i + exact;
    to->group[i] = to->group[i + 1] = label ? (uint32_t)to->corpus.group_count++ : UINT32_MAX;
    to->pairs[to->corpus.pair_count++] = (fp_pair){(uint32_t)i, (uint32_t)i + 1, (uint8_t)label};
    to->corpus.document_count += 2;
}

static void close_world(world *to) {
    size_t count = to->corpus.document_count;
    to->corpus.group = to->group;
    to->measured[0] = (fp_measurement){
        .arm = to->arms, .sketches = {.count = count, .stride = 8, .data = (const unsigned char *)to->word}};
    to->measured[1] = (fp_measurement){
        .arm = to->arms + 1, .sketches = {.count = count, .stride = 8, .data = (const unsigned char *)to->number}};
    for (size_t m = 0; m < 2; m++) {
        for (size_t i = 0; i < to->corpus.pair_count; i++)
            to->distance[m][i] = fp_measurement_distance(to->measured + m, to->pairs[i].a, to->pairs[i].b);
        to->measured[m].distances = to->distance[m];
    }
}

/* Bits in four blocks of 16: two in one block, one in each, twelve over all. */
static const uint64_t TWO = 0x3, FOUR = UINT64_C(0x0001000100010001), TWELVE = UINT64_C(0x0007000700070007);
enum {
    H = 4,
    FOUND = 3,
    LUCKY = 2,
    HIDDEN = 4,
    HIDDEN_LUCKY = 1,
    UNLUCKY = 5,
    UNLIKE = 6,
    POSITIVES = 21,
    NEGATIVES = 7
};

static void fill_world(world *made) {
    open_world(made);
    for (int i = 0; i < FOUND; i++) add_pair(made, 1, TWO, i == 0 ? H : 2), add_pair(made, 0, TWO, 1);
    for (int i = 0; i < LUCKY; i++) add_pair(made, 1, TWO, H + 0.001), add_pair(made, 0, FOUR, 1);
    for (int i = 0; i < HIDDEN; i++) add_pair(made, 1, FOUR, 1);
    for (int i = 0; i < HIDDEN_LUCKY; i++) add_pair(made, 1, FOUR, 20);
    for (int i = 0; i < UNLUCKY; i++) add_pair(made, 1, TWELVE, i == 0 ? H : 3);
    for (int i = 0; i < UNLIKE; i++) add_pair(made, 1, TWELVE, i == 0 ? H + 0.001 : 20);
    for (int i = 0; i < NEGATIVES - FOUND - LUCKY; i++) add_pair(made, 0, TWELVE, 30);
    close_world(made);
}

/* How many threads what is tested takes; 0: as many as there are. */
static fp_progress over;

static void make(world *of, fp_counterparts *counterparts, fp_arena *arena, fp_recall_loss *lost) {
    static const double within[] = {3};
    ASSERT_GOOD(fp_recall_loss_make(
        &(fp_outcome){.corpus = &of->corpus, .count = 1, .measurements = of->measured, .counterparts = counterparts},
        NULL, within, &over, arena, lost, &test_error));
}

static fp_recall_loss_row row_at(const fp_recall_loss *lost, size_t arm, double threshold, fp_arena *arena) {
    fp_recall_loss_row row = {.arm = arm, .threshold = threshold};
    ASSERT_GOOD(fp_recall_loss_fill(lost, 0.95, NULL, arena, &row, 1, &test_error));
    return row;
}

/* ---- Known counts ---- */

/* Pairs and, since every positive pair is a group, groups. Pairs are independent, so that the intervals are
 * mid-p's.
 */
static void every_class_is_counted(void **state) {
    (void)state;
    static const uint64_t wanted[FP_LOSS_COLUMNS] = {FOUND + LUCKY, HIDDEN + HIDDEN_LUCKY, UNLUCKY, UNLIKE, 0, LUCKY};
    world made;
    fill_world(&made);
    for (int truth = 0; truth < 2; truth++) {
        fp_arena *arena = fp_arena_new();
        fp_recall_loss lost;
        made.corpus.truth = truth ? FP_TRUTH_GROUPS : FP_TRUTH_PAIRS;
        make(&made, &made.counterparts, arena, &lost);
        assert_int_equal(lost.positive_count, POSITIVES);
        assert_string_equal(lost.arms[0].index, "pigeonhole:blocks=4");
        fp_recall_loss_row row = row_at(&lost, 0, H, arena);
        for (int c = 0; c < FP_LOSS_COLUMNS; c++) {
            assert_int_equal(row.count[c], wanted[c]);
            assert_int_equal(fp_recall_loss_applies(lost.arms, (fp_loss)c), c != FP_LOSS_MEASURE);
            if (c == FP_LOSS_MEASURE) continue;
            fp_interval independent = mid_p_of(wanted[c], POSITIVES, 0.95);
            assert_true(fabs(row.share[c].value - (double)wanted[c] / POSITIVES) < 1e-12);
            assert_true(fabs(row.share[c].interval.low - independent.low) < 1e-9 &&
                        fabs(row.share[c].interval.high - independent.high) < 1e-9);
        }
        /* At the largest distance all is within; at none, only what is equal. */
        row = row_at(&lost, 0, 64, arena);
        assert_int_equal(row.count[FP_LOSS_NONE], FOUND + LUCKY);
        assert_int_equal(row.count[FP_LOSS_INDEX], POSITIVES - FOUND - LUCKY);
        assert_int_equal(row.count[FP_LOSS_LUCK], 0);
        /* Beyond it too, although the cosine of 127/64·π is nearly 1. */
        row = row_at(&lost, 0, 127, arena);
        assert_int_equal(row.count[FP_LOSS_NONE], FOUND + LUCKY);
        assert_int_equal(row.count[FP_LOSS_LUCK], 0);
        row = row_at(&lost, 0, 0, arena);
        assert_int_equal(row.count[FP_LOSS_SIMILARITY], POSITIVES);
        fp_arena_free(arena);
    }
}

static void without_a_counterpart_the_measure_loses(void **state) {
    (void)state;
    world made;
    fp_arena *arena = fp_arena_new();
    fp_recall_loss lost;
    fill_world(&made);
    make(&made, NULL, arena, &lost);
    fp_recall_loss_row row = row_at(&lost, 0, H, arena);
    static const uint64_t wanted[FP_LOSS_COLUMNS] = {FOUND + LUCKY, HIDDEN + HIDDEN_LUCKY, 0, 0, UNLUCKY + UNLIKE, 0};
    static const bool applies[FP_LOSS_COLUMNS] = {true, true, false, false, true, false};
    for (int c = 0; c < FP_LOSS_COLUMNS; c++) {
        assert_int_equal(row.count[c], wanted[c]);
        assert_int_equal(fp_recall_loss_applies(lost.arms, (fp_loss)c), applies[c]);
        assert_int_equal(isnan(row.share[c].value), !applies[c]);
    }
    fp_arena_free(arena);
}

/* An arm of the name that others give as their counterpart: found, or lost by the similarity; it has no index. */
static void an_exact_arm_loses_by_the_similarity(void **state) {
    (void)state;
    world made;
    fp_arena *arena = fp_arena_new();
    fp_recall_loss lost;
    fill_world(&made);
    made.measured[0] = made.measured[1];
    made.arms[1].instance.algorithm = &COSINE;
    make(&made, NULL, arena, &lost);
    fp_recall_loss_row row = row_at(&lost, 0, H, arena);
    assert_int_equal(row.count[FP_LOSS_NONE], FOUND + HIDDEN + UNLUCKY);
    assert_int_equal(row.count[FP_LOSS_SIMILARITY], LUCKY + HIDDEN_LUCKY + UNLIKE);
    assert_true(lost.arms[0].tables == NULL && isnan(fp_recall_loss_candidates(lost.arms)) &&
                isnan(row.share[FP_LOSS_INDEX].value));
    fp_arena_free(arena);
}

/* Three documents of a group are three pairs, and a document without a group is in none. Of the 4 documents, the first
 * three are each other's candidates. */
static void groups_are_all_their_pairs(void **state) {
    (void)state;
    world made;
    fp_arena *arena = fp_arena_new();
    fp_recall_loss lost;
    open_world(&made);
    add_pair(&made, 1, TWO, 1);
    add_pair(&made, 0, 0, 0);
    made.corpus.truth = FP_TRUTH_GROUPS;
    made.group[2] = 0;
    made.word[2] = made.word[0] ^ UINT64_C(0xff00);
    made.number[2] = made.number[0] + 10;
    made.word[3] = ~made.word[0];
    close_world(&made);
    make(&made, &made.counterparts, arena, &lost);
    assert_int_equal(lost.positive_count, 3);
    fp_recall_loss_row row = row_at(&lost, 0, H, arena);
    assert_int_equal(row.count[FP_LOSS_NONE], 1);
    assert_int_equal(row.count[FP_LOSS_SIMILARITY], 2);
    assert_true(fp_recall_loss_candidates(lost.arms) == 6.0 / 4);
    fp_arena_free(arena);
}

static void nothing_to_lose(void **state) {
    (void)state;
    for (int truth = 0; truth < 2; truth++) {
        world made;
        fp_arena *arena = fp_arena_new();
        fp_recall_loss lost;
        open_world(&made);
        for (int i = 0; i < 3; i++) add_pair(&made, 0, TWO, 1);
        made.corpus.truth = truth ? FP_TRUTH_GROUPS : FP_TRUTH_PAIRS;
        close_world(&made);
        make(&made, &made.counterparts, arena, &lost);
        assert_int_equal(lost.positive_count, 0);
        fp_recall_loss_row row = row_at(&lost, 0, H, arena);
        for (int c = 0; c < FP_LOSS_COLUMNS; c++)
            assert_true(row.count[c] == 0 && isnan(row.share[c].value) && isnan(row.share[c].interval.low));
        fp_arena_free(arena);
    }
}

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    world made;
    fp_arena *arena = fp_arena_new();
    fp_recall_loss lost;
    fp_lsh_spec spec;
    fill_world(&made);
    ASSERT_GOOD(fp_lsh_parse("pigeonhole:blocks=100", arena, &spec, &test_error));
    assert_int_equal(
        fp_recall_loss_make(&(fp_outcome){.corpus = &made.corpus, .count = 1, .measurements = made.measured}, &spec,
                            NULL, NULL, arena, &lost, &test_error),
        FP_ERROR_RANGE);
    assert_non_null(strstr(test_error.message, "bits: blocks=100"));
    /* One group of 5000 documents holds 12,497,500 pairs. */
    uint32_t *group = fp_arena_alloc(arena, 5000, sizeof *group);
    fp_corpus crowd = {
        .name = "crowd", .truth = FP_TRUTH_GROUPS, .document_count = 5000, .group = group, .group_count = 1};
    assert_int_equal(fp_recall_loss_make(&(fp_outcome){.corpus = &crowd, .count = 1, .measurements = made.measured},
                                         NULL, NULL, NULL, arena, &lost, &test_error),
                     FP_ERROR_RANGE);
    assert_non_null(strstr(test_error.message, "12497500"));
    fp_arena_free(arena);
}

/* ---- Laws ---- */

/* Where a law is there, its mean distance, Σ 1 − P[d ≤ h], stands for the similarity that it was asked for: whether the
 * exact measure is within h may be told by either. Projection, whose distances are not whole, has no such sum. */
static void similarity_inverts_the_mean_of_the_law(void **state) {
    (void)state;
    static const char *const specs[] = {"simhash",        "hyperplane:bits=100",   "bitsample:bits=32",
                                        "minhash",        "minhash:b=2,slots=128", "minhash:b=1",
                                        "weightedminhash"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        fp_arena *arena = fp_arena_new();
        fp_arm *arm;
        ASSERT_GOOD(fp_arm_parse(specs[i], NULL, arena, &arm, &test_error));
        const fp_algorithm *algorithm = arm->instance.algorithm;
        assert_true(algorithm->law && algorithm->similarity && algorithm->counterpart);
        for (int tenth = 1; tenth <= 9; tenth++) {
            double mean = 0;
            for (double h = 0; h < arm->instance.layout.maximum; h++)
                mean += 1 - algorithm->law(&arm->instance, tenth / 10.0, h);
            assert_true(fabs(algorithm->similarity(&arm->instance, mean) - tenth / 10.0) < 1e-9);
        }
        fp_arena_free(arena);
    }
}

/* ---- The shipped corpus ---- */

/* Found and lost by the index are what a full scan calls rightly; without an index the share found is recall, interval
 * and all. */
static void losses_add_up_to_recall(void **state) {
    (void)state;
    static const char *const specs[] = {"simhash", "minhash:b=4", "cosine", "jaccard",
                                        "pinyin",  "fracminhash", "oracle", "simhash:center=mean"};
    enum { ARMS = sizeof specs / sizeof *specs };
    static const double thresholds[] = {3, 10, 24}, within[ARMS] = {3, 3, 3, 3, 3, 3, 3, 3};
    fp_arena *arena = fp_arena_new();
    fp_corpus corpus;
    fp_arm *arms[ARMS];
    fp_measurement measured[ARMS];
    fp_counterparts counterparts;
    fp_recall_loss lost;
    fp_inference inference;
    ASSERT_GOOD(fp_corpus_read("tests/data/newswire-zh", NULL, arena, &corpus, &test_error));
    for (size_t i = 0; i < ARMS; i++) ASSERT_GOOD(fp_arm_parse(specs[i], NULL, arena, arms + i, &test_error));
    ASSERT_GOOD(fp_experiment(&corpus, arms, ARMS, NULL, arena, measured, &test_error));
    measure_counterparts(&corpus, measured, ARMS, arena, &counterparts);
    ASSERT_GOOD(fp_recall_loss_make(
        &(fp_outcome){.corpus = &corpus, .count = ARMS, .measurements = measured, .counterparts = &counterparts}, NULL,
        within, NULL, arena, &lost, &test_error));
    fp_inference_options options = {.method = FP_METHOD_MID_P,
                                    .confidence = 0.95,
                                    .replicates = 10,
                                    .seed = 1,
                                    .thresholds = thresholds,
                                    .threshold_count = 3};
    ASSERT_GOOD(fp_inference_make(&corpus, measured, ARMS, &options, NULL, arena, &inference, &test_error));
    for (size_t arm = 0; arm < ARMS; arm++) {
        for (size_t t = 0; t < 3; t++) {
            fp_recall_loss_row row = row_at(&lost, arm, thresholds[t], arena);
            fp_confusion counts = fp_confusion_at(&measured[arm].histogram, thresholds[t]);
            uint64_t sum = 0;
            for (int c = 0; c < FP_LOSSES; c++) sum += row.count[c];
            assert_int_equal(sum, counts.tp + counts.fn);
            assert_int_equal(row.count[FP_LOSS_NONE] + row.count[FP_LOSS_INDEX], counts.tp);
            assert_true(row.count[FP_LOSS_LUCK] <= row.count[FP_LOSS_NONE]);
            if (lost.arms[arm].tables) continue;
            const fp_estimate *recall = fp_inference_of(&inference, &fp_measure_recall, arm) + t;
            /* The same share; as a measure it has a smaller unit more where few are found. */
            fp_interval share = row.share[FP_LOSS_NONE].interval;
            assert_true(fabs(row.share[FP_LOSS_NONE].value - recall->value) < 1e-12);
            assert_true(share.low <= recall->value && recall->value <= share.high);
            assert_true(fabs(share.low - recall->interval.low) < 0.01 && share.high > recall->interval.high - 0.001);
        }
    }
    fp_counterparts_free(&counterparts);
    for (size_t i = 0; i < ARMS; i++) fp_measurement_free(measured + i);
    fp_arena_free(arena);
}

static void any_number_of_threads_finds_the_same(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    world made;
    fp_recall_loss_row rows[2][65];
    fill_world(&made);
    for (int t = 0; t < 2; t++) {
        fp_recall_loss lost;
        over.threads = t ? 4 : 1;
        make(&made, &made.counterparts, arena, &lost);
        memset(rows[t], 0, sizeof rows[t]);
        for (size_t h = 0; h <= 64; h++) rows[t][h].threshold = (double)h;
        ASSERT_GOOD(fp_recall_loss_fill(&lost, 0.95, &over, arena, rows[t], 65, &test_error));
    }
    over.threads = 0;
    for (size_t h = 0; h <= 64; h++) {
        assert_memory_equal(rows[0][h].count, rows[1][h].count, sizeof rows[0][h].count);
        assert_memory_equal(rows[0][h].share, rows[1][h].share, sizeof rows[0][h].share);
    }
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_class_is_counted),
        cmocka_unit_test(without_a_counterpart_the_measure_loses),
        cmocka_unit_test(an_exact_arm_loses_by_the_similarity),
        cmocka_unit_test(groups_are_all_their_pairs),
        cmocka_unit_test(nothing_to_lose),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(similarity_inverts_the_mean_of_the_law),
        cmocka_unit_test(losses_add_up_to_recall),
        cmocka_unit_test(any_number_of_threads_finds_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
