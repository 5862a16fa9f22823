/* SPDX-License-Identifier: GPL-3.0-or-later
 * Beginnings and ends of PNG, SVG, PDF and TikZ. */
#include "reports/plots/picture.h"

#include <string.h>

const char *const fp_picture_names[FP_PICTURES + 1] = {"png", "svg", "pdf", "tikz", NULL};

static bool begins(fp_string content, const char *bytes, size_t length) {
    return content.length >= length && memcmp(content.data, bytes, length) == 0;
}

static bool ends(fp_string content, const char *bytes, size_t length) {
    return content.length >= length && memcmp(content.data + content.length - length, bytes, length) == 0;
}

static bool holds(fp_string content, const char *text) {
    return memmem(content.data, content.length, text, strlen(text)) != NULL;
}

static fp_string without_blanks_at_the_end(fp_string content) {
    while (content.length && strchr(" \t\r\n", content.data[content.length - 1])) content.length--;
    return content;
}

static uint32_t big_endian(const char *bytes) {
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) value = value << 8 | (unsigned char)bytes[i];
    return value;
}

/* Signature, length 13 of the IHDR, its name, width, height. */
static const char *png_lacks(fp_string content) {
    static const char BEGIN[] = "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", END[] = "\0\0\0\0IEND\xae\x42\x60\x82";
    if (!begins(content, BEGIN, sizeof BEGIN - 1) || content.length < 33) return "does not begin like a PNG";
    if (!big_endian(content.data + 16) || !big_endian(content.data + 20)) return "has no size";
    if (!holds(content, "IDAT")) return "holds nothing";
    return ends(content, END, sizeof END - 1) ? NULL : "has no end";
}

static const char *svg_lacks(fp_string content) {
    static const char END[] = "</svg>";
    if (!begins(content, "<?xml", 5) && !begins(content, "<svg", 4)) return "does not begin like an SVG";
    if (!holds(content, "<svg")) return "has no root";
    if (!holds(content, "<path") && !holds(content, "<text")) return "holds nothing";
    return ends(without_blanks_at_the_end(content), END, sizeof END - 1) ? NULL : "has no end";
}

static const char *pdf_lacks(fp_string content) {
    static const char END[] = "%%EOF";
    if (!begins(content, "%PDF-", 5)) return "does not begin like a PDF";
    if (!holds(content, "/Page")) return "has no page";
    return ends(without_blanks_at_the_end(content), END, sizeof END - 1) ? NULL : "has no end";
}

static const char *tikz_lacks(fp_string content) {
    static const char BEGIN[] = "\\begin{tikzpicture}", END[] = "\\end{tikzpicture}";
    if (!begins(content, BEGIN, sizeof BEGIN - 1)) return "does not begin like a tikzpicture";
    if (!holds(content, "\\node") && !holds(content, "\\draw")) return "holds nothing";
    return ends(without_blanks_at_the_end(content), END, sizeof END - 1) ? NULL : "has no end";
}

const char *fp_picture_lacks(fp_string content, int format) {
    static const char *(*const LACKS[FP_PICTURES])(fp_string content) = {png_lacks, svg_lacks, pdf_lacks, tikz_lacks};
    return content.length ? LACKS[format](content) : "is empty";
}
