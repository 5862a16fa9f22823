/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pages.h - pages that run the lab, each one HTML file with its style, its script and its data. It loads nothing from
 * outside, and its policy (CSP 3) enforces this: it names the style and the script by their SHA-256.
 *
 * classroom: a lesson about text fingerprints: its steps, exercises, a sheet to print, notes for the teacher.
 * playground: two texts under every fingerprint while the reader types, and a small corpus evaluated in the browser.
 */
#ifndef FP_PAGES_H
#define FP_PAGES_H

#include "base/base.h"

/* The language in which the page opens; the page has both. FP_WEB_READER: that of the reader's browser. */
typedef enum fp_web_language { FP_WEB_READER, FP_WEB_EN, FP_WEB_ZH } fp_web_language;

typedef struct fp_web_page fp_web_page;

/* NULL behind the last. */
const fp_web_page *fp_web_page_at(size_t at);
const char *fp_web_page_name(const fp_web_page *page);

/* Writes the page: the same language gives the same bytes. The module is read into `arena`, which ends the program when
 * there is no memory (results.h). Errors, with the command that builds it: FP_ERROR_IO: there is none. FP_ERROR_ABI: it
 * was built from other sources than the program. The caller checks the stream for errors. */
fp_status fp_web_page_write(FILE *to, const fp_web_page *page, fp_web_language language, fp_arena *arena,
                            fp_error *error);

#endif
