/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab eval: precision and recall of arms on corpora, as tables and pictures. */
#include "cli/commands/eval.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { NOT_GIVEN = INT_MIN }; /* --replicates */
/* Without --threshold: the whole scale, up to the first; a terminal shows those up to the second. */
enum { WHOLE_SCALE = 256, SHOWN = 10 };

/* ---- What the options mean ---- */

/* "A..B", 0 ≤ A ≤ B */
static bool parse_range(const char *text, int64_t *first, int64_t *last) {
    char low[24], high[24];
    const char *dots = strstr(text, "..");
    if (!dots || (size_t)(dots - text) >= sizeof low || strlen(dots + 2) >= sizeof high) return false;
    snprintf(low, sizeof low, "%.*s", (int)(dots - text), text);
    snprintf(high, sizeof high, "%s", dots + 2);
    return fp_parse_integer(low, first) && fp_parse_integer(high, last) && *first >= 0 && *first <= *last;
}

/* Or one, "12". */
static bool parse_thresholds(const char *text, fp_results *results) {
    bool one = fp_parse_integer(text, &results->first_threshold) && results->first_threshold >= 0;
    if (one) results->last_threshold = results->first_threshold;
    return (one || parse_range(text, &results->first_threshold, &results->last_threshold)) &&
           results->last_threshold < FP_EVAL_THRESHOLDS;
}

/* "5": so many from each arm's own on; "10..14": these. */
static bool parse_hash_seeds(const char *text, fp_hash_seeds *seeds) {
    int64_t first = 1, last;
    seeds->from = strstr(text, "..") != NULL;
    if (!(seeds->from ? parse_range(text, &first, &last) : fp_parse_integer(text, &last))) return false;
    seeds->first = (uint64_t)first;
    seeds->count = last >= first && last - first < FP_HASH_SEEDS_MOST ? (size_t)(last - first) + 1 : 0;
    return seeds->count > 0;
}

/* "50,100,200": ascending upper bounds. */
static bool parse_buckets(const char *text, size_t *bounds, size_t *count) {
    fp_string rest = fp_string_of(text), item;
    *count = 0;
    while (fp_next_field(&rest, ',', &item)) {
        char number[24];
        int64_t value;
        if (*count == FP_EVAL_BUCKETS || item.length >= sizeof number) return false;
        snprintf(number, sizeof number, "%.*s", (int)item.length, item.data);
        if (!fp_parse_integer(number, &value) || value < 1 || (*count && (size_t)value <= bounds[*count - 1]))
            return false;
        bounds[(*count)++] = (size_t)value;
    }
    return true;
}

/* How many, and what looks at pairs one by one, or at all of them, and so does not go with a sample. */
static int parse_negatives(const fp_command *command, fp_eval_options *chosen, fp_level level, size_t hash_seeds) {
    int64_t count = 0;
    if (!chosen->negatives) return -1;
    if (!fp_parse_integer(chosen->negatives, &count) || count < 1)
        return fp_cli_usage(command, "--negatives takes a whole number from 1 on, not %s", chosen->negatives);
    const char *other = level != FP_LEVEL_PAIR ? "level"
                        : chosen->by           ? "by"
                                               : fp_eval_needing(chosen, FP_NEEDS_ALL_PAIRS);
    if (other) return fp_cli_usage(command, "--negatives measures a sample of pairs: it does not go with --%s", other);
    if (hash_seeds > 1) return fp_cli_usage(command, "--negatives measures under one hash seed, not %zu", hash_seeds);
    chosen->questions.negatives = (uint64_t)count;
    return -1;
}

/* fp_level, fp_empty; the methods of METHOD below. */
static const char LEVELS[] = "pair document cluster", EMPTY[] = "na zero one",
                  METHODS[] = "mid-p clopper-pearson percentile bca";

/* Measures that every evaluation has stand in its tables already. */
static int parse_measures(const fp_command *command, fp_eval_options *chosen) {
    fp_inference_options *inference = &chosen->questions.inference;
    inference->further = chosen->further;
    for (const char **name = chosen->measures; name && *name; name++) {
        fp_error error = {0};
        fp_measure measure;
        bool again = false;
        if (inference->further_count == FP_EVAL_MEASURES)
            return fp_cli_usage(command, "--measure: no more than %d measures", FP_EVAL_MEASURES);
        if (strchr(*name, '@'))
            return fp_cli_usage(command, "--measure takes a name without @: %s is shown at all thresholds", *name);
        if (fp_measure_find(*name, inference->prevalence, &measure, &error) != FP_OK)
            return fp_cli_usage(command, "--measure: %s", error.message);
        if (measure.row->usual && !measure.named)
            return fp_cli_usage(command, "--measure: every evaluation has %s; it is in intervals.tsv", *name);
        for (size_t i = 0; i < inference->further_count; i++) again |= fp_measure_same(chosen->further + i, &measure);
        if (!again) chosen->further[inference->further_count++] = measure;
    }
    return -1;
}

