/* SPDX-License-Identifier: GPL-3.0-or-later
 * A transaction is there whole or not at all, there is one writer, and random work leaves what the same work leaves in
 * plain memory. STORE=redis://… asks it of Redis. */
#include <sys/wait.h>

#include "tests/index/store/stores.h"

/* ---- Transactions ---- */

static void given_up(void **state) {
    (void)state;
    fp_records *records = with_ten("abort");
    ASSERT_GOOD(fp_records_begin(records, &test_error));
    assert_int_equal(store_add(records, "new"), 11);
    ASSERT_GOOD(fp_records_delete(records, 4, &test_error));
    ASSERT_GOOD(fp_records_set_cluster(records, 6, 5, &test_error));
    assert_int_equal(store_count(records).records, 10);
    assert_int_equal(store_count(records).next, 12);
    uint64_t number;
    ASSERT_GOOD(fp_records_find(records, fp_string_of("r4"), &number, &test_error));
    assert_int_equal(number, 0);
    struct seen seen = {0};
    ASSERT_REFUSED(fp_records_each(records, 0, false, see_record, &seen, &test_error), FP_ERROR_RANGE, "is open");
    fp_records_rollback(records);
    fp_records_rollback(records);
    ASSERT_GOOD(fp_records_find(records, fp_string_of("r4"), &number, &test_error));
    assert_int_equal(number, 4);
    assert_int_equal(store_count(records).next, 11);
    ASSERT_GOOD(fp_records_begin(records, &test_error));
    assert_int_equal(store_add(records, "other"), 11);
    fp_records_close(records); /* gives it up, too */
    records = store_open("abort", FP_RECORDS_WRITE);
    assert_int_equal(store_count(records).next, 11);
    ASSERT_GOOD(fp_records_begin(records, &test_error));
    ASSERT_GOOD(fp_records_commit(records, &test_error)); /* of nothing */
    assert_int_equal(store_count(records).records, 10);
    assert_clean(records);
    fp_records_close(records);
}

