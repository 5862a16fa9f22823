/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab rerun: repeats a run, and reports whether its figures are the same. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "cli/read_entries.h"
#include "cli/run_corpora.h"
#include "cli/out.h"
#include "reports/runs/recorded.h"

/* ---- Whether it can be repeated ---- */

typedef struct repeated {
    const char *name;
    bool draws;  /* it has --no-plots */
    bool corpus; /* what it writes is a corpus, docs.jsonl, and not tables alone */
} repeated;

static const repeated *repeated_of(const fp_recorded *run) {
    static const repeated REPEATED[] = {{"eval", true, false},   {"tune", true, false},
                                        {"plan", false, false},  {"robustness", true, false},
                                        {"import", false, true}, {"corpus corrupt", false, true}};
    for (size_t i = 0; i < sizeof REPEATED / sizeof *REPEATED; i++) {
        const char *blank = strchr(REPEATED[i].name, ' ');
        size_t length = blank ? (size_t)(blank - REPEATED[i].name) : strlen(REPEATED[i].name);
        if (strncmp(run->arguments[0], REPEATED[i].name, length) != 0 || run->arguments[0][length]) continue;
        if (!blank || (run->argument_count > 1 && strcmp(run->arguments[1], blank + 1) == 0)) return REPEATED + i;
    }
    return NULL;
}

/* Corpora are what they were. */
static int check_corpora(const fp_recorded *run, const char *const *paths, fp_arena *arena) {
    for (size_t i = 0; i < run->corpus_count; i++) {
        const fp_recorded_corpus *was = run->corpora + i;
        fp_corpus corpus;
        if (access(paths[i], F_OK) != 0) {
            fprintf(stderr,
                    "fplab: the corpus %s is not at %s any more, seen from %s; give its place with --corpus %s=DIR\n",
                    was->name, paths[i], run->here, was->name);
            return FP_EXIT_FAILURE;
        }
        FP_CLI_TRY(fp_cli_corpus(paths[i], true, arena, &corpus));
        bool documents = strcmp(corpus.documents_sha256, was->documents_sha256) == 0,
             pairs = strcmp(corpus.pairs_sha256, was->pairs_sha256) == 0;
        if (documents && pairs) continue;
        fprintf(stderr, "fplab: the corpus %s has changed since the run: %s not as in run.json\n", paths[i],
                documents ? "its pairs are"
                : pairs   ? "its documents are"
                          : "its documents and pairs are");
        return FP_EXIT_FAILURE;
    }
    return FP_EXIT_SUCCESS;
}

/* So are the files that arms name. */
static int check_inputs(const fp_recorded *run, fp_arena *arena) {
    for (size_t i = 0; i < run->input_count; i++) {
        const fp_recorded_input *was = run->inputs + i;
        fp_error error = {0};
        char sum[65];
        bool known;
        if (!*was->sha256) continue;
        if (fp_recorded_checksum(was->path, arena, sum, &known, &error) != FP_OK) return fp_cli_fail(&error);
        if (known && strcmp(sum, was->sha256) == 0) continue;
        fprintf(stderr, "fplab: %s, which %s, %s%s\n", was->path, run->arm_count ? "an arm reads" : "was read",
                known ? "has changed since the run" : "is not there any more, seen from ", known ? "" : run->here);
        return FP_EXIT_FAILURE;
    }
    return FP_EXIT_SUCCESS;
}

/* Pictures and scripts are not compared; reports a run that has been changed. */
static int report_changed(const fp_recorded *run, fp_arena *arena) {
    size_t count = 0;
    for (size_t i = 0; i < run->manifest.count; i++) {
        const fp_run_manifest_file *file = run->manifest.files + i;
        fp_error error = {0};
        bool same;
        if (fp_run_manifest_matches(run->directory, file, arena, &same, &error) != FP_OK) return fp_cli_fail(&error);
        if (same) continue;
        if (count++ == 0) fprintf(stderr, "fplab: %s: changed since the run, or missing: ", run->directory);
        fprintf(stderr, "%s%s", count > 1 ? ", " : "", file->name);
    }
    if (count) fprintf(stderr, "\n");
    return FP_EXIT_SUCCESS;
}

/* What may make the figures others. */
static void print_origin(const fp_recorded *run, const fp_recorded *again) {
    printf("Run of %s by fplab %s (commit %s)", run->date, run->version, run->commit);
    if (strcmp(run->version, again->version) != 0 || strcmp(run->commit, again->commit) != 0)
        printf("; now %s (commit %s)", again->version, again->commit);
    printf("%s\n", strcmp(run->tables, again->tables) == 0 ? "" : "; the compiled tables are others");
}

/* ---- Repeating ---- */

/* The command with the seed that it had, whatever the default is now, and without pictures unless the run is to be
 * kept.
 */
