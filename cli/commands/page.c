/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab page: pages with the lab in them. */
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "reports/web/pages.h"

static fp_web_language language_of(const char *name) {
    return !name ? FP_WEB_READER : strcmp(name, "en") == 0 ? FP_WEB_EN : FP_WEB_ZH;
}

static int write_to(const char *path, const fp_web_page *page, fp_web_language language, fp_arena *arena) {
    fp_error error = {0};
    fp_output output;
    if (fp_output_open(&output, path, &error) != FP_OK) return fp_cli_fail(&error);
    fp_status status = fp_web_page_write(output.stream, page, language, arena, &error);
    /* Standard output is checked at the end of the program. */
    if (status == FP_OK && !path) return FP_EXIT_SUCCESS;
    if (fp_output_end(&output, status, &error) != FP_OK) return fp_cli_fail(&error);
    fp_cli_print("%s\n", path);
    return FP_EXIT_SUCCESS;
}

static int make_page(const fp_command *command, const char *name, const char *out, fp_web_language language,
                     fp_arena *arena) {
    enum { MOST_PAGES = 8 };
    const char *names[MOST_PAGES] = {0}, *nearest;
    const fp_web_page *page;
    for (size_t i = 0; (page = fp_web_page_at(i)); i++) {
        names[i] = fp_web_page_name(page);
        if (strcmp(name, names[i]) != 0) continue;
        if (!out && isatty(STDOUT_FILENO))
            return fp_cli_usage(command, "a page cannot be printed on a terminal; name a file, --out %s.html", name);
        return write_to(out, page, language, arena);
    }
    nearest = fp_nearest(name, names);
    return fp_cli_usage(command, "there is no page %s; %s%s%s", name, nearest ? "did you mean " : "the pages are ",
                        nearest ? nearest : "classroom and playground", nearest ? "?" : "");
}

static int run(const fp_command *command, int argc, const char **argv) {
    const char *out = NULL, *language_name = NULL;
    fp_option options[] = {
        {"out", 'o', FP_TAKES_TEXT(&out), "write the page here instead of to standard output", "FILE"},
        {"lang", 0, FP_TAKES_WORD(&language_name, "en zh"), "in which it opens: en or zh (default: the browser's)",
         "CODE"},
        {0}};
    FP_CLI_BEGIN(command, argc, argv, options, arguments, arena);
    if (!arguments[0] || arguments[1]) return fp_cli_usage(command, "no page given; name one: classroom, playground");
    return make_page(command, arguments[0], out, language_of(language_name), arena);
}

const fp_command fp_command_page = {
    .name = "page",
    .arguments = "PAGE [OPTION…]",
    .summary = "write a page that runs fplab in a browser: a lesson, a playground",
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
