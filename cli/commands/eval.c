/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab eval: precision and recall of arms on corpora, as tables and pictures. */
#include "cli/commands/eval.h"

#include <string.h>

#include "cli/run_corpora.h"
#include "eval/statistics/bootstrap.h"

/* ---- Options of analyses ---- */

static fp_option option_row(const fp_analysis_option *of, fp_analysis_values *to, size_t at) {
    fp_option row = {.name = of->name, .help = of->help, .argument = of->argument};
    switch (of->takes) {
    case FP_TAKES_NOTHING: row.kind = FP_OPTION_FLAG, row.place.flag = to->flag + at; break;
    case FP_TAKES_ONE:
        row.kind = of->words ? FP_OPTION_HINT : FP_OPTION_TEXT;
        row.place.words = (struct fp_option_words){.text = to->text + at, .words = of->words};
        break;
    case FP_TAKES_SEVERAL: row.kind = FP_OPTION_LIST, row.place.list = to->list + at; break;
    }
    return row;
}

/* Of the request of the command, which there is one of. */
static const fp_option *analysis_options(fp_analysis_values *given) {
    static fp_option rows[FP_EVAL_ANALYSES * FP_ANALYSIS_OPTIONS + 1];
    size_t count = 0;
    for (size_t i = 0; fp_analyses[i]; i++)
        for (size_t k = 0; k < FP_ANALYSIS_OPTIONS && fp_analyses[i]->options[k].name; k++)
            rows[count++] = option_row(fp_analyses[i]->options + k, given + i, k);
    return rows;
}

/* ---- Running ---- */

static void note(void *context, const char *line) {
    (void)context;
    fp_cli_progress_end();
    fprintf(stderr, "fplab: %s\n", line);
}

/* Prints the cautions of the arms as soon as a corpus is measured. */
static void warn_of_arms(void *context, const fp_outcome *outcome, fp_arm *const *arms) {
    size_t *empty = fp_arena_alloc(context, outcome->count, sizeof *empty);
    fp_cli_progress_end();
    for (size_t i = 0; i < outcome->count; i++) empty[i] = outcome->measurements[i].empty_count;
    fp_cli_cautions(arms, empty, outcome->count, outcome->corpus->name, outcome->corpus->document_count);
}

/* The arms, parsed once: `ahead` of the first corpus, or for a corpus, where those that were parsed ahead go. Files
 * that arms name may be pipes. Returns the exit status. */
static int parse_arms(fp_eval_options *options, bool ahead, fp_arena *arena, fp_arm ***arms, size_t *count) {
    int status = FP_EXIT_SUCCESS;
    *arms = options->ahead;
    *count = options->ahead_count;
    if (!*arms)
        status = fp_cli_arms_and_choices(options->arms, &options->choices, fp_cli_default_arms, arena, arms, count);
    options->ahead = ahead && status == FP_EXIT_SUCCESS ? *arms : NULL;
    options->ahead_count = *count;
    return status;
}

/* A mistake in the options, or no memory. */
static int refuse(const fp_command *command, const fp_error *error) {
    return error->code == FP_ERROR_MEMORY ? fp_cli_fail(error) : fp_cli_usage(command, "%s", error->message);
}

/* Arms are parsed anew for every corpus: what they learn belongs to it. */
static int measure_corpus(const char *path, fp_eval_options *options, fp_arena *arena) {
    fp_corpus *corpus = fp_arena_alloc(arena, 1, sizeof *corpus);
    fp_progress progress = fp_cli_progress();
    fp_error error = {0};
    fp_arm **arms;
    size_t count;
    FP_CLI_TRY(parse_arms(options, false, arena, &arms, &count));
    FP_CLI_TRY(fp_cli_corpus_fields(path, options->skip_bad,
                                    (const char *const[]){fp_strata_field(options->asked.by), NULL}, arena, corpus));
    FP_CLI_TRY(fp_cli_labelled(corpus));
    fp_status done = fp_eval_corpus(&options->asked, corpus, arms, count, &progress, arena, &error);
    fp_cli_progress_end();
    if (done == FP_OK) return FP_EXIT_SUCCESS;
    int status = fp_cli_fail(&error);
    return done == FP_ERROR_DUPLICATE ? FP_EXIT_USAGE : status;
}

/* Corpus names distinguish corpora in tables and pictures. Two corpora of one path are reported before the work. */
static bool named_twice(const char *const *corpora) {
    for (size_t i = 0; corpora[i]; i++) {
        for (size_t j = 0; j < i; j++) {
            if (strcmp(corpora[i], corpora[j]) != 0) continue;
            fprintf(stderr, "fplab: the corpus %s is named twice\n", corpora[i]);
            return true;
        }
    }
    return false;
}

