/* SPDX-License-Identifier: GPL-3.0-or-later
 * The formats for papers and pages: numbers are rounded as for a person, and no text is taken for a sign of the format.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "reports/tables/formats/table_format.h"
#include "text/unicode/utf8.h"
#include "text/unicode/visible.h"

/* ---- Texts ---- */

/* Writes one character, of `bytes` bytes; `last` and `next` are the bytes beside it, 0 at the ends. */
typedef void (*put_character)(const char *at, size_t bytes, char last, char next, FILE *stream);

/* The next character of `rest` as it can be shown, and the bytes that it took. Returns the bytes in `shown`. */
static size_t show_next(fp_string rest, size_t *taken, char shown[FP_VISIBLE_MOST + 1]) {
    uint32_t code;
    *taken = 1;
    if (!fp_utf8_check((fp_string){rest.data, rest.length < 4 ? rest.length : 4}))
        return (size_t)snprintf(shown, FP_VISIBLE_MOST + 1, "\\x%02x", (unsigned)(unsigned char)*rest.data);
    *taken = fp_utf8_decode(rest.data, &code);
    return fp_visible_code(code, shown);
}

/* Control characters and broken bytes are made visible first: LaTeX stops at them. */
static void put_text(const char *text, put_character put, FILE *stream) {
    fp_string rest = fp_string_of(text);
    char last = '\0';
    while (rest.length) {
        char shown[FP_VISIBLE_MOST + 1];
        size_t taken, length = show_next(rest, &taken, shown);
        char next = taken < rest.length ? rest.data[taken] : '\0';
        bool replaced = *shown == '\\' && *rest.data != '\\';
        if (!replaced) put(shown, length, last, next, stream);
        for (size_t i = 0; replaced && i < length; i++) put(shown + i, 1, last, next, stream);
        last = shown[length - 1];
        rest = (fp_string){rest.data + taken, rest.length - taken};
    }
}

/* ---- Markdown ---- */

/* A backslash takes the meaning from any ASCII sign (CommonMark 0.31, section 2.4); an underscore inside a word has
 * none (section 6.2), and columns are called false_positives. */
static void put_markdown(const char *at, size_t bytes, char last, char next, FILE *stream) {
    bool inside = *at == '_' && isalnum((unsigned char)last) && isalnum((unsigned char)next);
    if (bytes == 1 && strchr("\\`*_{}[]<>&|~$", *at) && !inside) fputc('\\', stream);
    fwrite(at, 1, bytes, stream);
}

static void put_markdown_cell(const char *text, FILE *stream) {
    fputc(' ', stream);
    put_text(text, put_markdown, stream);
    fputs(" |", stream);
}

void fp_markdown_begin(const fp_table_shape *shape, FILE *stream) {
    fputc('|', stream);
    for (size_t c = 0; c < shape->count; c++) put_markdown_cell(shape->columns[c].name, stream);
    fputs("\n|", stream);
    for (size_t c = 0; c < shape->count; c++) fputs(shape->columns[c].right ? "---:|" : "---|", stream);
    fputc('\n', stream);
}

void fp_markdown_row(const fp_table_shape *shape, const fp_table_cell *cells, bool first, FILE *stream) {
    (void)first;
    fputc('|', stream);
    for (size_t c = 0; c < shape->count; c++) put_markdown_cell(cells[c].readable, stream);
    fputc('\n', stream);
}

/* ---- LaTeX ---- */

/* What a character is written as; one hyphen after the other would join to a dash, and a bracket or a star behind the
 * end of a row would belong to it. */
static const char *latex_of(const char *at, size_t bytes, char next) {
    static const struct {
        const char *character, *written;
    } SIGNS[] = {
        {"&", "\\&"},
        {"%", "\\%"},
        {"$", "\\$"},
        {"#", "\\#"},
        {"_", "\\_"},
        {"{", "\\{"},
        {"}", "\\}"},
        {"~", "\\textasciitilde{}"},
        {"^", "\\textasciicircum{}"},
        {"\\", "\\textbackslash{}"},
        {"<", "\\textless{}"},
        {">", "\\textgreater{}"},
        {"|", "\\textbar{}"},
        {"`", "\\textasciigrave{}"},
        {"\"", "{\\char34}"},
        {"[", "{[}"},
        {"*", "{*}"},
        {"–", "--"},
        {"—", "---"},
        {"…", "\\ldots{}"},
        {"−", "$-$"},
        {"∞", "$\\infty$"},
        {"≤", "$\\le$"},
        {"≥", "$\\ge$"},
        {"×", "$\\times$"},
        {"·", "$\\cdot$"},
        {"→", "$\\to$"},
    };
    if (*at == '-' && next == '-') return "-{}";
    for (size_t i = 0; i < sizeof SIGNS / sizeof *SIGNS; i++)
        if (strlen(SIGNS[i].character) == bytes && memcmp(SIGNS[i].character, at, bytes) == 0) return SIGNS[i].written;
    return NULL;
}

static void put_latex(const char *at, size_t bytes, char last, char next, FILE *stream) {
    const char *written = latex_of(at, bytes, next);
    (void)last;
    if (written) fputs(written, stream);
    else fwrite(at, 1, bytes, stream);
}

/* With a minus, and a power of ten where there is an exponent. */
static void put_latex_number(const char *text, FILE *stream) {
    const char *exponent = strpbrk(text, "e");
    double value;
    if (!fp_parse_real(text, &value)) { /* "<0.0001", an infinity */
        put_text(text, put_latex, stream);
        return;
    }
    if (*text == '-') fputs("$-$", stream), text++;
    if (!exponent) fputs(text, stream);
    else fprintf(stream, "$%.*s\\times 10^{%ld}$", (int)(exponent - text), text, strtol(exponent + 1, NULL, 10));
}

static void put_latex_cell(const fp_table_cell *cell, bool right, FILE *stream) {
    if ((right || cell->number) && strcmp(cell->readable, "NA") == 0) fputs("--", stream);
    else if (cell->number) put_latex_number(cell->readable, stream);
    else put_text(cell->readable, put_latex, stream);
}

void fp_latex_begin(const fp_table_shape *shape, FILE *stream) {
    fputs("% \\usepackage{booktabs}\n\\begin{tabular}{", stream);
    for (size_t c = 0; c < shape->count; c++) fputc(shape->columns[c].right ? 'r' : 'l', stream);
    fputs("}\n\\toprule\n", stream);
    for (size_t c = 0; c < shape->count; c++) {
        put_text(shape->columns[c].name, put_latex, stream);
        fputs(c + 1 < shape->count ? " & " : " \\\\\n\\midrule\n", stream);
    }
}

void fp_latex_row(const fp_table_shape *shape, const fp_table_cell *cells, bool first, FILE *stream) {
    (void)first;
    for (size_t c = 0; c < shape->count; c++) {
        put_latex_cell(cells + c, shape->columns[c].right, stream);
        fputs(c + 1 < shape->count ? " & " : " \\\\\n", stream);
    }
}

void fp_latex_end(bool rows, FILE *stream) {
    (void)rows;
    fputs("\\bottomrule\n\\end{tabular}\n", stream);
}
