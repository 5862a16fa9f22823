/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab judge: samples pairs, records judgements, estimates precision and recall from them. */
#include "eval/experiment/corpus_sketches.h"
#include "cli/commands/judge.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "cli/choice.h"

/* ---- Drawing a sample ---- */

static bool parse_distances(const char *text, fp_judged_options *options) {
    char low[24], high[24];
    int64_t first, last;
    const char *dots = strstr(text, "..");
    if (!dots || (size_t)(dots - text) >= sizeof low || strlen(dots + 2) >= sizeof high) return false;
    snprintf(low, sizeof low, "%.*s", (int)(dots - text), text);
    snprintf(high, sizeof high, "%s", dots + 2);
    if (!fp_parse_integer(low, &first) || !fp_parse_integer(high, &last) || first < 0 || first > last ||
        last >= FP_JUDGED_STRATA)
        return false;
    options->first = (size_t)first;
    options->last = (size_t)last;
    return true;
}

/* Strata with fewer pairs than requested: the empty ones (`empty`), or the others. */
static void report_strata(const fp_judged_sample *sample, bool empty, const char *what) {
    const char *separator = "";
    for (size_t s = 0; s < sample->stratum_count; s++) {
        const fp_judged_stratum *stratum = sample->strata + s;
        if (stratum->drawn == sample->options.per_stratum || (stratum->drawn == 0) != empty) continue;
        if (!*separator) fprintf(stderr, "fplab: %s at distance ", what);
        fprintf(stderr, "%s%zu", separator, stratum->distance);
        if (!empty) fprintf(stderr, " (%zu)", stratum->drawn);
        separator = ", ";
    }
    if (*separator) fprintf(stderr, "\n");
}

static fp_table *strata_table(const fp_judged_sample *sample, fp_arena *arena) {
    fp_table *table = fp_table_new(">distance|>pairs|>drawn", arena);
    for (size_t s = 0; s < sample->stratum_count; s++) {
        fp_table_count(table, sample->strata[s].distance);
        fp_table_count(table, sample->strata[s].population);
        fp_table_count(table, sample->strata[s].drawn);
    }
    return table;
}

/* Checks before the long work that the sheet can be written, and keeps an existing one, which may contain
 * judgements. */
static int probe(const char *path) {
    fp_error error = {0};
    fp_output output;
    if (!path) return FP_EXIT_SUCCESS;
    if (access(path, F_OK) == 0) {
        fprintf(stderr, "fplab: %s already exists and may contain judgements; remove it, or name another file\n", path);
        return FP_EXIT_FAILURE;
    }
    if (fp_output_open(&output, path, &error) != FP_OK) return fp_cli_fail(&error);
    fp_output_discard(&output);
    return FP_EXIT_SUCCESS;
}

static int draw(const fp_judge_options *chosen, const char *spec, fp_judged_options *options, fp_arena *arena) {
    fp_error error = {0};
    fp_corpus corpus;
    fp_arm *arm;
    double threshold;
    FP_CLI_TRY(fp_cli_arm(spec, arena, &arm, &threshold));
    if (!chosen->distances && threshold < FP_JUDGED_STRATA) options->last = (size_t)ceil(threshold);
    FP_CLI_TRY(probe(chosen->out));
    FP_CLI_TRY(fp_cli_corpus(chosen->corpus, chosen->skip_bad, arena, &corpus));
    fp_measurement measurement;
    fp_judged_sample sample;
    fp_progress progress = fp_cli_progress();
    fp_status done = fp_experiment_sketches(&corpus, &arm, 1, &progress, arena, &measurement, &error);
    if (done == FP_OK) {
        fp_cli_progress_end();
        fp_cli_caution(arm, corpus.name, measurement.empty_count, corpus.document_count);
        done = fp_distances_check(&corpus, &measurement, (fp_pair_list){0}, &progress, &error);
        if (done == FP_OK) done = fp_judged_draw(&measurement, options, &progress, arena, &sample, &error);
        if (done == FP_ERROR_EMPTY) fp_at(&error, done, corpus.path, SIZE_MAX, SIZE_MAX);
        fp_measurement_free(&measurement);
    }
    fp_cli_progress_end();
    if (done == FP_OK) done = fp_judged_write(&sample, &corpus, arm, (size_t)chosen->width, chosen->out, &error);
    if (done != FP_OK) return fp_cli_fail(&error);
    if (chosen->out) fp_cli_write(strata_table(&sample, arena), chosen->format);
    report_strata(&sample, true, "there are no pairs");
    report_strata(&sample, false, "fewer pairs than requested, and all of them sampled,");
    return FP_EXIT_SUCCESS;
}

