/* SPDX-License-Identifier: GPL-3.0-or-later
 * Texts that the user names. */
#include "cli/input.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/terminal/pager.h"
#include "text/unicode/encoding.h"

static void tell_report(const char *path, const fp_encoding_report *report) {
    if (report->detected && report->confidence < 100)
        fp_cli_note("fplab: %s: read as %s (confidence %d of 100)\n", path, report->name, report->confidence);
    if (report->replaced)
        fprintf(stderr, "fplab: %s: replaced %zu invalid %s\n", path, report->replaced,
                fp_cli_word(report->replaced, "sequence", "sequences"));
}

static bool replaces(const fp_cli_input *input) { return input->invalid && strcmp(input->invalid, "replace") == 0; }

int fp_cli_encoding_check(const fp_command *command, const char *encoding, fp_arena *arena) {
    fp_error error = {0};
    fp_string none = {"", 0}, text;
    if (!encoding || fp_to_utf8(none, encoding, false, arena, &text, NULL, &error) != FP_ERROR_UNKNOWN) return -1;
    return fp_cli_usage(command, "%s", error.message);
}

int fp_cli_input_check(const fp_command *command, const fp_cli_input *input, fp_arena *arena) {
    if (input->invalid && !replaces(input) && strcmp(input->invalid, "fail") != 0)
        return fp_cli_usage(command, "--invalid takes fail or replace, not %s", input->invalid);
    return fp_cli_encoding_check(command, input->encoding, arena);
}

int fp_cli_text(const fp_cli_input *input, const char *argument, fp_arena *arena, fp_string *text) {
    fp_error error = {0};
    fp_string raw = fp_string_of(argument);
    fp_encoding_report report = {0};
    if (!input->literal && strcmp(argument, "-") == 0) fp_cli_await("a text");
    if (!input->literal && fp_read_file_within(argument, fp_cli_most_bytes(), arena, &raw, &error) != FP_OK)
        return fp_cli_fail(&error);
    const char *encoding = input->encoding && !input->literal ? input->encoding : "utf-8";
    fp_status status = fp_to_utf8(raw, encoding, replaces(input), arena, text, &report, &error);
    if (status != FP_OK) {
        fp_at(&error, status, input->literal ? "" : argument, error.line, error.byte);
        return fp_cli_fail(&error);
    }
    tell_report(argument, &report);
    if (!input->literal) fp_cli_detail("%s: %zu bytes, %s", argument, raw.length, encoding);
    return -1;
}

void fp_cli_await(const char *what) {
    if (!isatty(STDIN_FILENO)) return;
    fp_cli_note("fplab: reading %s from the terminal; end with Ctrl-D\n", what);
}

bool fp_cli_colours(void) {
    const char *term = getenv("TERM"), *no_colour = getenv("NO_COLOR");
    return fp_cli_has_terminal() && term && strcmp(term, "dumb") != 0 && !(no_colour && *no_colour);
}
