/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a store of records promises, of whichever kind: what was written comes back, byte for byte, now and when it is
 * opened again; a transaction is there whole or not at all; random work leaves what the same work leaves in plain
 * memory. STORE=redis://… asks it of Redis. */
#include <math.h>
#include <sys/wait.h>

#include "tests/index/store/stores.h"

static fp_arena *arena;

/* ---- One record ---- */

static void assert_same(fp_string got, fp_string wanted) {
    assert_int_equal(got.length, wanted.length);
    if (wanted.length) assert_memory_equal(got.data, wanted.data, wanted.length);
}

static void assert_record(fp_records *records, const fp_record *wanted) {
    fp_record got;
    for (int text = 0; text < 2; text++) {
        ASSERT_GOOD(fp_records_get(records, wanted->number, text, arena, &got, &test_error));
        assert_int_equal(got.number, wanted->number);
        assert_same(got.id, wanted->id);
        assert_same(got.fingerprint, wanted->fingerprint);
        assert_same(got.title, wanted->title);
        assert_same(got.url, wanted->url);
        assert_same(got.source, wanted->source);
        assert_same(got.text, text ? wanted->text : (fp_string){0});
        assert_int_equal(got.says, wanted->says);
        assert_int_equal(got.time, wanted->time);
        assert_int_equal(got.cluster, wanted->cluster);
        assert_int_equal(got.characters, wanted->characters);
    }
    uint64_t number;
    ASSERT_GOOD(fp_records_find(records, wanted->id, &number, &test_error));
    assert_int_equal(number, wanted->number);
}

/* Records of every shape: empty strings, zeros inside, ids of every byte and of the greatest length, times before 1970,
 * texts that pack well and badly. */
static size_t shapes(fp_record *made) {
    static char long_id[FP_RECORD_ID], every_byte[256], random_text[5000], even_text[100000];
    memset(long_id, 'x', sizeof long_id);
    memset(even_text, 'a', sizeof even_text);
    for (int i = 0; i < 256; i++) every_byte[i] = (char)i;
    for (size_t i = 0; i < sizeof random_text; i++) random_text[i] = (char)fp_mix(i, 7);
    const fp_record records[] = {
        {.id = fp_string_of("a"), .time = FP_TIME_NONE},
        {.id = bytes_of("a\0b", 3), .fingerprint = bytes_of("\0\0\0\0\0\0\0\0", 8), .says = true, .time = 0},
        {.id = bytes_of("\0", 1), .title = bytes_of("\0\0", 2), .time = -1, .characters = UINT64_MAX},
        {.id = bytes_of(every_byte, 256), .source = bytes_of(every_byte, 256), .time = INT64_MAX},
        {.id = bytes_of(long_id, sizeof long_id), .time = INT64_MIN + 1, .text = bytes_of("t", 1)},
        {.id = fp_string_of("新闻-1"),
         .fingerprint = bytes_of(every_byte, 32),
         .says = true,
         .title = fp_string_of("临江大桥恢复通车"),
         .url = fp_string_of("https://example.org/?a=1&b=2\r\n"),
         .source = fp_string_of("晚报"),
         .time = 1700000000123,
         .characters = 42,
         .text = bytes_of(even_text, sizeof even_text)},
        {.id = fp_string_of("noise"), .time = FP_TIME_NONE, .text = bytes_of(random_text, sizeof random_text)},
    };
    memcpy(made, records, sizeof records);
    return sizeof records / sizeof *records;
}
enum { MOST_SHAPES = 16 };

static void records_come_back(void **state) {
    (void)state;
    fp_record record[MOST_SHAPES];
    size_t count = shapes(record);
    fp_records *records = store_open("back", FP_RECORDS_CREATE);
    ASSERT_GOOD(fp_records_begin(records, &test_error));
    for (size_t i = 0; i < count; i++) {
        ASSERT_GOOD(fp_records_add(records, record + i, NULL, 0, &test_error));
        assert_int_equal(record[i].number, i + 1);
        assert_int_equal(record[i].cluster, i + 1);
        assert_record(records, record + i); /* inside the transaction */
    }
    ASSERT_GOOD(fp_records_commit(records, &test_error));
    for (size_t i = 0; i < count; i++) assert_record(records, record + i);
    fp_records_close(records);
    records = store_open("back", FP_RECORDS_READ);
    for (size_t i = 0; i < count; i++) assert_record(records, record + i);
    fp_records_count told = store_count(records);
    assert_int_equal(told.records, count);
    assert_int_equal(told.next, count + 1);
    assert_clean(records);
    ASSERT_REFUSED(fp_records_begin(records, &test_error), FP_ERROR_RANGE, "for reading");
    fp_records_close(records);
}

