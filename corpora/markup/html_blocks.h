/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * html_blocks.h - the text of a page as blocks, while it is read, and which of them are the article (html_text.h).
 */
#ifndef FP_HTML_BLOCKS_H
#define FP_HTML_BLOCKS_H

#include "corpora/markup/html_text.h"

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

#endif
