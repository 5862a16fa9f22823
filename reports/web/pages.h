/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pages.h - pages that run the lab, each one HTML file with its style, its script and its data, which asks for nothing
 * from outside and is held to that by its own policy (CSP 3): the style and the script are named there by their
 * SHA-256.
 *
 * classroom: a lesson about text fingerprints, its steps, exercises, a sheet to print, notes for the teacher.
 * playground: two texts under every fingerprint while one types, and a small corpus evaluated in the browser.
 */
#ifndef FP_PAGES_H
#define FP_PAGES_H

#include "base/base.h"

/* In which language the page opens; both are in it. FP_WEB_READER: that of the reader's browser. */
typedef enum fp_web_language { FP_WEB_READER, FP_WEB_EN, FP_WEB_ZH } fp_web_language;

typedef struct fp_web_page fp_web_page;

/* NULL behind the last. */
const fp_web_page *fp_web_page_at(size_t at);
const char *fp_web_page_name(const fp_web_page *page);

/* Writes the page: the same bytes for the same language. The module that runs in it is read into `arena`, which never
 * says that there is no memory (results.h): FP_ERROR_IO where it is not built, FP_ERROR_ABI where it was made of other
 * sources than the program, with what makes it. The stream's errors are the caller's to look for. */
fp_status fp_web_page_write(FILE *to, const fp_web_page *page, fp_web_language language, fp_arena *arena,
                            fp_error *error);

#endif
