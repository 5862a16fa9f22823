/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab robustness: which fingerprint survives which corruption. */
#include "eval/analyses/robustness.h"

#include <string.h>

#include "cli/read_entries.h"
#include "cli/run_corpora.h"
#include "cli/plots.h"
#include "reports/runs/run.h"
#include "reports/tables/results.h"

enum { MOST_RATES = 20, MOST_DOCUMENTS = 1000000, USUAL_DOCUMENTS = 200, QUICK_DOCUMENTS = 40 };

typedef struct robustness {
    const char **corpus_paths, **arm_specs, *kinds, *rates, *near, *out;
    long long documents, negatives, hash_seeds, seed;
    int replicates;
    bool quick, no_plots, skip_bad;
    fp_table_format as;
    fp_cli_plots plots;
    size_t corpus_count, arm_count, cell_count;
    fp_corpus *corpora;
    const fp_corpus **all; /* [corpus_count] */
    fp_arm **arms, *near_arm;
    const fp_copy_cell *cells;
    fp_robustness_options options;
    fp_robustness made;
    int argument_count;
    const char *const *arguments;
    fp_arena *arena;
} robustness;

/* ---- Options ---- */

static int parse(const fp_command *command, robustness *with) {
    fp_error error = {0};
    if (!with->documents) with->documents = with->quick ? QUICK_DOCUMENTS : USUAL_DOCUMENTS;
    if (!with->hash_seeds) with->hash_seeds = with->quick ? 1 : 3;
    if (!with->rates) with->rates = with->quick ? "0.05,0.2" : "0.01,0.02,0.05,0.1,0.2";
    FP_CLI_TRY(fp_cli_plots_read(command, with->arena, &with->plots));
    if (fp_copy_cells_make(fp_string_of(with->kinds), fp_string_of(with->rates), MOST_RATES, with->arena, &with->cells,
                           &with->cell_count, &error) != FP_OK)
        return fp_cli_usage(command, "%s", error.message);
    return FP_EXIT_SUCCESS;
}

/* ---- Measuring ---- */

static int read_corpora(const fp_command *command, robustness *with) {
    while (with->corpus_paths[with->corpus_count]) with->corpus_count++;
    if (with->corpus_count > FP_ROBUSTNESS_CORPORA)
        return fp_cli_usage(command, "--corpus is given at most %d times", FP_ROBUSTNESS_CORPORA);
    with->corpora = fp_arena_alloc(with->arena, with->corpus_count, sizeof *with->corpora);
    with->all = fp_arena_alloc(with->arena, with->corpus_count, sizeof *with->all);
    for (size_t c = 0; c < with->corpus_count; c++) {
        FP_CLI_TRY(fp_cli_corpus(fp_cli_fixed_corpus(c, with->corpus_paths[c]), with->skip_bad, with->arena,
                                 &with->corpora[c]));
        with->all[c] = &with->corpora[c];
    }
    return FP_EXIT_SUCCESS;
}

static int measure(robustness *with) {
    fp_error error = {0};
    fp_progress progress = fp_cli_progress();
    with->options = (fp_robustness_options){.seed = (uint64_t)with->seed,
                                            .documents = (size_t)with->documents,
                                            .negatives = (size_t)with->negatives,
                                            .near = with->near_arm,
                                            .hash_seeds = (size_t)with->hash_seeds,
                                            .replicates = (size_t)with->replicates,
                                            .confidence = 0.95,
                                            .precision = 0.95,
                                            .progress = &progress};
    fp_status status = fp_robustness_run(with->all, with->corpus_count, with->arms, with->arm_count, with->cells,
                                         with->cell_count, &with->options, with->arena, &with->made, &error);
    fp_cli_progress_end();
    return status == FP_OK ? FP_EXIT_SUCCESS : fp_cli_fail(&error);
}

/* ---- Output ---- */

/* The skipped kinds, "homophone, lookalike"; empty if none. */
static const char *list_skipped(const fp_robustness *made, fp_arena *arena) {
    const char *list = "", *before = "";
    for (size_t i = 0; i < made->skipped_count; i++) {
        const char *kind = made->skipped[i].kind;
        if (strcmp(kind, before) != 0) list = fp_format(arena, "%s%s%s", list, *list ? ", " : "", kind);
        before = kind;
    }
    return list;
}

