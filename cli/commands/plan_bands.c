/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab plan --slots: bands and rows for signatures. */
#include <math.h>

#include "cli/commands/plan.h"
#include "cli/terminal.h"
#include "pairs/banding.h"
#include "reports/runs/run.h"
#include "reports/tables/schemas.h"

enum { COME_CLOSE = 5 };

static int parse_goal(const fp_command *command, const fp_plan_bands *options, fp_banding_goal *goal) {
    *goal = (fp_banding_goal){.slots = (unsigned)options->slots,
                              .slot_bits = (unsigned)options->slot_bits,
                              .false_positives = 1,
                              .false_negatives = 1};
    if (options->slots < 1 || options->slot_bits < 0)
        return fp_cli_usage(command, "--slots takes 1 or more, and --slot-bits 0 or more");
    if (!options->similarity) return fp_cli_usage(command, "no similarity given; set it with --similarity S");
    if (!fp_parse_real(options->similarity, &goal->similarity))
        return fp_cli_usage(command, "--similarity takes a number, not %s", options->similarity);
    if (options->recall && options->weights) return fp_cli_usage(command, "either --recall or --weights, not both");
    bool recall_read = !options->recall || fp_parse_real(options->recall, &goal->recall);
    if (!recall_read || (options->recall && !(goal->recall > 0 && goal->recall < 1)))
        return fp_cli_usage(command, "--recall takes a number above 0 and below 1, not %s", options->recall);
    if (options->weights && !fp_cli_plan_numbers(options->weights, ':', &goal->false_positives, &goal->false_negatives))
        return fp_cli_usage(command,
                            "--weights takes A:B, the weight of false positives and of false negatives, not %s",
                            options->weights);
    fp_error error = {0};
    return fp_banding_check(goal, &error) == FP_OK ? FP_EXIT_SUCCESS : fp_cli_usage(command, "%s", error.message);
}

/* The similarity of sets whose slots agree with that probability. */
static double of_sets(const fp_banding_goal *goal, double slots) {
    double chance = fp_banding_slot(0, goal->slot_bits);
    return fmax(0, (slots - chance) / (1 - chance));
}

static fp_table *list_choices(const fp_banding_goal *goal, const fp_banding_choice *choices, size_t count,
                              fp_arena *arena) {
    fp_table *table = fp_table_for(FP_FILE_BANDING, arena);
    for (size_t i = 0; i < count; i++) {
        fp_banding banding = choices[i].banding;
        FP_TABLE_PUT(table, banding.bands, banding.rows, (double)banding.bands * banding.rows, choices[i].found,
                     choices[i].false_positives, choices[i].false_negatives, choices[i].cost,
                     of_sets(goal, fp_banding_threshold(banding)), of_sets(goal, fp_banding_similarity(banding, 0.5)));
    }
    return table;
}

static void add_point(fp_table *table, const fp_banding_goal *goal, fp_banding banding, double similarity,
                      bool target) {
    FP_TABLE_PUT(table, similarity, fp_banding_probability(banding, fp_banding_slot(similarity, goal->slot_bits)));
    fp_table_text(table, target ? "target" : "");
}

/* At the ends of `parts` equal parts, and at the target. */
static fp_table *list_curve(const fp_banding_goal *goal, fp_banding banding, int parts, fp_arena *arena) {
    fp_table *table = fp_table_for(FP_FILE_BANDING_CURVE, arena);
    double target = goal->similarity;
    for (int i = 0; i <= parts; i++) {
        double place = (double)i / parts, next = (i + 1.0) / parts;
        bool here = fabs(place - target) < 1e-9;
        add_point(table, goal, banding, place, here);
        if (!here && target > place && target < next - 1e-9) add_point(table, goal, banding, target, true);
    }
    return table;
}

static fp_status save_run(const fp_plan_bands *options, const fp_banding_goal *goal, fp_error *error) {
    const fp_run_fact facts[] = {
        {"choice",
         goal->recall > 0 ? "least area of false positives at the recall" : "least weighted area of both errors", 0},
        {"slots", NULL, goal->slots},
        {"slot_bits", NULL, goal->slot_bits},
        {"similarity", NULL, goal->similarity},
        {"recall", NULL, goal->recall > 0 ? goal->recall : NAN},
        {"weight_of_false_positives", NULL, goal->false_positives},
        {"weight_of_false_negatives", NULL, goal->false_negatives},
        {NULL, NULL, 0}};
    fp_plan_out *out = options->out;
    return fp_run_save_facts(&(fp_run_facts){.facts = facts}, out->argument_count, out->arguments, &out->run.content,
                             error);
}

static fp_status save(const fp_plan_bands *options, const fp_banding_goal *goal, const fp_banding_choice *choices,
                      size_t count, fp_arena *arena, fp_error *error) {
    fp_run_content *to = &options->out->run.content;
    FP_TRY(fp_run_put_table(to, "banding", list_choices(goal, choices, count, arena), error));
    FP_TRY(fp_run_put_table(to, "banding-curve", list_curve(goal, choices[0].banding, 100, arena), error));
    return save_run(options, goal, error);
}

static int write_out(fp_plan_bands *options, const fp_banding_goal *goal, const fp_banding_choice *choices,
                     size_t count, fp_arena *arena) {
    fp_error error = {0};
    if (!options->out->target) return FP_EXIT_SUCCESS;
    FP_CLI_TRY(fp_cli_out_open(options->out->target, arena, &options->out->run));
    return fp_cli_plan_out_close(options->out, save(options, goal, choices, count, arena, &error), &error);
}

static int show(const fp_banding_goal *goal, const fp_banding_choice *choices, size_t count, fp_table_format format,
                fp_arena *arena) {
    fp_banding chosen = choices[0].banding;
    if (format != FP_FORMAT_TABLE) return fp_cli_write(list_choices(goal, choices, count, arena), format);
    printf(
        "%u bands of %u rows: %u of %u slots; a pair of similarity %g becomes a candidate with probability %.4f.\n\n",
        chosen.bands, chosen.rows, chosen.bands * chosen.rows, goal->slots, goal->similarity, choices[0].found);
    fp_cli_show_begin();
    fp_cli_write(list_choices(goal, choices, count, arena), format);
    printf(
        "\nfalse positives and false negatives: areas under the curve below %g and above it beyond. cost: %s.\n"
        "threshold: where slots agree with probability (1/bands)^(1/rows). half: where a pair becomes a candidate with probability 1/2.\n\n",
        goal->similarity,
        goal->recall > 0 ? "the area of false positives, the recall being given" : "their weighted sum");
    return fp_cli_write(list_curve(goal, chosen, 10, arena), format);
}

int fp_cli_plan_bands(const fp_command *command, fp_plan_bands *options, fp_table_format format, fp_arena *arena) {
    fp_banding_goal goal;
    fp_banding_choice *choices;
    size_t count;
    fp_error error = {0};
    FP_CLI_TRY(parse_goal(command, options, &goal));
    if (fp_banding_list(&goal, arena, &choices, &count, &error) != FP_OK) return fp_cli_fail(&error);
    count = count < COME_CLOSE ? count : COME_CLOSE;
    int status = write_out(options, &goal, choices, count, arena);
    show(&goal, choices, count, format, arena);
    return status;
}
