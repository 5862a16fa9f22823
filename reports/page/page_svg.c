/* SPDX-License-Identifier: GPL-3.0-or-later
 * Embeds a picture in a page. */
#include "reports/page/page_form.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static bool is_at(const char *at, const char *end, const char *text) {
    size_t length = strlen(text);
    return (size_t)(end - at) >= length && memcmp(at, text, length) == 0;
}

/* The position after the next `text`; `end`: none. */
static const char *behind(const char *at, const char *end, const char *text) {
    const char *found = memmem(at, (size_t)(end - at), text, strlen(text));
    return found ? found + strlen(text) : end;
}

/* "id='a'" → "id='p3-a'", also for href='#a' and url(#a). Returns the position after it; `at`: no reference. */
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
    char open = '\0'; /* quotation mark of the open value */
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
            else if (at + 1 == end || !isspace((unsigned char)at[1])) fputc(' ', to); /* one blank for several */
            at++;
        }
    }
    if (root) fprintf(to, " role=\"img\" aria-labelledby=\"caption%zu\"", number);
    return at;
}

/* The position after an empty group of gnuplot; `at`: no such group. */
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

/* ---- Check of pictures: they are embedded as they are, and a run may come from anybody. Lists what is allowed,
 * because no list of dangers is complete ---- */

static bool is_element(fp_string name) {
    static const char *const KNOWN[] = {"svg",     "g",        "path",    "text",   "tspan",         "use",
                                        "title",   "desc",     "defs",    "rect",   "circle",        "ellipse",
                                        "line",    "polyline", "polygon", "filter", "feFlood",       "feComposite",
                                        "pattern", "clipPath", "stop",    "mask",   "linearGradient"};
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        if (fp_string_equal(name, fp_string_of(KNOWN[i]))) return true;
    return false;
}

/* Rejects attributes that begin with "on", which are scripts, and references outside the picture. */
static bool is_attribute(fp_string name, fp_string value) {
    bool refers = name.length >= 4 && strncasecmp(name.data + name.length - 4, "href", 4) == 0;
    if (name.length == 0 || (name.length >= 2 && strncasecmp(name.data, "on", 2) == 0)) return false;
    for (size_t i = 0; i < name.length; i++)
        if (!isalnum((unsigned char)name.data[i]) && name.data[i] != '-' && name.data[i] != ':') return false;
    for (size_t i = 0; i + 4 <= value.length; i++)
        if (strncasecmp(value.data + i, "url(", 4) == 0 && (i + 4 == value.length || value.data[i + 4] != '#'))
            return false;
    return !memchr(value.data, '<', value.length) && (!refers || (value.length && *value.data == '#'));
}

static void skip_space(fp_string *rest) {
    while (rest->length && isspace((unsigned char)*rest->data)) rest->data++, rest->length--;
}

/* Takes the bytes before the next one of `signs`. */
static fp_string take_until(fp_string *rest, const char *signs) {
    size_t length = 0;
    while (length < rest->length && (!rest->data[length] || !strchr(signs, rest->data[length]))) length++;
    fp_string taken = {rest->data, length};
    *rest = (fp_string){rest->data + length, rest->length - length};
    return taken;
}

static bool take_sign(fp_string *rest, char sign) {
    if (!rest->length || *rest->data != sign) return false;
    rest->data++, rest->length--;
    return true;
}

/* name="value" or name='value'. */
static bool take_attribute(fp_string *rest) {
    fp_string name = take_until(rest, "= \t\r\n/><\"'");
    skip_space(rest);
    if (!take_sign(rest, '=')) return false;
    skip_space(rest);
    const char quote[] = {rest->length ? *rest->data : '\0', '\0'};
    if (*quote != '"' && *quote != '\'') return false;
    take_sign(rest, *quote);
    fp_string value = take_until(rest, quote);
    return take_sign(rest, *quote) && is_attribute(name, value);
}

/* Called after a '<'. */
static bool take_element(fp_string *rest) {
    bool closes = take_sign(rest, '/');
    if (!is_element(take_until(rest, " \t\r\n/><\"'="))) return false;
    for (skip_space(rest); !closes && rest->length && !strchr("/>", *rest->data); skip_space(rest))
        if (!take_attribute(rest)) return false;
    take_sign(rest, '/');
    return take_sign(rest, '>');
}

bool fp_page_svg_is_harmless(fp_string svg) {
    static const char HEAD[] = "<?xml ";
    if (!fp_string_ends(fp_string_trim(svg, " \t\r\n"), fp_string_of("</svg>"))) return false;
    skip_space(&svg);
    if (svg.length >= sizeof HEAD - 1 && memcmp(svg.data, HEAD, sizeof HEAD - 1) == 0) {
        svg = (fp_string){svg.data + 1, svg.length - 1};
        take_until(&svg, "<>");
        if (!take_sign(&svg, '>')) return false;
    }
    while (take_until(&svg, "<"), take_sign(&svg, '<'))
        if (!take_element(&svg)) return false;
    return true;
}
