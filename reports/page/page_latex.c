/* SPDX-License-Identifier: GPL-3.0-or-later
 * The page as LaTeX, for XeLaTeX: tables of booktabs over several pages; figures are the PDF pictures of plots/. */
#include <string.h>

#include "reports/page/page_form.h"

/* Signs of the definitions that the fonts of text do not have. */
static size_t put_sign(FILE *to, const char *text) {
    static const struct {
        const char *sign, *as;
    } KNOWN[] = {{"π", "$\\pi$"},   {"β", "$\\beta$"}, {"₊", "$_+$"},   {"₋", "$_-$"}, {"Σ", "$\\Sigma$"},
                 {"√", "$\\surd$"}, {"≤", "$\\le$"},   {"≥", "$\\ge$"}, {"−", "$-$"}};
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        size_t length = strlen(KNOWN[i].sign);
        if (strncmp(text, KNOWN[i].sign, length) != 0) continue;
        fputs(KNOWN[i].as, to);
        return length;
    }
    return 0;
}

static void escape(FILE *to, const char *text) {
    static const char SIGNS[] = "\\{}$&#^_~%<>\"";
    static const char *const AS[] = {"\\textbackslash{}",
                                     "\\{",
                                     "\\}",
                                     "\\$",
                                     "\\&",
                                     "\\#",
                                     "\\textasciicircum{}",
                                     "\\_",
                                     "\\textasciitilde{}",
                                     "\\%",
                                     "\\textless{}",
                                     "\\textgreater{}",
                                     "\\textquotedbl{}"};
    for (; text && *text; text++) {
        const char *sign = strchr(SIGNS, *text);
        size_t taken = put_sign(to, text);
        if (taken) text += taken - 1;
        else if (sign) fputs(AS[sign - SIGNS], to);
        else if (*text == '-' && text[1] == '-') fputs("-{}", to); /* no dash is made of two hyphens */
        else
            fputs(*text == ',' && text[1] != ' ' ? ",\\allowbreak{}" : (const char[]){*text, '\0'},
                  to); /* long specs */
    }
}

static void put(fp_page *page, fp_page_text text, const char *between) {
    if (!text.en || !text.zh) page->lost = true;
    bool same = text.en == text.zh || (text.en && text.zh && strcmp(text.en, text.zh) == 0);
    if (page->languages != FP_PAGE_ZH || same) escape(page->stream, text.en);
    if (page->languages == FP_PAGE_BOTH && !same) fputs(between, page->stream);
    if (page->languages != FP_PAGE_EN && !same) escape(page->stream, text.zh);
}

static void begin(fp_page *page, fp_page_text title) {
    fputs("% For XeLaTeX: xelatex report.tex, twice.\n"
          "\\documentclass[a4paper,landscape,10pt]{article}\n"
          "\\usepackage[fontset=fandol]{ctex}\n"
          "\\usepackage[margin=12mm]{geometry}\n"
          "\\usepackage{array,booktabs,longtable,graphicx,caption}\n"
          "\\setlength{\\tabcolsep}{3pt}\n\\setlength{\\parindent}{0pt}\n\\setlength{\\parskip}{4pt}\n\\sloppy\n"
          "\\title{",
          page->stream);
    put(page, title, " · ");
    fputs("}\n\\date{}\n\\begin{document}\n\\maketitle\n\n", page->stream);
}

static void end(fp_page *page) { fputs("\\end{document}\n", page->stream); }

static void heading(fp_page *page, const char *id, fp_page_text text) {
    (void)id;
    fputs("\\section*{", page->stream);
    put(page, text, " · ");
    fputs("}\n\n", page->stream);
}

static void paragraph(fp_page *page, fp_page_kind kind, fp_page_text text) {
    (void)kind;
    put(page, text, "\n\n");
    fputs("\n\n", page->stream);
}

static void put_cells(fp_page *page, const fp_page_cell *cells, size_t count, bool marked) {
    for (size_t i = 0; i < count; i++) {
        if (i) fputs(" & ", page->stream);
        if (marked && i == 0) fputs("\\textbf{", page->stream);
        put(page, cells[i].text, " ");
        if (marked && i == 0) fputc('}', page->stream);
    }
    fputs(" \\\\\n", page->stream);
}

/* Whether a column has texts that are to be broken. */
static bool is_long(const fp_page_grid *grid, size_t column) {
    for (size_t row = 0; row < grid->row_count; row++) {
        const char *text = grid->rows[row].cells[column].text.en;
        if (text && strlen(text) > 24) return true;
    }
    return false;
}

static void table(fp_page *page, const fp_page_grid *grid) {
    FILE *to = page->stream;
    fputs("{\\tiny\n\\begin{longtable}{@{}", to);
    for (size_t i = 0; i < grid->columns; i++)
        fputs(grid->head[i].number ? "r" : is_long(grid, i) ? ">{\\raggedright\\arraybackslash}p{34mm}" : "l", to);
    fputs("@{}}\n\\caption*{", to);
    put(page, grid->caption, " · ");
    fputs("}\\\\\n\\toprule\n", to);
    put_cells(page, grid->head, grid->columns, false);
    fputs("\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n", to);
    for (size_t row = 0; row < grid->row_count; row++)
        put_cells(page, grid->rows[row].cells, grid->columns, grid->rows[row].marked);
    fputs("\\end{longtable}}\n\n", to);
    if (!grid->left_out) return;
    char number[24];
    snprintf(number, sizeof number, "%zu", grid->left_out);
    paragraph(page, FP_PAGE_PLAIN, FP_SAY(page, MORE_ROWS, fp_page_plain(number), fp_page_plain(grid->file)));
}

static void term(fp_page *page, fp_page_text name, fp_page_text text) {
    fputs("\\textbf{", page->stream);
    put(page, name, " · ");
    fputs("}: ", page->stream);
    put(page, text, " ");
    fputs("\n\n", page->stream);
}

static void code(fp_page *page, const char *text) {
    fputs("{\\ttfamily\\raggedright ", page->stream);
    escape(page->stream, text);
    fputs("\\par}\n\n", page->stream);
}

static void figure(fp_page *page, const char *name, fp_string svg, fp_page_text caption) {
    (void)svg;
    fprintf(
        page->stream,
        "\\begin{figure}[htbp]\\centering\n\\includegraphics[width=\\linewidth,height=.9\\textheight,keepaspectratio]{\\detokenize{plots/%.*s.pdf}}\n\\caption*{",
        (int)(strlen(name) - 4), name);
    put(page, caption, " · ");
    fputs("}\n\\end{figure}\n\n", page->stream);
}

const fp_page_form fp_page_latex = {begin, end, heading, paragraph, table, term, code, figure, NULL, NULL};
