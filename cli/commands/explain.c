/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab explain: the steps of an algorithm, for a class. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/arms/arm.h"
#include "cli/read_entries.h"
#include "cli/terminal.h"
#include "reports/page/explanation_view.h"

/* ---- Parameters as options ---- */

/* --bits 6 means bits=6 when bits is a parameter of the algorithm, its features or its text. */
static bool is_parameter(const fp_algorithm *algorithm, fp_string name) {
    return fp_parameter_find(algorithm->parameters, name) || fp_parameter_find(fp_feature_parameters, name) ||
           fp_parameter_find(fp_text_parameters, name);
}

/* Whether a word of the command line is such an option, and no option of the command's `own`. */
static bool is_parameter_option(const fp_algorithm *algorithm, const char *const *own, const char *word,
                                fp_string *name) {
    if (strncmp(word, "--", 2) != 0) return false;
    *name = (fp_string){word + 2, strcspn(word + 2, "=")};
    for (; *own; own++)
        if (fp_string_equal(fp_string_of(*own), *name)) return false;
    return name->length && is_parameter(algorithm, *name);
}

/* Moves such options from the command line into the spec. *lacks: an option without a value; NULL: all have values. */
static const char *take_parameters(const fp_algorithm *algorithm, const char *spec, const char *const *own, int *argc,
                                   const char **argv, const char **lacks, fp_arena *arena) {
    int kept = 0;
    *lacks = NULL;
    for (int i = 0; i < *argc && spec; i++) {
        const char *word = argv[i];
        fp_string name;
        if (!is_parameter_option(algorithm, own, word, &name)) {
            argv[kept++] = word;
            continue;
        }
        bool equals = name.data[name.length] == '=';
        if (!equals && i + 1 == *argc) return *lacks = word, spec;
        const char *value = equals ? name.data + name.length + 1 : argv[++i];
        spec = fp_format(arena, "%s%c%.*s=%s", spec, strchr(spec, ':') ? ',' : ':', (int)name.length, name.data, value);
    }
    argv[kept] = NULL;
    *argc = kept;
    return spec;
}

/* A table of terms with weights implies those weights, unless another weight was requested. */
static const char *with_table_weights(const char *spec, fp_arena *arena) {
    if (*spec == FP_CLI_CHOICE_MARK || !strstr(spec, "terms=") || strstr(spec, "weight=")) return spec;
    const char *weighed = fp_format(arena, "%s,weight=table", spec);
    fp_arm *arm;
    return fp_arm_parse(weighed, NULL, arena, &arm, NULL) == FP_OK ? weighed : spec;
}

/* ---- Explaining ---- */

static fp_status explain_texts(fp_arm *arm, double threshold, const fp_string *texts, size_t count, fp_explanation *to,
                               fp_error *error) {
    const fp_algorithm *algorithm = arm->instance.algorithm;
    fp_sketch sketches[2];
    if (!algorithm->explain) return fp_fail(error, FP_ERROR_UNKNOWN, "%s does not explain itself", algorithm->name);
    if (fp_arm_learns(arm)) FP_TRY(fp_arm_fit(arm, texts, NULL, count, NULL, 0, error));
    FP_TRY(fp_arm_explain(arm, texts, count, to, sketches, error));
    size_t empty = 0;
    for (size_t i = 0; i < count; i++) empty += sketches[i].empty;
    fp_cli_caution(arm, NULL, empty, count);
    if (!isnan(threshold) && count == 2 && !empty)
        fp_explain_line(to, "threshold %.6g: %s", threshold,
                        fp_arm_distance(arm, sketches[0], sketches[1]) <= threshold ? "duplicate" : "not a duplicate");
    return FP_OK;
}

static int explain(const char *spec, const fp_string *texts, size_t count, fp_table_format format, fp_arena *arena) {
    fp_arm *arm;
    double threshold;
    fp_error error = {0};
    fp_explanation *steps = fp_explanation_new(arena);
    FP_CLI_TRY(fp_cli_arm(with_table_weights(spec, arena), arena, &arm, &threshold));
    if (explain_texts(arm, threshold, texts, count, steps, &error) != FP_OK) return fp_cli_fail(&error);
    fp_cli_show_begin();
    return fp_cli_show_end(fp_explanation_write(steps, format, fp_cli_colours(), stdout, &error), &error);
}

