/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * page_entry.h - an HTML page in a file, as one text with what is known of it.
 */
#ifndef FP_PAGE_ENTRY_H
#define FP_PAGE_ENTRY_H

#include "corpora/entries.h"

/* Reads the page at `path` ("-": standard input), packed or not, of at most `most` bytes unpacked. Its id is `prefix`
 * and `name`, its title that of the page, and its line what it would be in a file of JSON objects:
 * {"id":…,"title":…,"text":…}. What it points to lives in `arena`. Errors name the file: those of fp_read_file_within
 * and fp_html_read, and FP_ERROR_SYNTAX or FP_ERROR_ENCODING for a name that is no id. */
fp_status fp_page_entry_read(const char *path, const char *prefix, const char *name, fp_html_keep keep, size_t most,
                             fp_arena *arena, fp_entry *entry, fp_error *error);

#endif