static const char **make_arguments(const fp_recorded *run, bool plots, fp_arena *arena) {
    static const char NO_PLOTS[] = "--no-plots", SEED[] = "--seed";
    const char **made = fp_arena_alloc(arena, run->argument_count + 3, sizeof *made);
    size_t count = run->argument_count;
    bool seeded = !run->seed;
    for (size_t i = 0; i < run->argument_count; i++) {
        made[i] = run->arguments[i];
        plots |= strcmp(made[i], NO_PLOTS) == 0;
        seeded |= strncmp(made[i], SEED, strlen(SEED)) == 0;
    }
    if (!plots) made[count++] = NO_PLOTS;
    if (!seeded) made[count] = fp_format(arena, "%s=%s", SEED, run->seed);
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

/* Documents and pairs have no names of columns: they are the same, or they are not. */
static void compare_corpora(const fp_recorded *run, const fp_recorded *again, fp_table *table, size_t *differ) {
    static const char *const FILES[] = {"docs.jsonl", "pairs.tsv"};
    for (size_t i = 0; i < 2; i++) {
        const fp_run_manifest_file *was = fp_run_manifest_find(&run->manifest, FILES[i]),
                                   *is = fp_run_manifest_find(&again->manifest, FILES[i]);
        if (!was && !is) continue;
        bool same = was && is && strcmp(was->sha256, is->sha256) == 0;
        fp_table_text(table, FILES[i]);
        FP_TABLE_PUT(table, NAN, NAN, !same);
        fp_table_text(table, same ? "the same" : "other bytes");
        *differ += !same;
    }
}

static fp_status compare(const fp_recorded *run, const fp_recorded *again, fp_table *table, size_t *differ,
                         fp_arena *arena, fp_error *error) {
    for (size_t i = 0; i < run->manifest.count; i++) {
        fp_recorded_difference found;
        if (!fp_run_is_table(run->manifest.files[i].name)) continue;
        FP_TRY(
            fp_recorded_compare(run->directory, again->directory, run->manifest.files[i].name, arena, &found, error));
        fp_table_text(table, found.table);
        FP_TABLE_PUT(table, (double)found.cells, (double)found.timings, (double)found.differ);
        fp_table_text(table, found.first ? found.first : "the same");
        *differ += found.differ > 0;
    }
    return FP_OK;
}

static int report(const fp_recorded *run, const char *out, fp_table_format format, fp_arena *arena) {
    fp_error error = {0};
    fp_recorded again;
    size_t differ = 0;
    if (fp_recorded_read(out, arena, &again, &error) != FP_OK) return fp_cli_fail(&error);
    fp_table *table = fp_table_of("table|>cells;e|>timings;e|>differ;e|figures", arena);
    bool corpus = repeated_of(run)->corpus;
    if (corpus) compare_corpora(run, &again, table, &differ);
    else if (compare(run, &again, table, &differ, arena, &error) != FP_OK) return fp_cli_fail(&error);
    if (format == FP_FORMAT_TABLE) print_origin(run, &again);
    fp_cli_write(table, format);
    if (format == FP_FORMAT_TABLE && corpus)
        printf(differ ? "The corpus is not the same: what it is made of has changed, or what makes it.\n"
                      : "The corpus is the same.\n");
    else if (format == FP_FORMAT_TABLE && differ)
        printf("The figures of %zu table%s are not the same.\n", differ, differ == 1 ? "" : "s");
    else if (format == FP_FORMAT_TABLE) printf("The figures are the same, timings apart.\n");
    return differ ? FP_EXIT_FAILURE : FP_EXIT_SUCCESS;
}

/* ---- All ---- */

/* Options. Paths of this command are relative to the current directory, those of the run to its original one. */
typedef struct rerun_options {
    const char *path, *out;
    const char **moved;
    fp_table_format format;
} rerun_options;

/* The run, and where its corpora are. Enters the directory it ran in. */
static int find(const fp_command *command, const rerun_options *options, fp_arena *arena, fp_recorded *run,
                const char ***corpora) {
    fp_error error = {0};
    char real[PATH_MAX];
    const char *seen = realpath(options->path, real) ? fp_format(arena, "%s", real) : options->path;
    if (fp_recorded_read(seen, arena, run, &error) != FP_OK) return fp_cli_fail(&error);
    if (!repeated_of(run)) {
        const fp_command *made = fp_command_find(run->arguments[0]);
        bool part = made && made->parts && run->argument_count > 1;
        return fp_cli_usage(command,
                            "a run of %s%s%s cannot be repeated; runs of eval, tune, plan, robustness, import and "
                            "corpus corrupt can be",
                            run->arguments[0], part ? " " : "", part ? run->arguments[1] : "");
    }
    fp_cli_table_again(run->arguments, run->argument_count);
    *corpora = fp_arena_alloc(arena, run->corpus_count + 1, sizeof **corpora);
    bool elsewhere = false;
    for (const char *const *it = options->moved; it && *it; it++)
        if (fp_cli_run_corpus_of(run, *it) == SIZE_MAX) return fp_cli_run_corpora_refuse(command, *it);
    int status = fp_cli_run_corpora(run, options->moved, arena, *corpora, &elsewhere);
    if (status != FP_EXIT_SUCCESS || chdir(run->here) == 0 || elsewhere) return status;
    fprintf(stderr, "fplab: the run was made in %s, which cannot be entered: %s\n", run->here, strerror(errno));
    return FP_EXIT_FAILURE;
}

/* Runs into `place`, and compares what came out. */
static int run_into(const fp_recorded *run, const char *const *corpora, const char *place, bool kept,
                    fp_table_format format, fp_arena *arena) {
    const repeated *of = repeated_of(run);
    bool plots = kept || !of->draws;
    const char **arguments = make_arguments(run, plots, arena), *written = fp_format(arena, "%s/run.json", place);
    fp_cli_fix(&(fp_cli_fixed){run, corpora, place, fp_cli_out_force});
    int status = repeat(fp_command_find(of->name), arguments);
    fp_cli_fix(NULL);
    if (access(written, F_OK) != 0) return status;
    int compared = report(run, place, format, arena);
    /* Already reported: pictures that failed. A tuning without a recommendation fails again, as in the original run. */
    bool drawn = status == FP_EXIT_SUCCESS || strcmp(of->name, "tune") == 0 || !plots;
    return compared == FP_EXIT_SUCCESS && !drawn ? status : compared;
}

/* A repeated run has the working directory of the first. */
static const char *absolute(const char *path, fp_arena *arena) {
    char here[PATH_MAX];
    return *path == '/' ? path : fp_format(arena, "%s/%s", getcwd(here, sizeof here) ? here : ".", path);
}

/* TMPDIR is a path of this command, too. */
static bool keep_temporary(fp_arena *arena) {
    const char *named = getenv("TMPDIR");
    return !named || !*named || setenv("TMPDIR", absolute(named, arena), 1) == 0;
}

static int rerun(const fp_command *command, const rerun_options *options, fp_arena *arena) {
    fp_recorded run;
    const char **corpora = NULL, *out = options->out ? absolute(options->out, arena) : NULL;
    fp_temporary_directory made;
    fp_error error = {0};
    if (!keep_temporary(arena)) return fp_cli_no_memory();
    FP_CLI_TRY(find(command, options, arena, &run, &corpora));
    FP_CLI_TRY(check_corpora(&run, corpora, arena));
    FP_CLI_TRY(check_inputs(&run, arena));
    FP_CLI_TRY(report_changed(&run, arena));
    if (out) return run_into(&run, corpora, out, true, options->format, arena);
    if (fp_temporary_directory_open(&made, "rerun", &error) != FP_OK) return fp_cli_fail(&error);
    const char *place = fp_format(arena, "%s/run", made.path);
    int status = run_into(&run, corpora, place, false, options->format, arena);
    fp_temporary_directory_close(&made);
    return status;
}

static int run(const fp_command *command, int argc, const char **argv) {
    rerun_options chosen = {0};
    fp_option options[] = {FP_CLI_RUN_CORPUS_OPTION(chosen.moved),
                           {"out", 'o', FP_TAKES_TEXT(&chosen.out), "keep the new run here, with its pictures", "DIR"},
                           FP_CLI_FORCE_OPTION,
                           FP_CLI_FORMAT_OPTION(chosen.format, "how to print", "table"),
                           {0}};
    FP_CLI_BEGIN(command, argc, argv, options, arguments, arena);
    chosen.path = arguments[0];
    if (!arguments[0] || arguments[1])
        return fp_cli_usage(command, "no run given; name one run.json, or the directory that --out named");
    FP_CLI_TRY(fp_cli_run_corpora_check(command, chosen.moved));
    return rerun(command, &chosen, arena);
}

const fp_command fp_command_rerun = {
    .name = "rerun",
    .arguments = "RUN.JSON | DIR [--corpus NAME=DIR…] [--out DIR]",
    .summary = "repeat a run and check that its figures are the same",
    .summary_zh = "重复一次运行，并比较结果是否相同",
    .details = "Repeats a run that `fplab eval`, `tune`, `plan`, `robustness`, `import` or `corpus corrupt` wrote\n"
               "with --out: the same command in the same directory, with the full arms of run.json, whatever the\n"
               "defaults are today. First it checks by checksum that the tables match run.json, and that the\n"
               "corpora, the files that arms read (idf=, userdict=, stop=, terms=) and synonyms are unchanged. Then\n"
               "it compares the tables cell by cell, and the files of a corpus by checksum; timings are not compared\n"
               "(sketch_seconds, distance_seconds, documents_per_second, microseconds_per_document,\n"
               "microseconds_most, and front, which depends on them). The input of import is not checked: if it\n"
               "changed, so does the corpus. Exit status 1 when a figure differs, or the run cannot be repeated.",
    .examples = "  fplab rerun demo\n"
                "  fplab rerun demo/run.json --out again\n"
                "  fplab rerun demo --corpus newswire-zh=/data/newswire-zh",
    .run = run,
};
