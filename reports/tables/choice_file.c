/* SPDX-License-Identifier: GPL-3.0-or-later
 * A choice as JSON. */
#include "reports/tables/choice_file.h"

#include <math.h>
#include <string.h>

#include "corpora/json.h"
#include "corpora/json_writer.h"

/* ---- Writing ---- */

fp_status fp_choice_of(const fp_tuned *tuned, const fp_corpus *corpus, fp_arena *arena, fp_choice *choice,
                       fp_error *error) {
    const fp_arm *arm = tuned->arms[tuned->best.arm];
    *choice = (fp_choice){.arm = fp_arm_spec(arm),
                          .name = fp_arm_name(arm),
                          .scale = fp_arm_layout(arm)->scale,
                          .threshold = tuned->best.threshold,
                          .objective = fp_objective_name(&tuned->options->objective, arena),
                          .min_precision = tuned->options->objective.min_precision,
                          .corpus = corpus->name,
                          .documents_sha256 = corpus->documents_sha256,
                          .pairs_sha256 = corpus->pairs_sha256,
                          .confidence = tuned->options->confidence,
                          .held_out = tuned->held_out.objective,
                          .precision = tuned->held_out.precision,
                          .recall = tuned->held_out.recall};
    return choice->objective ? FP_OK : fp_no_memory(error);
}

bool fp_choice_reached(const fp_choice *choice) {
    return isnan(choice->min_precision) || choice->precision.interval.low >= choice->min_precision;
}

static void put_value(fp_json_writer *json, const char *name, const fp_proportion *value) {
    fp_json_begin_object(json, name);
    fp_json_put_real(json, "value", value->value);
    fp_json_put_real(json, "low", value->interval.low);
    fp_json_put_real(json, "high", value->interval.high);
    fp_json_end_object(json);
}

static void put_corpus(fp_json_writer *json, const fp_choice *choice) {
    fp_json_begin_object(json, "corpus");
    fp_json_put_text(json, "name", choice->corpus);
    fp_json_begin_object(json, "sha256");
    fp_json_put_text(json, "documents", choice->documents_sha256);
    if (*choice->pairs_sha256) fp_json_put_text(json, "pairs", choice->pairs_sha256);
    fp_json_end_object(json);
    fp_json_end_object(json);
}

static void put_choice(fp_json_writer *json, const fp_choice *choice) {
    fp_json_begin_object(json, NULL);
    fp_json_put_text(json, "program", "fplab");
    fp_json_put_text(json, "version", FP_VERSION);
    fp_json_put_text(json, "name", choice->name);
    fp_json_put_text(json, "arm", choice->arm);
    fp_json_put_real(json, "threshold", choice->threshold);
    fp_json_put_text(json, "scale", choice->scale);
    fp_json_put_text(json, "objective", choice->objective);
    fp_json_put_real(json, "min_precision", choice->min_precision);
    if (isnan(choice->min_precision)) fp_json_put_null(json, "min_precision_reached");
    else fp_json_put_written(json, "min_precision_reached", fp_choice_reached(choice) ? "true" : "false");
    put_corpus(json, choice);
    fp_json_begin_object(json, "held_out");
    fp_json_put_real(json, "confidence", choice->confidence);
    put_value(json, "objective", &choice->held_out);
    put_value(json, "precision", &choice->precision);
    put_value(json, "recall", &choice->recall);
    fp_json_end_object(json);
    fp_json_end_object(json);
}

fp_status fp_choice_save(const fp_choice *choice, const char *path, fp_error *error) {
    fp_output output;
    FP_TRY(fp_output_open(&output, path, error));
    fp_json_writer json = fp_json_to(output.stream, 0);
    put_choice(&json, choice);
    fputc('\n', output.stream);
    return fp_output_end(&output, fp_json_done(&json, error), error);
}

/* ---- Reading ---- */

/* Moves the error's place to `value` unless NULL. */
static fp_status wrong(const fp_json *value, fp_status code, fp_error *error) {
    if (error && value) error->byte = value->byte;
    return code;
}

static fp_status read_text(const fp_json *object, const char *name, fp_arena *arena, const char **to, fp_error *error) {
    const fp_json *member = fp_json_member(object, name);
    fp_string value;
    if (!member || member->type != FP_JSON_STRING)
        return wrong(member, fp_fail(error, FP_ERROR_SYNTAX, "\"%s\" is missing or not a string", name), error);
    FP_TRY(fp_json_string(object, name, arena, &value, error));
    if (strlen(value.data) != value.length)
        return wrong(member, fp_fail(error, FP_ERROR_SYNTAX, "\"%s\" holds a NUL", name), error);
    *to = value.data;
    return FP_OK;
}

/* NaN: missing or null. */
static fp_status read_real(const fp_json *object, const char *name, double *to, fp_error *error) {
    const fp_json *member = fp_json_member(object, name);
    *to = NAN;
    return member && member->type != FP_JSON_NULL ? fp_json_real(member, name, to, error) : FP_OK;
}

