/* SPDX-License-Identifier: GPL-3.0-or-later
 * Complete files out: what stands beside the place of a file is neither followed nor kept. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support.h"

typedef struct place {
    char directory[256], path[300], part[340], other[300];
} place;

static int make_place(void **state) {
    static place it;
    const char *parent = getenv("TMPDIR");
    snprintf(it.directory, sizeof it.directory, "%s/fplab-output-XXXXXX", parent && *parent ? parent : P_tmpdir);
    assert_non_null(mkdtemp(it.directory));
    snprintf(it.path, sizeof it.path, "%s/table.tsv", it.directory);
    snprintf(it.other, sizeof it.other, "%s/precious", it.directory);
    snprintf(it.part, sizeof it.part, "%s.part%ld", it.path, (long)getpid());
    *state = &it;
    return 0;
}

static int remove_place(void **state) {
    place *it = *state;
    unlink(it->path), unlink(it->part), unlink(it->other);
    assert_int_equal(rmdir(it->directory), 0); /* nothing else is left */
    return 0;
}

static void put(const char *path, const char *text) {
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

static void expect(const char *path, const char *text) {
    char content[64] = "";
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    assert_true(fread(content, 1, sizeof content - 1, stream) > 0);
    fclose(stream);
    assert_string_equal(content, text);
}

static void write_out(const place *it) {
    fp_output output;
    ASSERT_GOOD(fp_output_open(&output, it->path, &test_error));
    fputs("new", output.stream);
    ASSERT_GOOD(fp_output_close(&output, &test_error));
}

/* Who guesses the name of the temporary file cannot have another file written. */
static void a_symbolic_link_is_not_followed(void **state) {
    place *it = *state;
    put(it->other, "mine");
    assert_int_equal(symlink(it->other, it->part), 0);
    write_out(it);
    expect(it->other, "mine");
    expect(it->path, "new");
    struct stat facts;
    assert_int_equal(lstat(it->path, &facts), 0);
    assert_true(S_ISREG(facts.st_mode));
}

/* The number of a process that has been waited for is free. */
static void what_the_dead_left_is_swept(void **state) {
    place *it = *state;
    pid_t child = fork();
    if (child == 0) _exit(0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    char dead[340], second[350], living[340], foreign[340];
    snprintf(dead, sizeof dead, "%s.part%ld", it->path, (long)child);
    snprintf(second, sizeof second, "%s.part%ld-7", it->path, (long)child);
    snprintf(living, sizeof living, "%s.part%ld", it->path, (long)getppid());
    snprintf(foreign, sizeof foreign, "%s.part%ldx", it->path, (long)child);
    put(dead, "half"), put(second, "half"), put(living, "half"), put(foreign, "no part");
    write_out(it);
    assert_int_equal(access(dead, F_OK), -1);
    assert_int_equal(access(second, F_OK), -1);
    expect(living, "half");
    expect(foreign, "no part");
    unlink(living), unlink(foreign);
}

/* A device or a pipe is written, not replaced: /dev/null stays what it is. */
static void a_pipe_keeps_its_place(void **state) {
    place *it = *state;
    assert_int_equal(mkfifo(it->path, 0600), 0);
    int reader = open(it->path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    write_out(it);
    char got[8] = "";
    assert_int_equal(read(reader, got, sizeof got - 1), 3);
    assert_string_equal(got, "new");
    close(reader);
    struct stat facts;
    assert_int_equal(lstat(it->path, &facts), 0);
    assert_true(S_ISFIFO(facts.st_mode));
}

static void who_gives_up_leaves_nothing(void **state) {
    place *it = *state;
    put(it->path, "old");
    fp_output output;
    ASSERT_GOOD(fp_output_open(&output, it->path, &test_error));
    fputs("new", output.stream);
    fp_output_discard(&output);
    expect(it->path, "old");
}

#define PLACED(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)

/* Standard I/O forgets why a write failed, and what is left for the end may be nothing. */
static void a_failed_write_names_its_cause(void **state) {
    place *it = *state;
    static const char MANY[20480];
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    for (size_t size = 12288; size <= sizeof MANY; size += 1024) {
        fp_output output;
        small = before;
        small.rlim_cur = 10000;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        fp_status opened = fp_output_open(&output, it->path, &test_error);
        if (opened == FP_OK) fwrite(MANY, 1, size, output.stream);
        fp_status status = opened == FP_OK ? fp_output_close(&output, &test_error) : FP_OK;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_equal(opened, FP_OK);
        assert_int_equal(status, FP_ERROR_IO);
        if (!strstr(test_error.message, strerror(EFBIG))) fail_msg("%zu bytes: %s", size, test_error.message);
        assert_int_not_equal(access(it->path, F_OK), 0);
    }
    signal(SIGXFSZ, handler);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        PLACED(a_symbolic_link_is_not_followed), PLACED(what_the_dead_left_is_swept),    PLACED(a_pipe_keeps_its_place),
        PLACED(who_gives_up_leaves_nothing),     PLACED(a_failed_write_names_its_cause),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
