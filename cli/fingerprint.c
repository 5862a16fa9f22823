/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab fingerprint: one text in, its fingerprint out; a filter for lines, or all documents of a corpus. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "eval/experiment.h"
#include "text/utf8.h"

/* ---- A corpus ---- */

static int print_corpus(const char *path, fp_arm *arm, fp_format_kind format, fp_arena *arena) {
    fp_corpus corpus;
    int status = fp_cli_corpus(path, false, arena, &corpus);
    if (status >= 0) return status;
    fp_error error = {0};
    fp_measurement measurement;
    fp_progress progress = fp_cli_progress();
    if (fp_experiment_sketches(&corpus, &arm, 1, &progress, arena, &measurement, &error) != FP_OK)
        return fp_cli_fail(&error);
    fp_cli_progress_end();
    fp_table *table = fp_table_new("id|fingerprint", arena);
    for (size_t i = 0; table && i < corpus.document_count; i++) {
        const char *text = fp_arm_text(arm, fp_sketches_at(&measurement.sketches, i), arena);
        fp_table_string(table, corpus.documents[i].id);
        fp_table_text(table, text ? text : "");
    }
    fp_measurement_free(&measurement);
    return fp_cli_write(table, format);
}

/* ---- Lines ---- */

typedef struct lines {
    fp_string *text;
    size_t count, capacity;
} lines;

static fp_status check_line(fp_string text, const char *path, size_t number, size_t offset, fp_error *error) {
    size_t valid = fp_utf8_check(text);
    if (valid == text.length) return FP_OK;
    fp_fail(error, FP_ERROR_ENCODING, "invalid UTF-8");
    return fp_at(error, path, number, offset + valid);
}

static fp_status print_line(const fp_arm *arm, fp_string text, size_t number, fp_arena *scratch, fp_error *error) {
    fp_sketch sketch;
    FP_TRY(fp_arm_sketch(arm, text, scratch, &sketch, error));
    const char *written = fp_arm_text(arm, sketch, scratch);
    if (!written) return fp_no_memory(error);
    printf("%zu\t%s\n", number, written);
    return FP_OK;
}

/* Line by line, so that it works at the end of a pipe that goes on. */
static fp_status stream_lines(const fp_arm *arm, FILE *stream, const char *path, fp_arena *scratch, fp_error *error) {
    char *line = NULL;
    size_t capacity = 0, number = 0, offset = 0;
    ssize_t length;
    fp_status status = FP_OK;
    printf("id\tfingerprint\n");
    while (status == FP_OK && (length = getline(&line, &capacity, stream)) >= 0) {
        fp_string rest = {line, (size_t)length}, text = {line, 0};
        fp_next_line(&rest, &text);
        fp_arena_reset(scratch);
        status = check_line(text, path, ++number, offset, error);
        if (status == FP_OK) status = print_line(arm, text, number, scratch, error);
        offset += (size_t)length;
    }
    free(line);
    return status;
}

/* An arm that learns must see all lines before the first fingerprint. */
static fp_status learn_lines(fp_arm *arm, const char *path, fp_arena *arena, fp_error *error) {
    fp_string content, rest, line;
    FP_TRY(fp_read_file(path, arena, &content, error));
    size_t most = 1, count = 0;
    for (size_t i = 0; i < content.length; i++) most += content.data[i] == '\n';
    fp_string *text = fp_arena_raw(arena, most, sizeof *text);
    fp_arena *scratch = fp_arena_new();
    if (!text || !scratch) {
        fp_arena_free(scratch);
        return fp_no_memory(error);
    }
    fp_status status = FP_OK;
    for (rest = content; status == FP_OK && fp_next_line(&rest, &line); text[count++] = line)
        status = check_line(line, path, count + 1, (size_t)(line.data - content.data), error);
    if (status == FP_OK) status = fp_arm_fit(arm, text, count, error);
    if (status == FP_OK) printf("id\tfingerprint\n");
    for (size_t i = 0; i < count && status == FP_OK; i++) {
        fp_arena_reset(scratch);
        status = print_line(arm, text[i], i + 1, scratch, error);
    }
    fp_arena_free(scratch);
    return status;
}

static int print_lines(const char *path, fp_arm *arm, fp_arena *arena) {
    fp_error error = {0};
    fp_status status;
    if (fp_arm_learns(arm)) {
        status = learn_lines(arm, path, arena, &error);
    } else {
        FILE *stream = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
        fp_arena *scratch = fp_arena_new();
        if (!stream) {
            fp_fail(&error, FP_ERROR_IO, "cannot open: %s", strerror(errno));
            status = fp_at(&error, path, SIZE_MAX, SIZE_MAX);
        } else {
            status = scratch ? stream_lines(arm, stream, path, scratch, &error) : fp_no_memory(&error);
        }
        if (stream && stream != stdin) fclose(stream);
        fp_arena_free(scratch);
    }
    return status == FP_OK ? FP_EXIT_SUCCESS : fp_cli_fail(&error);
}

static int run(const fp_command *command, int argc, const char **argv) {
    char *corpus = NULL, *spec = NULL, *format_name = NULL;
    struct poptOption options[] = {
        {"arm", 'a', POPT_ARG_STRING, &spec, 0, "algorithm:key=value,… (default: simhash)", "SPEC"},
        {"corpus", 'c', POPT_ARG_STRING, &corpus, 0, "fingerprint the documents of a corpus", "DIR"},
        {"format", 'f', POPT_ARG_STRING, &format_name, 0, "with --corpus, how to print: tsv (default), table or json",
         "FORMAT"},
        FP_CLI_PLUGIN_OPTIONS,
        POPT_TABLEEND};
    poptContext context;
    const char **arguments;
    int status = fp_cli_parse(command, argc, argv, options, &context, &arguments);
    if (status >= 0) return status;
    fp_format_kind format;
    fp_arena *arena = fp_arena_new();
    fp_arm **arms;
    size_t count;
    const char *specs[] = {spec ? spec : "simhash", NULL};
    if (arguments[0] && arguments[1]) status = fp_cli_usage(command, "one file at a time");
    else if (arguments[0] && corpus) status = fp_cli_usage(command, "either a file or --corpus, not both");
    else if (!arena || !fp_cli_format(command, format_name, FP_FORMAT_TSV, &format)) status = FP_EXIT_USAGE;
    else status = fp_cli_arms(specs, arena, &arms, &count);
    if (status < 0) {
        if (corpus) status = print_corpus(corpus, arms[0], format, arena);
        else status = print_lines(arguments[0] ? arguments[0] : "-", arms[0], arena);
    }
    fp_arena_free(arena);
    fp_cli_end(context, options);
    return status;
}

const fp_command fp_command_fingerprint = {
    .name = "fingerprint",
    .arguments = "[OPTION…] [FILE]",
    .summary = "print fingerprints: one text a line in, one fingerprint a line out",
    .details =
        "A filter: every line of FILE, or of standard input, is a text; its number and its fingerprint are printed,\n"
        "tab-separated with a header. Bit fingerprints are hexadecimal with the highest bit first; pinyin prints its\n"
        "twenty digits; others print their bytes in hexadecimal. With --corpus the documents of a corpus are\n"
        "fingerprinted and named by id. Arms that learn (IDF weights) learn from all of the input first.",
    .examples = "  echo 我是中国人 | fplab fingerprint\n"
                "  fplab fingerprint --arm pinyin:levels=10 titles.txt\n"
                "  fplab fingerprint --corpus corpora/data/newswire-zh --arm simhash:features=words,weight=tfidf",
    .run = run,
};
