/* SPDX-License-Identifier: GPL-3.0-or-later
 * Texts from files of any form. */
#include "cli/read_entries.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "base/reader.h"
#include "cli/terminal.h"
#include "corpora/readers/duckdb.h"
#include "corpora/readers/form.h"
#include "text/unicode/encoding.h"

static const char QUERY[] = "duckdb:";

static bool is_query(const char *from) { return from && strncmp(from, QUERY, strlen(QUERY)) == 0; }

void fp_cli_note_encodings(const fp_entries *entries) {
    size_t count;
    const fp_encoding_count *read = fp_entries_encodings(entries, &count);
    for (size_t i = 0; i < count && count > 1; i++)
        fp_cli_note("fplab: %zu file%s read as %s\n", read[i].files, read[i].files == 1 ? "" : "s", read[i].name);
}

void fp_cli_print_skipped(void *context, const fp_error *error) {
    (void)context;
    fp_cli_print_error("left out: ", error);
}

/* "jsonl, lines, csv or warc". */
static const char *list_forms(fp_arena *arena) {
    const char *names = "";
    for (size_t i = 0; names && fp_form_at(i); i++)
        names = fp_format(arena, "%s%s%s", names, i == 0 ? "" : fp_form_at(i + 1) ? ", " : " or ", fp_form_at(i)->name);
    return names ? names : "";
}

static int take_form(const fp_command *command, fp_cli_entries *texts, fp_arena *arena) {
    if (!texts->from || is_query(texts->from)) return FP_EXIT_SUCCESS;
    texts->options.form = fp_form_find(texts->from);
    return texts->options.form ? FP_EXIT_SUCCESS
                               : fp_cli_usage(command, "--from takes %s, not %s", list_forms(arena), texts->from);
}

static int take_separator(const fp_command *command, fp_cli_entries *texts) {
    const char *sign = texts->separator;
    if (!sign) return FP_EXIT_SUCCESS;
    if (strcmp(sign, ",") != 0 && strcmp(sign, ";") != 0)
        return fp_cli_usage(command, "--separator takes , or ;, not %s; for tabs use --from tsv", sign);
    texts->options.separator = *sign;
    return FP_EXIT_SUCCESS;
}

/* "a,b,c" as a list. */
static int take_columns(fp_cli_entries *texts, fp_arena *arena) {
    size_t count = 1;
    if (!texts->columns) return FP_EXIT_SUCCESS;
    for (const char *at = texts->columns; *at; at++) count += *at == ',';
    const char **names = fp_arena_raw(arena, count + 1, sizeof *names);
    char *at = fp_string_copy(arena, fp_string_of(texts->columns));
    count = 0;
    for (char *comma; (comma = strchr(at, ',')); at = comma + 1) {
        *comma = '\0';
        names[count++] = at;
    }
    names[count++] = at;
    names[count] = NULL;
    texts->options.columns = names;
    return FP_EXIT_SUCCESS;
}

/* ---- Queries of DuckDB ---- */

/* A file of JSON lines in a directory of its own. */
typedef struct rows_file {
    fp_temporary_directory directory;
    const char *path;
} rows_file;

/* `named` is the file that the query reads; NULL: it names its own. */
static int write_rows(const fp_duckdb_query *query, const char *named, rows_file *to, fp_arena *arena) {
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    if (fp_temporary_directory_open(&to->directory, "rows", &error) != FP_OK) return fp_cli_fail(&error);
    to->path = fp_format(arena, "%s/rows.jsonl", to->directory.path);
    fp_status status = fp_duckdb_write(query, to->path, arena, &error);
    if (status == FP_ERROR_UNKNOWN && named) fp_at(&error, status, named, SIZE_MAX, SIZE_MAX);
    return status == FP_OK ? FP_EXIT_SUCCESS : fp_cli_fail(&error);
}

/* What is open stays readable. */
static void remove_rows(rows_file *files, size_t count) {
    for (size_t i = 0; i < count; i++) fp_temporary_directory_close(&files[i].directory);
}

/* The query of --from, or one for each input that DuckDB reads: those are replaced by what it wrote. */
static int take_queries(const fp_command *command, fp_cli_entries *texts, const char **inputs, size_t *count,
                        rows_file *files, fp_arena *arena) {
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    fp_duckdb_query query = {0};
    if (is_query(texts->from)) {
        if (*count) return fp_cli_usage(command, "a query of DuckDB names its own files; remove %s", inputs[0]);
        texts->options.form = fp_form_find("jsonl");
        query.sql = texts->from + strlen(QUERY);
        int status = write_rows(&query, NULL, files, arena);
        inputs[(*count)++] = files->path;
        return status;
    }
    for (size_t i = 0; i < *count; i++) {
        if (texts->options.form) break;
        if (fp_duckdb_query_of(inputs[i], arena, &query, &error) != FP_OK) return fp_cli_fail(&error);
        FP_CLI_TRY(query.sql ? write_rows(&query, inputs[i], files + i, arena) : FP_EXIT_SUCCESS);
        if (query.sql) inputs[i] = files[i].path;
    }
    return FP_EXIT_SUCCESS;
}

/* ---- All ---- */

