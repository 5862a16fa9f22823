/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * html.h - the text of an HTML page, without its markup and, where asked, without what stands around the article.
 *
 * Lines are what a browser shows below each other: block elements and <br> end a line, runs of white space are one
 * blank, and a line end of the source between two Chinese or Japanese characters is none (CSS Text 3, 4.1.2). Never
 * text are script, style, noscript, template, iframe, object, svg, and what bears the attribute hidden.
 *
 * What stands around the article, and is left out unless FP_HTML_KEEP_ALL:
 * 1. nav, aside, footer, form, button, select, and header outside of article and main;
 * 2. blocks (what stands between two ends of block elements) that the rule by numbers of words of Kohlschütter,
 * Fankhauser and Nejdl (Boilerplate Detection using Shallow Text Features, WSDM 2010, algorithm 2) calls boilerplate,
 * by the words of the block and of its neighbours and by the share of words in links, of which 1/3 is too many. Two
 * Chinese or Japanese characters count as a word. Where nothing would be left, 2 is not applied, and where still
 * nothing would be left, 1 is not either.
 *
 * Markup is read by libxml2, which takes any bytes for a page: nothing is ever fetched, external entities are not
 * known. Memory is that of the page a few times.
 */
#ifndef FP_HTML_H
#define FP_HTML_H

#include "base/base.h"

typedef enum fp_html_keep { FP_HTML_KEEP_ARTICLE, FP_HTML_KEEP_ALL } fp_html_keep;

typedef struct fp_html_page {
    fp_string title; /* of <title>; empty where there is none */
    fp_string text;  /* lines, the last without its end; the title is not in it */
} fp_html_page;

enum { FP_HTML_MOST_BYTES = 100000000, FP_HTML_DEEPEST = 100000, FP_HTML_ATTRIBUTES = 10000 };

/* Reads the page `raw`. The encoding is that of a byte-order mark, else `encoding`, which came with the page (NULL:
 * none did, or nobody knows it), else of a <meta> in the first 1024 bytes (WHATWG, HTML, 13.2.3.2), else UTF-8 where
 * the bytes are valid, else ICU's guess; what is invalid in it becomes U+FFFD. `page` lives in `arena`. Any thread, but
 * two pages at a time only in two arenas. FP_ERROR_RANGE: more than FP_HTML_MOST_BYTES, elements nested deeper than
 * FP_HTML_DEEPEST, or one of more than FP_HTML_ATTRIBUTES attributes (with the line of the page). */
fp_status fp_html_read(fp_string raw, const char *encoding, fp_html_keep keep, fp_arena *arena, fp_html_page *page,
                       fp_error *error);

/* The encoding that a <meta> in the first 1024 bytes names, as ICU knows it, into `name`; "" where there is none. */
void fp_html_declared_encoding(fp_string raw, char name[64]);

/* ---- the text of a page as blocks, while it is read, and which of them are the article. ---- */

typedef struct fp_html_block {
    size_t begin, end; /* of its text; lines in it end with U+000A */
    double words, link_words;
    bool around; /* in an element that stands around the article */
} fp_html_block;

/* What grows while a text is read. */
typedef struct fp_html_text {
    char *bytes;
    size_t length, room;
    unsigned last;                     /* its last character, as far as it matters: 0 at the begin of a line */
    bool gap, gap_ends_line, line_end; /* white space since then; a line end in it; one that is shown */
} fp_html_text;

/* All 0 but the arena. */
typedef struct fp_html_blocks {
    fp_arena *arena;
    fp_html_text text, title;
    fp_html_block *at; /* the last one is open where `open` */
    size_t count, room;
    bool open, in_word;
} fp_html_blocks;

/* All false when there is no memory. */
bool fp_html_blocks_add(fp_html_blocks *blocks, fp_string piece, bool link, bool around);
bool fp_html_blocks_title(fp_html_blocks *blocks, fp_string piece);
bool fp_html_blocks_join(fp_html_blocks *blocks, fp_html_keep keep, fp_html_page *page);

/* The block that is open ends; a line of it does. */
void fp_html_blocks_end(fp_html_blocks *blocks);
void fp_html_blocks_line_end(fp_html_blocks *blocks);

/* Whether a block is boilerplate by the numbers of words of it and its neighbours (NULL: there is none). */
bool fp_html_blocks_rule(const fp_html_block *before, const fp_html_block *block, const fp_html_block *after);

/* ----
 * the text of a Markdown file (CommonMark, with GitHub's tables, strikethrough, task lists and bare links), without its
 * markup: what a reader sees, a line for each block, table cell and line of code. The words of a link and of a
 * picture's description stay, addresses do not; HTML in it is left out with its tags, the words between inline tags
 * stay. Front matter (YAML between two lines of ---) is no text. Lines and blanks are as above.
 */

typedef struct fp_markdown {
    fp_string title; /* "title:" of the front matter, else the first heading; empty where there is neither */
    fp_string text;  /* the first heading is in it */
} fp_markdown;

/* Reads `raw`, valid UTF-8, into `arena`. Any thread. FP_ERROR_RANGE: 2 GiB or more. */
fp_status fp_markdown_read(fp_string raw, fp_arena *arena, fp_markdown *made, fp_error *error);

#endif