static int parse_options(const fp_command *command, fp_eval_options *chosen, fp_results *results, fp_arena *arena) {
    static const fp_method METHOD[] = {FP_METHOD_MID_P, FP_METHOD_CLOPPER_PEARSON, FP_METHOD_PERCENTILE, FP_METHOD_BCA};
    int level = fp_cli_word_at(LEVELS, chosen->level), empty = fp_cli_word_at(EMPTY, chosen->empty),
        method = fp_cli_word_at(METHODS, chosen->interval);
    if (chosen->thresholds && !parse_thresholds(chosen->thresholds, results))
        return fp_cli_usage(command, "--threshold takes H or A..B with 0 ≤ A ≤ B ≤ 4096, not %s", chosen->thresholds);
    if (chosen->buckets && !parse_buckets(chosen->buckets, chosen->bounds, &chosen->bound_count))
        return fp_cli_usage(command, "--buckets takes ascending lengths such as 50,100,200, not %s", chosen->buckets);
    if (chosen->buckets && (!chosen->by || strcmp(chosen->by, "length") != 0))
        return fp_cli_usage(command, "--buckets goes with --by length");
    if (chosen->title && !chosen->report) return fp_cli_usage(command, "--title goes with --report");
    if (chosen->report && !chosen->out) return fp_cli_usage(command, "--report goes with --out DIR");
    int status = chosen->replicates == NOT_GIVEN ? -1 : fp_cli_replicates(command, chosen->replicates);
    if (status < 0) status = fp_cli_seed(command, chosen->seed);
    if (status >= 0) return status;
    fp_hash_seeds hash_seeds = {0};
    if (chosen->hash_seeds && !parse_hash_seeds(chosen->hash_seeds, &hash_seeds))
        return fp_cli_usage(command, "--hash-seeds takes 1 to %d, or A..B with 0 ≤ A ≤ B, not %s", FP_HASH_SEEDS_MOST,
                            chosen->hash_seeds);
    double margin = FP_EQUIVALENCE_MARGIN, detect = 0;
    if (chosen->equivalence && (!fp_parse_real(chosen->equivalence, &margin) || !(margin > 0 && margin < 1)))
        return fp_cli_usage(command, "--equivalence takes a number between 0 and 1, not %s", chosen->equivalence);
    if (chosen->detect && (!fp_parse_real(chosen->detect, &detect) || !(detect > 0 && detect < 1)))
        return fp_cli_usage(command, "--detect takes a number between 0 and 1, not %s", chosen->detect);
    results->level = (fp_level)level;
    results->inference = &chosen->questions.inference;
    chosen->divided = (fp_strata_choice){chosen->by, chosen->bounds, chosen->bound_count};
    bool by_length = chosen->by && strcmp(chosen->by, "length") == 0 && level != FP_LEVEL_DOCUMENT;
    bool every_table = chosen->out || (chosen->format && strcmp(chosen->format, "json") == 0);
    chosen->questions = (fp_questions){.level = (fp_level)level,
                                       .by = chosen->by ? &chosen->divided : NULL,
                                       .edits = by_length && every_table,
                                       .saved = every_table};
    bool given = chosen->replicates != NOT_GIVEN;
    chosen->questions.inference =
        (fp_inference_options){.method = METHOD[method],
                               .empty = (fp_empty)empty,
                               .confidence = results->confidence,
                               .replicates = given ? (size_t)chosen->replicates : FP_REPLICATES,
                               .most_replicates = given ? 0 : FP_REPLICATES_SETTLED,
                               .seed = (uint64_t)chosen->seed,
                               .margin = margin,
                               .detect = detect,
                               .thresholds = chosen->threshold_list,
                               .hash_seeds = hash_seeds};
    status = fp_eval_ask(command, chosen, arena);
    if (status < 0) status = parse_negatives(command, chosen, (fp_level)level, hash_seeds.count);
    if (status >= 0) return status;
    status = parse_measures(command, chosen);
    if (status < 0) status = fp_eval_judged_options(command, chosen, arena);
    return status < 0 ? fp_eval_ask_measures(command, chosen) : status;
}

/* ---- Running ---- */

