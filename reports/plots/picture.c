/* SPDX-License-Identifier: GPL-3.0-or-later
 * Formats of pictures; escapes TikZ. */
#include "reports/plots/picture.h"

#include <string.h>

#include "reports/tables/table_formats.h"

const char *const fp_picture_names[FP_PICTURES + 1] = {"png", "svg", "pdf", "tikz", NULL};

#define BYTES(constant) \
    { constant, sizeof(constant) - 1 }

bool fp_picture_is_whole(fp_string content, int format) {
    static const fp_string BEGINS[FP_PICTURES] = {BYTES("\x89PNG\r\n\x1a\n"), BYTES("<?xml "), BYTES("%PDF-"),
                                                  BYTES("\\begin{tikzpicture}")},
                           ENDS[FP_PICTURES] = {BYTES("\0\0\0\0IEND\xae\x42\x60\x82"), BYTES("</svg>"), BYTES("%%EOF"),
                                                BYTES("\\end{tikzpicture}")};
    static const fp_string COMMENT = BYTES("\n%% gnuplot variables"); /* behind the end of a TikZ picture */
    fp_string whole = fp_string_trim(content, "\n");
    if (fp_string_ends(whole, COMMENT)) whole.length -= COMMENT.length;
    return fp_string_begins(whole, BEGINS[format]) && fp_string_ends(whole, ENDS[format]);
}

/* ---- Texts of TikZ: lines "\node[…] at (x,y) {text};", perhaps named before "at"; only the text is foreign ---- */

static void write_text(fp_string text, FILE *stream) {
    for (size_t i = 0; i < text.length; i++) {
        const char *special = fp_tex_special(text.data[i]);
        size_t sign = fp_tex_sign((fp_string){text.data + i, text.length - i}, stream);
        if (sign) i += sign - 1;
        else if (special) fputs(special, stream);
        else fputc(text.data[i], stream);
    }
}

static bool begins(fp_string line, const char *start) { return fp_string_begins(line, fp_string_of(start)); }

/* gnuplot writes axis numbers as $10$. */
static bool is_number(fp_string text) {
    if (text.length < 3 || text.data[0] != '$' || text.data[text.length - 1] != '$') return false;
    for (size_t i = 1; i + 1 < text.length; i++)
        if (!memchr("0123456789.-+", text.data[i], 13)) return false;
    return true;
}

/* XeTeX's driver has a stack of 128 colours. A picture sets hundreds, and LaTeX keeps each until the picture ends. Here
 * each replaces the previous one. */
static const char COLOURS[] =
    "\\ifdefined\\XeTeXversion\\makeatletter\n"
    "\\def\\fplabcolor#1{\\ifdefined\\fplabcolored\\let\\fplabset\\set@color\n"
    "  \\def\\set@color{\\special{color pop}\\special{color push \\current@color}}\\color{#1}\\let\\set@color\\fplabset\n"
    "  \\else\\let\\fplabcolored\\relax\\color{#1}\\fi}\n"
    "\\tikzset{global rgb color/.code={\\definecolor{.}{rgb}{#1}\\fplabcolor{.}},global color/.code={\\fplabcolor{#1}}}\n"
    "\\makeatother\\fi\n";

/* Start of a node's text; 0: the line is not a node. */
static size_t text_of(fp_string line) {
    static const char PLACE[] = " at (", TEXT[] = ") {";
    if (!begins(line, "\\node[") || line.data[line.length - 1] != ';' || line.data[line.length - 2] != '}') return 0;
    const char *place = memmem(line.data, line.length, PLACE, sizeof PLACE - 1);
    if (!place) return 0;
    const char *text = memmem(place, line.length - (size_t)(place - line.data), TEXT, sizeof TEXT - 1);
    return text ? (size_t)(text - line.data) + sizeof TEXT - 1 : 0;
}

void fp_tikz_write(fp_string content, FILE *stream) {
    bool dated = false;
    for (fp_string line; fp_next_line(&content, &line);) {
        if (begins(line, "\\node[fill={}")) continue; /* the box behind a label, which would be drawn in front of it */
        size_t text = text_of(line);
        bool date = !dated && begins(line, "%% ") && !begins(line, "%% generated");
        dated |= date;
        if (date) continue;
        fwrite(line.data, 1, text ? text : line.length, stream);
        fp_string node = {line.data + text, text ? line.length - text - 2 : 0};
        if (is_number(node)) fwrite(node.data, 1, node.length, stream);
        else if (text) write_text(node, stream);
        fputs(text ? "};\n" : "\n", stream);
        if (begins(line, "\\begin{tikzpicture}")) fputs(COLOURS, stream);
        if (begins(line, "\\end{tikzpicture}")) return; /* a comment follows */
    }
}
