/* SPDX-License-Identifier: GPL-3.0-or-later
 * Signatures and sets of hashes: sorted and smallest values against qsort, sizes of their forms, distances of many
 * against distances of two, and explanations. */
#include "algorithms/families/sets.h"
#include "algorithms/kernels/hamming.h"
#include "algorithms/kernels/sketch_kernels.h"
#include "tests/algorithms/draws.h"
#include "tests/algorithms/steps.h"

/* As qsort sorts them: uniform hashes, those below a limit, equal ones, and small numbers, as a table of codes gives.
 */
static void sets_are_sorted_as_by_qsort(void **state) {
    (void)state;
    static const uint64_t MASKS[] = {UINT64_MAX, UINT64_MAX >> 7, UINT64_MAX << 61, 63, 1, 0};
    static const size_t COUNTS[] = {0, 1, 2, 15, 16, 17, 33, 100, 1000, 20000};
    for (size_t m = 0; m < sizeof MASKS / sizeof *MASKS; m++) {
        for (size_t c = 0; c < sizeof COUNTS / sizeof *COUNTS; c++) {
            fp_arena *arena = fp_arena_new();
            uint64_t *set = fp_arena_alloc(arena, COUNTS[c] + 1, sizeof *set),
                     *expected = fp_arena_alloc(arena, COUNTS[c] + 1, sizeof *expected);
            for (size_t i = 0; i < COUNTS[c]; i++) set[i] = expected[i] = fp_mix(i, m) & MASKS[m];
            qsort(expected, COUNTS[c], sizeof *expected, fp_ascending_u64);
            ASSERT_GOOD(fp_set_sort(set, COUNTS[c], arena, &test_error));
            assert_memory_equal(set, expected, COUNTS[c] * sizeof *set);
            fp_arena_free(arena);
        }
    }
}

/* Against sorting, at every level of the processor. */
static void two_smallest_are_the_smallest(void **state) {
    (void)state;
    enum { SLOTS = 37, MANY = 70 };
    for (size_t count = 0; count <= MANY; count++) {
        uint64_t value[MANY], product[MANY + 2], least[SLOTS], second[SLOTS];
        for (size_t f = 0; f < count; f++) value[f] = fp_mix(SEED, 100 * count + f);
        for (int level = 0; level <= (int)fp_cpu_best(); level++) {
            fp_two_least_kernels[level](value, count, least, second, SLOTS);
            for (size_t i = 0; i < SLOTS; i++) {
                for (size_t f = 0; f < count; f++) product[f] = fp_mix(value[f], 0) * (fp_mix(i, 1) | 1);
                product[count] = product[count + 1] = UINT64_MAX;
                qsort(product, count + 2, sizeof *product, fp_ascending_u64);
                assert_true(least[i] == product[0] && second[i] == product[1]);
            }
        }
    }
}

/* ---- Forms of a signature ---- */

static void forms_have_their_sizes(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        size_t bytes, bits;
        double payload;
    } FORMS[] = {{"minhash", 256, 0, 256},
                 {"minhash:slots=5", 24, 0, 20},
                 {"minhash:width=64", 512, 0, 512},
                 {"minhash:b=1", 8, 64, 8},
                 {"oneperm:slots=100,b=1", 16, 100, 12.5},
                 {"superminhash:slots=128,b=4", 64, 0, 64},
                 {"cminhash:slots=65,b=3", 48, 0, 24.375},
                 {"weightedminhash:b=32", 256, 0, 256}};
    fp_arena *arena = fp_arena_new();
    for (size_t i = 0; i < sizeof FORMS / sizeof *FORMS; i++) {
        const fp_layout *layout = fp_arm_layout(test_arm(FORMS[i].spec, NULL, 0, arena));
        assert_int_equal(layout->bytes, FORMS[i].bytes);
        assert_int_equal(layout->bits, FORMS[i].bits);
        assert_true(layout->payload == FORMS[i].payload);
    }
    fp_arena_free(arena);
}

/* `distances` equals `distance`, and one plane is a Hamming fingerprint. */
static void many_distances_are_single_ones(void **state) {
    (void)state;
    enum { COUNT = 700 };
    static const char *const ARMS[] = {
        "minhash",     "minhash:slots=67,width=64", "minhash:b=1",           "minhash:slots=130,b=5",
        "oneperm:b=8", "superminhash:slots=3",      "minhash:query=real,b=3"};
    for (size_t a = 0; a < sizeof ARMS / sizeof *ARMS; a++) {
        fp_arena *arena = fp_arena_new();
        fp_arm *arm = test_arm(ARMS[a], NULL, 0, arena);
        const fp_algorithm *algorithm = arm->instance.algorithm;
        size_t bytes = fp_arm_layout(arm)->bytes;
        unsigned char *flat = fp_arena_alloc(arena, COUNT, bytes);
        double out[COUNT];
        drawn pair[2];
        for (size_t i = 0; i < COUNT; i++) {
            draw(1, (sizes){i % 40, 40 - i % 40, 0}, pair);
            memcpy(flat + i * bytes, sketch_of(arm, pair[0].hash, pair[0].weight, pair[0].count, arena).data, bytes);
        }
        fp_sketches many = {.count = COUNT, .stride = bytes, .data = flat};
        fp_sketch query = fp_sketches_at(&many, 20);
        fp_acceleration_of(algorithm)->distances(&arm->instance, query, &many, 3, COUNT - 3, out);
        for (size_t i = 3; i < COUNT; i++) {
            fp_sketch other = fp_sketches_at(&many, i);
            assert_true(out[i - 3] == fp_arm_distance(arm, query, other));
            if (fp_arm_layout(arm)->bits) assert_true(out[i - 3] == fp_hamming_distance(&arm->instance, query, other));
        }
        fp_arena_free(arena);
    }
}

