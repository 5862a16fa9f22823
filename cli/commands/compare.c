/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab compare: two texts, every algorithm side by side. */
#include <math.h>

#include "algorithms/arms/arm.h"
#include "cli/choice.h"
#include "cli/input.h"

/* `threshold`: of a saved choice, or NaN; NULL where no arm is one. *silent: how many of the texts say nothing. */
static fp_status compare_arm(fp_arm *arm, const double *threshold, const fp_string texts[2], fp_arena *arena,
                             fp_table *table, size_t *silent, fp_error *error) {
    fp_sketch sketch[2];
    bool says[2];
    size_t least = fp_arm_fits(arm) ? arm->instance.algorithm->least_documents : 0;
    if (least > 2)
        return fp_fail(
            error, FP_ERROR_EMPTY,
            "the arm %s is fitted to a corpus of %zu documents or more, and compare has 2, each of which would "
            "be the other's opposite; `fplab distances` fits it to a corpus",
            arm->name, least);
    if (fp_arm_learns(arm)) FP_TRY(fp_arm_fit(arm, texts, 2, error));
    for (int i = 0; i < 2; i++) FP_TRY(fp_arm_sketch_says(arm, texts[i], arena, sketch + i, says + i, error));
    bool evidence = says[0] && says[1];
    double distance = arm->instance.layout.maximum;
    if (evidence)
        FP_TRY(fp_arm_distance_checked(arm, fp_string_of("text A"), sketch[0], fp_string_of("text B"), sketch[1],
                                       &distance, error));
    *silent = (size_t)!says[0] + !says[1];
    const fp_algorithm *algorithm = arm->instance.algorithm;
    const char *compared = fp_arm_compared(arm, arena);
    if (!compared) return fp_no_memory(error);
    fp_table_text(table, fp_arm_name(arm));
    fp_table_real(table, distance, arm->instance.layout.integral ? 0 : 2);
    fp_table_text(table, arm->instance.layout.scale);
    fp_table_text(table, compared);
    fp_table_text(table, fp_arm_measure(arm));
    fp_table_real(table, algorithm->similarity && evidence ? algorithm->similarity(&arm->instance, distance) : NAN, 3);
    if (!threshold) return FP_OK;
    fp_table_real(table, *threshold, arm->instance.layout.integral ? 0 : 2);
    if (isnan(*threshold)) fp_table_undefined(table);
    else fp_table_text(table, distance <= *threshold ? "duplicate" : "not");
    return FP_OK;
}

static int compare(const fp_command *command, const fp_cli_input *input, const char *const arguments[2],
                   const char *const *specs, fp_table_format format, fp_arena *arena) {
    fp_string texts[2];
    fp_arm **arms;
    size_t count;
    double *thresholds;
    int status = fp_cli_arms_at(specs, arena, &arms, &thresholds, &count);
    for (int i = 0; i < 2 && status < 0; i++) status = fp_cli_text(command, input, arguments[i], arena, texts + i);
    if (status >= 0) return status;
    bool choices = false;
    for (size_t i = 0; i < count; i++) choices |= !isnan(thresholds[i]);
    fp_table *table = fp_table_new(choices ? "arm|>distance|scale|features|measure|>similarity|>threshold|called"
                                           : "arm|>distance|scale|features|measure|>similarity",
                                   arena);
    size_t *silent = fp_arena_alloc(arena, count, sizeof *silent);
    if (!table || !silent) return fp_cli_no_memory();
    fp_error error = {0};
    for (size_t i = 0; i < count; i++)
        if (compare_arm(arms[i], choices ? thresholds + i : NULL, texts, arena, table, silent + i, &error) != FP_OK)
            return fp_cli_fail(&error);
    fp_cli_cautions(arms, silent, count, NULL, 2);
    return fp_cli_write(table, format);
}

static int run(const fp_command *command, int argc, const char **argv) {
    const char **arms = NULL, **choices = NULL, **specs;
    const char *format_name = NULL;
    fp_cli_input input = {0};
    fp_option options[] = {
        {"arm", 'a', FP_TAKES_LIST(&arms), "algorithm:key=value,… or @FILE; may be repeated (default: every algorithm)",
         "SPEC"},
        {"choice", 0, FP_TAKES_LIST(&choices),
         "an arm and threshold that `fplab tune --save` wrote, which says whether the two are duplicates; may be repeated",
         "FILE"},
        FP_CLI_INPUT_OPTIONS(input),
        FP_CLI_PLUGIN_OPTIONS,
        FP_CLI_FORMAT_OPTION(format_name, "how to print", "table"),
        {0}};
    const char **arguments;
    fp_arena *arena;
    int status = fp_cli_begin(command, argc, argv, options, &arguments, &arena);
    if (status >= 0) return status;
    fp_table_format format;
    if (!arguments[0] || !arguments[1] || arguments[2]) status = fp_cli_usage(command, "compare takes two texts");
    else if (!fp_cli_format(command, format_name, FP_FORMAT_TABLE, &format)) status = FP_EXIT_USAGE;
    else status = fp_cli_specs(arms, choices, arena, &specs);
    if (status < 0) status = compare(command, &input, arguments, specs, format, arena);
    fp_cli_end(options, arena);
    return status;
}

const fp_command fp_command_compare = {
    .name = "compare",
    .arguments = "[OPTION…] A B",
    .summary = "compare two texts, every algorithm side by side",
    .details = "Reads two files (- is standard input; .gz and .zst are unpacked), or with --text takes the two\n"
               "arguments as the texts. For each arm it prints the distance of the fingerprints, the scale it is\n"
               "counted on, what is compared (features, their weight, and what else is not the default), and the\n"
               "similarity that the distance stands for. Equal distances of different algorithms are not equal\n"
               "strictness, and arms with different features do not measure the same thing. An arm that learns\n"
               "its IDF learns from the two texts alone, and is warned of: idf=builtin or idf=FILE serves\n"
               "better. One that must be fitted (center=mean) is refused, since two texts teach nothing. A text\n"
               "of which an arm reads nothing (no Han character, for pinyin) is no evidence: the distance is\n"
               "then the largest, the similarity NA.",
    .examples = "  fplab compare one.txt two.txt\n"
                "  fplab compare --text 我喜欢看电视，不喜欢看电影。 我不喜欢看电视，也不喜欢看电影。\n"
                "  fplab compare --arm simhash:features=words --arm simhash:features=chars:2 one.txt two.txt",
    .run = run,
};
