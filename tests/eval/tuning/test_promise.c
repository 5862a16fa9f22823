/* SPDX-License-Identifier: GPL-3.0-or-later
 * A precision that is asked for: limits that are known, evidence from its definition, and what ends a sequence. */
#include <gsl/gsl_cdf.h>

#include "eval/tuning/promise.h"
#include "eval/tuning/tune.h"
#include "reports/tables/choice_file.h"
#include "reports/tables/tuning_tables.h"
#include "tests/eval/tuning/tune_support.h"

/* ---- One threshold ---- */

/* The evidence of so many independent units. */
static fp_evidence independent(double right, double wrong) {
    return (fp_evidence){.right = right,
                         .wrong = wrong,
                         .clump = wrong > 0,
                         .most = right + wrong,
                         .trials = right + wrong,
                         .units = (size_t)(right + wrong),
                         .failing = (size_t)wrong};
}

/* Clopper's and Pearson's lower limits at 97.5%, from sums of binomial probabilities in exact fractions. */
static void limits_are_clopper_and_pearsons(void **state) {
    (void)state;
    static const struct {
        double right, wrong, limit;
    } KNOWN[] = {{9, 1, 0.5549838829718046},
                 {18, 2, 0.6830172859809176},
                 {95, 5, 0.8871650888945372},
                 {20, 0, 0.8315665290169146}};
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        fp_evidence of = independent(KNOWN[i].right, KNOWN[i].wrong);
        assert_true(fp_evidence_shows(&of, KNOWN[i].limit - 1e-9, 0.025));
        assert_false(fp_evidence_shows(&of, KNOWN[i].limit + 1e-9, 0.025));
    }
    fp_evidence nothing = {0}, wrong = independent(0, 10);
    assert_false(fp_evidence_shows(&nothing, 0.01, 0.025));
    assert_false(fp_evidence_shows(&wrong, 0.01, 0.025));
}

/* How many units are needed: from the same sums. */
static void needed_units_are_known(void **state) {
    (void)state;
    static const struct {
        double precision, arms;
        size_t needed[3];
    } KNOWN[] = {{0.9, 4, {42, 62, 79}},     {0.95, 4, {86, 125, 160}}, {0.9, 1, {29, 46, 61}}, {0.9, 17, {56, 77, 96}},
                 {0.99, 4, {437, 636, 810}}, {0.5, 2, {6, 9, 12}},      {0.8, 4, {20, 30, 38}}};
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        for (size_t failing = 0; failing < 3; failing++)
            assert_int_equal(fp_evidence_needed(KNOWN[i].precision, 0.05 / KNOWN[i].arms, failing),
                             KNOWN[i].needed[failing]);
}

typedef struct call {
    uint32_t first, second;
    bool right;
} call;

/* The promise once more, from all calls at once. */
static fp_evidence by_definition(const call *calls, size_t count, size_t units, double weight, double level) {
    enum { MOST_UNITS = 64 };
    fp_evidence of = {0};
    double right[MOST_UNITS] = {0}, wrong[MOST_UNITS] = {0}, influence[MOST_UNITS], mean = 0, v = 0, all = 0,
           spread = 0;
    for (size_t i = 0; i < count; i++) {
        double w = calls[i].right ? 1 : weight;
        *(calls[i].right ? &of.right : &of.wrong) += w;
        for (size_t u = 0; u < units; u++)
            if (u == calls[i].first || u == calls[i].second) (calls[i].right ? right : wrong)[u] += w;
    }
    double called = of.right + of.wrong, p = of.right / called;
    for (size_t u = 0; u < units; u++) {
        of.units += right[u] + wrong[u] > 0;
        of.failing += wrong[u] > 0;
        influence[u] = (right[u] - p * (right[u] + wrong[u])) / called;
        mean += influence[u] / (double)units;
        all += wrong[u] / (double)units;
    }
    for (size_t u = 0; u < units; u++) spread += pow(wrong[u] - all, 2) / (double)units;
    if (of.failing) of.clump = spread / all;
    for (size_t u = 0; u < units; u++) v += pow(influence[u] - mean, 2) * (double)units / (double)(units - 1);
    double shrink =
        of.units > 1 ? gsl_cdf_ugaussian_Pinv(1 - level) / gsl_cdf_tdist_Pinv(1 - level, (double)of.units - 1) : 0;
    of.most = of.trials = fmin((double)of.units, called / weight);
    if (of.failing && of.right > 0) of.trials = fmin(of.trials, p * (1 - p) / v * shrink * shrink);
    return of;
}

