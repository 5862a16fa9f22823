/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the commands share: memory, messages, formats, corpora, and commands that have parts. */
#include <dirent.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "cli/choice.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "cli/read_entries.h"
#include "cli/run_corpora.h"
#include "cli/terminal.h"
#include "reports/runs/recorded.h"

/* ---- Memory ---- */

/* Of any thread. What is begun and not complete is removed, as when a signal ends the program. */
static _Noreturn void end_without_memory(void) {
    fp_cli_no_memory();
    fp_temporaries_remove();
    _Exit(FP_EXIT_FAILURE);
}

static void *allocate(void *context, size_t size) {
    void *place = malloc(size);
    (void)context;
    if (!place) end_without_memory();
    return place;
}

static void *resize(void *context, void *place, size_t size) {
    void *made = realloc(place, size);
    (void)context;
    if (!made) end_without_memory();
    return made;
}

static void release(void *context, void *place) {
    (void)context;
    free(place);
}

fp_arena *fp_cli_arena(void) {
    static const fp_allocator ENDING = {sizeof ENDING, NULL, allocate, resize, release};
    fp_arena *arena = NULL;
    fp_error error;
    if (fp_arena_new_with(&ENDING, &arena, &error) != FP_OK) end_without_memory();
    return arena;
}

/* ---- Messages ---- */

/* Names of files and what is quoted may hold line ends. */
static void put_in_line(const char *text) {
    for (; *text; text++)
        if (*text == '\n') fputs("\\n", stderr);
        else putc(*text, stderr);
}

void fp_cli_print_error(const char *what, const fp_error *error) {
    fprintf(stderr, "fplab: %s", what);
    put_in_line(error->file);
    if (error->file[0]) putc(':', stderr);
    if (error->line != SIZE_MAX) fprintf(stderr, "%zu:", error->line);
    if (error->file[0]) putc(' ', stderr);
    put_in_line(error->message);
    if (error->byte != SIZE_MAX) fprintf(stderr, " (byte %zu)", error->byte);
    /* GB18030 text contains no NUL either, and a byte-order mark identifies another encoding. */
    if (error->code == FP_ERROR_ENCODING && strcmp(error->message, "invalid UTF-8") == 0 && fp_cli_takes("encoding"))
        fprintf(stderr, "; if it is written in GB18030, add --encoding gb18030; auto guesses");
    fprintf(stderr, "\n");
}

int fp_cli_fail(const fp_error *error) {
    fp_cli_progress_end();
    if (strcmp(error->file, "standard output") == 0 && fp_cli_reader_gone()) return FP_EXIT_FAILURE;
    fp_cli_print_error("", error);
    return FP_EXIT_FAILURE;
}

int fp_cli_no_memory(void) {
    fp_error error;
    fp_no_memory(&error);
    return fp_cli_fail(&error);
}

int fp_cli_usage(const fp_command *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "fplab: ");
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, " (see `fplab %s --help`)\n", command->name);
    return FP_EXIT_USAGE;
}

/* ---- Formats ---- */

int fp_cli_write(const fp_table *table, fp_table_format format) {
    if (format == FP_FORMAT_TABLE) fp_cli_show_begin();
    fp_table_write(table, format, stdout);
    if (format == FP_FORMAT_TABLE) return fp_cli_show_end(FP_OK, NULL);
    fp_cli_flush();
    return FP_EXIT_SUCCESS;
}

/* ---- Corpora ---- */

static void report_skipped(void *context, const fp_error *error) {
    (void)context;
    fp_cli_progress_end();
    fp_cli_print_error("skipped ", error);
}

int fp_cli_corpus(const char *path, bool skip_bad, fp_arena *arena, fp_corpus *corpus) {
    return fp_cli_corpus_fields(path, skip_bad, NULL, arena, corpus);
}

/* Tables keep their own path and name, and the checksum of what they hold. */
static int sign_table(const char *path, const char *name, size_t skipped, fp_corpus *corpus) {
    fp_error error = {0};
    bool known;
    fp_arena *scratch = fp_cli_arena();
    fp_status status = fp_recorded_checksum(path, scratch, corpus->table_sha256, &known, &error);
    fp_arena_free(scratch);
    corpus->path = path;
    corpus->name = name;
    corpus->skipped += skipped;
    return status == FP_OK ? FP_EXIT_SUCCESS : fp_cli_fail(&error);
}

/* Adds the directory beside it whose name is nearest to one that is not there, or what a corpus is. */
static void hint_corpus(const char *path, fp_arena *arena, fp_error *error) {
    enum { MOST = 256 };
    const char *names[MOST + 1] = {0}, *slash = strrchr(path, '/');
    size_t count = 0, length = strlen(error->message);
    const char *parent = slash ? fp_format(arena, "%.*s", (int)(slash - path), path) : ".";
    bool there = access(path, F_OK) == 0;
    DIR *directory = there ? NULL : opendir(*parent ? parent : "/");
    for (struct dirent *entry; directory && count < MOST && (entry = readdir(directory));)
        if (access(fp_format(arena, "%s/%s/docs.jsonl", parent, entry->d_name), F_OK) == 0)
            names[count++] = fp_string_copy(arena, fp_string_of(entry->d_name));
    if (directory) closedir(directory);
    const char *nearest = fp_nearest(slash ? slash + 1 : path, names),
               *hint = nearest  ? fp_format(arena, "; did you mean %s?", nearest)
                       : !there ? "; name a corpus directory, or a table (CSV, TSV, JSON lines)"
                       : access(fp_format(arena, "%s/docs.jsonl", path), F_OK)
                           ? "; fplab import makes a corpus of texts"
                           : "";
    snprintf(error->message + length, sizeof error->message - length, "%s", hint);
}

