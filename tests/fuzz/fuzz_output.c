/* SPDX-License-Identifier: GPL-3.0-or-later
 * Texts on their way out: nothing that a text holds is taken for a sign of HTML, LaTeX, Markdown, CSV or JSON. */
#include <ctype.h>

#include "corpora/json.h"
#include "corpora/readers/csv.h"
#include "reports/page/page_form.h"
#include "reports/page/page_form.h"
#include "reports/plots/plot_parts.h"
#include "reports/plots/picture.h"
#include "reports/tables/table.h"
#include "tests/fuzz/fuzz.h"
#include "text/unicode/utf8.h"
#include "text/unicode/visible.h"

/* What a function writes of a text; the caller frees it. */
static char *written(void (*write)(FILE *to, const char *text), const char *text) {
    char *made = NULL;
    size_t length;
    FILE *stream = open_memstream(&made, &length);
    write(stream, text);
    fclose(stream);
    return made;
}

/* As data comes into a page (fp_page_data). */
static const char *data_of(fp_string input, fp_arena *arena) { return fp_plot_text(input, arena).data; }

/* ---- HTML ---- */

static bool take(const char **at, const char *begin) {
    bool is = strncmp(*at, begin, strlen(begin)) == 0;
    if (is) *at += strlen(begin);
    return is;
}

/* No sign of markup is left, and what is escaped is the text again. */
void fuzz_escape_html(fp_string input, fp_arena *arena) {
    const char *text = data_of(input, arena);
    char *made = written(fp_page_html_escape, text);
    const char *at = made, *of = text;
    for (; *at; of++) {
        FUZZ_DEMAND(!strchr("<>\"'", *at));
        char sign = *at;
        if (sign != '&') at++;
        else if (take(&at, "&lt;")) sign = '<';
        else if (take(&at, "&gt;")) sign = '>';
        else if (take(&at, "&amp;")) sign = '&';
        else if (take(&at, "&quot;")) sign = '"';
        else if (take(&at, "&#39;")) sign = '\'';
        else at = NULL; /* an entity that nobody writes */
        FUZZ_DEMAND(at);
        FUZZ_DEMAND(sign == *of);
    }
    FUZZ_DEMAND(!*of);
    free(made);
}

/* Whether an element has an attribute that begins with "on". */
static bool has_handler(const char *at) {
    bool inside = false;
    for (char open = '\0'; *at; at++) {
        if (open) open = *at == open ? '\0' : open;
        else if (inside && (*at == '"' || *at == '\'')) open = *at;
        else if (*at == '<' || *at == '>') inside = *at == '<';
        else if (inside && isspace((unsigned char)*at) && strncasecmp(at + 1, "on", 2) == 0) return true;
    }
    return false;
}

/* What was taken for a picture of gnuplot has no element that runs, and no attribute that does. */
void fuzz_picture(fp_string input, fp_arena *arena) {
    char *made = NULL;
    size_t length;
    if (!fp_page_svg_is_harmless(input)) return;
    FILE *stream = open_memstream(&made, &length);
    fp_page_svg_write(stream, input, 7);
    fclose(stream);
    FUZZ_DEMAND(!strcasestr(made, "<script") && !strcasestr(made, "<img") && !strcasestr(made, "<foreign"));
    FUZZ_DEMAND(!strcasestr(made, "<a ") && !strcasestr(made, "<iframe") && !strcasestr(made, "<style"));
    FUZZ_DEMAND(!strstr(made, "<!") && !has_handler(made));
    free(made);
    (void)arena;
}

/* ---- LaTeX ---- */

static bool is_command(const char *name, size_t length) {
    static const char *const KNOWN[] = {"textbackslash",
                                        "textasciicircum",
                                        "textasciitilde",
                                        "textless",
                                        "textgreater",
                                        "textbar",
                                        "textquotedbl",
                                        "textasciigrave",
                                        "char",
                                        "ldots",
                                        "allowbreak",
                                        "pi",
                                        "beta",
                                        "Sigma",
                                        "surd",
                                        "le",
                                        "ge",
                                        "infty",
                                        "times",
                                        "cdot",
                                        "to"};
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        if (strlen(KNOWN[i]) == length && memcmp(KNOWN[i], name, length) == 0) return true;
    return false;
}

/* Groups and formulas are closed, commands are those that the lab writes, and no sign stands bare. */
static void check_latex(const char *at) {
    int depth = 0;
    bool formula = false;
    for (; *at; at++) {
        size_t letters = 0;
        if (*at == '\\') {
            while (isalpha((unsigned char)at[1 + letters])) letters++;
            FUZZ_DEMAND(letters ? is_command(at + 1, letters) : at[1] && strchr("{}$&#%_", at[1]));
            at += letters ? letters : 1;
        } else if (*at == '{') depth++;
        else if (*at == '}') FUZZ_DEMAND(--depth >= 0);
        else if (*at == '$') formula = !formula;
        else if (*at == '^' || *at == '_') FUZZ_DEMAND(formula);
        else FUZZ_DEMAND(!strchr("&#%~", *at));
    }
    FUZZ_DEMAND(depth == 0 && !formula);
}

