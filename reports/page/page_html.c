/* SPDX-License-Identifier: GPL-3.0-or-later
 * The page as HTML: a single file without references to others. */
#include <string.h>

#include "reports/page/page_form.h"

/* Files built into the program. */
typedef struct part {
    const char *begin, *end;
} part;
#define PART(name) extern const char fp_table_##name[], fp_table_##name##_end[];
#define STYLES(X) X(common_css) X(page_css)
#define SCRIPTS(X) X(common_js) X(page_board_js) X(page_counts_js) X(page_pairs_js) X(page_curves_js) X(page_js)
STYLES(PART)
SCRIPTS(PART)
#undef PART
#define PART(name) {fp_table_##name, fp_table_##name##_end},

static void put_parts(FILE *to, const part *parts) {
    for (; parts->begin; parts++) fwrite(parts->begin, 1, (size_t)(parts->end - parts->begin), to);
}

/* ---- Texts ---- */

void fp_page_html_escape(FILE *to, const char *text) {
    for (; text && *text; text++) {
        switch (*text) {
        case '<': fputs("&lt;", to); break;
        case '>': fputs("&gt;", to); break;
        case '&': fputs("&amp;", to); break;
        case '"': fputs("&quot;", to); break;
        case '\'': fputs("&#39;", to); break;
        default: fputc(*text, to);
        }
    }
}

/* In the languages of the page. If both are written, the style shows the selected one. */
static void put(fp_page *page, fp_page_text text) {
    FILE *to = page->stream;
    if (page->languages != FP_PAGE_BOTH || strcmp(text.en, text.zh) == 0) {
        fp_page_html_escape(to, page->languages == FP_PAGE_ZH ? text.zh : text.en);
        return;
    }
    fputs("<span class=\"en\" lang=\"en\">", to);
    fp_page_html_escape(to, text.en);
    fputs("</span><span class=\"zh\" lang=\"zh-CN\">", to);
    fp_page_html_escape(to, text.zh);
    fputs("</span>", to);
}

/* Writes HTML with the texts, one in place of each @. */
#define PUT_HTML(page, html, ...) put_html(page, html, (const fp_page_text[]){__VA_ARGS__})
static void put_html(fp_page *page, const char *html, const fp_page_text *texts) {
    for (; *html; html++)
        if (*html == '@') put(page, *texts++);
        else fputc(*html, page->stream);
}

/* For attributes, which have one language. */
static void put_one(fp_page *page, fp_page_text text) {
    fp_page_html_escape(page->stream, page->languages == FP_PAGE_ZH ? text.zh : text.en);
}

/* ---- The frame ---- */

static void begin(fp_page *page, fp_page_text title) {
    FILE *to = page->stream;
    fprintf(to,
            "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
            "script-src 'unsafe-inline'; img-src data:\">\n"
            "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n<title>",
            page->languages == FP_PAGE_ZH ? "zh-CN" : "en");
    put_one(page, title);
    fputs("</title>\n<style>\n", to);
    put_parts(to, (const part[]){STYLES(PART){0}});
    fputs("</style>\n</head>\n<body>\n<main>\n<header>\n", to);
    if (page->languages == FP_PAGE_BOTH)
        fputs("<div class=\"languages\" role=\"group\" aria-label=\"Language 语言\" hidden>"
              "<button type=\"button\" data-language=\"en\" lang=\"en\">English</button>"
              "<button type=\"button\" data-language=\"zh\" lang=\"zh-CN\">中文</button></div>\n",
              to);
    PUT_HTML(page, "<h1>@</h1>\n<nav class=\"contents\" aria-label=\"", title);
    put_one(page, FP_WORD(CONTENTS));
    fputs("\"></nav>\n", to);
}

static void end(fp_page *page) {
    FILE *to = page->stream;
    fputs("</section>\n</main>\n", to);
    if (fp_page_source_of(page, "summary")) {
        fputs("<script type=\"application/json\" id=\"data\">", to);
        fp_page_live_data(page);
        fputs("</script>\n", to);
    }
    fputs("<script>\n", to);
    put_parts(to, (const part[]){SCRIPTS(PART){0}});
    fputs("</script>\n</body>\n</html>\n", to);
}

static void heading(fp_page *page, const char *id, fp_page_text text) {
    fprintf(page->stream, "%s\n<section id=\"%s\" aria-labelledby=\"%s-title\">\n<h2 id=\"%s-title\">",
            page->next_id++ ? "</section>" : "</header>", id, id, id);
    PUT_HTML(page, "@</h2>\n", text);
}

static void paragraph(fp_page *page, fp_page_text text) { PUT_HTML(page, "<p>@</p>\n", text); }

static void warning(fp_page *page, fp_page_text text) { PUT_HTML(page, "<p class=\"warning\">@</p>\n", text); }

static void term(fp_page *page, fp_page_text name, fp_page_text text) {
    PUT_HTML(page, "<dl><dt>@</dt><dd lang=\"en\">@</dd></dl>\n", name, text);
}

