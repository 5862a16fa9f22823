/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * csv.h - CSV records (RFC 4180). A field that begins with a quotation mark ends at the next one; a doubled mark is a
 * literal mark, and separators and line ends in between belong to the field. A mark elsewhere is an ordinary character,
 * as in spreadsheets and Python's csv. If a mark is not closed, its line is a record. A record ends with LF or CRLF.
 * Without `quotes`, each line is a record, even with quotation marks.
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
 * the byte in the record: a quote that is not closed, characters after a closing quote. The text of a quoted field that
 * did not change follows its opening quote in the record. */
fp_status fp_csv_fields(fp_csv csv, fp_string record, fp_arena *kept, const fp_string **fields, size_t *count,
                        fp_error *error);

#endif
