/* SPDX-License-Identifier: GPL-3.0-or-later
 * The set samplers on drawn sequences and sets: winnowing's guarantee and density, FracMinHash's means and its bias. */
#include "tests/algorithms/draws.h"
#include "tests/algorithms/steps.h"

/* ---- Winnowing ---- */

/* A sequence of `length` hashes out of `alphabet`; 0: out of all. */
static void draw_sequence(uint64_t seed, size_t length, uint64_t alphabet, uint64_t *sequence) {
    for (size_t i = 0; i < length; i++) sequence[i] = alphabet ? fp_mix(seed, i) % alphabet : fp_mix(seed, i);
}

/* Sequences that have a run of `run` in common, and by their alphabets nothing else when it is 0. */
static bool shares(const fp_arm *arm, uint64_t seed, size_t run, uint64_t alphabet, fp_arena *arena) {
    uint64_t sequence[2][200];
    double weight[200] = {0};
    fp_sketch sketch[2];
    for (size_t side = 0; side < 2; side++) {
        size_t length = run + (size_t)(fp_mix(seed, 10 + side) % (200 - run)),
               at = (size_t)(fp_mix(seed, 20 + side) % (length - run + 1));
        draw_sequence(fp_mix(seed, side), length, alphabet, sequence[side]);
        draw_sequence(fp_mix(seed, 2), run, alphabet, sequence[side] + at);
        sketch[side] = sketch_of(arm, sequence[side], weight, length, arena);
    }
    return fp_arm_distance(arm, sketch[0], sketch[1]) < 64;
}

static void winnowing_misses_no_run_of_a_window(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    size_t missed = 0;
    for (size_t window = 1; window <= 40; window++) {
        fp_arm *arm = test_arm(fp_format(arena, "winnowing:window=%zu", window), NULL, 0, arena);
        for (uint64_t trial = 0; trial < 100; trial++) {
            uint64_t seed = fp_mix(SEED + window, trial);
            fp_arena_reset(scratch);
            if (!shares(arm, seed, window, 0, scratch)) fail_msg("window %zu, trial %zu", window, (size_t)trial);
            if (!shares(arm, seed, window + (size_t)trial % 9, 3, scratch))
                fail_msg("window %zu of few hashes, trial %zu", window, (size_t)trial);
            if (window > 1) missed += !shares(arm, seed, window - 1, 0, scratch);
        }
    }
    /* The threshold is sharp: shorter runs are missed. */
    assert_true(missed > 100);
    fp_arena_free(arena);
    fp_arena_free(scratch);
}

/* The guarantee in characters: t = w + k − 1. */
static void winnowing_misses_no_common_text(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    for (size_t k = 1; k <= 6; k++) {
        for (size_t window = 1; window <= 10; window += 3) {
            fp_arm *arm =
                test_arm(fp_format(arena, "winnowing:window=%zu,features=chars:%zu", window, k), NULL, 0, arena);
            for (uint64_t trial = 0; trial < 20; trial++) {
                char text[2][101] = {0};
                size_t run = window + k - 1,
                       at[2] = {(size_t)(fp_mix(trial, 7) % (100 - run)), (size_t)(fp_mix(trial, 8) % (100 - run))};
                fp_sketch sketch[2];
                for (size_t side = 0; side < 2; side++) {
                    for (size_t i = 0; i < 100; i++)
                        text[side][i] = (char)((side ? 'n' : 'a') + (char)(fp_mix(trial + side, i) % 13));
                    for (size_t i = 0; i < run; i++)
                        text[side][at[side] + i] = (char)('a' + (char)(fp_mix(trial + 99, i) % 26));
                    ASSERT_GOOD(fp_arm_sketch(arm, fp_string_of(text[side]), arena, sketch + side, &test_error));
                }
                if (!(fp_arm_distance(arm, sketch[0], sketch[1]) < 64))
                    fail_msg("window %zu of %zu characters: %s %s", window, k, text[0], text[1]);
            }
        }
    }
    fp_arena_free(arena);
}

