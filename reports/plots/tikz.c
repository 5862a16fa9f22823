/* SPDX-License-Identifier: GPL-3.0-or-later
 * Texts in a picture for TeX. A node is a line "\node[…] at (x,y) {text};", of which only the text comes from outside.
 */
#include "reports/plots/tikz.h"

#include <string.h>

/* The ten characters that TeX and LaTeX obey (The TeXbook, chapter 7). */
static void write_text(fp_string text, FILE *stream) {
    for (size_t i = 0; i < text.length; i++) {
        char byte = text.data[i];
        if (byte == '\\') fputs("\\textbackslash{}", stream);
        else if (byte == '~') fputs("\\textasciitilde{}", stream);
        else if (byte == '^') fputs("\\textasciicircum{}", stream);
        else if (memchr("{}$&#%_", byte, 7)) fprintf(stream, "\\%c", byte);
        else fputc(byte, stream);
    }
}

static bool begins(fp_string line, const char *start) {
    return line.length >= strlen(start) && memcmp(line.data, start, strlen(start)) == 0;
}

/* Where the text of a node begins; 0: the line is none. */
static size_t text_of(fp_string line) {
    static const char PLACE[] = "] at (", TEXT[] = ") {";
    if (!begins(line, "\\node[") || line.data[line.length - 1] != ';' || line.data[line.length - 2] != '}') return 0;
    const char *place = memmem(line.data, line.length, PLACE, sizeof PLACE - 1);
    if (!place) return 0;
    const char *text = memmem(place, line.length - (size_t)(place - line.data), TEXT, sizeof TEXT - 1);
    return text ? (size_t)(text - line.data) + sizeof TEXT - 1 : 0;
}

void fp_tikz_write(fp_string content, FILE *stream) {
    bool dated = false;
    for (fp_string line; fp_next_line(&content, &line);) {
        size_t text = text_of(line);
        bool date = !dated && begins(line, "%% ") && !begins(line, "%% generated");
        dated |= date;
        if (date) continue;
        fwrite(line.data, 1, text ? text : line.length, stream);
        if (text) write_text((fp_string){line.data + text, line.length - text - 2}, stream);
        fputs(text ? "};\n" : "\n", stream);
        if (begins(line, "\\end{tikzpicture}")) return; /* a remark follows */
    }
}
