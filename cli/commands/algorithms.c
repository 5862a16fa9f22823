/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab algorithms: what there is and what it takes. */
#include <string.h>

#include "cli/cli.h"

static const char *bounds(const fp_parameter *row, fp_arena *arena) {
    if (row->type == FP_TEXT) return "";
    if (row->type == FP_FILE) return *row->initial ? "a file" : "a file, which must be given";
    if (row->type != FP_CHOICE) return fp_format(arena, "%.15g to %.15g", row->minimum, row->maximum);
    const char *list = "";
    for (const char *const *choice = row->choices; list && *choice; choice++)
        list = fp_format(arena, "%s%s%s", list, *list ? ", " : "", *choice);
    return list;
}

/* `values`: the struct that the rows fill, with the values of an arm without parameters. */
static void add_parameters(fp_table *table, const char *of, const fp_parameter *rows, const void *values,
                           fp_arena *arena) {
    for (const fp_parameter *row = rows; row && row->name; row++) {
        const char *allowed = bounds(row, arena), *initial = fp_parameter_text(row, values, arena);
        fp_table_text(table, of);
        fp_table_text(table, row->name);
        if (initial && (row->type == FP_INTEGER || row->type == FP_REAL)) fp_table_written(table, initial);
        else fp_table_text(table, initial);
        FP_TABLE_TEXTS(table, allowed, row->unit, row->help);
    }
}

static int show_one(const fp_algorithm *algorithm, const fp_algorithm *const *plugins, fp_table_format format,
                    fp_arena *arena) {
    fp_arm *arm;
    fp_error error = {0};
    const fp_extensions more = {.size = sizeof more, .algorithms = plugins};
    if (fp_arm_bind(algorithm->name, &more, arena, &arm, &error) != FP_OK) return fp_cli_fail(&error);
    if (format == FP_FORMAT_TABLE) {
        fp_cli_print("%s: %s\n", algorithm->name, algorithm->summary);
        fp_cli_print("source:   %s\n", algorithm->citation);
        if (*algorithm->features) fp_cli_print("features: %s by default\n", algorithm->features);
        if (fp_learning_of(algorithm)->least_documents)
            printf("corpus:   what it is fitted to should be %zu documents or more; fewer are warned of\n",
                   fp_learning_of(algorithm)->least_documents);
        printf("\n");
    }
    fp_table *table = fp_table_new("of|parameter|default|allowed|unit|meaning", arena);
    add_parameters(table, "algorithm", algorithm->parameters, arm->parameters, arena);
    if (algorithm->needs & (FP_NEEDS_FEATURES | FP_NEEDS_SEQUENCE))
        add_parameters(table, "features", fp_feature_parameters, &arm->features, arena);
    if (fp_reads_text(algorithm)) add_parameters(table, "text", fp_text_parameters, &arm->text, arena);
    return fp_cli_write(table, format);
}

static void add_algorithm(fp_table *table, const char *family, const fp_algorithm *algorithm, bool wide) {
    FP_TABLE_TEXTS(table, algorithm->name, family, algorithm->summary);
    if (!wide) return;
    FP_TABLE_TEXTS(table, algorithm->measure ? algorithm->measure : "", algorithm->law ? "yes" : "no",
                   algorithm->features, algorithm->citation);
}

static int show_all(const fp_algorithm *const *plugins, fp_table_format format, fp_arena *arena) {
    bool wide = format != FP_FORMAT_TABLE;
    fp_table *table =
        fp_table_new(wide ? "algorithm|family|summary|measure|law|features|source" : "algorithm|family|summary", arena);
    for (size_t i = 0; fp_algorithm_at(i); i++) add_algorithm(table, fp_algorithm_family(i), fp_algorithm_at(i), wide);
    for (size_t i = 0; plugins[i]; i++) add_algorithm(table, "plug-in", plugins[i], wide);
    return fp_cli_write(table, format);
}

static int show_named(const fp_command *command, const char *name, const fp_algorithm *const *plugins,
                      fp_table_format format, fp_arena *arena) {
    fp_error error = {0};
    for (size_t i = 0; plugins[i]; i++)
        if (strcmp(plugins[i]->name, name) == 0) return show_one(plugins[i], plugins, format, arena);
    const fp_algorithm *algorithm = fp_algorithm_find(name, &error);
    return algorithm ? show_one(algorithm, plugins, format, arena) : fp_cli_usage(command, "%s", error.message);
}

static int run(const fp_command *command, int argc, const char **argv) {
    fp_table_format format = FP_FORMAT_TABLE;
    fp_option options[] = {FP_CLI_FORMAT_OPTION(format, "how to print", "table"), FP_CLI_PLUGIN_OPTIONS, {0}};
    FP_CLI_BEGIN(command, argc, argv, options, arguments, arena);
    const fp_algorithm *const *plugins;
    if (arguments[0] && arguments[1]) return fp_cli_usage(command, "one algorithm at a time");
    FP_CLI_TRY(fp_cli_plugins(&plugins));
    return arguments[0] ? show_named(command, arguments[0], plugins, format, arena) : show_all(plugins, format, arena);
}

const fp_command fp_command_algorithms = {
    .name = "algorithms",
    .arguments = "[OPTION…] [ALGORITHM]",
    .summary = "list the algorithms, or the parameters of one",
    .summary_zh = "列出算法，或某个算法的参数",
    .details = "Without an argument, lists every algorithm. With one, shows its source and the parameters that an\n"
               "arm may set. An arm is written algorithm:key=value,key=value; name=LABEL gives it a label.",
    .examples = "  fplab algorithms\n"
                "  fplab algorithms simhash\n"
                "  fplab algorithms minhash --format json",
    .run = run,
};