/* NULL: the object is missing. */
static fp_status read_object(const fp_json *object, const char *name, const fp_json **to, fp_error *error) {
    *to = fp_json_member(object, name);
    if (!*to || (*to)->type == FP_JSON_OBJECT) return FP_OK;
    return wrong(*to, fp_fail(error, FP_ERROR_SYNTAX, "\"%s\" is not an object", name), error);
}

static fp_status read_value(const fp_json *object, const char *name, fp_proportion *to, fp_error *error) {
    const fp_json *member;
    FP_TRY(read_object(object, name, &member, error));
    FP_TRY(read_real(member, "value", &to->value, error));
    FP_TRY(read_real(member, "low", &to->interval.low, error));
    return read_real(member, "high", &to->interval.high, error);
}

static fp_status read_corpus(const fp_json *object, fp_arena *arena, fp_choice *choice, fp_error *error) {
    const fp_json *corpus, *sums;
    FP_TRY(read_object(object, "corpus", &corpus, error));
    FP_TRY(read_object(corpus, "sha256", &sums, error));
    choice->pairs_sha256 = "";
    FP_TRY(read_text(corpus, "name", arena, &choice->corpus, error));
    FP_TRY(read_text(sums, "documents", arena, &choice->documents_sha256, error));
    return fp_json_member(sums, "pairs") ? read_text(sums, "pairs", arena, &choice->pairs_sha256, error) : FP_OK;
}

static fp_status read_threshold(const fp_json *object, fp_choice *choice, fp_error *error) {
    FP_TRY(read_real(object, "threshold", &choice->threshold, error));
    if (isnan(choice->threshold)) return fp_fail(error, FP_ERROR_SYNTAX, "\"threshold\" is missing");
    if (choice->threshold >= 0) return FP_OK;
    fp_fail(error, FP_ERROR_RANGE, "the threshold %.15g is not a distance", choice->threshold);
    return wrong(fp_json_member(object, "threshold"), FP_ERROR_RANGE, error);
}

static fp_status read_choice(const fp_json *object, fp_arena *arena, fp_choice *choice, fp_error *error) {
    if (object->type != FP_JSON_OBJECT)
        return wrong(object, fp_fail(error, FP_ERROR_SYNTAX, "a choice is a JSON object"), error);
    FP_TRY(read_text(object, "arm", arena, &choice->arm, error));
    FP_TRY(read_text(object, "name", arena, &choice->name, error));
    FP_TRY(read_text(object, "scale", arena, &choice->scale, error));
    FP_TRY(read_text(object, "objective", arena, &choice->objective, error));
    FP_TRY(read_threshold(object, choice, error));
    FP_TRY(read_real(object, "min_precision", &choice->min_precision, error));
    FP_TRY(read_corpus(object, arena, choice, error));
    const fp_json *held_out;
    FP_TRY(read_object(object, "held_out", &held_out, error));
    FP_TRY(read_real(held_out, "confidence", &choice->confidence, error));
    FP_TRY(read_value(held_out, "objective", &choice->held_out, error));
    FP_TRY(read_value(held_out, "precision", &choice->precision, error));
    return read_value(held_out, "recall", &choice->recall, error);
}

fp_status fp_choice_parse(fp_string content, const char *name, fp_arena *arena, fp_choice *choice, fp_error *error) {
    const fp_json *object;
    *choice = (fp_choice){0};
    fp_status status = fp_json_parse(content, arena, &object, error);
    if (status == FP_OK) status = read_choice(object, arena, choice, error);
    if (status != FP_OK && status != FP_ERROR_MEMORY) fp_json_at(error, status, name, content);
    return status;
}

fp_status fp_choice_read(const char *path, fp_arena *arena, fp_choice *choice, fp_error *error) {
    fp_string content;
    *choice = (fp_choice){0};
    FP_TRY(fp_read_file(path, arena, &content, error));
    return fp_choice_parse(content, path, arena, choice, error);
}

/* ---- Choices in an evaluation ---- */

/* `counts`: adds the cells of the confusion matrix. */
static fp_table *fill(fp_table *table, const fp_chosen_outcome *outcomes, size_t count, const fp_choice *choices,
                      bool counts) {
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < outcomes[i].count; c++) {
            const fp_chosen_arm *chosen = outcomes[i].arms + c;
            fp_results_add_names(table, outcomes[i].outcome, chosen->arm, true);
            fp_table_put(table, chosen->threshold);
            fp_results_add_chosen(table, chosen, counts);
            FP_TABLE_FIGURE(table, choices[c].precision);
            FP_TABLE_FIGURE(table, choices[c].recall);
        }
    return table;
}

fp_table *fp_choice_results(const fp_chosen_outcome *outcomes, size_t count, const fp_choice *choices,
                            fp_arena *arena) {
    return fill(fp_table_for(FP_FILE_CHOICES, arena), outcomes, count, choices, true);
}

fp_table *fp_choice_results_short(const fp_chosen_outcome *outcomes, size_t count, const fp_choice *choices,
                                  fp_arena *arena) {
    static const char COLUMNS[] = "corpus|choice|scale|>threshold;e|>precision;2|>recall;2|>F1;2|"
                                  ">precision when tuned;2|>recall when tuned;2";
    return fill(fp_table_of(COLUMNS, arena), outcomes, count, choices, false);
}
