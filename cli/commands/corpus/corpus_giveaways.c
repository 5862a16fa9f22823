/* SPDX-License-Identifier: GPL-3.0-or-later
 * corpus giveaways: whether one class of evidence alone decides the labels. */

#include "cli/commands/corpus/making.h"
#include "eval/inspection/inspection.h"
#include "eval/statistics/bootstrap.h"

enum { USUAL_PAIRS = 10000, MOST_PAIRS = 1000000 };

typedef struct options {
    const char **arms;
    fp_table_format format;
    long long pairs, seed;
    int replicates;
    bool skip_bad;
} options;

/* "digits (0.998), names (0.950)". */
static const char *list_given(const fp_giveaways *made, size_t *count, fp_arena *arena) {
    const char *list = "";
    *count = 0;
    for (size_t i = 0; i < made->count && list; i++)
        if (made->found[i].gives_away)
            list = fp_format(arena, "%s%s%s (%.3f)", list, (*count)++ ? ", " : "", made->found[i].name,
                             made->found[i].precision);
    return list;
}

static const char *verdict(const fp_giveaway *found) {
    if (found->kind == FP_EVIDENCE_ARM) return "an arm";
    return found->whole ? "is the text" : found->gives_away ? "yes" : "no";
}

static void note_combined(const fp_giveaways *made) {
    double chance = (double)made->positives / (double)made->pairs;
    if (made->first_arm == FP_VIEWS) fp_cli_note("Form cannot be judged here: %s.\n", made->combined[0]);
    for (size_t i = FP_VIEWS; i < made->first_arm; i++)
        if (made->found[i].whole)
            fp_cli_note("%s: texts are so short that their ends are %.0f%% of them: this is no evidence about form.\n",
                        made->found[i].name, 100 * made->found[i].share);
        else if (made->found[i].low > chance)
            fp_cli_note("%s rests on: %s.\n", made->found[i].name, made->combined[i - FP_VIEWS]);
}

static int print_result(const fp_giveaways *made, fp_table_format format, fp_arena *arena) {
    static const char *const classes[] = {"view", "combined", "arm"};
    size_t count;
    fp_table *table =
        format == FP_FORMAT_TABLE
            ? fp_table_new("evidence|>average precision|>documents|>share of the text|gives the set away", arena)
            : fp_table_new("evidence|class|>average_precision|>low|>high|>documents|gives_away|>share", arena);
    const char *list = list_given(made, &count, arena);
    for (size_t i = 0; i < made->count; i++) {
        const fp_giveaway *found = &made->found[i];
        fp_table_text(table, found->name);
        const fp_interval limits = {found->low, found->high};
        if (format == FP_FORMAT_TABLE) fp_table_interval(table, found->precision, limits, 3);
        else {
            fp_table_text(table, classes[found->kind]);
            fp_table_figure(table, found->precision, limits, 3);
        }
        fp_table_count(table, found->documents);
        if (format == FP_FORMAT_TABLE) fp_table_real(table, found->share, 3);
        fp_table_text(table, format == FP_FORMAT_TABLE ? verdict(found) : found->gives_away ? "yes" : "no");
        if (format != FP_FORMAT_TABLE) fp_table_real(table, found->share, 3);
    }
    int status = fp_cli_write(table, format);
    const fp_giveaway *best = &made->found[made->best];
    if (count)
        fp_cli_note("%s %s the set away: alone %s as good as the best arm, %s (%.3f).\n", list,
                    count == 1 ? "gives" : "give", count == 1 ? "it is" : "each is", best->name, best->precision);
    else
        fp_cli_note("No label leakage found: no class of evidence alone is as good as the best arm, %s (%.3f).\n",
                    best->name, best->precision);
    fp_cli_note("%zu %s%s, %zu of them positive: by chance %.3f. %s\n", made->pairs,
                fp_cli_word(made->pairs, "pair", "pairs"), made->drawn ? " were sampled" : "", made->positives,
                (double)made->positives / (double)made->pairs, made->described);
    note_combined(made);
    return status;
}

