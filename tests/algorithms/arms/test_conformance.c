/* SPDX-License-Identifier: GPL-3.0-or-later
 * What every registered algorithm promises, whoever wrote it. */
#include <math.h>

#include "base/parallel.h"
#include "tests/support.h"
#include "tests/arm_files.h"

static const char *const TEXTS[] = {
    "",
    "我",
    "hello",
    "。，！？",
    "我喜欢看电视，不喜欢看电影。",
    "我不喜欢看电视，也不喜欢看电影。",
    "美国“51区”雇员称内部有9架飞碟，曾看见灰色外星人",
    "The quick brown fox jumps over the lazy dog.",
    "直击儿科急诊现状忙碌不止 儿科接诊进行时",
    "儿科急诊现状直击不停忙碌 儿科接诊进行时",
};
enum { COUNT = sizeof TEXTS / sizeof *TEXTS };

/* The algorithm's sketches of all texts, in one array. */
static void sketch_all(const fp_arm *arm, fp_arena *arena, fp_sketch sketches[COUNT]) {
    for (size_t i = 0; i < COUNT; i++)
        ASSERT_GOOD(fp_arm_sketch(arm, fp_string_of(TEXTS[i]), arena, sketches + i, &test_error));
}

static fp_arm *fitted(const char *spec, fp_arena *arena) {
    fp_string texts[COUNT];
    for (size_t i = 0; i < COUNT; i++) texts[i] = fp_string_of(TEXTS[i]);
    return test_arm(spec, texts, COUNT, arena);
}

static const char *spec_of(const fp_algorithm *algorithm, fp_arena *arena) {
    fp_string texts[COUNT];
    for (size_t i = 0; i < COUNT; i++) texts[i] = fp_string_of(TEXTS[i]);
    return test_spec(algorithm, texts, COUNT, arena);
}

typedef void (*promise)(const fp_arm *arm, fp_arena *arena);

/* And of those whose sketches may have two sides these as well: with the choices that change what a side is. */
static void for_every_algorithm(promise check) {
    static const char *const SIDED[] = {"simhash:query=real",
                                        "simhash:query=real,bits=5",
                                        "simhash:query=real,bits=100,tie=alternate",
                                        "simhash:query=real,center=median",
                                        "hyperplane:query=real,bits=1024",
                                        "bitsample:query=real",
                                        "minhash:query=real",
                                        "minhash:query=real,slots=67,width=64",
                                        "minhash:query=real,slots=130,b=1",
                                        "minhash:query=real,slots=1,b=5"};
    for (size_t i = 0; fp_algorithm_at(i); i++) {
        fp_arena *arena = fp_arena_new();
        check(fitted(spec_of(fp_algorithm_at(i), arena), arena), arena);
        fp_arena_free(arena);
    }
    for (size_t i = 0; i < sizeof SIDED / sizeof *SIDED; i++) {
        fp_arena *arena = fp_arena_new();
        check(fitted(SIDED[i], arena), arena);
        fp_arena_free(arena);
    }
}

static void check_distances(const fp_arm *arm, fp_arena *arena) {
    const char *name = fp_arm_name(arm);
    fp_sketch sketches[COUNT];
    sketch_all(arm, arena, sketches);
    for (size_t i = 0; i < COUNT; i++) {
        const double itself = sketches[i].empty ? fp_arm_layout(arm)->maximum : 0;
        if (arm->instance.algorithm->distance(&arm->instance, sketches[i], sketches[i]) != 0 ||
            fp_arm_distance(arm, sketches[i], sketches[i]) != itself)
            fail_msg("%s: d(x, x) of text %zu", name, i);
        for (size_t j = 0; j < COUNT; j++) {
            double d = fp_arm_distance(arm, sketches[i], sketches[j]);
            if (d != fp_arm_distance(arm, sketches[j], sketches[i]))
                fail_msg("%s: not symmetric: %zu, %zu", name, i, j);
            if (!(d >= 0 && d <= fp_arm_layout(arm)->maximum)) fail_msg("%s: %g is out of bounds", name, d);
            if (fp_arm_layout(arm)->integral && d != floor(d)) fail_msg("%s: %g is not whole", name, d);
        }
    }
}

static void check_determinism(const fp_arm *arm, fp_arena *arena) {
    fp_sketch first[COUNT], second[COUNT];
    sketch_all(arm, arena, first);
    sketch_all(arm, arena, second);
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(first[i].size, second[i].size);
        assert_memory_equal(first[i].data, second[i].data, first[i].size);
        if (fp_arm_layout(arm)->bytes) assert_int_equal(first[i].size, fp_arm_layout(arm)->bytes);
    }
}

typedef struct sketched_again {
    const fp_arm *arm;
    const fp_sketch *expected; /* [COUNT] */
    _Atomic size_t wrong;
} sketched_again;