/* Every whole threshold of the longest scale. */
static int settle_thresholds(fp_eval_options *options, fp_results *results, fp_arena *arena) {
    fp_arm **arms;
    size_t count = 0;
    if (options->thresholds) return -1;
    int status = fp_eval_arms(options, true, arena, &arms, &count);
    for (size_t i = 0; i < count && status < 0; i++) {
        double most = fmin(ceil(fp_arm_layout(arms[i])->maximum), WHOLE_SCALE);
        if (most > (double)results->last_threshold) results->last_threshold = (int64_t)most;
    }
    results->last_shown = SHOWN;
    return status;
}

/* The thresholds, and the measure that arms are compared by, which may be at one of them. */
static int list_thresholds(const fp_command *command, fp_eval_options *options, fp_results *results, fp_arena *arena) {
    int status = settle_thresholds(options, results, arena);
    if (status >= 0) return status;
    fp_inference_options *inference = &options->questions.inference;
    fp_error error = {0};
    size_t count = (size_t)(results->last_threshold - results->first_threshold) + 1;
    for (size_t i = 0; i < count; i++) options->threshold_list[i] = (double)(results->first_threshold + (int64_t)i);
    inference->threshold_count = count;
    if (options->compare && fp_measure_parse(options->compare, options->threshold_list, count, inference->prevalence,
                                             &inference->compared, &error) != FP_OK)
        return fp_cli_usage(command, "--compare: %s", error.message);
    return -1;
}

static int evaluate(const fp_command *command, fp_eval_options *options, fp_results *results, fp_table_format format,
                    int argc, const char **argv, fp_arena *arena) {
    int status = fp_cli_plots_read(command, arena, &options->plots);
    if (status < 0) status = fp_cli_out_open(options->out, arena, &options->run);
    if (status < 0) status = list_thresholds(command, options, results, arena);
    if (status < 0) status = fp_eval_fit(options, arena);
    if (status < 0) status = fp_eval_measure(command, options, arena, results);
    if (status < 0) status = fp_eval_report(results, options, format, argc, argv, arena);
    status = fp_cli_plots_commit(&options->plots, &options->run, status);
    fp_findings_free(&options->findings);
    return status;
}

