/* SPDX-License-Identifier: GPL-3.0-or-later
 * Texts of pictures. */
#include "reports/plots/plot_text.h"

#include <inttypes.h>
#include <string.h>

#include "text/unicode/utf8.h"

/* Three bytes of UTF-8: what is no character, or turns the direction of the rest of a title. */
static bool cannot_stand(const unsigned char *at) {
    unsigned code = (at[0] & 15u) << 12 | (at[1] & 63u) << 6 | (at[2] & 63u);
    if ((at[0] & 0xf0) != 0xe0) return false;
    return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code >= 0xfffe;
}

fp_string fp_plot_text(fp_string field, fp_arena *arena) {
    static const char replacement[] = "\xef\xbf\xbd";
    if (field.length > SIZE_MAX / 3 - 1) return (fp_string){NULL, 0};
    char *text = fp_arena_raw(arena, field.length * 3 + 1, 1);
    if (!text) return (fp_string){NULL, 0};
    size_t used = 0, valid = fp_utf8_check(field);
    for (size_t i = 0; i < field.length; i++) {
        if (i == valid) {
            memcpy(text + used, replacement, 3);
            used += 3;
            valid = i + 1 + fp_utf8_check((fp_string){field.data + i + 1, field.length - i - 1});
            continue;
        }
        if (i + 3 <= valid && cannot_stand((const unsigned char *)field.data + i)) {
            memcpy(text + used, replacement, 3);
            used += 3, i += 2;
            continue;
        }
        unsigned char byte = (unsigned char)field.data[i];
        text[used++] = byte < ' ' || byte == 0x7f ? ' ' : field.data[i];
    }
    text[used] = '\0';
    return (fp_string){text, used};
}

/* Within '…' gnuplot takes all as it stands, but two apostrophes in a row confuse it; within "…" it obeys \ and `. */
char *fp_plot_quote(fp_string text, fp_arena *arena) {
    if (text.length > SIZE_MAX / 4 - 3) return NULL;
    char *made = fp_arena_raw(arena, text.length * 4 + 3, 1);
    if (!made) return NULL;
    char quote = text.length && memchr(text.data, '\'', text.length) ? '"' : '\'';
    size_t used = 0;
    made[used++] = quote;
    for (size_t i = 0; i < text.length; i++) {
        char byte = text.data[i];
        if (quote == '"' && (byte == '"' || byte == '\\' || byte == '`'))
            used += (size_t)sprintf(made + used, "\\%03o", (unsigned)byte);
        else made[used++] = byte;
    }
    made[used++] = quote;
    made[used] = '\0';
    return made;
}

/* "]]>" comes apart. */
static fp_string join(fp_string text, fp_arena *arena) {
    static const char END[] = "]]>", JOINED[] = "]]\xe2\x81\xa0>";
    char *made = text.data ? fp_arena_raw(arena, text.length * 2 + 1, 1) : NULL;
    size_t used = 0;
    for (size_t i = 0; made && i < text.length;) {
        bool end = text.length - i >= 3 && memcmp(text.data + i, END, 3) == 0;
        size_t taken = end ? sizeof JOINED - 1 : 1;
        memcpy(made + used, end ? JOINED : text.data + i, taken);
        used += taken;
        i += end ? 3 : 1;
    }
    return (fp_string){made, used};
}

char *fp_plot_quote_field(fp_string field, fp_arena *arena) {
    fp_string text = join(fp_plot_text(field, arena), arena);
    return text.data ? fp_plot_quote(text, arena) : NULL;
}

fp_status fp_plot_write_texts(FILE *stream, const char *name, const fp_string *fields, size_t count, size_t stride,
                              fp_arena *arena, fp_error *error) {
    if (count) fprintf(stream, "array %s[%zu] = [ \\\n", name, count);
    else fprintf(stream, "array %s[1] = ['']\n", name);
    for (size_t i = 0; i < count; i++) {
        const fp_string *field = (const void *)((const char *)fields + i * stride);
        const char *label = fp_plot_quote_field(*field, arena);
        if (!label) return fp_no_memory(error);
        fprintf(stream, "    %s%s \\\n", label, i + 1 < count ? "," : "");
    }
    if (count) fprintf(stream, "]\n");
    return FP_OK;
}

void fp_plot_write_counts(FILE *stream, const char *name, const uint64_t *counts, size_t count, size_t stride) {
    fprintf(stream, "array %s[%zu] = [", name, count);
    for (size_t i = 0; i < count; i++) {
        const uint64_t *at = (const void *)((const char *)counts + i * stride);
        fprintf(stream, "%s%" PRIu64 ".", i == 0 ? "" : i % 16 ? ", " : ", \\\n    ", *at);
    }
    fprintf(stream, "]\n");
}