int fp_cli_corpus_fields(const char *path, bool skip_bad, const char *const *fields, fp_arena *arena,
                         fp_corpus *corpus) {
    fp_progress progress = fp_cli_progress();
    fp_corpus_opening options = {.skip_bad = skip_bad,
                                 .most_bytes = fp_cli_most_bytes(),
                                 .fields = fields,
                                 .progress = &progress,
                                 .skipped = report_skipped};
    fp_error error = {0};
    const char *place = path, *called = NULL;
    size_t skipped = 0;
    if (fp_cli_is_table(path))
        FP_CLI_TRY(fp_cli_table_corpus(path, skip_bad, fields, arena, &place, &called, &skipped));
    if (fp_corpus_read(place, &options, arena, corpus, &error) != FP_OK) {
        if (error.code == FP_ERROR_IO) hint_corpus(path, arena, &error);
        return fp_cli_fail(&error);
    }
    fp_cli_progress_end();
    if (place != path) FP_CLI_TRY(sign_table(path, called, skipped, corpus));
    fp_cli_detail("%s: %zu documents, %zu labelled pairs", path, corpus->document_count, corpus->pair_count);
    const char *name = fp_cli_fixed_name(path);
    if (name) corpus->name = name;
    if (corpus->skipped)
        fprintf(stderr, "fplab: %s: skipped %zu bad row%s\n", path, corpus->skipped, corpus->skipped == 1 ? "" : "s");
    return FP_EXIT_SUCCESS;
}

static int no_corpus(const fp_command *command) {
    return fp_cli_usage(command,
                        "no corpus given; name a directory, or a table of labelled pairs (CSV, TSV, JSON lines)");
}

int fp_cli_corpora(const fp_command *command, const char **arguments, const char ***corpora) {
    size_t before = 0, more = 0;
    while (*corpora && (*corpora)[before]) before++;
    while (arguments[more]) more++;
    if (before + more == 0) return no_corpus(command);
    const char **all = realloc((void *)*corpora, (before + more + 1) * sizeof *all);
    if (!all) return fp_cli_no_memory();
    memcpy(all + before, arguments, (more + 1) * sizeof *all);
    *corpora = all;
    return fp_cli_table_check(command, all);
}

int fp_cli_one(const fp_command *command, const char **arguments, const char **corpus) {
    if (*corpus && arguments[0]) return fp_cli_usage(command, "give one corpus; remove %s", arguments[0]);
    if (!*corpus) *corpus = arguments[0];
    if (!*corpus) return no_corpus(command);
    if (arguments[0] && arguments[1]) return fp_cli_usage(command, "give one corpus; remove %s", arguments[1]);
    return fp_cli_table_check(command, (const char *const[]){*corpus, NULL});
}

int fp_cli_labelled(const fp_corpus *corpus) {
    if (corpus->truth != FP_TRUTH_NONE) return FP_EXIT_SUCCESS;
    fprintf(
        stderr,
        "fplab: %s has no labels, neither pairs.tsv nor groups: label a sample with `fplab judge sample --corpus %s --arm "
        "simhash --out sheet.tsv`, or make duplicates with `fplab corpus corrupt %s --out DIR`\n",
        corpus->path, corpus->path, corpus->path);
    return FP_EXIT_USAGE;
}

/* ---- Commands with subcommands: each has its own options and help ---- */

const char *fp_command_word(const fp_command *command) {
    const char *blank = strrchr(command->name, ' ');
    return blank ? blank + 1 : command->name;
}

/* A page of the manual has a hyphen where the command line has a blank. */
static bool is_called(const fp_command *command, const char *name) {
    const char *own = command->name;
    while (*own && (*own == *name || (*own == ' ' && *name == '-'))) own++, name++;
    return *own == *name;
}

const fp_command *fp_command_find(const char *name) {
    for (const fp_command *const *at = fp_commands; *at; at++) {
        if (is_called(*at, name)) return *at;
        for (const fp_command *const *part = (*at)->parts; part && *part; part++)
            if (is_called(*part, name)) return *part;
    }
    return NULL;
}

/* ---- Running one ---- */

enum { MOST_PARTS = 32, LIST = 512 };

static int refuse_part(const fp_command *command, const char *word) {
    const char *names[MOST_PARTS + 1] = {0};
    char list[LIST] = "";
    for (size_t i = 0; i < MOST_PARTS && command->parts[i]; i++) {
        names[i] = fp_command_word(command->parts[i]);
        size_t used = strlen(list);
        snprintf(list + used, LIST - used, "%s%s", i == 0 ? "" : command->parts[i + 1] ? ", " : " or ", names[i]);
    }
    if (!word) return fp_cli_usage(command, "%s takes %s", command->name, list);
    const char *nearest = fp_nearest(word, names);
    if (nearest) return fp_cli_usage(command, "%s does not know %s; did you mean %s?", command->name, word, nearest);
    return fp_cli_usage(command, "%s takes %s, not %s", command->name, list, word);
}

int fp_cli_parts(const fp_command *command, int argc, const char **argv) {
    const fp_option none[] = {{0}};
    const char **arguments;
    for (size_t i = 0; argc > 1 && command->parts[i]; i++)
        if (strcmp(argv[1], fp_command_word(command->parts[i])) == 0)
            return command->parts[i]->run(command->parts[i], argc, argv);
    int status = fp_cli_begin(command, argc, argv, none, &arguments, NULL);
    return status >= 0 ? status : refuse_part(command, arguments[0]);
}
