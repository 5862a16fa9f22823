/* SPDX-License-Identifier: GPL-3.0-or-later
 * Temporary files and directories: removed at the end of the process, by the next one, and never through a link. */
#include "base/output.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "tests/support.h"

typedef struct place {
    char root[64], path[8][128];
} place;

static void end(int number) {
    fp_temporaries_remove();
    signal(number, SIG_DFL);
    raise(number);
}

static bool is_there(const char *path) { return access(path, F_OK) == 0; }

static void write_file(const char *path) {
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs("x", stream);
    fclose(stream);
}

static int set_up(void **state) {
    place *it = calloc(1, sizeof *it);
    if (!it) return -1;
    snprintf(it->root, sizeof it->root, "/tmp/test-temporary-XXXXXX");
    if (!mkdtemp(it->root)) return -1;
    setenv("TMPDIR", it->root, 1);
    for (size_t i = 0; i < 8; i++) snprintf(it->path[i], sizeof it->path[i], "%s/%zu", it->root, i);
    *state = it;
    return 0;
}

static int tear_down(void **state) {
    place *it = *state;
    fp_remove(it->root);
    int left = is_there(it->root);
    free(it);
    return left;
}

/* Directory 0 has a directory of 300 files and a link to directory 1. */
static void make_tree(const place *it) {
    char name[256];
    assert_int_equal(mkdir(it->path[0], 0777) | mkdir(it->path[1], 0777), 0);
    snprintf(name, sizeof name, "%s/kept", it->path[1]);
    write_file(name);
    snprintf(name, sizeof name, "%s/link", it->path[0]);
    assert_int_equal(symlink(it->path[1], name), 0);
    snprintf(name, sizeof name, "%s/inner", it->path[0]);
    assert_int_equal(mkdir(name, 0777), 0);
    for (int i = 0; i < 300; i++) {
        snprintf(name, sizeof name, "%s/inner/a file with a long name, number %d", it->path[0], i);
        write_file(name);
    }
}

static void trees(void **state) {
    const place *it = *state;
    char kept[256];
    make_tree(it);
    fp_remove(it->path[0]);
    assert_false(is_there(it->path[0]));
    snprintf(kept, sizeof kept, "%s/kept", it->path[1]);
    assert_true(is_there(kept));
    write_file(it->path[2]);
    fp_remove(it->path[2]);
    assert_false(is_there(it->path[2]));
    fp_remove(it->path[2]); /* nothing is there */
}

/* A process that has a tree, an unfinished file, and one that it has released. */
static void work(const place *it) {
    static fp_output output, other;
    signal(SIGTERM, end);
    make_tree(it);
    fp_temporary_register(it->path[0]);
    if (fp_output_open(&output, it->path[2], NULL) || fp_output_open(&other, it->path[3], NULL)) _exit(1);
    if (fp_output_close(&other, NULL)) _exit(2);
    fputs("half", output.stream);
    fflush(output.stream);
    raise(SIGTERM);
    _exit(3);
}

static size_t count_entries(const char *path) {
    char command[256], line[32] = "";
    snprintf(command, sizeof command, "ls -A '%s' | wc -l", path);
    FILE *stream = popen(command, "r");
    assert_non_null(stream);
    assert_non_null(fgets(line, sizeof line, stream));
    pclose(stream);
    return strtoul(line, NULL, 10);
}

static void signals(void **state) {
    const place *it = *state;
    int status;
    pid_t child = fork();
    if (child == 0) work(it);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    assert_false(is_there(it->path[0]));
    assert_false(is_there(it->path[2]));
    assert_true(is_there(it->path[1]) && is_there(it->path[3]));
    assert_int_equal(count_entries(it->root), 2);
}

/* What a process that is gone has left goes; not that of one that lives, is locked, or is called otherwise. */
static void sweeping(void **state) {
    const place *it = *state;
    pid_t child = fork();
    if (child == 0) _exit(0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    const struct {
        long process;
        const char *name;
        bool locked, goes;
    } left[] = {{child, "fplab-report-%ld-abcdef", false, true},     {child, "fplab-rows-%ld-ABC123", false, true},
                {child, "fplab-report-%ld-abcdef", true, false},     {child, "fplab-report-%ld-abcdefg", false, false},
                {child, "fplab-report2-%ld-abcdef", false, false},   {child, "other-report-%ld-abcdef", false, false},
                {getppid(), "fplab-report-%ld-abcdef", false, false}};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        char name[64], path[256];
        fp_temporary_directory made;
        snprintf(name, sizeof name, left[i].name, left[i].process); /* NOLINT: of the table */
        snprintf(path, sizeof path, "%s/%s", it->root, name);
        assert_int_equal(mkdir(path, 0777), 0);
        int lock = left[i].locked ? open(path, O_RDONLY | O_DIRECTORY) : -1;
        if (left[i].locked) assert_int_equal(flock(lock, LOCK_EX), 0);
        ASSERT_GOOD(fp_temporary_directory_open(&made, "report", &test_error));
        assert_true(is_there(made.path));
        if (is_there(path) == left[i].goes) fail_msg("%s is %s", name, left[i].goes ? "still there" : "gone");
        fp_temporary_directory_close(&made);
        assert_false(is_there(made.path[0] ? made.path : "/nowhere"));
        if (lock >= 0) close(lock);
        fp_remove(path);
    }
    assert_int_equal(count_entries(it->root), 0);
    setenv("TMPDIR", "/nowhere", 1);
    fp_temporary_directory none;
    assert_int_equal(fp_temporary_directory_open(&none, "report", &test_error), FP_ERROR_IO);
    assert_string_equal(test_error.message, "cannot make a directory in /nowhere: No such file or directory");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(trees, set_up, tear_down),
        cmocka_unit_test_setup_teardown(signals, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sweeping, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