static void what_is_not_there(void **state) {
    (void)state;
    fp_record record;
    uint64_t number = 9;
    fp_records *records;
    ASSERT_REFUSED(fp_records_open(store_named("nowhere", ""), FP_RECORDS_READ, NULL, &records, &test_error),
                   FP_ERROR_IO, "");
    assert_null(records);
    ASSERT_REFUSED(fp_records_open(store_named("nowhere", ""), FP_RECORDS_WRITE, NULL, &records, &test_error),
                   FP_ERROR_IO, "");
    records = store_open("nothing", FP_RECORDS_CREATE);
    for (int i = 0; i < 3; i++) {
        static const uint64_t NUMBERS[] = {0, 1, (uint64_t)1 << 32};
        ASSERT_REFUSED(fp_records_get(records, NUMBERS[i], true, arena, &record, &test_error), FP_ERROR_UNKNOWN,
                       "no record");
    }
    ASSERT_GOOD(fp_records_find(records, fp_string_of("a"), &number, &test_error));
    assert_int_equal(number, 0);
    fp_string fact;
    ASSERT_GOOD(fp_records_fact(records, "arm", arena, &fact, &test_error));
    assert_null(fact.data);
    assert_clean(records);
    fp_records_close(records);
    ASSERT_REFUSED(fp_records_open(store_named("nothing", ""), FP_RECORDS_CREATE, NULL, &records, &test_error),
                   FP_ERROR_DUPLICATE, "there already");
}

static void what_is_refused(void **state) {
    (void)state;
    char long_id[FP_RECORD_ID + 1];
    memset(long_id, 'x', sizeof long_id);
    fp_records *records = store_open("refused", FP_RECORDS_CREATE);
    fp_record record = {.id = fp_string_of("a"), .time = FP_TIME_NONE};
    ASSERT_REFUSED(fp_records_add(records, &record, NULL, 0, &test_error), FP_ERROR_RANGE, "no transaction");
    ASSERT_REFUSED(fp_records_commit(records, &test_error), FP_ERROR_RANGE, "no transaction");
    ASSERT_GOOD(fp_records_begin(records, &test_error));
    ASSERT_REFUSED(fp_records_begin(records, &test_error), FP_ERROR_RANGE, "is open");
    store_add(records, "a");
    ASSERT_REFUSED(fp_records_add(records, &record, NULL, 0, &test_error), FP_ERROR_DUPLICATE, "as record 1");
    record.id = (fp_string){0};
    ASSERT_REFUSED(fp_records_add(records, &record, NULL, 0, &test_error), FP_ERROR_RANGE, "from 1 to 480");
    record.id = bytes_of(long_id, sizeof long_id);
    ASSERT_REFUSED(fp_records_add(records, &record, NULL, 0, &test_error), FP_ERROR_RANGE, "has 481");
    record.id = fp_string_of("b");
    record.cluster = 3;
    ASSERT_REFUSED(fp_records_add(records, &record, NULL, 0, &test_error), FP_ERROR_RANGE, "no older record");
    ASSERT_REFUSED(fp_records_set_cluster(records, 1, 2, &test_error), FP_ERROR_RANGE, "no older record");
    ASSERT_REFUSED(fp_records_set_cluster(records, 2, 1, &test_error), FP_ERROR_UNKNOWN, "no record 2");
    ASSERT_REFUSED(fp_records_delete(records, 2, &test_error), FP_ERROR_UNKNOWN, "no record 2");
    fp_record_match match = {.later = 1, .earlier = 1};
    ASSERT_REFUSED(fp_records_add_match(records, &match, &test_error), FP_ERROR_RANGE, "no match");
    ASSERT_REFUSED(fp_records_set_fact(records, "", fp_string_of("x"), &test_error), FP_ERROR_RANGE, "fact");
    /* None of that has lost what the transaction holds. */
    ASSERT_GOOD(fp_records_commit(records, &test_error));
    assert_int_equal(store_count(records).records, 1);
    ASSERT_GOOD(fp_records_begin(records, &test_error));
    record = (fp_record){.id = fp_string_of("a"), .time = FP_TIME_NONE};
    ASSERT_REFUSED(fp_records_add(records, &record, NULL, 0, &test_error), FP_ERROR_DUPLICATE, "as record 1");
    fp_records_close(records);
}

