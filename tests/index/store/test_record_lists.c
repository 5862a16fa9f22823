/* SPDX-License-Identifier: GPL-3.0-or-later
 * Lists of the records under a key, in stores that keep them: what a transaction adds is in them at once, what is
 * deleted in none, and a bounded list holds the newest. STORE=redis://… asks it of Redis. */
#include "tests/index/store/stores.h"

static uint64_t add_listed(fp_records *records, const char *id, const char *fingerprint, uint64_t first,
                           uint64_t second) {
    fp_record record = {.id = fp_string_of(id), .fingerprint = fp_string_of(fingerprint)};
    ASSERT_GOOD(fp_records_add(records, &record, (uint64_t[]){first, second}, 2, &test_error));
    return record.number;
}

/* That exactly the numbers of a decimal text, one digit each, are near the keys, with these fingerprints. */
static void assert_near(fp_records *records, uint64_t first, uint64_t second, const char *wanted,
                        const char *const *wanted_bytes) {
    const fp_listed *found;
    size_t count;
    ASSERT_GOOD(fp_records_near(records, (uint64_t[]){first, second}, 2, arena, &found, &count, &test_error));
    assert_int_equal(count, strlen(wanted));
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(found[i].number, wanted[i] - '0');
        assert_same(found[i].fingerprint, fp_string_of(wanted_bytes[found[i].number]));
    }
}

static void key_lists(void **state) {
    (void)state;
    static const char *const BYTES[] = {"", "one-----", "two-----", "three---", "four----", "five----"};
    fp_records *records = store_open("lists", FP_RECORDS_CREATE);
    if (!fp_records_have_keys(records)) {
        size_t count;
        assert_false(store_is_redis());
        ASSERT_REFUSED(
            fp_records_near(records, (uint64_t[]){1}, 1, arena, &(const fp_listed *){NULL}, &count, &test_error),
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(key_lists),
        cmocka_unit_test(bounded_lists),
    };
    return cmocka_run_group_tests(tests, stores_begin, stores_end);
}
