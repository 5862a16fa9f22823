/* SPDX-License-Identifier: GPL-3.0-or-later
 * The page as Markdown (GitHub's tables), with links to gnuplot's figures; and as LaTeX for XeLaTeX, with booktabs
 * tables over several pages and the PDF pictures of plots/. */
#include <ctype.h>
#include <string.h>

#include "reports/page/page_form.h"
#include "reports/tables/table_formats.h"
#include "text/unicode/utf8.h"

/* ---- Parts common to both ---- */

struct fp_page_prose {
    const char *heading[2], *term[2], *bold[2], *raised[2]; /* before and after */
    const char *begin, *between, *end;                      /* of the cells of a row */
};

/* Writes the text in the languages of the page, with `between` between them. */
static void put(fp_page *page, fp_page_text text, const char *between) {
    void (*escape)(FILE *, const char *) = page->form->escape;
    bool same = strcmp(text.en, text.zh) == 0;
    if (page->languages != FP_PAGE_ZH || same) escape(page->stream, text.en);
    if (page->languages == FP_PAGE_BOTH && !same) fputs(between, page->stream);
    if (page->languages != FP_PAGE_EN && !same) escape(page->stream, text.zh);
}

/* Writes a title, heading or caption on one line, between `before` and `after`. */
static void put_line(fp_page *page, const char *before, fp_page_text text, const char *after) {
    fputs(before, page->stream);
    put(page, text, " · ");
    fputs(after, page->stream);
}

static void put_heading(fp_page *page, const char *id, fp_page_text text) {
    (void)id;
    put_line(page, page->form->prose->heading[0], text, page->form->prose->heading[1]);
}

/* Ends with an empty line. */
static void put_paragraph(fp_page *page, fp_page_text text) {
    put(page, text, "\n\n");
    fputs("\n\n", page->stream);
}

/* "NAME: text" */
static void put_term(fp_page *page, fp_page_text name, fp_page_text text) {
    put_line(page, page->form->prose->term[0], name, page->form->prose->term[1]);
    fputs(": ", page->stream);
    put(page, text, " ");
    fputs("\n\n", page->stream);
}

/* Writes row `row` of a table; SIZE_MAX: its head. */
static void put_row(fp_page *page, const fp_page_grid *grid, size_t row) {
    const fp_page_prose *of = page->form->prose;
    bool head = row == SIZE_MAX;
    for (size_t i = 0; i < grid->columns; i++) {
        const fp_page_cell *cell = (head ? grid->head : grid->rows[row].cells) + i;
        bool bold = cell->best || (!head && i == 0 && grid->rows[row].marked);
        fputs(i ? of->between : of->begin, page->stream);
        if (bold) fputs(of->bold[0], page->stream);
        put(page, cell->text, " ");
        if (bold) fputs(of->bold[1], page->stream);
        if (cell->raised) fprintf(page->stream, "%s%s%s", of->raised[0], cell->raised, of->raised[1]);
        if (cell->after) page->form->escape(page->stream, cell->after);
    }
    fputs(of->end, page->stream);
}

/* The directory of the current run's figures. */
static const char *folder_of(fp_page *page) {
    if (!page->options->folder) return "plots";
    if (page->run_count == 1) return page->options->folder;
    return fp_format(page->arena, "%s/%zu", page->options->folder, page->figures_of + 1);
}

/* ---- Markdown ---- */

/* Escapes all markup of Markdown and HTML. */
static void md_escape(FILE *to, const char *text) {
    for (; text && *text; text++) {
        if (*text == '<') fputs("&lt;", to);
        else if (*text == '>') fputs("&gt;", to);
        else if (*text == '&') fputs("&amp;", to);
        else {
            if (strchr("\\`*_[]|#~$", *text)) fputc('\\', to);
            fputc(*text, to);
        }
    }
}

static void md_begin(fp_page *page, fp_page_text title) { put_line(page, "# ", title, "\n\n"); }

static void md_end(fp_page *page) { (void)page; }

static void md_table(fp_page *page, const fp_page_grid *grid) {
    FILE *to = page->stream;
    if (!grid->quiet) put_line(page, "**", grid->caption, "**\n\n");
    put_row(page, grid, SIZE_MAX);
    for (size_t i = 0; i < grid->columns; i++) fputs(grid->head[i].number ? "| ---: " : "| --- ", to);
    fputs("|\n", to);
    for (size_t row = 0; row < grid->row_count; row++) put_row(page, grid, row);
    fputc('\n', to);
    fp_page_put_left_out(page, grid);
}

/* Indented, so that no content can end the block. */
static void md_code(fp_page *page, const char *text) { fprintf(page->stream, "    %s\n\n", text); }