/* ---- Facts, matches, clusters, deletions ---- */

static void facts(void **state) {
    (void)state;
    fp_string value, large = {fp_arena_alloc(arena, 3000000, 1), 3000000};
    fp_records *records = store_open("facts", FP_RECORDS_CREATE);
    ASSERT_GOOD(fp_records_begin(records, &test_error));
    ASSERT_GOOD(fp_records_set_fact(records, "arm", fp_string_of("simhash"), &test_error));
    ASSERT_GOOD(fp_records_set_fact(records, "empty", (fp_string){0}, &test_error));
    ASSERT_GOOD(fp_records_set_fact(records, "model", large, &test_error));
    ASSERT_GOOD(fp_records_commit(records, &test_error));
    ASSERT_GOOD(fp_records_begin(records, &test_error));
    ASSERT_GOOD(fp_records_set_fact(records, "arm", fp_string_of("minhash"), &test_error));
    ASSERT_GOOD(fp_records_fact(records, "arm", arena, &value, &test_error));
    assert_same(value, fp_string_of("minhash"));
    fp_records_abort(records);
    ASSERT_GOOD(fp_records_fact(records, "arm", arena, &value, &test_error));
    assert_same(value, fp_string_of("simhash"));
    ASSERT_GOOD(fp_records_fact(records, "empty", arena, &value, &test_error));
    assert_non_null(value.data);
    assert_int_equal(value.length, 0);
    ASSERT_GOOD(fp_records_fact(records, "model", arena, &value, &test_error));
    assert_same(value, large);
    assert_clean(records);
    fp_records_close(records);
}

struct seen {
    size_t count;
    uint64_t number[64], other[64];
    double shared[64];
    fp_status then; /* what the visit returns at the second */
};

static fp_status see_match(void *context, const fp_record_match *match, fp_error *error) {
    (void)error;
    struct seen *seen = context;
    seen->number[seen->count] = match->later;
    seen->other[seen->count] = match->earlier;
    seen->shared[seen->count++] = match->shared;
    return seen->count == 2 ? seen->then : FP_OK;
}

static fp_status see_record(void *context, const fp_record *record, fp_error *error) {
    (void)error;
    struct seen *seen = context;
    seen->number[seen->count] = record->number;
    seen->other[seen->count++] = record->cluster;
    return seen->count == 2 ? seen->then : FP_OK;
}

static fp_status see_number(void *context, uint64_t number, fp_error *error) {
    (void)error;
    struct seen *seen = context;
    seen->number[seen->count++] = number;
    return FP_OK;
}