static int measure(fp_eval_options *options, size_t count, fp_arena *arena) {
    fp_error error = {0};
    if (named_twice(options->corpora)) return FP_EXIT_USAGE;
    for (size_t i = 0; i < count; i++) {
        FP_CLI_TRY(measure_corpus(fp_cli_fixed_corpus(i, options->corpora[i]), options, arena));
    }
    return fp_eval_end(&options->asked, arena, &error) == FP_OK ? FP_EXIT_SUCCESS : fp_cli_fail(&error);
}

static int evaluate(const fp_command *command, fp_eval_options *options, int argc, const char **argv, fp_arena *arena) {
    fp_eval_request *asked = &options->asked;
    fp_error error = {0};
    size_t count, corpora = 0;
    fp_arm **arms;
    while (options->corpora[corpora]) corpora++;
    int status = fp_cli_plots_read(command, arena, &options->plots);
    if (status == FP_EXIT_SUCCESS) status = fp_cli_out_open(options->out, arena, &options->run);
    if (status == FP_EXIT_SUCCESS) status = parse_arms(options, true, arena, &arms, &count);
    if (status == FP_EXIT_SUCCESS && fp_eval_settle(asked, arms, count, corpora, arena, &error) != FP_OK)
        status = refuse(command, &error);
    if (status == FP_EXIT_SUCCESS) status = measure(options, corpora, arena);
    if (status == FP_EXIT_SUCCESS) status = fp_eval_report(options, argc, argv, arena);
    status = fp_cli_plots_commit(&options->plots, &options->run, status);
    fp_findings_free(&asked->findings);
    return status;
}

/* What does not go together is refused. Returns the exit status. */
static int read_options(const fp_command *command, fp_eval_options *chosen, fp_arena *arena) {
    fp_eval_request *asked = &chosen->asked;
    fp_error error = {0};
    if (chosen->title && !chosen->report) return fp_cli_usage(command, "--title goes with --report");
    if (chosen->report && !chosen->out) return fp_cli_usage(command, "--report goes with --out DIR");
    asked->every_table = chosen->out || chosen->format == FP_FORMAT_JSON;
    asked->without_bands = !chosen->out && chosen->format == FP_FORMAT_TABLE;
    asked->choices = chosen->choices.choices;
    asked->choice_count = chosen->choices.count;
    asked->note = note;
    asked->measured = warn_of_arms;
    asked->context = arena;
    return fp_eval_read(asked, arena, &error) == FP_OK ? FP_EXIT_SUCCESS : refuse(command, &error);
}

