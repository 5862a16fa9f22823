/* SPDX-License-Identifier: GPL-3.0-or-later
 * Texts in a picture for TeX. A node is a line "\node[…] at (x,y) {text};", perhaps with a name in front of "at", of
 * which only the text comes from outside.
 */
#include "reports/plots/tikz.h"

#include <string.h>

size_t fp_tex_sign(fp_string text, FILE *stream) {
    static const struct {
        const char *sign, *as;
    } KNOWN[] = {{"π", "$\\pi$"},   {"β", "$\\beta$"}, {"₊", "$_+$"},   {"₋", "$_-$"}, {"Σ", "$\\Sigma$"},
                 {"√", "$\\surd$"}, {"≤", "$\\le$"},   {"≥", "$\\ge$"}, {"−", "$-$"},  {"⁻", "$^-$"},
                 {"⁰", "$^0$"},     {"¹", "$^1$"},     {"²", "$^2$"},   {"³", "$^3$"}, {"⁴", "$^4$"},
                 {"⁵", "$^5$"},     {"⁶", "$^6$"},     {"⁷", "$^7$"},   {"⁸", "$^8$"}, {"⁹", "$^9$"}};
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        size_t length = strlen(KNOWN[i].sign);
        if (text.length < length || memcmp(text.data, KNOWN[i].sign, length) != 0) continue;
        fputs(KNOWN[i].as, stream);
        return length;
    }
    return 0;
}

/* The ten characters that TeX and LaTeX obey (The TeXbook, chapter 7). */
static void write_text(fp_string text, FILE *stream) {
    for (size_t i = 0; i < text.length; i++) {
        char byte = text.data[i];
        size_t sign = fp_tex_sign((fp_string){text.data + i, text.length - i}, stream);
        if (sign) i += sign - 1;
        else if (byte == '\\') fputs("\\textbackslash{}", stream);
        else if (byte == '~') fputs("\\textasciitilde{}", stream);
        else if (byte == '^') fputs("\\textasciicircum{}", stream);
        else if (memchr("{}$&#%_", byte, 7)) fprintf(stream, "\\%c", byte);
        else fputc(byte, stream);
    }
}

static bool begins(fp_string line, const char *start) {
    return line.length >= strlen(start) && memcmp(line.data, start, strlen(start)) == 0;
}

/* gnuplot itself writes the numbers of an axis as $10$. */
static bool is_number(fp_string text) {
    if (text.length < 3 || text.data[0] != '$' || text.data[text.length - 1] != '$') return false;
    for (size_t i = 1; i + 1 < text.length; i++)
        if (!memchr("0123456789.-+", text.data[i], 13)) return false;
    return true;
}

/* XeTeX's driver keeps 128 colours on its stack, and a picture sets hundreds, each of which LaTeX leaves there until
 * the picture ends: each takes the place of the one before. */
static const char COLOURS[] =
    "\\ifdefined\\XeTeXversion\\makeatletter\n"
    "\\def\\fplabcolor#1{\\ifdefined\\fplabcolored\\let\\fplabset\\set@color\n"
    "  \\def\\set@color{\\special{color pop}\\special{color push \\current@color}}\\color{#1}\\let\\set@color\\fplabset\n"
    "  \\else\\let\\fplabcolored\\relax\\color{#1}\\fi}\n"
    "\\tikzset{global rgb color/.code={\\definecolor{.}{rgb}{#1}\\fplabcolor{.}},global color/.code={\\fplabcolor{#1}}}\n"
    "\\makeatother\\fi\n";

/* Where the text of a node begins; 0: the line is none. */
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
        if (begins(line, "\\node[fill={}")) continue; /* the box behind a label, which would stand before it */
        size_t text = text_of(line);
        bool date = !dated && begins(line, "%% ") && !begins(line, "%% generated");
        dated |= date;
        if (date) continue;
        fwrite(line.data, 1, text ? text : line.length, stream);
        fp_string said = {line.data + text, text ? line.length - text - 2 : 0};
        if (is_number(said)) fwrite(said.data, 1, said.length, stream);
        else if (text) write_text(said, stream);
        fputs(text ? "};\n" : "\n", stream);
        if (begins(line, "\\begin{tikzpicture}")) fputs(COLOURS, stream);
        if (begins(line, "\\end{tikzpicture}")) return; /* a remark follows */
    }
}