static void evidence_is_what_it_is_defined_to_be(void **state) {
    (void)state;
    enum { CALLS = 120, UNITS = 40 };
    fp_arena *arena = fp_arena_new();
    for (uint64_t seed = 0; seed < 10; seed++) {
        double weight = seed % 2 ? 7.25 : 1, level = 0.05 / (double)(1 + seed);
        call calls[CALLS];
        fp_evidence_sums sums;
        ASSERT_GOOD(fp_evidence_open(UNITS, weight, arena, &sums, &test_error));
        assert_true(fp_evidence_now(&sums, level).trials == 0);
        for (size_t i = 0; i < CALLS; i++) {
            bool right = fp_mix(seed, 3 * i) % 10 < 8;
            uint32_t a = (uint32_t)(fp_mix(seed, 3 * i + 1) % UNITS), b = (uint32_t)(fp_mix(seed, 3 * i + 2) % UNITS);
            calls[i] = (call){a, right ? a : b, right};
            fp_evidence_add(&sums, calls[i].first, calls[i].second, right);
            fp_evidence now = fp_evidence_now(&sums, level), whole = by_definition(calls, i + 1, UNITS, weight, level);
            assert_int_equal(now.units, whole.units);
            assert_int_equal(now.failing, whole.failing);
            assert_near(now.right, whole.right, 1e-9);
            assert_near(now.wrong, whole.wrong, 1e-9);
            assert_near(now.most, whole.most, 1e-9);
            assert_near(now.clump, whole.clump, 1e-9);
            assert_near(now.trials, whole.trials, 1e-6 * whole.trials + 1e-9);
        }
    }
    fp_arena_free(arena);
}

/* Wrong calls come three at a time where five units fail: so they may at stricter thresholds, but not at looser ones.
 */
static void clumps_bound_stricter_thresholds(void **state) {
    (void)state;
    fp_evidence at[] = {independent(30, 0), independent(60, 2), independent(90, 5), independent(200, 9)};
    at[2].clump = 3;
    at[3].clump = 8;
    fp_evidence_bound(at, 4);
    assert_true(at[0].trials == 10 && at[0].most == 10);
    assert_near(at[1].trials, 62.0 / 3, 1e-12);
    assert_true(at[2].trials == 95 && at[3].trials == 209);
    /* Where too few ever fail, the last of them tells; and a clump is at least one call. */
    fp_evidence few[] = {independent(30, 0), independent(60, 2)};
    few[1].clump = 2;
    fp_evidence_bound(few, 2);
    assert_true(few[0].trials == 15 && few[1].trials == 31);
    few[0] = independent(30, 0);
    few[1].clump = 0.5;
    fp_evidence_bound(few, 1);
    assert_true(few[0].trials == 30);
}

/* ---- The sequence ---- */

static size_t reach(const fp_evidence *at, size_t count, double precision, double level) {
    return fp_evidence_reach(&(fp_evidence_path){count, at}, precision, level);
}

