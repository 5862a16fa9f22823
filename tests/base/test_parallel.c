/* SPDX-License-Identifier: GPL-3.0-or-later
 * Loops over threads: every item once, the failure of the smallest index, progress from the calling thread. */
#include <omp.h>
#include <pthread.h>

#include "base/parallel.h"
#include "tests/support.h"

enum { ITEMS = 5000 };

typedef struct job {
    _Atomic int times[ITEMS];
    size_t fails_from; /* items from here on fail */
    pthread_t caller;
    size_t told, last;
} job;

static fp_status work(void *context, size_t index, fp_arena *arena, fp_error *error) {
    job *it = context;
    it->times[index]++;
    if (!fp_arena_alloc(arena, index % 100 + 1, 8)) return fp_no_memory(error);
    return index < it->fails_from ? FP_OK : fp_fail(error, FP_ERROR_RANGE, "item %zu", index);
}

static void report(void *context, const char *stage, size_t done, size_t total) {
    job *it = context;
    assert_string_equal(stage, "items");
    assert_true(pthread_equal(it->caller, pthread_self()));
    assert_true(done > it->last && done <= total);
    it->told++;
    it->last = done;
}

static fp_status loop(job *it, int threads, size_t count, size_t fails_from, fp_error *error) {
    int before = omp_get_max_threads();
    *it = (job){.fails_from = fails_from, .caller = pthread_self()};
    fp_progress progress = {report, it};
    fp_arena *arena = fp_arena_new();
    fp_arenas arenas;
    omp_set_num_threads(threads);
    ASSERT_GOOD(fp_arenas_open(&arenas, arena, &test_error));
    fp_status status = fp_parallel(count, &arenas, true, work, it, "items", &progress, error);
    fp_arenas_free(&arenas);
    fp_arena_free(arena);
    omp_set_num_threads(before);
    return status;
}

static void every_item_once(void **state) {
    (void)state;
    static job it;
    for (int threads = 1; threads <= 64; threads *= 4)
        for (size_t count = 0; count <= ITEMS; count = count * 10 + 1) {
            assert_int_equal(loop(&it, threads, count, ITEMS, &test_error), FP_OK);
            for (size_t i = 0; i < ITEMS; i++) assert_int_equal(it.times[i], i < count);
            if (threads == 1) assert_int_equal(it.told, count);
        }
}

/* Items are taken in their order, so that the first that can fail is reached before any later one has failed. */
static void smallest_failure(void **state) {
    (void)state;
    static job it;
    for (int run = 0; run < 50; run++) {
        fp_error error = {0};
        assert_int_equal(loop(&it, 8, ITEMS, 1000, &error), FP_ERROR_RANGE);
        assert_string_equal(error.message, "item 1000");
        for (size_t i = 0; i < 1000; i++) assert_int_equal(it.times[i], 1);
    }
    assert_int_equal(loop(&it, 8, ITEMS, 0, NULL), FP_ERROR_RANGE);
}

static void threads_have_bounds(void **state) {
    (void)state;
    int before = omp_get_max_threads();
    omp_set_num_threads(100000);
    assert_int_equal(fp_threads(), FP_MOST_THREADS);
    omp_set_num_threads(3);
    assert_int_equal(fp_threads(), 3);
    omp_set_num_threads(before);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_item_once), cmocka_unit_test(smallest_failure),
                                       cmocka_unit_test(threads_have_bounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