static fp_status save_run(const robustness *with, fp_run_content *to, fp_error *error) {
    const char *skipped = list_skipped(&with->made, with->arena);
    const fp_run_fact facts[] = {{"kinds", with->kinds, 0},
                                 {"kinds_skipped", skipped, 0},
                                 {"rates", with->rates, 0},
                                 {"corpora", NULL, (double)with->corpus_count},
                                 {"documents_at_most", NULL, (double)with->documents},
                                 {"negatives_per_copy", NULL, (double)with->negatives},
                                 {"negatives_by", with->near_arm ? with->near_arm->spec : "draw", 0},
                                 {"hash_seeds", NULL, (double)with->hash_seeds},
                                 {"replicates", NULL, (double)with->replicates},
                                 {"seed", NULL, (double)with->seed},
                                 {"confidence", NULL, with->options.confidence},
                                 {"precision", NULL, with->options.precision},
                                 {NULL, NULL, 0}};
    const fp_run_facts of = {.corpus = with->corpora,
                             .corpus_count = with->corpus_count,
                             .arms = with->arms,
                             .arm_count = with->arm_count,
                             .facts = facts};
    return fp_run_save_facts(&of, with->argument_count, with->arguments, to, error);
}

static fp_status save(const robustness *with, fp_run_content *to, fp_error *error) {
    const fp_robustness *made = &with->made;
    fp_arena *arena = with->arena;
    FP_TRY(fp_run_put_table(to, "robustness", fp_robustness_table(made, arena), error));
    FP_TRY(fp_run_put_table(to, "robustness-parts", fp_robustness_parts_table(made, arena), error));
    FP_TRY(fp_run_put_table(to, "robustness-thresholds", fp_robustness_thresholds_table(made, arena), error));
    return save_run(with, to, error);
}

static int write_out(robustness *with) {
    fp_run_directory run;
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    FP_CLI_TRY(fp_cli_out_open(with->out, with->arena, &run));
    if (!run.place) return FP_EXIT_SUCCESS;
    int status = save(with, &run.content, &error) == FP_OK ? FP_EXIT_SUCCESS : fp_cli_out_keep(&run, &error);
    if (status == FP_EXIT_SUCCESS && !with->no_plots) fp_cli_plots_draw(&with->plots, &run);
    return fp_cli_plots_commit(&with->plots, &run, status);
}

static void show(const robustness *with) {
    const fp_robustness *made = &with->made;
    fp_table *table =
        with->as == FP_FORMAT_TABLE ? fp_robustness_short(made, with->arena) : fp_robustness_table(made, with->arena);
    fp_cli_write(table, with->as);
    const char *skipped = list_skipped(made, with->arena);
    if (*skipped)
        fp_cli_note("Skipped %s: %s has no Han characters.\n", skipped,
                    made->corpus_count > 1 ? "a corpus" : made->corpora[0]);
    for (size_t c = 0; c < made->corpus_count; c++)
        fp_cli_note("%s: %zu documents in %zu units, copied %zu times each.\n", made->corpora[c], made->documents[c],
                    made->units[c], made->cell_count);
    fp_cli_note(
        "F1 at thresholds tuned on the other half of the units, mean over kinds, by rate; %lld negatives a copy.\n",
        with->negatives);
}

/* ---- Command ---- */

static int study(const fp_command *command, robustness *with) {
    FP_CLI_TRY(parse(command, with));
    const char *const *specs = with->arm_specs ? with->arm_specs : fp_cli_usual_arms;
    FP_CLI_TRY(fp_cli_arms_are_fixed() ? fp_cli_fixed_arms(with->arena, &with->arms, &with->arm_count)
                                       : fp_cli_arms(specs, with->arena, &with->arms, &with->arm_count));
    if (with->near) FP_CLI_TRY(fp_cli_arm(with->near, with->arena, &with->near_arm, NULL));
    FP_CLI_TRY(read_corpora(command, with));
    FP_CLI_TRY(measure(with));
    int status = write_out(with);
    show(with);
    return status;
}

