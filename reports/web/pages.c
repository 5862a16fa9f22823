/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pages in one file, with the lab in them. */
#include "reports/web/pages.h"

#include <limits.h>
#include <nettle/base64.h>
#include <nettle/sha2.h>
#include <unistd.h>

#include "reports/runs/build.h"

/* ---- The parts of each page ---- */

typedef struct part {
    const char *begin, *end;
} part;

#define PART(name) extern const char fp_table_##name[], fp_table_##name##_end[];
PART(common_css)
PART(common_js)
PART(lab_js)
PART(classroom_css)
PART(classroom_js)
PART(classroom_corpus)
PART(playground_css)
PART(playground_js)
#undef PART
#define PART(name) \
    { fp_table_##name, fp_table_##name##_end }

struct fp_web_page {
    const char *name, *title_en, *title_zh; /* plain text */
    part styles[3], scripts[4]; /* one after the other, ended by NULL: they hold no end of their element. The
                                   last script fills <main id="page"> */
    part corpus;                /* for the script, as the module; NULL: none */
};

static const fp_web_page PAGES[] = {{"classroom",
                                     "Text fingerprints: a lesson",
                                     "文本指纹：一堂课",
                                     {PART(common_css), PART(classroom_css)},
                                     {PART(lab_js), PART(common_js), PART(classroom_js)},
                                     PART(classroom_corpus)},
                                    {"playground",
                                     "Text fingerprints: a playground",
                                     "文本指纹：练习场",
                                     {PART(playground_css)},
                                     {PART(lab_js), PART(playground_js)},
                                     {NULL, NULL}}};

const fp_web_page *fp_web_page_at(size_t at) { return at < sizeof PAGES / sizeof *PAGES ? PAGES + at : NULL; }

const char *fp_web_page_name(const fp_web_page *page) { return page->name; }

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
static void put_hash(FILE *to, const part *parts) {
    struct sha256_ctx context;
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_init(&context);
    for (; parts->begin; parts++)
        sha256_update(&context, (size_t)(parts->end - parts->begin), (const uint8_t *)parts->begin);
    sha256_digest(&context, sizeof digest, digest);
    fputs("'sha256-", to);
    put_base64(to, (fp_string){(const char *)digest, sizeof digest});
    fputc('\'', to);
}

/* 'wasm-unsafe-eval' allows compiling WebAssembly, but no script; blob: allows the worker that runs it. */
static void put_policy(FILE *to, const fp_web_page *page) {
    fputs("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src ", to);
    put_hash(to, page->styles);
    fputs("; script-src ", to);
    put_hash(to, page->scripts);
    fputs(" 'wasm-unsafe-eval'; worker-src blob:; base-uri 'none'; form-action 'none'\">\n", to);
}

/* ---- The module: a file beside the program, since not every build has the tools to make it ---- */

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
    char *data = fp_arena_raw(arena, (size_t)length + 1, 1);
    if (fread(data, 1, (size_t)length, file) != (size_t)length) return fp_file_error(error, path, "read");
    *bytes = (fp_string){data, (size_t)length};
    return FP_OK;
}

/* Of the same sources and tables as this program: at its end, unpacked, stands a section (WebAssembly, 5.5.3) "fplab"
 * with the digest of what it was made of (reports/lab/lab.mk). */
static fp_status check_digest(const char *path, fp_arena *arena, fp_error *error) {
    FP_SCRATCH(scratch, arena, error);
    fp_string unpacked;
    FP_TRY(fp_read_file(path, scratch, &unpacked, error));
    if (fp_string_ends(unpacked, fp_string_of(fp_format(scratch, "\005fplab%s", fp_build_lab)))) return FP_OK;
    return FP_FAIL_AT(
        error, FP_ERROR_ABI, path,
        "made of other sources than this program, whose figures it may not give; `make pages` makes it anew");
}

/* lab.wasm.gz, as it is: of the build tree, or installed with the program, whichever the program belongs to. */
static fp_status read_module(fp_arena *arena, fp_string *bytes, fp_error *error) {
    char program[PATH_MAX];
    fp_string directory = program_directory(program);
    for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++) {
        const char *path = fp_format(arena, "%.*s%s", (int)directory.length, directory.data, PLACES[i]);
        FILE *file = fopen(path, "rb");
        if (!file) continue;
        fp_status status = read_packed(file, path, arena, bytes, error);
        fclose(file);
        return status == FP_OK ? check_digest(path, arena, error) : status;
    }
    return fp_fail(
        error, FP_ERROR_IO,
        "the page runs the lab as WebAssembly, which is not built: `make pages` does, with clang-14, lld-14, "
        "llvm-14, wasi-libc and libclang-rt-14-dev-wasm32");
}

/* ---- The page ---- */

static void put_parts(FILE *to, const char *element, const part *parts) {
    fprintf(to, "<%s>", element);
    for (; parts->begin; parts++) fwrite(parts->begin, 1, (size_t)(parts->end - parts->begin), to);
    fprintf(to, "</%s>\n", element);
}

static void put_text(FILE *to, const char *text) {
    for (; *text; text++) {
        if (*text == '<') fputs("&lt;", to);
        else if (*text == '&') fputs("&amp;", to);
        else fputc(*text, to);
    }
}

/* Bytes for the script, in an element of that id. */
static void put_data(FILE *to, const char *id, fp_string bytes) {
    fprintf(to, "<script type=\"application/octet-stream\" id=\"%s\">", id);
    put_base64(to, bytes);
    fputs("</script>\n", to);
}

fp_status fp_web_page_write(FILE *to, const fp_web_page *page, fp_web_language language, fp_arena *arena,
                            fp_error *error) {
    static const char *const OPENS[] = {"", "en", "zh"};
    bool chinese = language == FP_WEB_ZH;
    fp_string module;
    FP_TRY(read_module(arena, &module, error));
    fprintf(to, "<!DOCTYPE html>\n<html lang=\"%s\" data-opens=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n",
            chinese ? "zh-CN" : "en", OPENS[language]);
    put_policy(to, page);
    fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n<title>",
          to);
    put_text(to, chinese ? page->title_zh : page->title_en);
    fputs("</title>\n", to);
    put_parts(to, "style", page->styles);
    fputs(
        "</head>\n<body>\n<noscript><p>This page needs JavaScript.</p><p lang=\"zh-CN\">本页需要 JavaScript。</p></noscript>\n"
        "<main id=\"page\"></main>\n",
        to);
    put_data(to, "lab", module);
    if (page->corpus.begin)
        put_data(to, "corpus", (fp_string){page->corpus.begin, (size_t)(page->corpus.end - page->corpus.begin)});
    put_parts(to, "script", page->scripts);
    fputs("</body>\n</html>\n", to);
    return FP_OK;
}
