/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab eval --lost: where recall is lost, as tables. */
#include <string.h>

#include "cli/commands/eval/eval.h"
#include "reports/tables/index_curve_table.h"
#include "reports/tables/recall_loss_tables.h"

/* ---- Before anything is measured ---- */

int fp_eval_lost_options(const fp_command *command, fp_eval_options *options) {
    fp_error error = {0};
    if (!options->lost)
        return options->index ? fp_cli_usage(command, "--index says how --lost looks pairs up; add --lost") : -1;
    if (options->level && strcmp(options->level, "document") == 0)
        return fp_cli_usage(command, "--lost is about pairs: it does not go with --level document");
    if (!options->index) return -1;
    fp_arena *arena = fp_arena_new();
    if (!arena) return fp_no_memory(&error), fp_cli_fail(&error);
    fp_status status = fp_lsh_parse(options->index, arena, &options->index_spec, &error);
    fp_arena_free(arena);
    if (status == FP_ERROR_MEMORY) return fp_cli_fail(&error);
    return status == FP_OK ? -1 : fp_cli_usage(command, "--index %s: %s", options->index, error.message);
}

/* An index that does not fit an arm is told before the arms run. */
int fp_eval_lost_check(const fp_eval_options *options, fp_arena *arena) {
    fp_arm **arms;
    size_t count;
    if (!options->lost || !options->index) return -1;
    int status = fp_cli_arms_and_choices(options->arms, &options->choices, fp_cli_default_arms, arena, &arms, &count);
    for (size_t i = 0; status < 0 && i < count; i++) {
        fp_error error = {0};
        fp_lsh_form form;
        const fp_layout *layout = fp_arm_layout(arms[i]);
        if (fp_lsh_places(layout) == 0 || fp_lsh_settle(&options->index_spec, layout, &form, &error) == FP_OK) continue;
        fprintf(stderr, "fplab: --index %s does not fit %s: %s\n", options->index, fp_arm_name(arms[i]), error.message);
        status = FP_EXIT_USAGE;
    }
    return status;
}

/* ---- Behind the measurements ---- */

static fp_status save_lost(const fp_recall_loss_outcome *outcomes, size_t count, const char *directory, fp_arena *arena,
                           fp_error *error) {
    FP_TRY(fp_eval_save(fp_recall_loss_table(outcomes, count, false, arena), directory, "lost.tsv", arena, error));
    return fp_eval_save(fp_recall_loss_table(outcomes, count, true, arena), directory, "lost-best.tsv", arena, error);
}

/* What the index brings of all labelled pairs, which no terminal shows. */
static fp_status save_curves(const fp_index_outcome *curves, size_t count, const char *directory, fp_arena *arena,
                             fp_error *error) {
    FP_TRY(fp_eval_save(fp_index_table(curves, count, arena), directory, "index.tsv", arena, error));
    return fp_eval_save(fp_index_curve_table(curves, count, arena), directory, "index-curve.tsv", arena, error);
}

static int print(const fp_results *results, const fp_recall_loss_outcome *outcomes, fp_arena *arena) {
    int status = FP_EXIT_SUCCESS;
    for (size_t i = 0; i < results->count && status == FP_EXIT_SUCCESS; i++) {
        fp_cli_print("\n%s: where recall is lost, of %zu positive pairs, each arm at its best threshold%s\n",
                     results->outcomes[i].corpus->name, outcomes[i].lost.positive_count, fp_eval_first_seed(results));
        status = fp_cli_write(fp_recall_loss_short(outcomes + i, arena), FP_FORMAT_TABLE);
        if (status != FP_EXIT_SUCCESS) return status;
        const char *remarks = fp_recall_loss_remarks(outcomes + i, arena);
        if (!remarks) return fp_cli_no_memory();
        fp_cli_print("%s", remarks);
    }
    printf(
        "\nFound: within h, and brought by the index; by chance, though the exact measure is beyond h. Lost by the index: within h, but no look-up\n"
        "brings it. By the sketch: only the exact measure is within h. By the similarity: the exact measure is beyond h too. By the measure:\n"
        "beyond h, and nothing exact to compare with. Sure to: every pair within that distance is brought. Candidates: mean of a look-up by each\n"
        "document, itself apart.\n");
    return status;
}

int fp_eval_lost(const fp_results *results, const fp_eval_options *options, fp_table_format format, fp_arena *arena) {
    const fp_findings *findings = &options->findings;
    const char *directory = options->run.place;
    fp_error error = {0};
    fp_status status = FP_OK;
    if (directory) status = save_lost(findings->losses, findings->count, directory, arena, &error);
    if (directory && status == FP_OK)
        status = save_curves(findings->indices, findings->count, directory, arena, &error);
    if (status != FP_OK) return fp_cli_out_fail(&options->run, &error);
    return format == FP_FORMAT_TABLE ? print(results, findings->losses, arena) : FP_EXIT_SUCCESS;
}
