/* SPDX-License-Identifier: GPL-3.0-or-later
 * Grids expanded by hand; thresholds and objectives against trying all. */
#include "eval/tuning/objective.h"
#include "tests/eval/tuning/tune_support.h"

/* ---- Grids ---- */

/* 2·3·2 arms, written out by hand. */
static void a_grid_is_the_product(void **state) {
    (void)state;
    static const char *const SPECS[] = {"simhash:bits=64|128,features=words|chars:2|chars:3,tie=zero,weight=tf|tfidf",
                                        NULL};
    static const char *const LABELS[] = {
        "simhash:bits=64,features=words,weight=tf",    "simhash:bits=64,features=words,weight=tfidf",
        "simhash:bits=64,features=chars:2,weight=tf",  "simhash:bits=64,features=chars:2,weight=tfidf",
        "simhash:bits=64,features=chars:3,weight=tf",  "simhash:bits=64,features=chars:3,weight=tfidf",
        "simhash:bits=128,features=words,weight=tf",   "simhash:bits=128,features=words,weight=tfidf",
        "simhash:bits=128,features=chars:2,weight=tf", "simhash:bits=128,features=chars:2,weight=tfidf",
        "simhash:bits=128,features=chars:3,weight=tf", "simhash:bits=128,features=chars:3,weight=tfidf",
    };
    fp_arena *arena = fp_arena_new();
    fp_grid grid;
    expand(SPECS, arena, &grid);
    assert_int_equal(grid.count, 12);
    for (size_t i = 0; i < 12; i++) assert_string_equal(fp_arm_name(grid.arms[i]), LABELS[i]);
    assert_string_equal(grid.written[7], "simhash:bits=128,features=words,tie=zero,weight=tfidf");
    for (size_t i = 0; i < 12; i++) {
        fp_arm *again;
        ASSERT_GOOD(fp_arm_parse(grid.written[i], NULL, arena, &again, &test_error));
        assert_string_equal(fp_arm_spec(again), fp_arm_spec(grid.arms[i]));
    }
    fp_arena_free(arena);
}

static void algorithms_vary_too(void **state) {
    (void)state;
    static const char *const SPECS[] = {"simhash|minhash:features=words|chars:2", "pinyin",
                                        "jaccard:features=chars:2,name=mine", NULL};
    static const char *const LABELS[] = {"simhash:features=words",
                                         "simhash:features=chars:2",
                                         "minhash:features=words",
                                         "minhash:features=chars:2",
                                         "pinyin",
                                         "mine"};
    fp_arena *arena = fp_arena_new();
    fp_grid grid;
    expand(SPECS, arena, &grid);
    assert_int_equal(grid.count, 6);
    for (size_t i = 0; i < 6; i++) assert_string_equal(fp_arm_name(grid.arms[i]), LABELS[i]);
    fp_arena_free(arena);
}

/* Both grids vary the bits alone; what is the same in one of them tells them apart. */
static void equal_labels_are_written_out(void **state) {
    (void)state;
    static const char *const SPECS[] = {"simhash:bits=64|128,features=chars:3", "simhash:bits=64|32,features=words",
                                        NULL};
    fp_arena *arena = fp_arena_new();
    fp_grid grid;
    expand(SPECS, arena, &grid);
    assert_string_equal(fp_arm_name(grid.arms[0]), "simhash:bits=64,features=chars:3");
    assert_string_equal(fp_arm_name(grid.arms[1]), "simhash:bits=128");
    assert_string_equal(fp_arm_name(grid.arms[2]), "simhash:bits=64,features=words");
    fp_arena_free(arena);
}

static void refuse_grid(const char *spec, fp_status status, const char *words) {
    const char *const specs[] = {spec, NULL};
    fp_arena *arena = fp_arena_new();
    fp_grid grid;
    fp_error error = {0};
    assert_int_equal(fp_grid_expand(specs, NULL, arena, &grid, &error), status);
    if (!strstr(error.message, words)) fail_msg("%s: \"%s\" says nothing of \"%s\"", spec, error.message, words);
    fp_arena_free(arena);
}

static void bad_grids_are_refused(void **state) {
    (void)state;
    refuse_grid("simhash:bits=64|", FP_ERROR_SYNTAX, "bits has an empty alternative at byte 17");
    refuse_grid("simhash:bits=|64", FP_ERROR_SYNTAX, "bits has an empty alternative at byte 14");
    refuse_grid("simhash||minhash", FP_ERROR_SYNTAX, "an algorithm is missing at byte 9");
    refuse_grid("", FP_ERROR_SYNTAX, "an algorithm is missing");
    refuse_grid("simhash:bits", FP_ERROR_SYNTAX, "expected key=value");
    refuse_grid("simhash:bits=64,bits=32", FP_ERROR_SYNTAX, "duplicate key bits");
    refuse_grid("simhash:bits=64|128,name=a", FP_ERROR_SYNTAX, "name=");
    refuse_grid("simhash|minhash:bits=64", FP_ERROR_UNKNOWN, "minhash has no parameter bits");
    refuse_grid("simhash|exact:features=words", FP_ERROR_UNKNOWN, "exact has no parameter features");
    refuse_grid("simhash:bits=64|129", FP_ERROR_RANGE, "129");
    refuse_grid("simhash:bits=64|64", FP_ERROR_DUPLICATE, "are the same arm");
    refuse_grid("simhahs", FP_ERROR_UNKNOWN, "did you mean simhash?");
    /* 12⁴ = 20736 arms. */
    refuse_grid(
        "simhash:bits=4|5|6|7|8|9|10|11|12|13|14|15,top=1|2|3|4|5|6|7|8|9|10|11|12,shortest=1|2|3|4|5|6|7|8|9|10|11|12,"
        "hashseed=1|2|3|4|5|6|7|8|9|10|11|12",
        FP_ERROR_RANGE, "more than 20000 arms");
}