static void md_figure(fp_page *page, const char *name, fp_string svg, fp_page_text caption) {
    (void)svg;
    put_line(page, "![", caption, "](<");
    fprintf(page->stream, "%s/%s>)\n\n", folder_of(page), name);
}

static const fp_page_prose MARKDOWN = {.heading = {"## ", "\n\n"},
                                       .term = {"- **", "**"},
                                       .bold = {"**", "**"},
                                       .raised = {"<sup>", "</sup>"},
                                       .begin = "| ",
                                       .between = " | ",
                                       .end = " |\n"};

const fp_page_form fp_page_markdown = {.prose = &MARKDOWN,
                                       .escape = md_escape,
                                       .begin = md_begin,
                                       .end = md_end,
                                       .heading = put_heading,
                                       .paragraph = put_paragraph,
                                       .warning = put_paragraph,
                                       .table = md_table,
                                       .term = put_term,
                                       .code = md_code,
                                       .figure = md_figure};

/* ---- LaTeX ---- */

static void latex_escape(FILE *to, const char *text) {
    static const char SIGNS[] = "<>\"`";
    static const char *const WRITTEN[] = {"\\textless{}", "\\textgreater{}", "\\textquotedbl{}", "\\textasciigrave{}"};
    enum { WORD = 20 }; /* bytes; longer words are specs and names, and may be broken anywhere */
    size_t run = 0;
    for (; text && *text; text++) {
        const char *sign = strchr(SIGNS, *text), *special = sign ? WRITTEN[sign - SIGNS] : fp_tex_special(*text);
        size_t taken = fp_tex_sign(fp_string_of(text), to);
        if (taken) text += taken - 1;
        else if (special) fputs(special, to);
        else if (*text == '\n') fputs("\\\\", to);
        else if (*text == '-' && text[1] == '-') fputs("-{}", to); /* prevents a dash */
        else fputc(*text, to);
        bool ascii = (unsigned char)*text < 0x80, breaks = *text == ',' && text[1] != ' ';
        run = *text == ' ' || !ascii ? 0 : run + 1;
        if (!breaks && run < WORD) continue;
        fputs("\\allowbreak{}", to);
        run = 0;
    }
}

static bool is_tikz(const fp_page *page) {
    return page->options->picture && strcmp(page->options->picture, "tikz") == 0;
}

static void latex_begin(fp_page *page, fp_page_text title) {
    fputs("% For XeLaTeX: latexmk -xelatex, or xelatex three times.\n"
          "% Needs ctex and the Fandol fonts (TeX Live's lang-chinese).\n"
          "\\documentclass[a4paper,landscape,10pt]{article}\n"
          "\\usepackage[fontset=fandol]{ctex}\n"
          "\\usepackage[margin=12mm]{geometry}\n"
          "\\usepackage{array,booktabs,longtable,graphicx,caption}\n",
          page->stream);
    if (is_tikz(page))
        fputs("\\usepackage{gnuplot-lua-tikz}\n"
              "\\newcommand\\fplabfit[1]{\\sbox0{\\resizebox{\\linewidth}{!}{#1}}%\n"
              "  \\ifdim\\ht0>.85\\textheight\\resizebox{!}{.85\\textheight}{\\usebox0}\\else\\usebox0\\fi}\n",
              page->stream);
    fputs("\\ExplSyntaxOn\\cs_new:Npn\\fplabsign#1{\\char_generate:nn{#1}{12}}\\ExplSyntaxOff\n"
          "\\setlength{\\tabcolsep}{3pt}\n\\setlength{\\parindent}{0pt}\n\\setlength{\\parskip}{4pt}\n\\sloppy\n",
          page->stream);
    put_line(page, "\\title{", title, "}\n\\date{}\n\\begin{document}\n\\maketitle\n\n");
}

static void latex_end(fp_page *page) { fputs("\\end{document}\n", page->stream); }

/* Two languages are stacked, because names are wider than their cells. A line end also breaks the name. */
static void put_head(fp_page *page, const fp_page_grid *grid, size_t first) {
    for (size_t i = first; i < grid->columns; i++) {
        fp_page_text text = grid->head[i].text;
        bool two = page->languages == FP_PAGE_BOTH && strcmp(text.en, text.zh) != 0,
             stacked = two || strchr(text.en, '\n');
        if (i > first) fputs(" & ", page->stream);
        if (stacked) fprintf(page->stream, "\\shortstack[%s]{", !grid->head[i].number ? "l" : two ? "r" : "c");
        put(page, text, "\\\\");
        if (stacked) fputc('}', page->stream);
    }
    fputs(" \\\\\n", page->stream);
}

