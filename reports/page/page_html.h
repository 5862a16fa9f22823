/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * page_html.h - what the files of the page as HTML share.
 */
#ifndef FP_PAGE_HTML_H
#define FP_PAGE_HTML_H

#include "reports/page/page_form.h"

/* Text, and the value of an attribute. */
void fp_page_html_escape(FILE *to, const char *text);
/* The same in the languages of the page: both stand there, and the style shows the one that was chosen. */
void fp_page_html_put(fp_page *page, fp_page_text text);

/* The part that moves, and the pictures of quality against bytes and time, which its script draws. */
void fp_page_html_board(fp_page *page), fp_page_html_quality(fp_page *page);

#endif
