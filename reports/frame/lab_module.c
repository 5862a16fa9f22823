/* SPDX-License-Identifier: GPL-3.0-or-later
 * The script and the module. */
#include "reports/frame/lab_module.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "reports/runs/build.h"

extern const char fp_table_lab_js[], fp_table_lab_js_end[];

fp_string fp_lab_script(void) { return (fp_string){fp_table_lab_js, (size_t)(fp_table_lab_js_end - fp_table_lab_js)}; }

/* From the directory of the program. */
static const char *const PLACES[] = {"../pages/lab.wasm.gz", "../share/fplab/lab.wasm.gz"};

/* The directory of the running program, with its last slash; empty where the system does not tell. */
static fp_string program_directory(char path[PATH_MAX]) {
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
    while (length > 0 && path[length - 1] != '/') length--;
    return (fp_string){path, length > 0 ? (size_t)length : 0};
}

/* Whole and as it is: fp_read_file would unpack it. */
static fp_status read_packed(FILE *file, const char *path, fp_arena *arena, fp_string *bytes, fp_error *error) {
    if (fseek(file, 0, SEEK_END) != 0) return fp_file_error(error, path, "read");
    long length = ftell(file);
    if (length < 0) return fp_file_error(error, path, "read");
    rewind(file);
    char *data = fp_arena_raw(arena, (size_t)length + 1, 1);
    if (!data) return fp_no_memory(error);
    if (fread(data, 1, (size_t)length, file) != (size_t)length) return fp_file_error(error, path, "read");
    *bytes = (fp_string){data, (size_t)length};
    return FP_OK;
}

/* Of the same sources and tables as this program: the section at its end says so (reports/lab/lab.mk). */
static fp_status check_digest(const char *path, fp_error *error) {
    fp_arena *arena = fp_arena_new();
    fp_string unpacked;
    if (!arena) return fp_no_memory(error);
    fp_status status = fp_read_file(path, arena, &unpacked, error);
    const char *section = fp_format(arena, "\005fplab%s", fp_build_lab);
    if (status == FP_OK && !section) status = fp_no_memory(error);
    if (status == FP_OK && !fp_string_ends(unpacked, fp_string_of(section)))
        status = fp_at(error,
                       fp_fail(error, FP_ERROR_ABI,
                               "made of other sources than this program, whose figures it may not give; `make pages` "
                               "makes it anew"),
                       path, SIZE_MAX, SIZE_MAX);
    fp_arena_free(arena);
    return status;
}

fp_status fp_lab_module(fp_arena *arena, fp_string *bytes, fp_error *error) {
    char program[PATH_MAX];
    fp_string directory = program_directory(program);
    for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++) {
        const char *path = fp_format(arena, "%.*s%s", (int)directory.length, directory.data, PLACES[i]);
        FILE *file = path ? fopen(path, "rb") : NULL;
        if (!path) return fp_no_memory(error);
        if (!file) continue;
        fp_status status = read_packed(file, path, arena, bytes, error);
        fclose(file);
        return status == FP_OK ? check_digest(path, error) : status;
    }
    return fp_fail(
        error, FP_ERROR_IO,
        "the page runs the lab as WebAssembly, which is not built: `make pages` does, with clang-14, lld-14, "
        "llvm-14, wasi-libc and libclang-rt-14-dev-wasm32");
}
