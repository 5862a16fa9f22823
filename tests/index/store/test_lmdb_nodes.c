/* SPDX-License-Identifier: GPL-3.0-or-later
 * Every flag that LMDB knows of a node and of a tree, set where none belongs, in every page of a store: LMDB would
 * follow it to values that are not there, and end the process. The file is refused, and the check tells of it. */
#include <fcntl.h>

#include "tests/index/store/stores.h"

enum { PAGE = 4096, HEAD = 16, LEAF = 2, TREE = 48, META_TREES = HEAD + 24 };
enum { NAME = 8, MOST = 1 << 20 };
static unsigned char file[MOST];
static size_t length;

static unsigned u16(const unsigned char *at) { return at[0] | (unsigned)at[1] << 8; }

static void read_store(void) {
    FILE *from = fopen(store_named("nodes", ""), "rb");
    assert_non_null(from);
    length = fread(file, 1, sizeof file, from);
    fclose(from);
    assert_true(length > 2 * PAGE && length < sizeof file && length % PAGE == 0);
}

static void tell_nothing(void *context, const char *problem) {
    (void)problem;
    ++*(size_t *)context;
}

/* The file with the bits of `flag` turned at a place. */
static void check_refused(size_t at, unsigned char flag) {
    fp_records *records;
    size_t told = 0;
    uint64_t problems = 0;
    file[at] ^= flag;
    const char *path = store_named("changed", "");
    FILE *to = fopen(path, "wb");
    assert_non_null(to);
    assert_int_equal(fwrite(file, 1, length, to), length);
    assert_int_equal(fclose(to), 0);
    fp_status status = fp_records_open(path, FP_RECORDS_READ, NULL, &records, &test_error);
    if (status == FP_OK) fp_records_close(records);
    if (status != FP_ERROR_SYNTAX) fail_msg("page %zu, byte %zu, bit %u: taken", at / PAGE, at % PAGE, flag);
    status = fp_records_open(path, FP_RECORDS_CHECK, NULL, &records, &test_error);
    if (status == FP_OK) {
        ASSERT_GOOD(fp_records_check(records, tell_nothing, &told, &problems, &test_error));
        fp_records_close(records);
        if (!problems) fail_msg("page %zu, byte %zu, bit %u: not told", at / PAGE, at % PAGE, flag);
    }
    file[at] ^= flag;
}

static void fill(void) {
    fp_records *records = store_open("nodes", FP_RECORDS_CREATE);
    fp_record_match match = {2, 1, 3, 0.5, 0.25, fp_string_of("0-1=0-1")};
    char id[16];
    ASSERT_GOOD(fp_records_begin(records, &test_error));
    for (int i = 0; i < 8; i++) {
        snprintf(id, sizeof id, "id-%d", i);
        store_add(records, id);
    }
    ASSERT_GOOD(fp_records_set_fact(records, "arm", fp_string_of("simhash"), &test_error));
    ASSERT_GOOD(fp_records_add_match(records, &match, &test_error));
    ASSERT_GOOD(fp_records_delete(records, 3, &test_error));
    ASSERT_GOOD(fp_records_commit(records, &test_error));
    fp_records_close(records);
}

/* Pages that are in use: those of an earlier commit may lie there still. */
static size_t check_leaf(size_t page, const unsigned char *used) {
    const unsigned char *at = file + page * PAGE;
    size_t nodes = (u16(at + 12) - HEAD) / 2, checked = 0;
    for (size_t n = 0; n < nodes && used[page]; n++) {
        size_t node = page * PAGE + u16(at + HEAD + 2 * n);
        bool table = u16(file + node + 4) & 2;
        for (unsigned char flag = 2; flag <= 4; flag *= 2, checked++) check_refused(node + 4, flag);
        size_t value = node + NAME + u16(file + node + 6);
        for (unsigned char flag = 2; table && flag <= 0x40; flag *= 2, checked++) check_refused(value + 4, flag);
    }
    return checked;
}

/* The pages that the later of the two heads leads to: of a small store each tree is one leaf. */
static void mark_used(unsigned char *used) {
    const unsigned char *meta =
        file[HEAD + 24 + 2 * TREE + 8] > file[PAGE + HEAD + 24 + 2 * TREE + 8] ? file : file + PAGE;
    uint64_t root;
    memcpy(&root, meta + META_TREES + 40, sizeof root);
    if (root < length / PAGE) used[root] = 1;
    memcpy(&root, meta + META_TREES + TREE + 40, sizeof root);
    assert_true(root < length / PAGE);
    used[root] = 1;
    const unsigned char *names = file + root * PAGE;
    for (size_t n = 0; n < (u16(names + 12) - HEAD) / 2; n++) {
        const unsigned char *node = names + u16(names + HEAD + 2 * n);
        memcpy(&root, node + NAME + u16(node + 6) + 40, sizeof root);
        if (root < length / PAGE) used[root] = 1;
    }
}

static void flags_that_do_not_belong_are_seen(void **state) {
    (void)state;
    if (store_is_redis() || sysconf(_SC_PAGESIZE) != PAGE || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
        SKIP_BECAUSE("flags in a file: LMDB's pages are of another size here, or there is none");
    unsigned char used[MOST / PAGE] = {0};
    size_t checked = 0;
    fill();
    read_store();
    mark_used(used);
    for (size_t page = 2; page < length / PAGE; page++)
        if (u16(file + page * PAGE + 10) == LEAF) checked += check_leaf(page, used);
    assert_true(checked > 50);
    for (size_t head = 0; head < 2; head++)
        check_refused(head * PAGE + META_TREES + 1, PAGE >> 8); /* pages of no bytes */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(flags_that_do_not_belong_are_seen)};
    return cmocka_run_group_tests(tests, stores_begin, stores_end);
}
