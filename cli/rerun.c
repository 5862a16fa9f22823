/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab rerun: repeats a run, and says whether its figures are the same. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/fixed.h"
#include "reports/build.h"
#include "reports/recorded.h"
#include "reports/run_place.h"

/* ---- Whether it can be repeated ---- */

static const fp_command *command_of(const fp_recorded *run) {
    static const char *const REPEATED[] = {"eval", "tune", "plan", NULL};
    for (size_t i = 0; REPEATED[i]; i++)
        for (size_t c = 0; strcmp(run->arguments[0], REPEATED[i]) == 0 && fp_commands[c]; c++)
            if (strcmp(fp_commands[c]->name, REPEATED[i]) == 0) return fp_commands[c];
    return NULL;
}

/* Corpora are where they were, and what they were. */
static int check_corpora(const fp_recorded *run, fp_arena *arena) {
    for (size_t i = 0; i < run->corpus_count; i++) {
        const fp_recorded_corpus *was = run->corpora + i;
        fp_corpus corpus;
        if (access(was->path, F_OK) != 0) {
            fprintf(stderr, "fplab: the corpus %s is not at %s any more, seen from %s\n", was->name, was->path,
                    run->here);
            return FP_EXIT_FAILURE;
        }
        int status = fp_cli_corpus(was->path, true, arena, &corpus);
        if (status >= 0) return status;
        bool documents = strcmp(corpus.documents_sha256, was->documents_sha256) == 0,
             pairs = strcmp(corpus.pairs_sha256, was->pairs_sha256) == 0;
        if (documents && pairs) continue;
        fprintf(stderr, "fplab: the corpus %s has changed since the run: %s other than run.json says\n", was->path,
                documents ? "its pairs are"
                : pairs   ? "its documents are"
                          : "its documents and pairs are");
        return FP_EXIT_FAILURE;
    }
    return -1;
}

/* What may make the figures others. */
static void tell_origin(const fp_recorded *run, const fp_recorded *again) {
    printf("Run of %s by fplab %s (commit %s)", run->date, run->version, run->commit);
    if (strcmp(run->version, again->version) != 0 || strcmp(run->commit, again->commit) != 0)
        printf("; now %s (commit %s)", again->version, again->commit);
    printf("%s\n", strcmp(run->tables, again->tables) == 0 ? "" : "; the compiled tables are others");
}

/* ---- Repeating ---- */

/* The command, without pictures unless the run is to be kept. */
static const char **make_arguments(const fp_recorded *run, bool plots, fp_arena *arena) {
    static const char NO_PLOTS[] = "--no-plots";
    const char **made = fp_arena_alloc(arena, run->argument_count + 2, sizeof *made);
    for (size_t i = 0; made && i < run->argument_count; i++) {
        made[i] = run->arguments[i];
        plots |= strcmp(made[i], NO_PLOTS) == 0;
    }
    if (made && !plots) made[run->argument_count] = NO_PLOTS;
    return made;
}

/* Runs the command in the directory it ran in, without what it prints. */
static int repeat(const fp_command *command, const char **arguments) {
    int count = 0;
    while (arguments[count]) count++;
    fflush(stdout);
    int kept = dup(STDOUT_FILENO), nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (kept < 0 || nothing < 0 || dup2(nothing, STDOUT_FILENO) < 0) return FP_EXIT_FAILURE;
    int status = command->run(command, count, arguments);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    close(nothing);
    return status;
}

/* ---- Comparing ---- */

static bool is_table(const char *name) {
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".tsv") == 0;
}

static fp_status compare(const fp_recorded *run, const fp_recorded *again, fp_table *table, size_t *differ,
                         fp_arena *arena, fp_error *error) {
    for (size_t i = 0; i < run->manifest.count; i++) {
        fp_recorded_difference found;
        if (!is_table(run->manifest.files[i].name)) continue;
        FP_TRY(
            fp_recorded_compare(run->directory, again->directory, run->manifest.files[i].name, arena, &found, error));
        fp_table_text(table, found.table);
        fp_table_count(table, found.cells);
        fp_table_count(table, found.timings);
        fp_table_count(table, found.differ);
        fp_table_text(table, found.first ? found.first : "the same");
        *differ += found.differ > 0;
    }
    return FP_OK;
}

static int report(const fp_recorded *run, const char *out, fp_format_kind format, fp_arena *arena) {
    fp_error error = {0};
    fp_recorded again;
    size_t differ = 0;
    if (fp_recorded_read(out, arena, &again, &error) != FP_OK) return fp_cli_fail(&error);
    fp_table *table = fp_table_new("table|>cells|>timings|>differ|figures", arena);
    if (!table) return fp_no_memory(&error), fp_cli_fail(&error);
    if (compare(run, &again, table, &differ, arena, &error) != FP_OK) return fp_cli_fail(&error);
    if (format == FP_FORMAT_TABLE) tell_origin(run, &again);
    int status = fp_cli_write(table, format);
    if (status != FP_EXIT_SUCCESS) return status;
    if (format == FP_FORMAT_TABLE && differ)
        printf("The figures of %zu table%s are not the same.\n", differ, differ == 1 ? "" : "s");
    if (format == FP_FORMAT_TABLE && !differ) printf("The figures are the same, timings apart.\n");
    return differ ? FP_EXIT_FAILURE : FP_EXIT_SUCCESS;
}

