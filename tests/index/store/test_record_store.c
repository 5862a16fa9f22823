/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a store of records promises, of whichever kind: what was written comes back, byte for byte, now and when it is
 * opened again; facts, matches, clusters and deletions do. STORE=redis://… asks it of Redis. */
#include <math.h>

#include "tests/index/store/stores.h"

/* ---- One record ---- */

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
        assert_int_equal(got.empty, wanted->empty);
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
        {.id = bytes_of("a\0b", 3), .fingerprint = bytes_of("\0\0\0\0\0\0\0\0", 8), .time = 0},
        {.id = bytes_of("\0", 1), .title = bytes_of("\0\0", 2), .time = -1, .characters = UINT64_MAX},
        {.id = bytes_of(every_byte, 256), .source = bytes_of(every_byte, 256), .time = INT64_MAX},
        {.id = bytes_of(long_id, sizeof long_id), .time = INT64_MIN + 1, .text = bytes_of("t", 1)},
        {.id = fp_string_of("新闻-1"),
         .fingerprint = bytes_of(every_byte, 32),
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
                   FP_ERROR_DUPLICATE, "already exists");
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
    fp_records_rollback(records);
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

static fp_status see_match(void *context, const fp_record_match *match, fp_error *error) {
    (void)error;
    struct seen *seen = context;
    seen->number[seen->count] = match->later;
    seen->other[seen->count] = match->earlier;
    seen->shared[seen->count++] = match->shared;
    return seen->count == 2 ? seen->then : FP_OK;
}

static fp_status see_number(void *context, uint64_t number, fp_error *error) {
    (void)error;
    struct seen *seen = context;
    seen->number[seen->count++] = number;
    return FP_OK;
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_come_back), cmocka_unit_test(what_is_not_there),
        cmocka_unit_test(what_is_refused),   cmocka_unit_test(facts),
        cmocka_unit_test(matches),           cmocka_unit_test(clusters_and_deletions),
    };
    return cmocka_run_group_tests(tests, stores_begin, stores_end);
}