static void contradictions_are_refused(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_arm *arm;
    assert_int_equal(fp_arm_parse("cminhash:slots=65,universe=6", NULL, arena, &arm, &test_error), FP_ERROR_RANGE);
    assert_non_null(strstr(test_error.message, "positions"));
    ASSERT_GOOD(fp_arm_parse("cminhash:slots=64,universe=6", NULL, arena, &arm, &test_error));
    assert_int_equal(fp_arm_parse("minhash:b=33", NULL, arena, &arm, &test_error), FP_ERROR_RANGE);
    assert_int_equal(fp_arm_parse("fracminhash:scaled=0", NULL, arena, &arm, &test_error), FP_ERROR_RANGE);
    fp_arena_free(arena);
}

/* ---- Explanations ---- */

/* The smallest of each column bears the mark, and its term is the one that the signature names. */
static void signature_matrix_marks_its_minima(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_arm *arm = test_arm("minhash:slots=4", NULL, 0, arena);
    uint64_t hash[] = {11, 22, 33};
    double weight[] = {1, 1, 1};
    fp_string term[] = {fp_string_of("甲"), fp_string_of("乙"), fp_string_of("丙")};
    fp_document document = {.features = {3, hash, weight, term, 3, hash}};
    fp_explanation told = {.arena = arena};
    ASSERT_GOOD(arm->instance.algorithm->explain(&arm->instance, &document, arena, &told, &test_error));
    const fp_explain_step_data *matrix = step_called(&told, "signature matrix"),
                               *signature = step_called(&told, "signature");
    for (size_t slot = 0; slot < 4; slot++) {
        size_t least = 0, marks = 0;
        for (size_t f = 0; f < 3; f++) {
            const char *cell = fp_explain_at(matrix, f, slot + 1);
            if (strtod(cell, NULL) < strtod(fp_explain_at(matrix, least, slot + 1), NULL)) least = f;
            marks += strchr(cell, '*') != NULL;
        }
        assert_int_equal(marks, 1);
        assert_non_null(strchr(fp_explain_at(matrix, least, slot + 1), '*'));
        assert_string_equal(fp_explain_at(signature, slot, 1), fp_explain_at(matrix, least, 0));
    }
    fp_arena_free(arena);
}

/* Every algorithm of the family shows its steps for any text, an empty one too, and of pairs. */
static void all_explain_themselves(void **state) {
    (void)state;
    static const char *const ARMS[] = {"minhash",
                                       "minhash:b=2",
                                       "minhash:query=real,b=2",
                                       "oneperm",
                                       "cminhash",
                                       "superminhash",
                                       "weightedminhash",
                                       "winnowing",
                                       "fracminhash",
                                       "fracminhash:scaled=1000",
                                       "jaccard",
                                       "jaccard:measure=weighted,weight=tf"};
    uint64_t hash[] = {11, 22, 33};
    double weight[] = {1, 2, 3};
    for (size_t a = 0; a < sizeof ARMS / sizeof *ARMS; a++) {
        fp_arena *arena = fp_arena_new();
        fp_arm *arm = test_arm(ARMS[a], NULL, 0, arena);
        const fp_algorithm *algorithm = arm->instance.algorithm;
        fp_document documents[2] = {{.features = {3, hash, weight, NULL, 3, hash}}, {.features = {0}}};
        fp_explanation told = {.arena = arena};
        for (int i = 0; i < 2; i++)
            ASSERT_GOOD(algorithm->explain(&arm->instance, documents + i, arena, &told, &test_error));
        for (int i = 0; i < 2 && algorithm->explain_pair; i++)
            ASSERT_GOOD(algorithm->explain_pair(&arm->instance, documents, documents + i, arena, &told, &test_error));
        assert_non_null(told.first);
        assert_false(told.failed);
        for (const fp_explain_step_data *step = told.first; step; step = step->next)
            if (step->columns.count) assert_int_equal(step->cells.count % step->columns.count, 0);
        fp_arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_are_sorted_as_by_qsort), cmocka_unit_test(two_smallest_are_the_smallest),
        cmocka_unit_test(forms_have_their_sizes),      cmocka_unit_test(many_distances_are_single_ones),
        cmocka_unit_test(contradictions_are_refused),  cmocka_unit_test(signature_matrix_marks_its_minima),
        cmocka_unit_test(all_explain_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
