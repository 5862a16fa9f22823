/* SPDX-License-Identifier: GPL-3.0-or-later
 * A picture within a page. */
#include "reports/page/page_svg.h"

#include <ctype.h>
#include <string.h>

static bool is_at(const char *at, const char *end, const char *text) {
    size_t length = strlen(text);
    return (size_t)(end - at) >= length && memcmp(at, text, length) == 0;
}

/* Behind the next `text`; `end` when there is none. */
static const char *behind(const char *at, const char *end, const char *text) {
    const char *found = memmem(at, (size_t)(end - at), text, strlen(text));
    return found ? found + strlen(text) : end;
}

/* "id='a'" → "id='p3-a'", and the same of href='#a' and url(#a). Returns behind what was read; `at` itself when it is
 * none of them. */
static const char *write_reference(FILE *to, const char *at, const char *end, size_t number) {
    static const char *const STARTS[] = {" id=\"",         " id='",           " href='#", " href=\"#",
                                         " xlink:href='#", " xlink:href=\"#", "url(#",    NULL};
    for (size_t i = 0; STARTS[i]; i++) {
        if (!is_at(at, end, STARTS[i])) continue;
        fprintf(to, "%sp%zu-", STARTS[i], number);
        return at + strlen(STARTS[i]);
    }
    return at;
}

static const char *write_tag(FILE *to, const char *at, const char *end, size_t number) {
    bool root = is_at(at, end, "<svg");
    char open = '\0'; /* the quotation mark of the value */
    while (at < end && (*at != '>' || open)) {
        const char *next = open ? at : write_reference(to, at, end, number);
        if (next != at) {
            open = next[-1] == '#' ? next[-2] : next[-1];
            if (open == '(') open = '\0';
            at = next;
        } else if (!open && is_at(at, end, " font-family=\"")) {
            fputs(" font-family=\"sans-serif\"", to);
            at = behind(behind(at, end, "\""), end, "\"");
        } else if (!open && root && (is_at(at, end, " width=\"") || is_at(at, end, " height=\""))) {
            at = behind(behind(at, end, "\""), end, "\"");
        } else {
            next = open && *at == 'u' ? write_reference(to, at, end, number) : at; /* filter="url(#a)" */
            if (next != at) {
                at = next;
                continue;
            }
            if (*at == open) open = '\0';
            else if (!open && (*at == '"' || *at == '\'')) open = *at;
            if (!isspace((unsigned char)*at)) fputc(*at, to);
            else if (at + 1 == end || !isspace((unsigned char)at[1])) fputc(' ', to); /* of several blanks one */
            at++;
        }
    }
    if (root) fprintf(to, " role=\"img\" aria-labelledby=\"caption%zu\"", number);
    return at;
}

/* Behind a group that gnuplot opened for what it then did not draw; `at` itself where there is none. */
static const char *skip_empty(const char *at, const char *end) {
    if (!is_at(at, end, "<g fill=\"none\"")) return at;
    const char *inside = behind(at, end, ">");
    while (inside < end && isspace((unsigned char)*inside)) inside++;
    return is_at(inside, end, "</g>") ? inside + strlen("</g>") : at;
}

void fp_page_svg_write(FILE *to, fp_string svg, size_t number) {
    const char *end = svg.data + svg.length, *at = memmem(svg.data, svg.length, "<svg", 4);
    while (at && at < end) {
        const char *next = skip_empty(at, end);
        if (next != at) at = next;
        else if (is_at(at, end, "<title>")) at = behind(at, end, "</title>");
        else if (is_at(at, end, "<desc>Produced by GNUPLOT")) at = behind(at, end, "</desc>");
        else if (*at == '<') at = write_tag(to, at, end, number);
        else if (*at == '\t' || (*at == '\n' && at + 1 < end && isspace((unsigned char)at[1]))) at++;
        else fputc(*at++, to);
    }
}
