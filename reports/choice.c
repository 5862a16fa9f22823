/* SPDX-License-Identifier: GPL-3.0-or-later
 * A choice as JSON. */
#include "reports/choice.h"

#include <math.h>
#include <stdlib.h>

#include "corpora/json.h"

/* ---- Writing ---- */

static fp_choice_figure figure_of(const fp_share *share) { return (fp_choice_figure){share->value, share->interval}; }

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
                          .held_out = figure_of(&tuned->held_out.objective),
                          .precision = figure_of(&tuned->held_out.precision),
                          .recall = figure_of(&tuned->held_out.recall)};
    return choice->objective ? FP_OK : fp_no_memory(error);
}

static void put_text(json_object *object, const char *name, const char *value) {
    json_object_object_add(object, name, json_object_new_string(value));
}

static void put_real(json_object *object, const char *name, double value) {
    char text[40];
    snprintf(text, sizeof text, "%.15g", value);
    if (strtod(text, NULL) != value) snprintf(text, sizeof text, "%.17g", value);
    json_object_object_add(object, name, isnan(value) ? NULL : json_object_new_double_s(value, text));
}

static json_object *put_object(json_object *object, const char *name) {
    json_object *made = json_object_new_object();
    json_object_object_add(object, name, made);
    return made;
}

static void put_figure(json_object *object, const char *name, const fp_choice_figure *figure) {
    json_object *made = put_object(object, name);
    put_real(made, "value", figure->value);
    put_real(made, "low", figure->interval.low);
    put_real(made, "high", figure->interval.high);
}

static json_object *describe(const fp_choice *choice) {
    json_object *object = json_object_new_object();
    put_text(object, "program", "fplab");
    put_text(object, "version", FP_VERSION);
    put_text(object, "name", choice->name);
    put_text(object, "arm", choice->arm);
    put_real(object, "threshold", choice->threshold);
    put_text(object, "scale", choice->scale);
    put_text(object, "objective", choice->objective);
    put_real(object, "min_precision", choice->min_precision);
    json_object *corpus = put_object(object, "corpus");
    put_text(corpus, "name", choice->corpus);
    json_object *sums = put_object(corpus, "sha256");
    put_text(sums, "documents", choice->documents_sha256);
    if (*choice->pairs_sha256) put_text(sums, "pairs", choice->pairs_sha256);
    json_object *held_out = put_object(object, "held_out");
    put_real(held_out, "confidence", choice->confidence);
    put_figure(held_out, "objective", &choice->held_out);
    put_figure(held_out, "precision", &choice->precision);
    put_figure(held_out, "recall", &choice->recall);
    return object;
}

fp_status fp_choice_save(const fp_choice *choice, const char *path, fp_error *error) {
    fp_output output;
    FP_TRY(fp_output_open(&output, path, error));
    json_object *object = describe(choice);
    fprintf(output.stream, "%s\n",
            json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(object);
    return fp_output_close(&output, error);
}

/* ---- Reading ---- */

static const json_object *member_of(const json_object *object, const char *name) {
    json_object *member = NULL;
    return object && json_object_object_get_ex(object, name, &member) ? member : NULL;
}

static fp_status read_text(const json_object *object, const char *name, fp_arena *arena, const char **to,
                           fp_error *error) {
    fp_string value;
    if (!json_object_is_type(member_of(object, name), json_type_string))
        return fp_fail(error, FP_ERROR_SYNTAX, "\"%s\" is missing or not a string", name);
    FP_TRY(fp_json_string(object, name, arena, &value, error));
    *to = value.data;
    return FP_OK;
}

static fp_status read_real(const json_object *object, const char *name, double *to, fp_error *error) {
    const json_object *member = member_of(object, name);
    *to = NAN;
    if (!member) return FP_OK;
    if (!json_object_is_type(member, json_type_double) && !json_object_is_type(member, json_type_int))
        return fp_fail(error, FP_ERROR_SYNTAX, "\"%s\" is not a number", name);
    *to = json_object_get_double(member);
    return FP_OK;
}

static fp_status read_figure(const json_object *object, const char *name, fp_choice_figure *to, fp_error *error) {
    const json_object *member = member_of(object, name);
    FP_TRY(read_real(member, "value", &to->value, error));
    FP_TRY(read_real(member, "low", &to->interval.low, error));
    return read_real(member, "high", &to->interval.high, error);
}

static fp_status read_corpus(const json_object *object, fp_arena *arena, fp_choice *choice, fp_error *error) {
    const json_object *corpus = member_of(object, "corpus"), *sums = member_of(corpus, "sha256");
    choice->pairs_sha256 = "";
    FP_TRY(read_text(corpus, "name", arena, &choice->corpus, error));
    FP_TRY(read_text(sums, "documents", arena, &choice->documents_sha256, error));
    return member_of(sums, "pairs") ? read_text(sums, "pairs", arena, &choice->pairs_sha256, error) : FP_OK;
}

static fp_status read_choice(const json_object *object, fp_arena *arena, fp_choice *choice, fp_error *error) {
    if (!json_object_is_type(object, json_type_object))
        return fp_fail(error, FP_ERROR_SYNTAX, "a choice is a JSON object");
    FP_TRY(read_text(object, "arm", arena, &choice->arm, error));
    FP_TRY(read_text(object, "name", arena, &choice->name, error));
    FP_TRY(read_text(object, "scale", arena, &choice->scale, error));
    FP_TRY(read_text(object, "objective", arena, &choice->objective, error));
    FP_TRY(read_real(object, "threshold", &choice->threshold, error));
    FP_TRY(read_real(object, "min_precision", &choice->min_precision, error));
    if (isnan(choice->threshold)) return fp_fail(error, FP_ERROR_SYNTAX, "\"threshold\" is missing");
    if (choice->threshold < 0 || isinf(choice->threshold))
        return fp_fail(error, FP_ERROR_RANGE, "the threshold %.15g is not a distance", choice->threshold);
    FP_TRY(read_corpus(object, arena, choice, error));
    const json_object *held_out = member_of(object, "held_out");
    FP_TRY(read_real(held_out, "confidence", &choice->confidence, error));
    FP_TRY(read_figure(held_out, "objective", &choice->held_out, error));
    FP_TRY(read_figure(held_out, "precision", &choice->precision, error));
    return read_figure(held_out, "recall", &choice->recall, error);
}

fp_status fp_choice_read(const char *path, fp_arena *arena, fp_choice *choice, fp_error *error) {
    fp_string content;
    json_object *object;
    *choice = (fp_choice){0};
    FP_TRY(fp_read_file(path, arena, &content, error));
    fp_status status = fp_json_parse(content, &object, error);
    if (status == FP_OK) {
        status = read_choice(object, arena, choice, error);
        json_object_put(object);
    }
    if (status != FP_OK) fp_at(error, path, SIZE_MAX, SIZE_MAX);
    return status;
}