static int run(const fp_command *command, int argc, const char **argv) {
    static fp_eval_options chosen = {.asked = FP_EVAL_REQUEST};
    fp_eval_request *asked = &chosen.asked;
    chosen.format = FP_FORMAT_TABLE;
    fp_option options[] = {
        {"corpus", 'c', FP_TAKES_LIST(&chosen.corpora), FP_CLI_CORPUS_HELP "; may be repeated", "CORPUS"},
        {"arm", 'a', FP_TAKES_LIST(&chosen.arms),
         "algorithm:key=value,… or @FILE, a saved choice; may be repeated (default: the five algorithms)", "SPEC"},
        {"choice", 0, FP_TAKES_LIST(&chosen.choice_files),
         "the arm and threshold that `fplab tune --save` wrote; may be repeated", "FILE"},
        {"threshold", 0, FP_TAKES_TEXT(&asked->thresholds),
         "thresholds to tabulate (default: all whole ones; a terminal shows 1..10 and the best)", "H|A..B"},
        {"thresholds", 0, FP_TAKES_TEXT(&asked->thresholds), NULL, "A..B"},
        {"out", 'o', FP_TAKES_TEXT(&chosen.out), "write tables, plots and run.json here", "DIR"},
        {"report", 0, FP_TAKES_FLAG(&chosen.report),
         "with --out: also one page of it all, index.html, as `fplab report` writes it", NULL},
        FP_CLI_FORMAT_OPTION(chosen.format, "what to print", "table"),
        {.kind = FP_OPTION_MORE},
        FP_CLI_FORCE_OPTION,
        {"by", 0, FP_TAKES_HINT(&asked->by, "kind lang length"),
         "also by kind, lang, length, or a field of the documents", "FIELD"},
        {"buckets", 0, FP_TAKES_TEXT(&asked->buckets),
         "with --by length: upper bounds in characters (default: chosen from the pairs)", "N,N,…"},
        {"level", 0, FP_TAKES_WORD(&asked->level, FP_EVAL_LEVELS),
         "unit of counting: pair (default), document (has a duplicate), cluster (single linkage)", "LEVEL"},
        {"empty", 0, FP_TAKES_WORD(&asked->empty, FP_EVAL_EMPTY),
         "precision of an arm that calls nothing, in every table: na (default), zero, one", "RULE"},
        {.kind = FP_OPTION_ROWS, .place.rows = analysis_options(asked->given)},
        {"negatives", 0, FP_TAKES_TEXT(&asked->negatives),
         "of a corpus of groups: sample so many non-duplicate pairs, with weights; for bits and slots all pairs are still counted (default: all)",
         "N"},
        {"interval", 0, FP_TAKES_WORD(&asked->interval, FP_EVAL_METHODS),
         "mid-p (default), clopper-pearson, percentile or bca", "METHOD"},
        {"compare", 0, FP_TAKES_TEXT(&asked->compare),
         "the measure to compare arms by: average_precision (default), roc_area, best_f1, precision@H, recall@H, f1@H …",
         "MEASURE"},
        {"compare-at", 0, FP_TAKES_TEXT(&asked->compare_at),
         "thresholds of McNemar's test, one for all arms or one for each (default: chosen on other units)", "H[,H…]"},
        {"equivalence", 0, FP_TAKES_TEXT(&asked->equivalence),
         "differences up to this count as equivalent (default: 0.02)", "MARGIN"},
        {"detect", 0, FP_TAKES_TEXT(&asked->detect),
         "report the sample size needed to detect this difference (default: the margin of --equivalence)",
         "DIFFERENCE"},
        {"measure", 0, FP_TAKES_LIST(&asked->measures),
         "estimate this too, as `fplab measures` lists them; may be repeated", "MEASURE"},
        {"replicates", 0, FP_TAKES_INT(&asked->replicates),
         "bootstrap replicates, 200 or more (default: 1000, doubled up to 16000 until verdicts are settled)", "N"},
        {"seed", 0, FP_TAKES_LONG(&asked->seed), "seed of the bootstrap and of --negatives, from 0 on (default: 0)",
         "N"},
        {"hash-seeds", 'N', FP_TAKES_TEXT(&asked->hash_seeds),
         "measure arms that leave their hash seed open under N seeds, or seeds A..B; figures over the range and differences "
         "are means over them, those at a threshold of the first (default: 10; 1 for large corpora)",
         "N|A..B"},
        FP_CLI_PLOT_OPTIONS,
        {"no-plots", 0, FP_TAKES_FLAG(&chosen.no_plots), "with --out: tables only", NULL},
        {"whole-curves", 0, FP_TAKES_FLAG(&asked->results.whole_curves),
         "with --out: curves.tsv with every distance (default: of more than 1000, those that differ in a picture)",
         NULL},
        {"title", 0, FP_TAKES_TEXT(&chosen.title), "with --report: the title of the page", "TEXT"},
        {"no-texts", 0, FP_TAKES_FLAG(&chosen.no_texts), "with --report: list pairs by their ids alone", NULL},
        {"skip-bad", 0, FP_TAKES_FLAG(&chosen.skip_bad), "skip bad rows, and report how many", NULL},
        FP_CLI_TABLE_OPTIONS,
        FP_CLI_PLUGIN_OPTIONS,
        {0}};
    FP_CLI_BEGIN(command, argc, argv, options, arguments, arena);
    FP_CLI_TRY(fp_cli_corpora(command, arguments, &chosen.corpora));
    FP_CLI_TRY(fp_cli_read_choices(chosen.arms, chosen.choice_files, arena, &chosen.choices));
    FP_CLI_TRY(read_options(command, &chosen, arena));
    return evaluate(command, &chosen, argc, argv, arena);
}

