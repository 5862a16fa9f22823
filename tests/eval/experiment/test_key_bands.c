/* SPDX-License-Identifier: GPL-3.0-or-later
 * Bands: what two documents have in common against a plain sum over all keys, what a distance says of it, and how often
 * pairs are found against the chance that is told. */
#include "eval/experiment/sampled_pairs.h"

#include <math.h>

#include "tests/eval/made_corpus.h"

static const char *const ARMS[] = {"jaccard:features=chars:1", "jaccard:measure=weighted,features=chars:1,weight=tf",
                                   "cosine:features=chars:1", "jaccard:measure=containment,features=chars:1"};
enum { ARM_COUNT = sizeof ARMS / sizeof *ARMS, DOCUMENTS = 130 };

static void measure_arm(const made *it, const char *spec, fp_measurement *to) {
    fp_arm *arm;
    ASSERT_GOOD(fp_arm_parse(spec, NULL, it->arena, &arm, &test_error));
    ASSERT_GOOD(fp_experiment(&it->corpus, &arm, 1, NULL, it->arena, to, &test_error));
}

/* The weight of a key in a document, by looking at all of them. */
static double weight_in(const fp_measurement *of, size_t document, uint64_t key) {
    const fp_instance *instance = &of->arm->instance;
    fp_vector vector;
    fp_join join =
        fp_acceleration_of(instance->algorithm)->vector(instance, fp_sketches_at(&of->sketches, document), &vector);
    for (size_t i = 0; i < vector.count; i++) {
        if (vector.key[i * vector.step / sizeof *vector.key] != key) continue;
        if (join == FP_JOIN_COUNT) return 1;
        double value = vector.value[i * vector.step / sizeof *vector.value];
        return join == FP_JOIN_PRODUCT ? value * value : value;
    }
    return 0;
}

static double plain_overlap(const fp_measurement *of, size_t a, size_t b) {
    const fp_instance *instance = &of->arm->instance;
    double least = 0, most = 0;
    if (fp_measurement_empty(of, a, b)) return 0;
    for (size_t side = 0; side < 2; side++) {
        fp_vector vector;
        fp_acceleration_of(instance->algorithm)->vector(instance, fp_sketches_at(&of->sketches, side ? b : a), &vector);
        for (size_t i = 0; i < vector.count; i++) {
            uint64_t key = vector.key[i * vector.step / sizeof *vector.key];
            double x = weight_in(of, a, key), y = weight_in(of, b, key);
            if (side && x > 0) continue; /* met before */
            least += fmin(x, y);
            most += fmax(x, y);
        }
    }
    return most > 0 ? least / most : 0;
}

static void overlap_is_that_of_all_keys(void **state) {
    (void)state;
    made it = make_corpus(DOCUMENTS, 3, true);
    for (size_t arm = 0; arm < ARM_COUNT; arm++) {
        fp_measurement of;
        measure_arm(&it, ARMS[arm], &of);
        for (size_t a = 0; a < DOCUMENTS; a += 3)
            for (size_t b = a + 1; b < DOCUMENTS; b += 2)
                assert_true(fabs(fp_key_overlap(&of, a, b) - plain_overlap(&of, a, b)) < 1e-12);
        fp_measurement_free(&of);
    }
    fp_arena_free(it.arena);
}

/* Of no pair less is in common than its distance says, which of Jaccard's coefficient is all. */
static void distances_bound_the_overlap(void **state) {
    (void)state;
    made it = make_corpus(DOCUMENTS, 3, true);
    for (size_t arm = 0; arm < ARM_COUNT; arm++) {
        fp_measurement of;
        double nearest = 1;
        measure_arm(&it, ARMS[arm], &of);
        for (size_t a = 0; a < DOCUMENTS; a++) {
            for (size_t b = a + 1; b < DOCUMENTS; b++) {
                double bound = fp_key_least_overlap(&of, fp_measurement_distance(&of, a, b)),
                       overlap = fp_key_overlap(&of, a, b);
                if (arm == 3) assert_true(isnan(bound));
                else assert_true(bound <= overlap + 1e-12);
                if (arm < 2 && !fp_measurement_empty(&of, a, b)) assert_true(fabs(bound - overlap) < 2e-6);
                if (arm == 2 && bound > 0.01) nearest = fmin(nearest, overlap - bound);
            }
        }
        if (arm == 2) assert_true(nearest < 0.05);
        fp_measurement_free(&of);
    }
    fp_arena_free(it.arena);
}