static int open_inputs(const fp_command *command, fp_cli_entries *texts, const char *const *named, size_t count,
                       fp_arena *arena, fp_entries **entries) {
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    const char **inputs = fp_arena_raw(arena, count + 2, sizeof *inputs);
    rows_file *files = fp_arena_alloc(arena, count + 1, sizeof *files);
    if (count) memcpy(inputs, named, count * sizeof *inputs);
    size_t opened = count;
    int status = take_queries(command, texts, inputs, &opened, files, arena);
    if (status == FP_EXIT_SUCCESS && opened == 0) inputs[opened++] = "-";
    for (size_t i = 0; status == FP_EXIT_SUCCESS && i < opened; i++) {
        if (strcmp(inputs[i], "-") == 0) fp_cli_await("texts, one a line, or JSON lines,");
        fp_cli_detail("texts of %s", inputs[i]);
    }
    fp_status done =
        status == FP_EXIT_SUCCESS ? fp_entries_open(inputs, opened, &texts->options, arena, entries, &error) : FP_OK;
    /* The form is for the user to name. */
    if (done != FP_OK) status = fp_cli_fail(&error);
    if (done == FP_ERROR_UNKNOWN) status = FP_EXIT_USAGE;
    const char *form;
    for (size_t i = 0; status == FP_EXIT_SUCCESS && (form = fp_entries_recognised(*entries, &i)); i++)
        fp_cli_note("fplab: %s: read as %s, by its first lines; --from lines takes each line as a text\n",
                    fp_path_shown(fp_entries_path(*entries, i)), form);
    remove_rows(files, count + 1);
    return status;
}

/* Whether it is a known one; NULL: UTF-8. */
static int check_encoding(const fp_command *command, const char *encoding, fp_arena *arena) {
    fp_error error = {0};
    fp_string none = {"", 0}, text;
    if (!encoding || fp_to_utf8(none, encoding, false, arena, &text, NULL, &error) != FP_ERROR_UNKNOWN)
        return FP_EXIT_SUCCESS;
    return fp_cli_usage(command, "%s", error.message);
}

int fp_cli_entries_check(const fp_command *command, fp_cli_entries *texts, fp_arena *arena) {
    FP_CLI_TRY(take_form(command, texts, arena));
    FP_CLI_TRY(take_separator(command, texts));
    FP_CLI_TRY(take_columns(texts, arena));
    return check_encoding(command, texts->options.encoding, arena);
}

int fp_cli_entries_open(const fp_command *command, fp_cli_entries *texts, const char *const *inputs, fp_arena *arena,
                        fp_entries **entries) {
    size_t count = 0;
    if (texts->keeps_boilerplate) texts->options.keep = FP_HTML_KEEP_ALL;
    texts->options.most_bytes = fp_cli_max_size();
    texts->options.skipped = fp_cli_print_skipped;
    while (inputs[count]) count++;
    return open_inputs(command, texts, inputs, count, arena, entries);
}

/* ---- Texts that the user names ---- */

static void note_encoding(const char *path, const fp_encoding_report *report) {
    if (report->detected && report->confidence < 100)
        fp_cli_note("fplab: %s: read as %s (confidence %d of 100)\n", path, report->name, report->confidence);
    if (report->replaced)
        fprintf(stderr, "fplab: %s: replaced %zu invalid %s\n", path, report->replaced,
                fp_cli_word(report->replaced, "sequence", "sequences"));
}

static bool replaces(const fp_cli_input *input) { return input->invalid && strcmp(input->invalid, "replace") == 0; }

int fp_cli_input_check(const fp_command *command, const fp_cli_input *input, fp_arena *arena) {
    return check_encoding(command, input->encoding, arena);
}

int fp_cli_text(const fp_cli_input *input, const char *argument, fp_arena *arena, fp_string *text) {
    fp_error error = {0};
    fp_string raw = fp_string_of(argument);
    fp_encoding_report report = {0};
    if (!input->literal && strcmp(argument, "-") == 0) fp_cli_await("a text");
    if (!input->literal && fp_read_file_within(argument, fp_cli_most_bytes(), arena, &raw, &error) != FP_OK) {
        if (access(argument, F_OK) != 0) {
            size_t length = strlen(error.message);
            snprintf(error.message + length, sizeof error.message - length,
                     "; with --text the argument is the text itself");
        }
        return fp_cli_fail(&error);
    }
    const char *encoding = input->encoding && !input->literal ? input->encoding : "utf-8";
    fp_status status = fp_to_utf8(raw, encoding, replaces(input), arena, text, &report, &error);
    if (status != FP_OK) {
        fp_at(&error, status, input->literal ? "" : argument, error.line, error.byte);
        return fp_cli_fail(&error);
    }
    note_encoding(argument, &report);
    if (!input->literal) fp_cli_detail("%s: %zu bytes, %s", argument, raw.length, encoding);
    return FP_EXIT_SUCCESS;
}

fp_status fp_cli_pair_rows(const char *path, fp_score_take take, void *context, fp_arena *arena, fp_error *error) {
    fp_string content;
    FP_TRY(fp_read_file_within(path, fp_cli_most_bytes(), arena, &content, error));
    return fp_pair_rows(content, fp_path_shown(path), take, context, error);
}

void fp_cli_await(const char *what) {
    if (!isatty(STDIN_FILENO)) return;
    fp_cli_note("fplab: reading %s from the terminal; end with Ctrl-D\n", what);
}

bool fp_cli_colours(void) {
    const char *term = getenv("TERM"), *no_colour = getenv("NO_COLOR");
    return fp_cli_has_terminal() && term && strcmp(term, "dumb") != 0 && !(no_colour && *no_colour);
}
