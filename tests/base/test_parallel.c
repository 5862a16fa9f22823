/* SPDX-License-Identifier: GPL-3.0-or-later
 * Loops over threads: every item once, the failure of the smallest index, progress from the calling thread. */
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    *it = (job){.fails_from = fails_from, .caller = pthread_self()};
    fp_progress progress = {.report = report, .context = it, .threads = threads};
    fp_arena *arena = fp_arena_new();
    fp_arenas arenas;
    ASSERT_GOOD(fp_arenas_open(&arenas, &progress, arena, &test_error));
    fp_status status = fp_parallel(count, &arenas, true, work, it, "items", &progress, error);
    fp_arenas_free(&arenas);
    fp_arena_free(arena);
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

/* ---- Threads that stay ---- */

enum { LOOPS = 300, MOST_SEEN = 64 };

typedef struct attendance {
    pthread_mutex_t lock;
    pid_t seen[MOST_SEEN];
    size_t count;
    _Atomic size_t items;
} attendance;

static fp_status attend(void *context, size_t index, fp_arena *arena, fp_error *error) {
    attendance *of = context;
    pid_t self = gettid();
    size_t i = 0;
    (void)index, (void)arena, (void)error;
    of->items++;
    for (volatile int spent = 0; spent < 20000; spent++) continue;
    pthread_mutex_lock(&of->lock);
    while (i < of->count && of->seen[i] != self) i++;
    if (i == of->count && of->count < MOST_SEEN) of->seen[of->count++] = self;
    pthread_mutex_unlock(&of->lock);
    return FP_OK;
}

/* Loops of all lengths over the same arenas; returns how many threads were seen. */
static size_t attend_loops(int threads) {
    fp_arena *arena = fp_arena_new();
    fp_arenas arenas;
    attendance of = {.lock = PTHREAD_MUTEX_INITIALIZER};
    size_t items = 0;
    ASSERT_GOOD(fp_arenas_open(&arenas, &(fp_progress){.threads = threads}, arena, &test_error));
    for (size_t l = 0; l < LOOPS; l++) {
        assert_int_equal(fp_parallel(l % 17, &arenas, true, attend, &of, "", NULL, &test_error), FP_OK);
        assert_int_equal(of.items, items += l % 17);
    }
    fp_arenas_free(&arenas);
    fp_arena_free(arena);
    return of.count;
}

static void threads_stay(void **state) {
    (void)state;
    assert_int_equal(attend_loops(1), 1);
    assert_in_range(attend_loops(2), 1, 2);
    /* On a busy machine the others may come too late for any item. */
    size_t seen = 0;
    for (int again = 0; again < 50 && seen < 2; again++) seen = attend_loops(6);
    assert_in_range(seen, 2, 6);
}

static fp_status attend_batch(void *context, size_t index, fp_arena *scratch, fp_arena *kept, fp_error *error) {
    (void)kept;
    return attend(context, index, scratch, error);
}

/* Batch after batch, the same threads. */
static void threads_of_batches_stay(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_batch *batch;
    attendance of = {.lock = PTHREAD_MUTEX_INITIALIZER};
    size_t done;
    ASSERT_GOOD(fp_batch_open(&(fp_progress){.threads = 4}, arena, &batch, &test_error));
    for (size_t b = 1; b <= LOOPS; b++) {
        ASSERT_GOOD(fp_batch_run(batch, 10, attend_batch, &of, NULL, &done, &test_error));
        assert_int_equal(of.items, 10 * b);
    }
    assert_in_range(of.count, 1, 4);
    fp_batch_close(batch);
    fp_arena_free(arena);
}

/* The next loop over the same threads is complete. */
static void the_smallest_failure_is_reported(void **state) {
    (void)state;
    static job it;
    fp_arena *arena = fp_arena_new();
    fp_arenas arenas;
    ASSERT_GOOD(fp_arenas_open(&arenas, &(fp_progress){.threads = 8}, arena, &test_error));
    for (int run = 0; run < 50; run++) {
        size_t fails = run % 2 ? ITEMS : 1000;
        fp_error error = {0};
        it = (job){.fails_from = fails};
        fp_status status = fp_parallel(ITEMS, &arenas, true, work, &it, "items", NULL, &error);
        assert_int_equal(status, fails < ITEMS ? FP_ERROR_RANGE : FP_OK);
        if (fails < ITEMS) assert_string_equal(error.message, "item 1000");
        for (size_t i = 0; i < fails; i++) assert_int_equal(it.times[i], 1);
    }
    fp_arenas_free(&arenas);
    fp_arena_free(arena);
}

