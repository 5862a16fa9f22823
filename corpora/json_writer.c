/* SPDX-License-Identifier: GPL-3.0-or-later
 * Writing JSON. */
#include "corpora/json_writer.h"

#include <math.h>
#include <string.h>

#include "text/unicode/utf8.h"

fp_json_writer fp_json_to(FILE *stream, size_t depth) { return (fp_json_writer){.stream = stream, .depth = depth}; }

/* ---- Strings ---- */

/* NULL if the byte needs no escape. */
static const char *escape_of(unsigned char byte, char code[7]) {
    static const char SIGNS[] = "\"\\\b\f\n\r\t";
    static const char *const ESCAPES[] = {"\\\"", "\\\\", "\\b", "\\f", "\\n", "\\r", "\\t"};
    const char *found = byte ? strchr(SIGNS, byte) : NULL;
    if (found) return ESCAPES[found - SIGNS];
    if (byte >= 0x20) return NULL;
    snprintf(code, 7, "\\u%04x", (unsigned)byte);
    return code;
}

/* `text` is valid UTF-8. */
static void write_valid(FILE *stream, fp_string text) {
    size_t from = 0;
    char code[7];
    for (size_t i = 0; i < text.length; i++) {
        const char *escape = escape_of((unsigned char)text.data[i], code);
        if (!escape) continue;
        fwrite(text.data + from, 1, i - from, stream);
        fputs(escape, stream);
        from = i + 1;
    }
    fwrite(text.data + from, 1, text.length - from, stream);
}

static void write_string(FILE *stream, fp_string text) {
    fputc('"', stream);
    while (text.length) {
        size_t valid = fp_utf8_check(text);
        write_valid(stream, (fp_string){text.data, valid});
        if (valid < text.length) fputs("\xef\xbf\xbd", stream);
        size_t taken = valid < text.length ? valid + 1 : valid;
        text = (fp_string){text.data + taken, text.length - taken};
    }
    fputc('"', stream);
}

/* ---- Layout ---- */

static void new_line(const fp_json_writer *to) {
    if (to->compact) return;
    fputc('\n', to->stream);
    for (size_t i = 0; i < to->depth; i++) fputs("  ", to->stream);
}

/* Writes the comma, line break and name before a value. */
static void begin_value(fp_json_writer *to, const char *name) {
    if (to->filled) fputc(',', to->stream);
    if (to->inside) new_line(to);
    to->filled = true;
    if (!name) return;
    write_string(to->stream, fp_string_of(name));
    fputc(':', to->stream);
}

static void begin_inner(fp_json_writer *to, const char *name, char bracket) {
    begin_value(to, name);
    fputc(bracket, to->stream);
    to->depth++;
    to->inside++;
    to->filled = false;
}

static void end_inner(fp_json_writer *to, char bracket) {
    to->depth--;
    to->inside--;
    new_line(to);
    fputc(bracket, to->stream);
    to->filled = true;
}

void fp_json_begin_object(fp_json_writer *to, const char *name) { begin_inner(to, name, '{'); }
void fp_json_end_object(fp_json_writer *to) { end_inner(to, '}'); }
void fp_json_begin_array(fp_json_writer *to, const char *name) { begin_inner(to, name, '['); }
void fp_json_end_array(fp_json_writer *to) { end_inner(to, ']'); }

/* ---- Values ---- */

void fp_json_put_string(fp_json_writer *to, const char *name, fp_string text) {
    begin_value(to, name);
    write_string(to->stream, text);
}

void fp_json_put_text(fp_json_writer *to, const char *name, const char *text) {
    if (!text) to->failed = true;
    fp_json_put_string(to, name, fp_string_of(text ? text : ""));
}

void fp_json_put_written(fp_json_writer *to, const char *name, const char *value) {
    if (!value) to->failed = true;
    begin_value(to, name);
    fputs(value ? value : "null", to->stream);
}

void fp_json_put_bool(fp_json_writer *to, const char *name, bool value) {
    fp_json_put_written(to, name, value ? "true" : "false");
}

void fp_json_put_null(fp_json_writer *to, const char *name) { fp_json_put_written(to, name, "null"); }

void fp_json_put_count(fp_json_writer *to, const char *name, uint64_t value) {
    char digits[24];
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    fp_json_put_written(to, name, digits);
}

void fp_json_put_real(fp_json_writer *to, const char *name, double value) {
    char digits[FP_REAL_TEXT];
    fp_real_text(value, digits);
    fp_json_put_written(to, name, isfinite(value) ? digits : "null");
}

fp_status fp_json_done(const fp_json_writer *from, fp_error *error) {
    return from->failed ? fp_no_memory(error) : FP_OK;
}
