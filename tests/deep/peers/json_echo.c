/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads texts that end with NUL from standard input. For each that is JSON writes '=', the value as the writer writes
 * it, and NUL; for another '!', the byte of the error, and NUL. A number beyond a double is written as "range".
 * tests/deep/peers/test_json.py compares with another reader.
 */
#include <stdlib.h>

#include "corpora/json.h"
#include "corpora/json_writer.h"

static char *copy_of(fp_string text, fp_arena *arena) { return fp_string_copy(arena, text); }

/* Names with NUL inside are beyond the writer, which takes them ended by one: test_json.py makes none. */
static void write_value(fp_json_writer *to, const fp_json *value, fp_arena *arena) {
    const char *name = value->name.data ? copy_of(value->name, arena) : NULL;
    double number;
    switch (value->type) {
    case FP_JSON_STRING: fp_json_put_string(to, name, value->text); return;
    case FP_JSON_NUMBER:
        if (fp_json_real(value, "number", &number, NULL) == FP_OK) fp_json_put_real(to, name, number);
        else fp_json_put_text(to, name, "range");
        return;
    case FP_JSON_NULL:
    case FP_JSON_BOOLEAN: fp_json_put_written(to, name, copy_of(value->text, arena)); return;
    case FP_JSON_ARRAY: fp_json_begin_array(to, name); break;
    case FP_JSON_OBJECT: fp_json_begin_object(to, name); break;
    }
    for (const fp_json *at = value->first; at; at = at->next) write_value(to, at, arena);
    if (value->type == FP_JSON_ARRAY) fp_json_end_array(to);
    else fp_json_end_object(to);
}

int main(void) {
    char *text = NULL;
    size_t room = 0;
    ssize_t length;
    while ((length = getdelim(&text, &room, '\0', stdin)) > 0) {
        fp_arena *arena = fp_arena_new();
        const fp_json *value;
        fp_error error = {0};
        if (fp_json_parse((fp_string){text, (size_t)length - 1}, arena, &value, &error) == FP_OK) {
            fp_json_writer to = fp_json_to(stdout, 0);
            putchar('=');
            write_value(&to, value, arena);
        } else {
            printf("!%zu", error.byte);
        }
        putchar('\0');
        fp_arena_free(arena);
    }
    free(text);
    return fflush(stdout) == 0 ? 0 : 1;
}
