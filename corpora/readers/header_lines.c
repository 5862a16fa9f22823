/* SPDX-License-Identifier: GPL-3.0-or-later
 * Header lines. */
#include "corpora/readers/header_lines.h"

#include <string.h>
#include <strings.h>

bool fp_header_open(fp_string text, fp_header_lines *header) {
    const char *at = text.data, *end = at + text.length;
    *header = (fp_header_lines){.first = {"", 0}};
    for (const char *line = at, *feed; line < end && (feed = memchr(line, '\n', (size_t)(end - line)));
         line = feed + 1) {
        size_t length = (size_t)(feed - line) - (feed > line && feed[-1] == '\r');
        if (line == at) header->first = (fp_string){line, length};
        else if (length == 0) {
            header->behind = feed + 1;
            return true;
        }
        if (line == at) header->lines.data = feed + 1;
        else header->lines.length = (size_t)(feed + 1 - header->lines.data);
    }
    return false;
}

static fp_string trimmed(fp_string text) {
    while (text.length && (*text.data == ' ' || *text.data == '\t')) text.data++, text.length--;
    while (text.length && strchr(" \t\r", text.data[text.length - 1])) text.length--;
    return text;
}

bool fp_header_find(const fp_header_lines *header, const char *name, fp_string *value) {
    fp_string rest = header->lines, line;
    size_t length = strlen(name);
    *value = (fp_string){"", 0};
    while (rest.length && fp_next_line(&rest, &line)) {
        if (line.length <= length || line.data[length] != ':' || strncasecmp(line.data, name, length) != 0) continue;
        *value = trimmed((fp_string){line.data + length + 1, line.length - length - 1});
        return true;
    }
    return false;
}

bool fp_header_number(fp_string value, uint64_t *number) {
    *number = 0;
    for (size_t i = 0; i < value.length; i++) {
        unsigned digit = (unsigned)(value.data[i] - '0');
        if (digit > 9 || *number > (UINT64_MAX - digit) / 10) return false;
        *number = 10 * *number + digit;
    }
    return value.length > 0;
}