/* 0.9 at 0.05 needs 29 units: the sequence starts there, goes on while the limit holds, and does not come back. */
static void the_first_failure_ends_the_sequence(void **state) {
    (void)state;
    const fp_evidence good[] = {independent(20, 0), independent(29, 0), independent(60, 1), independent(90, 2)};
    assert_int_equal(reach(good, 4, 0.9, 0.05), 3);
    assert_int_equal(reach(good, 1, 0.9, 0.05), SIZE_MAX);
    /* What calls wrong pairs alone adds no recall: the stricter threshold is as good. */
    const fp_evidence idle[] = {independent(90, 0), independent(90, 1)};
    assert_int_equal(reach(idle, 2, 0.9, 0.05), 0);
    const fp_evidence broken[] = {independent(30, 0), independent(31, 5), independent(500, 5)};
    assert_int_equal(reach(broken, 3, 0.9, 0.05), 0);
    assert_int_equal(reach(broken + 1, 2, 0.9, 0.05), SIZE_MAX);
    assert_int_equal(reach(broken + 2, 1, 0.9, 0.05), 0);
}

/* ---- Corpora ---- */

enum { FEW = 20, LARGE = 10 }; /* groups, documents of each: 900 positives */

/* Groups of the same words in another order; nine negatives from each document to other groups. */
static fp_corpus large_groups(fp_arena *arena) {
    fp_corpus_document *documents = fp_arena_alloc(arena, FEW * LARGE, sizeof *documents);
    fp_string *texts = fp_arena_alloc(arena, FEW * LARGE, sizeof *texts);
    fp_pair *pairs = fp_arena_alloc(arena, FEW * LARGE * (LARGE + 9), sizeof *pairs);
    uint32_t *group = fp_arena_alloc(arena, FEW * LARGE, sizeof *group);
    size_t count = 0;
    for (uint32_t i = 0; i < FEW * LARGE; i++) {
        documents[i].id = fp_string_of(fp_format(arena, "d%u", i));
        texts[i] = shuffled(i / LARGE, 100 + i, arena);
        group[i] = i / LARGE;
        for (uint32_t j = i + 1; j < (i / LARGE + 1) * LARGE; j++) pairs[count++] = (fp_pair){i, j, 1};
        for (uint32_t k = 1; k <= 9; k++)
            pairs[count++] = (fp_pair){i, (i + LARGE * (uint32_t)(1 + fp_mix(k, i) % (FEW - 1))) % (FEW * LARGE), 0};
    }
    return (fp_corpus){.path = "made",
                       .name = "made",
                       .truth = FP_TRUTH_PAIRS,
                       .document_count = FEW * LARGE,
                       .documents = documents,
                       .texts = texts,
                       .group = group,
                       .group_count = FEW,
                       .pair_count = count,
                       .pairs = pairs};
}

static fp_tune_options options_of(double precision) {
    return (fp_tune_options){
        .split = {5, 1, 100000}, .objective = {1, precision}, .confidence = 0.95, .replicates = 50};
}

/* All 900 positives are called and nothing else, but 45 pairs of a group say the same: 20 groups show 0.86, whose 20th
 * power is below 0.05, and as one of two arms 0.83. */
static void large_groups_are_few_trials(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_corpus corpus = large_groups(arena);
    static const char *const SPECS[] = {"jaccard:features=words", "random", NULL};
    fp_grid grid;
    expand(SPECS, arena, &grid);
    static const struct {
        double wanted, shown;
        size_t arms;
        const char *words;
    } CASES[] = {{0.86, 0.86, 1,
                  "precision at least 0.86 with 95% confidence over 1 arm (1.000 measured; 20 units call a "
                  "pair, and 0 of them fail)\n"},
                 {0.87, 0.86, 1,
                  "No arm and threshold show a precision of 0.87. P = 0.87 over 1 arm needs 22 units that call a "
                  "pair with none failing (35 with one failing); this corpus has 20, of which 0 fail, with "
                  "jaccard:features=words at distance ≤ 0, which shows 0.86. Label more groups, ask for less."},
                 {0.83, 0.83, 2, "precision at least 0.83 with 95% confidence over 2 arms"},
                 {0.86, 0.83, 2, "or compare fewer arms, chosen before you look: one arm needs 20 (32)."}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        fp_tune_options options = options_of(CASES[i].wanted);
        fp_tuned tuned;
        bool kept = CASES[i].wanted == CASES[i].shown;
        ASSERT_GOOD(fp_tune(&corpus, grid.arms, CASES[i].arms, &options, NULL, arena, &tuned, &test_error));
        fp_tuning tuning = {&corpus, &tuned, grid.written};
        const char *advice = fp_tuning_advice(&tuning, arena);
        if (!strstr(advice, CASES[i].words)) fail_msg("%s", advice);
        assert_int_equal(strstr(advice, "  use          ") != NULL, kept);
        assert_int_equal(tuned.best.arm != FP_TUNE_NONE, kept);
        assert_near(tuned.results[0].promise.precision, CASES[i].shown, 1e-12);
        if (!kept) continue;
        fp_choice choice;
        ASSERT_GOOD(fp_choice_of(&tuned, &corpus, arena, &choice, &test_error));
        assert_true(fp_choice_reached(&choice) && choice.precision.interval.low == CASES[i].wanted);
    }
    fp_arena_free(arena);
}