static int run_sample(const fp_command *command, const fp_judge_options *chosen, fp_arena *arena) {
    enum { MOST_PAIRS = 1000000 };
    const char *spec;
    fp_judged_options options = {
        .last = 10, .per_stratum = (size_t)chosen->per_distance, .seed = (uint64_t)chosen->seed};
    if (!chosen->corpus) return fp_cli_usage(command, "no corpus given; name it with --corpus DIR");
    FP_CLI_TRY(fp_cli_spec(command, chosen->arm, chosen->choice, NULL, arena, &spec));
    if (chosen->distances && !parse_distances(chosen->distances, &options))
        return fp_cli_usage(command, "--distances takes A..B with 0 ≤ A ≤ B < %d, not %s", FP_JUDGED_STRATA,
                            chosen->distances);
    if (chosen->per_distance < 1 || chosen->per_distance > MOST_PAIRS)
        return fp_cli_usage(command, "--per-distance takes 1 to %d pairs, not %lld", MOST_PAIRS, chosen->per_distance);
    if (chosen->width < 0)
        return fp_cli_usage(command, "--width takes a number of characters, not %lld", chosen->width);
    return draw(chosen, spec, &options, arena);
}

/* ---- Command ---- */

static int dispatch(const fp_command *command, const fp_judge_options *chosen, const char *const *arguments,
                    fp_arena *arena) {
    const char *action = arguments[0];
    if (!action)
        return fp_cli_usage(command, "judge takes: sample, a sheet, estimate SHEET…, or agreement SHEET SHEET…");
    if (!(chosen->confidence > 0 && chosen->confidence < 1))
        return fp_cli_usage(command, "--confidence takes a share above 0 and below 1, not %g", chosen->confidence);
    if (strcmp(action, "sample") == 0) {
        if (arguments[1]) return fp_cli_usage(command, "unexpected argument %s", arguments[1]);
        return run_sample(command, chosen, arena);
    }
    if (strcmp(action, "estimate") == 0) {
        if (!arguments[1]) return fp_cli_usage(command, "judge estimate takes one sheet or more");
        return fp_judge_estimate(chosen, arguments + 1, arena);
    }
    if (strcmp(action, "agreement") == 0) {
        if (!arguments[1] || !arguments[2])
            return fp_cli_usage(command, "judge agreement takes two sheets or more, of the same sample");
        return fp_judge_agreement(chosen, arguments + 1, arena);
    }
    if (arguments[1]) return fp_cli_usage(command, "one sheet at a time; for estimates use judge estimate");
    return fp_judge_walk(command, chosen, action, arena);
}

