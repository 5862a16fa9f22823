/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab tune: which arm and which threshold. */
#include <math.h>
#include <unistd.h>

#include "cli/cli.h"
#include "eval/experiment/arm_list.h"
#include "cli/read_entries.h"
#include "cli/run_corpora.h"
#include "cli/plots.h"
#include "cli/terminal.h"
#include "reports/analyses/evaluate.h"
#include "reports/tables/tuning_tables.h"
#include "reports/runs/run.h"

enum { MANY_ARMS = 10000, SHOWN = 20 };
static const double LONG = 60; /* seconds */

typedef struct tune_options {
    const char *corpus, **grid, *out, *save;
    fp_table_format format;
    fp_tune_request asked;
    bool yes, skip_bad, no_plots;
    fp_cli_plots plots;
    fp_run_directory run; /* of --out */
} tune_options;

/* ---- The grid ---- */

/* A mistake in the grid is one in the command line; a file that it names and that is broken is a failure. */
static int grid_failure(const fp_error *error) {
    if (error->file[0] || error->code == FP_ERROR_MEMORY || error->code == FP_ERROR_IO) return fp_cli_fail(error);
    fprintf(stderr, "fplab: grid %s\n", error->message);
    return FP_EXIT_USAGE;
}

/* The arms of a run that is repeated. What was written for them is known as long as the grid makes as many. */
static int fix_grid(fp_arena *arena, fp_grid *grid) {
    size_t count = grid->count;
    int status = fp_cli_fixed_arms(arena, &grid->arms, &grid->count);
    if (status != FP_EXIT_SUCCESS || grid->count == count) return status;
    const char **written = fp_arena_alloc(arena, grid->count, sizeof *written);
    for (size_t i = 0; i < grid->count; i++) written[i] = fp_arm_name(grid->arms[i]);
    grid->written = written;
    return FP_EXIT_SUCCESS;
}

static int make_grid(const tune_options *options, fp_arena *arena, fp_grid *grid) {
    const char *const *specs = options->grid ? (const char *const *)options->grid : fp_tune_usual_grid;
    const fp_algorithm *const *plugins;
    fp_error error = {0};
    FP_CLI_TRY(fp_cli_plugins(&plugins));
    if (fp_grid_expand(specs, plugins, arena, grid, &error) != FP_OK) return grid_failure(&error);
    return fp_cli_arms_are_fixed() ? fix_grid(arena, grid) : FP_EXIT_SUCCESS;
}

static void write_duration(double seconds, char *text, size_t size) {
    if (seconds < 90) snprintf(text, size, "%.0f seconds", fmax(1, seconds));
    else if (seconds < 90 * 60) snprintf(text, size, "%.0f minutes", seconds / 60);
    else snprintf(text, size, "%.0f hours", seconds / 3600);
}

