/* SPDX-License-Identifier: GPL-3.0-or-later
 * Distances of one sketch to many at once: those of every two, from any first sketch on, however many, and no more. */
#include "tests/eval/made_corpus.h"

enum { DOCUMENTS = 1300, GUARD = -7 };

static void check(const fp_measurement *of, size_t query, size_t first, size_t count) {
    double out[DOCUMENTS + 1];
    fp_sketch one = fp_sketches_at(&of->sketches, query);
    for (size_t i = 0; i <= count; i++) out[i] = GUARD;
    fp_arm_distances(of->arm, one, &of->sketches, first, count, out);
    for (size_t i = 0; i < count; i++) {
        double wanted = fp_arm_distance(of->arm, one, fp_sketches_at(&of->sketches, first + i));
        if (out[i] != wanted) fail_msg("%s: %zu of %zu from %zu on", of->arm->spec, i, count, first);
    }
    assert_true(out[count] == GUARD);
}

static void many_are_as_one_by_one(void **state) {
    (void)state;
    static const char *const ARMS[] = {"simhash:features=chars:2",
                                       "simhash:bits=128,features=chars:2",
                                       "hyperplane:features=chars:1",
                                       "bitsample",
                                       "minhash:slots=32,features=chars:1",
                                       "minhash:slots=32,b=1,features=chars:1",
                                       "superminhash:slots=32,features=chars:1",
                                       "weightedminhash:slots=16,features=chars:1",
                                       "jaccard:features=chars:1",
                                       "cosine:features=chars:1",
                                       "winnowing"};
    /* Blocks of 512, and a few more or fewer. */
    static const size_t COUNTS[] = {0, 1, 2, 511, 512, 513, 1023, 1024, 1025, 1300};
    made it = make_corpus(DOCUMENTS, 3, true);
    for (size_t a = 0; a < sizeof ARMS / sizeof *ARMS; a++) {
        fp_arm *arm;
        fp_measurement measurement;
        ASSERT_GOOD(fp_arm_parse(ARMS[a], NULL, it.arena, &arm, &test_error));
        ASSERT_GOOD(fp_experiment_sketches(&it.corpus, &arm, 1, NULL, it.arena, &measurement, &test_error));
        for (size_t k = 0; k < sizeof COUNTS / sizeof *COUNTS; k++)
            for (size_t first = 0; first + COUNTS[k] <= DOCUMENTS; first += first < 3 ? 1 : 271)
                check(&measurement, (7 * k + first) % DOCUMENTS, first, COUNTS[k]);
        fp_measurement_free(&measurement);
    }
    fp_arena_free(it.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_are_as_one_by_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
