/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * run_page.h - what the commands that write a page share.
 */
#ifndef FP_CLI_RUN_PAGE_H
#define FP_CLI_RUN_PAGE_H

#include "reports/page/page.h"

/* "en", "zh", "both" or NULL as languages of fp_page_options; false: it is none of them. */
bool fp_cli_run_page_languages(const char *text, int *languages);

/* Whether a picture that the run lists as SVG is in `directory`. */
bool fp_cli_run_page_has_pictures(const fp_recorded *run, const char *directory);

/* Whether each of those is there as what ends so (".pdf"), too. */
bool fp_cli_run_page_has_each_as(const fp_recorded *run, const char *directory, const char *end);

#endif
