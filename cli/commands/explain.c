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

enum { MOST = 96 };

/* --bits 6 means bits=6 when bits is a parameter of the algorithm, its features or its text. */
typedef struct parameters {
    size_t count;
    fp_option rows[MOST + 1];
    const char *values[MOST];
} parameters;

/* Those of the algorithm of the arm, but for names that are options of the command. */
static void offer_parameters(const char *arm, const fp_option *own, parameters *to, fp_arena *arena) {
    const char *name = fp_string_copy(arena, (fp_string){arm, strcspn(arm, ":")});
    const fp_algorithm *algorithm = fp_algorithm_find(name, NULL);
    if (!algorithm) return; /* a plug-in's: its parameters are written in the arm */
    const fp_parameter *const tables[] = {algorithm->parameters, fp_feature_parameters, fp_text_parameters};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const fp_parameter *row = tables[t]; row && row->name && to->count < MOST; row++) {
            fp_option_walk walk = {.at = {own}, .depth = 1};
            const fp_option *same;
            while ((same = fp_option_next(&walk)) && strcmp(same->name, row->name) != 0) continue;
            for (size_t i = 0; !same && i < to->count; i++)
                if (strcmp(to->rows[i].name, row->name) == 0) same = to->rows + i;
            if (same) continue;
            to->rows[to->count] = (fp_option){row->name, 0, FP_TAKES_TEXT(to->values + to->count), NULL, "VALUE"};
            to->count++;
        }
}

static const char *add_parameters(const char *spec, const parameters *given, fp_arena *arena) {
    for (size_t i = 0; i < given->count; i++)
        if (given->values[i])
            spec = fp_format(arena, "%s%c%s=%s", spec, strchr(spec, ':') ? ',' : ':', given->rows[i].name,
                             given->values[i]);
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

static int run_parsed(const fp_command *command, const fp_cli_input *input, bool pair, const char *spec,
                      const char **texts, fp_table_format format, fp_arena *arena) {
    size_t wanted = pair ? 2 : 1, count = 0;
    fp_string read[2];
    while (texts[count]) count++;
    if (count != wanted && !(count == 0 && !pair && !input->literal))
        return fp_cli_usage(command, pair ? "--pair takes two texts" : "explain takes one text, or two with --pair");
    FP_CLI_TRY(fp_cli_input_check(command, input, arena));
    for (size_t i = 0; i < wanted; i++) FP_CLI_TRY(fp_cli_text(input, count ? texts[i] : "-", arena, read + i));
    return explain(spec, read, wanted, format, arena);
}

static int run(const fp_command *command, int argc, const char **argv) {
    const char *format = NULL;
    bool pair = false, named = argc > 1 && argv[1][0] != '-'; /* the algorithm comes first */
    fp_cli_input input = {0};
    parameters given = {0};
    fp_option options[] = {
        {"pair", 'p', FP_TAKES_FLAG(&pair), "two texts: explain their distance", NULL},
        FP_CLI_INPUT_OPTIONS(input),
        FP_CLI_PLUGIN_OPTIONS,
        {"format", 'f', FP_TAKES_WORD(&format, "table json"), "how to print: table (default) or json", "HOW"},
        {NULL, 0, FP_TAKES_ROWS(given.rows), NULL, NULL},
        {0}};
    fp_arena *names = fp_cli_arena();
    if (named) offer_parameters(argv[1], options, &given, names);
    fp_arena_free(names);
    FP_CLI_BEGIN(command, argc, argv, options, arguments, arena);
    if (!named || !arguments[0])
        return fp_cli_usage(command, "no algorithm given; name it first: fplab explain simhash …");
    bool json = format && strcmp(format, "json") == 0;
    return run_parsed(command, &input, pair, add_parameters(arguments[0], &given, arena), arguments + 1,
                      json ? FP_FORMAT_JSON : FP_FORMAT_TABLE, arena);
}

const fp_command fp_command_explain = {
    .name = "explain",
    .arguments = "ALGORITHM[:key=value,…] [OPTION…] [TEXT] | ALGORITHM --pair A B",
    .summary = "show the steps of an algorithm on a text, or why two texts differ",
    .summary_zh = "展示算法处理一篇文本的每一步，或两篇文本为何不同",
    .introduction_zh =
        "列出一篇文本（文件、标准输入，或 --text 后的参数本身）的每一步及全部数字；加 --pair 时先列出两篇，再说明距离从何而来。\n"
        "参数可写成选项：--bits 6 即 bits=6。fplab algorithms 算法名 列出参数。",
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
