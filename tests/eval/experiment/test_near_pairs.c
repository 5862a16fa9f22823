/* SPDX-License-Identifier: GPL-3.0-or-later
 * Near pairs of groups, against `distance` asked for every pair. */
#include "eval/experiment/near_pairs.h"
#include "tests/eval/made_corpus.h"

/* Bits, vectors with the three ways of joining, slots, and an algorithm that has nothing but its distance. */
static const char *const ARMS[] = {"simhash:features=chars:2",
                                   "jaccard:features=chars:1",
                                   "jaccard:measure=weighted,features=chars:1,weight=tf",
                                   "cosine:features=chars:1",
                                   "simhash:bits=128,features=chars:2",
                                   "minhash:slots=32,features=chars:1",
                                   "minhash:slots=300,features=chars:1",
                                   "minhash:slots=65,b=2,features=chars:1",
                                   "pinyin"};
enum { ARM_COUNT = sizeof ARMS / sizeof *ARMS, DOCUMENTS = 150 };

/* All within the limit, and they are as many as may be: those at the next distance would be too many, or are not told:
 * documents that say nothing, or share nothing. */
static void check_list(const made *it, const char *spec, const fp_progress *over, size_t most) {
    fp_measurement measurement;
    measure_near(over, it, spec, most, &measurement);
    const fp_near_pairs *near = measurement.near;
    double maximum = fp_arm_layout(measurement.arm)->maximum, next = maximum;
    size_t at = 0, nearer = 0;
    for (uint32_t a = 0; a < it->corpus.document_count; a++) {
        for (uint32_t b = a + 1; b < it->corpus.document_count; b++) {
            double distance = made_distance(it, &measurement, a, b);
            if (fp_same_group(&it->corpus, a, b)) continue;
            if (distance > near->limit && distance < next) next = distance;
            if (distance > near->limit) continue;
            assert_true(at < near->count && near->pairs[at].a == a && near->pairs[at].b == b);
            assert_true(near->pairs[at++].distance == distance);
        }
    }
    assert_int_equal(at, near->count);
    assert_true(near->count <= most);
    for (uint32_t a = 0; a < it->corpus.document_count; a++)
        for (uint32_t b = a + 1; b < it->corpus.document_count; b++)
            nearer += !fp_same_group(&it->corpus, a, b) && made_distance(it, &measurement, a, b) <= next;
    assert_true(nearer > most || next == maximum);
    fp_measurement_free(&measurement);
}

static void near_pairs_are_those_of_a_full_scan(void **state) {
    (void)state;
    for (size_t i = 0; i < ARM_COUNT; i++) {
        made it = make_corpus(DOCUMENTS, 4, i % 2);
        for (int threads = 1; threads <= 3; threads++) {
            fp_progress over = {.threads = threads};
            for (size_t most = 1; most <= 10000; most *= 10) check_list(&it, ARMS[i], &over, most);
        }
        fp_arena_free(it.arena);
    }
}

/* More pairs alike than may be listed: not even those at distance 0. */
static void where_too_many_are_alike_none_is_listed(void **state) {
    static const char *const CROWDED[] = {"simhash", "minhash:slots=32", "cosine:features=chars:1"};
    enum { MANY = 300 };
    (void)state;
    for (size_t i = 0; i < sizeof CROWDED / sizeof *CROWDED; i++) {
        made it = make_corpus(MANY, 3, false);
        fp_progress over = {.threads = 1 + (int)i};
        fp_measurement measurement;
        for (uint32_t d = 0; d < MANY; d++) ((fp_string *)(uintptr_t)it.corpus.texts)[d] = fp_string_of("abcd bcde");
        measure_near(&over, &it, CROWDED[i], 1000, &measurement);
        assert_true(measurement.near->count == 0 && measurement.near->limit < 0);
        fp_measurement_free(&measurement);
        fp_arena_free(it.arena);
    }
}

static void none_is_listed_unless_asked_for(void **state) {
    (void)state;
    made it = make_corpus(DOCUMENTS, 4, false);
    fp_measurement measurement;
    measure(&it, "simhash", &measurement);
    assert_null(measurement.near);
    fp_measurement_free(&measurement);
    fp_arena_free(it.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_pairs_are_those_of_a_full_scan),
        cmocka_unit_test(where_too_many_are_alike_none_is_listed),
        cmocka_unit_test(none_is_listed_unless_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