static int run(const fp_command *command, int argc, const char **argv) {
    static fp_eval_options chosen = {.replicates = NOT_GIVEN, .seed = 1};
    fp_results results = {.first_threshold = 1, .last_threshold = 10, .confidence = 0.95};
    fp_option options[] = {
        {"corpus", 'c', FP_TAKES_LIST(&chosen.corpora), FP_CLI_CORPUS_HELP "; may be repeated", "CORPUS"},
        {"arm", 'a', FP_TAKES_LIST(&chosen.arms),
         "algorithm:key=value,… or @FILE, a saved choice; may be repeated (default: the five algorithms)", "SPEC"},
        {"choice", 0, FP_TAKES_LIST(&chosen.choice_files),
         "the arm and threshold that `fplab tune --save` wrote; may be repeated", "FILE"},
        {"threshold", 0, FP_TAKES_TEXT(&chosen.thresholds),
         "thresholds to tabulate (default: all whole ones; a terminal shows 1..10 and the best)", "H|A..B"},
        {"thresholds", 0, FP_TAKES_TEXT(&chosen.thresholds), NULL, "A..B"},
        {"out", 'o', FP_TAKES_TEXT(&chosen.out), "write tables, plots and run.json here", "DIR"},
        {"report", 0, FP_TAKES_FLAG(&chosen.report),
         "with --out: also one page of it all, index.html, as `fplab report` writes it", NULL},
        FP_CLI_FORMAT_OPTION(chosen.format, "what to print", "table"),
        {.kind = FP_OPTION_MORE},
        FP_CLI_FORCE_OPTION,
        {"by", 0, FP_TAKES_HINT(&chosen.by, "kind lang length"),
         "also by kind, lang, length, or a field of the documents", "FIELD"},
        {"buckets", 0, FP_TAKES_TEXT(&chosen.buckets),
         "with --by length: upper bounds in characters (default: chosen from the pairs)", "N,N,…"},
        {"level", 0, FP_TAKES_WORD(&chosen.level, LEVELS),
         "what is counted: pair (default), document (has a duplicate), cluster (single linkage)", "LEVEL"},
        {"empty", 0, FP_TAKES_WORD(&chosen.empty, EMPTY),
         "precision of an arm that calls nothing, in every table: na (default), zero, one", "RULE"},
        {.kind = FP_OPTION_ROWS, .place.rows = fp_eval_analysis_options()},
        {"negatives", 0, FP_TAKES_TEXT(&chosen.negatives),
         "of a corpus of groups: draw so many of the pairs that are no duplicates, and weigh them; bits and slots are counted all the same (default: all)",
         "N"},
        {"interval", 0, FP_TAKES_WORD(&chosen.interval, METHODS), "mid-p (default), clopper-pearson, percentile or bca",
         "METHOD"},
        {"compare", 0, FP_TAKES_TEXT(&chosen.compare),
         "what arms are compared by: average_precision (default), roc_area, best_f1, precision@H, recall@H, f1@H …",
         "MEASURE"},
        {"compare-at", 0, FP_TAKES_TEXT(&chosen.compare_at),
         "thresholds of McNemar's test, one for all arms or one for each (default: chosen on other units)", "H[,H…]"},
        {"equivalence", 0, FP_TAKES_TEXT(&chosen.equivalence),
         "differences up to this make no difference in practice (default: 0.02)", "MARGIN"},
        {"detect", 0, FP_TAKES_TEXT(&chosen.detect),
         "the difference that the sample size needed is for (default: the margin of --equivalence)", "DIFFERENCE"},
        {"measure", 0, FP_TAKES_LIST(&chosen.measures),
         "estimate this too, as `fplab measures` lists them; may be repeated", "MEASURE"},
        {"replicates", 0, FP_TAKES_INT(&chosen.replicates),
         "bootstrap replicates, 200 or more (default: 1000, doubled up to 16000 until verdicts are settled)", "N"},
        {"seed", 0, FP_TAKES_LONG(&chosen.seed), "seed of the bootstrap and of --negatives, from 0 on (default: 1)",
         "N"},
        {"hash-seeds", 'N', FP_TAKES_TEXT(&chosen.hash_seeds),
         "measure arms that leave their hash seed open under N seeds, or seeds A..B; figures over the range and differences "
         "are means over them, those at a threshold of the first (default: 10; 1 for large corpora)",
         "N|A..B"},
        FP_CLI_PLOT_OPTIONS,
        {"no-plots", 0, FP_TAKES_FLAG(&chosen.no_plots), "with --out: tables only", NULL},
        {"whole-curves", 0, FP_TAKES_FLAG(&results.whole_curves),
         "with --out: curves.tsv with every distance (default: of more than 1000, those that can be told apart)", NULL},
        {"title", 0, FP_TAKES_TEXT(&chosen.title), "with --report: the title of the page", "TEXT"},
        {"no-texts", 0, FP_TAKES_FLAG(&chosen.no_texts), "with --report: list pairs by their ids alone", NULL},
        {"skip-bad", 0, FP_TAKES_FLAG(&chosen.skip_bad), "leave bad rows out, and count them", NULL},
        FP_CLI_TABLE_OPTIONS,
        FP_CLI_PLUGIN_OPTIONS,
        {0}};
    const char **arguments;
    fp_arena *arena;
    int status = fp_cli_begin(command, argc, argv, options, &arguments, &arena);
    if (status >= 0) return status;
    fp_table_format format;
    status = fp_cli_corpora(command, arguments, &chosen.corpora);
    if (status < 0 && !fp_cli_format(command, chosen.format, FP_FORMAT_TABLE, &format)) status = FP_EXIT_USAGE;
    if (status < 0) status = fp_cli_read_choices(chosen.arms, chosen.choice_files, arena, &chosen.choices);
    if (status < 0) status = parse_options(command, &chosen, &results, arena);
    if (status < 0) status = evaluate(command, &chosen, &results, format, argc, argv, arena);
    fp_cli_end(options, arena);
    return status;
}

const fp_command fp_command_eval = {
    .name = "eval",
    .arguments = "CORPUS… [--arm SPEC…] [OPTION…]",
    .summary = "measure precision and recall of fingerprints, with intervals and plots",
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
               "  --theory          the law of each arm's distance beside the measurement\n"
               "  --lost            recall lost by the index, by the sketch, by the similarity\n"
               "  --gain            precision and recall as gains over calling everything\n"
               "  --costs           where to call when a missed duplicate costs 1/20 to 20 wrong calls\n"
               "  --calibrate       distances as probabilities, tried on held-out groups\n"
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
        "  fplab eval -c corpora/data/newswire-zh -a simhash -a pinyin --compare recall@10\n"
        "  fplab eval -c many-texts -a simhash -a jaccard --negatives 1000000 --out many\n"
        "  fplab eval -c my-texts --format tsv > results.tsv",
    .run = run,
};