const fp_command fp_command_eval = {
    .name = "eval",
    .arguments = "CORPUS… [--arm SPEC…] [OPTION…]",
    .summary = "measure precision and recall of fingerprints, with intervals and plots",
    .summary_zh = "测量指纹的精确率与召回率，附置信区间与图",
    .introduction_zh =
        "在标注的文本对上测量每个方案，先给出结论：最佳方案、其阈值、该阈值下的精确率与召回率及 95% 置信区间、开销、第二名。\n"
        "然后列出各方案取最佳 F1 时的结果、各阈值的精确率与召回率，以及哪些差异在 Holm 校正后显著。",
    .details = "Measures every arm on labelled pairs, and begins with the answer: the best arm, its threshold,\n"
               "precision and recall there with 95% intervals, cost, and the runner-up. Then follow every arm at its\n"
               "best F1, precision and recall by threshold, and which differences are significant after Holm\n"
               "correction.\n"
               "\n"
               "CORPUS is a directory, or a table (CSV, TSV, JSON lines) of labelled pairs or of texts in groups;\n"
               "its columns are found by their names.\n"
               "\n"
               "Counts and intervals at a threshold are those of the fingerprint that the arm writes, with its own\n"
               "hash seed; `fplab distances` gives the same counts. Average precision, ROC area, the best F1 and\n"
               "differences are means over hash seeds. The best F1 is chosen where it is measured (in-sample), hence\n"
               "optimistic: `fplab tune` measures on held-out texts.\n"
               "\n"
               "Intervals allow for pairs that share documents or groups: mid-p with the spread over units, or a\n"
               "cluster bootstrap (percentile, bca). Groups of up to 707 documents are written out as pairs; with\n"
               "more, all pairs are counted, or a sample of them with --negatives. Arms without a significant\n"
               "difference are equivalent within a margin (--equivalence), or could differ by so much; then follows\n"
               "the sample size needed (--detect).\n"
               "\n"
               "--out DIR receives answer.tsv, results.tsv (counts and figures by threshold), summary.tsv,\n"
               "intervals.tsv, differences.tsv (with McNemar's test, at the thresholds of --compare-at, of a choice,\n"
               "or cross-fitted), sources.tsv, curves.tsv, histograms.tsv, run.json, and pictures in DIR/plots. The\n"
               "files appear together, in place of an earlier run; a DIR with changed files or files of others is\n"
               "refused, unless --force is given. `fplab plot DIR` draws again, `fplab rerun DIR` repeats the run.\n"
               "\n"
               "Further tables, each with its picture and section of the report (docs/evaluation.md):\n"
               "  --by FIELD        precision, recall and the best threshold by kind, length, language or a field\n"
               "  --prevalence P    precision where a share P of the pairs are duplicates\n"
               "  --level cluster   agreement of single-linkage clusters with the true ones\n"
               "  --retrieval       each document with a duplicate as a query: average precision, R-precision, …\n"
               "  --theory          the distances that theory predicts beside the measured ones\n"
               "  --lost            recall lost by the index, by the sketch, by the similarity\n"
               "  --gain            precision and recall as gains over calling everything\n"
               "  --costs           the best threshold when a missed duplicate costs 1/20 to 20 false positives\n"
               "  --calibrate       distances as probabilities, tested on held-out groups\n"
               "  --bytes A..B      how many bytes are enough: other sizes of each arm, exact similarity, the bound\n"
               "Two corpora or more add mean ranks and Wilcoxon's test over corpora. --measure adds a measure of\n"
               "`fplab measures`; --compare takes any of them.\n"
               "\n"
               "NA means not defined. --format json prints all tables, each under its name. Exit status 1 if\n"
               "pictures could not be drawn.",
    .examples =
        "  fplab eval pairs.csv\n"
        "  fplab eval corpora/data/newswire-zh --out run --report\n"
        "  fplab eval my-texts -a simhash -a simhash:features=words,weight=tfidf,name=words --threshold 0..16\n"
        "  fplab eval -c corpora/data/newswire-zh -a cosine:weight=idf --by kind\n"
        "  fplab eval -c corpora/data/newswire-zh --by length --out lengths\n"
        "  fplab eval -c my-texts --level cluster --prevalence 0.001\n"
        "  fplab eval -c my-texts -a simhash -a minhash --retrieval\n"
        "  fplab eval -c corpora/data/newswire-zh -a simhash -a minhash --theory --threshold 0..32 --out theory\n"
        "  fplab eval -c corpora/data/newswire-zh -a simhash -a cosine --lost --index pigeonhole:blocks=6,agree=3\n"
        "  fplab eval -c corpora/data/newswire-zh -a hyperplane -a minhash:slots=64,b=1 --bytes 4..128\n"
        "  fplab eval -c corpora/data/newswire-zh -a simhash -a pinyin --compare recall@10\n"
        "  fplab eval -c many-texts -a simhash -a jaccard --negatives 1000000 --out many\n"
        "  fplab eval -c my-texts --format tsv > results.tsv",
    .run = run,
};
