/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab fingerprint: one text in, its fingerprint out; a filter for lines, or all documents of a corpus. */
#include <stdlib.h>
#include <string.h>

#include "algorithms/arms/learner.h"
#include "base/batch.h"
#include "cli/choice.h"
#include "cli/input.h"
#include "cli/lines.h"
#include "corpora/json_writer.h"
#include "eval/experiment/experiment.h"

/* ---- A corpus ---- */

static int print_corpus(const char *path, fp_arm *arm, fp_table_format format, fp_arena *arena) {
    fp_corpus corpus;
    int status = fp_cli_corpus(path, false, arena, &corpus);
    if (status >= 0) return status;
    fp_error error = {0};
    fp_measurement measurement;
    fp_progress progress = fp_cli_progress();
    if (fp_experiment_sketches(&corpus, &arm, 1, &progress, arena, &measurement, &error) != FP_OK)
        return fp_cli_fail(&error);
    fp_cli_progress_end();
    fp_cli_caution(arm, corpus.name, measurement.silent_count, corpus.document_count);
    fp_table *table = fp_table_new("id|fingerprint", arena);
    for (size_t i = 0; table && i < corpus.document_count; i++) {
        const char *text = fp_arm_text(arm, fp_sketches_at(&measurement.sketches, i), arena);
        fp_table_string(table, corpus.documents[i].id);
        fp_table_text(table, text);
    }
    fp_measurement_free(&measurement);
    return fp_cli_write(table, format);
}

/* ---- Lines ---- */

typedef struct filter {
    fp_arm *arm;
    fp_lines lines;
    fp_table_format format;
    const char **written; /* [capacity] the fingerprints of the batch */
    bool *silent;         /* [capacity] those that are of nothing */
    size_t silent_count;  /* of all lines so far, as is the next */
    size_t line_count;
    size_t capacity;
    fp_batch *batch;
    fp_error error;
} filter;

/* An algorithm from outside writes what it likes: one line, one cell. */
static fp_status sketch_line(void *context, size_t index, fp_arena *scratch, fp_arena *kept, fp_error *error) {
    filter *on = context;
    fp_sketch sketch;
    bool says;
    FP_TRY(fp_arm_sketch_says(on->arm, on->lines.text[index], scratch, &sketch, &says, error));
    on->silent[index] = !says;
    const char *text = fp_arm_text(on->arm, sketch, scratch);
    char *copy = text ? fp_string_copy(kept, fp_string_of(text)) : NULL;
    if (!copy) return fp_no_memory(error);
    for (char *at = copy; *at; at++)
        if ((unsigned char)*at < ' ') *at = ' ';
    on->written[index] = copy;
    return FP_OK;
}

static fp_status make_room(filter *on) {
    if (on->lines.count <= on->capacity) return FP_OK;
    const char **larger = realloc(on->written, on->lines.count * sizeof *larger);
    if (larger) on->written = larger;
    bool *silent = realloc(on->silent, on->lines.count * sizeof *silent);
    if (silent) on->silent = silent;
    if (!larger || !silent) return fp_no_memory(&on->error);
    on->capacity = on->lines.count;
    return FP_OK;
}

static void write_line(const filter *on, size_t index) {
    size_t number = on->lines.first + index;
    if (on->format == FP_FORMAT_TSV) {
        printf("%zu\t%s\n", number, on->written[index]);
        return;
    }
    fp_json_writer json = fp_json_to(stdout, 0);
    printf("{\"line\": %zu, \"fingerprint\": ", number);
    fp_json_put_text(&json, NULL, on->written[index]);
    printf("}\n");
}

/* A batch is written as soon as it is there: the next may take its time. *full: it cannot be written. */
static fp_status print_batch(filter *on, bool *full) {
    size_t done;
    FP_TRY(make_room(on));
    fp_status status = fp_batch_run(on->batch, on->lines.count, sketch_line, on, &done, &on->error);
    for (size_t i = 0; i < done; i++) {
        write_line(on, i);
        on->silent_count += on->silent[i];
    }
    on->line_count += done;
    *full = fp_cli_flush() >= 0;
    return status;
}

