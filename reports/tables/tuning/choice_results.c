/* SPDX-License-Identifier: GPL-3.0-or-later
 * Choices in an evaluation. */
#include "reports/tables/tuning/choice_results.h"

typedef struct row {
    const fp_outcome *outcome;
    const fp_chosen_arm *chosen;
    const fp_choice *choice;
} row;

static fp_choice_value value_of(const fp_estimate *estimate) {
    return (fp_choice_value){estimate->value, estimate->interval};
}

/* ---- Cells ---- */

static void add_value(fp_table *table, fp_choice_value value) {
    fp_table_figure(table, value.value, value.interval, 3);
}

static void add_readable(fp_table *table, fp_choice_value value) {
    fp_table_interval(table, value.value, value.interval, 2);
}

static void add_names(fp_table *table, const row *of) {
    fp_results_add_names(table, of->outcome, of->chosen->arm, true);
    fp_table_exact(table, of->chosen->threshold);
}

static void add_row(fp_table *table, const row *of) {
    add_names(table, of);
    fp_table_count(table, of->chosen->counts.tp);
    fp_table_count(table, of->chosen->counts.fp);
    fp_table_count(table, of->chosen->counts.fn);
    fp_table_count(table, of->chosen->counts.tn);
    add_value(table, value_of(&of->chosen->precision));
    add_value(table, value_of(&of->chosen->recall));
    add_value(table, value_of(&of->chosen->f1));
    add_value(table, of->choice->precision);
    add_value(table, of->choice->recall);
}

static void add_short_row(fp_table *table, const row *of) {
    add_names(table, of);
    add_readable(table, value_of(&of->chosen->precision));
    add_readable(table, value_of(&of->chosen->recall));
    add_readable(table, value_of(&of->chosen->f1));
    add_readable(table, of->choice->precision);
    add_readable(table, of->choice->recall);
}

/* ---- Tables ---- */

typedef void (*adder)(fp_table *table, const row *of);

static fp_table *fill(const fp_chosen_outcome *outcomes, size_t count, const fp_choice *choices, adder add,
                      fp_table *table) {
    for (size_t i = 0; table && i < count; i++)
        for (size_t c = 0; c < outcomes[i].count; c++)
            add(table, &(row){outcomes[i].outcome, outcomes[i].arms + c, choices + c});
    return table;
}

fp_table *fp_choice_results(const fp_chosen_outcome *outcomes, size_t count, const fp_choice *choices,
                            fp_arena *arena) {
    fp_table *table =
        fp_table_new("corpus|arm|scale|>threshold|" FP_RESULT_COLUMNS
                     "|>f1_low|>f1_high|>held_out_precision|>held_out_precision_low|"
                     ">held_out_precision_high|>held_out_recall|>held_out_recall_low|>held_out_recall_high",
                     arena);
    return fill(outcomes, count, choices, add_row, table);
}

fp_table *fp_choice_results_short(const fp_chosen_outcome *outcomes, size_t count, const fp_choice *choices,
                                  fp_arena *arena) {
    fp_table *table = fp_table_new(
        "corpus|choice|scale|>threshold|>precision|>recall|>F1|>precision when tuned|>recall when tuned", arena);
    return fill(outcomes, count, choices, add_short_row, table);
}