/* Pairs by tenths of the chance. */
enum { TENTHS = 10 };

typedef struct tally {
    double expected[TENTHS], found[TENTHS];
} tally;

static void count_found(const made *it, const fp_key_bands *bands, const fp_near_pairs *near, tally *to) {
    size_t at = 0;
    for (uint32_t a = 0; a < it->corpus.document_count; a++) {
        for (uint32_t b = a + 1; b < it->corpus.document_count; b++) {
            bool found = at < near->count && near->pairs[at].a == a && near->pairs[at].b == b;
            at += found;
            if (fp_same_group(&it->corpus, a, b)) continue;
            double distance = fp_measurement_distance(bands->measurement, a, b),
                   chance =
                       fp_key_bands_chance(bands, fp_key_overlap(bands->measurement, a, b), distance, FP_KEY_BANDS);
            if (distance <= bands->limit && chance > 1e-6)
                assert_int_equal(found, fp_key_bands_found(bands, a, b) != 0);
            size_t tenth = (size_t)fmin(TENTHS - 1, chance * TENTHS);
            assert_true(!found || chance > 0);
            to->expected[tenth] += chance;
            to->found[tenth] += found;
        }
    }
    assert_int_equal(at, near->count);
}

/* Over seeds: pairs of one seed depend on each other, and seeds do not. */
static void check_chances(const made *it, const char *spec, size_t most, size_t seeds, uint64_t part, size_t least) {
    double sum[TENTHS] = {0}, squares[TENTHS] = {0};
    fp_measurement of;
    size_t told = 0;
    measure_arm(it, spec, &of);
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        tally one = {0};
        fp_arena *arena = fp_arena_new();
        fp_key_bands bands;
        fp_near_pairs near;
        ASSERT_GOOD(fp_key_bands_find(&it->corpus, &of, most, fp_mix(seed, 3), &(fp_progress){.threads = 2}, arena,
                                      &bands, &near, &test_error));
        assert_true(bands.rows >= 1 && bands.part >= part && near.count <= most);
        count_found(it, &bands, &near, &one);
        for (size_t t = 0; t < TENTHS; t++) {
            sum[t] += one.found[t] - one.expected[t];
            squares[t] += (one.found[t] - one.expected[t]) * (one.found[t] - one.expected[t]);
        }
        fp_arena_free(arena);
    }
    for (size_t t = 0; t < TENTHS; t++) {
        told += squares[t] > 0;
        if (fabs(sum[t]) > 4 * sqrt(squares[t]))
            fail_msg("%s: chances of %zu tenths: %g found too many, error %g", spec, t, sum[t], sqrt(squares[t]));
    }
    assert_true(told >= least);
    fp_measurement_free(&of);
}

static void pairs_are_found_with_their_chance(void **state) {
    static const char *const SPECS[] = {"jaccard:features=chars:2",
                                        "jaccard:measure=weighted,features=chars:1,weight=tf",
                                        "cosine:features=chars:1", "jaccard:measure=containment,features=chars:2"};
    enum { MANY = 280, MOST = 30000, SEEDS = 40 };
    (void)state;
    made it = make_corpus(MANY, 3, true);
    for (size_t arm = 0; arm < sizeof SPECS / sizeof *SPECS; arm++)
        check_chances(&it, SPECS[arm], MOST, SEEDS, 1, TENTHS / 2);
    fp_arena_free(it.arena);
}

/* All documents alike: no band tells them apart, and one pair in so many is looked at. */
static void too_many_pairs_are_thinned(void **state) {
    enum { MANY = 640, MOST = 100000, SEEDS = 12 };
    (void)state;
    made it = make_corpus(MANY, 1, true);
    fp_string *texts = fp_arena_alloc(it.arena, MANY, sizeof *texts);
    for (size_t i = 0; i < MANY; i++) texts[i] = fp_string_of("abcdef");
    it.corpus.texts = texts;
    check_chances(&it, ARMS[0], MOST, SEEDS, 2, 1);
    fp_arena_free(it.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlap_is_that_of_all_keys),
        cmocka_unit_test(distances_bound_the_overlap),
        cmocka_unit_test(pairs_are_found_with_their_chance),
        cmocka_unit_test(too_many_pairs_are_thinned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