static void arenas_without_a_loop_end(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_arenas arenas;
    ASSERT_GOOD(fp_arenas_open(&arenas, &(fp_progress){.threads = 4}, arena, &test_error));
    fp_arenas_free(&arenas);
    fp_arena_free(arena);
}

static void threads_have_bounds(void **state) {
    (void)state;
    static const int ASKED[][2] = {
        {1, 1}, {3, 3}, {FP_MOST_THREADS, FP_MOST_THREADS}, {100000, FP_MOST_THREADS}, {INT_MAX, FP_MOST_THREADS}};
    for (size_t i = 0; i < sizeof ASKED / sizeof *ASKED; i++)
        assert_int_equal(fp_threads(&(fp_progress){.threads = ASKED[i][0]}), ASKED[i][1]);
}

/* As OpenMP 5.2, 21.1.2, has it: positive whole numbers between commas, with blanks about them. */
static void the_environment_is_asked(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int threads; /* 0: passed over */
    } ASKED[] = {{"1", 1},
                 {"3", 3},
                 {" 5 ", 5},
                 {"4,3,2", 4},
                 {"\t6 , 1", 6},
                 {"007", 7},
                 {"1023", 1023},
                 {"100000", FP_MOST_THREADS},
                 {"2147483648", FP_MOST_THREADS},
                 {"18446744073709551617", FP_MOST_THREADS},
                 {"0", 0},
                 {"", 0},
                 {"-2", 0},
                 {"+2", 0},
                 {"two", 0},
                 {"3x", 0},
                 {"1e3", 0},
                 {"2.5", 0},
                 {",3", 0}};
    const char *before = getenv("OMP_NUM_THREADS");
    char *kept = before ? strdup(before) : NULL;
    unsetenv("OMP_NUM_THREADS");
    int usual = fp_threads(NULL);
    for (size_t i = 0; i < sizeof ASKED / sizeof *ASKED; i++) {
        setenv("OMP_NUM_THREADS", ASKED[i].text, 1);
        int threads = fp_threads(NULL), wanted = ASKED[i].threads ? ASKED[i].threads : usual;
        if (threads != wanted) fail_msg("OMP_NUM_THREADS=%s: %d threads, not %d", ASKED[i].text, threads, wanted);
        assert_int_equal(fp_threads(&(fp_progress){0}), threads);
        assert_int_equal(fp_threads(&(fp_progress){.threads = 9}), 9);
    }
    if (kept) setenv("OMP_NUM_THREADS", kept, 1);
    else unsetenv("OMP_NUM_THREADS");
    free(kept);
}

/* On one processor of those that there are, one thread. */
static void processors_are_those_that_may_be_used(void **state) {
    (void)state;
    cpu_set_t mine, one;
    if (getenv("OMP_NUM_THREADS") || sched_getaffinity(0, sizeof mine, &mine) != 0) skip();
    assert_int_equal(fp_threads(NULL), CPU_COUNT(&mine));
    size_t first = 0;
    while (!CPU_ISSET(first, &mine)) first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(fp_threads(NULL), 1);
    assert_int_equal(sched_setaffinity(0, sizeof mine, &mine), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_item_once),
                                       cmocka_unit_test(smallest_failure),
                                       cmocka_unit_test(threads_stay),
                                       cmocka_unit_test(threads_of_batches_stay),
                                       cmocka_unit_test(the_smallest_failure_is_reported),
                                       cmocka_unit_test(arenas_without_a_loop_end),
                                       cmocka_unit_test(threads_have_bounds),
                                       cmocka_unit_test(the_environment_is_asked),
                                       cmocka_unit_test(processors_are_those_that_may_be_used)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
