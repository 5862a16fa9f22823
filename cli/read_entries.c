/* SPDX-License-Identifier: GPL-3.0-or-later
 * Texts from files of any form. */
#include "cli/read_entries.h"

#include <string.h>

#include "cli/input.h"
#include "corpora/readers/form.h"

static void tell_skipped(void *context, const fp_error *error) {
    (void)context;
    if (error->line == SIZE_MAX) fprintf(stderr, "fplab: left out: %s: %s\n", error->file, error->message);
    else fprintf(stderr, "fplab: left out: %s:%zu: %s\n", error->file, error->line, error->message);
}

/* "jsonl, lines, csv or warc". */
static const char *list_forms(fp_arena *arena) {
    const char *names = "";
    for (size_t i = 0; names && fp_form_at(i); i++)
        names = fp_format(arena, "%s%s%s", names, i == 0 ? "" : fp_form_at(i + 1) ? ", " : " or ", fp_form_at(i)->name);
    return names ? names : "";
}

static int take_form(const fp_command *command, fp_cli_entries *texts, fp_arena *arena) {
    if (!texts->from) return -1;
    texts->options.form = fp_form_find(texts->from);
    return texts->options.form ? -1 : fp_cli_usage(command, "--from takes %s, not %s", list_forms(arena), texts->from);
}

static int take_separator(const fp_command *command, fp_cli_entries *texts) {
    const char *sign = texts->separator;
    if (!sign) return -1;
    if (strcmp(sign, ",") != 0 && strcmp(sign, ";") != 0)
        return fp_cli_usage(command, "--separator takes , or ; and not %s: what tabs separate is --from tsv", sign);
    texts->options.separator = *sign;
    return -1;
}

/* "a,b,c" as a list. */
static int take_columns(fp_cli_entries *texts, fp_arena *arena) {
    size_t count = 1;
    if (!texts->columns) return -1;
    for (const char *at = texts->columns; *at; at++) count += *at == ',';
    const char **names = fp_arena_raw(arena, count + 1, sizeof *names);
    char *at = fp_string_copy(arena, fp_string_of(texts->columns));
    if (!names || !at) return fp_cli_no_memory();
    count = 0;
    for (char *comma; (comma = strchr(at, ',')); at = comma + 1) {
        *comma = '\0';
        names[count++] = at;
    }
    names[count++] = at;
    names[count] = NULL;
    texts->options.columns = names;
    return -1;
}

int fp_cli_entries_open(const fp_command *command, fp_cli_entries *texts, const char *const *inputs, fp_arena *arena,
                        fp_entries **entries) {
    static const char *const STREAM[] = {"-", NULL};
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    size_t count = 0;
    int status = take_form(command, texts, arena);
    if (status < 0) status = take_separator(command, texts);
    if (status < 0) status = take_columns(texts, arena);
    if (status >= 0) return status;
    if (texts->keeps_boilerplate) texts->options.keep = FP_HTML_KEEP_ALL;
    if (!inputs[0]) inputs = STREAM;
    while (inputs[count]) count++;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(inputs[i], "-") == 0) fp_cli_await("texts, one a line,");
        fp_cli_detail("texts of %s", inputs[i]);
    }
    texts->options.most_bytes = fp_cli_most_bytes();
    texts->options.skipped = tell_skipped;
    if (fp_entries_open(inputs, count, &texts->options, arena, entries, &error) != FP_OK) return fp_cli_fail(&error);
    return -1;
}