/* Density 2/(w + 1) (theorem 1 of the paper); selections repel one another, so that the binomial's error is a bound. */
static void winnowing_selects_its_share(void **state) {
    (void)state;
    enum { LENGTH = 200000 };
    static const size_t WINDOWS[] = {1, 2, 4, 10, 50, 200};
    fp_arena *arena = fp_arena_new();
    uint64_t *sequence = fp_arena_alloc(arena, LENGTH, sizeof *sequence);
    draw_sequence(SEED, LENGTH, 0, sequence);
    for (size_t i = 0; i < sizeof WINDOWS / sizeof *WINDOWS; i++) {
        fp_arm *arm = test_arm(fp_format(arena, "winnowing:window=%zu", WINDOWS[i]), NULL, 0, arena);
        double share = (double)sketch_of(arm, sequence, NULL, LENGTH, arena).size / 8 / LENGTH,
               law = 2 / ((double)WINDOWS[i] + 1);
        if (fabs(share - law) > LIMIT * sqrt(law * (1 - law) / LENGTH))
            fail_msg("window %zu: density %.5f, law %.5f", WINDOWS[i], share, law);
    }
    fp_arena_free(arena);
}

/* ---- FracMinHash ---- */

static void fracminhash_contains_on_average(void **state) {
    (void)state;
    static const sizes SIZES[] = {{30, 30, 400}, {80, 20, 500}, {99, 1, 99}, {60, 60, 60}, {20, 20, 22}};
    for (size_t s = 0; s < 5; s++) {
        size_t smaller = SIZES[s].common + (SIZES[s].only_a < SIZES[s].only_b ? SIZES[s].only_a : SIZES[s].only_b);
        assert_mean("fracminhash overlap", measure("fracminhash:measure=overlap", SIZES[s], 2 * REPEATS, NULL),
                    (double)SIZES[s].common / (double)smaller, 0);
    }
}

/* The factor that the paper corrects: the chance that anything of the union is kept. Two sketches without a hash count
 * as unlike there. */
static void fracminhash_is_biased_as_published(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    fp_arm *arm = test_arm("fracminhash:scaled=8,empty=none", NULL, 0, arena);
    for (size_t c = 0; c < 6; c++) {
        double value[4 * REPEATS], kept = 0, factor = 1 - pow(1 - 1.0 / 8, (double)union_of(CASES[c]));
        drawn pair[2];
        for (size_t r = 0; r < 4 * REPEATS; r++) {
            fp_arena_reset(scratch);
            draw(fp_mix(SEED, r), CASES[c], pair);
            size_t both = 0;
            for (int i = 0; i < 2; i++)
                both += sketch_of(arm, pair[i].hash, pair[i].weight, pair[i].count, scratch).size / 8 - 1;
            value[r] = both ? 1 - distance_of(arm, pair, scratch) / 64 : 0;
            kept += both > 0;
        }
        assert_mean("fracminhash with empty=none", summarise(value, 4 * REPEATS), jaccard_of(CASES[c]) * factor, 0);
        assert_true(fabs(kept / (4 * REPEATS) - factor) < LIMIT * sqrt(factor * (1 - factor) / (4 * REPEATS)));
    }
    fp_arena_free(arena);
    fp_arena_free(scratch);
}

static void fracminhash_keeps_its_share(void **state) {
    (void)state;
    static const double SCALED[] = {1, 2, 3, 10, 1000};
    enum { LENGTH = 200000 };
    fp_arena *arena = fp_arena_new();
    uint64_t *hash = fp_arena_alloc(arena, LENGTH, sizeof *hash);
    /* Not random at all: the mixing must do it. */
    for (size_t i = 0; i < LENGTH; i++) hash[i] = i;
    for (size_t i = 0; i < 5; i++) {
        fp_arm *arm = test_arm(fp_format(arena, "fracminhash:scaled=%.0f", SCALED[i]), NULL, 0, arena);
        double share = ((double)sketch_of(arm, hash, NULL, LENGTH, arena).size / 8 - 1) / LENGTH, law = 1 / SCALED[i];
        assert_true(fabs(share - law) <= LIMIT * sqrt(law * (1 - law) / LENGTH));
    }
    fp_arena_free(arena);
}

/* ---- Bottom-k: a sample without replacement ---- */

/* Mean J; variance J(1 − J)/k·(u − k)/(u − 1), that of the hypergeometric distribution. */
static void bottomk_samples_without_replacement(void **state) {
    (void)state;
    for (size_t c = 0; c < CASE_COUNT; c++) {
        double u = (double)union_of(CASES[c]), j = jaccard_of(CASES[c]), k = 32;
        statistics found = measure("bottomk:k=32", CASES[c], REPEATS, NULL);
        double law = u > k ? j * (1 - j) / k * (u - k) / (u - 1) : 0;
        assert_mean("bottomk", found, j, 1e-12);
        if (fabs(found.variance - law) > LIMIT * found.variance_error + 1e-12)
            fail_msg("case %zu: variance %.3g, law %.3g", c, found.variance, law);
    }
}

