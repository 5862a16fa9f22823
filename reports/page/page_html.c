/* SPDX-License-Identifier: GPL-3.0-or-later
 * The page as HTML: a single file without references to others. */
#include <ctype.h>
#include <string.h>

#include "reports/page/page_form.h"

/* Files built into the program. */
typedef struct part {
    const char *begin, *end;
} part;
#define PART(name) extern const char fp_table_##name[], fp_table_##name##_end[];
#define STYLES(X) X(common_css) X(page_css)
#define SCRIPTS(X) X(common_js) X(page_counts_js) X(page_pairs_js) X(page_curves_js) X(page_js)
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

/* Writes a text between two pieces of HTML. */
static void put_within(fp_page *page, const char *before, fp_page_text text, const char *after) {
    fputs(before, page->stream);
    put(page, text);
    fputs(after, page->stream);
}

/* ---- The frame ---- */

static void put_languages(fp_page *page) {
    if (page->languages != FP_PAGE_BOTH) return;
    fputs("<div class=\"languages\" role=\"group\" aria-label=\"Language 语言\" hidden>"
          "<button type=\"button\" data-language=\"en\" lang=\"en\">",
          page->stream);
    fp_page_html_escape(page->stream, FP_TEXT(SHOW_EN).en);
    fputs("</button><button type=\"button\" data-language=\"zh\" lang=\"zh-CN\">", page->stream);
    fp_page_html_escape(page->stream, FP_TEXT(SHOW_ZH).zh);
    fputs("</button></div>\n", page->stream);
}

