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

static void put(fp_page *page, fp_page_text text, const char *between) {
    if (!text.en || !text.zh) page->lost = true;
    bool same = text.en == text.zh || (text.en && text.zh && strcmp(text.en, text.zh) == 0);
    if (page->languages != FP_PAGE_ZH || same) escape(page->stream, text.en);
    if (page->languages == FP_PAGE_BOTH && !same) fputs(between, page->stream);
    if (page->languages != FP_PAGE_EN && !same) escape(page->stream, text.zh);
}

static void begin(fp_page *page, fp_page_text title) {
    fputs("# ", page->stream);
    put(page, title, " · ");
    fputs("\n\n", page->stream);
}

static void end(fp_page *page) { (void)page; }

static void heading(fp_page *page, const char *id, fp_page_text text) {
    (void)id;
    fputs("## ", page->stream);
    put(page, text, " · ");
    fputs("\n\n", page->stream);
}

static void paragraph(fp_page *page, fp_page_kind kind, fp_page_text text) {
    (void)kind;
    put(page, text, "\n\n");
    fputs("\n\n", page->stream);
}

static void put_cells(fp_page *page, const fp_page_cell *cells, size_t count, bool marked) {
    for (size_t i = 0; i < count; i++) {
        fputs("| ", page->stream);
        if (marked && i == 0) fputs("**", page->stream);
        put(page, cells[i].text, " ");
        if (marked && i == 0) fputs("**", page->stream);
        fputc(' ', page->stream);
    }
    fputs("|\n", page->stream);
}

static void table(fp_page *page, const fp_page_grid *grid) {
    FILE *to = page->stream;
    if (!grid->quiet) {
        fputs("**", to);
        put(page, grid->caption, " · ");
        fputs("**\n\n", to);
    }
    put_cells(page, grid->head, grid->columns, false);
    for (size_t i = 0; i < grid->columns; i++) fputs(grid->head[i].number ? "| ---: " : "| --- ", to);
    fputs("|\n", to);
    for (size_t row = 0; row < grid->row_count; row++)
        put_cells(page, grid->rows[row].cells, grid->columns, grid->rows[row].marked);
    fputc('\n', to);
    if (!grid->left_out) return;
    char number[24];
    snprintf(number, sizeof number, "%zu", grid->left_out);
    paragraph(page, FP_PAGE_PLAIN, FP_SAY(page, MORE_ROWS, fp_page_plain(number), fp_page_plain(grid->file)));
}

static void term(fp_page *page, fp_page_text name, fp_page_text text) {
    fputs("- **", page->stream);
    put(page, name, " · ");
    fputs("**: ", page->stream);
    put(page, text, " ");
    fputs("\n\n", page->stream);
}

/* Set in, so that nothing in it ends it. */
static void code(fp_page *page, const char *text) { fprintf(page->stream, "    %s\n\n", text); }

static void figure(fp_page *page, const char *name, fp_string svg, fp_page_text caption) {
    (void)svg;
    fputs("![", page->stream);
    put(page, caption, " · ");
    fprintf(page->stream, "](<plots/%s>)\n\n", name);
}

const fp_page_form fp_page_markdown = {begin, end, heading, paragraph, table, term, code, figure, NULL, NULL};
