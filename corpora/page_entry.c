/* SPDX-License-Identifier: GPL-3.0-or-later
 * HTML pages as entries. */
#include "corpora/page_entry.h"

#include <string.h>

#include "corpora/row.h"
#include "text/unicode/utf8.h"

/* ,"NAME":"VALUE" at `to`; returns the end. */
static char *put_member(char *to, const char *name, fp_string value) {
    to += sprintf(to, "%c\"%s\":\"", strcmp(name, "id") == 0 ? '{' : ',', name);
    for (size_t i = 0; i < value.length; i++) {
        unsigned char byte = (unsigned char)value.data[i];
        if (byte == '"' || byte == '\\') *to++ = '\\', *to++ = (char)byte;
        else if (byte == '\n') *to++ = '\\', *to++ = 'n';
        else if (byte < ' ') to += sprintf(to, "\\u%04x", byte);
        else *to++ = (char)byte;
    }
    *to++ = '"';
    return to;
}

static bool make_line(fp_entry *entry, fp_arena *arena) {
    enum { NAMES = 64, LONGEST_ESCAPE = 6 };
    size_t longest = NAMES + LONGEST_ESCAPE * (entry->id.length + entry->title.length + entry->text.length);
    char *line = fp_arena_raw(arena, longest, 1), *end = line;
    if (!line) return false;
    end = put_member(end, "id", entry->id);
    if (entry->title.length) end = put_member(end, "title", entry->title);
    end = put_member(end, "text", entry->text);
    *end++ = '}';
    entry->line = (fp_string){line, (size_t)(end - line)};
    return true;
}

static fp_status take_id(const char *prefix, const char *name, fp_arena *arena, fp_entry *entry, fp_error *error) {
    const char *id = fp_format(arena, "%s%s", prefix, name);
    if (!id) return fp_no_memory(error);
    entry->id = fp_string_of(id);
    if (fp_utf8_check(entry->id) < entry->id.length)
        return fp_fail(error, FP_ERROR_ENCODING, "the name of the file, which is its id, is not UTF-8");
    return fp_corpus_id_check(entry->id, error);
}

static fp_status read_page(const char *path, fp_html_keep keep, size_t most, fp_arena *arena, fp_entry *entry,
                           fp_error *error) {
    fp_string raw;
    fp_html_page page;
    if (most > FP_HTML_MOST_BYTES) most = FP_HTML_MOST_BYTES;
    FP_TRY(fp_read_file_within(path, most, arena, &raw, error));
    FP_TRY(fp_html_read(raw, keep, arena, &page, error));
    entry->title = page.title;
    entry->text = page.text;
    entry->characters = fp_utf8_count(page.text);
    entry->time = FP_TIME_NONE;
    return make_line(entry, arena) ? FP_OK : fp_no_memory(error);
}

fp_status fp_page_entry_read(const char *path, const char *prefix, const char *name, fp_html_keep keep, size_t most,
                             fp_arena *arena, fp_entry *entry, fp_error *error) {
    fp_status status = take_id(prefix, name, arena, entry, error);
    if (status == FP_OK) status = read_page(path, keep, most, arena, entry, error);
    return status == FP_OK || status == FP_ERROR_MEMORY ? status : fp_at(error, status, path, SIZE_MAX, SIZE_MAX);
}
