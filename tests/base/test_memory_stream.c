/* SPDX-License-Identifier: GPL-3.0-or-later
 * Streams into memory: they hold what was written, and tell where they could not. */
#include "base/memory_stream.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "tests/support.h"

/* Pieces of 0 … 4,999 bytes, all 256 of them, and single ones: more than a stream holds back. */
static void what_is_written_is_there(void **state) {
    (void)state;
    enum { LONGEST = 5000 };
    fp_memory_stream made;
    unsigned char piece[LONGEST];
    size_t written = 0;
    for (size_t i = 0; i < LONGEST; i++) piece[i] = (unsigned char)(i * 7);
    ASSERT_GOOD(fp_memory_stream_open(&made, &test_error));
    for (size_t length = 0; length < LONGEST; length += 83) {
        assert_int_equal(fwrite(piece, 1, length, made.stream), length);
        assert_int_equal(fputc('!', made.stream), '!');
        written += length + 1;
    }
    ASSERT_GOOD(fp_memory_stream_close(&made, &test_error));
    assert_int_equal(made.length, written);
    assert_int_equal(made.text[written], '\0');
    for (size_t length = 0, at = 0; length < LONGEST; at += length + 1, length += 83) {
        assert_memory_equal(made.text + at, piece, length);
        assert_int_equal(made.text[at + length], '!');
    }
    fp_memory_stream_discard(&made);
    assert_null(made.text);
}

static void nothing_written_is_an_empty_text(void **state) {
    (void)state;
    fp_memory_stream made, never = {0};
    ASSERT_GOOD(fp_memory_stream_open(&made, &test_error));
    ASSERT_GOOD(fp_memory_stream_close(&made, &test_error));
    assert_int_equal(made.length, 0);
    assert_string_equal(made.text, "");
    fp_memory_stream_discard(&made);
    fp_memory_stream_discard(&made);
    fp_memory_stream_discard(&never);
    ASSERT_GOOD(fp_memory_stream_open(&made, &test_error));
    fputs("forgotten", made.stream);
    fp_memory_stream_discard(&made);
    assert_null(made.stream);
}

/* 64 MiB into a process that may have 16 more than it has. */
static void too_little_memory_is_told(void **state) {
    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    SKIP_BECAUSE("a sanitizer takes more of the address space than a limit would leave");
#else
    enum { MEBIBYTE = 1 << 20 };
    static char piece[MEBIBYTE];
    struct rlimit before, tight;
    fp_memory_stream made;
    unsigned long pages;
    FILE *facts = fopen("/proc/self/statm", "re");
    if (!facts || fscanf(facts, "%lu", &pages) != 1) SKIP_BECAUSE("no /proc/self/statm");
    fclose(facts);
    ASSERT_GOOD(fp_memory_stream_open(&made, &test_error));
    memset(piece, 'x', sizeof piece);
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    tight = before;
    tight.rlim_cur = (rlim_t)pages * (rlim_t)getpagesize() + 16 * (rlim_t)MEBIBYTE;
    assert_int_equal(setrlimit(RLIMIT_AS, &tight), 0);
    void *probe = mmap(NULL, 64 * (size_t)MEBIBYTE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (probe != MAP_FAILED) {
        munmap(probe, 64 * (size_t)MEBIBYTE);
        setrlimit(RLIMIT_AS, &before);
        fp_memory_stream_discard(&made);
        SKIP_BECAUSE("limits of memory are not kept here, as in an emulator");
    }
    for (int i = 0; i < 64; i++) fwrite(piece, 1, sizeof piece, made.stream);
    fp_status status = fp_memory_stream_close(&made, &test_error);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_int_equal(status, FP_ERROR_MEMORY);
    assert_null(made.text);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_there),
        cmocka_unit_test(nothing_written_is_an_empty_text),
        cmocka_unit_test(too_little_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
