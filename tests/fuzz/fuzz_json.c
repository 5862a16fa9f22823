/* SPDX-License-Identifier: GPL-3.0-or-later
 * JSON: reading and writing, and the lab behind one function, which takes requests in JSON. */
#include "corpora/json.h"
#include "corpora/json_writer.h"
#include "reports/lab/lab.h"
#include "tests/fuzz/fuzz.h"
#include "text/unicode/utf8.h"

static void write_value(fp_json_writer *to, const char *name, const fp_json *value, fp_arena *arena) {
    switch (value->type) {
    case FP_JSON_NULL: fp_json_put_null(to, name); return;
    case FP_JSON_STRING: fp_json_put_string(to, name, value->text); return;
    case FP_JSON_BOOLEAN:
    case FP_JSON_NUMBER: fp_json_put_written(to, name, fp_string_copy(arena, value->text)); return;
    case FP_JSON_ARRAY: fp_json_begin_array(to, name); break;
    case FP_JSON_OBJECT: fp_json_begin_object(to, name); break;
    }
    bool object = value->type == FP_JSON_OBJECT;
    for (const fp_json *at = value->first; at; at = at->next)
        write_value(to, object ? fp_string_copy(arena, at->name) : NULL, at, arena);
    if (object) fp_json_end_object(to);
    else fp_json_end_array(to);
}

/* A NUL in a name ends it for the writer, whose names are its callers' own. */
static bool names_end(const fp_json *value) {
    for (const fp_json *at = value->first; at; at = at->next)
        if (memchr(at->name.data ? at->name.data : "", 0, at->name.length) || !names_end(at)) return false;
    return true;
}

static bool equal(const fp_json *a, const fp_json *b) {
    bool inner = a->type == FP_JSON_ARRAY || a->type == FP_JSON_OBJECT;
    if (a->type != b->type || !fp_string_equal(a->name, b->name)) return false;
    if (!inner) return fp_string_equal(a->text, b->text);
    for (a = a->first, b = b->first; a && b; a = a->next, b = b->next)
        if (!equal(a, b)) return false;
    return !a && !b;
}

/* What was read, written and read again is the same. */
void fuzz_json(fp_string input, fp_arena *arena) {
    const fp_json *value, *again;
    fp_error error;
    char *written = NULL;
    size_t length = 0;
    if (fp_json_parse(input, arena, &value, &error) != FP_OK) {
        FUZZ_DEMAND(error.byte <= input.length && error.message[0]);
        return;
    }
    FUZZ_DEMAND(fp_utf8_check(input) == input.length);
    if (!names_end(value)) return;
    FILE *stream = open_memstream(&written, &length);
    fp_json_writer writer = fp_json_to(stream, 0);
    writer.compact = input.length & 1;
    write_value(&writer, NULL, value, arena);
    fclose(stream);
    FUZZ_DEMAND(fp_json_parse((fp_string){written, length}, arena, &again, &error) == FP_OK && equal(value, again));
    free(written);
}

/* An answer is JSON, whatever the request was. */
void fuzz_lab(fp_string input, fp_arena *arena) {
    static fp_lab *lab;
    const fp_json *value;
    fp_error error;
    size_t length;
    if (!lab) lab = fp_lab_open();
    const char *answer = fp_lab_call(lab, input.data, input.length, &length);
    FUZZ_DEMAND(fp_json_parse((fp_string){answer, length}, arena, &value, &error) == FP_OK);
}
