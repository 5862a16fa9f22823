/* SPDX-License-Identifier: GPL-3.0-or-later
 * Choices in an evaluation. */
#include "reports/tables/choice_results.h"

#include <math.h>

#include "eval/statistics/effective.h"

typedef struct row {
    const fp_outcome *outcome;
    const fp_choice *choice;
    const fp_arm *arm;
    fp_confusion counts;
    fp_choice_value precision, recall, f1;
} row;

static fp_choice_value value_of(const fp_estimate *estimate) {
    return (fp_choice_value){estimate->value, estimate->interval};
}

/* As the evaluation itself, with the one threshold. */
static fp_status infer(const fp_results *results, const fp_measurement *measurement, fp_arena *arena, row *to,
                       fp_error *error) {
    fp_inference inference;
    fp_inference_options options = *results->inference;
    options.thresholds = &to->choice->threshold;
    options.threshold_count = 1;
    options.prevalence = 0;
    if (to->outcome->inference->near)
        FP_TRY(fp_inference_near(to->outcome->corpus, measurement, 1, &options, NULL, arena, &inference, error));
    else
        FP_TRY(fp_inference_make(to->outcome->corpus, &measurement->distances, 1, &options, NULL, arena, &inference,
                                 error));
    to->precision = value_of(inference.precision);
    to->recall = value_of(inference.recall);
    to->f1 = value_of(inference.f1);
    return FP_OK;
}

static fp_status make_row(const fp_results *results, const fp_outcome *outcome, size_t arm, const fp_choice *choice,
                          fp_arena *arena, row *to, fp_error *error) {
    const fp_measurement *measurement = outcome->measurements + arm;
    fp_confusion c = fp_confusion_at(&measurement->histogram, choice->threshold);
    *to = (row){.outcome = outcome, .choice = choice, .arm = measurement->arm, .counts = c};
    return infer(results, measurement, arena, to, error);
}

/* ---- Cells ---- */

static void add_value(fp_table *table, fp_choice_value value) {
    fp_table_real(table, value.value, 3);
    fp_table_real(table, value.interval.low, 3);
    fp_table_real(table, value.interval.high, 3);
}

static void add_readable(fp_table *table, fp_choice_value value) {
    fp_table_interval(table, value.value, value.interval.low, value.interval.high, 2);
}

static void add_names(fp_table *table, const row *of) {
    fp_table_text(table, of->outcome->corpus->name);
    fp_table_text(table, fp_arm_name(of->arm));
    fp_table_text(table, fp_arm_layout(of->arm)->scale);
    fp_table_exact(table, of->choice->threshold);
}

static void add_row(fp_table *table, const row *of) {
    add_names(table, of);
    fp_table_count(table, of->counts.tp);
    fp_table_count(table, of->counts.fp);
    fp_table_count(table, of->counts.fn);
    fp_table_count(table, of->counts.tn);
    add_value(table, of->precision);
    add_value(table, of->recall);
    add_value(table, of->f1);
    add_value(table, of->choice->precision);
    add_value(table, of->choice->recall);
}

static void add_short_row(fp_table *table, const row *of) {
    add_names(table, of);
    add_readable(table, of->precision);
    add_readable(table, of->recall);
    add_readable(table, of->f1);
    add_readable(table, of->choice->precision);
    add_readable(table, of->choice->recall);
}

/* ---- Tables ---- */

typedef void (*adder)(fp_table *table, const row *of);

static fp_status fill(const fp_results *results, const fp_choice *choices, size_t count, adder add, fp_arena *arena,
                      fp_table *table, fp_error *error) {
    if (!table) return fp_no_memory(error);
    for (size_t i = 0; i < results->count; i++) {
        const fp_outcome *outcome = results->outcomes + i;
        for (size_t c = 0; c < count; c++) {
            row made;
            FP_TRY(make_row(results, outcome, outcome->count - count + c, choices + c, arena, &made, error));
            add(table, &made);
        }
    }
    return FP_OK;
}

fp_status fp_choice_results(const fp_results *results, const fp_choice *choices, size_t count, fp_arena *arena,
                            fp_table **table, fp_error *error) {
    *table = fp_table_new("corpus|arm|scale|>threshold|" FP_RESULT_COLUMNS
                          "|>f1_low|>f1_high|>held_out_precision|>held_out_precision_low|"
                          ">held_out_precision_high|>held_out_recall|>held_out_recall_low|>held_out_recall_high",
                          arena);
    return fill(results, choices, count, add_row, arena, *table, error);
}

fp_status fp_choice_results_short(const fp_results *results, const fp_choice *choices, size_t count, fp_arena *arena,
                                  fp_table **table, fp_error *error) {
    *table = fp_table_new(
        "corpus|choice|scale|>threshold|>precision|>recall|>F1|>precision when tuned|>recall when tuned", arena);
    return fill(results, choices, count, add_short_row, arena, *table, error);
}
