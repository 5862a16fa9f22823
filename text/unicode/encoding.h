/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * encoding.h - converts bytes in any encoding of ICU to UTF-8.
 */
#ifndef FP_ENCODING_H
#define FP_ENCODING_H

#include "base/base.h"

typedef struct fp_encoding_report {
    char name[64];   /* the encoding under ICU's name: "UTF-8", "GB18030", "windows-950-2000" */
    bool detected;   /* the encoding was detected, not given */
    int confidence;  /* 0 to 100; 100 if it was given, and for a byte-order mark or valid UTF-8 */
    size_t replaced; /* sequences that became U+FFFD */
} fp_encoding_report;

/* Converts `raw`, which is in `encoding`, to valid UTF-8. Names are those of ICU with all aliases, ignoring case:
 * "utf-8", "gb18030", "gbk", "big5", "utf-16le", "latin-1", … "utf-16" and "utf-32" follow the byte-order mark, and
 * are big-endian without one. "auto" uses a byte-order mark, else UTF-8 if the bytes are valid UTF-8, else the most
 * likely of ICU's guesses in which all bytes are valid; a guess from few bytes is often wrong, and the report has
 * its confidence. Other byte-order marks stay in the text as U+FEFF, which normalisation drops.
 *
 * `text` is `raw` itself if nothing has to change, else it lives in `arena`. `report` may be NULL. Errors:
 * FP_ERROR_ENCODING at the first byte in `raw` of an invalid or incomplete sequence, with its line (counted in
 * U+000A) unless the encoding is UTF-16 or UTF-32; with `replace` each such sequence becomes one U+FFFD and is
 * counted instead. FP_ERROR_ENCODING if "auto" finds nothing. FP_ERROR_UNKNOWN, with the nearest known name, if the
 * encoding is unknown. */
fp_status fp_to_utf8(fp_string raw, const char *encoding, bool replace, fp_arena *arena, fp_string *text,
                     fp_encoding_report *report, fp_error *error);

/* ICU's name of the encoding of a leading byte-order mark: "UTF-8", "UTF-16LE", …; NULL if there is none. */
const char *fp_byte_order_mark(fp_string raw);

#endif
