/* SPDX-License-Identifier: GPL-3.0-or-later
 * A page in one file. */
#include "reports/web/frame.h"

#include <limits.h>
#include <nettle/base64.h>
#include <nettle/sha2.h>
#include <string.h>
#include <unistd.h>

#include "reports/runs/build.h"

/* ---- Base64 (RFC 4648) ---- */

enum { PIECE = 3 * 1024 }; /* whole groups of three bytes, so that pieces join without padding between them */

static void put_base64(FILE *to, fp_string bytes) {
    char encoded[BASE64_ENCODE_RAW_LENGTH(PIECE)];
    for (size_t at = 0; at < bytes.length; at += PIECE) {
        size_t length = bytes.length - at < PIECE ? bytes.length - at : PIECE;
        base64_encode_raw(encoded, length, (const uint8_t *)bytes.data + at);
        fwrite(encoded, 1, BASE64_ENCODE_RAW_LENGTH(length), to);
    }
}

/* ---- The content security policy ---- */

/* The source expression for the parts of one element (CSP 3, 2.3.1). */
static void put_hash(FILE *to, const fp_string *parts) {
    struct sha256_ctx context;
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_init(&context);
    for (; parts->data; parts++) sha256_update(&context, parts->length, (const uint8_t *)parts->data);
    sha256_digest(&context, sizeof digest, digest);
    fputs("'sha256-", to);
    put_base64(to, (fp_string){(const char *)digest, sizeof digest});
    fputc('\'', to);
}

/* 'wasm-unsafe-eval' allows compiling WebAssembly, but no script; blob: allows the worker that runs it. */
static void put_policy(FILE *to, const fp_frame *frame) {
    fputs("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src ", to);
    put_hash(to, frame->styles);
    fputs("; script-src ", to);
    put_hash(to, frame->scripts);
    fputs(" 'wasm-unsafe-eval'; worker-src blob:; base-uri 'none'; form-action 'none'\">\n", to);
}

/* ---- The page ---- */

static void put_parts(FILE *to, const char *element, const fp_string *parts) {
    fprintf(to, "<%s>", element);
    for (; parts->data; parts++) fwrite(parts->data, 1, parts->length, to);
    fprintf(to, "</%s>\n", element);
}

static void put_text(FILE *to, const char *text) {
    for (; *text; text++) {
        if (*text == '<') fputs("&lt;", to);
        else if (*text == '&') fputs("&amp;", to);
        else fputc(*text, to);
    }
}

void fp_frame_write(FILE *to, const fp_frame *frame) {
    static const char *const OPENS[] = {"", "en", "zh"};
    bool chinese = frame->language == FP_FRAME_ZH;
    fprintf(to, "<!DOCTYPE html>\n<html lang=\"%s\" data-opens=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n",
            chinese ? "zh-CN" : "en", OPENS[frame->language]);
    put_policy(to, frame);
    fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n<title>",
          to);
    put_text(to, chinese ? frame->title_zh : frame->title_en);
    fputs("</title>\n", to);
    put_parts(to, "style", frame->styles);
    fputs(
        "</head>\n<body>\n<noscript><p>This page needs JavaScript.</p><p lang=\"zh-CN\">本页需要 JavaScript。</p></noscript>\n"
        "<main id=\"page\"></main>\n",
        to);
    for (const fp_frame_data *data = frame->data; data->id; data++) {
        fprintf(to, "<script type=\"application/octet-stream\" id=\"%s\">", data->id);
        put_base64(to, data->bytes);
        fputs("</script>\n", to);
    }
    put_parts(to, "script", frame->scripts);
    fputs("</body>\n</html>\n", to);
}

/* ---- The script and the module ---- */

extern const char fp_table_lab_js[], fp_table_lab_js_end[];

fp_string fp_lab_script(void) { return (fp_string){fp_table_lab_js, (size_t)(fp_table_lab_js_end - fp_table_lab_js)}; }

/* Relative to the directory of the program. */
static const char *const PLACES[] = {"../pages/lab.wasm.gz", "../share/fplab/lab.wasm.gz"};

/* The directory of the running program, with its last slash; empty if the system does not provide it. */
static fp_string program_directory(char path[PATH_MAX]) {
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
    while (length > 0 && path[length - 1] != '/') length--;
    return (fp_string){path, length > 0 ? (size_t)length : 0};
}

/* Reads the whole file, still packed: fp_read_file would unpack it. */
static fp_status read_packed(FILE *file, const char *path, fp_arena *arena, fp_string *bytes, fp_error *error) {
    if (fseek(file, 0, SEEK_END) != 0) return fp_file_error(error, path, "read");
    long length = ftell(file);
    if (length < 0) return fp_file_error(error, path, "read");
    rewind(file);
    char *data = FP_NEED(fp_arena_raw(arena, (size_t)length + 1, 1), error);
    if (fread(data, 1, (size_t)length, file) != (size_t)length) return fp_file_error(error, path, "read");
    *bytes = (fp_string){data, (size_t)length};
    return FP_OK;
}

/* Checks by the section at the module's end that it is of this program's sources and tables (reports/lab/lab.mk). */
static fp_status check_digest(const char *path, fp_error *error) {
    fp_arena *arena = FP_NEED(fp_arena_new(), error);
    fp_string unpacked;
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