static int giveaways(const fp_command *command, const options *chosen, const char *const *arguments, fp_arena *arena) {
    fp_corpus corpus;
    fp_giveaways made;
    const fp_algorithm *const *plugins;
    fp_arm **arms; /* which are what they should be: those that measure are opened with the corpus */
    size_t count;
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    FP_CLI_TRY(fp_cli_plugins(&plugins));
    if (chosen->arms) FP_CLI_TRY(fp_cli_arms(chosen->arms, arena, &arms, &count));
    FP_CLI_TRY(fp_cli_one_corpus(command, arguments, chosen->skip_bad, NULL, arena, &corpus));
    FP_CLI_TRY(fp_cli_labelled(&corpus));
    fp_progress progress = fp_cli_progress();
    const fp_extensions more = {.size = sizeof more, .algorithms = plugins};
    const fp_giveaway_options how = {.arms = chosen->arms ? chosen->arms : fp_cli_default_arms,
                                     .extensions = &more,
                                     .pairs = (size_t)chosen->pairs,
                                     .documents = FP_GIVEAWAY_DOCUMENTS,
                                     .characters = SIZE_MAX,
                                     .seed = (uint64_t)chosen->seed,
                                     .replicates = (size_t)chosen->replicates,
                                     .progress = &progress};
    fp_status done = fp_giveaways_find(&corpus, &how, arena, &made, &error);
    fp_cli_progress_end();
    return done == FP_OK ? print_result(&made, chosen->format, arena) : fp_cli_fail(&error);
}

static int run(const fp_command *command, int argc, const char **argv) {
    options chosen = {.pairs = USUAL_PAIRS, .replicates = 1000};
    fp_option rows[] = {
        {"arm", 'a', FP_TAKES_LIST(&chosen.arms),
         "to compare with: algorithm:key=value,…; may be repeated (default: simhash, minhash, jaccard, cosine, pinyin)",
         "SPEC"},
        {"pairs", 0, FP_TAKES_LONG_FROM(&chosen.pairs, 1, MOST_PAIRS),
         "most pairs of each label, sampled by their ids (default: 10000)", "N"},
        {"replicates", 0, FP_TAKES_INT_FROM(&chosen.replicates, FP_REPLICATES_FEWEST, FP_REPLICATES_MOST),
         "of the intervals (default: 1000)", "N"},
        {"seed", 0, FP_TAKES_SEED(&chosen.seed), "of the sample, from 0 on (default: 0)", "N"},
        FP_CLI_FORMAT_OPTION(chosen.format, "how to print", "table"),
        {"skip-bad", 0, FP_TAKES_FLAG(&chosen.skip_bad), "skip bad rows, and report how many", NULL},
        FP_CLI_PLUGIN_OPTIONS,
        {0}};
    FP_CLI_BEGIN(command, argc, argv, rows, arguments, arena);
    return giveaways(command, &chosen, arguments, arena);
}

const fp_command fp_command_corpus_giveaways = {
    .name = "corpus giveaways",
    .arguments = "DIR [OPTION…]",
    .summary = "find label leakage: do numbers, names, lengths or form decide the labels?",
    .details = "Looks for label leakage: ranks the labelled pairs by one class of evidence alone (numbers, Latin\n"
               "words, punctuation, names of persons, the length, the first and the last sentence, the title line),\n"
               "and prints each average precision with its interval beside the usual arms. A class that reaches the\n"
               "best arm (within 0.02) leaks the labels: figures on this set show how well a fingerprint sees that\n"
               "class, and little else. A class with three quarters of all characters, such as Latin words in\n"
               "English, is the text itself.\n"
               "\n"
               "\"combined\" rows are boosted trees that predict the labels from the form of two texts (characters,\n"
               "sentences, lines, trailing spaces, first and last ten characters, short lines and brackets, marks,\n"
               "place in the file), then also from shared digits, names and Latin or capitalised words. Every pair\n"
               "is scored by trees that were not trained on its units. They need 50 units of connected texts.\n"
               "\n"
               "Similarity is the Jaccard coefficient of counts. A name is a word of two or three Han characters\n"
               "that begins with a common surname and is rare in jieba's dictionary. \"documents\" counts documents\n"
               "with any evidence of the class; \"share of the text\" is its share of all characters except white\n"
               "space. For corpora of groups, whole groups of at most 700 documents are used.",
    .examples = "  fplab corpus giveaways corpora/data/newswire-zh\n"
                "  fplab corpus giveaways my-texts --arm jaccard:features=chars:3 --format tsv",
    .run = run,
};