/* ---- Thresholds ---- */

static fp_layout layout_of(double maximum, bool integral) {
    return (fp_layout){.maximum = maximum, .integral = integral};
}

/* A distance is at most the value of a step exactly when its own step is at most that step; and a value survives being
 * written down. */
static void steps_agree_with_comparison(void **state) {
    (void)state;
    static const struct {
        double maximum;
        bool integral;
        size_t count;
    } SCALES[] = {{64, true, 65},   {128, true, 129},    {64, false, 6401}, {60, false, 6001},
                  {1, false, 1001}, {1000, false, 1001}, {1e6, true, 50001}};
    for (size_t s = 0; s < sizeof SCALES / sizeof *SCALES; s++) {
        fp_layout layout = layout_of(SCALES[s].maximum, SCALES[s].integral);
        fp_threshold_grid steps = fp_threshold_grid_of(&layout);
        if (SCALES[s].maximum < 1e6) assert_int_equal(steps.count, SCALES[s].count);
        assert_true(fp_threshold_grid_value(&steps, steps.count - 1) >= SCALES[s].maximum);
        for (uint64_t i = 0; i < 5000; i++) {
            double distance = (double)(fp_mix(1, i) >> 11) * 0x1p-53 * SCALES[s].maximum;
            if (SCALES[s].integral) distance = floor(distance);
            if (i % 3 == 0) distance = fp_threshold_grid_value(&steps, (size_t)(fp_mix(2, i) % steps.count));
            size_t found = fp_threshold_grid_find(&steps, distance);
            assert_true(distance <= fp_threshold_grid_value(&steps, found));
            if (found) assert_true(distance > fp_threshold_grid_value(&steps, found - 1));
            char text[40];
            double read;
            snprintf(text, sizeof text, "%.15g", fp_threshold_grid_value(&steps, found));
            assert_true(fp_parse_real(text, &read) && read == fp_threshold_grid_value(&steps, found));
        }
    }
}

/* 8 of 10 called are right, 4 positives are missed; then the two wrong ones stand for three each: 8 of 14. */
static void objectives_by_hand(void **state) {
    (void)state;
    fp_called_pairs called = {.tp = 8, .fn = 4, .fp = 2};
    assert_near(fp_called_precision(called, 1), 0.8, 1e-15);
    assert_near(fp_called_precision(called, 3), 8.0 / 14, 1e-15);
    assert_near(fp_called_recall(called), 8.0 / 12, 1e-15);
    assert_near(fp_called_fbeta(called, 1, 1), 16.0 / 22, 1e-15);
    /* F2 = 5PR/(4P + R). */
    double p = 8.0 / 14, r = 8.0 / 12;
    assert_near(fp_called_fbeta(called, 3, 2), 5 * p * r / (4 * p + r), 1e-15);
    fp_called_pairs none = {.fn = 3};
    assert_true(isnan(fp_called_precision(none, 1)) && fp_called_fbeta(none, 1, 1) == 0);
    assert_true(fp_called_recall(none) == 0);
}

/* Every threshold of random tables, one by one. */
static void the_search_finds_what_trying_all_finds(void **state) {
    (void)state;
    enum { STEPS = 12 };
    for (uint64_t seed = 0; seed < 300; seed++) {
        uint32_t cells[2 * STEPS];
        fp_step_counts counts = {STEPS, cells};
        for (uint64_t i = 0; i < 2 * STEPS; i++) cells[i] = (uint32_t)(fp_mix(seed, i) % (i % 2 ? 5 : 9));
        double weight = 1 + (double)(seed % 4);
        for (int kind = 0; kind < 2; kind++) {
            fp_objective objective = {seed % 3 ? 1 : 2, kind ? 0.3 + 0.1 * (double)(seed % 5) : NAN};
            double best = NAN;
            size_t best_step = 0;
            for (size_t h = 0; h < STEPS; h++) {
                fp_called_pairs called = {0};
                for (size_t i = 0; i < STEPS; i++) {
                    *(i <= h ? &called.tp : &called.fn) += cells[2 * i];
                    if (i <= h) called.fp += cells[2 * i + 1];
                }
                double value = fp_objective_value(&objective, called, weight);
                bool any = cells[2 * h] + cells[2 * h + 1] > 0;
                if (kind && !(any && fp_called_precision(called, weight) >= objective.min_precision)) continue;
                if (isnan(value) || !(isnan(best) || value > best)) continue;
                best = value;
                best_step = h;
            }
            fp_best_step found = fp_objective_search(&objective, &counts, weight);
            assert_int_equal(found.found, !isnan(best));
            if (found.found) assert_true(found.score == best && found.step == best_step);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid_is_the_product),
        cmocka_unit_test(algorithms_vary_too),
        cmocka_unit_test(equal_labels_are_written_out),
        cmocka_unit_test(bad_grids_are_refused),
        cmocka_unit_test(steps_agree_with_comparison),
        cmocka_unit_test(objectives_by_hand),
        cmocka_unit_test(the_search_finds_what_trying_all_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