/* The algorithm is the first word that is neither an option nor an option's value: it must come first. */
static int prepare(const fp_command *command, int *argc, const char **argv, fp_arena *arena, const char **spec) {
    static const char *const OWN[] = {"text", "pair", "format", "encoding", "invalid", "plugin", "help", NULL};
    *spec = NULL;
    if (*argc < 2 || argv[1][0] == '-') return FP_EXIT_SUCCESS;
    fp_string rest = fp_string_of(argv[1]), name;
    fp_next_field(&rest, ':', &name);
    char *algorithm_name = fp_string_copy(arena, name);
    *spec = argv[1];
    const fp_algorithm *algorithm = fp_algorithm_find(algorithm_name, NULL);
    if (!algorithm) return FP_EXIT_SUCCESS; /* a plug-in's: its parameters are written in the arm */
    const char *lacks;
    *spec = take_parameters(algorithm, argv[1], OWN, argc, argv, &lacks, arena);
    if (lacks) return fp_cli_usage(command, "%s needs a value", lacks);
    return FP_EXIT_SUCCESS;
}

static int run_parsed(const fp_command *command, const fp_cli_input *input, bool pair, const char *spec,
                      const char **arguments, fp_table_format format, fp_arena *arena) {
    size_t wanted = pair ? 2 : 1, count = 0;
    fp_string texts[2];
    while (arguments[0] && arguments[1 + count]) count++;
    if (!spec || !arguments[0])
        return fp_cli_usage(command, "no algorithm given; name it first: fplab explain simhash …");
    if (count != wanted && !(count == 0 && !pair && !input->literal))
        return fp_cli_usage(command, pair ? "--pair takes two texts" : "explain takes one text, or two with --pair");
    FP_CLI_TRY(fp_cli_input_check(command, input, arena));
    for (size_t i = 0; i < wanted; i++)
        FP_CLI_TRY(fp_cli_text(input, count ? arguments[1 + i] : "-", arena, texts + i));
    return explain(spec, texts, wanted, format, arena);
}

static int run(const fp_command *command, int argc, const char **argv) {
    const char *format_name = NULL;
    bool pair = false;
    fp_cli_input input = {0};
    fp_option options[] = {
        {"pair", 'p', FP_TAKES_FLAG(&pair), "two texts: explain their distance", NULL},
        FP_CLI_INPUT_OPTIONS(input),
        FP_CLI_PLUGIN_OPTIONS,
        {"format", 'f', FP_TAKES_WORD(&format_name, "table json"), "how to print: table (default) or json", "HOW"},
        {0}};
    const char **arguments, *spec;
    fp_arena *arena = fp_cli_arena();
    int status = prepare(command, &argc, argv, arena, &spec);
    if (status == FP_EXIT_SUCCESS) status = fp_cli_begin(command, argc, argv, options, &arguments, NULL);
    if (status >= 0) {
        fp_arena_free(arena);
        return status;
    }
    bool json = format_name && strcmp(format_name, "json") == 0;
    status = run_parsed(command, &input, pair, spec, arguments, json ? FP_FORMAT_JSON : FP_FORMAT_TABLE, arena);
    fp_cli_end(&(fp_cli_begun){options, arena});
    return status;
}

const fp_command fp_command_explain = {
    .name = "explain",
    .arguments = "ALGORITHM[:key=value,…] [OPTION…] [TEXT] | ALGORITHM --pair A B",
    .summary = "show the steps of an algorithm on a text, or why two texts differ",
    .details = "Prints every step for one text (a file, standard input, or with --text the argument itself), with\n"
               "all numbers. With --pair, does so for both texts and then explains their distance. Parameters may be\n"
               "written as options: --bits 6 is the same as bits=6. `fplab algorithms ALGORITHM` lists them. Long\n"
               "rows of bits and numbers wrap at the width of the terminal, or at 80 columns in a file; JSON does\n"
               "not wrap. @FILE is a saved choice. --terms FILE sets hashes and weights by hand, one term a line:\n"
               "\"term TAB bits TAB weight\", or \"term TAB weight\" to keep the hash; terms that are not in FILE are\n"
               "ignored.",
    .examples = "  fplab explain simhash --bits 6 --terms tests/data/terms_six_bits.tsv --text 美国51区\n"
                "  fplab explain simhash --bits 8 --features words --text 我喜欢看电视\n"
                "  fplab explain jaccard --features chars:2 --pair --text 我是中国人 我是中国人啊\n"
                "  fplab explain exact --pair --text 我是中国人 我是中国人啊\n"
                "  fplab explain projection --features words --coordinates 1 --directions 'x:1;y:-1' --text 'x x y'\n"
                "  fplab explain minhash --slots 4 --text 我是中国人 --format json",
    .run = run,
};
