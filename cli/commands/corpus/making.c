/* SPDX-License-Identifier: GPL-3.0-or-later
 * Corpora that are written. */
#include "cli/commands/corpus/making.h"

#include <string.h>

#include "cli/out.h"

static fp_status save_run(const fp_cli_making *making, fp_run_content *to, fp_error *error) {
    const fp_run_facts of = {.corpus = making->corpus, .facts = making->facts};
    return fp_run_save_facts(&of, making->argument_count, making->arguments, to, error);
}

/* Into the directories that are open. Returns the exit status. */
static int write_all(const fp_cli_making *making, fp_run_directory *runs, fp_cli_make_one *write, void *context) {
    for (size_t i = 0; i < making->count; i++) {
        fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
        if (write(context, i, runs[i].place, &error) != FP_OK || save_run(making, &runs[i].content, &error) != FP_OK)
            return fp_cli_out_keep(&runs[i], &error);
    }
    return FP_EXIT_SUCCESS;
}

int fp_cli_make(const fp_cli_making *making, fp_cli_make_one *write, void *context) {
    fp_run_directory *runs = fp_arena_alloc(making->arena, making->count, sizeof *runs);
    size_t opened = 0;
    int status = FP_EXIT_SUCCESS;
    for (; status == FP_EXIT_SUCCESS && opened < making->count; opened += status == FP_EXIT_SUCCESS)
        status = fp_cli_out_open(making->outs[opened], making->arena, &runs[opened]);
    if (status == FP_EXIT_SUCCESS) status = write_all(making, runs, write, context);
    for (size_t i = 0; i < opened; i++) status = fp_cli_out_commit(&runs[i], status);
    return status;
}

int fp_cli_write_counts(const fp_cli_count *counts, size_t count, fp_arena *arena, fp_table_format format) {
    fp_table *table = fp_table_new("fact|>count", arena);
    for (size_t i = 0; i < count; i++) {
        fp_table_text(table, counts[i].fact);
        fp_table_count(table, counts[i].count);
    }
    return fp_cli_write(table, format);
}

const char *fp_cli_making_name(const char *out) {
    const char *slash = strrchr(out, '/');
    return slash && slash[1] ? slash + 1 : out;
}

int fp_cli_one_corpus(const fp_command *command, const char *const *arguments, bool skip_bad, const char *const *fields,
                      fp_arena *arena, fp_corpus *corpus) {
    if (!arguments[0] || arguments[1]) return fp_cli_usage(command, "%s takes one directory", command->name);
    return fp_cli_corpus_fields(arguments[0], skip_bad, fields, arena, corpus);
}