/* ---- Tables ---- */

enum { LONG = 24, PARAGRAPH = 34, LINE = 273 }; /* characters; millimetres: a text column, and a line */

static size_t characters(const char *text) {
    size_t count = 0;
    uint32_t code;
    for (size_t at = 0, length = text ? strlen(text) : 0; at < length;
         count += code >= 0x1100 && code != 0x2013 ? 2 : 1)
        at += fp_utf8_decode(text + at, &code);
    return count;
}

/* The width of a text: two languages take two lines in a heading, one line in a cell. */
static size_t characters_of(const fp_page *page, fp_page_text text, bool name) {
    bool same = strcmp(text.en, text.zh) == 0;
    size_t en = page->languages == FP_PAGE_ZH && !same ? 0 : characters(text.en),
           zh = page->languages == FP_PAGE_EN || same ? 0 : characters(text.zh);
    return !name ? en + zh + (en && zh) : en > zh ? en : zh;
}

/* Whether a column has texts that need line breaks. */
static bool is_long(const fp_page_grid *grid, size_t column) {
    for (size_t row = 0; row < grid->row_count; row++)
        if (strlen(grid->rows[row].cells[column].text.en) > LONG) return true;
    return false;
}

static double column_width(const fp_page *page, const fp_page_grid *grid, size_t column, double character) {
    size_t widest = characters_of(page, grid->head[column].text, true);
    if (!grid->head[column].number && is_long(grid, column)) return PARAGRAPH;
    for (size_t row = 0; row < grid->row_count; row++) {
        size_t count = characters_of(page, grid->rows[row].cells[column].text, false);
        if (grid->marks) count += characters(grid->rows[row].cells[column].after) + 2;
        if (count > widest) widest = count;
    }
    return (double)widest * character;
}

/* The largest font size in which the table fits the line. */
static const char *size_of(const fp_page *page, const fp_page_grid *grid) {
    /* A character of Latin Modern is mostly half its size wide; sizes of article at 10pt. */
    static const struct {
        const char *name;
        double character; /* mm */
    } SIZES[] = {{"small", 1.65}, {"footnotesize", 1.5}, {"scriptsize", 1.35}};
    static const double GAP = 2.2; /* mm */
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        double sum = 0;
        for (size_t column = 0; column < grid->columns; column++)
            sum += column_width(page, grid, column, SIZES[i].character) + GAP;
        if (sum <= LINE) return SIZES[i].name;
    }
    return "tiny";
}

static void latex_table(fp_page *page, const fp_page_grid *grid) {
    FILE *to = page->stream;
    fprintf(to, "{\\%s\n\\begin{longtable}{@{}", size_of(page, grid));
    for (size_t i = 0; i < grid->columns; i++)
        fputs(grid->head[i].number ? "r" : is_long(grid, i) ? ">{\\raggedright\\arraybackslash}p{34mm}" : "l", to);
    put_line(page, "@{}}\n\\caption*{", grid->caption, "}\\\\\n\\toprule\n");
    put_head(page, grid, 0);
    fputs("\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n", to);
    for (size_t row = 0; row < grid->row_count; row++) put_row(page, grid, row);
    fputs("\\end{longtable}}\n\n", to);
    fp_page_put_left_out(page, grid);
}

static void latex_code(fp_page *page, const char *text) {
    fputs("{\\ttfamily\\raggedright ", page->stream);
    latex_escape(page->stream, text);
    fputs("\\par}\n\n", page->stream);
}

/* Writes a file name for TeX; special characters are written by number (\\fplabsign of the preamble). */
static void put_path(FILE *to, const char *path, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (strchr("\\{}$&#^~%\" ", path[i])) fprintf(to, "\\fplabsign{%d}", path[i]);
        else fputc(path[i], to);
    }
}

/* `name` ends in ".svg". */
static void latex_figure(fp_page *page, const char *name, fp_string svg, fp_page_text caption) {
    (void)svg;
    bool tikz = is_tikz(page);
    FILE *to = page->stream;
    fputs("\\begin{center}\n", to);
    fputs(tikz ? "\\fplabfit{\\input{" : "\\includegraphics[width=\\linewidth,height=.85\\textheight,keepaspectratio]{",
          to);
    put_path(to, folder_of(page), strlen(folder_of(page)));
    fputc('/', to);
    put_path(to, name, strlen(name) - 4);
    fputs(tikz ? ".tikz}}\n" : ".pdf}\n", to);
    put_line(page, "\\captionof*{figure}{", caption, "}\n\\end{center}\n\n");
}

/* ---- Table for papers ---- */

