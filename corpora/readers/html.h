/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * html.h - the text of an HTML page without its markup and, optionally, without the text around the article.
 *
 * Lines are those that a browser shows: block elements and <br> end a line, a run of white space is one blank, and a
 * source line end between two Chinese or Japanese characters is dropped (CSS Text 3, 4.1.2). Scripts, styles, embedded
 * content and hidden elements are never text.
 *
 * Removed as text around the article, unless FP_HTML_KEEP_ALL:
 * 1. nav, aside, footer, form, button, select, and header outside of article and main;
 * 2. blocks (text between two ends of block elements) that are boilerplate by the rule of Kohlschütter, Fankhauser and
 *    Nejdl (Boilerplate Detection using Shallow Text Features, WSDM 2010, algorithm 2), from the number of words in the
 *    block and its neighbours and the share of words in links, of which 1/3 is too many. Two Chinese or Japanese
 *    characters count as a word. If nothing would remain, rule 2 is not applied; if still nothing would remain, rule 1
 *    is not applied either.
 *
 * libxml2 parses the markup and accepts any bytes as a page: nothing is ever fetched, external entities are unknown.
 * Memory is a few times that of the page.
 */
#ifndef FP_HTML_H
#define FP_HTML_H

#include "base/base.h"

typedef enum fp_html_keep { FP_HTML_KEEP_ARTICLE, FP_HTML_KEEP_ALL } fp_html_keep;

typedef struct fp_html_page {
    fp_string title; /* content of <title>; empty if missing */
    fp_string text;  /* lines, the last without its line end; without the title */
} fp_html_page;

enum { FP_HTML_MOST_BYTES = 100000000, FP_HTML_DEEPEST = 100000, FP_HTML_ATTRIBUTES = 10000 };

/* Reads the page `raw`. The encoding is that of a byte-order mark, else `encoding`, which came with the page (NULL or
 * unknown: skipped), else that of a <meta> in the first 1024 bytes (WHATWG, HTML, 13.2.3.2), else UTF-8 if the bytes
 * are valid, else ICU's guess; invalid bytes become U+FFFD. `page` lives in `arena`. Thread-safe with one arena a
 * thread. FP_ERROR_RANGE: more than FP_HTML_MOST_BYTES, elements nested deeper than FP_HTML_DEEPEST, or one with more
 * than FP_HTML_ATTRIBUTES attributes (with the line of the page). */
fp_status fp_html_read(fp_string raw, const char *encoding, fp_html_keep keep, fp_arena *arena, fp_html_page *page,
                       fp_error *error);

/* Writes the encoding that a <meta> in the first 1024 bytes declares, under ICU's name, to `name`; "" if there is
 * none. */
void fp_html_declared_encoding(fp_string raw, char name[64]);

/* ---- The blocks of a page during parsing, and selecting the article ---- */

typedef struct fp_html_block {
    size_t begin, end; /* of its text; lines in it end with U+000A */
    double words, link_words;
    bool around; /* in an element outside the article */
} fp_html_block;

/* A text under construction. */
typedef struct fp_html_text {
    char *bytes;
    size_t length, room;
    unsigned last;                     /* its last character; 0 at the beginning of a block */
    bool gap, gap_ends_line, line_end; /* pending: white space; white space with a source line end; a displayed line
                                          end */
} fp_html_text;

/* All 0 except the arena. */
typedef struct fp_html_blocks {
    fp_arena *arena;
    fp_html_text text, title;
    fp_html_block *at; /* the last one accepts text while `open` */
    size_t count, room;
    bool open, in_word;
} fp_html_blocks;

/* These return false when out of memory. */
bool fp_html_blocks_add(fp_html_blocks *blocks, fp_string piece, bool link, bool around);
bool fp_html_blocks_title(fp_html_blocks *blocks, fp_string piece);
bool fp_html_blocks_join(fp_html_blocks *blocks, fp_html_keep keep, fp_html_page *page);

/* Ends the open block; ends a line in it. */
void fp_html_blocks_end(fp_html_blocks *blocks);
void fp_html_blocks_line_end(fp_html_blocks *blocks);

/* Whether a block is boilerplate, from the number of words in it and its neighbours (NULL: no neighbour). */
bool fp_html_blocks_rule(const fp_html_block *before, const fp_html_block *block, const fp_html_block *after);

/* ---- The text of a Markdown file (CommonMark, with GitHub's tables, strikethrough, task lists and bare links), as a
 * reader sees it: a line for each block, table cell and line of code. Addresses, HTML blocks and front matter (YAML
 * between two lines of ---) are removed; words between inline tags are kept. Lines and blanks are as above. ---- */

/* Reads `raw`, valid UTF-8, into `arena`. The title is "title:" of the front matter, else the first heading, which the
 * text includes. Thread-safe. FP_ERROR_RANGE: 2 GiB or more. */
fp_status fp_markdown_read(fp_string raw, fp_arena *arena, fp_html_page *made, fp_error *error);

#endif
