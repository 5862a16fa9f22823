/* SPDX-License-Identifier: GPL-3.0-or-later
 * One harness for all targets. With libFuzzer: fuzz --target=NAME, then what libFuzzer takes. Without it (replay) each
 * argument is a directory of inputs, called as its target. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static const fuzz_target *chosen;
static fp_arena *arena;
static char directory[64];

/* ---- Files ---- */

static void remove_directory(void) {
    DIR *all = *directory ? opendir(directory) : NULL;
    if (!all) return;
    for (struct dirent *entry; (entry = readdir(all));) unlinkat(dirfd(all), entry->d_name, 0);
    closedir(all);
    rmdir(directory);
}

static void make_directory(void) {
    snprintf(directory, sizeof directory, "%s/fplab-fuzz-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (!mkdtemp(directory)) {
        perror(directory);
        exit(1);
    }
    atexit(remove_directory);
}

const char *fuzz_path(const char *name, fp_arena *in) {
    if (!*directory) make_directory();
    return fp_format(in, "%s/%s", directory, name);
}

const char *fuzz_file(const char *name, fp_string content, fp_arena *in) {
    const char *path = fuzz_path(name, in);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(content.data, 1, content.length, file) != content.length || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
    return path;
}

fp_string fuzz_content(const char *path, fp_arena *in) {
    struct stat facts;
    FILE *file = fopen(path, "rb");
    if (!file) return (fp_string){NULL, 0};
    FUZZ_DEMAND(fstat(fileno(file), &facts) == 0);
    char *content = fp_arena_raw(in, (size_t)facts.st_size + 1, 1);
    size_t length = fread(content, 1, (size_t)facts.st_size, file);
    fclose(file);
    return (fp_string){content, length};
}

/* ---- Targets ---- */

static void list(void) {
    for (chosen = fuzz_targets; chosen->name; chosen++) puts(chosen->name);
    exit(0);
}

static bool choose(const char *name) {
    for (chosen = fuzz_targets; chosen->name; chosen++)
        if (strcmp(chosen->name, name) == 0) return true;
    fprintf(stderr, "there is no target %s; there are:", name);
    for (chosen = fuzz_targets; chosen->name; chosen++) fprintf(stderr, " %s", chosen->name);
    fputc('\n', stderr);
    return false;
}

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    static const char OPTION[] = "--target=";
    const char *name = "";
    for (int i = 1; i < *count; i++)
        if (strcmp((*arguments)[i], "--list") == 0) list();
        else if (strncmp((*arguments)[i], OPTION, sizeof OPTION - 1) == 0) name = (*arguments)[i] + sizeof OPTION - 1;
    if (!choose(name)) exit(2);
    return 0;
}

/* The bytes in a piece of their own, so that reading beyond them is seen. */
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    if (!arena) arena = fp_arena_new();
    char *copy = malloc(size ? size : 1);
    if (size) memcpy(copy, data, size);
    chosen->run((fp_string){copy, size}, arena);
    enum { LARGE = 1 << 20 };
    bool large = fp_arena_used(arena) > LARGE;
    fp_arena_reset(arena);
    if (large) fp_arena_free(arena);
    if (large) arena = NULL;
    free(copy);
    return 0;
}

#ifndef FUZZ_ENGINE
/* ---- Without libFuzzer ---- */

static size_t replay(const char *from) {
    size_t inputs = 0;
    DIR *all = opendir(from);
    for (struct dirent *entry; all && (entry = readdir(all));) {
        if (*entry->d_name == '.') continue;
        fp_arena *in = fp_arena_new();
        fp_string content = fuzz_content(fp_format(in, "%s/%s", from, entry->d_name), in);
        LLVMFuzzerTestOneInput((const unsigned char *)content.data, content.length);
        fp_arena_free(in);
        inputs++;
    }
    if (all) closedir(all);
    return inputs;
}

int main(int count, char **arguments) {
    size_t inputs = 0;
    if (count == 2 && strcmp(arguments[1], "--list") == 0) list();
    for (int i = 1; i < count; i++) {
        const char *slash = strrchr(arguments[i], '/');
        if (!choose(slash ? slash + 1 : arguments[i])) return 2;
        size_t more = replay(arguments[i]);
        if (!more) fprintf(stderr, "no inputs in %s\n", arguments[i]);
        inputs += more;
    }
    printf("%zu inputs\n", inputs);
    if (arena) fp_arena_free(arena);
    return 0;
}
#endif