/* "Average precision"; in a narrow table broken after the first word, so that no heading is wider than its figures. */
static fp_page_text heading_of(const fp_page *page, fp_page_text text) {
    char *en = fp_format(page->arena, "%s", text.en), *space = page->options->wide ? NULL : strchr(en, ' ');
    *en = (char)toupper((unsigned char)*en);
    if (space) *space = '\n';
    return (fp_page_text){en, text.zh};
}

/* Writes a row of a narrow table: an interval under its figure, a corpus above its arms, long names above their
 * figures. */
static void put_narrow_row(fp_page *page, const fp_page_grid *grid, size_t row, size_t first, bool names_above) {
    const fp_page_cell *cells = grid->rows[row].cells;
    FILE *to = page->stream;
    if (first && (row == 0 || strcmp(cells[0].text.en, grid->rows[row - 1].cells[0].text.en) != 0)) {
        fprintf(to, "%s\\multicolumn{%zu}{@{}l@{}}{\\itshape ", row ? "\\addlinespace\n" : "", grid->columns - first);
        put(page, cells[0].text, " ");
        fputs("} \\\\\n", to);
    }
    for (size_t i = first; i < grid->columns; i++) {
        bool above = names_above && i == first + 1;
        if (above) fprintf(to, " & \\multicolumn{%zu}{@{}l@{}}{\\parbox[t]{78mm}{\\raggedright ", grid->columns - i);
        else fputs(i == first ? "" : cells[i].best ? " & \\textbf{" : " & ", to);
        put(page, cells[i].text, " ");
        fputs(above ? "}} \\\\\n & " : cells[i].best ? "}" : "", to);
        if (cells[i].raised) fprintf(to, "\\textsuperscript{%s}", cells[i].raised);
    }
    fputs(" \\\\\n", to);
    for (size_t i = first; i < grid->columns; i++)
        fprintf(to, "%s%s%s", i > first ? " & " : "", cells[i].after ? "\\scriptsize" : "",
                cells[i].after ? cells[i].after : "");
    fputs(" \\\\[2pt]\n", to);
}

void fp_page_latex_table(fp_page *page, const fp_page_grid *grid, fp_page_text note) {
    static const double COLUMN = 84, FIGURE = 16, GAP = 2.2, LETTER = 3, CHARACTER = 1.55; /* mm, in footnotesize */
    bool wide = page->options->wide, names_above = false;
    const char *star = wide ? "*" : "";
    size_t first = !wide && page->corpus_count > 1, figures = grid->columns - first - 2;
    double most = COLUMN - LETTER - GAP * (double)(figures + 1) - FIGURE * (double)figures;
    FILE *to = page->stream;
    for (size_t i = 0; i < grid->columns; i++) grid->head[i].text = heading_of(page, grid->head[i].text);
    for (size_t row = 0; row < grid->row_count; row++)
        names_above |= CHARACTER * (double)characters(grid->rows[row].cells[first + 1].text.en) > most;
    fprintf(to,
            "%% Needs \\usepackage{booktabs,graphicx}; Chinese needs \\usepackage{ctex}.\n"
            "\\begin{table%s}[tb]\n\\centering\\small\n",
            star);
    put_line(page, "\\caption{", grid->caption, ". ");
    put(page, note, " ");
    fputs("}\\smallskip\n\\footnotesize" FP_LATEX_FIT "\\begin{tabular}{@{}", to);
    for (size_t i = first; i < grid->columns; i++) fputc(!grid->head[i].number ? 'l' : wide ? 'r' : 'c', to);
    fputs("@{}}\n\\toprule\n", to);
    put_head(page, grid, first);
    fputs("\\midrule\n", to);
    for (size_t row = 0; row < grid->row_count; row++)
        if (wide) put_row(page, grid, row);
        else put_narrow_row(page, grid, row, first, names_above);
    fprintf(to, "\\bottomrule\n\\end{tabular}" FP_LATEX_FITTED "\n\\end{table%s}\n", star);
}

static const fp_page_prose LATEX = {.heading = {"\\section*{", "}\n\n"},
                                    .term = {"\\textbf{", "}"},
                                    .bold = {"\\textbf{", "}"},
                                    .raised = {"\\textsuperscript{", "}"},
                                    .begin = "",
                                    .between = " & ",
                                    .end = " \\\\\n"};

const fp_page_form fp_page_latex = {.prose = &LATEX,
                                    .escape = latex_escape,
                                    .begin = latex_begin,
                                    .end = latex_end,
                                    .heading = put_heading,
                                    .paragraph = put_paragraph,
                                    .warning = put_paragraph,
                                    .table = latex_table,
                                    .term = put_term,
                                    .code = latex_code,
                                    .figure = latex_figure};
