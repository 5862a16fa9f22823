/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stores.h - a store for each test, of the kind that STORE asks for: a file, or where STORE is redis://host:port/db a
 * name in it. Include it last.
 */
#ifndef FP_TEST_STORES_H
#define FP_TEST_STORES_H

#include "index/store/record_store.h"
#include "tests/support.h"

static char store_directory[] = "/tmp/fplab-store-XXXXXX";

static fp_arena *arena; /* of the group of tests */

static inline int stores_begin(void **state) {
    (void)state;
    arena = fp_arena_new();
    return arena && mkdtemp(store_directory) ? 0 : -1;
}

static inline int stores_end(void **state) {
    (void)state;
    char command[sizeof store_directory + 16];
    snprintf(command, sizeof command, "rm -rf %s", store_directory);
    fp_arena_free(arena);
    return system(command);
}

static inline bool store_is_redis(void) { return getenv("STORE") && *getenv("STORE"); }

/* The address of a store of that name, with what else the address says. */
static inline const char *store_named(const char *name, const char *more) {
    static char address[512];
    if (store_is_redis()) snprintf(address, sizeof address, "%s?name=%s%s", getenv("STORE"), name, more);
    else snprintf(address, sizeof address, "%s/%s", store_directory, name);
    return address;
}

static inline fp_records *store_open(const char *name, fp_records_mode mode) {
    fp_records *records;
    ASSERT_GOOD(fp_records_open(store_named(name, ""), mode, NULL, &records, &test_error));
    return records;
}

static inline fp_string bytes_of(const char *text, size_t length) { return (fp_string){text, length}; }

static inline uint64_t store_add(fp_records *records, const char *id) {
    fp_record record = {.id = fp_string_of(id), .time = FP_TIME_NONE};
    ASSERT_GOOD(fp_records_add(records, &record, NULL, 0, &test_error));
    return record.number;
}

static inline void print_problem(void *context, const char *problem) {
    (void)context;
    print_message("problem: %s\n", problem);
}

static inline void assert_clean(fp_records *records) {
    uint64_t problems;
    ASSERT_GOOD(fp_records_check(records, print_problem, NULL, &problems, &test_error));
    assert_int_equal(problems, 0);
}

static inline fp_records_count store_count(fp_records *records) {
    fp_records_count count;
    ASSERT_GOOD(fp_records_counted(records, &count, &test_error));
    return count;
}

/* A store of ten records, r1 to r10. */
static inline fp_records *with_ten(const char *name) {
    fp_records *records = store_open(name, FP_RECORDS_CREATE);
    ASSERT_GOOD(fp_records_begin(records, &test_error));
    for (int i = 1; i <= 10; i++) {
        char id[8];
        snprintf(id, sizeof id, "r%d", i);
        assert_int_equal(store_add(records, id), i);
    }
    ASSERT_GOOD(fp_records_commit(records, &test_error));
    return records;
}

static inline void assert_same(fp_string got, fp_string wanted) {
    assert_int_equal(got.length, wanted.length);
    if (wanted.length) assert_memory_equal(got.data, wanted.data, wanted.length);
}

/* What a visit saw, in order. */
struct seen {
    size_t count;
    uint64_t number[64], other[64];
    double shared[64];
    fp_status then; /* what the visit returns at the second */
};

static inline fp_status see_record(void *context, const fp_record *record, fp_error *error) {
    (void)error;
    struct seen *seen = context;
    seen->number[seen->count] = record->number;
    seen->other[seen->count++] = record->cluster;
    return seen->count == 2 ? seen->then : FP_OK;
}

/* That the call fails with that status, and says the words. */
#define ASSERT_REFUSED(call, status, words)                                     \
    do {                                                                        \
        test_error = (fp_error){0};                                             \
        fp_status got_ = (call);                                                \
        if (got_ != (status) || !strstr(test_error.message, (words)))           \
            fail_msg("%s: status %d, \"%s\"", #call, got_, test_error.message); \
    } while (0)

#endif
