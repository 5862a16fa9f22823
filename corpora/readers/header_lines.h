/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * header_lines.h - headers of "Name: value" lines behind a first line, up to an empty one, as web archives, HTTP and
 * mail have them. Lines end with CRLF or LF.
 */
#ifndef FP_HEADER_LINES_H
#define FP_HEADER_LINES_H

#include "base/base.h"

typedef struct fp_header_lines {
    fp_string first, lines;
    const char *behind; /* the empty line */
} fp_header_lines;

/* False where no empty line ends the header. */
bool fp_header_open(fp_string text, fp_header_lines *header);
/* The value of the first line of that name, in any case, without blanks around it; false and empty where there is none.
 */
bool fp_header_find(const fp_header_lines *header, const char *name, fp_string *value);
/* A whole number, and nothing else. */
bool fp_header_number(fp_string value, uint64_t *number);

#endif
