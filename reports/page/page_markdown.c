/* SPDX-License-Identifier: GPL-3.0-or-later
 * The page as Markdown (GitHub's tables); figures are links to the files that gnuplot made. */
#include <string.h>

#include "reports/page/page_form.h"

/* Whatever Markdown or HTML would obey. */
static void escape(FILE *to, const char *text) {
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

static void begin(fp_page *page, fp_page_text title) {
    page->escape = escape;
    fputs("# ", page->stream);
    fp_page_put(page, title, " · ");
    fputs("\n\n", page->stream);
}

static void end(fp_page *page) { (void)page; }

static void heading(fp_page *page, const char *id, fp_page_text text) {
    (void)id;
    fputs("## ", page->stream);
    fp_page_put(page, text, " · ");
    fputs("\n\n", page->stream);
}

static const fp_page_signs SIGNS = {"| ", " | ", " |\n", "**", "**", "<sup>", "</sup>"};

static void table(fp_page *page, const fp_page_grid *grid) {
    FILE *to = page->stream;
    if (!grid->quiet) {
        fputs("**", to);
        fp_page_put(page, grid->caption, " · ");
        fputs("**\n\n", to);
    }
    fp_page_put_row(page, grid, SIZE_MAX, &SIGNS);
    for (size_t i = 0; i < grid->columns; i++) fputs(grid->head[i].number ? "| ---: " : "| --- ", to);
    fputs("|\n", to);
    for (size_t row = 0; row < grid->row_count; row++) fp_page_put_row(page, grid, row, &SIGNS);
    fputc('\n', to);
    fp_page_put_left_out(page, grid);
}

static void term(fp_page *page, fp_page_text name, fp_page_text text) {
    fp_page_put_term(page, "- **", name, "**", text);
}

/* Set in, so that nothing in it ends it. */
static void code(fp_page *page, const char *text) { fprintf(page->stream, "    %s\n\n", text); }

static void figure(fp_page *page, const char *name, fp_string svg, fp_page_text caption) {
    (void)svg;
    fputs("![", page->stream);
    fp_page_put(page, caption, " · ");
    fprintf(page->stream, "](<%s/%s>)\n\n", fp_page_folder(page), name);
}

const fp_page_form fp_page_markdown = {begin,  end,  heading, fp_page_put_paragraph, table, term, NULL, code,
                                       figure, NULL, NULL};
