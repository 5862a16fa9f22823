/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * csv.h - records of fields between separators (RFC 4180): a field that begins with a quotation mark ends at the next
 * one, two in a row stand for one, and separators and line ends in between belong to it. A mark elsewhere is a
 * character like others, as spreadsheets and Python's csv read it. Where nothing closes a mark, its line is a record. A
 * record ends with LF or CRLF. Where there are no quotes, each line is a record, whatever marks it holds.
 */
#ifndef FP_CSV_H
#define FP_CSV_H

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

#endif