static fp_records *with_ten(const char *name) {
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

static void matches(void **state) {
    (void)state;
    fp_records *records = with_ten("matches");
    const fp_record_match made[] = {{9, 2, 3, NAN, NAN, {0}},
                                    {3, 1, 0.25, 0.75, 0.5, fp_string_of("0-5=2-7,9-12=20-23")},
                                    {9, 1, 1, 1, 0.125, {0}},
                                    {9, 2, 4, NAN, 0.25, {0}}};
    ASSERT_GOOD(fp_records_begin(records, &test_error));
    for (size_t i = 0; i < 4; i++) ASSERT_GOOD(fp_records_add_match(records, made + i, &test_error));
    ASSERT_GOOD(fp_records_commit(records, &test_error));
    assert_int_equal(store_count(records).matches, 3);
    struct seen seen = {0};
    ASSERT_GOOD(fp_records_each_match(records, 0, see_match, &seen, &test_error));
    assert_int_equal(seen.count, 3);
    assert_true(seen.number[0] == 3 && seen.other[0] == 1 && seen.shared[0] == 0.5);
    assert_true(seen.number[1] == 9 && seen.other[1] == 1 && seen.shared[1] == 0.125);
    assert_true(seen.number[2] == 9 && seen.other[2] == 2 && seen.shared[2] == 0.25);
    seen.count = 0;
    ASSERT_GOOD(fp_records_each_match(records, 4, see_match, &seen, &test_error));
    assert_int_equal(seen.count, 2);
    seen = (struct seen){.then = FP_ERROR_EMPTY};
    assert_int_equal(fp_records_each_match(records, 0, see_match, &seen, &test_error), FP_ERROR_EMPTY);
    assert_int_equal(seen.count, 2);
    assert_clean(records);
    fp_records_close(records);
}

static void clusters_and_deletions(void **state) {
    (void)state;
    fp_records *records = with_ten("clusters");
    ASSERT_GOOD(fp_records_begin(records, &test_error));
    ASSERT_GOOD(fp_records_set_cluster(records, 7, 2, &test_error));
    ASSERT_GOOD(fp_records_set_cluster(records, 8, 7, &test_error));
    ASSERT_GOOD(fp_records_set_cluster(records, 9, 1, &test_error));
    ASSERT_GOOD(fp_records_set_cluster(records, 9, 9, &test_error));
    ASSERT_GOOD(fp_records_delete(records, 7, &test_error));
    ASSERT_GOOD(fp_records_delete(records, 3, &test_error));
    ASSERT_REFUSED(fp_records_delete(records, 3, &test_error), FP_ERROR_UNKNOWN, "no record 3");
    /* The id is free at once, the number never again. */
    assert_int_equal(store_add(records, "r3"), 11);
    ASSERT_GOOD(fp_records_commit(records, &test_error));
    struct seen seen = {0};
    ASSERT_GOOD(fp_records_each(records, 0, false, see_record, &seen, &test_error));
    static const uint64_t NUMBER[] = {1, 2, 4, 5, 6, 8, 9, 10, 11}, CLUSTER[] = {1, 2, 4, 5, 6, 7, 9, 10, 11};
    assert_int_equal(seen.count, 9);
    assert_memory_equal(seen.number, NUMBER, sizeof NUMBER);
    assert_memory_equal(seen.other, CLUSTER, sizeof CLUSTER);
    seen.count = 0;
    ASSERT_GOOD(fp_records_each_deleted(records, 0, see_number, &seen, &test_error));
    assert_true(seen.count == 2 && seen.number[0] == 7 && seen.number[1] == 3);
    seen.count = 0;
    ASSERT_GOOD(fp_records_each_deleted(records, 1, see_number, &seen, &test_error));
    assert_true(seen.count == 1 && seen.number[0] == 3);
    seen = (struct seen){.then = FP_ERROR_EMPTY};
    assert_int_equal(fp_records_each(records, 6, false, see_record, &seen, &test_error), FP_ERROR_EMPTY);
    assert_true(seen.count == 2 && seen.number[0] == 6 && seen.number[1] == 8);
    fp_records_count count = store_count(records);
    assert_true(count.records == 9 && count.deleted == 2 && count.next == 12);
    assert_clean(records);
    fp_records_close(records);
}

/* ---- Key lists ---- */

static uint64_t add_listed(fp_records *records, const char *id, const char *fingerprint, uint64_t first,
                           uint64_t second) {
    fp_record record = {.id = fp_string_of(id), .fingerprint = fp_string_of(fingerprint), .says = true};
    ASSERT_GOOD(fp_records_add(records, &record, (uint64_t[]){first, second}, 2, &test_error));
    return record.number;
}

/* That exactly the numbers of a decimal text, one digit each, are near the keys, with these fingerprints. */
static void assert_near(fp_records *records, uint64_t first, uint64_t second, const char *wanted,
                        const char *const *wanted_bytes) {
    const uint64_t *numbers;
    const fp_string *fingerprints;
    size_t count;
    ASSERT_GOOD(
        fp_records_near(records, (uint64_t[]){first, second}, 2, arena, &numbers, &fingerprints, &count, &test_error));
    assert_int_equal(count, strlen(wanted));
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(numbers[i], wanted[i] - '0');
        assert_same(fingerprints[i], fp_string_of(wanted_bytes[numbers[i]]));
    }
}

