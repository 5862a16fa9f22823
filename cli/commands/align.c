/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab align: the passages that two texts have in common. */
#include "cli/read_entries.h"
#include "cli/terminal.h"
#include "reports/tables/found_tables.h"

/* The sums, which a table of passages does not show. */
static void print_sums(const fp_alignment *made) {
    fp_cli_print("A has %zu characters, B %zu; in %zu common passage%s %zu are the same: %.1f%% of A, %.1f%% of B\n",
                 made->characters[0], made->characters[1], made->count, made->count == 1 ? "" : "s", made->same,
                 100 * made->share[0], 100 * made->share[1]);
}

static int print(const fp_alignment *made, const fp_string texts[2], fp_table_format format, fp_arena *arena) {
    fp_error error = {0};
    if (format != FP_FORMAT_TABLE) return fp_cli_write(fp_alignment_rows(made, texts, arena), format);
    print_sums(made);
    if (!made->count) return FP_EXIT_SUCCESS;
    fp_table *table = fp_alignment_view(made, texts, arena);
    if (!fp_cli_colours()) return fp_cli_write(table, format);
    fp_cli_show_begin();
    return fp_cli_show_end(fp_alignment_write_coloured(table, stdout, &error), &error);
}

static int align(const fp_cli_input *input, const char *const arguments[2], size_t least, fp_table_format format,
                 fp_arena *arena) {
    fp_string texts[2];
    fp_alignment made;
    fp_error error = {0};
    for (int i = 0; i < 2; i++) FP_CLI_TRY(fp_cli_text(input, arguments[i], arena, texts + i));
    if (fp_align(texts[0], texts[1], least, arena, &made, &error) != FP_OK) return fp_cli_fail(&error);
    return print(&made, texts, format, arena);
}

static int run(const fp_command *command, int argc, const char **argv) {
    fp_table_format format = FP_FORMAT_TABLE;
    int least = FP_ALIGNMENT_LEAST;
    fp_cli_input input = {0};
    fp_option options[] = {{"least", 'l', FP_TAKES_INT_FROM(&least, FP_ALIGNMENT_LEAST_LEAST, FP_ALIGNMENT_LEAST_MOST),
                            "the shortest passage, in Han characters that both texts have (12); others count half",
                            "L"},
                           FP_CLI_INPUT_OPTIONS(input),
                           FP_CLI_FORMAT_OPTION(format, "how to print", "table"),
                           {0}};
    FP_CLI_BEGIN(command, argc, argv, options, arguments, arena);
    if (!arguments[0] || !arguments[1] || arguments[2]) return fp_cli_usage(command, "align takes two texts");
    FP_CLI_TRY(fp_cli_input_check(command, &input, arena));
    return align(&input, arguments, (size_t)least, format, arena);
}

const fp_command fp_command_align = {
    .name = "align",
    .arguments = "[OPTION…] A B",
    .summary = "show the passages that two texts have in common",
    .summary_zh = "找出两篇文本共有的段落",
    .details = "Reads two files (- is standard input; .gz and .zst are unpacked), or with --text takes the two\n"
               "arguments as the texts. Prints the share of each text that the other one contains, and the common\n"
               "passages, longest first, with differences marked: [-only in A-] and {+only in B+}. A passage may\n"
               "contain changed, inserted or deleted characters; at least two thirds of its characters are in both\n"
               "texts. Passages do not overlap. Case, width, and simplified or traditional script are ignored, and\n"
               "so is white space. Offsets count characters from 0, `to` is exclusive; tsv and json add byte offsets\n"
               "and begin with a row for all passages together.",
    .examples = "  fplab align one.txt two.txt\n"
                "  fplab align --text 早报讯：临江大桥今天下午恢复通车，市民可以步行通过。 "
                "臨江大橋今天下午已恢復通車，市民可以步行通過！\n"
                "  fplab align --least 30 --format tsv one.txt two.txt.gz",
    .run = run,
};
