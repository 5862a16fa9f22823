/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab measures: lists the measures of an evaluation. */
#include <math.h>

#include "cli/cli.h"
#include "eval/measures/measure.h"

static const char *range_of(const fp_measure_row *row, fp_arena *arena) {
    const char *least = isfinite(row->least) ? fp_format(arena, "%g", row->least) : "−∞";
    return least ? fp_format(arena, "%s to %g", least, row->most) : NULL;
}

/* As it is written with --compare. */
static const char *written(const fp_measure_row *row, fp_arena *arena) {
    const char *at = fp_measure_at_threshold(row) ? "@H" : "";
    const fp_measure_parameter *parameter = &row->parameter;
    if (!parameter->name || parameter->is_prevalence) return fp_format(arena, "%s%s", row->name, at);
    return fp_format(arena, "%s:%s%s", row->name, parameter->name, at);
}

static int show_all(fp_table_format format, fp_arena *arena) {
    fp_table *table = fp_table_new("measure|usual|range|definition", arena);
    const fp_measure_row *row;
    for (size_t i = 0; (row = fp_measure_listed(i)); i++) {
        FP_TABLE_TEXTS(table, written(row, arena), row->usual ? "yes" : "", range_of(row, arena), row->definition);
    }
    return fp_cli_write(table, format);
}

static int show_one(const fp_command *command, const char *name, fp_table_format format, fp_arena *arena) {
    fp_measure measure;
    fp_error error = {0};
    fp_table *table = fp_table_new("of|value", arena);
    if (fp_measure_find(name, 0, &measure, &error) != FP_OK && !measure.row)
        return fp_cli_usage(command, "%s", error.message);
    const fp_measure_row *row = measure.row;
    const char *const cells[][2] = {{"measure", written(row, arena)},
                                    {"label", row->label},
                                    {"label in Chinese", row->label_zh},
                                    {"definition", row->definition},
                                    {"source", row->source},
                                    {"range", range_of(row, arena)},
                                    {"better", row->lower_is_better ? "lower" : "higher"}};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        fp_table_text(table, cells[i][0]);
        fp_table_text(table, cells[i][1]);
    }
    return fp_cli_write(table, format);
}

static int run(const fp_command *command, int argc, const char **argv) {
    fp_table_format format = FP_FORMAT_TABLE;
    fp_option options[] = {FP_CLI_FORMAT_OPTION(format, "how to print", "table"), {0}};
    FP_CLI_BEGIN(command, argc, argv, options, arguments, arena);
    if (arguments[0] && arguments[1]) return fp_cli_usage(command, "one measure at a time");
    return arguments[0] ? show_one(command, arguments[0], format, arena) : show_all(format, arena);
}

const fp_command fp_command_measures = {
    .name = "measures",
    .arguments = "[OPTION…] [MEASURE]",
    .summary = "list the measures of an evaluation, or define one of them",
    .summary_zh = "列出评测指标，或说明其中一个",
    .details = "Measures marked usual are estimated by every `fplab eval`; --measure adds others. NAME@H is a\n"
               "measure at one threshold: eval --compare recall@5 compares arms by recall at 5, and eval --measure\n"
               "tabulates it at all thresholds.",
    .examples = "  fplab measures\n"
                "  fplab measures average_precision",
    .run = run,
};