static fp_status print_batches(filter *on, bool *full) {
    if (on->format == FP_FORMAT_TSV) printf("id\tfingerprint\n");
    for (*full = false; !*full;) {
        FP_TRY(fp_lines_next(&on->lines, &on->error));
        if (on->lines.count == 0) return FP_OK;
        FP_TRY(print_batch(on, full));
    }
    return FP_OK;
}

/* An arm that learns sees all lines before the first fingerprint. */
static fp_status learn(filter *on) {
    fp_learner *learner;
    fp_status status = fp_learner_open(on->arm, NULL, &learner, &on->error);
    for (size_t pass = fp_learner_passes(on->arm); pass && status == FP_OK; pass--) {
        do {
            status = fp_lines_next(&on->lines, &on->error);
            if (status == FP_OK) status = fp_learner_add(learner, on->lines.text, on->lines.count, &on->error);
        } while (status == FP_OK && on->lines.count);
        if (status == FP_OK) status = fp_learner_end_pass(learner, &on->error);
        if (status == FP_OK) status = fp_lines_rewind(&on->lines, &on->error);
    }
    fp_learner_close(learner);
    return status;
}

/* Lines come straight from the file, but where its bytes have to be changed first, or an arm that learns needs them
 * twice and a pipe gives them once: then the text is held, and nothing that is made of it. Returns −1, or the exit
 * status. */
static int open_lines(const fp_command *command, const fp_cli_input *input, const char *argument, filter *on,
                      fp_arena *arena) {
    fp_lines *lines = &on->lines;
    bool utf8 = !input->encoding || strcasecmp(input->encoding, "utf-8") == 0;
    lines->name = argument;
    lines->longest = fp_cli_most_bytes();
    if (!utf8 || input->literal || (input->invalid && strcmp(input->invalid, "fail") != 0))
        return fp_cli_text(command, input, argument, arena, &lines->content);
    if (strcmp(argument, "-") == 0) fp_cli_await("texts, one a line,");
    if (fp_reader_open(argument, &lines->reader, &on->error) != FP_OK) return fp_cli_fail(&on->error);
    lines->name = fp_reader_name(lines->reader);
    if (!fp_arm_learns(on->arm) || fp_reader_can_rewind(lines->reader)) return -1;
    fp_status status = fp_read_all(lines->reader, lines->longest, arena, &lines->content, &on->error);
    fp_reader_close(lines->reader);
    lines->reader = NULL;
    return status == FP_OK ? -1 : fp_cli_fail(&on->error);
}

static int print_lines(const fp_command *command, const fp_cli_input *input, const char *argument, fp_arm *arm,
                       fp_table_format format, fp_arena *arena) {
    filter on = {.arm = arm, .format = format};
    bool full = false;
    int status = open_lines(command, input, argument, &on, arena);
    if (status < 0) {
        fp_status done = fp_batch_open(NULL, arena, &on.batch, &on.error);
        if (done == FP_OK && fp_arm_learns(arm)) done = learn(&on);
        if (done == FP_OK) done = print_batches(&on, &full);
        if (done == FP_OK && !full) fp_cli_caution(arm, NULL, on.silent_count, on.line_count);
        status = done != FP_OK ? fp_cli_fail(&on.error) : full ? FP_EXIT_FAILURE : FP_EXIT_SUCCESS;
    }
    fp_batch_close(on.batch);
    fp_lines_close(&on.lines);
    fp_reader_close(on.lines.reader);
    free(on.written);
    free(on.silent);
    return status;
}

/* ---- Command ---- */

typedef struct fingerprint_options {
    const char *corpus, *arm, *choice, *format;
    fp_cli_input input;
} fingerprint_options;