static void key_lists(void **state) {
    (void)state;
    static const char *const BYTES[] = {"", "one-----", "two-----", "three---", "four----", "five----"};
    fp_records *records = store_open("lists", FP_RECORDS_CREATE);
    if (!fp_records_have_keys(records)) {
        size_t count;
        assert_false(store_is_redis());
        ASSERT_REFUSED(fp_records_near(records, (uint64_t[]){1}, 1, arena, &(const uint64_t *){NULL},
                                       &(const fp_string *){NULL}, &count, &test_error),
                       FP_ERROR_UNKNOWN, "no key lists");
        fp_records_close(records);
        return;
    }
    ASSERT_GOOD(fp_records_begin(records, &test_error));
    add_listed(records, "1", BYTES[1], 10, UINT64_MAX);
    add_listed(records, "2", BYTES[2], 10, 30);
    add_listed(records, "3", BYTES[3], 40, 30);
    assert_near(records, 10, 30, "123", BYTES); /* what the transaction holds */
    ASSERT_GOOD(fp_records_commit(records, &test_error));
    assert_near(records, 10, 30, "123", BYTES);
    assert_near(records, UINT64_MAX, 40, "13", BYTES);
    assert_near(records, 11, 12, "", BYTES);
    ASSERT_GOOD(fp_records_begin(records, &test_error));
    add_listed(records, "4", BYTES[4], 10, 50);
    ASSERT_GOOD(fp_records_delete(records, 2, &test_error));
    assert_near(records, 10, 30, "134", BYTES);
    add_listed(records, "5", BYTES[5], 50, 10);
    ASSERT_GOOD(fp_records_delete(records, 5, &test_error));
    assert_near(records, 10, 50, "14", BYTES);
    ASSERT_GOOD(fp_records_commit(records, &test_error));
    assert_near(records, 10, 50, "14", BYTES);
    assert_near(records, 30, 40, "3", BYTES);
    assert_clean(records);
    fp_records_close(records);
}

/* The newest three under each key. */
static void bounded_lists(void **state) {
    (void)state;
    static const char *const BYTES[] = {"", "1", "2", "3", "4", "5", "6", "7"};
    fp_records *records;
    if (!store_is_redis()) return;
    ASSERT_GOOD(fp_records_open(store_named("bounded", "&list=3"), FP_RECORDS_CREATE, NULL, &records, &test_error));
    ASSERT_GOOD(fp_records_begin(records, &test_error));
    for (int i = 1; i <= 5; i++) add_listed(records, BYTES[i], BYTES[i], 1, (uint64_t)i + 1);
    ASSERT_GOOD(fp_records_commit(records, &test_error));
    assert_near(records, 1, 0, "345", BYTES);
    assert_near(records, 1, 2, "1345", BYTES); /* under the key 2 the first still stands */
    assert_int_equal(store_count(records).cut, 2);
    fp_records_close(records);
    records = store_open("bounded", FP_RECORDS_WRITE); /* the store knows its bound */
    ASSERT_GOOD(fp_records_begin(records, &test_error));
    add_listed(records, BYTES[6], BYTES[6], 1, 9);
    ASSERT_GOOD(fp_records_commit(records, &test_error));
    assert_near(records, 1, 0, "456", BYTES);
    assert_int_equal(store_count(records).cut, 3);
    assert_clean(records);
    fp_records_close(records);
}

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
    fp_records_abort(records);
    fp_records_abort(records);
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
            fp_records_abort(records);
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
        fp_record record = {.id = fp_string_of(id),
                            .fingerprint = {(const char *)&bits, sizeof bits},
                            .says = true,
                            .time = (int64_t)(bits >> 40)};
        ASSERT_GOOD(fp_records_add(records, &record, NULL, 0, &test_error));
        wanted += i * (bits >> 40);
        if (i % BATCH == 0) ASSERT_GOOD(fp_records_commit(records, &test_error));
    }
    ASSERT_GOOD(fp_records_each(records, 0, false, sum_numbers, &got, &test_error));
    assert_true(got == wanted);
    assert_clean(records);
    fp_records_close(records);
}

static int new_arena(void **state) {
    arena = fp_arena_new();
    return arena ? stores_begin(state) : -1;
}

static int free_arena(void **state) {
    fp_arena_free(arena);
    return stores_end(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_come_back), cmocka_unit_test(what_is_not_there),
        cmocka_unit_test(what_is_refused),   cmocka_unit_test(facts),
        cmocka_unit_test(matches),           cmocka_unit_test(clusters_and_deletions),
        cmocka_unit_test(key_lists),         cmocka_unit_test(bounded_lists),
        cmocka_unit_test(given_up),          cmocka_unit_test(one_writer),
        cmocka_unit_test(random_work),       cmocka_unit_test(many),
    };
    return cmocka_run_group_tests(tests, new_arena, free_arena);
}
