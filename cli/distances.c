/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab distances: every labelled pair with its distance, so that any other tool can check the lab. */
#include "cli/cli.h"
#include "eval/experiment.h"

/* Labelled pairs as they stand in pairs.tsv. */
static void add_listed(fp_table *table, const fp_corpus *corpus, const fp_measurement *measurement) {
    for (size_t i = 0; i < corpus->pair_count; i++) {
        fp_pair pair = corpus->pairs[i];
        fp_table_string(table, corpus->documents[pair.a].id);
        fp_table_string(table, corpus->documents[pair.b].id);
        fp_table_count(table, pair.label);
        fp_table_string(table, corpus->kinds[i]);
        fp_table_exact(table, measurement->distances[i]);
    }
}

/* Groups: all pairs; the kind says whether the groups agree. */
static void add_grouped(fp_table *table, const fp_corpus *corpus, const fp_measurement *measurement) {
    const fp_instance *instance = &measurement->arm->instance;
    for (size_t a = 0; a < corpus->document_count; a++) {
        for (size_t b = a + 1; b < corpus->document_count; b++) {
            bool same = corpus->group[a] != UINT32_MAX && corpus->group[a] == corpus->group[b];
            fp_sketch left = fp_sketches_at(&measurement->sketches, a), right = fp_sketches_at(&measurement->sketches, b);
            fp_table_string(table, corpus->documents[a].id);
            fp_table_string(table, corpus->documents[b].id);
            fp_table_count(table, same);
            fp_table_text(table, same ? "same_group" : "other_group");
            fp_table_exact(table, instance->algorithm->distance(instance, left, right));
        }
    }
}

static int measure(const char *path, const char *spec, bool skip_bad, fp_format_kind format, fp_arena *arena) {
    fp_corpus corpus;
    fp_arm **arms;
    size_t count;
    const char *specs[] = {spec, NULL};
    int status = fp_cli_arms(specs, arena, &arms, &count);
    if (status < 0) status = fp_cli_corpus(path, skip_bad, arena, &corpus);
    if (status >= 0) return status;
    fp_error error = {0};
    fp_measurement measurement;
    fp_progress progress = fp_cli_progress();
    if (fp_experiment(&corpus, arms, 1, &progress, arena, &measurement, &error) != FP_OK) return fp_cli_fail(&error);
    fp_cli_progress_end();
    fp_table *table = fp_table_new("id_a|id_b|>label|kind|>distance", arena);
    if (table && corpus.truth == FP_TRUTH_PAIRS) add_listed(table, &corpus, &measurement);
    else if (table) add_grouped(table, &corpus, &measurement);
    fp_measurement_free(&measurement);
    return fp_cli_write(table, format);
}

static int run(const fp_command *command, int argc, const char **argv) {
    char *corpus = NULL, *arm = NULL, *format_name = NULL;
    int skip_bad = 0;
    struct poptOption options[] = {
        {"corpus", 'c', POPT_ARG_STRING, &corpus, 0, "the corpus", "DIR"},
        {"arm", 'a', POPT_ARG_STRING, &arm, 0, "algorithm:key=value,…", "SPEC"},
        {"format", 'f', POPT_ARG_STRING, &format_name, 0, "how to print: tsv (default), table or json", "FORMAT"},
        {"skip-bad", 0, POPT_ARG_NONE, &skip_bad, 0, "leave bad rows out, and count them", NULL},
        FP_CLI_PLUGIN_OPTIONS,
        POPT_TABLEEND};
    poptContext context;
    const char **arguments;
    int status = fp_cli_parse(command, argc, argv, options, &context, &arguments);
    if (status >= 0) return status;
    fp_format_kind format;
    fp_arena *arena = fp_arena_new();
    if (arguments[0]) status = fp_cli_usage(command, "unexpected argument %s", arguments[0]);
    else if (!corpus) status = fp_cli_usage(command, "which corpus? Name it with --corpus DIR");
    else if (!arm) status = fp_cli_usage(command, "which arm? Name it with --arm SPEC");
    else if (!arena || !fp_cli_format(command, format_name, FP_FORMAT_TSV, &format)) status = FP_EXIT_USAGE;
    else status = measure(corpus, arm, skip_bad, format, arena);
    fp_arena_free(arena);
    fp_cli_end(context, options);
    return status;
}

const fp_command fp_command_distances = {
    .name = "distances",
    .arguments = "--corpus DIR --arm SPEC [OPTION…]",
    .summary = "print every labelled pair of a corpus with its distance",
    .details = "Prints id_a, id_b, label, kind and distance, tab-separated with a header, one line a pair. Distances are\n"
               "printed with all their digits, so that another program (scikit-learn, R) can check every figure of the lab.\n"
               "A corpus whose truth is its groups gives all pairs.",
    .examples = "  fplab distances --corpus corpora/data/newswire-zh --arm jaccard\n"
                "  fplab distances -c corpora/data/newswire-zh -a simhash:bits=128,features=words,weight=tfidf > distances.tsv",
    .run = run,
};
