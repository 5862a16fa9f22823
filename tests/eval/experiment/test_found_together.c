/* SPDX-License-Identifier: GPL-3.0-or-later
 * Texts made of a few sentences: one band finds all pairs that share one of them. Counts vary with the bands, and what
 * is told of that is what they vary by. */
#include <math.h>

#include "eval/experiment/sampled_pairs.h"
#include "eval/evaluation/counting.h"
#include "tests/eval/made_corpus.h"

enum { DOCUMENTS = 600, SENTENCES = 24, EACH = 4, LENGTH = 12 };

/* Sentences have no pair of characters in common but by chance: their letters are of a large alphabet. */
static made make_sentences(void) {
    made it = make_corpus(DOCUMENTS, 2, true);
    fp_string *texts = fp_arena_alloc(it.arena, DOCUMENTS, sizeof *texts);
    for (size_t i = 0; i < DOCUMENTS; i++) {
        char *text = fp_arena_alloc(it.arena, EACH * LENGTH * 4, 1);
        size_t at = 0;
        for (size_t s = 0; s < EACH; s++) {
            uint64_t sentence = fp_mix(i, s) % SENTENCES;
            for (size_t c = 0; c < LENGTH; c++) {
                uint32_t letter = 0x4e00 + (uint32_t)(fp_mix(sentence, 100 + c) % 4000);
                text[at++] = (char)(0xe0 | letter >> 12);
                text[at++] = (char)(0x80 | (letter >> 6 & 0x3f));
                text[at++] = (char)(0x80 | (letter & 0x3f));
            }
        }
        texts[i] = (fp_string){text, at};
    }
    it.corpus.texts = texts;
    return it;
}

static void count_arm(const made *it, fp_measurement *of, double threshold, fp_counted_pairs *to) {
    fp_counting counting = {.corpus = &it->corpus,
                            .measurements = of,
                            .arm_count = 1,
                            .thresholds = &threshold,
                            .threshold_count = 1,
                            .most_documents = FP_COUNTING_DOCUMENTS};
    ASSERT_GOOD(fp_counting_run(&counting, &(fp_progress){.threads = 2}, it->arena, to, &test_error));
}

static fp_dyadic spread_of(const fp_counted_pairs *counted, fp_arena *arena, double *together) {
    static const fp_influence CALLED = {.threshold = 0, .by = {.fp = 1}};
    double *unit = fp_arena_alloc(arena, counted->units->count, sizeof *unit);
    fp_unit_sums sums = fp_counted_unit_sums(counted, 0, &CALLED, unit);
    *together += sums.together;
    return fp_dyadic_from(&sums);
}

static void counts_vary_as_is_told(void **state) {
    enum { DRAWS = 80 };
    const double AT = 56; /* one sentence of four in common, or more */
    double sum = 0, squares = 0, told = 0, together = 0, none = 0;
    (void)state;
    made it = make_sentences();
    fp_arm *arm;
    fp_measurement sketched, whole;
    fp_counted_pairs counted;
    fp_stage stage = {.corpus = &it.corpus};
    ASSERT_GOOD(fp_arm_parse("jaccard:features=chars:2", NULL, it.arena, &arm, &test_error));
    ASSERT_GOOD(fp_experiment_sketches(&it.corpus, &arm, 1, NULL, it.arena, &sketched, &test_error));
    whole = sketched;
    ASSERT_GOOD(fp_stage_distances(&stage, &whole, it.arena, &test_error));
    count_arm(&it, &whole, AT, &counted);
    double all = spread_of(&counted, it.arena, &none).variance,
           truth = (double)fp_confusion_at(&whole.histogram, AT).fp;
    assert_true(none == 0);
    for (uint64_t draw = 1; draw <= DRAWS; draw++) {
        made again = it;
        fp_sampled_pairs drawn;
        fp_measurement one = sketched;
        again.arena = fp_arena_new();
        ASSERT_GOOD(
            fp_sampled_pairs_make(&it.corpus, &sketched, 1, 40000, draw, NULL, again.arena, &drawn, &test_error));
        one.sample = &drawn;
        ASSERT_GOOD(fp_stage_distances(&stage, &one, again.arena, &test_error));
        count_arm(&again, &one, AT, &counted);
        double count = (double)fp_confusion_at(&one.histogram, AT).fp;
        sum += count;
        squares += count * count;
        told += (spread_of(&counted, again.arena, &together).variance - all) / DRAWS;
        fp_measurement_free(&one);
        fp_arena_free(again.arena);
    }
    double mean = sum / DRAWS, variance = squares / DRAWS - mean * mean;
    if (!(fabs(mean - truth) < 4 * sqrt(variance / DRAWS))) fail_msg("%g on average, not %g", mean, truth);
    if (!(told > 0.6 * variance))
        fail_msg("a variance of %g beyond that of all pairs, and no less than %g", variance, told);
    if (!(told - together / DRAWS < 0.6 * variance)) fail_msg("pairs of these texts are not found together");
    fp_measurement_free(&whole);
    fp_arena_free(it.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts_vary_as_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
