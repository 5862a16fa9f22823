/* SPDX-License-Identifier: GPL-3.0-or-later
 * The laboratory behind one function: requests to operations. */
#include <stdlib.h>

#include "base/memory_stream.h"
#include "reports/lab/lab_parts.h"

static const char NO_MEMORY[] = "{\"error\":\"out of memory\",\"status\":\"memory\"}";

fp_lab *fp_lab_open(void) {
    fp_lab *lab = calloc(1, sizeof *lab);
    if (!lab) return NULL;
    lab->scratch = fp_arena_new();
    if (lab->scratch) return lab;
    free(lab);
    return NULL;
}

void fp_lab_close(fp_lab *lab) {
    if (!lab) return;
    fp_lab_evaluation_close(lab);
    fp_arena_free(lab->scratch);
    free(lab->answer);
    free(lab);
}

void fp_lab_watch(fp_lab *lab, void (*report)(void *context, const char *stage, size_t done, size_t total),
                  void *context) {
    lab->progress = (fp_progress){.report = report, .context = context};
}

/* ---- Requests ---- */

static fp_status is_no(const char *name, const char *what, fp_error *error) {
    return fp_fail(error, FP_ERROR_SYNTAX, "the request's \"%s\" is no %s", name, what);
}

fp_status fp_lab_text(const fp_lab_call_data *call, const char *name, fp_string *text, fp_error *error) {
    const fp_json *value = fp_json_member(call->request, name);
    if (!value || value->type != FP_JSON_STRING) return is_no(name, "text", error);
    *text = value->text;
    return FP_OK;
}

fp_status fp_lab_list(const fp_lab_call_data *call, const char *name, const fp_json **list, size_t *count,
                      fp_error *error) {
    *list = fp_json_member(call->request, name);
    *count = fp_json_count(*list);
    return *list && (*list)->type == FP_JSON_ARRAY ? FP_OK : is_no(name, "list", error);
}

fp_status fp_lab_number(const fp_lab_call_data *call, const char *name, double otherwise, double least, double most,
                        double *number, fp_error *error) {
    const fp_json *value = fp_json_member(call->request, name);
    *number = otherwise;
    if (!value || value->type == FP_JSON_NULL) return FP_OK;
    FP_TRY(fp_json_real(value, name, number, error));
    if (*number >= least && *number <= most) return FP_OK;
    return fp_fail(error, FP_ERROR_RANGE, "the request's \"%s\" takes %g to %g", name, least, most);
}

/* ---- Operations ---- */

static const struct {
    const char *name;
    fp_status (*run)(const fp_lab_call_data *call, fp_error *error);
} OPERATIONS[] = {{"algorithms", fp_lab_algorithms}, {"features", fp_lab_features}, {"fingerprint", fp_lab_fingerprint},
                  {"compare", fp_lab_compare},       {"explain", fp_lab_explain},   {"evaluate", fp_lab_evaluate},
                  {"pairs", fp_lab_pairs},           {"corrupt", fp_lab_corrupt}};

static fp_status run(const fp_lab_call_data *call, fp_error *error) {
    fp_string name;
    if (call->request->type != FP_JSON_OBJECT) return fp_fail(error, FP_ERROR_SYNTAX, "the request is no JSON object");
    FP_TRY(fp_lab_text(call, "op", &name, error));
    for (size_t i = 0; i < sizeof OPERATIONS / sizeof *OPERATIONS; i++)
        if (fp_string_equal(name, fp_string_of(OPERATIONS[i].name))) return OPERATIONS[i].run(call, error);
    return fp_fail(error, FP_ERROR_UNKNOWN, "the lab knows no operation \"%.*s\"",
                   (int)(name.length < 80 ? name.length : 80), name.data);
}

static fp_status answer(fp_lab *lab, fp_string request, FILE *stream, fp_error *error) {
    fp_json_writer to = fp_json_to(stream, 0);
    fp_lab_call_data call = {.lab = lab, .to = &to, .scratch = lab->scratch};
    FP_TRY(fp_json_parse(request, lab->scratch, &call.request, error));
    fp_json_begin_object(&to, NULL);
    FP_TRY(run(&call, error));
    fp_json_end_object(&to);
    return fp_json_done(&to, error);
}

static void put_failure(fp_lab *lab, const fp_error *error, FILE *stream) {
    fp_json_writer to = fp_json_to(stream, 0);
    fp_json_begin_object(&to, NULL);
    fp_lab_put_error(&to, error, lab->scratch);
    fp_json_end_object(&to);
}

/* The output of a failed operation is discarded. */
const char *fp_lab_call(fp_lab *lab, const char *request, size_t length, size_t *answer_length) {
    fp_error error = {0};
    fp_memory_stream memory;
    fp_arena_reset(lab->scratch);
    free(lab->answer);
    bool open = fp_memory_stream_open(&memory, NULL) == FP_OK;
    if (open && answer(lab, (fp_string){request, length}, memory.stream, &error) != FP_OK) {
        fp_memory_stream_discard(&memory);
        fp_arena_reset(lab->scratch);
        open = fp_memory_stream_open(&memory, NULL) == FP_OK;
        if (open) put_failure(lab, &error, memory.stream);
    }
    bool written = open && fp_memory_stream_close(&memory, NULL) == FP_OK;
    lab->answer = written ? memory.text : NULL;
    if (answer_length) *answer_length = written ? memory.length : sizeof NO_MEMORY - 1;
    return written ? lab->answer : NO_MEMORY;
}