static int run(const fp_command *command, int argc, const char **argv) {
    robustness with = {.kinds = "all", .negatives = 20, .replicates = 400, .argument_count = argc, .arguments = argv};
    fp_option options[] = {
        {"corpus", 'c', FP_TAKES_LIST(&with.corpus_paths), FP_CLI_CORPUS_HELP "; may be repeated", "CORPUS"},
        {"arm", 'a', FP_TAKES_LIST(&with.arm_specs), "algorithm:key=value,…; may be repeated (default: 16 algorithms)",
         "SPEC"},
        {"kind", 'k', FP_TAKES_TEXT(&with.kinds),
         "kinds of corruption, as `fplab corpus corrupt --kind list` shows them, or mixtures (KIND+KIND) (default: all)",
         "KIND,…"},
        {"rate", 'r', FP_TAKES_TEXT(&with.rates),
         "shares of the places that are changed (default: "
         "0.01,0.02,0.05,0.1,0.2)",
         "RATE,…"},
        {"documents", 0, FP_TAKES_LONG_FROM(&with.documents, 4, MOST_DOCUMENTS),
         "most documents of each corpus, sampled by their ids (default: 200)", "N"},
        {"negatives", 0, FP_TAKES_LONG_FROM(&with.negatives, 1, FP_ROBUSTNESS_NEGATIVES),
         "negative pairs for each copy (default: 20)", "N"},
        {"near", 0, FP_TAKES_TEXT(&with.near),
         "negatives are the nearest documents under this arm, instead of sampled ones", "SPEC"},
        {"hash-seeds", 0, FP_TAKES_LONG_FROM(&with.hash_seeds, 1, FP_ROBUSTNESS_SEEDS),
         "of arms that leave theirs open (default: 3)", "N"},
        {"replicates", 0, FP_TAKES_INT_FROM(&with.replicates, FP_REPLICATES_FEWEST, FP_REPLICATES_MOST),
         "of the intervals (default: 400)", "N"},
        {"seed", 0, FP_TAKES_SEED(&with.seed), "of copies, folds, negatives and replicates, from 0 on (default: 0)",
         "N"},
        {"quick", 0, FP_TAKES_FLAG(&with.quick), "40 documents, rates 0.05 and 0.2, one hash seed", NULL},
        {"out", 'o', FP_TAKES_TEXT(&with.out), "write tables and pictures here", "DIR"},
        FP_CLI_FORCE_OPTION,
        FP_CLI_FORMAT_OPTION(with.as, "how to print", "table"),
        {"no-plots", 0, FP_TAKES_FLAG(&with.no_plots), "draw no pictures", NULL},
        {"skip-bad", 0, FP_TAKES_FLAG(&with.skip_bad), "skip bad rows, and report how many", NULL},
        FP_CLI_TABLE_OPTIONS,
        FP_CLI_PLUGIN_OPTIONS,
        FP_CLI_PLOT_OPTIONS,
        {0}};
    FP_CLI_BEGIN(command, argc, argv, options, arguments, arena);
    with.arena = arena;
    FP_CLI_TRY(fp_cli_corpora(command, arguments, &with.corpus_paths));
    return study(command, &with);
}

const fp_command fp_command_robustness = {
    .name = "robustness",
    .arguments = "CORPUS… [--arm SPEC…] [OPTION…]",
    .summary = "measure every arm against every kind of corruption, at several rates",
    .summary_zh = "在各种文本损坏及其比例下测量每个方案",
    .details = "Copies every document of the corpora once for each kind of corruption and rate, and measures how\n"
               "well each arm recognises the copies: F1 at a threshold tuned on the other half of the document\n"
               "groups, one for all kinds and rates, and the largest recall at a precision of 0.95. Labels are not\n"
               "needed; groups stay together. Kinds that change Han characters are skipped, with a note, for a\n"
               "corpus without any. Values are means over corpora and hash seeds; intervals are bootstrap\n"
               "percentiles over corpora, groups and hash seeds. Negatives are copies paired with sampled documents\n"
               "of other groups; --near takes the nearest ones under an arm, which favours arms that see other\n"
               "features than that one.\n"
               "\n"
               "Prints F1 by rate, a mean over kinds, and the kind that an arm withstands worst. --out writes\n"
               "robustness.tsv, the figures of every arm, kind and rate; robustness-parts.tsv, the same by corpus\n"
               "and hash seed; robustness-thresholds.tsv; a heat map; and run.json.",
    .examples = "  fplab robustness corpora/data/newswire-zh --quick\n"
                "  fplab robustness -c my-texts -c more-texts -a simhash -a minhash --out survived\n"
                "  fplab robustness -c my-texts -k homophone,homophone+delete -r 0.1,0.3 --format tsv",
    .run = run,
};
