/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * markdown.h - the text of a Markdown file (CommonMark, with GitHub's tables, strikethrough, task lists and bare
 * links), without its markup: what a reader sees, a line for each block, table cell and line of code. The words of a
 * link and of a picture's description stay, addresses do not; HTML in it is left out with its tags, the words between
 * inline tags stay. Front matter (YAML between two lines of ---) is no text. Lines and blanks are as html.h has
 * them.
 */
#ifndef FP_MARKDOWN_H
#define FP_MARKDOWN_H

#include "base/base.h"

typedef struct fp_markdown {
    fp_string title; /* "title:" of the front matter, else the first heading; empty where there is neither */
    fp_string text;  /* the first heading is in it */
} fp_markdown;

/* Reads `raw`, valid UTF-8, into `arena`. Any thread. FP_ERROR_RANGE: 2 GiB or more. */
fp_status fp_markdown_read(fp_string raw, fp_arena *arena, fp_markdown *made, fp_error *error);

#endif