static fp_status sketch_again(void *context, size_t index, fp_arena *arena, fp_error *error) {
    sketched_again *of = context;
    fp_sketch made, expected = of->expected[index % COUNT];
    FP_TRY(fp_arm_sketch(of->arm, fp_string_of(TEXTS[index % COUNT]), arena, &made, error));
    of->wrong += made.size != expected.size || (made.size && memcmp(made.data, expected.data, made.size) != 0);
    return FP_OK;
}

static void check_threads(const fp_arm *arm, fp_arena *arena) {
    fp_sketch expected[COUNT];
    sketch_all(arm, arena, expected);
    fp_progress eight = {.threads = 8};
    fp_arenas arenas;
    sketched_again again = {arm, expected, 0};
    ASSERT_GOOD(fp_arenas_open(&arenas, &eight, arena, &test_error));
    ASSERT_GOOD(fp_parallel(200, &arenas, true, sketch_again, &again, "", NULL, &test_error));
    fp_arenas_free(&arenas);
    assert_int_equal(again.wrong, 0);
}

/* `distances` equals `distance` to the last bit, from every start and for every count. */
static void check_one_against_many(const fp_arm *arm, fp_arena *arena) {
    const fp_algorithm *algorithm = arm->instance.algorithm;
    size_t bytes = fp_arm_layout(arm)->bytes;
    if (!fp_acceleration_of(algorithm)->distances || !bytes) return;
    fp_sketch sketches[COUNT];
    sketch_all(arm, arena, sketches);
    unsigned char *flat = fp_arena_alloc(arena, COUNT, bytes);
    for (size_t i = 0; i < COUNT; i++) memcpy(flat + i * bytes, sketches[i].data, bytes);
    fp_sketches many = {.count = COUNT, .stride = bytes, .data = flat};
    for (size_t first = 0; first < COUNT; first++) {
        double out[COUNT];
        fp_acceleration_of(algorithm)->distances(&arm->instance, sketches[3], &many, first, COUNT - first, out);
        for (size_t i = first; i < COUNT; i++)
            assert_true(out[i - first] == algorithm->distance(&arm->instance, sketches[3], sketches[i]));
    }
}

/* A sketch of two sides: the stored one is what the algorithm makes without the other; a query is at 0 from its own,
 * and within the bounds of every other; stored sides are read wherever they lie, and nothing behind them. */
static void check_sides(const fp_arm *given, fp_arena *arena) {
    fp_arm *arm = fitted(fp_arm_spec(given), arena), *stored, *back;
    const fp_layout *layout = fp_arm_layout(arm);
    fp_sketch sketches[COUNT], alone[COUNT];
    ASSERT_GOOD(fp_arm_with_sides(arm, false, arena, &stored, &test_error));
    if (!layout->stored) {
        assert_ptr_equal(stored, arm);
        return;
    }
    ASSERT_GOOD(fp_arm_with_sides(stored, true, arena, &back, &test_error));
    assert_string_equal(fp_arm_spec(back), fp_arm_spec(arm));
    assert_string_equal(fp_arm_measure(stored), fp_arm_measure(arm));
    assert_int_equal(fp_arm_layout(stored)->bytes, layout->stored);
    assert_true(layout->stored < layout->bytes && !layout->bits && !layout->slots);
    sketch_all(arm, arena, sketches);
    sketch_all(stored, arena, alone);
    unsigned char *flat = fp_arena_raw(arena, COUNT, layout->stored), *wide = fp_arena_raw(arena, COUNT, layout->bytes);
    memset(wide, 0xa5, COUNT * layout->bytes);
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(sketches[i].empty, alone[i].empty);
        if (sketches[i].empty) continue;
        assert_memory_equal(sketches[i].data, alone[i].data, layout->stored);
        assert_string_equal(fp_arm_text(arm, sketches[i], arena), fp_arm_text(stored, alone[i], arena));
        memcpy(flat + i * layout->stored, alone[i].data, layout->stored);
        memcpy(wide + i * layout->bytes, alone[i].data, layout->stored);
    }
    bool empty[COUNT];
    for (size_t i = 0; i < COUNT; i++) empty[i] = sketches[i].empty;
    fp_sketches narrow = {.count = COUNT, .stride = layout->stored, .data = flat, .empty = empty},
                columns = {.count = COUNT, .stride = layout->bytes, .data = wide, .empty = empty};
    for (size_t q = 0; q < COUNT; q++)
        for (size_t first = 0; first < COUNT; first++) {
            double out[COUNT], same[COUNT];
            double within = layout->maximum * (double)(first + 1) / COUNT, some[COUNT];
            fp_arm_query_distances(arm, sketches[q], &narrow, first, COUNT - first, INFINITY, out);
            fp_arm_query_distances(arm, sketches[q], &columns, first, COUNT - first, INFINITY, same);
            fp_arm_query_distances(arm, sketches[q], &narrow, first, COUNT - first, within, some);
            for (size_t i = first; i < COUNT; i++) {
                assert_true(out[i - first] == same[i - first]);
                assert_true(some[i - first] == (out[i - first] <= within ? out[i - first] : INFINITY));
                assert_true(out[i - first] >= 0 && out[i - first] <= layout->maximum);
                if (i == q) assert_true(out[i - first] == (sketches[q].empty ? layout->maximum : 0));
            }
        }
}