/* A table with the cells `text` and "x", in `arena`. */
static char *table_of(const char *text, fp_table_format format, fp_arena *arena) {
    char *made = NULL;
    size_t length;
    fp_table *table = fp_table_new("name|other", arena);
    FILE *stream = open_memstream(&made, &length);
    fp_table_text(table, text);
    fp_table_text(table, "x");
    fp_table_write(table, format, stream);
    fclose(stream);
    char *kept = fp_string_copy(arena, (fp_string){made, length});
    free(made);
    return kept;
}

void fuzz_escape_latex(fp_string input, fp_arena *arena) {
    const char *text = data_of(input, arena);
    char *made = written(fp_page_latex.escape, text);
    check_latex(made);
    free(made);
    char *table = table_of(fp_string_copy(arena, input), FP_FORMAT_LATEX, arena), *cell = strstr(table, "\\midrule\n");
    char *end = cell ? strstr(cell, " & x \\\\\n") : NULL;
    FUZZ_DEMAND(cell && end);
    *end = '\0';
    check_latex(cell + strlen("\\midrule\n"));
    /* A picture of TikZ, whose nodes hold texts of data. */
    char *node = fp_format(arena, "\\node[gp node center] at (1.0,2.0) {%s};", text), *picture = NULL;
    size_t length;
    FILE *stream = open_memstream(&picture, &length);
    fp_tikz_write(fp_string_of(node), stream);
    fclose(stream);
    free(picture);
}

/* ---- Markdown ---- */

/* No bare sign of markup, no row or cell more than there are. */
void fuzz_escape_markdown(fp_string input, fp_arena *arena) {
    const char *text = data_of(input, arena);
    char *made = written(fp_page_markdown.escape, text);
    for (const char *at = made; *at; at++) {
        if (*at == '\\') {
            FUZZ_DEMAND(at[1] && ispunct((unsigned char)at[1]));
            at++;
        } else FUZZ_DEMAND(!strchr("<>`*_[]|#~$", *at));
    }
    free(made);
    char *table = table_of(fp_string_copy(arena, input), FP_FORMAT_MARKDOWN, arena);
    size_t bars = 0, lines = 0;
    for (const char *at = table; *at; at++) {
        if (*at == '\\') {
            FUZZ_DEMAND(at[1] != '\0');
            at++;
        } else if (*at == '|') bars++;
        else if (*at == '\n') lines++;
        else FUZZ_DEMAND(!strchr("<>`*[]{}~$", *at));
    }
    FUZZ_DEMAND(bars == 9 && lines == 3);
}

/* ---- Formats for programs ---- */

/* A cell as tables hold it: a line. */
static const char *cell_of(fp_string input, fp_arena *arena) {
    char *cell = fp_string_copy(arena, input);
    for (char *at = cell; *at; at++)
        if (strchr("\t\n\r\v\f", *at)) *at = ' ';
    return cell;
}

static void check_csv(const char *text, fp_arena *arena) {
    static const fp_csv CSV = {',', true};
    char *made = table_of(text, FP_FORMAT_CSV, arena);
    fp_string rest = fp_string_of(made), record;
    size_t rows, count;
    const fp_string *fields;
    fp_error error;
    const fp_record_cut cut = fp_csv_cut(CSV);
    for (int i = 0; i < 2; i++) FUZZ_DEMAND(cut.next(cut.separator, &rest, &record, &rows));
    FUZZ_DEMAND(rest.length == 0 && fp_csv_fields(CSV, record, arena, &fields, &count, &error) == FP_OK && count == 2);
    double number;
    bool formula = *text && strchr("=+-@", *text) && !fp_parse_real(text, &number);
    FUZZ_DEMAND(!formula || (fields[0].length && fields[0].data[0] == ' '));
}

static void check_json(const char *text, fp_arena *arena) {
    char *made = table_of(text, FP_FORMAT_JSON, arena);
    const fp_json *value;
    fp_error error;
    FUZZ_DEMAND(fp_json_parse(fp_string_of(made), arena, &value, &error) == FP_OK);
    const fp_json *cell = fp_json_member(value->first, "name");
    FUZZ_DEMAND(cell && cell->type == FP_JSON_STRING && !value->first->next);
    fp_string expected = fp_string_of(text);
    FUZZ_DEMAND(fp_utf8_check(expected) < expected.length || fp_string_equal(cell->text, expected));
}

/* For a person: nothing of it commands the terminal. */
static void check_shown(const char *text, fp_arena *arena) {
    char *made = table_of(text, FP_FORMAT_TABLE, arena);
    fp_string all = fp_string_of(made);
    FUZZ_DEMAND(fp_utf8_check(all) == all.length);
    for (size_t at = 0; at < all.length;) {
        uint32_t code;
        at += fp_utf8_decode(all.data + at, &code);
        FUZZ_DEMAND(code == '\n' || !fp_is_control(code));
    }
}

void fuzz_formats(fp_string input, fp_arena *arena) {
    const char *text = cell_of(input, arena);
    check_csv(text, arena);
    check_json(text, arena);
    check_shown(text, arena);
    char *made = table_of(text, FP_FORMAT_TSV, arena);
    size_t tabs = 0, lines = 0;
    for (const char *at = made; *at; at++) tabs += *at == '\t', lines += *at == '\n';
    FUZZ_DEMAND(tabs == 2 && lines == 2);
}
