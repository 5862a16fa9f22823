/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * csv.h - CSV records (RFC 4180). A field that begins with a quotation mark ends at the next one; a doubled mark is a
 * literal mark, and separators and line ends in between belong to the field. A mark elsewhere is an ordinary character,
 * as in spreadsheets and Python's csv. If a mark is not closed, its line is a record. A record ends with LF or CRLF.
 * Without `quotes`, each line is a record, whatever marks it holds.
 */
#ifndef FP_CSV_H
#define FP_CSV_H

#include "corpora/line_blocks.h"

typedef struct fp_csv {
    char separator; /* ',', ';' or a tab */
    bool quotes;
} fp_csv;

/* How such a file is split into records. */
fp_record_cut fp_csv_cut(fp_csv csv);

/* Splits a record: *fields[*count] in `kept`, pointing into the record unless text had to change. FP_ERROR_SYNTAX, with
 * the byte in the record: a quote that is not closed, characters after a closing quote. */
fp_status fp_csv_fields(fp_csv csv, fp_string record, fp_arena *kept, const fp_string **fields, size_t *count,
                        fp_error *error);

/* ---- Headers of "Name: value" lines after a first line, up to an empty line, as in web archives, HTTP and mail. Lines
 * end with CRLF or LF. ---- */

typedef struct fp_header_lines {
    fp_string first, lines;
    const char *behind; /* the text after the empty line */
} fp_header_lines;

/* False if no empty line ends the header. */
bool fp_header_open(fp_string text, fp_header_lines *header);
/* The value of the first line of that name, ignoring case and trimmed; false and empty if there is none. */
bool fp_header_find(const fp_header_lines *header, const char *name, fp_string *value);

#endif
