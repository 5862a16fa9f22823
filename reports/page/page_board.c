/* SPDX-License-Identifier: GPL-3.0-or-later
 * The part of the page that moves: what its script fills. */
#include <string.h>

#include "reports/page/page_html.h"

static void put(fp_page *page, fp_page_word word) { fp_page_html_put(page, fp_page_words(page, word, NULL, 0)); }

/* A text around a place for a control: "…{0}…". */
static void put_around(fp_page *page, fp_page_word word, const char *control) {
    static const fp_page_text MARK = {"\x01", "\x01"};
    fp_page_text text = fp_page_words(page, word, &MARK, 1);
    const char *end_en = text.en ? strchr(text.en, 1) : NULL, *end_zh = text.zh ? strchr(text.zh, 1) : NULL;
    if (!end_en || !end_zh) return;
    fp_page_text before = {fp_format(page->arena, "%.*s", (int)(end_en - text.en), text.en),
                           fp_format(page->arena, "%.*s", (int)(end_zh - text.zh), text.zh)},
                 after = {end_en + 1, end_zh + 1};
    fp_page_html_put(page, before);
    fputs(control, page->stream);
    fp_page_html_put(page, after);
}

/* ---- How the threshold is set ---- */

static void put_rule(fp_page *page, const char *value, const char *checked) {
    fprintf(page->stream, "\n<label><input type=\"radio\" name=\"rule\" value=\"%s\"%s> ", value, checked);
}

static void put_rules(fp_page *page) {
    FILE *to = page->stream;
    fputs("<fieldset class=\"rules\"><legend>", to);
    put(page, FP_WORD_RULES);
    fputs("</legend>", to);
    put_rule(page, "one", " checked");
    put(page, FP_WORD_RULE_ONE);
    fputs("</label>", to);
    put_rule(page, "cost", "");
    put_around(page, FP_WORD_RULE_COST,
               " <input type=\"number\" id=\"ratio\" min=\"0.001\" max=\"1000000\" step=\"any\" value=\"1\" "
               "aria-label=\"missed : wrong\"> ");
    fputs("</label>", to);
    put_rule(page, "precision", "");
    put_around(page, FP_WORD_RULE_PRECISION,
               " <input type=\"number\" id=\"wanted\" min=\"0\" max=\"1\" step=\"0.01\" value=\"0.95\" "
               "aria-label=\"precision\"> ");
    fputs("</label></fieldset>\n", to);
}

/* ---- Boxes ---- */

static void put_arms(fp_page *page) {
    fputs("<fieldset class=\"arms\"><legend>", page->stream);
    put(page, FP_WORD_ARMS_SHOWN);
    fputs("</legend>", page->stream);
    for (size_t i = 0; i < page->arm_count; i++) {
        fprintf(page->stream,
                "\n<label><input type=\"checkbox\" checked data-box=\"%zu\"> <span class=\"key k%zu\">%zu</span> ", i,
                i % 8, i + 1);
        fp_page_html_put(page, fp_page_data(page->arms[i], page->arena));
        fputs("</label>", page->stream);
    }
    fputs("</fieldset>\n", page->stream);
}

/* Filled where pairs are at hand and there are several. */
static void put_parts(fp_page *page, const char *id, fp_page_word legend) {
    fprintf(page->stream, "<fieldset class=\"arms\" id=\"%s-boxes\" hidden><legend>", id);
    put(page, legend);
    fputs("</legend></fieldset>\n", page->stream);
}

/* ---- All ---- */

static void put_part(fp_page *page, const char *id, fp_page_word caption) {
    fputs("<h3>", page->stream);
    put(page, caption);
    fprintf(page->stream, "</h3>\n<div id=\"%s\" class=\"plots\"></div>\n", id);
}

void fp_page_html_board(fp_page *page) {
    FILE *to = page->stream;
    if (!fp_page_source_of(page, "summary")) return;
    page->form->heading(page, "live", FP_SAY_PLAIN(page, LIVE));
    fputs("<noscript><p>", to);
    put(page, FP_WORD_LIVE_WITHOUT);
    fputs("</p></noscript>\n<div id=\"board\" hidden>\n<p>", to);
    put(page, FP_WORD_LIVE_TEXT);
    fputs("</p>\n", to);
    put_rules(page);
    put_arms(page);
    put_parts(page, "kind", FP_WORD_KINDS_COUNTED);
    put_parts(page, "length", FP_WORD_LENGTHS_COUNTED);
    fputs("<div class=\"slider\"><label for=\"threshold\">", to);
    put(page, FP_WORD_THRESHOLD);
    fputs("</label> <input type=\"range\" id=\"threshold\" min=\"0\" max=\"64\" step=\"1\" value=\"10\">"
          " <output id=\"shown\" for=\"threshold\">10</output></div>\n<h3 id=\"counts-title\">",
          to);
    put(page, FP_WORD_LIVE_COUNTS);
    fputs(
        "</h3>\n<div class=\"wide\" role=\"group\" tabindex=\"0\" aria-labelledby=\"counts-title\"><div id=\"counts\"></div></div>\n"
        "<p id=\"derived\" class=\"small\"></p>\n<p id=\"spoken\" class=\"unseen\" role=\"status\"></p>\n<div id=\"lacks\"></div>\n"
        "<div id=\"pairs\" hidden></div>\n",
        to);
    put_part(page, "curves", FP_WORD_LIVE_CURVE);
    put_part(page, "bars", FP_WORD_LIVE_BARS);
    fputs("</div>\n", to);
}

void fp_page_html_quality(fp_page *page) {
    if (!fp_page_source_of(page, "summary")) return;
    page->form->heading(page, "quality", FP_SAY_PLAIN(page, QUALITY));
    page->form->paragraph(page, FP_PAGE_PLAIN, FP_SAY(page, QUALITY_TEXT, fp_page_plain(page->confidence)));
    fputs("<noscript><p>", page->stream);
    put(page, FP_WORD_LIVE_WITHOUT);
    fputs("</p></noscript>\n<div id=\"quality-figures\" class=\"plots\"></div>\n", page->stream);
}
