/* SPDX-License-Identifier: GPL-3.0-or-later
 * corpus idf: in how many documents each term stands. */
#include "cli/cli.h"
#include "eval/experiment/frequencies.h"

static fp_status write_frequencies(const fp_term_frequency *terms, size_t count, size_t documents, const char *path,
                                   fp_error *error) {
    fp_output output;
    FP_TRY(fp_output_open(&output, path, error));
    fprintf(output.stream, "documents\t%zu\n", documents);
    for (size_t i = 0; i < count; i++)
        fprintf(output.stream, "%.*s\t%zu\n", (int)terms[i].term.length, terms[i].term.data, terms[i].documents);
    return fp_output_close(&output, error);
}

typedef struct options {
    const char *spec, *out;
    bool skip_bad;
} options;

static int count(const fp_command *command, const options *chosen, const char *const *rest, fp_arena *arena) {
    fp_corpus corpus;
    fp_arm **arms;
    size_t arm_count, count;
    fp_term_frequency *terms;
    fp_error error = {0};
    if (!rest[0] || rest[1]) return fp_cli_usage(command, "corpus idf takes one directory");
    const char *whole = fp_format(arena, "cosine:%s", chosen->spec);
    int status = fp_cli_arms((const char *const[]){whole, NULL}, arena, &arms, &arm_count);
    if (status < 0) status = fp_cli_corpus(rest[0], chosen->skip_bad, arena, &corpus);
    if (status >= 0) return status;
    if (fp_corpus_frequencies(&corpus, arms[0], arena, &terms, &count, &error) != FP_OK ||
        write_frequencies(terms, count, corpus.document_count, chosen->out, &error) != FP_OK)
        return fp_cli_fail(&error);
    if (corpus.document_count < FP_LEAST_FOR_IDF)
        fprintf(
            stderr,
            "fplab: %s: document frequencies of %zu document%s; with fewer than %d they describe these texts rather "
            "than the language\n",
            corpus.name, corpus.document_count, corpus.document_count == 1 ? "" : "s", FP_LEAST_FOR_IDF);
    return FP_EXIT_SUCCESS;
}

static int run(const fp_command *command, int argc, const char **argv) {
    options chosen = {.spec = "features=words"};
    fp_option rows[] = {{"spec", 's', FP_TAKES_TEXT(&chosen.spec),
                         "text and feature parameters (default: features=words)", "KEY=VALUE,…"},
                        {"out", 'o', FP_TAKES_TEXT(&chosen.out), "write here (default: standard output)", "FILE"},
                        {"skip-bad", 0, FP_TAKES_FLAG(&chosen.skip_bad), "leave bad rows out, and count them", NULL},
                        FP_CLI_PLUGIN_OPTIONS,
                        {0}};
    const char **arguments;
    fp_arena *arena;
    int status = fp_cli_begin(command, argc, argv, rows, &arguments, &arena);
    if (status >= 0) return status;
    status = count(command, &chosen, arguments, arena);
    fp_cli_end(rows, arena);
    return status;
}

const fp_command fp_command_corpus_idf = {
    .name = "corpus idf",
    .arguments = "DIR [OPTION…]",
    .summary = "count in how many documents each term stands",
    .details = "Writes a line \"documents TAB N\", then \"term TAB df\", the most frequent first. An arm reads it as\n"
               "idf=FILE: idf(t) = ln((N + 1)/(df + 0.5)), and a term that the file does not know gets the mean.",
    .examples = "  fplab corpus idf corpora/data/newswire-zh --spec features=words --out words.idf\n"
                "  fplab eval --corpus my-texts --arm cosine:weight=tfidf,idf=words.idf",
    .run = run,
};