static bool agree(void) {
    char answer[16];
    fprintf(stderr, "Go on? [y/N] ");
    return fgets(answer, sizeof answer, stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

/* Asks the user before long work. */
static int confirm(const tune_options *options, const fp_corpus *corpus, const fp_grid *grid,
                   const fp_tune_options *how) {
    fp_error error = {0};
    double seconds;
    if (options->yes) return FP_EXIT_SUCCESS;
    if (fp_tune_estimate(corpus, grid->arms, grid->count, how, NULL, &seconds, &error) != FP_OK)
        return fp_cli_fail(&error);
    if (seconds <= LONG && grid->count < MANY_ARMS) return FP_EXIT_SUCCESS;
    char duration[40];
    write_duration(seconds, duration, sizeof duration);
    bool terminal = isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
    fprintf(stderr, "fplab: %zu arms in %zu folds will take about %s%s\n", grid->count, how->split.folds, duration,
            terminal ? "" : "; add --yes to go on");
    return terminal && agree() ? FP_EXIT_SUCCESS : FP_EXIT_USAGE;
}

/* ---- Output ---- */

static fp_status save_all(const fp_tuning *tuning, fp_run_content *to, int argc, const char **argv, fp_arena *arena,
                          fp_error *error) {
    FP_TRY(fp_run_put_table(to, "leaderboard", fp_tuning_leaderboard(tuning, arena), error));
    FP_TRY(fp_run_put_table(to, "pareto", fp_tuning_pareto(tuning, arena), error));
    FP_TRY(fp_run_put_table(to, "folds", fp_tuning_folds(tuning, arena), error));
    return fp_tuning_run_save(tuning, argc, argv, to, error);
}

static fp_status save_choice(const fp_tuning *tuning, const char *path, fp_arena *arena, fp_error *error) {
    fp_choice choice;
    FP_TRY(fp_choice_of(tuning->tuned, tuning->corpus, arena, &choice, error));
    return fp_choice_save(&choice, path, error);
}

/* False where no arm calls a pair on held-out groups. */
static bool has_front(const fp_tuning *tuning) {
    for (size_t i = 0; i < tuning->tuned->arm_count; i++)
        if (tuning->tuned->results[i].front) return true;
    return false;
}

static void print_all(const fp_tuning *tuning, fp_table_format format, fp_arena *arena) {
    if (format != FP_FORMAT_TABLE) {
        fp_cli_write(fp_tuning_leaderboard(tuning, arena), format);
        return;
    }
    const char *advice = fp_tuning_advice(tuning, arena), *remarks = fp_tuning_remarks(tuning, arena);
    fp_cli_show_begin();
    fp_cli_print("%s\n%s\n", advice, remarks);
    fp_cli_write(fp_tuning_short_leaderboard(tuning, SHOWN, arena), format);
    if (tuning->tuned->arm_count > SHOWN)
        printf("… and %zu more, in leaderboard.tsv with --out DIR\n", tuning->tuned->arm_count - SHOWN);
    if (!has_front(tuning)) return;
    printf(
        "\nFor each of these arms, no other measured at least as good, as small and as fast, and better in one of the three. Bytes and\n"
        "microseconds are per document; time is measured from text to sketch with all threads.\n");
    fp_cli_write(fp_tuning_front(tuning, arena), format);
}

/* The exit status; and a line on standard error where the advice is not on standard output, or no file is written. */
static int verdict(const fp_tuning *tuning, const tune_options *options) {
    if (tuning->tuned->best.arm != FP_TUNE_NONE) return FP_EXIT_SUCCESS;
    if (options->format == FP_FORMAT_TABLE && !options->save) return FP_EXIT_FAILURE;
    fprintf(stderr, "fplab: no arm is recommended%s%s\n", options->save ? "; nothing is written to " : "",
            options->save ? options->save : "");
    return FP_EXIT_FAILURE;
}

/* Where the choice is saved: in the run, where it is named there, so that it is one of the files of the run. */
static const char *place_of_choice(const tune_options *options, fp_arena *arena) {
    size_t length = options->out ? strlen(options->out) : 0;
    while (length > 1 && options->out[length - 1] == '/') length--;
    if (!options->run.place || strncmp(options->save, options->out, length) != 0 || options->save[length] != '/')
        return options->save;
    const char *name = options->save + length + strspn(options->save + length, "/");
    return strchr(name, '/') ? options->save : fp_format(arena, "%s/%s", options->run.place, name);
}

static int report(const fp_tuning *tuning, tune_options *options, int argc, const char **argv, fp_arena *arena) {
    fp_error error = {0};
    bool found = tuning->tuned->best.arm != FP_TUNE_NONE;
    if (options->run.place && save_all(tuning, &options->run.content, argc, argv, arena, &error) != FP_OK)
        return fp_cli_out_fail(&options->run, &error);
    int status = FP_EXIT_SUCCESS;
    print_all(tuning, options->format, arena);
    if (!options->grid)
        fp_cli_note(
            "fplab: without --grid fingerprints alone are tried; --grid adds others, and exact measures: --grid "
            "'cosine|jaccard'\n");
    if (options->run.place && !options->no_plots && has_front(tuning))
        fp_cli_plots_draw(&options->plots, &options->run);
    const char *save = options->save && found ? place_of_choice(options, arena) : NULL;
    bool within = save != options->save;
    if (save && within && save_choice(tuning, save, arena, &error) != FP_OK)
        status = fp_cli_out_fail(&options->run, &error);
    status = fp_cli_plots_commit(&options->plots, &options->run, status);
    if (save && !within && save_choice(tuning, save, arena, &error) != FP_OK) return fp_cli_fail(&error);
    return status == FP_EXIT_SUCCESS ? verdict(tuning, options) : status;
}

/* ---- Running ---- */

/* The first arm that has a reason to doubt it, and how many more have one. */
static void warn(const fp_corpus *corpus, const fp_tuned *tuned) {
    fp_arm *first = NULL;
    size_t empty = 0, more = 0;
    for (size_t i = 0; i < tuned->arm_count; i++) {
        if (!fp_arm_caution(tuned->arms[i]) && !tuned->results[i].empty) continue;
        if (first) more++;
        else first = tuned->arms[i], empty = tuned->results[i].empty;
    }
    if (!first) return;
    fp_cli_caution(first, corpus->name, empty, corpus->document_count);
    if (more)
        fprintf(stderr, "fplab: %s: %zu more arm%s learn from too little, or find nothing in some texts\n",
                corpus->name, more, more == 1 ? "" : "s");
}

static int tune(tune_options *options, const fp_tune_options *how, int argc, const char **argv, fp_arena *arena) {
    fp_error error = {0};
    fp_corpus corpus;
    fp_grid grid;
    FP_CLI_TRY(make_grid(options, arena, &grid));
    FP_CLI_TRY(fp_cli_corpus(fp_cli_fixed_corpus(0, options->corpus), options->skip_bad, arena, &corpus));
    FP_CLI_TRY(fp_cli_labelled(&corpus));
    FP_CLI_TRY(fp_cli_out_open(options->out, arena, &options->run));
    if (fp_split_make(&corpus, &how->split, arena, &(fp_split){0}, &error) != FP_OK)
        return fp_cli_fail(&error); /* before anything is timed */
    FP_CLI_TRY(confirm(options, &corpus, &grid, how));
    fp_tuned tuned;
    fp_progress progress = fp_cli_progress();
    fp_status done = fp_tune(&corpus, grid.arms, grid.count, how, &progress, arena, &tuned, &error);
    fp_cli_progress_end();
    if (done != FP_OK) return fp_cli_fail(&error);
    warn(&corpus, &tuned);
    fp_tuning tuning = {&corpus, &tuned, grid.written};
    return report(&tuning, options, argc, argv, arena);
}

static int run(const fp_command *command, int argc, const char **argv) {
    tune_options chosen = {.asked = FP_TUNE_REQUEST};
    fp_option options[] = {
        {"corpus", 'c', FP_TAKES_TEXT(&chosen.corpus), FP_CLI_CORPUS_HELP, "CORPUS"},
        {"grid", 'g', FP_TAKES_LIST(&chosen.grid), "algorithm|algorithm:key=value|value,…; may be repeated", "SPEC"},
        {"beta", 0, FP_TAKES_TEXT(&chosen.asked.beta),
         "look for the best F-beta: recall counts B times as much as precision (default: 1)", "B"},
        {"min-precision", 0, FP_TAKES_TEXT(&chosen.asked.precision),
         "instead: most recall where precision is shown to be at least P, with 95% confidence over all arms", "P"},
        {"save", 's', FP_TAKES_TEXT(&chosen.save),
         "write the arm and threshold here, for --choice FILE, or --arm @FILE, of other commands", "FILE"},
        {"out", 'o', FP_TAKES_TEXT(&chosen.out), "write tables, plot and run.json here", "DIR"},
        {"yes", 'y', FP_TAKES_FLAG(&chosen.yes), "do not ask before a long run", NULL},
        FP_CLI_FORMAT_OPTION(chosen.format, "what to print", "table"),
        {.kind = FP_OPTION_MORE},
        {"folds", 'k', FP_TAKES_INT(&chosen.asked.folds), "number of folds (default: 5)", "K"},
        {"seed", 0, FP_TAKES_LONG(&chosen.asked.seed), "of the folds and of resampling, from 0 on (default: 0)", "N"},
        {"replicates", 0, FP_TAKES_INT(&chosen.asked.replicates),
         "of the paired bootstrap, 200 or more (default: 1000, doubled up to 16000 until verdicts are settled)", "N"},
        {"equivalence", 0, FP_TAKES_TEXT(&chosen.asked.equivalence),
         "differences up to this count as equivalent (default: 0.02)", "MARGIN"},
        {"negatives", 0, FP_TAKES_INT(&chosen.asked.negatives),
         "of a corpus of groups, measure a random sample of at most so many negatives (default: 200000)", "N"},
        FP_CLI_FORCE_OPTION,
        FP_CLI_PLOT_OPTIONS,
        {"no-plots", 0, FP_TAKES_FLAG(&chosen.no_plots), "with --out: tables only", NULL},
        {"skip-bad", 0, FP_TAKES_FLAG(&chosen.skip_bad), "skip bad rows, and report how many", NULL},
        FP_CLI_TABLE_OPTIONS,
        FP_CLI_PLUGIN_OPTIONS,
        {0}};
    FP_CLI_BEGIN(command, argc, argv, options, arguments, arena);
    fp_tune_options how;
    fp_error error = {0};
    FP_CLI_TRY(fp_cli_one(command, arguments, &chosen.corpus));
    if (fp_tune_read(&chosen.asked, &how, &error) != FP_OK) return fp_cli_usage(command, "%s", error.message);
    FP_CLI_TRY(fp_cli_plots_read(command, arena, &chosen.plots));
    int status = tune(&chosen, &how, argc, argv, arena);
    fp_run_directory_discard(&chosen.run);
    return status;
}

const fp_command fp_command_tune = {
    .name = "tune",
    .arguments = "CORPUS [--grid SPEC…] [OPTION…]",
    .summary = "find the arm and the threshold for your texts, and how good they will be",
    .summary_zh = "为自己的文本选取方案与阈值，并估计效果",
    .introduction_zh =
        "在网格的每个方案、每个阈值上试算，给出应采用哪一个，及其在未参与选取的文本上的精确率与召回率。网格是用 | 分隔各取值的方案，\n"
        "例如 simhash:bits=64|128,features=words|chars:3（在 shell 中需加引号）；不给 --grid 时用一个小网格。",
    .details = "Tries every arm of a grid at every threshold. Prints which to use, with its precision and recall on\n"
               "texts that the choice did not use. A grid is an arm with alternatives separated by |, for example\n"
               "simhash:bits=64|128,features=words|chars:3 (quote it for the shell); without --grid a small one\n"
               "is tried.\n"
               "\n"
               "Documents connected by groups and positive pairs are held out together, and every pair is measured\n"
               "by a model that was not fitted on its documents. The figures come from nested cross-validation: each\n"
               "pair is called by the arm and threshold that are best without its folds. Their intervals take the\n"
               "choices as given.\n"
               "\n"
               "With --min-precision P the recommended threshold has a precision of at least P with 95% confidence,\n"
               "whichever arm and threshold are taken (docs/tune-promise.md). If no arm shows it, the first sentence\n"
               "says how many more groups are needed, the exit status is 1, and --save writes nothing.\n"
               "\n"
               "--out DIR receives leaderboard.tsv (every arm, with its difference from the recommended one),\n"
               "pareto.tsv (quality, bytes and microseconds per document, the minimum and maximum of several\n"
               "measurements), folds.tsv (the choice without each fold, and without each two), run.json, and the\n"
               "plot in DIR/plots, replacing those of an earlier run (see `fplab eval --help`).",
    .examples =
        "  fplab tune pairs.csv\n"
        "  fplab tune corpora/data/newswire-zh\n"
        "  fplab tune -c my-texts -g 'simhash:bits=64|128,features=words|chars:2|chars:3,weight=tf|tfidf' --out tuned\n"
        "  fplab tune -c my-texts -g 'simhash|minhash:features=chars:2|chars:3' --min-precision 0.95 --save choice.json\n"
        "  fplab eval --corpus other-texts --choice choice.json",
    .run = run,
};