/* ---- All ---- */

/* Paths of this command are seen from here, those of the run from where it ran. */
static int rerun(const fp_command *command, const char *path, const char *out, fp_format_kind format, fp_arena *arena) {
    fp_error error = {0};
    fp_recorded run;
    char *here = getcwd(NULL, 0), *real = realpath(path, NULL);
    const char *seen = real ? fp_format(arena, "%s", real) : path;
    const char *target = !out || *out == '/' ? out : fp_format(arena, "%s/%s", here ? here : ".", out);
    free(here);
    free(real);
    if (!seen || (out && !target)) return fp_no_memory(&error), fp_cli_fail(&error);
    if (fp_recorded_read(seen, arena, &run, &error) != FP_OK) return fp_cli_fail(&error);
    const fp_command *repeated = command_of(&run);
    if (!repeated) return fp_cli_usage(command, "a run of %s cannot be repeated", run.arguments[0]);
    if (chdir(run.here) != 0) {
        fprintf(stderr, "fplab: the run was made in %s, which cannot be entered: %s\n", run.here, strerror(errno));
        return FP_EXIT_FAILURE;
    }
    int status = check_corpora(&run, arena);
    if (status >= 0) return status;
    char temporary[] = "/tmp/fplab-rerun-XXXXXX";
    if (!target && !mkdtemp(temporary)) {
        fprintf(stderr, "fplab: cannot make a directory in /tmp: %s\n", strerror(errno));
        return FP_EXIT_FAILURE;
    }
    const char *place = target ? target : fp_format(arena, "%s/run", temporary);
    bool plots = target || strcmp(repeated->name, "plan") == 0;
    const char **arguments = place ? make_arguments(&run, plots, arena) : NULL;
    fp_cli_fix_arms(&(fp_cli_fixed){run.arm_count, run.specs, run.names, place});
    if (!arguments) status = (fp_no_memory(&error), fp_cli_fail(&error));
    else status = repeat(repeated, arguments);
    fp_cli_fix_arms(NULL);
    const char *written = place ? fp_format(arena, "%s/run.json", place) : NULL;
    if (written && access(written, F_OK) == 0) {
        int compared = report(&run, place, format, arena);
        /* Said already: pictures that could not be drawn. A tuning that recommends nothing fails as it did then. */
        bool drawn = status == FP_EXIT_SUCCESS || strcmp(repeated->name, "tune") == 0 || !plots;
        status = compared == FP_EXIT_SUCCESS && !drawn ? status : compared;
    }
    if (!target) fp_run_remove(temporary);
    return status;
}

static int run(const fp_command *command, int argc, const char **argv) {
    char *out = NULL, *format_name = NULL;
    struct poptOption options[] = {
        {"out", 'o', POPT_ARG_STRING, &out, 0, "keep the new run here, with its pictures", "DIR"},
        {"format", 'f', POPT_ARG_STRING, &format_name, 0, "how to print: table (default), tsv or json", "FORMAT"},
        POPT_TABLEEND};
    const char **arguments;
    int status = fp_cli_parse(command, argc, argv, options, &arguments);
    if (status >= 0) return status;
    fp_format_kind format;
    fp_arena *arena = fp_arena_new();
    if (!arena) status = fp_cli_no_memory();
    else if (!arguments[0] || arguments[1])
        status = fp_cli_usage(command, "which run? Name one run.json, or the directory that --out named");
    else if (!fp_cli_format(command, format_name, FP_FORMAT_TABLE, &format)) status = FP_EXIT_USAGE;
    else status = rerun(command, arguments[0], out, format, arena);
    fp_arena_free(arena);
    fp_cli_end(options);
    return status;
}

const fp_command fp_command_rerun = {
    .name = "rerun",
    .arguments = "RUN.JSON | DIR [--out DIR]",
    .summary = "repeat a run, and say whether its figures are the same",
    .details =
        "Repeats what `fplab eval`, `tune` or `plan` wrote with --out: the same command in the same directory, with the arms as run.json\n"
        "has them in full, whatever the defaults are today. First it looks whether the tables are those that run.json names, and\n"
        "whether the corpora are the same, by their checksums. Then it compares the tables cell by cell; timings are left out\n"
        "(sketch_seconds, distance_seconds, microseconds_per_document, and front, which depends on them).\n"
        "Exit status 1 when a figure is another, or the run cannot be repeated.",
    .examples = "  fplab rerun demo\n"
                "  fplab rerun demo/run.json --out again",
    .run = run,
};
