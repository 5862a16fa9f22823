/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab page: pages with the lab in them, which `make pages` builds (reports/web/make_page.sh). */
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "cli/cli.h"
#include "reports/runs/build.h"

static const char *const PAGES[] = {"classroom", "playground", NULL};

/* ---- The built page: a file beside the program, since not every build has the tools to make it ---- */

/* Looks in the build tree and beside an installed program, relative to the directory of this program. */
static fp_status find_page(const char *name, fp_arena *arena, const char **path, fp_error *error) {
    static const char *const PLACES[] = {"../pages", "../share/fplab"};
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program);
    while (length > 0 && program[length - 1] != '/') length--;
    for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++) {
        *path = fp_format(arena, "%.*s%s/%s.html", length > 0 ? (int)length : 0, program, PLACES[i], name);
        if (access(*path, F_OK) == 0) return FP_OK;
    }
    return fp_fail(
        error, FP_ERROR_IO,
        "the page runs the lab as WebAssembly, which is not built: `make pages` does, with clang-14, lld-14, "
        "llvm-14, wasi-libc and libclang-rt-14-dev-wasm32");
}

/* The page without its first two lines, which name the language. Its lab must be of the sources of this program. */
static fp_status read_page(const char *name, fp_arena *arena, fp_string *rest, fp_error *error) {
    static const char START[] = "<!DOCTYPE html>\n<html lang=\"en\" data-opens=\"\">\n";
    const char *begin = fp_format(arena, "%s<head>\n<meta charset=\"utf-8\">\n<meta name=\"lab\" content=\"%s\">\n",
                                  START, fp_build_lab);
    const char *path;
    FP_TRY(find_page(name, arena, &path, error));
    FP_TRY(fp_read_file(path, arena, rest, error));
    if (!fp_string_begins(*rest, fp_string_of(begin)) || !fp_string_ends(*rest, fp_string_of("</html>\n")))
        return FP_FAIL_AT(error, FP_ERROR_ABI, path,
                          "built from other sources than this program, so its figures may differ; run `make pages`");
    *rest = (fp_string){rest->data + sizeof START - 1, rest->length - (sizeof START - 1)};
    return FP_OK;
}

/* ---- The page in a language; NULL: that of the reader's browser ---- */

static int make_page(const char *name, const char *path, const char *language, fp_arena *arena) {
    fp_error error = {0};
    fp_output output;
    fp_string rest;
    if (read_page(name, arena, &rest, &error) != FP_OK || fp_output_open(&output, path, &error) != FP_OK)
        return fp_cli_fail(&error);
    fprintf(output.stream, "<!DOCTYPE html>\n<html lang=\"%s\" data-opens=\"%s\">\n",
            language && strcmp(language, "zh") == 0 ? "zh-CN" : "en", language ? language : "");
    fwrite(rest.data, 1, rest.length, output.stream);
    /* Standard output is checked at the end of the program. */
    if (!path) return FP_EXIT_SUCCESS;
    if (fp_output_close(&output, &error) != FP_OK) return fp_cli_fail(&error);
    fp_cli_print("%s\n", path);
    return FP_EXIT_SUCCESS;
}

/* ---- The command ---- */

static int check_name(const fp_command *command, const char *name) {
    for (const char *const *page = PAGES; *page; page++)
        if (strcmp(name, *page) == 0) return FP_EXIT_SUCCESS;
    const char *nearest = fp_nearest(name, PAGES);
    return fp_cli_usage(command, "there is no page %s; %s%s%s", name, nearest ? "did you mean " : "the pages are ",
                        nearest ? nearest : "classroom and playground", nearest ? "?" : "");
}

static int run(const fp_command *command, int argc, const char **argv) {
    const char *out = NULL, *language = NULL;
    fp_option options[] = {
        {"out", 'o', FP_TAKES_TEXT(&out), "write the page here instead of to standard output", "FILE"},
        {"lang", 0, FP_TAKES_WORD(&language, "en zh"), "in which it opens: en or zh (default: the browser's)", "CODE"},
        {0}};
    FP_CLI_BEGIN(command, argc, argv, options, arguments, arena);
    if (!arguments[0] || arguments[1]) return fp_cli_usage(command, "no page given; name one: classroom, playground");
    FP_CLI_TRY(check_name(command, arguments[0]));
    if (!out && isatty(STDOUT_FILENO))
        return fp_cli_usage(command, "a page cannot be printed on a terminal; name a file, --out %s.html",
                            arguments[0]);
    return make_page(arguments[0], out, language, arena);
}

const fp_command fp_command_page = {
    .name = "page",
    .arguments = "PAGE [OPTION…]",
    .summary = "write a page that runs fplab in a browser: a lesson, a playground",
    .summary_zh = "写出可在浏览器中运行的页面：课堂、实验台",
    .details = "PAGE is one HTML file that needs neither a network nor another file: it opens from a disk or a USB\n"
               "stick. It is in English and Chinese, with a button to switch. An installation with its pages has\n"
               "both ready in share/fplab/.\n"
               "\n"
               "classroom: a lesson of 45 minutes on text fingerprints, step by step, with drawings to touch,\n"
               "exercises, a sheet to print, and notes for the teacher.\n"
               "\n"
               "playground: type or paste two texts and see them under every fingerprint, the features behind each\n"
               "bit, and a small corpus of your own evaluated in the page.",
    .examples = "  fplab page classroom --out classroom.html\n"
                "  fplab page classroom --lang zh --out classroom.html\n"
                "  fplab page playground --out playground.html",
    .run = run,
};