/* What does not go together is refused. Returns −1, or the exit status. */
static int check_options(const fp_command *command, const fingerprint_options *chosen, const char **arguments,
                         fp_table_format *format) {
    const fp_cli_input *input = &chosen->input;
    if (arguments[0] && arguments[1]) return fp_cli_usage(command, "one file at a time");
    if (arguments[0] && chosen->corpus) return fp_cli_usage(command, "either a file or --corpus, not both");
    if (chosen->corpus && (input->encoding || input->invalid || input->literal))
        return fp_cli_usage(command, "--text, --encoding and --invalid go with lines, not with --corpus");
    if (input->literal && !arguments[0]) return fp_cli_usage(command, "--text goes with a text");
    if (!fp_cli_format(command, chosen->format, FP_FORMAT_TSV, format)) return FP_EXIT_USAGE;
    if (!chosen->corpus && *format == FP_FORMAT_TABLE)
        return fp_cli_usage(command, "--format table goes with --corpus; lines are printed as tsv or json");
    return -1;
}

static int run(const fp_command *command, int argc, const char **argv) {
    fingerprint_options chosen = {0};
    fp_option options[] = {
        {"arm", 'a', FP_TEXT(&chosen.arm), "algorithm:key=value,…, or @FILE (default: simhash)", "SPEC"},
        {"choice", 0, FP_TEXT(&chosen.choice), "instead: the arm that `fplab tune --save` wrote", "FILE"},
        {"corpus", 'c', FP_TEXT(&chosen.corpus), "fingerprint the documents of a corpus", "DIR"},
        FP_CLI_INPUT_OPTIONS(chosen.input),
        {"format", 'f', FP_TEXT(&chosen.format),
         "how to print: tsv (default) or json, an object a line; with --corpus, table too", "FORMAT"},
        FP_CLI_PLUGIN_OPTIONS,
        {0}};
    const char **arguments;
    int status = fp_cli_parse(command, argc, argv, options, &arguments);
    if (status >= 0) return status;
    fp_table_format format;
    fp_arena *arena = fp_arena_new();
    fp_arm **arms;
    size_t count;
    const char *specs[] = {NULL, NULL};
    status = arena ? check_options(command, &chosen, arguments, &format) : fp_cli_no_memory();
    if (status < 0) status = fp_cli_spec(command, chosen.arm, chosen.choice, "simhash", arena, specs);
    if (status < 0) status = fp_cli_arms(specs, arena, &arms, &count);
    if (status < 0 && chosen.corpus) status = print_corpus(chosen.corpus, arms[0], format, arena);
    else if (status < 0)
        status = print_lines(command, &chosen.input, arguments[0] ? arguments[0] : "-", arms[0], format, arena);
    fp_arena_free(arena);
    fp_cli_end(options);
    return status;
}

const fp_command fp_command_fingerprint = {
    .name = "fingerprint",
    .arguments = "[OPTION…] [FILE]",
    .summary = "print fingerprints: one text a line in, one fingerprint a line out",
    .details = "A filter: every line of FILE, or of standard input, is a text; its number and its fingerprint\n"
               "are printed, tab-separated with a header, or as JSON objects, one a line. gzip and Zstandard are\n"
               "unpacked. Bit fingerprints are hexadecimal with the highest bit first; pinyin prints its twenty\n"
               "digits; others print their bytes in hexadecimal. Fingerprints are printed as soon as their lines\n"
               "are there, and memory does not grow with the input: --max-size is the most bytes of a line. An\n"
               "arm that learns (IDF weights) reads a file twice; the text of a pipe, or in another encoding\n"
               "than UTF-8, it holds. With --corpus the documents of a corpus are fingerprinted and named by id.",
    .examples = "  echo 我是中国人 | fplab fingerprint\n"
                "  fplab fingerprint --arm pinyin:levels=10 titles.txt\n"
                "  fplab fingerprint --format json articles.txt.zst | head -n 3\n"
                "  fplab fingerprint --corpus corpora/data/newswire-zh --arm simhash:features=words,weight=tfidf",
    .run = run,
};