static void begin(fp_page *page, fp_page_text title) {
    FILE *to = page->stream;
    fprintf(to,
            "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
            "script-src 'unsafe-inline'; img-src data:\">\n"
            "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n<title>",
            page->languages == FP_PAGE_ZH ? "zh-CN" : "en");
    fp_page_html_escape(to, page->languages == FP_PAGE_ZH ? title.zh : title.en);
    fputs("</title>\n<style>\n", to);
    put_parts(to, (const part[]){STYLES(PART){0}});
    fputs("</style>\n</head>\n<body>\n<main>\n<header>\n", to);
    put_languages(page);
    put_within(page, "<h1>", title, "</h1>\n<nav class=\"contents\" aria-label=\"");
    fp_page_html_escape(to, page->languages == FP_PAGE_ZH ? FP_TEXT(CONTENTS).zh : FP_TEXT(CONTENTS).en);
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

static void open_section(fp_page *page, const char *id) {
    fprintf(page->stream, "%s\n<section id=\"%s\" aria-labelledby=\"%s-title\">\n",
            page->next_id++ ? "</section>" : "</header>", id, id);
}

static void heading(fp_page *page, const char *id, fp_page_text text) {
    open_section(page, id);
    fprintf(page->stream, "<h2 id=\"%s-title", id);
    put_within(page, "\">", text, "</h2>\n");
}

static void paragraph(fp_page *page, fp_page_text text) { put_within(page, "<p>", text, "</p>\n"); }

static void warning(fp_page *page, fp_page_text text) { put_within(page, "<p class=\"warning\">", text, "</p>\n"); }

static void term(fp_page *page, fp_page_text name, fp_page_text text) {
    put_within(page, "<dl><dt>", name, "</dt>");
    put_within(page, "<dd lang=\"en\">", text, "</dd></dl>\n");
}

/* Next to it is a place where the script draws the curves of the corpus. */
static void card(fp_page *page, fp_string corpus, fp_page_text (*lines)[2], size_t count) {
    FILE *to = page->stream;
    fputs("<div class=\"answer\">\n<dl>\n", to);
    for (size_t i = 0; i < count; i++) {
        put_within(page, "<dt>", lines[i][0], "</dt>");
        put_within(page, "<dd>", lines[i][1], "</dd>\n");
    }
    fputs("</dl>\n<div class=\"plots\" data-answer=\"", to);
    fp_page_html_escape(to, fp_page_data(page, corpus).en);
    fputs("\"></div>\n</div>\n", to);
}

static void code(fp_page *page, const char *text) {
    fputs("<pre tabindex=\"0\"><code>", page->stream);
    fp_page_html_escape(page->stream, text);
    fputs("</code></pre>\n", page->stream);
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
        fprintf(to, "<details><summary id=\"caption%zu", id);
        put_within(page, "\">", grid->caption, "</summary>\n");
    }
    fprintf(to, "<div class=\"wide\" role=\"group\" tabindex=\"0\" aria-labelledby=\"caption%zu\">\n<table>", id);
    if (!grid->folded) {
        fprintf(to, "<caption id=\"caption%zu\"%s", id, grid->quiet ? " class=\"unseen\"" : "");
        put_within(page, ">", grid->caption, "</caption>");
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
    fprintf(page->stream, "\n</div>\n<figcaption id=\"caption%zu", id);
    put_within(page, "\">", caption, "</figcaption>\n</figure>\n");
}

/* ---- Interactive part, filled by the page's script ---- */

/* Writes HTML; each @ is replaced by the next word. */
static void put_html(fp_page *page, const char *html, const fp_page_word *words) {
    for (; *html; html++)
        if (*html == '@') put(page, fp_page_words(page, *words++, NULL, 0));
        else fputc(*html, page->stream);
}
#define PUT_HTML(page, html, ...) put_html(page, html, (const fp_page_word[]){__VA_ARGS__})

/* Writes a text with a control in place of its {0}. */
static void put_around(fp_page *page, fp_page_word word, const char *control) {
    static const fp_page_text MARK = {"\x01", "\x01"};
    fp_page_text text = fp_page_words(page, word, &MARK, 1);
    const char *end_en = strchr(text.en, 1), *end_zh = strchr(text.zh, 1);
    fp_page_text before = {fp_format(page->arena, "%.*s", (int)(end_en - text.en), text.en),
                           fp_format(page->arena, "%.*s", (int)(end_zh - text.zh), text.zh)},
                 after = {end_en + 1, end_zh + 1};
    put(page, before);
    fputs(control, page->stream);
    put(page, after);
}

/* Choices for the threshold. */
static void put_rules(fp_page *page) {
    PUT_HTML(page,
             "<fieldset class=\"rules\"><legend>@</legend>\n"
             "<label><input type=\"radio\" name=\"rule\" value=\"best\" checked> @</label>\n"
             "<label><input type=\"radio\" name=\"rule\" value=\"one\"> @</label>\n"
             "<label><input type=\"radio\" name=\"rule\" value=\"cost\"> ",
             FP_WORD_RULES, FP_WORD_RULE_BEST, FP_WORD_RULE_ONE);
    put_around(page, FP_WORD_RULE_COST,
               " <input type=\"number\" id=\"ratio\" min=\"0.001\" max=\"1000000\" step=\"any\" value=\"1\" "
               "aria-label=\"missed : wrong\"> ");
    fputs("</label>\n<label><input type=\"radio\" name=\"rule\" value=\"precision\"> ", page->stream);
    put_around(page, FP_WORD_RULE_PRECISION,
               " <input type=\"number\" id=\"wanted\" min=\"0\" max=\"1\" step=\"0.01\" value=\"0.95\" "
               "aria-label=\"precision\"> ");
    PUT_HTML(page, "</label>\n<label><input type=\"checkbox\" id=\"estimate\"> @</label></fieldset>\n",
             FP_WORD_RULE_ESTIMATE);
}

static void put_arms(fp_page *page) {
    PUT_HTML(page, "<fieldset class=\"arms\"><legend>@</legend>", FP_WORD_ARMS_SHOWN);
    for (size_t i = 0; i < page->arm_count; i++) {
        fprintf(page->stream,
                "\n<label><input type=\"checkbox\" checked data-box=\"%zu\"> <span class=\"key k%zu\">%zu</span> ", i,
                i % 8, i + 1);
        put(page, fp_page_data(page, page->arms[i]));
        fputs("</label>", page->stream);
    }
    fputs("</fieldset>\n", page->stream);
}

/* The script fills kinds and lengths if pairs are available and there are several. */
static void board(fp_page *page) {
    if (!fp_page_source_of(page, "summary")) return;
    page->form->heading(page, "live", FP_TEXT(LIVE));
    PUT_HTML(page, "<noscript><p>@</p></noscript>\n<div id=\"board\" hidden>\n<p>@</p>\n", FP_WORD_LIVE_WITHOUT,
             FP_WORD_LIVE_TEXT);
    put_rules(page);
    put_arms(page);
    PUT_HTML(page,
             "<fieldset class=\"arms\" id=\"kind-boxes\" hidden><legend>@</legend></fieldset>\n"
             "<fieldset class=\"arms\" id=\"length-boxes\" hidden><legend>@</legend></fieldset>\n"
             "<div class=\"slider\"><label for=\"threshold\">@</label> "
             "<input type=\"range\" id=\"threshold\" min=\"0\" max=\"64\" step=\"1\" value=\"10\">"
             " <output id=\"shown\" for=\"threshold\">10</output> <button type=\"button\" id=\"to-answer\">@</button>"
             "</div>\n<h3 id=\"counts-title\">@</h3>\n"
             "<div class=\"wide\" role=\"group\" tabindex=\"0\" aria-labelledby=\"counts-title\">"
             "<div id=\"counts\"></div></div>\n<p id=\"derived\" class=\"small\"></p>\n"
             "<p id=\"spoken\" class=\"unseen\" role=\"status\"></p>\n<div id=\"lacks\"></div>\n"
             "<div id=\"pairs\" hidden></div>\n<h3>@</h3>\n<div id=\"curves\" class=\"plots\"></div>\n"
             "<h3>@</h3>\n<div id=\"bars\" class=\"plots\"></div>\n</div>\n",
             FP_WORD_KINDS_COUNTED, FP_WORD_LENGTHS_COUNTED, FP_WORD_THRESHOLD, FP_WORD_TO_ANSWER, FP_WORD_LIVE_COUNTS,
             FP_WORD_LIVE_CURVE, FP_WORD_LIVE_BARS);
}

static void quality(fp_page *page) {
    if (!fp_page_source_of(page, "summary")) return;
    page->form->heading(page, "quality", FP_TEXT(QUALITY));
    page->form->paragraph(page, FP_SAY(page, QUALITY_TEXT, fp_page_plain(page->confidence)));
    PUT_HTML(page, "<noscript><p>@</p></noscript>\n<div id=\"quality-figures\" class=\"plots\"></div>\n",
             FP_WORD_LIVE_WITHOUT);
}

const fp_page_form fp_page_html = {.begin = begin,
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
