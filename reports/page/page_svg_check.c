/* SPDX-License-Identifier: GPL-3.0-or-later
 * Whether a picture holds what gnuplot writes and nothing else: it stands in the page as it is, and a run may come from
 * anybody. A list of what is allowed, since of what is not none is complete. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "reports/page/page_svg.h"

static bool is_element(fp_string name) {
    static const char *const KNOWN[] = {"svg",     "g",        "path",    "text",   "tspan",         "use",
                                        "title",   "desc",     "defs",    "rect",   "circle",        "ellipse",
                                        "line",    "polyline", "polygon", "filter", "feFlood",       "feComposite",
                                        "pattern", "clipPath", "stop",    "mask",   "linearGradient"};
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        if (fp_string_equal(name, fp_string_of(KNOWN[i]))) return true;
    return false;
}

/* Attributes that begin with "on" are scripts; what is referred to is in the picture itself. */
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

/* The bytes up to one of `signs`, which is left. */
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

/* Behind a '<'. */
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