static int run(const fp_command *command, int argc, const char **argv) {
    fp_judge_options chosen = {.per_distance = 50, .context = 40, .confidence = 0.95};
    fp_option options[] = {
        {"corpus", 'c', FP_TAKES_TEXT(&chosen.corpus), "the corpus; with a sheet, the one that it was sampled from",
         "DIR"},
        {"arm", 'a', FP_TAKES_TEXT(&chosen.arm), "sample: algorithm:key=value,…, or @FILE", "SPEC"},
        {"choice", 0, FP_TAKES_TEXT(&chosen.choice),
         "sample: instead, the arm that `fplab tune --save` wrote; from distances up to its threshold", "FILE"},
        {"distances", 'd', FP_TAKES_TEXT(&chosen.distances), "sample: distances to sample from (default: 0..10)",
         "A..B"},
        {"per-distance", 'm', FP_TAKES_LONG(&chosen.per_distance), "sample: pairs to sample from each (default: 50)",
         "M"},
        {"seed", 0, FP_TAKES_SEED(&chosen.seed), "sample: of the sample and its order, from 0 on (default: 0)", "N"},
        {"out", 'o', FP_TAKES_TEXT(&chosen.out), "sample: the sheet (default: standard output)", "SHEET.tsv"},
        {"width", 0, FP_TAKES_LONG(&chosen.width),
         "sample: cut the texts in the sheet to N characters (default: whole)", "N"},
        {"context", 0, FP_TAKES_LONG(&chosen.context),
         "walk: characters shown around each difference of long texts (default: 40; 0: whole texts)", "N"},
        {"from", 0, FP_TAKES_LONG(&chosen.from), "walk: begin at pair N (default: the first that is not judged)", "N"},
        {"unsure", 'u', FP_TAKES_CHOICE(&chosen.unsure, FP_JUDGE_UNSURE),
         "estimate: what unsure counts as: leave-out (default), negative or positive", "AS"},
        {"confidence", 0, FP_TAKES_REAL(&chosen.confidence), "estimate, agreement: of the intervals (default: 0.95)",
         "SHARE"},
        FP_CLI_FORMAT_OPTION(chosen.format, "how to print", "table"),
        {"skip-bad", 0, FP_TAKES_FLAG(&chosen.skip_bad), "skip bad rows of the corpus, and report how many", NULL},
        FP_CLI_PLUGIN_OPTIONS,
        {0}};
    FP_CLI_BEGIN(command, argc, argv, options, arguments, arena);
    return dispatch(command, &chosen, arguments, arena);
}

const fp_command fp_command_judge = {
    .name = "judge",
    .arguments = "sample | SHEET | estimate SHEET… | agreement SHEET SHEET… [OPTION…]",
    .summary = "estimate precision and recall without labels, from a sample of pairs that you judge",
    .summary_zh = "由人工判断抽样的文本对，估计无标注语料上的精确率与召回率",
    .details = "judge sample counts the pairs of a corpus at each distance, samples some of each, and writes a\n"
               "sheet: tab-separated, with the pairs in random order. Labels are neither needed nor used.\n"
               "\n"
               "judge SHEET shows the pairs one by one and takes one key a pair (d duplicate, n not, u unsure, b\n"
               "back, s skip, w whole texts, q quit, ? help), with the differences marked and the distance hidden.\n"
               "Every answer is saved at once, and the next session begins at the first pair that is not judged.\n"
               "Without a terminal it reads one answer a line. With --corpus it shows the texts of the corpus, else\n"
               "those in the sheet. Or fill the column \"judgement\" with duplicate, not or unsure in a spreadsheet.\n"
               "\n"
               "judge estimate gives precision and relative recall at each threshold, with intervals. Each distance\n"
               "is weighted by its number of pairs in the corpus. A sheet may be judged in part: its order is\n"
               "random, so the first pairs are a sample too.\n"
               "\n"
               "judge agreement compares the sheets of several judges, copies of one sample: Cohen's kappa and the\n"
               "table of answers. judge estimate takes several sheets too; where the judges differ, a pair counts as\n"
               "unsure.",
    .examples = "  fplab judge sample --corpus my-texts --arm simhash:features=words,weight=tfidf --out sheet.tsv\n"
                "  cp sheet.tsv second.tsv\n"
                "  fplab judge sheet.tsv --corpus my-texts\n"
                "  fplab judge second.tsv --corpus my-texts --context 80\n"
                "  fplab judge agreement sheet.tsv second.tsv\n"
                "  fplab judge estimate sheet.tsv --unsure negative\n"
                "  fplab judge estimate sheet.tsv second.tsv --format json",
    .run = run,
};