/* A sample of one in w negatives: one wrong call may stand for w, and 40 groups of three positives are worth 120/w. */
static void a_sample_shows_less(void **state) {
    (void)state;
    static const char *const SPECS[] = {"jaccard:features=words", NULL};
    fp_arena *arena = fp_arena_new();
    made of = make_corpus(arena);
    of.corpus.truth = FP_TRUTH_GROUPS;
    fp_grid grid;
    expand(SPECS, arena, &grid);
    for (size_t most = 7020; most >= 500; most = most == 7020 ? 700 : most - 200) {
        fp_tune_options options = options_of(0.5);
        fp_tuned tuned;
        options.split.most_negatives = most;
        ASSERT_GOOD(fp_tune(&of.corpus, grid.arms, 1, &options, NULL, arena, &tuned, &test_error));
        double weight = tuned.split.weight, expected = fmin(40, 120 / weight);
        assert_true(most == 7020 ? weight == 1 : weight > 10);
        assert_near(tuned.results[0].promise.evidence.trials, expected, 1e-9);
        assert_int_equal(tuned.best.arm != FP_TUNE_NONE, pow(0.5, expected) <= 0.05);
    }
    fp_arena_free(arena);
}

/* Arms that guess have the precision of the set, about one in seven. Asked for more than that, fifteen of them together
 * say yes in one of twenty corpora at most: more than 3 of 10 would happen once in a thousand times. */
static void chance_keeps_no_promise(void **state) {
    (void)state;
    size_t promised = 0;
    for (int run = 0; run < 10; run++) {
        fp_arena *arena = fp_arena_new();
        made of = make_corpus(arena);
        char spec[400];
        for (int i = 0, at = 0; i < 15; i++) at += sprintf(spec + at, "%s%d", i ? "|" : "random:seed=", 15 * run + i);
        const char *const SPECS[] = {spec, NULL};
        fp_grid grid;
        fp_tuned tuned;
        fp_tune_options options = options_of(0.145);
        expand(SPECS, arena, &grid);
        assert_true((double)(GROUPS * 3) / (double)of.corpus.pair_count < 0.145);
        ASSERT_GOOD(fp_tune(&of.corpus, grid.arms, grid.count, &options, NULL, arena, &tuned, &test_error));
        promised += tuned.best.arm != FP_TUNE_NONE;
        fp_arena_free(arena);
    }
    assert_true(promised <= 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_are_clopper_and_pearsons),
        cmocka_unit_test(needed_units_are_known),
        cmocka_unit_test(evidence_is_what_it_is_defined_to_be),
        cmocka_unit_test(clumps_bound_stricter_thresholds),
        cmocka_unit_test(the_first_failure_ends_the_sequence),
        cmocka_unit_test(large_groups_are_few_trials),
        cmocka_unit_test(a_sample_shows_less),
        cmocka_unit_test(chance_keeps_no_promise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
