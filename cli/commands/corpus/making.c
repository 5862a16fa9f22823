/* SPDX-License-Identifier: GPL-3.0-or-later
 * Corpora that are written. */
#include "cli/commands/corpus/making.h"

#include "cli/out.h"

static fp_status save_run(const fp_cli_making *making, const char *place, fp_error *error) {
    const char *path = fp_format(making->arena, "%s/run.json", place);
    const fp_run_facts of = {.corpus = making->corpus, .facts = making->facts};
    if (!path) return fp_no_memory(error);
    return fp_run_save_facts(&of, making->argument_count, making->arguments, path, error);
}

int fp_cli_make(const fp_cli_making *making, fp_status (*write)(void *context, const char *place, fp_error *error),
                void *context) {
    fp_run_directory run;
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    int status = fp_cli_out_open(making->out, making->arena, &run);
    if (status >= 0) return status;
    fp_status done = write(context, run.place, &error);
    if (done == FP_OK) done = save_run(making, run.place, &error);
    status = fp_cli_out_commit(&run, done == FP_OK ? FP_EXIT_SUCCESS : fp_cli_out_fail(&run, &error));
    return status == FP_EXIT_SUCCESS ? -1 : status;
}

int fp_cli_one_corpus(const fp_command *command, const char *const *arguments, bool skip_bad, const char *const *fields,
                      fp_arena *arena, fp_corpus *corpus) {
    if (!arguments[0] || arguments[1]) return fp_cli_usage(command, "%s takes one directory", command->name);
    return fp_cli_corpus_fields(arguments[0], skip_bad, fields, arena, corpus);
}