/* ---- ProbMinHash: drawn weights, against the exact similarity ---- */

static void probminhash_estimates_the_probability_jaccard(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    fp_arm *arm = test_arm("probminhash", NULL, 0, arena),
           *exact = test_arm("jaccard:measure=probability", NULL, 0, arena);
    for (size_t c = 0; c < CASE_COUNT; c++) {
        double error[REPEATS];
        for (size_t r = 0; r < REPEATS; r++) {
            drawn pair[2];
            fp_arena_reset(scratch);
            draw(fp_mix(SEED, r), CASES[c], pair);
            for (int side = 0; side < 2; side++)
                for (size_t i = 0; i < pair[side].count; i++)
                    pair[side].weight[i] = exp2((double)(fp_mix(r, 2 * i + (size_t)side) % 7));
            error[r] = (distance_of(arm, pair, scratch) - distance_of(exact, pair, scratch)) / 64;
        }
        assert_mean("probminhash", summarise(error, REPEATS), 0, 0);
    }
    fp_arena_free(arena);
    fp_arena_free(scratch);
}

/* ---- SetSketch: near minhash in error, for bases near 1 (Ertl, figure 4); 2 costs more ---- */

static void setsketch_estimates_jaccard(void **state) {
    (void)state;
    static const sizes SIZES[] = {{300, 100, 100}, {100, 200, 200}, {50, 0, 350}, {400, 50, 50}};
    for (size_t s = 0; s < sizeof SIZES / sizeof *SIZES; s++) {
        double j = jaccard_of(SIZES[s]), minhash = sqrt(j * (1 - j) / 256);
        statistics fine = measure("setsketch:slots=256", SIZES[s], REPEATS, NULL);
        statistics coarse = measure("setsketch:slots=256,base=2", SIZES[s], REPEATS, NULL);
        double root_fine = sqrt(fine.variance + (fine.mean - j) * (fine.mean - j));
        double root_coarse = sqrt(coarse.variance + (coarse.mean - j) * (coarse.mean - j));
        if (!(root_fine < 1.1 * minhash)) fail_msg("base 1.001: error %.4f, minhash %.4f", root_fine, minhash);
        if (!(root_coarse < 3.5 * minhash && root_coarse > root_fine))
            fail_msg("base 2: error %.4f, minhash %.4f, base 1.001 %.4f", root_coarse, minhash, root_fine);
    }
}

/* ---- Explanations ---- */

/* The rightmost of equal hashes: the paper's figure 2 selects 17 17 8 39 17 at the positions 4, 7, 9, 12 and 16; of ten
 * equal hashes every window of four takes its last. */
static void winnowing_takes_the_rightmost(void **state) {
    (void)state;
    static const struct {
        uint64_t hash[17];
        size_t length;
        const char *marks;
    } RUNS[] = {{{77, 74, 42, 17, 98, 50, 17, 98, 8, 88, 67, 39, 77, 74, 42, 17, 98}, 17, "   *  * *  *   * "},
                {{0}, 10, "   *******"}};
    fp_arena *arena = fp_arena_new();
    fp_arm *arm = test_arm("winnowing:window=4", NULL, 0, arena);
    for (size_t run = 0; run < 2; run++) {
        fp_document document = {.features = {.length = RUNS[run].length, .sequence = RUNS[run].hash}};
        fp_explanation told = {.arena = arena};
        ASSERT_GOOD(arm->instance.algorithm->explain(&arm->instance, &document, arena, &told, &test_error));
        for (size_t at = 0; at < RUNS[run].length; at++) {
            const char *mark = fp_explain_at(step_called(&told, "windows"), at, 3);
            assert_int_equal(*mark ? *mark : ' ', RUNS[run].marks[at]);
        }
    }
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(winnowing_misses_no_run_of_a_window),
        cmocka_unit_test(winnowing_misses_no_common_text),
        cmocka_unit_test(winnowing_selects_its_share),
        cmocka_unit_test(fracminhash_contains_on_average),
        cmocka_unit_test(fracminhash_is_biased_as_published),
        cmocka_unit_test(fracminhash_keeps_its_share),
        cmocka_unit_test(winnowing_takes_the_rightmost),
        cmocka_unit_test(bottomk_samples_without_replacement),
        cmocka_unit_test(probminhash_estimates_the_probability_jaccard),
        cmocka_unit_test(setsketch_estimates_jaccard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
