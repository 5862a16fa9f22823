/* SPDX-License-Identifier: GPL-3.0-or-later
 * The formats for programs, and the list of all formats. */
#include "reports/tables/table_formats.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "corpora/json_writer.h"
#include "text/unicode/utf8.h"
#include "text/unicode/visible.h"

/* In quotation marks; inner ones are doubled (RFC 4180, section 2). */
static void put_quoted(const char *before, const char *text, FILE *stream) {
    fprintf(stream, "\"%s", before);
    for (; *text; text++) {
        if (*text == '"') fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

/* ---- Keys ---- */

typedef char key[128];

/* The column name for programs: without spaces. */
static const char *key_of(const fp_table_column *column, key to) {
    snprintf(to, sizeof(key), "%s", column->name);
    for (char *blank = to; (blank = strchr(blank, ' '));) *blank = '_';
    return to;
}

/* ---- TSV ---- */

/* Quoted, because many readers take a leading quotation mark as the start of a quoted field that spans tabs and line
 * ends. */
static void put_tsv_field(const char *text, FILE *stream) {
    if (*text == '"') put_quoted("", text, stream);
    else fputs(text, stream);
}

/* ---- CSV, and fields of both ---- */

/* The space before a formula is part of the field. */
static void put_csv_field(const char *text, bool number, FILE *stream) {
    double value;
    bool formula = !number && fp_begins_formula(fp_string_of(text)) && !fp_parse_real(text, &value);
    const char *before = formula ? " " : "";
    if (strpbrk(text, "\",\r\n")) put_quoted(before, text, stream);
    else fprintf(stream, "%s%s", before, text);
}

static void put_fields(const fp_table_shape *shape, const fp_table_cell *cells, bool csv, FILE *stream) {
    const char *between = csv ? "," : "\t", *end = csv ? "\r\n" : "\n";
    key name;
    for (size_t c = 0; c < shape->count; c++) {
        const char *text = cells ? cells[c].exact : key_of(shape->columns + c, name);
        if (csv) put_csv_field(text, cells && cells[c].number, stream);
        else put_tsv_field(text, stream);
        fputs(c + 1 < shape->count ? between : end, stream);
    }
}

static void put_tsv(const fp_table_shape *shape, const fp_table_cell *cells, FILE *stream) {
    put_fields(shape, cells, false, stream);
}

static void put_csv(const fp_table_shape *shape, const fp_table_cell *cells, FILE *stream) {
    put_fields(shape, cells, true, stream);
}

/* ---- JSON ---- */

/* Infinities, which JSON lacks, become null like NA. */
static const char *json_number(const char *text) {
    double number;
    return fp_parse_real(text, &number) ? text : "null";
}

static void put_member(fp_json_writer *json, const fp_table_column *column, const fp_table_cell *cell) {
    key name;
    if (cell->number) fp_json_put_written(json, key_of(column, name), json_number(cell->exact));
    else fp_json_put_text(json, key_of(column, name), cell->exact);
}

/* One object of the array, indented one level. */
static void put_json(const fp_table_shape *shape, const fp_table_cell *cells, FILE *stream) {
    fp_json_writer json = fp_json_to(stream, 1);
    fputs(cells ? "  " : "[\n", stream);
    if (!cells) return;
    fp_json_begin_object(&json, NULL);
    for (size_t c = 0; c < shape->count; c++) put_member(&json, shape->columns + c, cells + c);
    fp_json_end_object(&json);
}

/* One object, on one line. */
static void put_jsonl(const fp_table_shape *shape, const fp_table_cell *cells, FILE *stream) {
    if (!cells) return;
    for (size_t c = 0; c < shape->count; c++) {
        fp_json_writer json = fp_json_to(stream, 0);
        fputs(c ? "," : "{", stream);
        put_member(&json, shape->columns + c, cells + c);
    }
    fputs("}\n", stream);
}

/* ---- Formats for papers and pages: numbers are rounded as for people, and texts are escaped ---- */

/* ---- Texts ---- */

/* Writes one character of `bytes` bytes; `last` and `next` are its neighbouring bytes, 0 at the ends. */
typedef void (*put_character)(const char *at, size_t bytes, char last, char next, FILE *stream);

/* Makes control characters and broken bytes visible first: LaTeX stops at them. */
static void put_text(const char *text, put_character put, FILE *stream) {
    fp_string rest = fp_string_of(text);
    char last = '\0';
    while (rest.length) {
        char shown[FP_VISIBLE_MOST];
        size_t taken, length = fp_visible_next(rest, &taken, shown);
        char next = taken < rest.length ? rest.data[taken] : '\0';
        bool replaced = *shown == '\\' && *rest.data != '\\';
        if (!replaced) put(shown, length, last, next, stream);
        for (size_t i = 0; replaced && i < length; i++) put(shown + i, 1, last, next, stream);
        last = shown[length - 1];
        rest = (fp_string){rest.data + taken, rest.length - taken};
    }
}

/* ---- Markdown ---- */

/* A backslash escapes any ASCII punctuation (CommonMark 0.31, section 2.4). An underscore inside a word needs none
 * (section 6.2), as in the column name false_positives. */
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

static void put_markdown_row(const fp_table_shape *shape, const fp_table_cell *cells, FILE *stream) {
    fputc('|', stream);
    for (size_t c = 0; c < shape->count; c++)
        put_markdown_cell(cells ? cells[c].readable : shape->columns[c].name, stream);
    if (!cells) fputs("\n|", stream);
    for (size_t c = 0; !cells && c < shape->count; c++) fputs(shape->columns[c].right ? "---:|" : "---|", stream);
    fputc('\n', stream);
}

/* ---- LaTeX ---- */

const char *fp_tex_special(char byte) {
    static const char SPECIAL[] = "&%$#_{}~^\\";
    static const char *const WRITTEN[] = {"\\&",
                                          "\\%",
                                          "\\$",
                                          "\\#",
                                          "\\_",
                                          "\\{",
                                          "\\}",
                                          "\\textasciitilde{}",
                                          "\\textasciicircum{}",
                                          "\\textbackslash{}"};
    const char *found = byte ? strchr(SPECIAL, byte) : NULL;
    return found ? WRITTEN[found - SPECIAL] : NULL;
}

size_t fp_tex_sign(fp_string text, FILE *stream) {
    static const struct {
        const char *sign, *as;
    } KNOWN[] = {{"α", "\\alpha"}, {"β", "\\beta"},   {"γ", "\\gamma"}, {"δ", "\\delta"},  {"ε", "\\varepsilon"},
                 {"θ", "\\theta"}, {"λ", "\\lambda"}, {"μ", "\\mu"},    {"π", "\\pi"},     {"ρ", "\\rho"},
                 {"σ", "\\sigma"}, {"τ", "\\tau"},    {"φ", "\\phi"},   {"χ", "\\chi"},    {"ω", "\\omega"},
                 {"Δ", "\\Delta"}, {"Π", "\\Pi"},     {"Σ", "\\Sigma"}, {"√", "\\surd"},   {"∞", "\\infty"},
                 {"≤", "\\le"},    {"≥", "\\ge"},     {"≠", "\\ne"},    {"≈", "\\approx"}, {"±", "\\pm"},
                 {"×", "\\times"}, {"·", "\\cdot"},   {"→", "\\to"},    {"∪", "\\cup"},    {"∩", "\\cap"},
                 {"∈", "\\in"},    {"−", "-"},        {"⁻", "^-"},      {"₊", "_+"},       {"₋", "_-"},
                 {"ᵇ", "^b"},      {"ʳ", "^r"},       {"ⁿ", "^n"},      {"ᵢ", "_i"},       {"⁰", "^0"},
                 {"¹", "^1"},      {"²", "^2"},       {"³", "^3"},      {"⁴", "^4"},       {"⁵", "^5"},
                 {"⁶", "^6"},      {"⁷", "^7"},       {"⁸", "^8"},      {"⁹", "^9"}};
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        size_t length = strlen(KNOWN[i].sign);
        if (text.length < length || memcmp(text.data, KNOWN[i].sign, length) != 0) continue;
        fprintf(stream, "$%s$", KNOWN[i].as);
        return length;
    }
    return 0;
}

/* How LaTeX writes a character; NULL: unchanged. Adjacent hyphens would become a dash; a bracket or star after the end
 * of a row would be its argument. */
static const char *latex_of(const char *at, size_t bytes, char next) {
    static const struct {
        const char *character, *written;
    } SIGNS[] = {{"<", "\\textless{}"}, {">", "\\textgreater{}"},
                 {"|", "\\textbar{}"},  {"`", "\\textasciigrave{}"},
                 {"\"", "{\\char34}"},  {"[", "{[}"},
                 {"*", "{*}"},          {"–", "--"},
                 {"—", "---"},          {"…", "\\ldots{}"}};
    if (*at == '-' && next == '-') return "-{}";
    if (fp_tex_special(*at)) return fp_tex_special(*at);
    for (size_t i = 0; i < sizeof SIGNS / sizeof *SIGNS; i++)
        if (strlen(SIGNS[i].character) == bytes && memcmp(SIGNS[i].character, at, bytes) == 0) return SIGNS[i].written;
    return NULL;
}

static void put_latex(const char *at, size_t bytes, char last, char next, FILE *stream) {
    const char *written = latex_of(at, bytes, next);
    (void)last;
    if (written) fputs(written, stream);
    else if (!fp_tex_sign((fp_string){at, bytes}, stream)) fwrite(at, 1, bytes, stream);
}

/* With a minus sign, and a power of ten for an exponent. */
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

/* Whether the column's name is the first `length` bytes of `stem` followed by `end`. */
static bool is_limit(const fp_table_shape *shape, size_t column, const char *stem, size_t length, const char *end) {
    if (column >= shape->count) return false;
    const char *name = shape->columns[column].name;
    return strncmp(name, stem, length) == 0 && strcmp(name + length, end) == 0;
}

/* Number of columns to merge: NAME, NAME_low and NAME_high, "0.94 (0.90–0.97)"; the last two alone, "0.90–0.97". */
static size_t latex_span(const fp_table_shape *shape, size_t column) {
    const char *name = shape->columns[column].name;
    size_t length = strlen(name);
    if (is_limit(shape, column + 1, name, length, "_low") && is_limit(shape, column + 2, name, length, "_high"))
        return 3;
    bool low = length > 4 && strcmp(name + length - 4, "_low") == 0;
    return low && is_limit(shape, column + 1, name, length - 4, "_high") ? 2 : 1;
}

/* In words: "Best F1" for best_f1. */
static void put_latex_heading(const char *name, size_t length, FILE *stream) {
    static const char *const SHORT[] = {"f1", "tp", "fp", "fn", "tn", "fpr", "fnr", "roc", "id", "pc", "mcc", "map"};
    for (size_t at = 0, end; at < length; at = end + 1) {
        for (end = at; end < length && name[end] != '_';) end++;
        bool capitals = false;
        for (size_t i = 0; i < sizeof SHORT / sizeof *SHORT; i++)
            capitals |= strlen(SHORT[i]) == end - at && strncmp(name + at, SHORT[i], end - at) == 0;
        if (at) fputc(' ', stream);
        for (size_t i = at; i < end; i++) {
            char letter[2] = {capitals || i == 0 ? (char)toupper((unsigned char)name[i]) : name[i]};
            put_text(letter, put_latex, stream);
        }
    }
}

static void begin_latex(const fp_table_shape *shape, FILE *stream) {
    fputs(
        "% \\usepackage{booktabs,graphicx}; no wider than its column or, in table*, the page\n{\\footnotesize" FP_LATEX_FIT
        "\\begin{tabular}{@{}",
        stream);
    for (size_t c = 0; c < shape->count; c += latex_span(shape, c)) fputc(shape->columns[c].right ? 'r' : 'l', stream);
    fputs("@{}}\n\\toprule\n", stream);
    for (size_t c = 0, span; c < shape->count; c += span) {
        const char *name = shape->columns[c].name;
        span = latex_span(shape, c);
        put_latex_heading(name, strlen(name) - (span == 2 ? 4 : 0), stream);
        fputs(c + span < shape->count ? " & " : " \\\\\n\\midrule\n", stream);
    }
}

static void put_latex_row(const fp_table_shape *shape, const fp_table_cell *cells, FILE *stream) {
    if (!cells) begin_latex(shape, stream);
    for (size_t c = 0, span; cells && c < shape->count; c += span) {
        span = latex_span(shape, c);
        bool defined = span > 1 && strcmp(cells[c + span - 2].readable, "NA") != 0, limits = span == 3 && defined;
        put_latex_cell(cells + c, shape->columns[c].right, stream);
        if (limits) fputs(" (", stream), put_latex_cell(cells + c + 1, true, stream);
        if (limits || (span == 2 && defined)) {
            fputs("--", stream);
            put_latex_cell(cells + c + span - 1, true, stream);
        }
        if (limits) fputc(')', stream);
        fputs(c + span < shape->count ? " & " : " \\\\\n", stream);
    }
}

#define LATEX_END "\\bottomrule\n\\end{tabular}" FP_LATEX_FITTED "}\n"

/* ---- All formats ---- */

const fp_table_writer fp_table_writers[FP_FORMATS] = {
    [FP_FORMAT_TABLE] = {.name = "table"},
    [FP_FORMAT_TSV] = {"tsv", put_tsv, "", {"", ""}},
    [FP_FORMAT_CSV] = {"csv", put_csv, "", {"", ""}},
    [FP_FORMAT_JSON] = {"json", put_json, ",\n", {"]\n", "\n]\n"}},
    [FP_FORMAT_JSONL] = {"jsonl", put_jsonl, "", {"", ""}},
    [FP_FORMAT_MARKDOWN] = {"markdown", put_markdown_row, "", {"", ""}},
    [FP_FORMAT_LATEX] = {"latex", put_latex_row, "", {LATEX_END, LATEX_END}},
};
