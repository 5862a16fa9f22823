/* SPDX-License-Identifier: GPL-3.0-or-later
 * A program's own allocator: an arm is fitted, used, saved, loaded and explained, and a corpus and pairs alone are
 * evaluated, with every request failing in turn. It ends with FP_ERROR_MEMORY or with the same result, and all memory
 * is given back. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/support.h"

/* glibc's own: what goes around the hook is seen by those who count malloc. */
extern void *__libc_malloc(size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void __libc_free(void *old);

typedef struct counting {
    atomic_size_t requests, alive;
    size_t fail_at; /* from 1; 0: none */
} counting;

static bool fails(counting *of) { return atomic_fetch_add(&of->requests, 1) + 1 == of->fail_at; }

static void *allocate(void *context, size_t size) {
    counting *of = context;
    assert_true(size > 0);
    if (fails(of)) return NULL;
    atomic_fetch_add(&of->alive, 1);
    return __libc_malloc(size);
}

static void *resize(void *context, void *place, size_t size) {
    assert_non_null(place);
    return fails(context) ? NULL : __libc_realloc(place, size);
}

static void release(void *context, void *place) {
    counting *of = context;
    assert_non_null(place);
    atomic_fetch_sub(&of->alive, 1);
    __libc_free(place);
}

/* ---- The work ---- */

enum { TEXTS = 12 };
static const fp_string TEXT[TEXTS] = {
#define T(text) \
    { text, sizeof(text) - 1 }
    T("临江大桥今天下午恢复通车。"),   T("临江大桥今天下午恢复了通车。"), T("全市中小学明日停课一天。"),
    T("全市的中小学明日停课一天。"),   T("新地铁线路将于年底开通。"),     T("新的地铁线路将于年底开通。"),
    T("博物馆本周末免费开放。"),       T("博物馆本周末免费向公众开放。"), T("气象台发布大风蓝色预警。"),
    T("气象台今晨发布大风蓝色预警。"), T("市图书馆新馆昨日奠基。"),       T("市图书馆新馆昨日正式奠基。")};

static char directory[] = "/tmp/fplab-allocator-XXXXXX", model[64];

/* What came out: sums of bytes and figures. */
typedef struct result {
    uint64_t sketches;
    size_t lines;
    double distance, precision, pairs_precision;
} result;

static fp_status use_arm(fp_arena *arena, result *out, fp_error *error) {
    static const char SPEC[] = "simhash:features=words,weight=tfidf,center=median";
    fp_arm *arm, *again;
    fp_sketches sketches;
    fp_explanation *explanation = fp_explanation_new(arena);
    fp_sketch explained[2];
    FP_TRY(explanation ? FP_OK : fp_no_memory(error));
    FP_TRY(fp_arm_parse(SPEC, NULL, arena, &arm, error));
    FP_TRY(fp_arm_fit(arm, TEXT, NULL, TEXTS, NULL, 0, error));
    FP_TRY(fp_arm_save(arm, model, error));
    FP_TRY(fp_arm_parse(SPEC, NULL, arena, &again, error));
    FP_TRY(fp_arm_load(again, model, error));
    FP_TRY(fp_arm_sketches(again, TEXT, NULL, TEXTS, arena, &sketches, error));
    for (size_t i = 0; i < TEXTS; i++) {
        fp_sketch sketch = fp_sketches_at(&sketches, i);
        out->sketches = fp_xxh3(sketch.data, sketch.size, out->sketches);
    }
    FP_TRY(fp_arm_explain(again, TEXT, 2, explanation, explained, error));
    out->distance = fp_arm_distance(again, explained[0], explained[1]);
    for (size_t step = 0; step < fp_explanation_steps(explanation); step++)
        out->lines += fp_explanation_lines(explanation, step) + fp_explanation_rows(explanation, step);
    return FP_OK;
}

static fp_status evaluate(const fp_corpus *corpus, result *out, fp_error *error) {
    static const char *const ARMS[] = {"simhash:features=words,weight=tfidf", "cosine:features=chars:2"};
    fp_evaluation_options options = FP_EVALUATION_OPTIONS;
    fp_evaluation *evaluation;
    fp_result found;
    options.replicates = 200;
    FP_TRY(fp_evaluation_open(corpus, &options, &evaluation, error));
    fp_status status = FP_OK;
    for (size_t i = 0; i < 2 && status == FP_OK; i++) status = fp_evaluation_add_arm(evaluation, ARMS[i], NULL, error);
    if (status == FP_OK) status = fp_evaluation_run(evaluation, error);
    if (status == FP_OK) status = fp_evaluation_measure(evaluation, 1, "average_precision", &found, error);
    if (status == FP_OK) out->precision = found.low;
    fp_evaluation_close(evaluation);
    return status;
}

/* Distances of pairs alone, which part them but for the fourth pair. */
static fp_status evaluate_pairs(const fp_corpus *corpus, result *out, fp_error *error) {
    static const double DISTANCE[] = {1, 2, 3, 2.5};
    fp_evaluation_options options = FP_EVALUATION_OPTIONS;
    fp_evaluation *evaluation;
    fp_result found;
    options.replicates = 200;
    FP_TRY(fp_evaluation_open(corpus, &options, &evaluation, error));
    fp_status status = fp_evaluation_add_distances(evaluation, "own", DISTANCE, error);
    if (status == FP_OK) status = fp_evaluation_run(evaluation, error);
    if (status == FP_OK) status = fp_evaluation_measure(evaluation, 0, "average_precision", &found, error);
    if (status == FP_OK) out->pairs_precision = found.value;
    fp_evaluation_close(evaluation);
    return status;
}

static fp_status run(const fp_allocator *allocator, result *out, fp_error *error) {
    fp_corpus_opening opening = {.size = sizeof opening, .allocator = allocator};
    fp_corpus *corpus;
    fp_arena *arena;
    *out = (result){0};
    FP_TRY(fp_arena_new_with(allocator, &arena, error));
    fp_status status = use_arm(arena, out, error);
    fp_arena_free(arena);
    FP_TRY(status);
    FP_TRY(fp_corpus_open(directory, &opening, &corpus, error));
    status = evaluate(corpus, out, error);
    fp_corpus_close(corpus);
    FP_TRY(status);
    static const fp_pair PAIRS[] = {{0, 1, 1}, {2, 3, 1}, {4, 5, 1}, {6, 7, 0}};
    FP_TRY(fp_corpus_of_pairs("pairs", 8, PAIRS, 4, &opening, &corpus, error));
    status = evaluate_pairs(corpus, out, error);
    fp_corpus_close(corpus);
    return status;
}

/* ---- Tests ---- */

static int make_corpus(void **state) {
    char path[64];
    (void)state;
    assert_non_null(mkdtemp(directory));
    snprintf(model, sizeof model, "%s/model", directory);
    snprintf(path, sizeof path, "%s/docs.jsonl", directory);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (size_t i = 0; i < TEXTS; i++)
        fprintf(file, "{\"id\": \"d%zu\", \"text\": \"%s\", \"group\": \"g%zu\"}\n", i, TEXT[i].data, i / 2);
    return fclose(file);
}

static int remove_corpus(void **state) {
    char path[64];
    (void)state;
    remove(model);
    snprintf(path, sizeof path, "%s/docs.jsonl", directory);
    remove(path);
    return remove(directory);
}

/* Each request by itself; the first ones, and then every so many as keep the test short. */
static void every_request_fails(void **state) {
    counting count = {0};
    const fp_allocator allocator = {sizeof allocator, &count, allocate, resize, release};
    result expected, got;
    fp_error error = {0};
    size_t failed = 0;
    (void)state;
    setenv("OMP_NUM_THREADS", "1", 1);
    assert_int_equal(run(NULL, &expected, &error), FP_OK);
    assert_int_equal(count.requests, 0);
    assert_int_equal(run(&allocator, &got, &error), FP_OK);
    assert_memory_equal(&got, &expected, sizeof got);
    assert_int_equal(count.alive, 0);
    size_t requests = count.requests;
    assert_true(requests > 50 && expected.lines > 0 && expected.precision > 0);
    assert_true(fabs(expected.pairs_precision - (1 + 1 + 0.75) / 3) < 1e-12);
    for (size_t n = 1; n <= requests; n++) {
        count = (counting){.fail_at = n};
        fp_status status = run(&allocator, &got, &error);
        if (status == FP_OK) assert_memory_equal(&got, &expected, sizeof got);
        else assert_int_equal(status, FP_ERROR_MEMORY);
        assert_int_equal(count.alive, 0);
        failed += status != FP_OK;
    }
    print_message("%zu of %zu requests are missed\n", failed, requests);
    assert_true(failed > requests / 2);
}

static void several_threads(void **state) {
    counting count = {0};
    const fp_allocator allocator = {sizeof allocator, &count, allocate, resize, release};
    result expected, got;
    fp_error error = {0};
    (void)state;
    setenv("OMP_NUM_THREADS", "1", 1);
    assert_int_equal(run(NULL, &expected, &error), FP_OK);
    setenv("OMP_NUM_THREADS", "4", 1);
    assert_int_equal(run(&allocator, &got, &error), FP_OK);
    assert_memory_equal(&got, &expected, sizeof got);
    assert_int_equal(count.alive, 0);
    count = (counting){.fail_at = count.requests / 2};
    fp_status status = run(&allocator, &got, &error);
    assert_true(status == FP_OK || status == FP_ERROR_MEMORY);
    assert_int_equal(count.alive, 0);
}

static void refused(void **state) {
    counting count = {0};
    fp_allocator allocator = {sizeof allocator, &count, allocate, resize, release};
    fp_arena *arena;
    fp_error error = {0};
    (void)state;
    allocator.resize = NULL;
    assert_int_equal(fp_arena_new_with(&allocator, &arena, &error), FP_ERROR_RANGE);
    assert_null(arena);
    const fp_corpus_opening opening = {.size = sizeof opening, .allocator = &allocator};
    const fp_pair pair = {0, 1, 1};
    fp_corpus *corpus;
    assert_int_equal(fp_corpus_open(directory, &opening, &corpus, NULL), FP_ERROR_RANGE);
    assert_int_equal(fp_corpus_of_pairs("one", 2, &pair, 1, &opening, &corpus, NULL), FP_ERROR_RANGE);
    allocator = (fp_allocator){0, &count, allocate, resize, release};
    assert_int_equal(fp_arena_new_with(&allocator, &arena, NULL), FP_ERROR_ABI);
    assert_int_equal(count.requests, 0);
}

/* An arena made like another has the same allocator; pieces are aligned as promised though the allocator aligns to 16
 * alone. */
static void like_another(void **state) {
    counting count = {0};
    const fp_allocator allocator = {sizeof allocator, &count, allocate, resize, release};
    fp_arena *arena, *like;
    (void)state;
    ASSERT_GOOD(fp_arena_new_with(&allocator, &arena, &test_error));
    assert_non_null(like = fp_arena_new_like(arena));
    fp_arena_free(arena);
    for (size_t size = 1; size < 1 << 20; size = size * 3 / 2 + 1) {
        uintptr_t place = (uintptr_t)fp_arena_raw(like, size, 1);
        assert_true(place && place % (size >= 64 ? 64 : 16) == 0);
        memset((void *)place, 0x55, size);
    }
    /* A piece that has a block to itself fits. */
    for (size_t size = 1 << 16; size < (1 << 16) + 130; size++) {
        fp_arena *fresh = fp_arena_new_like(like);
        void *place = fp_arena_raw(fresh, size, 1);
        assert_non_null(place);
        memset(place, 0x55, size);
        fp_arena_free(fresh);
    }
    assert_true(count.alive > 2);
    fp_arena_free(like);
    assert_int_equal(count.alive, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_request_fails), cmocka_unit_test(several_threads),
                                       cmocka_unit_test(refused), cmocka_unit_test(like_another)};
    return cmocka_run_group_tests(tests, make_corpus, remove_corpus);
}
