/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab features: what a text is made of, before any fingerprint. */
#include <string.h>

#include "cli/input.h"

static fp_status tabulate(fp_arm *arm, fp_string raw, fp_arena *arena, fp_table *table, fp_error *error) {
    fp_text text;
    fp_document document = {0};
    if (fp_arm_learns(arm)) FP_TRY(fp_arm_fit(arm, &raw, 1, error));
    FP_TRY(fp_treat(arm->treatment, raw, fp_arm_wants(arm), arena, &text, error));
    FP_TRY(fp_arm_document(arm, &text, NULL, true, arena, &document, error));
    for (size_t i = 0; i < document.features.count; i++) {
        char hash[17];
        snprintf(hash, sizeof hash, "%016llx", (unsigned long long)document.features.hash[i]);
        fp_table_string(table, document.features.term[i]);
        fp_table_real(table, document.features.weight[i], 3);
        fp_table_text(table, hash);
    }
    return FP_OK;
}

/* A feature specification is parsed as that of an arm which has no parameters of its own. */
static int print_features(const fp_command *command, const fp_cli_input *input, const char *argument, const char *spec,
                          fp_format_kind format, fp_arena *arena) {
    fp_arm **arms;
    size_t count;
    fp_string text;
    fp_error error = {0};
    const char *whole = fp_format(arena, "cosine:%s", spec);
    if (!whole) return fp_no_memory(&error), fp_cli_fail(&error);
    int status = fp_cli_arms((const char *const[]){whole, NULL}, arena, &arms, &count);
    if (status < 0) status = fp_cli_text(command, input, argument, arena, &text);
    if (status >= 0) return status;
    fp_table *table = fp_table_new("feature|>weight|hash", arena);
    if (table && tabulate(arms[0], text, arena, table, &error) != FP_OK) return fp_cli_fail(&error);
    return fp_cli_write(table, format);
}

static int run(const fp_command *command, int argc, const char **argv) {
    char *spec = NULL, *format_name = NULL;
    fp_cli_input input = {0};
    struct poptOption options[] = {
        {"spec", 's', POPT_ARG_STRING, &spec, 0, "text and feature parameters (default: features=words,weight=tf)", "KEY=VALUE,…"},
        FP_CLI_INPUT_OPTIONS(input),
        {"format", 'f', POPT_ARG_STRING, &format_name, 0, "how to print: table (default), tsv or json", "FORMAT"},
        POPT_TABLEEND};
    poptContext context;
    const char **arguments;
    int status = fp_cli_parse(command, argc, argv, options, &context, &arguments);
    if (status >= 0) return status;
    fp_format_kind format;
    fp_arena *arena = fp_arena_new();
    if (arguments[0] && arguments[1]) status = fp_cli_usage(command, "one text at a time");
    else if (!arena || !fp_cli_format(command, format_name, FP_FORMAT_TABLE, &format)) status = FP_EXIT_USAGE;
    else status = print_features(command, &input, arguments[0] ? arguments[0] : "-", spec ? spec : "features=words", format, arena);
    fp_arena_free(arena);
    poptFreeContext(context);
    return status;
}

const fp_command fp_command_features = {
    .name = "features",
    .arguments = "[OPTION…] [FILE]",
    .summary = "show the features of a text with weights and hashes",
    .details = "Reads FILE, or standard input, as one text, and prints its distinct features in order of first appearance: the\n"
               "words, K-shingles, K-grams or sentences, with their weights and 64-bit hashes. `fplab algorithms cosine` lists\n"
               "what --spec takes.",
    .examples = "  fplab features article.txt\n"
                "  fplab features --text 美国“51区”雇员称内部有9架飞碟 --spec features=words,stop=shipped\n"
                "  fplab features --spec features=chars:3,weight=logtf --format tsv article.txt\n"
                "  fplab features --encoding gb18030 --spec weight=tfidf,idf=builtin,top=20 article.txt",
    .run = run,
};