/* Next to it is a place where the script draws the curves of the corpus. */
static void card(fp_page *page, fp_string corpus, fp_page_text (*lines)[2], size_t count) {
    fputs("<div class=\"answer\">\n<dl>\n", page->stream);
    for (size_t i = 0; i < count; i++) PUT_HTML(page, "<dt>@</dt><dd>@</dd>\n", lines[i][0], lines[i][1]);
    PUT_HTML(page, "</dl>\n<div class=\"plots\" data-answer=\"@\"></div>\n</div>\n", fp_page_data(page, corpus));
}

static void code(fp_page *page, const char *text) {
    PUT_HTML(page, "<pre tabindex=\"0\"><code>@</code></pre>\n", fp_page_plain(text));
}

/* ---- Tables ---- */

static void put_cell(fp_page *page, const fp_page_cell *cell, const char *element, const char *scope) {
    fprintf(page->stream, "<%s%s", element, scope);
    if (cell->number) fputs(" class=\"number\"", page->stream);
    if (cell->arm != FP_PAGE_NO_ARM) fprintf(page->stream, " data-arm=\"%d\"", cell->arm);
    fputc('>', page->stream);
    put(page, cell->text);
    fprintf(page->stream, "</%s>", element);
}

static void put_rows(fp_page *page, const fp_page_grid *grid) {
    FILE *to = page->stream;
    fputs("<thead><tr>", to);
    for (size_t i = 0; i < grid->columns; i++) put_cell(page, grid->head + i, "th", " scope=\"col\"");
    fputs("</tr></thead>\n<tbody>\n", to);
    for (size_t row = 0; row < grid->row_count; row++) {
        const fp_page_row *of = grid->rows + row;
        fputs("<tr", to);
        if (of->marked) fputs(" class=\"usual\"", to);
        if (of->arm != FP_PAGE_NO_ARM) fprintf(to, " data-arm=\"%d\"", of->arm);
        fputc('>', to);
        for (size_t i = 0; i < grid->columns; i++)
            put_cell(page, of->cells + i, i ? "td" : "th", i ? "" : " scope=\"row\"");
        fputs("</tr>\n", to);
    }
    fputs("</tbody>", to);
}

static void table(fp_page *page, const fp_page_grid *grid) {
    FILE *to = page->stream;
    size_t id = page->next_id++;
    if (grid->folded) {
        fprintf(to, "<details><summary id=\"caption%zu\">", id);
        PUT_HTML(page, "@</summary>\n", grid->caption);
    }
    fprintf(to, "<div class=\"wide\" role=\"group\" tabindex=\"0\" aria-labelledby=\"caption%zu\">\n<table>", id);
    if (!grid->folded) {
        fprintf(to, "<caption id=\"caption%zu\"%s>", id, grid->quiet ? " class=\"unseen\"" : "");
        PUT_HTML(page, "@</caption>", grid->caption);
    }
    fputc('\n', to);
    put_rows(page, grid);
    fputs("</table>\n</div>\n", to);
    fp_page_put_left_out(page, grid);
    if (grid->folded) fputs("</details>\n", to);
}

/* ---- Pictures ---- */

static void figure(fp_page *page, const char *name, fp_string svg, fp_page_text caption) {
    size_t id = page->next_id++;
    (void)name;
    fprintf(page->stream,
            "<figure>\n<div class=\"picture\" role=\"group\" tabindex=\"0\" aria-labelledby=\"caption%zu\">\n", id);
    fp_page_svg_write(page->stream, svg, id);
    fprintf(page->stream, "\n</div>\n<figcaption id=\"caption%zu\">", id);
    PUT_HTML(page, "@</figcaption>\n</figure>\n", caption);
}

/* ---- Interactive part, filled by the page's script (page_board.js) ---- */

static void board(fp_page *page) {
    if (!fp_page_source_of(page, "summary")) return;
    heading(page, "live", FP_WORD(LIVE));
    PUT_HTML(page, "<noscript><p>@</p></noscript>\n<div id=\"board\" hidden></div>\n", FP_WORD(LIVE_WITHOUT));
}

static void quality(fp_page *page) {
    if (!fp_page_source_of(page, "summary")) return;
    heading(page, "quality", FP_WORD(QUALITY));
    paragraph(page, FP_SAY(page, QUALITY_TEXT, fp_page_plain(page->confidence)));
    PUT_HTML(page, "<noscript><p>@</p></noscript>\n<div id=\"quality-figures\" class=\"plots\"></div>\n",
             FP_WORD(LIVE_WITHOUT));
}

const fp_page_form fp_page_html = {.escape = fp_page_html_escape,
                                   .begin = begin,
                                   .end = end,
                                   .heading = heading,
                                   .paragraph = paragraph,
                                   .warning = warning,
                                   .table = table,
                                   .term = term,
                                   .card = card,
                                   .code = code,
                                   .figure = figure,
                                   .live = board,
                                   .quality = quality};