/* The canonical spec parses to itself, and to the same sketches. */
static void check_canonical_spec(const fp_arm *arm, fp_arena *arena) {
    fp_arm *again = fitted(fp_arm_spec(arm), arena);
    assert_string_equal(fp_arm_spec(arm), fp_arm_spec(again));
    fp_sketch first[COUNT], second[COUNT];
    sketch_all(arm, arena, first);
    sketch_all(again, arena, second);
    for (size_t i = 0; i < COUNT; i++) assert_memory_equal(first[i].data, second[i].data, first[i].size);
}

static void check_law(const fp_arm *arm, fp_arena *arena) {
    (void)arena;
    const fp_algorithm *algorithm = arm->instance.algorithm;
    if (!algorithm->law) return;
    double maximum = fp_arm_layout(arm)->maximum;
    for (double similarity = 0; similarity <= 1; similarity += 0.25) {
        double before = 0;
        for (double h = -1; h <= maximum; h++) {
            double p = algorithm->law(&arm->instance, similarity, h);
            assert_true(p >= before - 1e-12 && p <= 1 + 1e-12);
            before = p;
        }
        assert_true(fabs(before - 1) < 1e-9);
    }
    assert_true(algorithm->law(&arm->instance, 1, 0) >= algorithm->law(&arm->instance, 0.5, 0));
}

/* The counterpart reads the same features and gives the same measure, on the same scale. */
static void check_counterpart(const fp_arm *arm, fp_arena *arena) {
    fp_arm *exact;
    ASSERT_GOOD(fp_arm_counterpart(arm, arena, &exact, &test_error));
    assert_int_equal(exact != NULL, arm->instance.algorithm->counterpart && !fp_arm_fits(arm));
    if (!exact) return;
    assert_string_equal(exact->text_key, arm->text_key);
    assert_string_equal(exact->feature_key, arm->feature_key);
    assert_string_equal(fp_arm_measure(exact), fp_arm_measure(arm));
    assert_true(fabs(exact->instance.algorithm->similarity(&exact->instance, 0) -
                     arm->instance.algorithm->similarity(&arm->instance, 0)) < 1e-12);
}

static void check_description(const fp_arm *arm, fp_arena *arena) {
    const fp_algorithm *algorithm = arm->instance.algorithm;
    assert_int_equal(algorithm->abi, FP_ABI_VERSION);
    assert_true(strlen(algorithm->summary) > 10 && strlen(algorithm->citation) > 10);
    for (const fp_parameter *row = algorithm->parameters; row && row->name; row++) {
        assert_true(strlen(row->help) > 5);
        if (strcmp(row->name, FP_ARM_SEED) == 0) assert_string_equal(row->initial, "0");
        if (row->type != FP_INTEGER && row->type != FP_REAL) continue;
        char below[64];
        fp_arm *refused;
        snprintf(below, sizeof below, "%s:%s=%.0f", algorithm->name, row->name, row->minimum - 1);
        assert_int_equal(fp_arm_parse(below, NULL, arena, &refused, &test_error), FP_ERROR_RANGE);
    }
    assert_true(strlen(fp_arm_layout(arm)->scale) > 0 && fp_arm_layout(arm)->maximum > 0);
}

static void distances_are_distances(void **state) { (void)state, for_every_algorithm(check_distances); }
static void sketches_are_deterministic(void **state) { (void)state, for_every_algorithm(check_determinism); }
static void sketches_are_thread_safe(void **state) { (void)state, for_every_algorithm(check_threads); }
static void one_against_many_is_one_by_one(void **state) { (void)state, for_every_algorithm(check_one_against_many); }
static void stored_sides_are_fingerprints(void **state) { (void)state, for_every_algorithm(check_sides); }
static void canonical_specs_round_trip(void **state) { (void)state, for_every_algorithm(check_canonical_spec); }
static void laws_are_distributions(void **state) { (void)state, for_every_algorithm(check_law); }
static void counterparts_measure_the_same(void **state) { (void)state, for_every_algorithm(check_counterpart); }

/* Of an algorithm that reads texts and no features, too. */
static void counterparts_read_the_same_text(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    check_counterpart(fitted("pinyin:segmenter=icu,han=keep", arena), arena);
    check_counterpart(fitted("minhash:features=words:2,segmenter=icu,han=keep", arena), arena);
    fp_arena_free(arena);
}

static void descriptions_are_complete(void **state) { (void)state, for_every_algorithm(check_description); }

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_distances),       cmocka_unit_test(sketches_are_deterministic),
        cmocka_unit_test(sketches_are_thread_safe),      cmocka_unit_test(one_against_many_is_one_by_one),
        cmocka_unit_test(stored_sides_are_fingerprints), cmocka_unit_test(canonical_specs_round_trip),
        cmocka_unit_test(laws_are_distributions),        cmocka_unit_test(counterparts_measure_the_same),
        cmocka_unit_test(descriptions_are_complete),     cmocka_unit_test(counterparts_read_the_same_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