/* What a child process finds: its exit status. */
static int in_child(int (*run)(const char *), const char *name) {
    int status;
    pid_t child = fork();
    if (!child) _exit(run(name));
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

static int second_writer(const char *name) {
    fp_records *records;
    fp_error error;
    char process[32];
    snprintf(process, sizeof process, "process %ld", (long)getppid());
    fp_status status = fp_records_open(store_named(name, ""), FP_RECORDS_WRITE, NULL, &records, &error);
    if (status != FP_ERROR_IO) return 1;
    return strstr(error.message, process) && strstr(error.message, "writing") ? 0 : 2;
}

static int reader(const char *name) {
    fp_records *records;
    fp_records_count count;
    if (fp_records_open(store_named(name, ""), FP_RECORDS_READ, NULL, &records, NULL)) return 1;
    fp_status status = fp_records_counted(records, &count, NULL);
    fp_records_close(records);
    return status ? 2 : (int)count.records;
}

static int dies_in_a_transaction(const char *name) {
    fp_records *records;
    fp_record record = {.id = fp_string_of("half"), .time = FP_TIME_NONE};
    if (fp_records_open(store_named(name, ""), FP_RECORDS_WRITE, NULL, &records, NULL)) return 1;
    if (fp_records_begin(records, NULL) || fp_records_add(records, &record, NULL, 0, NULL)) return 2;
    _exit(0); /* nothing is closed */
}

static void one_writer(void **state) {
    (void)state;
    fp_records *records = with_ten("writers");
    assert_int_equal(in_child(second_writer, "writers"), 0);
    ASSERT_GOOD(fp_records_begin(records, &test_error));
    store_add(records, "eleven");
    assert_int_equal(in_child(second_writer, "writers"), 0);
    assert_int_equal(in_child(reader, "writers"), 10);
    ASSERT_GOOD(fp_records_commit(records, &test_error));
    assert_int_equal(in_child(reader, "writers"), 11);
    fp_records *second;
    ASSERT_REFUSED(fp_records_open(store_named("writers", ""), FP_RECORDS_WRITE, NULL, &second, &test_error),
                   FP_ERROR_IO, "writing");
    fp_records_close(records);
    /* A writer that died is in nobody's way. */
    assert_int_equal(in_child(dies_in_a_transaction, "writers"), 0);
    records = store_open("writers", FP_RECORDS_WRITE);
    assert_int_equal(store_count(records).records, 11);
    ASSERT_GOOD(fp_records_begin(records, &test_error));
    store_add(records, "twelve");
    ASSERT_GOOD(fp_records_commit(records, &test_error));
    assert_clean(records);
    fp_records_close(records);
}

/* ---- Random work, beside the same in plain memory ---- */

enum { RANDOM_IDS = 300, RANDOM_STEPS = 6000, RANDOM_NUMBERS = RANDOM_STEPS + 1 };
struct model {
    uint64_t number_of[RANDOM_IDS];
    uint64_t cluster[RANDOM_NUMBERS]; /* 0: not there */
    int id_of[RANDOM_NUMBERS];
    uint64_t records, next, deleted;
};

static void random_id(int id, char text[16]) { snprintf(text, 16, "id-%d", id); }

static void one_step(fp_records *records, struct model *now, uint64_t draw) {
    int id = (int)(draw >> 8 & 0xffff) % RANDOM_IDS;
    uint64_t number = now->number_of[id];
    char text[16];
    random_id(id, text);
    if (draw % 8 < 4) {
        fp_record record = {.id = fp_string_of(text), .time = (int64_t)draw, .text = fp_string_of(text)};
        if (number) {
            ASSERT_REFUSED(fp_records_add(records, &record, NULL, 0, &test_error), FP_ERROR_DUPLICATE, text);
            return;
        }
        ASSERT_GOOD(fp_records_add(records, &record, NULL, 0, &test_error));
        assert_int_equal(record.number, now->next);
        now->number_of[id] = now->cluster[now->next] = now->next;
        now->id_of[now->next++] = id;
        now->records++;
    } else if (number && draw % 8 < 6) {
        ASSERT_GOOD(fp_records_delete(records, number, &test_error));
        now->number_of[id] = now->cluster[number] = 0;
        now->records--;
        now->deleted++;
    } else if (number) {
        ASSERT_GOOD(fp_records_set_cluster(records, number, 1 + (draw >> 32) % number, &test_error));
        now->cluster[number] = 1 + (draw >> 32) % number;
    }
}

static fp_status against_model(void *context, const fp_record *record, fp_error *error) {
    struct model *now = context;
    char text[16];
    (void)error;
    random_id(now->id_of[record->number], text);
    assert_int_equal(record->cluster, now->cluster[record->number]);
    assert_same(record->id, fp_string_of(text));
    assert_same(record->text, fp_string_of(text));
    now->records--;
    return FP_OK;
}

static void random_work(void **state) {
    (void)state;
    struct model *now = fp_arena_alloc(arena, 1, sizeof *now), *committed = fp_arena_alloc(arena, 1, sizeof *now);
    fp_records *records = store_open("random", FP_RECORDS_CREATE);
    now->next = 1;
    *committed = *now;
    for (uint64_t step = 0, draw; step < RANDOM_STEPS;) {
        ASSERT_GOOD(fp_records_begin(records, &test_error));
        for (draw = fp_mix(step, 1); step < RANDOM_STEPS && draw % 50; draw = fp_mix(++step, 1))
            one_step(records, now, draw);
        step++;
        if (draw % 3) {
            ASSERT_GOOD(fp_records_commit(records, &test_error));
            *committed = *now;
        } else {
            fp_records_rollback(records);
            *now = *committed;
        }
        if (draw % 7) continue;
        fp_records_close(records);
        records = store_open("random", FP_RECORDS_WRITE);
    }
    fp_records_count count = store_count(records);
    assert_int_equal(count.records, now->records);
    assert_int_equal(count.next, now->next);
    assert_int_equal(count.deleted, now->deleted);
    ASSERT_GOOD(fp_records_each(records, 0, true, against_model, now, &test_error));
    assert_int_equal(now->records, 0);
    assert_clean(records);
    fp_records_close(records);
}

/* ---- Many ---- */

enum { MANY = 200000, BATCH = 5000 }; /* of Redis a quarter: each asks it for its id */
static fp_status sum_numbers(void *context, const fp_record *record, fp_error *error) {
    uint64_t *sum = context;
    (void)error;
    *sum += record->number * (uint64_t)record->time;
    return FP_OK;
}

static void many(void **state) {
    (void)state;
    fp_records *records = store_open("many", FP_RECORDS_CREATE);
    uint64_t wanted = 0, got = 0, count = store_is_redis() ? MANY / 4 : MANY;
    for (uint64_t i = 1; i <= count; i++) {
        char id[24];
        uint64_t bits = fp_mix(i, 3);
        if (i % BATCH == 1) ASSERT_GOOD(fp_records_begin(records, &test_error));
        snprintf(id, sizeof id, "%016llx", (unsigned long long)fp_mix(i, 2));
        fp_record record = {
            .id = fp_string_of(id), .fingerprint = {(const char *)&bits, sizeof bits}, .time = (int64_t)(bits >> 40)};
        ASSERT_GOOD(fp_records_add(records, &record, NULL, 0, &test_error));
        wanted += i * (bits >> 40);
        if (i % BATCH == 0) ASSERT_GOOD(fp_records_commit(records, &test_error));
    }
    ASSERT_GOOD(fp_records_each(records, 0, false, sum_numbers, &got, &test_error));
    assert_true(got == wanted);
    assert_clean(records);
    fp_records_close(records);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(given_up),
        cmocka_unit_test(one_writer),
        cmocka_unit_test(random_work),
        cmocka_unit_test(many),
    };
    return cmocka_run_group_tests(tests, stores_begin, stores_end);
}
