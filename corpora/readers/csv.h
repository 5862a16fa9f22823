/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * csv.h - records of fields between separators (RFC 4180): a field that begins with a quotation mark ends at the next
 * one, two in a row stand for one, and separators and line ends in between belong to it. A mark elsewhere is a
 * character like others, as spreadsheets and Python's csv read it. Where nothing closes a mark, its line is a record. A
 * record ends with LF or CRLF. Where there are no quotes, each line is a record, whatever marks it holds.
 */
#ifndef FP_CSV_H
#define FP_CSV_H

#include "base/base.h"
#include "corpora/line_blocks.h"

typedef struct fp_csv {
    char separator; /* ',', ';' or a tab */
    bool quotes;
} fp_csv;

/* How a file of that kind is cut into records. */
const fp_record_cut *fp_csv_cut(fp_csv csv);

/* The fields of a record: *fields[*count] in `kept`, pointing into the record where nothing had to change. Errors have
 * their byte in the record, FP_ERROR_SYNTAX: a quote that is not closed, characters behind a closing quote. */
fp_status fp_csv_fields(fp_csv csv, fp_string record, fp_arena *kept, const fp_string **fields, size_t *count,
                        fp_error *error);

/* ----
 * headers of "Name: value" lines behind a first line, up to an empty one, as web archives, HTTP and
 * mail have them. Lines end with CRLF or LF.
 */

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
